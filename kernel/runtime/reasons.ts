/** Why a message or a delivery goes no further, and what is told beside an answer. Joined with the others in kernel/reasons.ts. */
export const RUNTIME_REASONS = Object.freeze([
  'secret_pasted',
  'credential_cancelled',
  'credential_taken',
  'history_compacted',
  'message_not_deleted',
  'delivery_expired',
  'delivery_overdue',
  'channel_failing',
] as const)

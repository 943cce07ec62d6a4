/** Reason codes for deliveries that are refused, delayed or given up. Joined with the others in kernel/reasons.ts. */
export const DELIVERY_REASONS = Object.freeze([
  'sink_wrong_principal',
  'outbox_full',
  'message_not_deleted',
  'delivery_expired',
  'delivery_overdue',
  'channel_failing',
] as const)

/** Reason codes for names that match no operation. Joined with the others in kernel/reasons.ts. */
export const OPERATION_REASONS = Object.freeze([
  'operation_unknown',
  // given by sidecar/
  'command_taken',
] as const)

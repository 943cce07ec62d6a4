/** Reason codes for linking and unlinking accounts. Joined with the others in kernel/reasons.ts. */
export const IDENTITY_REASONS = Object.freeze([
  'identity_linked',
  'identity_unknown',
  // given by kernel/runtime/
  'identity_code',
] as const)

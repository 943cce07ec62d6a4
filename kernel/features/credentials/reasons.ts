/**
 * Reason codes for requested credentials, and for secrets that were pasted unasked. Joined with the others in
 * kernel/reasons.ts.
 */
export const CREDENTIAL_REASONS = Object.freeze([
  'credential_cancelled',
  'credential_taken',
  'credential_unclear',
  // given by kernel/features/approvals/, kernel/features/memory/
  'secret_pasted',
] as const)

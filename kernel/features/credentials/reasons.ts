/** What became of a credential that was asked for, and a secret that came unasked. Joined with the others in kernel/reasons.ts. */
export const CREDENTIAL_REASONS = Object.freeze([
  'credential_cancelled',
  'credential_taken',
  // given by kernel/features/approvals/, kernel/features/memory/
  'secret_pasted',
] as const)

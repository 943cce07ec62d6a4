/** Why accounts of one person are not linked or not unlinked. Joined with the others in kernel/reasons.ts. */
export const IDENTITY_REASONS = Object.freeze([
  'identity_linked',
  'identity_unknown',
  // given by kernel/runtime/
  'identity_code',
] as const)

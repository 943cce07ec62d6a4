/** Why a grant does not cover what is asked. Joined with the others in kernel/reasons.ts. */
export const GRANT_REASONS = Object.freeze([
  'grant_missing',
  // given by kernel/call/, kernel/features/models/
  'grant_budget_spent',
] as const)

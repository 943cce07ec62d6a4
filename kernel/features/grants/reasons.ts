/** Why a grant does not cover what is asked. Joined with the others in kernel/reasons.ts. */
export const GRANT_REASONS = Object.freeze([
  // given by kernel/features/models/, kernel/pipeline/, kernel/runtime/
  'grant_missing',
  'grant_budget_spent',
] as const)

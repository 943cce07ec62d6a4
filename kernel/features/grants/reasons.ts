/** Reason codes for grants that do not cover a call. Joined with the others in kernel/reasons.ts. */
export const GRANT_REASONS = Object.freeze([
  'grant_missing',
  // given by kernel/call/, kernel/features/models/
  'grant_budget_spent',
] as const)

/** Why an answer meets no one question, or no further question is put. Joined with the others in kernel/reasons.ts. */
export const APPROVAL_REASONS = Object.freeze([
  'choice_ambiguous',
  // given by kernel/pipeline/, kernel/runtime/
  'approvals_many',
] as const)

/** Why an answer meets no one question, or no further question is put. Joined with the others in kernel/reasons.ts. */
export const APPROVAL_REASONS = Object.freeze([
  'choice_ambiguous',
  'approvals_many',
  'write_repeated',
  'answer_cut',
] as const)

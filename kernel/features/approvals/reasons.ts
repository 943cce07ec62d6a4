/**
 * Reason codes for answers that match no single question, and for limits on new questions. Joined with the others in
 * kernel/reasons.ts.
 */
export const APPROVAL_REASONS = Object.freeze([
  'choice_ambiguous',
  'too_many_found',
  'approvals_many',
  'approval_repeated',
  'write_repeated',
  'answer_cut',
  'secret_in_call',
] as const)

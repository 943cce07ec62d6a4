/** Reason codes for disclosures by a tool call, and for values that a plan makes. Joined with the others in kernel/reasons.ts. */
export const CALL_REASONS = Object.freeze([
  'token_wrong_key',
  'disclosure_asks',
  'disclosure_not_said',
  'value_not_found',
  'time_not_found',
  'value_unsuitable',
  'value_for_others',
] as const)

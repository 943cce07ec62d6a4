/** Reason codes for agreements, and for notices about strangers. Joined with the others in kernel/reasons.ts. */
export const PEOPLE_REASONS = Object.freeze([
  'agreement_unknown',
  'agreement_made',
  'agreement_ended',
  // given by durable-objects/
  'strangers_wrote',
  'questions_left_out',
] as const)

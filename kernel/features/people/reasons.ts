/** What became of an agreement, and what the owner is told of strangers. Joined with the others in kernel/reasons.ts. */
export const PEOPLE_REASONS = Object.freeze([
  'agreement_unknown',
  'agreement_made',
  'agreement_ended',
  // given by durable-objects/
  'strangers_wrote',
  'questions_left_out',
] as const)

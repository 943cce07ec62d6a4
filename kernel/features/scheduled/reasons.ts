/** Reason codes for calls that wait for their time. Joined with the others in kernel/reasons.ts. */
export const SCHEDULED_REASONS = Object.freeze([
  'later_too_far',
  'later_past',
  'later_full',
  'later_unknown',
  'later_ambiguous',
  'later_gone',
  'later_time_unclear',
  'later_not_before',
] as const)

/** Reason codes for reminders and tasks. Joined with the others in kernel/reasons.ts. */
export const REMINDER_REASONS = Object.freeze([
  'reminder_past',
  'reminder_too_far',
  'reminder_unknown',
  'reminder_none_fired',
  'reminder_answered',
  'reminder_several',
  'reminder_thing_unknown',
  'reminder_time_unclear',
  'reminders_full',
] as const)

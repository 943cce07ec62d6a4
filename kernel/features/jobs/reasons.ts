/** Reason codes for jobs. Joined with the others in kernel/reasons.ts. */
export const JOB_REASONS = Object.freeze([
  'job_unknown',
  'job_ambiguous',
  'job_changed',
  'job_exists',
  'job_overlaps',
  'job_missed',
  'job_skipped',
  'job_unclear',
  'job_cannot',
  'job_time_unclear',
  'jobs_full',
  'job_too_often',
  'job_needs',
  'job_of_what',
  'job_chat_unknown',
] as const)

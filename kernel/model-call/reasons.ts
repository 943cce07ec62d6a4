/**
 * Reason codes for model calls that are refused or delayed, and for what the record of
 * a task reports. Joined with the others in kernel/reasons.ts.
 */
export const MODEL_CALL_REASONS = Object.freeze([
  'model_delayed',
  'model_refused_phase',
  'condition_not_met',
] as const)

/** Refusal and notice codes of model calls. Joined with the other folders' codes in kernel/reasons.ts. */
export const INFERENCE_REASONS = Object.freeze([
  'model_failed',
  'model_unavailable',
  'model_timeout',
  'model_misconfigured',
  'model_resting',
  'model_degraded',
  'answer_empty',
  // given by integrations/models/
  'model_overloaded',
  'model_garbled',
] as const)

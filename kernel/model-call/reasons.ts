/** Reason codes for model calls that are refused or delayed. Joined with the others in kernel/reasons.ts. */
export const MODEL_CALL_REASONS = Object.freeze(['model_delayed', 'model_refused_phase'] as const)

/** Why a model is not asked, or late. Joined with the others in kernel/reasons.ts. */
export const MODEL_CALL_REASONS = Object.freeze(['model_delayed', 'model_refused_phase'] as const)

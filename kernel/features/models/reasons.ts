/** Reason codes for the choice of models. Joined with the others in kernel/reasons.ts. */
export const MODEL_REASONS = Object.freeze(['model_unknown', 'model_chosen'] as const)

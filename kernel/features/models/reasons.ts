/** Reason codes for the choice of models. Joined with the others in kernel/reasons.ts. */
export const MODEL_REASONS = Object.freeze(['model_unknown', 'model_chosen', 'sink_not_of_task'] as const)

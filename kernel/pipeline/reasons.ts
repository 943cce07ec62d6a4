/** Why a step of the way of a message refuses, or leaves something out. Joined with the others in kernel/reasons.ts. */
export const PIPELINE_REASONS = Object.freeze(['sink_not_of_task', 'secret_in_call'] as const)

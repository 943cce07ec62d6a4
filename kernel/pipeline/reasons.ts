/** Reason codes of pipeline steps. Joined with the others in kernel/reasons.ts. */
export const PIPELINE_REASONS = Object.freeze(['sink_not_of_task'] as const)

/** Reason code for a summarised conversation. Joined with the others in kernel/reasons.ts. */
export const HISTORY_REASONS = Object.freeze(['history_compacted'] as const)

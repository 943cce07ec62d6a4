/** What the owner learns when a conversation was summarised. Joined with the others in kernel/reasons.ts. */
export const HISTORY_REASONS = Object.freeze(['history_compacted'] as const)

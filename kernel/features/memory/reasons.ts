/** Why an entry of the memory is not shown or not changed. Joined with the others in kernel/reasons.ts. */
export const MEMORY_REASONS = Object.freeze(['memory_unknown', 'memory_gone'] as const)

/** Reason codes for memory entries that cannot be shown or changed. Joined with the others in kernel/reasons.ts. */
export const MEMORY_REASONS = Object.freeze([
  'memory_unknown',
  'memory_gone',
  'memory_several',
  'memory_no_value',
] as const)

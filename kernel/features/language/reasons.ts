/** Reason codes for the owner's language. Joined with the others in kernel/reasons.ts. */
export const LANGUAGE_REASONS = Object.freeze(['language_unknown'] as const)

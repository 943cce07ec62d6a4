/** Reason codes for names. Joined with the others in kernel/reasons.ts. */
export const PERSONA_REASONS = Object.freeze(['persona_name', 'persona_fixed'] as const)

/** Why a tool call asks first, or carries what it may not. Joined with the others in kernel/reasons.ts. */
export const CALL_REASONS = Object.freeze(['disclosure_asks', 'disclosure_not_said'] as const)

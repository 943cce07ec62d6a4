/** Reason codes for disclosures by a tool call. Joined with the others in kernel/reasons.ts. */
export const CALL_REASONS = Object.freeze(['disclosure_asks', 'disclosure_not_said'] as const)

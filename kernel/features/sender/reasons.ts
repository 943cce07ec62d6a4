/** Reason codes of as whom the owner writes. Joined with the others in kernel/reasons.ts. */
export const SENDER_REASONS = Object.freeze(['sender_malformed', 'sender_full', 'sender_unknown'] as const)

/** Reason codes for the sender settings of the owner. Joined with the others in kernel/reasons.ts. */
export const SENDER_REASONS = Object.freeze(['sender_malformed', 'sender_full', 'sender_unknown'] as const)

/** Reason codes for quiet hours. Joined with the others in kernel/reasons.ts. */
export const QUIET_REASONS = Object.freeze(['quiet_unclear'] as const)

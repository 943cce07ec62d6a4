/** Reason codes for time zones. Joined with the others in kernel/reasons.ts. */
export const ZONE_REASONS = Object.freeze(['zone_unknown', 'zone_until_unclear'] as const)

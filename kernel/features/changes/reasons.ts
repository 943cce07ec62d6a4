/** Reason code for a change that cannot be undone. Joined with the others in kernel/reasons.ts. */
export const CHANGE_REASONS = Object.freeze(['change_stays'] as const)

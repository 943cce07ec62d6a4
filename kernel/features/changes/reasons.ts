/** Why a change is not taken back. Joined with the others in kernel/reasons.ts. */
export const CHANGE_REASONS = Object.freeze(['change_stays'] as const)

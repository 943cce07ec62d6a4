/** Reason codes for settings that a plan asks for. Joined with the others in kernel/reasons.ts. */
export const ADMIN_REASONS = Object.freeze(['setting_after_reading'] as const)

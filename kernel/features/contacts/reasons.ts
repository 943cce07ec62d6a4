/** Reason codes for contacts. Joined with the others in kernel/reasons.ts. */
export const CONTACT_REASONS = Object.freeze([
  'contact_unknown',
  'contact_exists',
  'contact_configured',
  'contact_malformed',
  'contacts_full',
] as const)

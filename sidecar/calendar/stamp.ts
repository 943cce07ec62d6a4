/** Formats an instant as iCalendar does (RFC 5545, 3.3.5). Pure. Called by dav.ts and ical.ts. */

/** Epoch milliseconds → `20261123T090000Z`. */
export function stampOf(at: number): string {
  return new Date(at).toISOString().replace(/[-:]|\.\d{3}/g, '')
}

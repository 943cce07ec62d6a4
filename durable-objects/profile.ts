/**
 * What of the owner's own facts the edge is cleared for, a copy of home's word. Contacts are above `internal` and stay at
 * home. Must not be decided here. Read and written by KernelObject.
 */

export interface EdgeProfile {
  readonly timezone: string
}

/** Whether this platform knows the zone. */
export function isTimezone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

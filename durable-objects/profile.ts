/**
 * What the edge knows of its owner, as home tells it. Must not hold what is above `internal`. Called by KernelObject.
 */

/** What of the owner's own facts the edge is cleared for. Contacts are above `internal` and stay at home. */
export interface EdgeProfile {
  readonly timezone: string
}

/** Whether this platform knows it: with another, every date would be wrong. */
export function isTimezone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/**
 * What of the owner's own facts the edge is cleared for, a copy of home's word. Contacts are above `internal` and stay at
 * home. Must not be decided here. Read and written by KernelObject.
 */

import type { ToldSelf } from '../kernel/self/told.ts'

export interface EdgeProfile {
  readonly timezone: string
}

/** What a principal's object is told at its start; null where home has pushed nothing yet. */
export interface Told {
  readonly profile: EdgeProfile | null
  readonly self: ToldSelf | null
  /** Whether the owner's bot hears him, as far as is known. */
  readonly bot: boolean
  /** Home's public key, base64url. */
  readonly sealKey: string | null
}

/** Whether this platform knows the zone. */
export function isTimezone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

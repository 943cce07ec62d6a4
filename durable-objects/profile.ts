/**
 * What of the owner's own facts the edge is cleared for, and what home says of the assistant: copies of home's word. Contacts
 * are above `internal` and stay at home. Must not be decided here. Read and written by KernelObject.
 */
import { err, ok, type Result } from '../kernel/flow/verdict.ts'
import type { ToldSelf } from '../kernel/self/told.ts'
import type { PauseWords } from '../kernel/task/pause.ts'

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
  /** What the owner said of pausing. */
  readonly pause: PauseWords
}

export interface ProfileShelf {
  /** Null until home has pushed one. */
  profile(): EdgeProfile | null
  /** Refusal: config_malformed for a zone that this platform does not know: every date would be wrong. */
  setProfile(profile: EdgeProfile): Result<true>
  /** What the assistant is called, and what is connected at home. */
  self(): ToldSelf | undefined
  setSelf(self: ToldSelf): void
}

const PROFILE = 'profile'
const SELF = 'self'

export function createProfileShelf(kv: SyncKvStorage): ProfileShelf {
  return {
    profile: () => kv.get<EdgeProfile>(PROFILE) ?? null,
    setProfile(profile) {
      if (!isTimezone(profile.timezone)) return err('config_malformed', { field: 'timezone' })
      kv.put(PROFILE, { timezone: profile.timezone })
      return ok(true)
    },
    self: () => kv.get<ToldSelf>(SELF),
    setSelf: (self) => kv.put(SELF, self),
  }
}

/** Whether this platform knows the zone. */
function isTimezone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

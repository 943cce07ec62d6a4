/**
 * The owner's facts that the edge is cleared for, and home's description of the assistant: copies as last synced from home.
 * Contacts are above `internal` and stay at home. Must not be decided here. Read and written by KernelObject.
 */
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import type { ToldSelf } from '../../kernel/self/told.ts'
import type { PauseWords } from '../../kernel/task/pause.ts'

export interface EdgeProfile {
  readonly timezone: string
}

/** What a principal's object gets at its start; null for what home has not synced yet. */
export interface Told {
  readonly profile: EdgeProfile | null
  readonly self: ToldSelf | null
  /** Whether the owner's bot receives messages, by the last health check. */
  readonly bot: boolean
  /** Home's public key, base64url. */
  readonly sealKey: string | null
  /** The owner's pause. */
  readonly pause: PauseWords
}

export interface ProfileShelf {
  /** Null until the first sync from home. */
  profile(): EdgeProfile | null
  /** Refusal: config_malformed for a time zone that this platform does not know, which would make every date wrong. */
  setProfile(profile: EdgeProfile): Result<true>
  /** The assistant's name, and the services connected at home. */
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

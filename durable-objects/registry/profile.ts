/**
 * What home has synced: the owner's data that the edge is cleared for, the description of the assistant, and home's public key,
 * with a limit on its use. Contacts are above `internal` and stay at home. Must not decide anything; the key opens nothing
 * (DESIGN §6). Called by KernelObject.
 */
import type { Quiet } from '../../kernel/features/quiet/port.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import type { SyncedSelf } from '../../kernel/self/synced-self.ts'
import type { PauseCommands } from '../../kernel/task/pause.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import { countOne, type RateWindow } from '../rate-window.ts'
import type { Denials } from './audit.ts'
import type { KernelPorts } from './ports.ts'

export interface EdgeProfile {
  readonly timezone: string
  /** Code of the owner's language; absent when home has not settled one. */
  readonly language?: string
  /** Quiet hours as set at home; absent: none. */
  readonly quiet?: Quiet
  /** Times at which private reminders are due, epoch milliseconds; absent if the owner has not allowed them. */
  readonly due?: readonly number[]
}

/** What a principal's object gets at its start; null for what home has not synced yet. */
export interface SyncedProfileState {
  readonly profile: EdgeProfile | null
  /** Code of the language of answers: home's, else that of the owner's first message here; null before either. */
  readonly language: string | null
  readonly self: SyncedSelf | null
  /** Whether the owner's bot receives messages, by the last health check. */
  readonly bot: boolean
  /** Home's public key, base64url. */
  readonly sealKey: string | null
  /** The owner's pause. */
  readonly pause: PauseCommands
}

export interface ProfileChange {
  /** Whether quiet hours or times of reminders have changed. */
  readonly timed: boolean
}

export interface ProfileStore {
  /** Null until the first sync from home. */
  profile(): EdgeProfile | null
  /** The profile as a principal's object may have it: quiet hours and due times are for the owner's object only. */
  profileFor(principal: string | null): EdgeProfile | null
  /** Refusal: config_malformed for a time zone that this platform does not know, which would make every date wrong. */
  setProfile(profile: EdgeProfile): Result<ProfileChange>
  /**
   * Returns the code of the owner's language. `heard`: code of a message here; it is stored only if neither home nor an earlier
   * message has set one.
   */
  language(heard: string | null): string | null
  /** The assistant's name, and the services connected at home. */
  self(): SyncedSelf | undefined
  setSelf(self: SyncedSelf): void
}

const PROFILE = 'profile'
const SELF = 'self'
const LANGUAGE = 'language'

export function createProfileStore(kv: SyncKvStorage): ProfileStore {
  const current = (): EdgeProfile | null => kv.get<EdgeProfile>(PROFILE) ?? null
  return {
    language(heard) {
      const settled = current()?.language ?? kv.get<string>(LANGUAGE) ?? null
      if (settled === null && heard !== null) kv.put(LANGUAGE, heard)
      return settled ?? heard
    },
    profile: current,
    profileFor(principal) {
      const profile = current()
      if (profile === null || principal === OWNER_PRINCIPAL) return profile
      const { quiet: _, due: __, ...others } = profile
      return others
    },
    setProfile(profile) {
      if (!isTimezone(profile.timezone)) return err('config_malformed', { field: 'timezone' })
      const { timezone, language, quiet, due } = profile
      const said = {
        ...(language !== undefined && { language }),
        ...(quiet !== undefined && { quiet }),
      }
      const before = kv.get<EdgeProfile>(PROFILE)
      kv.put(PROFILE, { timezone, ...said, ...(due !== undefined && { due }) })
      return ok({ timed: timesOf(before) !== timesOf(profile) })
    },
    self: () => kv.get<SyncedSelf>(SELF),
    setSelf: (self) => kv.put(SELF, self),
  }
}

function timesOf(profile: EdgeProfile | undefined): string {
  return JSON.stringify([profile?.quiet ?? null, profile?.due ?? null])
}

/** Whether this platform knows the zone. */
function isTimezone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/** Secrets a minute: enough for a person typing; a stolen device must not fill home's queue. */
export const MAX_SECRETS = 10

const KEY = 'seal-key'
const WINDOW = 'seal-rate'

/** Name of the secret, and the device that asks. */
export interface KeyRequest {
  readonly name: string
  readonly device: string
}

export interface SealKey {
  /** Base64url of 32 bytes. The former key is dropped; home can still open waiting boxes sealed with it. */
  set(key: string): void
  /** Home's public key, for the backup; null before the first sync from home. */
  current(): string | null
  /** The key, to seal one more secret. Refusals: remote_rate_limited, seal_key_missing. */
  take(of: KeyRequest): Result<string>
}

type SealKeyInput = Pick<KernelPorts, 'kv' | 'now' | 'note'> & Pick<Denials, 'deny'>

export function createSealKey({ kv, now, note, deny }: SealKeyInput): SealKey {
  const take = (): Result<string> => {
    const { window, within } = countOne(kv.get<RateWindow>(WINDOW) ?? null, now(), MAX_SECRETS)
    kv.put(WINDOW, window)
    if (!within) return err('remote_rate_limited', { most: MAX_SECRETS })
    const key = kv.get<string>(KEY)
    return key === undefined ? err('seal_key_missing') : ok(key)
  }
  return {
    set: (key) => kv.put(KEY, key),
    current: () => kv.get<string>(KEY) ?? null,
    take({ name: credential, device }) {
      const key = take()
      if (key.ok) note('secret_changed', { credential, change: 'typed', device })
      else deny('link', { code: key.reason.code, device })
      return key
    },
  }
}

/**
 * Quiet hours: reads and sets them, and returns when they end. Deliveries at a time that the owner named are not held; due.ts and
 * runner.ts decide that. Must not deliver anything. Called by them, by both ends of the tunnel and by the operations on quiet
 * hours.
 */
import { err, ok, type Result } from '../../flow/verdict.ts'
import { type Auditing, audit } from '../../powers/audit.ts'
import type { ChangeNews, Clock, Extraction, OwnerFacts } from '../../powers/ports.ts'
import type { StoreOf } from '../../powers/stores.ts'
import { localMoment } from '../../wording/output.ts'
import { laterIn } from '../reminders/later-words.ts'
import { clockOf, instantOfLocal } from '../reminders/repeat.ts'
import { LONGEST_QUIET, type Quiet, type QuietHours, type QuietPort, type SettingStore } from './port.ts'

const SETTING = 'quiet'
const NONE: Quiet = { hours: null, until: null }
const DAY = 86_400_000

export type QuietPowers = Clock & OwnerFacts & StoreOf<SettingStore>

export function quietOf({ now, store }: Clock & StoreOf<SettingStore>): Quiet {
  const kept = store.setting(SETTING)
  if (kept === null) return NONE
  const { hours, until } = JSON.parse(kept) as Quiet
  return { hours, until: until !== null && until > now() ? until : null }
}

/** Setting with the last value from home, so that a change there can be told from a change made here. */
const HEARD = 'quiet_heard'

/** Value to send to the other place; null if nothing is set. */
export function quietToTell(powers: Clock & StoreOf<SettingStore>): Quiet | null {
  const quiet = quietOf(powers)
  return quiet.hours === null && quiet.until === null ? null : quiet
}

/**
 * At the edge: takes the value from home if it differs from home's last one. A change that the owner made here holds until then.
 */
export function hearQuiet({ store }: StoreOf<SettingStore>, said: Quiet | null): void {
  const now = said === null ? null : JSON.stringify(said)
  const before = store.setting(HEARD)
  if (now === before) return
  // If home's quiet hours ended, they end here too, unless the owner has changed them here.
  if (now !== null || store.setting(SETTING) === before) store.saveSetting(SETTING, now)
  store.saveSetting(HEARD, now)
}

/** When held deliveries are due, epoch milliseconds; null if it is not quiet now. */
export function quietEnd(powers: QuietPowers): number | null {
  const { hours, until } = quietOf(powers)
  const now = powers.now()
  const { timezone } = powers.profile()
  const ends = hours !== null && isWithin(hours, now, timezone) ? endOf(hours, now, timezone) : null
  return until === null ? ends : Math.max(until, ends ?? until)
}

/** By the owner's local time, also on days on which the clocks change. */
export function isWithin({ from, to }: QuietHours, at: number, timezone: string): boolean {
  const minutes = minutesOf(at, timezone)
  return from < to ? minutes >= from && minutes < to : minutes >= from || minutes < to
}

function endOf({ to }: QuietHours, now: number, timezone: string): number {
  for (const day of [now, now + DAY, now + 2 * DAY]) {
    const at = instantOfLocal(`${localMoment(day, timezone).slice(0, 10)} ${clockOf(to)}`, timezone)
    if (at > now) return at
  }
  return now + DAY
}

export function minutesOf(at: number, timezone: string): number {
  const local = localMoment(at, timezone)
  return Number(local.slice(11, 13)) * 60 + Number(local.slice(14, 16))
}

export function createQuiet(powers: QuietPowers & Auditing & Extraction & ChangeNews): QuietPort {
  return {
    read: () => quietOf(powers),
    set(said) {
      const before = quietOf(powers)
      const read = quietIn(powers, said, before)
      if (!read.ok) return read
      powers.store.saveSetting(SETTING, JSON.stringify(read.value))
      const { hours, until } = read.value
      audit(powers, 'memory_changed', null, {
        ...{ what: 'quiet', did: 'set', from: hours?.from ?? null, to: hours?.to ?? null, until },
      })
      powers.profileChanged?.()
      return ok({ now: read.value, before })
    },
  }
}

const OFF = /^\s*(?:off|none|no|never|end|aus|nie|keine)\s*[.!]?\s*$/iu
const BOTH = /^(?:(\d[\d:-]+) )?until (\d{4}-\d\d-\d\dT[\d:.]+Z)$/u
const TIME = String.raw`(\d{1,2})(?:[:.](\d\d))?\s*(?:(am|pm|a\.m\.|p\.m\.)|(?:uhr|o'clock|h))?`
const HOURS = new RegExp(
  String.raw`^\s*(?:from |von |between |zwischen )?${TIME}\s*(?:to|until|till|and|und|bis|-|–|—)\s*${TIME}(?:\s*uhr)?\s*[.!]?\s*$`,
  'iu',
)
const LENGTH =
  /^\s*(?:for |für )?(?:the next |die nächsten? )?(?<length>(?:an?|half an|eine?|\d{1,3}|[a-zäöü]+) (?:minutes?|mins?|hours?|days?|minuten?|stunden?|tage?n?))\s*[.!]?\s*$/iu

/** Refusal: quiet_unclear. */
function quietIn(powers: QuietPowers & Extraction, said: string, before: Quiet): Result<Quiet> {
  if (OFF.test(said)) return ok(NONE)
  // The form that an undo call has: hours, a moment, or both.
  const [, hours, moment = ''] = BOTH.exec(said) ?? []
  if (moment !== '') {
    const both = hours === undefined ? ok({ ...NONE, hours: null }) : quietIn(powers, hours, NONE)
    return both.ok ? ok({ hours: both.value.hours, until: Date.parse(moment) }) : both
  }
  const found = HOURS.exec(said)
  if (found !== null) {
    const from = timeOf(found.slice(1, 4))
    const to = timeOf(found.slice(4, 7))
    return from === null || to === null || from === to
      ? err('quiet_unclear')
      : ok({ hours: { from, to }, until: before.until })
  }
  const length = LENGTH.exec(said)?.groups?.['length']
  const until = laterIn(powers, length ?? said.replace(/^\s*(?:until|till|bis)\s+/iu, ''))
  if (until === null || until <= powers.now() || until - powers.now() > LONGEST_QUIET)
    return err('quiet_unclear')
  return ok({ hours: before.hours, until })
}

function timeOf([hour = '', minute = '0', half = '']: readonly (string | undefined)[]): number | null {
  const isHalf = half !== '' && half !== undefined
  const hours = Number(hour)
  const minutes = Number(minute)
  if (minutes > 59 || hours > 24 || (isHalf && (hours < 1 || hours > 12))) return null
  const whole = isHalf ? (hours % 12) + (/^p/i.test(half) ? 12 : 0) : hours % 24
  return whole * 60 + minutes
}

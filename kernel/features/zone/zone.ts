/**
 * The zone where the owner is: stored until a day, and followed by everything that was set by the clock. Must not move what was
 * set as an instant. Called by the places, which use it as the owner's zone, by tick.ts and by the operations on it.
 */

import { err, ok, type Result } from '../../flow/verdict.ts'
import { type Auditing, audit } from '../../powers/audit.ts'
import type { Clock, Extraction, OwnerFacts, OwnerProfile, Templates } from '../../powers/ports.ts'
import type { StoreOf, Transactions } from '../../powers/stores.ts'
import { OWNER_PRINCIPAL } from '../../task/principal.ts'
import { DEFAULT_LANGUAGE } from '../../wording/languages.ts'
import { instantOf, localMoment } from '../../wording/output.ts'
import type { JobStore } from '../jobs/port.ts'
import { nextTimes } from '../jobs/schedule.ts'
import { ownersLanguage } from '../language/language.ts'
import type { SettingStore } from '../quiet/port.ts'
import { laterIn } from '../reminders/later-words.ts'
import type { ReminderStore } from '../reminders/port.ts'
import { instantOfLocal, nextOccurrence } from '../reminders/repeat.ts'
import { zoneOf } from './places.ts'
import type { Moved, Stay, ZonePort } from './port.ts'

/** Settings: the zone where the owner is, and the zone by which due times were computed last. */
const STAY = 'zone'
const APPLIED = 'zone_applied'
const DAY = 86_400_000

/** The owner's facts with the zone where they are now, and the language that they chose. */
export function profileNow(powers: Clock & StoreOf<SettingStore>, own: OwnerProfile): OwnerProfile {
  const stay = stayOf(powers)
  const language = ownersLanguage(powers, own.language ?? DEFAULT_LANGUAGE)
  return { ...own, language, ...(stay !== null && { timezone: stay.zone }) }
}

function stayOf({ now, store }: Clock & StoreOf<SettingStore>): Stay | null {
  const kept = store.setting(STAY)
  if (kept === null) return null
  const stay = JSON.parse(kept) as Stay
  return stay.until !== null && stay.until <= now() ? null : stay
}

/** When the stay ends, epoch milliseconds; null if no day was named. */
export function zoneMoment(powers: Clock & StoreOf<SettingStore>): number | null {
  return stayOf(powers)?.until ?? null
}

export type FollowPorts = Auditing &
  Clock &
  OwnerFacts &
  Templates &
  ZoneNews &
  StoreOf<Transactions & SettingStore & JobStore & ReminderStore>

/** Called when the owner's zone changes, so that the other place is informed. */
export interface ZoneNews {
  readonly profileChanged?: () => void
}

type Followed = Pick<Moved, 'jobs' | 'reminders'>

/**
 * Computes the next time of everything that was set by the clock, if the zone has changed since the last call; the first call
 * only stores the zone. Jobs that a file pins to a zone, and reminders such as "in 20 minutes", stay.
 */
export function followZone(powers: FollowPorts): Followed {
  const { store } = powers
  const { timezone } = powers.profile()
  const before = store.setting(APPLIED)
  if (before === timezone) return { jobs: 0, reminders: 0 }
  if (before === null) {
    store.saveSetting(APPLIED, timezone)
    return { jobs: 0, reminders: 0 }
  }
  const followed = store.transaction(() => {
    store.saveSetting(APPLIED, timezone)
    return { jobs: moveJobs(powers, before, timezone), reminders: moveReminders(powers, timezone) }
  })
  audit(powers, 'memory_changed', null, { what: 'zone', did: 'followed', ...followed })
  powers.profileChanged?.()
  return followed
}

function moveJobs({ store, templates, now }: FollowPorts, before: string, zone: string): number {
  let moved = 0
  for (const job of store.jobs()) {
    const isPinned = templates.find(({ id }) => id === job.template)?.job?.zone !== undefined
    if (job.zone !== before || isPinned) continue
    const [next] = nextTimes({ repeat: job.repeat, zone }, now(), 1)
    const due = job.due === null ? null : (next ?? (job.repeat.last === undefined ? now() : job.due))
    store.saveJob({ ...job, zone, due })
    moved += 1
  }
  return moved
}

function moveReminders({ store, now }: FollowPorts, zone: string): number {
  let moved = 0
  for (const one of store.openReminders(OWNER_PRINCIPAL, 'reminder')) {
    // A reminder that was put off moves by its own time; its repetition follows by itself.
    const repeats = one.answered === 'later' ? null : one.repeat
    const byClock = one.local === null ? null : instantOfLocal(one.local, zone)
    const due = repeats === null ? byClock : nextOccurrence(repeats, now(), zone)
    if (due === null || !Number.isFinite(due) || due === one.due) continue
    store.saveReminder({ ...one, due })
    moved += 1
  }
  return moved
}

export function createZonePort(powers: FollowPorts & Extraction): ZonePort {
  const change = (stay: Stay | null, did: string): Result<Moved> => {
    // Moves all due times to the present zone first, so that the change starts from it.
    followZone(powers)
    const before = stayOf(powers)
    powers.store.saveSetting(STAY, stay === null ? null : JSON.stringify(stay))
    audit(powers, 'memory_changed', null, { what: 'zone', did, until: stay?.until ?? null })
    const zone = powers.profile().timezone
    return ok({ zone, until: stay?.until ?? null, before, ...followZone(powers) })
  }
  return {
    read: () => stayOf(powers),
    go(place, said) {
      const { zone, rest } = placeIn(said === null ? place : `${place} ${said}`)
      if (zone === null) return err('zone_unknown')
      const until = rest === '' ? null : untilIn(powers, rest, zone)
      if (rest !== '' && until === null) return err('zone_until_unclear')
      return change({ zone, until }, 'away')
    },
    back: () => change(null, 'back'),
  }
}

/** A place of one or more words, and the rest of the text. */
function placeIn(said: string): { readonly zone: string | null; readonly rest: string } {
  const words = said.trim().split(/\s+/)
  for (let count = words.length; count > 0; count -= 1) {
    const zone = zoneOf(words.slice(0, count).join(' '))
    if (zone !== null) return { zone, rest: words.slice(count).join(' ') }
  }
  return { zone: null, rest: '' }
}

/** Midnight there after the last day; null if the words name no such day. */
function untilIn(powers: FollowPorts & Extraction, said: string, zone: string): number | null {
  const { timezone } = powers.profile()
  const now = powers.now()
  const given = /^\d{4}-\d\d-\d\dT/.test(said) ? instantOf(said) : null
  if (given !== null) return given > now ? given : null
  const today = Date.parse(localMoment(now, zone).slice(0, 10))
  const weekday = (new Date(today).getUTCDay() + 6) % 7
  const midnight = (day: number): number =>
    instantOfLocal(`${new Date(day).toISOString().slice(0, 10)} 00:00`, zone)
  if (/^(?:this week|diese woche)$/iu.test(said.trim())) return midnight(today + (7 - weekday) * DAY)
  if (/^(?:today|tonight|heute)$/iu.test(said.trim())) return midnight(today + DAY)
  const length = /^(?:for |für )(?<length>.+)$/iu.exec(said.trim())?.groups?.['length']
  const when =
    length === undefined ? said.replace(/^\s*(?:until|till|bis(?: zum)?)\s+/iu, '') : `in ${length}`
  const at = laterIn(powers, when)
  if (at === null || at <= now) return null
  const day = Date.parse(localMoment(at, timezone).slice(0, 10))
  return midnight(length === undefined ? day + DAY : day)
}

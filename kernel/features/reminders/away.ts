/**
 * Private reminders that are due while home is away (DESIGN §9): the card that lets the edge know their times, which times leave home, and the edge's
 * notice. Must not tell a text, which one it is, or how many. Called by tick.ts, the operations on it, and both ends of the tunnel.
 */
import type { DueTimesGrant } from '../../flow/grant.ts'
import { compareLevels } from '../../flow/level.ts'
import { kernelWords, receive } from '../../flow/provenance.ts'
import { err, type Result } from '../../flow/verdict.ts'
import type {
  AskingTime,
  AtPlace,
  ChangeNews,
  Clock,
  HomeLine,
  OwnerChats,
  OwnerFacts,
} from '../../powers/ports.ts'
import type { ApprovalStore, GrantStore, StoreOf } from '../../powers/stores.ts'
import { OWNER_PRINCIPAL } from '../../task/principal.ts'
import { localMoment, namedMoment } from '../../wording/output.ts'
import { tell } from '../../wording/words.ts'
import { propose } from '../approvals/change.ts'
import { type DeliverPorts, tellOwner } from '../deliveries/deliver.ts'
import { revokeGrant } from '../grants/grants.ts'
import { dueTimesCard } from '../grants/home-cards.ts'
import type { SettingStore } from '../quiet/port.ts'
import { type QuietPowers, quietEnd } from '../quiet/quiet.ts'
import { LATE_AFTER, type Reminder, type ReminderStore, type SharedTimes } from './port.ts'
import { nextOccurrence } from './repeat.ts'

const MINUTE = 60_000
const DAY = 86_400_000
/** Days that the grant lasts: one that nobody reviewed for a year is assumed forgotten. */
const GRANT_DAYS = 365
/** Milliseconds ahead that times are told: whoever takes over the edge learns no more of the owner's days. */
const AHEAD = 14 * DAY
/** Times that are told at once. */
export const MOST_TIMES = 20
/** Template of the private lines, whose reminders these are. */
const PRIVATE_TEMPLATE = 'owner_private'

type ConsentPorts = DeliverPorts & ChangeNews & OwnerChats & AskingTime & StoreOf<ApprovalStore & GrantStore>

export function createSharedTimes(powers: ConsentPorts): SharedTimes {
  return {
    async allow(proposer) {
      if (standing(powers).length > 0) return err('nothing_found')
      const createdAt = powers.now()
      const grant: DueTimesGrant = {
        ...{ kind: 'due_times', id: powers.newId(), template: PRIVATE_TEMPLATE, createdAt, perDay: 0 },
        ...{ expiresAt: createdAt + GRANT_DAYS * DAY, revoked: false },
      }
      const card = receive(dueTimesCard(grant), kernelWords())
      return propose(powers, proposer, { kind: 'admin_change', change: { do: 'grant', grant }, card })
    },
    async withdraw(principal) {
      let last: Result<{ readonly grant: string }> = err('grant_missing')
      for (const { id } of standing(powers)) last = revokeGrant(powers, id, principal)
      return last
    },
  }
}

function standing({ store, now }: Clock & StoreOf<GrantStore>): readonly DueTimesGrant[] {
  return store
    .grants()
    .flatMap(({ grant }) => (grant.kind === 'due_times' ? [grant] : []))
    .filter(({ revoked, expiresAt }) => !revoked && expiresAt > now())
}

type TimePorts = Clock & OwnerFacts & StoreOf<GrantStore & ReminderStore>

/** At home: the next times, whole minutes, each once, rising; null where the owner allowed none to leave. */
export function timesToTell(powers: TimePorts): readonly number[] | null {
  if (standing(powers).length === 0) return null
  const times = powers.store.openReminders(OWNER_PRINCIPAL, 'reminder').flatMap((one) => timesOf(powers, one))
  return [...new Set(times)].sort((one, other) => one - other).slice(0, MOST_TIMES)
}

function timesOf({ now, profile }: TimePorts, { due, repeat, ref: { label } }: Reminder): readonly number[] {
  const isCovered = label.atoms.every(
    ({ level, compartment }) => compartment === null && compareLevels(level, 'sensitive') <= 0,
  )
  const times: number[] = []
  let next = isCovered ? due : null
  while (next !== null && next < now() + AHEAD && times.length < MOST_TIMES) {
    if (next > now()) times.push(Math.floor(next / MINUTE) * MINUTE)
    next = repeat === null ? null : nextOccurrence(repeat, Math.max(next, now()), profile().timezone)
  }
  return times
}

/** At home, what the edge was told last, so that it hears of other times and of nothing else. */
const TOLD = 'due_told'
/** At the edge, as JSON of `Heard`. */
const HEARD = 'due_heard'

/** At home, after whatever ran: the edge hears of it where other times are due now. */
export function tellOtherTimes(powers: TimePorts & AtPlace & ChangeNews & StoreOf<SettingStore>): void {
  if (powers.place !== 'home') return
  const times = timesToTell(powers)
  const now = times === null ? null : JSON.stringify(times)
  if (now === powers.store.setting(TOLD)) return
  powers.store.saveSetting(TOLD, now)
  powers.profileChanged?.()
}

interface Heard {
  readonly times: readonly number[]
  /** Everything until then was looked at, epoch milliseconds. */
  readonly done: number
}

/** At the edge: what home says. Null where it says nothing any more, and then nothing of it is kept. */
export function hearTimes({ store }: StoreOf<SettingStore>, times: readonly number[] | null): void {
  const before = heard(store)
  const now: Heard | null = times === null ? null : { times, done: before?.done ?? 0 }
  if (JSON.stringify(now) === JSON.stringify(before)) return
  store.saveSetting(HEARD, now === null ? null : JSON.stringify(now))
}

function heard(store: SettingStore): Heard | null {
  const kept = store.setting(HEARD)
  return kept === null ? null : (JSON.parse(kept) as Heard)
}

function untold(store: SettingStore): readonly number[] {
  const { times, done } = heard(store) ?? { times: [], done: 0 }
  return times.filter((at) => at > done)
}

/** At the edge: when the next one is looked at, epoch milliseconds; null when none is. Home has until then to tell it. */
export function awayMoment({ store }: StoreOf<SettingStore>): number | null {
  const [first] = untold(store)
  return first === undefined ? null : first + LATE_AFTER
}

/** The same, where nothing is said in quiet hours. */
export function awayMomentHeld(powers: QuietPowers): number | null {
  const moment = awayMoment(powers)
  const end = quietEnd(powers)
  return moment === null || end === null || moment >= end ? moment : end
}

/** At the edge: says once what was due while home is away; home itself says it where it is there. */
export async function tellAway(powers: QuietPowers & DeliverPorts & OwnerChats & HomeLine): Promise<void> {
  const { store, home } = powers
  const now = powers.now()
  const due = untold(store).filter((at) => at + LATE_AFTER <= now)
  const last = due.at(-1)
  if (home === null || last === undefined || quietEnd(powers) !== null) return
  const isHere = await home.up()
  // What home said meanwhile counts. Noted before it is said: a crash in between says nothing, and home tells it late.
  const before = heard(store)
  if (before === null || before.done >= last) return
  store.saveSetting(HEARD, JSON.stringify({ ...before, done: last }))
  const { timezone } = powers.profile()
  const when = due.map((at) => clockOrDay(at, timezone, now)).join(', ')
  const words = tell(due.length === 1 ? 'reminders.away' : 'reminders.away_several', { when })
  if (!isHere) await tellOwner(powers, { id: `reminder-away:${last}`, code: 'remote_unavailable', words })
}

/** `9:00` of today, and with its day where it is another one. */
function clockOrDay(at: number, timezone: string, now: number): string {
  const [local, today] = [localMoment(at, timezone), localMoment(now, timezone)]
  return local.slice(0, 10) === today.slice(0, 10) ? local.slice(11) : namedMoment(at, timezone, now)
}

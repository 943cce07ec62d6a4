/**
 * What the owner changes in the life of a reminder or task: done, cancelled, put off, and each of them taken back. Must not read a
 * text. Called by reminders.ts and due.ts.
 */
import type { Json } from '../../flow/json.ts'
import { err, ok, type Result } from '../../flow/verdict.ts'
import { type Auditing, audit } from '../../powers/audit.ts'
import type { Clock, OwnerFacts } from '../../powers/ports.ts'
import type { SealedStore } from '../../powers/sealed-port.ts'
import type { StoreOf, Transactions } from '../../powers/stores.ts'
import type { Task } from '../../task/task.ts'
import { instantOf, localMoment, zonedMinute } from '../../wording/output.ts'
import { type Asking, type Choice, FARTHEST, FIRED_KEPT, type Reminder, type ReminderStore } from './port.ts'
import { instantOfLocal, type Repeat } from './repeat.ts'

/** Time of day of "tomorrow", as of every day without a time. */
const MORNING = '09:00'
const HOUR = 3_600_000
/** Longest day, at a change of the clocks. */
const NEXT_DAY = 24 * HOUR

type LifePorts = Auditing & OwnerFacts & StoreOf<ReminderStore>

/** With its sealed text. */
export function drop(
  { store }: StoreOf<Transactions & ReminderStore & SealedStore>,
  { id, ref }: Reminder,
): void {
  store.transaction(() => {
    store.dropReminder(id)
    store.deleteSealed([ref.id])
  })
}

/** Refusal: reminder_unknown. */
export function endReminder(
  powers: Auditing & StoreOf<ReminderStore>,
  { principal }: Pick<Asking, 'principal'>,
  kind: Reminder['kind'],
  number: number,
): Result<Reminder> {
  const found = powers.store.reminderNumbered(principal, number)
  if (found === null || found.kind !== kind || found.state !== 'open') return err('reminder_unknown')
  return ok(changed(powers, found, { state: 'ended', endedAt: powers.now() }, 'ended'))
}

interface PuttingOff {
  /** By a time on the clock, and not by a length. */
  readonly byClock: boolean
  /** Absent: the one that came last in the chat. */
  readonly which?: Reminder
}

/** This occurrence only: a repetition goes on as it was. Refusals: reminder_none_fired, and those of a time. */
export function putOff(
  powers: LifePorts,
  { principal, sink }: Asking,
  value: Json | undefined,
  { byClock, which }: PuttingOff,
): Result<{ readonly reminder: Reminder; readonly due: string }> {
  const due = dueIn(powers, value)
  if (!due.ok) return due
  const fired = which ?? powers.store.firedLast(principal, sink, powers.now() - FIRED_KEPT)
  if (fired === null) return err('reminder_none_fired')
  const local = byClock ? localMoment(due.value, powers.profile().timezone) : null
  const reminder = changed(
    powers,
    fired,
    { due: due.value, local, state: 'open', answered: 'later' },
    'put_off',
  )
  return ok({ reminder, due: zoned(powers, due.value) })
}

/**
 * The owner's answer to the occurrence that came last: once. Of a repetition it is about this occurrence only, unless it comes until it is done. Refusals:
 * reminder_unknown, reminder_answered.
 */
export function answerReminder(
  powers: LifePorts,
  { principal }: Pick<Asking, 'principal'>,
  number: number,
  choice: Choice,
): Result<Reminder> {
  const found = powers.store.reminderNumbered(principal, number)
  if (found === null || found.kind !== 'reminder' || found.occurrence === null) return err('reminder_unknown')
  if (found.state === 'ended' || found.answered !== null) return err('reminder_answered')
  const now = powers.now()
  if (choice === 'done') {
    const isOver = found.repeat === null || found.repeat.until === 'done'
    const over = isOver ? ({ state: 'ended', endedAt: now } as const) : {}
    return ok(changed(powers, found, { ...over, answered: 'done' }, 'done'))
  }
  const due = choice === 'hour' ? now + HOUR : tomorrow(powers)
  const local = choice === 'hour' ? null : localMoment(due, powers.profile().timezone)
  return ok(changed(powers, found, { due, local, state: 'open', answered: 'later' }, 'put_off'))
}

function tomorrow({ now, profile }: Clock & OwnerFacts): number {
  const { timezone } = profile()
  const [year = 0, month = 1, day = 1] = localMoment(now(), timezone).slice(0, 10).split('-').map(Number)
  const next = new Date(Date.UTC(year, month - 1, day) + NEXT_DAY).toISOString().slice(0, 10)
  return instantOfLocal(`${next} ${MORNING}`, timezone)
}

/** To another time by the clock, with its repetition. */
export function moveTo(
  powers: LifePorts,
  reminder: Reminder,
  { due, repeat }: { readonly due: number; readonly repeat: Repeat | null },
): Reminder {
  const local = localMoment(due, powers.profile().timezone)
  return changed(powers, reminder, { due, repeat, local }, 'moved')
}

/** What the last change replaced comes back, and is replaced itself. Refusal: reminder_unknown. */
export function restoreReminder(
  powers: Auditing & StoreOf<ReminderStore>,
  { principal }: Pick<Asking, 'principal'>,
  number: number,
): Result<Reminder> {
  const found = powers.store.reminderNumbered(principal, number)
  if (found?.before == null) return err('reminder_unknown')
  const endedAt = found.before.state === 'ended' ? powers.now() : null
  return ok(changed(powers, found, { local: found.local, ...found.before, endedAt }, 'restored'))
}

function changed(
  powers: Auditing & StoreOf<ReminderStore>,
  reminder: Reminder,
  change: Partial<Pick<Reminder, 'due' | 'repeat' | 'state' | 'answered' | 'endedAt' | 'local'>>,
  did: string,
): Reminder {
  const { due, repeat, state, answered, local, kind, number, principal } = reminder
  const next: Reminder = { ...reminder, ...change, before: { due, repeat, state, answered, local } }
  powers.store.saveReminder(next)
  audit(powers, 'memory_changed', null, { what: kind, did, number, principal })
  return next
}

/** The call that takes back what a plan did, as the row of an operation has it: `/undo` finds it there. `did`: the operation that does the same. */
export function notePlanned(
  powers: Auditing,
  task: Task,
  did: 'reminders.done' | 'reminders.cancel' | 'reminders.move' | 'reminders.later',
  number: number,
): void {
  const undo = { undo: 'reminders.restore', undo_which: number }
  audit(powers, 'memory_changed', task, { operation: did, by: task.principal, ok: true, ...undo })
}

/** Refusals: tool_arguments_invalid, reminder_past, reminder_too_far. */
export function dueIn({ now }: Clock, value: Json | undefined): Result<number> {
  const due = instantOf(value)
  if (due === null) return err('tool_arguments_invalid', { path: 'due' })
  if (due <= now()) return err('reminder_past')
  return due - now() > FARTHEST ? err('reminder_too_far') : ok(due)
}

const SO_LONG = String.raw`(?:an?|half an|einer?|halben?|einer halben|\d{1,4}|[a-zäöüß]+)[ -]?(?:minutes?|mins?|hours?|hrs?|minuten?|stunden?|m|h)(?![\p{L}\p{N}])`
/** "In 20 minutes", in English and German. */
const IN_LENGTH = new RegExp(`(?<![\\p{L}\\p{N}])in ${SO_LONG}`, 'iu')
/** "30 minutes before the dentist": a moment of something else, which stays where it is when the owner travels. */
const AHEAD_OF =
  /(?<![\p{L}\p{N}])(?:minutes?|mins?|hours?|hrs?|days?|weeks?|minuten?|stunden?|tage?n?|wochen?|m|h) (?:before|ahead|prior|in advance|vor|vorher|davor|zuvor)(?![\p{L}\p{N}])/iu
/** What a reminder is put off by: "10m", "for an hour", "later". */
const BY_LENGTH = new RegExp(
  `(?<![\\p{L}\\p{N}])${SO_LONG}|^\\s*(?:later|snooze|not now|später)\\s*[.!]?\\s*$`,
  'iu',
)

/** Whether words set a time by the clock, days as well, and not a moment that is so far away. `putOff`: words that say only when. */
export function saysClock(text: string, putOff: boolean): boolean {
  return !(putOff ? BY_LENGTH : IN_LENGTH).test(text) && !AHEAD_OF.test(text)
}

export function zoned({ profile }: OwnerFacts, at: number): string {
  return zonedMinute(at, profile().timezone)
}

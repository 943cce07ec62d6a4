/**
 * Sets, lists, puts off and ends reminders and tasks. Must not deliver one, or say when it is due: due.ts does. Called by
 * kernel-effects.ts and by the operations on them.
 */
import type { Json } from '../../flow/json.ts'
import { combine, derive, type Labeled, test } from '../../flow/labeled.ts'
import { err, ok, type Result } from '../../flow/verdict.ts'
import { type Auditing, audit } from '../../powers/audit.ts'
import type { AtPlace, Clock, Extraction, OwnerFacts, PolicySource, SecretScan } from '../../powers/ports.ts'
import { openTextOf, type SealedReading, sealForLater } from '../../powers/sealed.ts'
import type { SealedStore } from '../../powers/sealed-port.ts'
import type { StoreOf, TaskStore, Transactions } from '../../powers/stores.ts'
import type { Task } from '../../task/task.ts'
import { localMoment, zonedMinute } from '../../wording/output.ts'
import { showTo } from '../deliveries/deliver.ts'
import { titleOf } from './about.ts'
import { cancelReminder, changeReminder, whichReminder } from './changed.ts'
import { foundBy, oneOf } from './found.ts'
import { laterIn } from './later-words.ts'
import {
  answerReminder,
  dueIn,
  endReminder,
  moveTo,
  notePlanned,
  putOff,
  restoreReminder,
  saysClock,
  zoned,
} from './life.ts'
import { isOnSeveral, listFor, rowsOn } from './list-rows.ts'
import { isOnList } from './lists.ts'
import { movedTo, putOffTo } from './moved.ts'
import {
  type NamedRow,
  type ReminderPorts,
  repeatIn,
  rowNamed,
  scheduleIn,
  type Values,
  wordsIn,
} from './named.ts'
import {
  type Asking,
  FIRED_KEPT,
  MOST_REMINDERS,
  type Reminder,
  type ReminderStore,
  type Reminders,
  type ReminderView,
} from './port.ts'
import type { Repeat } from './repeat.ts'
import { untilDoneIn } from './until-done.ts'

/**
 * Runs one effect; its output stays labelled. Refusals: reminder_past, reminder_thing_unknown, reminder_too_far, reminder_unknown, reminder_none_fired,
 * reminders_full, tool_arguments_invalid, answer_empty.
 */
export async function runReminder(
  powers: ReminderPorts,
  task: Task,
  action: string,
  args: Labeled<Values>,
): Promise<Result<Labeled<Values>>> {
  const plan = scheduleIn(powers, task, args)
  if (!plan.ok) return plan
  const ofPlanned = PLANNED[action]
  if (ofPlanned !== undefined) return ofPlanned(powers, task, { args, plan: plan.value })
  const isNamed = action === 'task.done' && plan.value['number'] === undefined
  const naming = { kind: 'task', args, number: undefined, by: 'text', list: plan.value['list'] } as const
  const named = isNamed ? await rowNamed(powers, task, naming) : null
  if (named?.ok === false) return named
  if (named !== null) return endNamed(powers, task, named.value)
  const title = action === 'reminder.about' ? await titleOf(powers, task, args) : null
  if (title?.ok === false) return title
  const whole =
    title === null
      ? args
      : combine<Json, Values>([args, title.value], ([asked, text]) => ({
          ...(asked as Values),
          text: text ?? '',
        }))
  const done = await written(powers, task, { action, args: whole, plan: plan.value })
  return done.ok
    ? ok(derive(whole, ({ text }) => ({ ...done.value, ...(text !== undefined && { text }) })))
    : done
}

const PLANNED: Readonly<Record<string, typeof changeReminder>> = Object.freeze({
  'reminder.change': changeReminder,
  'reminder.cancel': cancelReminder,
  'reminder.which': whichReminder,
})

function endNamed(powers: ReminderPorts, task: Task, { row, text }: NamedRow): Result<Labeled<Values>> {
  const { number } = row
  const ended = endReminder(powers, task, 'task', number)
  if (!ended.ok) return ended
  notePlanned(powers, task, 'reminders.done', number)
  return ok(derive(text, (said) => ({ number, text: said })))
}

interface Asked {
  readonly action: string
  readonly args: Labeled<Values>
  readonly plan: Values
}

async function written(
  powers: ReminderPorts,
  task: Task,
  { action, args, plan }: Asked,
): Promise<Result<Values>> {
  switch (action) {
    case 'reminder.about':
    case 'reminder.set': {
      const due = dueIn(powers, plan['due'])
      const repeat = due.ok ? repeatIn(powers, plan, due.value) : due
      if (!due.ok || !repeat.ok) return due.ok ? (repeat as Result<never>) : due
      const again = await untilSaid(powers, task, repeat.value)
      const added = await add(powers, task, args, {
        ...{ kind: 'reminder', due: due.value, repeat: again, list: null },
      })
      return added.ok ? ok({ number: added.value, due: zoned(powers, due.value), ...saidOf(again) }) : added
    }
    case 'task.add': {
      const isOwn = args.taint.level === 'clean'
      const list = listFor(powers, task.principal, { said: plan['list'], isOwn })
      if (!list.ok) return list
      const own = { kind: 'task', due: null, repeat: null, list: list.value } as const
      const added = await add(powers, task, args, own)
      return added.ok ? ok({ number: added.value, ...(list.value && { list: list.value }) }) : added
    }
    case 'task.done': {
      const number = numberAt(powers, task, Number(plan['number']), plan['list'])
      const ended = number.ok ? endReminder(powers, task, 'task', number.value) : number
      if (!ended.ok) return ended
      notePlanned(powers, task, 'reminders.done', ended.value.number)
      return ok({ number: ended.value.number })
    }
    default: {
      const put = putOff(powers, task, plan['due'], { byClock: await isByClock(powers, task, true) })
      if (!put.ok) return put
      const { number } = put.value.reminder
      notePlanned(powers, task, 'reminders.later', number)
      return ok({ number, due: put.value.due })
    }
  }
}

/** How often it comes, as a result says it. */
function saidOf(repeat: Repeat | null): Values {
  if (repeat === null) return {}
  const { kind, every, last } = repeat
  return { repeat: kind, every, ...(last !== undefined && { until: last }) }
}

/** By the owner's own words; where they cannot be read it is the moment that was computed. */
async function isByClock(powers: SealedReading, { words }: Task, putOff: boolean): Promise<boolean> {
  const said = await openTextOf(powers, words)
  return said.ok && test(said.value, (text) => saysClock(text, putOff))
}

/** A repetition that the owner's own words end: "until it's done". */
async function untilSaid(
  powers: SealedReading,
  { words }: Task,
  repeat: Repeat | null,
): Promise<Repeat | null> {
  const said = repeat === null ? null : await openTextOf(powers, words)
  const isUntil =
    said?.ok === true &&
    said.value.taint.level === 'clean' &&
    test(said.value, (text) => untilDoneIn(text) !== null)
  return repeat !== null && isUntil ? { ...repeat, until: 'done' } : repeat
}

const UNTOUCHED = { occurrence: null, answered: null, endedAt: null, before: null } as const

async function add(
  powers: ReminderPorts,
  task: Task,
  args: Labeled<Values>,
  what: Pick<Reminder, 'kind' | 'due' | 'repeat' | 'list'>,
): Promise<Result<number>> {
  const { store } = powers
  if (store.countReminders(task.principal) >= MOST_REMINDERS)
    return err('reminders_full', { max: MOST_REMINDERS })
  const words = await wordsIn(powers, task, args)
  if (!words.ok) return words
  const id = powers.newId()
  const { principal, sink } = task
  const { timezone } = powers.profile()
  const sealed = await sealForLater(powers, { principal, store: 'memory', until: null }, words.value)
  const row = {
    id,
    principal,
    sink,
    ref: sealed.ref,
    state: 'open',
    firedAt: null,
    local:
      what.due !== null && (await isByClock(powers, task, false)) ? localMoment(what.due, timezone) : null,
    ...what,
    ...UNTOUCHED,
  } as const
  const number = store.transaction(() => {
    sealed.put()
    return store.addReminder({ ...row, at: powers.now() })
  })
  audit(powers, 'memory_changed', task, {
    what: what.kind,
    did: 'added',
    number,
    repeats: what.repeat?.kind ?? null,
  })
  return ok(number)
}

/** A place in the list of tasks is given below zero: "the second" is -2. Refusals: reminder_unknown; reminder_several of places in several lists. */
function numberAt(
  { store }: StoreOf<ReminderStore>,
  { principal }: Task,
  number: number,
  list: Json | undefined,
): Result<number> {
  if (number >= 0) return ok(number)
  const named = typeof list === 'string' ? list : null
  const rows = rowsOn(store.openReminders(principal, 'task'), named)
  // A place on a list that there is not is none on another.
  if (named !== null && !rows.some((one) => isOnList(one.list, named))) return err('reminder_unknown')
  if (isOnSeveral(rows)) return err('reminder_several', { count: rows.length })
  const at = rows[-number - 1]
  return at === undefined ? err('reminder_unknown') : ok(at.number)
}

type ViewPorts = SealedReading & AtPlace & PolicySource & SecretScan

export function createReminders(
  powers: ViewPorts &
    Auditing &
    OwnerFacts &
    Extraction &
    StoreOf<Transactions & ReminderStore & SealedStore & TaskStore>,
): Reminders {
  const viewed = async (asking: Asking, of: readonly Reminder[]): Promise<readonly ReminderView[]> => {
    const shown: ReminderView[] = []
    for (const one of of) {
      const view = await viewOf(powers, asking, one)
      if (view.ok) shown.push(view.value)
    }
    return shown
  }
  return {
    unanswered: (asking, within) =>
      viewed(
        asking,
        powers.store
          .unanswered(asking.principal, powers.now() - within)
          .map((one) => ({ ...one, due: one.occurrence ?? one.due })),
      ),
    list: (asking, kind) => viewed(asking, powers.store.openReminders(asking.principal, kind)),
    async end(asking, kind, said, list = null) {
      const found = await foundBy(powers, asking, { kind, said, list, shown: (of) => viewed(asking, of) })
      if (!found.ok)
        return kind === 'task' && found.reason.code === 'reminder_unknown'
          ? reminderDone(powers, asking, said, viewed)
          : found
      const ended: ReminderView[] = []
      for (const one of found.value) {
        const view = await viewOf(powers, asking, one)
        if (!view.ok) return err('reminder_unknown')
        ended.push(view.value)
      }
      for (const { number } of found.value) endReminder(powers, asking, kind, number)
      return ok(ended)
    },
    async move(asking, said, when) {
      const found = await foundBy(powers, asking, {
        ...{ kind: 'reminder', said, list: null },
        shown: (of) => viewed(asking, of),
      })
      const [named, ...others] = found.ok ? found.value : []
      if (!found.ok || named === undefined) return found.ok ? err('reminder_unknown') : found
      if (others.length > 0) return err('reminder_several', { count: found.value.length })
      const { timezone } = powers.profile()
      // It may have come, or been ended, while it was looked for.
      const one = powers.store.reminderOf(named.id)
      if (one?.state !== 'open') return err('reminder_unknown')
      const to = movedTo(powers, one, when)
      const due = to.ok ? dueIn(powers, zonedMinute(to.value.at, timezone)) : to
      if (!to.ok || !due.ok) return due as Result<never>
      const moved = moveTo(powers, one, { due: due.value, repeat: to.value.repeat })
      return viewOf(powers, asking, moved)
    },
    async answer(asking, number, choice) {
      const done = answerReminder(powers, asking, number, choice)
      return done.ok ? viewOf(powers, asking, done.value) : done
    },
    async restore(asking, numbers) {
      const restored: ReminderView[] = []
      for (const number of numbers) {
        const one = restoreReminder(powers, asking, number)
        const view = one.ok ? await viewOf(powers, asking, one.value) : one
        if (!view.ok) return view
        restored.push(view.value)
      }
      return ok(restored)
    },
    async later(asking, when, number) {
      const which = number === undefined ? undefined : powers.store.reminderNumbered(asking.principal, number)
      if (which === null || which?.kind === 'task' || which?.state === 'ended') return err('reminder_unknown')
      const at = which === undefined ? laterIn(powers, when) : putOffTo(powers, which, when)
      const value = at === null ? undefined : zoned(powers, at)
      const put = putOff(powers, asking, value, {
        byClock: saysClock(when, true),
        ...(which !== undefined && { which }),
      })
      return put.ok ? viewOf(powers, asking, put.value.reminder) : put
    },
  }
}

/**
 * "The laundry is done", of no entry of the list: the one reminder with these words that came without an answer, or comes once. One time of a repetition that
 * is still to come says nothing of the others.
 */
async function reminderDone(
  powers: Parameters<typeof endReminder>[0] & Parameters<typeof answerReminder>[0] & ViewPorts & Clock,
  asking: Asking,
  said: string,
  viewed: (asking: Asking, of: readonly Reminder[]) => Promise<readonly ReminderView[]>,
): Promise<Result<readonly ReminderView[]>> {
  const { store } = powers
  const came = store.unanswered(asking.principal, powers.now() - FIRED_KEPT)
  const waits = store
    .openReminders(asking.principal, 'reminder')
    .filter(({ repeat, occurrence }) => repeat === null && occurrence === null)
  const one = oneOf(said, await viewed(asking, [...came, ...waits]))
  if (!one.ok) return one
  const { number } = one.value
  // What came is answered; anything else has no answer yet, and is ended.
  if (!answerReminder(powers, asking, number, 'done').ok) endReminder(powers, asking, 'reminder', number)
  return ok([one.value])
}

async function viewOf(
  powers: ViewPorts,
  asking: Asking,
  { number, kind, due, repeat, sink: chat, ref, list }: Reminder,
): Promise<Result<ReminderView>> {
  const text = await openTextOf(powers, ref)
  if (!text.ok) return text
  const open = showTo(powers, asking, text.value)
  const again = { repeat: repeat?.kind ?? null, every: repeat?.every ?? 1, ends: repeat?.last ?? null }
  return open.ok ? ok({ number, kind, due, ...again, chat, list, text: open.value }) : open
}

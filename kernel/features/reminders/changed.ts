/**
 * What a plan does to a reminder that is set: another time, other words, another repetition, or its end; and which one a card is about. By the
 * same changes as the typed commands. Called by reminders.ts.
 */

import type { Json } from '../../flow/json.ts'
import { combine, type Labeled, test } from '../../flow/labeled.ts'
import { checkRead } from '../../flow/policy.ts'
import { err, ok, type Result } from '../../flow/verdict.ts'
import { audit } from '../../powers/audit.ts'
import { openTextOf, sealForLater } from '../../powers/sealed.ts'
import type { Task } from '../../task/task.ts'
import { localMoment } from '../../wording/output.ts'
import { dueIn, endReminder, moveTo, notePlanned, zoned } from './life.ts'
import { type NamedRow, type ReminderPorts, repeatIn, rowNamed, type Values, wordsIn } from './named.ts'
import { FIRED_KEPT, type Reminder } from './port.ts'
import { endOf, isEvery, ONCE, type Repeat, repeatFrom } from './repeat.ts'

interface Call {
  readonly args: Labeled<Values>
  /** Times and numbers of the arguments. */
  readonly plan: Values
}

/**
 * Fields that the call does not name stay as they are. Refusals: those of `rowNamed` and of a time; tool_arguments_invalid where nothing is to change; those of guarded
 * words.
 */
export async function changeReminder(
  powers: ReminderPorts,
  task: Task,
  call: Call,
): Promise<Result<Labeled<Values>>> {
  const { args, plan } = call
  const named = await rowNamed(powers, task, ofReminder(call))
  if (!named.ok) return named
  const isReworded = test(args, ({ text }) => typeof text === 'string')
  const isMoved = ['due', 'repeat', 'every'].some((name) => plan[name] !== undefined)
  if (!isReworded && !isMoved) return err('tool_arguments_invalid', { path: 'due' })
  const words = isReworded ? await wordsIn(powers, task, args) : null
  if (words?.ok === false) return words
  const { principal } = task
  const sealed =
    words === null
      ? null
      : await sealForLater(powers, { principal, store: 'memory', until: null }, words.value)
  const { store } = powers
  // It may have come, or been ended, while it was read.
  const current = store.reminderOf(named.value.row.id)
  if (current?.state !== 'open') return err('reminder_unknown')
  const to = toWhen(powers, current, plan)
  if (!to.ok) return to
  const { number } = current
  // All of one approval, or nothing.
  const changed = store.transaction(() => {
    const reworded = sealed === null ? current : { ...current, ref: sealed.ref }
    if (sealed !== null) {
      sealed.put()
      store.saveReminder(reworded)
      store.deleteSealed([current.ref.id])
      audit(powers, 'memory_changed', task, { what: 'reminder', did: 'reworded', number })
    }
    if (!isMoved) return reworded
    notePlanned(powers, task, 'reminders.move', number)
    return moveTo(powers, reworded, to.value)
  })
  const said = { number, due: zoned(powers, changed.due ?? 0), ...repeatOf(changed) }
  return ok(told(args, said, words === null ? named.value.text : words.value))
}

/** Refusals: those of `rowNamed`. */
export async function cancelReminder(
  powers: ReminderPorts,
  task: Task,
  call: Call,
): Promise<Result<Labeled<Values>>> {
  const named = await rowNamed(powers, task, ofReminder(call))
  if (!named.ok) return named
  const ended = endReminder(powers, task, 'reminder', named.value.row.number)
  if (!ended.ok) return ended
  const { number } = ended.value
  notePlanned(powers, task, 'reminders.cancel', number)
  return ok(told(call.args, { number }, named.value.text))
}

/** The one that a call names, or the last that came here. Refusals: those of `rowNamed`; reminder_none_fired. */
export async function whichReminder(
  powers: ReminderPorts,
  task: Task,
  { args, plan }: Call,
): Promise<Result<Labeled<Values>>> {
  const isNamed = plan['number'] !== undefined || test(args, ({ which }) => typeof which === 'string')
  const found = isNamed
    ? await rowNamed(powers, task, ofReminder({ args, plan }))
    : await lastThatCame(powers, task)
  if (!found.ok) return found
  const { row, text } = found.value
  const said = { number: row.number, due: zoned(powers, row.occurrence ?? row.due ?? 0) }
  const which = isNamed ? { ...said, due: zoned(powers, row.due ?? 0) } : said
  return ok(
    combine<Json, Values>([args, text], ([, words = '']) => ({
      reminder: { ...which, text: words },
      row: versionOf(row),
    })),
  )
}

/** Another text or another time makes another one of it. */
function versionOf({ id, ref, due, occurrence }: Reminder): string {
  return [id, ref.id, due ?? '', occurrence ?? ''].join('.')
}

async function lastThatCame(powers: ReminderPorts, task: Task): Promise<Result<NamedRow>> {
  const { principal, sink, ceiling } = task
  const row = powers.store.firedLast(principal, sink, powers.now() - FIRED_KEPT)
  if (row === null || !checkRead(ceiling, row.ref.label).allow) return err('reminder_none_fired')
  const text = await openTextOf(powers, row.ref)
  return text.ok ? ok({ row, text: text.value }) : text
}

function ofReminder({ args, plan }: Call) {
  return { kind: 'reminder', args, number: plan['number'], by: 'which' } as const
}

function told(args: Labeled<Values>, said: Values, text: Labeled<string>): Labeled<Values> {
  return combine<Json, Values>([args, text], ([, words = '']) => ({ ...said, text: words }))
}

interface When {
  readonly due: number
  readonly repeat: Repeat | null
}

/** A new time takes the repetition along. Refusals: those of a time; tool_arguments_invalid. */
function toWhen(powers: ReminderPorts, row: Reminder, plan: Values): Result<When> {
  const due = plan['due'] === undefined ? ok(row.due ?? 0) : dueIn(powers, plan['due'])
  if (!due.ok) return due
  const repeat = repeatTo(powers, { row, plan, due: due.value })
  return repeat.ok ? ok({ due: due.value, repeat: repeat.value }) : repeat
}

function repeatTo(
  powers: ReminderPorts,
  { row: { repeat }, plan, due }: { readonly row: Reminder; readonly plan: Values; readonly due: number },
): Result<Repeat | null> {
  if (plan['repeat'] === ONCE) return ok(null)
  if (plan['repeat'] !== undefined) {
    const other = repeatIn(powers, plan, due)
    return other.ok && other.value !== null && repeat !== null
      ? ok({ ...other.value, ...endOf(repeat) })
      : other
  }
  if (repeat === null)
    return plan['every'] === undefined ? ok(null) : err('tool_arguments_invalid', { path: 'repeat' })
  const { timezone } = powers.profile()
  const every = plan['every'] ?? repeat.every
  if (!isEvery(repeat.kind, every)) return err('tool_arguments_invalid', { path: 'every' })
  const first = plan['due'] === undefined ? repeat.first : localMoment(due, timezone)
  return ok({ ...repeatFrom(repeat.kind, every, due, timezone), first, ...endOf(repeat) })
}

function repeatOf({ repeat }: Reminder): Values {
  return repeat === null ? {} : { repeat: repeat.kind }
}

/**
 * What a plan's call says of a reminder or task: which one it names, its schedule, its words. Must not change a row. Called by reminders.ts
 * and changed.ts.
 */
import type { Json } from '../../flow/json.ts'
import { combine, derive, type Labeled, test } from '../../flow/labeled.ts'
import { checkRead } from '../../flow/policy.ts'
import { err, ok, type Result } from '../../flow/verdict.ts'
import type { Auditing } from '../../powers/audit.ts'
import { MEMORY_SINK } from '../../powers/effects.ts'
import type { Actions, AtPlace, Clock, OwnerFacts, PolicySource, SecretScan } from '../../powers/ports.ts'
import { openTextOf, type SealedKeeping, type SealedReading } from '../../powers/sealed.ts'
import type { SealedStore } from '../../powers/sealed-port.ts'
import type { StoreOf, Transactions } from '../../powers/stores.ts'
import type { Task } from '../../task/task.ts'
import type { GuardPorts } from '../../wording/guard/guard.ts'
import { instantOf, localMoment } from '../../wording/output.ts'
import { showTo } from '../deliveries/deliver.ts'
import { guardReply } from '../deliveries/payload.ts'
import { namedAt, UNNAMED } from './found.ts'
import { rowsOn } from './list-rows.ts'
import type { Reminder, ReminderStore } from './port.ts'
import { isEvery, REPEATS, type Repeat, repeatFrom } from './repeat.ts'

export type Values = Readonly<Record<string, Json>>

/** Ports needed to write reminders. */
export type ReminderPorts = Auditing &
  Actions &
  SealedKeeping &
  SealedReading &
  OwnerFacts &
  AtPlace &
  PolicySource &
  GuardPorts &
  StoreOf<Transactions & ReminderStore & SealedStore>

/** A row with its text, as it is kept. */
export interface NamedRow {
  readonly row: Reminder
  readonly text: Labeled<string>
}

/** Times, numbers and the name of a list, which a row holds: released to this place's memory, like everything that is kept there. */
export function scheduleIn(
  powers: Clock & AtPlace & PolicySource & SecretScan,
  { principal }: Task,
  args: Labeled<Values>,
): Result<Values> {
  const plan = derive(args, ({ due, repeat, every, until, number, list }) =>
    JSON.stringify({ due, repeat, every, until, number, list }),
  )
  const open = showTo(powers, { sink: MEMORY_SINK[powers.place], principal }, plan)
  return open.ok ? ok(JSON.parse(open.value) as Values) : open
}

/** The repetition that is asked for; null where none is. Refusal: tool_arguments_invalid, also for an end before its beginning, or of nothing. */
export function repeatIn({ profile }: OwnerFacts, values: Values, due: number): Result<Repeat | null> {
  const kind = REPEATS.find((one) => one === values['repeat'])
  const { every = 1, until } = values
  if (kind === undefined)
    return until === undefined ? ok(null) : err('tool_arguments_invalid', { path: 'until' })
  if (!isEvery(kind, every)) return err('tool_arguments_invalid', { path: 'every' })
  const { timezone } = profile()
  const repeat = repeatFrom(kind, every, due, timezone)
  if (until === undefined) return ok(repeat)
  const last = lastDayOf(until, timezone)
  return last !== null && last >= repeat.first.slice(0, 10)
    ? ok({ ...repeat, last })
    : err('tool_arguments_invalid', { path: 'until' })
}

/** The day of a date or an instant, on the owner's clocks. */
function lastDayOf(until: Json, timezone: string): string | null {
  if (typeof until === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(until))
    return Number.isNaN(Date.parse(until)) ? null : until
  const at = instantOf(until)
  return at === null ? null : localMoment(at, timezone).slice(0, 10)
}

/** The words to keep: what another wrote is marked as theirs, without links. Refusals: those of the guard. */
export async function wordsIn(
  powers: ReminderPorts,
  task: Task,
  args: Labeled<Values>,
): Promise<Result<Labeled<string>>> {
  const plain = derive(args, (values) => String(values['text'] ?? ''))
  const isOwn = plain.taint.level === 'clean'
  const text = isOwn ? ok<Labeled>(plain) : await guardReply(powers, task, { text: plain, cut: false })
  return text.ok ? ok(derive(text.value, String)) : text
}

/** Which kind, and which arguments say which one: a number, else words in this argument. */
interface Naming {
  readonly kind: Reminder['kind']
  readonly args: Labeled<Values>
  readonly number: Json | undefined
  readonly by: string
  /** The list that is named. */
  readonly list?: Json | undefined
}

/**
 * The open one that a call names, of those that the task may read. Refusals: reminder_unknown; reminder_several where words fit more than one;
 * tool_arguments_invalid without a number or a word.
 */
export async function rowNamed(
  powers: SealedReading & StoreOf<ReminderStore>,
  { principal, ceiling }: Task,
  { kind, args, number, by, list }: Naming,
): Promise<Result<NamedRow>> {
  const isWords = number === undefined
  if (isWords && test(args, (values) => typeof values[by] !== 'string'))
    return err('tool_arguments_invalid', { path: 'number' })
  const open: NamedRow[] = []
  const named = typeof list === 'string' ? list : null
  for (const row of rowsOn(powers.store.openReminders(principal, kind), named)) {
    if (!checkRead(ceiling, row.ref.label).allow || !(isWords || row.number === number)) continue
    const text = await openTextOf(powers, row.ref)
    if (text.ok) open.push({ row, text: text.value })
  }
  if (!isWords) return open[0] === undefined ? err('reminder_unknown') : ok(open[0])
  const at = combine<Json, number>([args, ...open.map(({ text }) => text)], ([asked, ...texts]) =>
    namedAt(
      String((asked as Values)[by]),
      open.map(({ row: { due } }, index) => ({ due, text: String(texts[index]) })),
    ),
  )
  if (test(at, (value) => value === UNNAMED.several)) return err('reminder_several', { count: open.length })
  const found = open.find((_, index) => test(at, (value) => value === index))
  return found === undefined ? err('reminder_unknown') : ok(found)
}

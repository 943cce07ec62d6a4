/**
 * The list of reminders or tasks that a chat showed last, and the row that a position refers to: "the second
 * one", "die erste". Only if nothing was changed or shown since. Must not change a row. Called by
 * recognise-placed.ts and asks-for-list.ts.
 */
import { type Labeled, test } from '../../flow/labeled.ts'
import { operationInMessage } from '../../operations/commands.ts'
import type { Actions, Clock, Extraction, OwnerFacts } from '../../powers/ports.ts'
import { openTextOf, type SealedReading } from '../../powers/sealed.ts'
import type { ApprovalStore, AuditTrail, StoreOf, TaskStore } from '../../powers/stores.ts'
import type { SayPlainly } from '../../powers/tier-port.ts'
import { typedFields } from '../../powers/typed-fields.ts'
import type { Task } from '../../task/task.ts'
import { lastChange } from '../changes/last-change.ts'
import { placeOf } from '../reminders/found.ts'
import { rowsNamed } from '../reminders/list-shown.ts'
import type { Reminder, ReminderStore } from '../reminders/port.ts'

/** Number of messages that are searched: one that was not understood may stand between. */
const LOOKED_BACK = 4
const KINDS: Readonly<Record<string, Reminder['kind']>> = {
  'reminders.list': 'reminder',
  'reminders.tasks': 'task',
  'reminder.list': 'reminder',
  'task.list': 'task',
}
/** The position, as a group of a pattern. */
export const PLACE =
  '(?<place>(?:first|second|third|fourth|fifth|sixth|last|[1-6](?:st|nd|rd|th)|(?:erst|zweit|dritt|viert|fünft|sechst|letzt)e[nrs]?))'

export interface ListedLast {
  readonly kind: Reminder['kind']
  readonly rows: readonly Reminder[]
}

type ListedPorts = Clock &
  SealedReading &
  Actions &
  Partial<Extraction & OwnerFacts> & {
    /** Reads a list that was asked for in free words; available only at home. */
    readonly sayPlainly?: SayPlainly
  } & StoreOf<TaskStore & ReminderStore & ApprovalStore & AuditTrail>

/**
 * Null if no list was shown, or something else was done or shown since. `byName`: the row is named by its number or words, which
 * stay valid after a change.
 */
export async function listedLast(
  powers: ListedPorts,
  task: Task,
  byName = false,
): Promise<ListedLast | null> {
  const { store } = powers
  const { principal, sink, id } = task
  const before = store
    .recentTasks(principal, LOOKED_BACK + 1)
    .filter((one) => one.id !== id && one.sink === sink && one.typed === undefined && one.timed === undefined)
  for (const one of before) {
    const kind = await kindOf(powers, one)
    if (kind !== null) {
      const isSame = (lastChange(powers, principal)?.at ?? 0) < one.createdAt
      const said = await openTextOf(powers, one.words)
      const all = store.openReminders(principal, kind)
      const rows = said.ok ? rowsNamed(said.value, all) : all
      if (byName) return { kind, rows }
      return isSame && rows.every(({ at }) => at < one.createdAt) ? { kind, rows } : null
    }
    if ((one.plan?.steps.length ?? 0) > 0) return null
  }
  return null
}

/** Whether the newest action of this chat showed or changed the list of tasks. */
export async function isListLast(powers: ListedPorts, { id, principal, sink }: Task): Promise<boolean> {
  const before = powers.store
    .recentTasks(principal, LOOKED_BACK + 1)
    .filter((one) => one.id !== id && one.sink === sink && one.typed === undefined && one.timed === undefined)
  for (const one of before) {
    const tools = (one.plan?.steps ?? []).map((step) => (step.do === 'tool' ? step.tool : ''))
    if (tools.length > 0) return tools.every((tool) => tool.startsWith('task.'))
    const kind = await kindOf(powers, one)
    if (kind !== null) return kind === 'task'
  }
  return false
}

/** Which rows a request listed; null for any other request. */
export async function kindOf(powers: ListedPorts, { words, plan }: Task): Promise<Reminder['kind'] | null> {
  const [step, ...others] = plan?.steps ?? []
  if (step?.do === 'tool') return others.length > 0 ? null : (KINDS[step.tool] ?? null)
  const text = words.taint.level === 'clean' ? await openTextOf(powers, words) : null
  if (text?.ok !== true) return null
  const { extractor, profile, sayPlainly } = powers
  const named = (said: string): string => {
    const own = operationInMessage(said)?.operation.name
    if (own !== undefined || extractor === undefined || profile === undefined) return own ?? ''
    const moment = { now: powers.now(), timezone: profile().timezone }
    const read = typedFields({ extractor }, said, moment)
    return String(read['operation'] ?? sayPlainly?.(said, moment)?.operation)
  }
  return Object.entries(KINDS).find(([name]) => test(text.value, (said) => named(said) === name))?.[1] ?? null
}

/** The row at this position, as a pattern of `PLACE` found it; null if there is no such row. */
export function rowAt({ rows }: ListedLast, place: Labeled<string>): Reminder | null {
  const at = rows.findIndex((_, index) => test(place, (word) => placeOf(word, rows.length) === index))
  return rows[at] ?? null
}

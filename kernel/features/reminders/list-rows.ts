/**
 * Which list an entry goes on, and the entries of one list. Must not read a text, or change a row. Called by reminders.ts, by found.ts and by
 * what lists tasks.
 */
import { err, ok, type Result } from '../../flow/verdict.ts'
import type { StoreOf } from '../../powers/stores.ts'
import { isOnList, listKey, listName, MOST_LISTS } from './lists.ts'
import type { Reminder, ReminderStore } from './port.ts'

/** Names of the lists that have open entries, as they were first said. */
export function listsOf(rows: readonly Pick<Reminder, 'list'>[]): readonly string[] {
  return [...new Set(rows.flatMap(({ list }) => (list === null ? [] : [list])))]
}

/** Those of the list with this name; all of them where no list is named, or none has this name. */
export function rowsOn<R extends Pick<Reminder, 'list'>>(
  rows: readonly R[],
  said: string | null | undefined,
): readonly R[] {
  const name = said === null || said === undefined ? null : listName(said)
  const own = name === null ? [] : rows.filter(({ list }) => isOnList(list, name))
  return own.length > 0 ? own : rows
}

/** Whether a place says nothing, as each list has one. */
export function isOnSeveral(rows: readonly Pick<Reminder, 'list'>[]): boolean {
  return new Set(rows.map(({ list }) => list)).size > 1
}

/**
 * The list that a new entry goes on, by the name that it has already; null for the owner's own. `isOwn`: the call has nothing of anybody else's; else it may
 * only name one that is there, because a name is kept without the taint of its words. Refusals: tool_arguments_invalid, reminders_full.
 */
export function listFor(
  { store }: StoreOf<ReminderStore>,
  principal: string,
  { said, isOwn }: { readonly said: unknown; readonly isOwn: boolean },
): Result<string | null> {
  const name = typeof said === 'string' ? listName(said) : null
  if (name === null) return ok(null)
  const there = listsOf(store.openReminders(principal, 'task'))
  const known = there.find((one) => listKey(one) === listKey(name))
  if (known !== undefined) return ok(known)
  if (!isOwn) return err('tool_arguments_invalid', { path: 'list' })
  return there.length >= MOST_LISTS ? err('reminders_full', { max: MOST_LISTS }) : ok(name)
}

/** Which list a chat showed last: a place without a list is of that one. Must not change a row. Called by found.ts and by what remembers a shown list. */
import { type Labeled, test } from '../../flow/labeled.ts'
import { openTextOf, type SealedReading } from '../../powers/sealed.ts'
import type { StoreOf, TaskStore } from '../../powers/stores.ts'
import { isFinal } from '../../task/task.ts'
import { isOnList, listIn } from './lists.ts'
import type { Asking, Reminder } from './port.ts'

/** Newest tasks among which the last one of a chat is found. */
const LOOKED_BACK = 5

/** Rows of the list that these words name; all of them where they name none, or none that is there. */
export function rowsNamed(said: Labeled<string>, rows: readonly Reminder[]): readonly Reminder[] {
  const own = rows.filter(({ list }) => test(said, (text) => isOnList(list, listIn(text)?.name ?? '')))
  return own.length > 0 ? own : rows
}

/** Rows of the list that the message before this one named, in the same chat. */
export async function rowsShown(
  powers: SealedReading & StoreOf<TaskStore>,
  { principal, sink }: Asking,
  rows: readonly Reminder[],
): Promise<readonly Reminder[]> {
  const last = powers.store
    .recentTasks(principal, LOOKED_BACK)
    .find((task) => task.sink === sink && task.timed === undefined && isFinal(task.state))
  const isOwn = last?.words.taint.level === 'clean'
  const said = last === undefined || !isOwn ? null : await openTextOf(powers, last.words)
  return said?.ok === true ? rowsNamed(said.value, rows) : rows
}

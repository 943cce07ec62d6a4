/**
 * Of which thing that was shown a reminder is: by its handle, in what this task remembers. Its title is taken from there, with the label
 * and taint that it has there, and enters no argument. Must not keep it. Called by reminders.ts.
 */
import { isPlainRecord, type Json } from '../../flow/json.ts'
import { combine, derive, type Labeled, test } from '../../flow/labeled.ts'
import { err, ok, type Result } from '../../flow/verdict.ts'
import { oneLine } from '../../operations/lines.ts'
import type { Actions } from '../../powers/ports.ts'
import { openRecordOf, type SealedReading } from '../../powers/sealed.ts'
import type { Task } from '../../task/task.ts'
import { REMINDER_TEXT_MAX } from './port.ts'

/** Fields that name a thing, and whose it is, in their order. */
const TITLES = ['subject', 'title', 'name'] as const
const OWNERS = ['fromName', 'from', 'author'] as const
/** Depth of a list of rows in a result. */
const DEEPEST = 3

type Values = Readonly<Record<string, Json>>

/** Refusal: reminder_thing_unknown. The newest result that has it counts. */
export async function titleOf(
  powers: SealedReading & Actions,
  { memory }: Pick<Task, 'memory'>,
  args: Labeled<Values>,
): Promise<Result<Labeled>> {
  for (const [, ref] of Object.entries(memory).toSorted(byAge)) {
    const record = await openRecordOf(powers, ref)
    if (!record.ok) continue
    const title = combine<Json, string>([args, record.value.whole()], ([asked, whole]) =>
      titleIn(whole ?? null, (asked as Values)['about'] ?? null),
    )
    if (!test(title, (text) => text === '')) return ok(derive(title, (text) => text))
  }
  return err('reminder_thing_unknown')
}

/** `w1` is the newest. */
function byAge([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return Number(one.slice(1)) - Number(other.slice(1))
}

/** Empty where nothing in it has that id, or what has it has no title. */
function titleIn(value: Json, id: Json, depth = 0): string {
  if (depth > DEEPEST || typeof value !== 'object' || value === null) return ''
  if (isPlainRecord(value) && value['id'] === id) {
    const title = firstOf(value as Values, TITLES)
    const owner = firstOf(value as Values, OWNERS)
    return oneLine(owner === '' || title === '' ? title || owner : `${owner}: ${title}`).slice(
      0,
      REMINDER_TEXT_MAX,
    )
  }
  for (const inner of Object.values(value)) {
    const found = titleIn(inner as Json, id, depth + 1)
    if (found !== '') return found
  }
  return ''
}

function firstOf(row: Values, names: readonly string[]): string {
  return (
    names
      .map((name) => row[name])
      .find((text): text is string => typeof text === 'string' && text.trim() !== '') ?? ''
  )
}

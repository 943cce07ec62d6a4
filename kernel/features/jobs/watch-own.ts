/**
 * Reminders whose condition is one of the owner's own things (DESIGN §9): a task that is open, an event in the calendar, or nothing planned
 * in some time. Judged by a task's number, and by an event's time, title and the owner's own answer to it; an invitation that the owner
 * has not answered counts for nothing. Must not read anything: the frozen plan does. Called by watch.ts and proposal-watch.ts.
 */
import type { Json } from '../../flow/json.ts'
import type { Plan } from '../../task/plan.ts'
import { withWords } from '../memory/telling-words.ts'
import type { Watched } from './port.ts'
import { fieldOf, rowsOf } from './rows.ts'

/** What is looked at, by the one read of its plan. */
export const LOOKS_AT = Object.freeze({
  task: 'task.list',
  event: 'calendar.list_events',
  free: 'calendar.list_events',
} as const)

/** `range`: where the calendar is looked at, epoch milliseconds. */
export function planOfWatched(
  { of }: Pick<Watched, 'of'>,
  range: { readonly from: number; readonly to: number } | null,
): Plan {
  const args =
    range === null ? {} : { from: new Date(range.from).toISOString(), to: new Date(range.to).toISOString() }
  return { steps: [{ id: 's1', do: 'tool', tool: LOOKS_AT[of], args }], explanation: '' }
}

export type Holds = 'holds' | 'not' | 'unsure'

/** Whether what was found is as the reminder waits for. `thing`: as the owner calls it. */
export function holdsIn(found: Json, watched: Watched, thing: string): Holds {
  const there = isThere(found, watched, thing)
  return there === null ? 'unsure' : there === watched.there ? 'holds' : 'not'
}

/** Null where more is there than was shown, and none of what was shown is it. */
function isThere(found: Json, watched: Watched, thing: string): boolean | null {
  if (watched.of === 'task') {
    const isOpen = rowsOf(found, 'tasks').some((task) => fieldOf(task, 'number') === watched.number)
    return isOpen || fieldOf(found, 'more') === 0 ? isOpen : null
  }
  const events = rowsOf(found, 'events').filter(isOwn)
  const meant =
    watched.of === 'free'
      ? events.filter(takesTime)
      : withWords(
          thing,
          events.map((event) => ({ text: String(fieldOf(event, 'title') ?? '') })),
        )
  if (meant.length > 0) return true
  const isAll =
    fieldOf(found, 'more') === false &&
    fieldOf(found, 'unsure') !== true &&
    (fieldOf(found, 'unread') ?? '') === ''
  return isAll ? false : null
}

/** Made or accepted by the owner: a stranger's invitation must neither send nor silence a reminder. */
function isOwn(event: Json): boolean {
  const answer = fieldOf(event, 'answer')
  return answer !== 'declined' && answer !== 'none'
}

/** A birthday takes no time, unless its calendar says so. */
function takesTime(event: Json): boolean {
  return fieldOf(event, 'allDay') === true
    ? fieldOf(event, 'busy') === true
    : fieldOf(event, 'busy') !== false
}

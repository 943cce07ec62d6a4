/**
 * Recognises a change of a row of the list that was just shown, by its position: ended, ticked off or moved;
 * and a new time for its only reminder. Must not change it. Called by talk-heard.ts.
 */
import { derive, type Labeled, test } from '../../flow/labeled.ts'
import { openTextOf } from '../../powers/sealed.ts'
import type { MeantOperation } from '../../powers/tier-port.ts'
import { OWNER_PRINCIPAL } from '../../task/principal.ts'
import type { Task } from '../../task/task.ts'
import { ANY_REMINDER } from '../reminders/found.ts'
import { ENDS, ENDS_GERMAN, lastRequest, MOST, plainCore, SOFT, whole } from './end-heard.ts'
import { listedLast, PLACE, rowAt } from './listed-last.ts'
import {
  cameLast,
  END,
  type HeardMove,
  MOVES,
  MOVES_GERMAN,
  type MovePorts,
  moving,
  POINTS,
  POLITE,
  puttingOff,
  refused,
  setBy,
  TO,
  WHEN,
  WISHED,
} from './move-heard.ts'

const SOFT_WORDS = '(?: (?:bitte|doch|mal|lieber))*'
/** By its place in the list that was just shown. */
const ENDS_PLACED: readonly RegExp[] = whole([
  `(?:${ENDS}|take|cross|strike|tick|check|scratch|done with|finished with)(?: off| out)? (?:the )?${PLACE}(?: one| reminder| task| thing)?(?: off| out)?`,
  `(?:the )?${PLACE}(?: one)? (?:is done|can go|is off)`,
  `${ENDS_GERMAN}${SOFT} (?:die|den|das) ${PLACE}(?: erinnerung| aufgabe)?(?: bitte| wieder| raus| weg| ab| runter)*`,
  `hake? ${'(?:bitte )?'}(?:die|den|das) ${PLACE}(?: bitte)? ab`,
  `(?:die|den|das) ${PLACE}(?: erinnerung| aufgabe)?(?: (?:kannst du|bitte|kann|ist))* (?:streichen|löschen|abhaken|entfernen|erledigt|weg|raus)`,
])
const MOVES_PLACED: readonly RegExp[] = whole([
  `${MOVES} (?:the )?${PLACE}(?: one| reminder)? ${TO}${WHEN}${END}`,
  `(?:the )?${PLACE}(?: one| reminder)? (?:at|to|for) ${WHEN}${END}`,
  `${MOVES_GERMAN} ${POLITE}(?:(?:die|den|das) )?${PLACE}(?: erinnerung)?${SOFT_WORDS} (?:auf|um) ${WHEN}`,
  `(?:die|den|das) ${PLACE}(?: erinnerung)? ${WISHED}*(?:auf|um) ${WHEN}`,
])

/** The one that was set, came or was shown last, or the only one. */
const THE_REMINDER: readonly RegExp[] = whole([
  `${MOVES} (?:the|my|that|this) reminder ${TO}${WHEN}${END}`,
  `${MOVES_GERMAN} ${POLITE}(?:die|meine|diese) erinnerung${SOFT_WORDS} (?:auf|um) ${WHEN}`,
])
/** Null for any other message. */
export async function placedHeard(powers: MovePorts, task: Task): Promise<MeantOperation | null> {
  const { principal, words, quoted, attached, typed } = task
  const isPlain = quoted === undefined && attached === undefined && words.taint.level === 'clean'
  if (principal !== OWNER_PRINCIPAL || !isPlain || typed !== undefined) return null
  const said = await openTextOf(powers, words)
  if (!said.ok) return null
  const saying = (patterns: readonly RegExp[]): RegExp | undefined =>
    patterns.find((pattern) =>
      test(said.value, (text) => text.length <= MOST && pattern.test(plainCore(text))),
    )
  const named = saying(THE_REMINDER)
  if (named !== undefined) {
    const when = derive(said.value, (text) => named.exec(plainCore(text))?.groups?.['when']?.trim() ?? '')
    return ofTheReminder(powers, { task, before: lastRequest(powers, task), when })
  }
  const [ends, moves, points] = [saying(ENDS_PLACED), saying(MOVES_PLACED), saying(POINTS)]
  const pattern = ends ?? moves ?? points
  const list = pattern === undefined ? null : await listedLast(powers, task)
  if (pattern === undefined || list === null) return null
  const group = (name: 'when' | 'place'): Labeled<string> =>
    derive(said.value, (text) => pattern.exec(plainCore(text))?.groups?.[name]?.trim() ?? '')
  const [only, ...others] = list.rows
  const row =
    ends === undefined && moves === undefined ? others.length === 0 && only : rowAt(list, group('place'))
  if (row === undefined || row === null || row === false) return null
  if (ends !== undefined) {
    const operation = row.kind === 'task' ? 'reminders.done' : 'reminders.cancel'
    return { operation, args: { which: String(row.number) }, named: null }
  }
  if (row.kind !== 'reminder') return null
  const when = group('when')
  const moved = moving(powers, row, { when, isSnoozed: false })
  if (moved !== null || moves === undefined) return moved
  return refused(row, { which: when, when })
}

/** The one that came or was set last, else the only one; of several it is asked which. */
function ofTheReminder(
  powers: MovePorts,
  {
    task,
    before,
    when,
  }: { readonly task: Task; readonly before: Task | null; readonly when: Labeled<string> },
): HeardMove {
  const came = cameLast(powers, task, before)
  const later = came === null ? null : puttingOff(powers, when)
  if (later !== null) return later
  const open = powers.store.openReminders(task.principal, 'reminder')
  const [first, ...others] = open
  const set = before === null ? null : setBy(powers, before)
  const row = set ?? (others.length === 0 ? (first ?? null) : null)
  const moved = row === null ? null : moving(powers, row, { when, isSnoozed: false })
  return moved ?? refused(row, { which: derive(when, () => ANY_REMINDER), when })
}

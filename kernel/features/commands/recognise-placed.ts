/**
 * Recognises a change of a row of the list that was just shown, by its position: ended, ticked off or moved;
 * and a new time for its only reminder. Must not change it. Called by home-talk.ts.
 */
import { derive, type Labeled, test } from '../../flow/labeled.ts'
import { openTextOf } from '../../powers/sealed.ts'
import type { MeantOperation } from '../../powers/tier-port.ts'
import { OWNER_PRINCIPAL } from '../../task/principal.ts'
import type { Task } from '../../task/task.ts'
import { ANY_REMINDER } from '../reminders/found.ts'
import { rowsCalled } from './called-rows.ts'
import { listedLast, PLACE, rowAt } from './listed-last.ts'
import {
  ENDS,
  ENDS_GERMAN,
  fitting,
  lastRequest,
  MOST,
  plainCore,
  SOFT,
  WHICH,
  whole,
} from './recognise-end.ts'
import {
  cameLast,
  END,
  MOVES,
  MOVES_GERMAN,
  type MovePorts,
  moving,
  POINTS,
  POLITE,
  puttingOff,
  type RecognisedMove,
  refused,
  setBy,
  TO,
  WHEN,
  WISHED,
} from './recognise-move.ts'

const SOFT_WORDS = '(?: (?:bitte|doch|mal|lieber))*'
/** Requests to end a row, by its position in the list that was just shown. */
const ENDS_PLACED: readonly RegExp[] = whole([
  `(?:${ENDS}|take|cross|strike|tick|check|scratch|done with|finished with)(?: off| out)? (?:the )?${PLACE}(?: one| reminder| task| thing)?(?: off| out)?`,
  `(?:the )?${PLACE}(?: one)? (?:is done|can go|is off)`,
  `${ENDS_GERMAN}${SOFT} (?:die|den|das) ${PLACE}(?: erinnerung| aufgabe)?(?: bitte| wieder| raus| weg| ab| runter)*`,
  `hake? ${'(?:bitte )?'}(?:die|den|das) ${PLACE}(?: bitte)? ab`,
  `(?:the )?${PLACE}(?: one| reminder| task)? (?:is|was)(?: not|n'?t| no longer) (?:needed|necessary)(?: any ?more)?`,
  `i (?:don'?t|do not|no longer) need (?:the )?${PLACE}(?: one| reminder| task)?(?: any ?more)?`,
  `(?:die|den|das) ${PLACE}(?: erinnerung| aufgabe)? (?:brauche?|will) ich(?: doch| jetzt)* nicht(?: mehr)?`,
  `(?:die|den|das) ${PLACE}(?: erinnerung| aufgabe)? (?:ist|hat sich)(?: jetzt)? (?:nicht mehr nötig|unnötig|hinfällig|erledigt)`,
  `(?:die|den|das) ${PLACE}(?: erinnerung| aufgabe)?(?: (?:kannst du|bitte|kann|ist))* (?:streichen|löschen|abhaken|entfernen|erledigt|weg|raus)`,
])
/** A new time relative to when it was due. */
const SHIFT = '(?<when>\\S.{0,30}? (?:later|earlier|sooner|später|früher|eher))'
const MOVES_PLACED: readonly RegExp[] = whole([
  `(?:the |die |den |das )?${PLACE}(?: one| reminder| erinnerung)? (?:by |um )?${SHIFT}${END}`,
  `${MOVES} (?:the )?${PLACE}(?: one| reminder)? ${TO}${WHEN}${END}`,
  `(?:the )?${PLACE}(?: one| reminder)? (?:at|to|for) ${WHEN}${END}`,
  `${MOVES_GERMAN} ${POLITE}(?:(?:die|den|das) )?${PLACE}(?: erinnerung)?${SOFT_WORDS} (?:auf|um) ${WHEN}`,
  `(?:die|den|das) ${PLACE}(?: erinnerung)? ${WISHED}*(?:auf|um) ${WHEN}`,
])

/** Names a row by its number in the list, or by its words. */
const NUMBER = '(?:(?:reminder|task|number|no\\.?|erinnerung|aufgabe|nummer|nr\\.?) ?|#)?(?<number>\\d{1,4})'
const ENDS_NUMBERED: readonly RegExp[] = whole([
  `(?:${ENDS}|take off|cross off|tick off|check off|done with|finished with) (?:the )?${NUMBER}`,
  `(?:the )?${NUMBER} (?:is done|can go|is(?: not|n'?t| no longer) needed)(?: any ?more)?`,
  `${ENDS_GERMAN}${SOFT} (?:die |den |das )?${NUMBER}(?: bitte| wieder| raus| weg| runter)*`,
  `(?:die )?${NUMBER}(?: (?:kannst du|bitte|kann|ist))* (?:streichen|löschen|abhaken|entfernen|erledigt|weg|raus)`,
])
const MOVES_NUMBERED: readonly RegExp[] = whole([
  `${MOVES} (?:the )?${NUMBER} ${TO}${WHEN}${END}`,
  `${MOVES_GERMAN} ${POLITE}(?:die |den |das )?${NUMBER}${SOFT_WORDS} (?:auf|um) ${WHEN}`,
  `(?:the |die )?${NUMBER} ${WISHED}*(?:auf|um|to|at) ${WHEN}`,
  `(?:die|den|das) (?:mit|für|zum|zur|wegen|über|an)(?: (?:dem|der|den|die|das|meine[mnr]?))? ${WHICH} ${WISHED}*(?:auf|um) ${WHEN}`,
  `(?:the|that) (?:one|reminder) (?:about|for|with|to|on) (?:the |my )?${WHICH} (?:at|to) ${WHEN}${END}`,
])

/** Names the reminder that was set, came or was shown last, or the only one. */
const THE_REMINDER: readonly RegExp[] = whole([
  `${MOVES} (?:the|my|that|this) reminder ${TO}${WHEN}${END}`,
  `${MOVES_GERMAN} ${POLITE}(?:die|meine|diese) erinnerung${SOFT_WORDS} (?:auf|um) ${WHEN}`,
])
type PlacedPorts = MovePorts & Parameters<typeof listedLast>[0]

/** Null for any other message. */
export async function recognisePlaced(powers: PlacedPorts, task: Task): Promise<MeantOperation | null> {
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
  const byName = await byItsName(powers, task, said.value)
  if (byName !== null) return byName
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

/** A row of the list that was shown last, by its number there or by its words. */
async function byItsName(
  powers: PlacedPorts,
  task: Task,
  said: Labeled<string>,
): Promise<MeantOperation | null> {
  const core = derive(said, (text) => (text.length <= MOST ? plainCore(text) : ''))
  const ends = fitting(core, ENDS_NUMBERED)
  const pattern = ends ?? fitting(core, MOVES_NUMBERED)
  const list = pattern === undefined ? null : await listedLast(powers, task, true)
  if (pattern === undefined || list === null) return null
  const group = (name: 'when' | 'which' | 'number'): Labeled<string> =>
    derive(core, (text) => pattern.exec(text)?.groups?.[name]?.trim() ?? '')
  const number = group('number')
  const named = await rowsCalled(powers, list.rows, group('which'))
  const [row, ...others] = test(number, (text) => text !== '')
    ? list.rows.filter((one) => test(number, (text) => Number(text) === one.number))
    : named.map((one) => one.row)
  if (row === undefined || others.length > 0) return null
  if (ends !== undefined) {
    const operation = row.kind === 'task' ? 'reminders.done' : 'reminders.cancel'
    return { operation, args: { which: String(row.number) }, named: null }
  }
  return row.kind === 'reminder' ? moving(powers, row, { when: group('when'), isSnoozed: false }) : null
}

/** The reminder that came or was set last, else the only one; if there are several, the owner is asked which. */
function ofTheReminder(
  powers: MovePorts,
  {
    task,
    before,
    when,
  }: { readonly task: Task; readonly before: Task | null; readonly when: Labeled<string> },
): RecognisedMove {
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

/**
 * Recognises a new time for a reminder that is not named as one: "make it an hour later" right after a
 * reminder was set or came, "push the oven one to 6", "the day before instead". Returns null where an event
 * or a job may be meant. Must not move it. A row of sentences.ts.
 */
import { CALLS } from '../../call/values/asked.ts'
import { combine, derive, type Labeled, test } from '../../flow/labeled.ts'
import { ok } from '../../flow/verdict.ts'
import type { Clock, Extraction, OwnerFacts } from '../../powers/ports.ts'
import { openTextOf } from '../../powers/sealed.ts'
import type { MeantOperation } from '../../powers/tier-port.ts'
import { isValue } from '../../task/answers/correction-words.ts'
import { beginsAsCorrection, withoutOpeners } from '../../task/answers/openers.ts'
import { OWNER_PRINCIPAL } from '../../task/principal.ts'
import type { Task } from '../../task/task.ts'
import { localMoment } from '../../wording/output.ts'
import { changeableSince } from '../approvals/waiting.ts'
import { namesJob } from '../jobs/named.ts'
import { withWords } from '../memory/telling-words.ts'
import { laterIn } from '../reminders/later-words.ts'
import { movedTo, putOffTo } from '../reminders/moved.ts'
import { FIRED_KEPT, type Reminder } from '../reminders/port.ts'
import { shiftIn } from '../reminders/shift.ts'
import {
  coreOf,
  fitting,
  lastRequest,
  MOST,
  PLACED,
  type RecognitionPorts,
  showsOthers,
  WHICH,
  whole,
} from './recognise-end.ts'

export const WHEN = '(?<when>\\S.{0,40}?)'
export const MOVES =
  '(?:make|move|push|shift|change|put|set|bring|postpone|delay|reschedule|pull)(?: back| forward)?'
export const MOVES_GERMAN =
  '(?:mach|mache|verschieb|verschiebe|schieb|schiebe|leg|lege|stell|stelle|setz|setze|änder|ändere)'
export const TO = '(?:(?:back|on|up|out|off) )?(?:(?:to|for|until|till|be) )?'
const TO_GERMAN = '(?:(?:bitte|doch|mal|lieber) )*(?:auf |um )?'
export const WISHED = '(?:(?:bitte|doch|lieber|erst|schon|besser) )'
export const END = '(?: instead| then| rather)?'
/** "Verschieb die Wäsche auf 6" names a reminder by its text. */
const NO_NAME = '(?!(?!heute|(?:über)?morgen|\\p{L}+tag)\\p{L}+ (?:auf|um) )'
export const POINTS: readonly RegExp[] = whole([
  `${MOVES} (?:it|that|this|that one|this one) ${TO}${WHEN}${END}`,
  `(?:rather )?${WHEN} instead`,
  `(?:i meant|make that|ich meinte|gemeint war) (?:um |auf )?${WHEN}`,
  `${MOVES_GERMAN} (?:das|es|ihn|sie|die) ${TO_GERMAN}${NO_NAME}${WHEN}`,
  `(?:lieber|doch lieber|doch erst) (?:um )?${WHEN}`,
  `${WHEN} stattdessen`,
])
const NAMED: readonly RegExp[] = whole([
  `${MOVES} (?:the|my|that) ${WHICH} (?:one|thing) ${TO}${WHEN}${END}`,
  `${MOVES} (?:the|that) (?:one|thing) (?:about|for|with|to|on) (?:the |my |an? )?${WHICH} (?:to|until|till|by) ${WHEN}${END}`,
  `${MOVES_GERMAN} (?:die|den|das) (?:mit|für|zum|zur|wegen|über|an)(?: (?:dem|der|den|die|das|meine[mnr]?))? ${WHICH} ${WISHED}*(?:auf|um) ${WHEN}`,
  // Without a verb, a word must express the wish.
  `(?:die|den|das) (?:mit|für|zum|zur|wegen|über|an)(?: (?:dem|der|den|die|das|meine[mnr]?))? ${WHICH} ${WISHED}+(?:auf |um )${WHEN}`,
  `(?:the|my|that) ${WHICH} (?:one|thing) (?:rather|better) (?:at|to|for) ${WHEN}`,
  `(?:the|my|that) ${WHICH} (?:one|thing),? (?:at|to|for) ${WHEN} (?:instead|rather)`,
])

const OF = '(?:about|for|with|to|on|of) (?:the |my |an? )?'
const OF_GERMAN =
  '(?:(?:an|für|zum|zur|zu|wegen|mit|über)(?: (?:dem|der|den|die|das|meine[mnr]?|unsere[mnr]?))? )?'
const NUMBER = '(?:number |no\\.? ?|nummer |nr\\.? ?|#)?(?<number>\\d{1,4})'
const SOFT = '(?: (?:bitte|doch|mal|lieber))*'
export const POLITE = '(?:(?:bitte|doch|mal|lieber|erst) )*'
/** Patterns that call it a reminder, so that nothing else is meant. */
const OF_KIND: readonly RegExp[] = whole([
  `${MOVES} (?:the |my )?reminder ${NUMBER} ${TO}${WHEN}${END}`,
  `${MOVES} (?:the|my|that) ${WHICH} reminder ${TO}${WHEN}${END}`,
  `${MOVES} (?:the|my|that) reminder ${OF}${WHICH} (?:back )?(?:to|until|till|by|for) ${WHEN}${END}`,
  `${MOVES_GERMAN} ${POLITE}(?:(?:die|meine) )?erinnerung ${NUMBER} ${TO_GERMAN}${WHEN}`,
  `${MOVES_GERMAN} ${POLITE}(?:die|meine) erinnerung ${OF_GERMAN}${WHICH}${SOFT} (?:auf|um) ${WHEN}`,
  `${MOVES_GERMAN} ${POLITE}(?:die|meine) ${WHICH}-?erinnerung${SOFT} (?:auf|um) ${WHEN}`,
  `(?:die )?erinnerung ${NUMBER} ${POLITE}(?:auf|um) ${WHEN}`,
  `(?:the )?reminder ${NUMBER} (?:at|to|for|until) ${WHEN}${END}`,
])
/** Patterns that fit a reminder only. */
const SNOOZES: readonly RegExp[] = whole([
  `snooze (?!(?:it|that|this) )(?:the |my |reminder )?(?:${NUMBER}|${WHICH})(?: one| thing| reminder)? (?:until|till|til|to|for|by) ${WHEN}`,
  `(?:postpone|put off|delay) (?:the|my|that) (?:${WHICH}) reminder (?:until|till|til|to|for|by) ${WHEN}`,
])

export type RecognisedMove = MeantOperation<'reminders.move' | 'reminders.later'>

export type MovePorts = RecognitionPorts & Clock & OwnerFacts & Extraction

/**
 * Null for any other message, if not exactly one reminder is meant, or if no time can be read. `plain`: the same message in other
 * words, which are read in its place.
 */
export async function recogniseMove(
  powers: MovePorts,
  task: Task,
  plain?: Labeled<string>,
): Promise<RecognisedMove | null> {
  const { principal, words, quoted, attached, typed } = task
  const isPlain = quoted === undefined && attached === undefined && words.taint.level === 'clean'
  if (principal !== OWNER_PRINCIPAL || !isPlain || typed !== undefined) return null
  const said = plain === undefined ? await openTextOf(powers, words) : ok(plain)
  if (!said.ok) return null
  const core = coreOf(derive(said.value, asMeant))
  const snoozed = fitting(core, SNOOZES)
  const ofKind = snoozed ?? fitting(core, OF_KIND)
  const named = ofKind ?? fitting(core, NAMED)
  const pattern = named ?? fitting(core, POINTS)
  if (pattern === undefined) return null
  const group = (name: 'when' | 'which' | 'number') =>
    derive(core, (text) => pattern.exec(text)?.groups?.[name]?.trim() ?? '')
  const when = group('when')
  const before = lastRequest(powers, task)
  if (named !== undefined) {
    const which = group('which')
    const isPlaced = test(which, (text) => PLACED.test(text))
    if (isPlaced || (ofKind === undefined && before !== null && showsOthers(powers, before))) return null
    const row = await onlyOne(powers, task, {
      which,
      number: group('number'),
      isOfKind: ofKind !== undefined,
    })
    const moved = row === null ? null : moving(powers, row, { when, isSnoozed: snoozed !== undefined })
    // For something that is called a reminder, the operation says what is wrong with the time.
    return moved !== null || ofKind === undefined
      ? moved
      : refused(row, { which: test(which, (text) => text === '') ? group('number') : which, when })
  }
  const came = cameLast(powers, task, before)
  // If a card was shown since, a time alone refers to that card.
  if (came !== null && changeableSince(powers, principal) <= (came.firedAt ?? 0))
    return puttingOff(powers, when)
  const set = before === null ? null : setBy(powers, before)
  if (set === null) return null
  const isByLength = set.local === null && test(when, (text) => shiftIn(text) === null)
  if (isOfCard(powers, task, said.value, isByLength)) return null
  return moving(powers, set, { when, isSnoozed: false })
}

/** What answers a question, and is no wish for something else. */
const DENIES = /^(?:no(?:pe)?|nah|nein|nee?|nö)(?!\p{L})/iu

/**
 * Whether a card of this chat is meant rather than the newer reminder: a no answers the card, and what was set by a length ("in 2
 * minutes") has no time of the clock that another could replace.
 */
function isOfCard(
  { store }: MovePorts,
  { principal, sink }: Task,
  said: Labeled<string>,
  isByLength: boolean,
): boolean {
  return (
    store
      .pendingApprovals(principal)
      .some(
        ({ approval: { kind, task } }) =>
          CALLS.includes(kind) && task !== '' && store.loadTask(task)?.sink === sink,
      ) &&
    (isByLength || test(said, (text) => DENIES.test(text.trim())))
  )
}

/**
 * Puts a correction that consists of a time into one form: "nein, ich meinte um 7" and "sorry, at half ten" become "I meant …".
 */
function asMeant(text: string): string {
  if (text.length > MOST) return text
  const bare = withoutOpeners(text)
    .replace(/^(?:(?:at|um|for|on|auf|erst) )+/iu, '')
    .replace(/(?: (?:instead|please|bitte))*[.!]*$/iu, '')
  return beginsAsCorrection(text) && isValue(bare) ? `i meant ${bare}` : text
}

/** A reminder that came or is snoozed is put off, so that its repetition stays; any other is moved. */
export function moving(
  powers: MovePorts,
  row: Reminder,
  { when, isSnoozed }: { readonly when: Labeled<string>; readonly isSnoozed: boolean },
): RecognisedMove | null {
  const { number } = row
  if (isSnoozed || row.state === 'fired') {
    const isRead = test(when, (text) => putOffTo(powers, row, text) !== null)
    return isRead
      ? { operation: 'reminders.later', args: { number }, named: { argument: 'when', words: when } }
      : null
  }
  const isRead = test(when, (text) => movedTo(powers, row, text).ok)
  return isRead
    ? {
        operation: 'reminders.move',
        args: { which: String(number) },
        named: { argument: 'when', words: when },
      }
    : null
}

/** A call that the operation refuses with a reason: a reminder that does not exist or is not the only one, or an invalid time. */
export function refused(
  row: Reminder | null,
  { which, when }: Readonly<Record<'which' | 'when', Labeled<string>>>,
): RecognisedMove {
  const operation = 'reminders.move'
  return row === null
    ? { operation, args: { when: NO_TIME }, named: { argument: 'which', words: which } }
    : { operation, args: { which: String(row.number) }, named: { argument: 'when', words: when } }
}

/** Placeholder for a time that is never read, because the missing reminder is refused first. */
const NO_TIME = '-'

/** The reminder has come, so "an hour later" means an hour from now. */
export function puttingOff(powers: MovePorts, when: Labeled<string>): RecognisedMove | null {
  const later = derive(when, (text) =>
    (shiftIn(text)?.by ?? 0) > 0 ? text.replace(/ (?:later|after|später)$/i, '') : nextHour(powers, text),
  )
  const isRead = test(later, (text) => shiftIn(text) === null && laterIn(powers, text) !== null)
  return isRead ? { operation: 'reminders.later', args: {}, named: { argument: 'when', words: later } } : null
}

/** A bare hour means its next occurrence on a clock of twelve hours. */
function nextHour({ now, profile }: Clock & OwnerFacts, words: string): string {
  const hour = Number(/^(?:at |um )?(\d{1,2})$/i.exec(words)?.[1] ?? Infinity)
  if (hour > 12) return words
  const local = Number(localMoment(now(), profile().timezone).slice(11, 13))
  return `${hour <= local && hour + 12 > local ? (hour + 12) % 24 : hour}:00`
}

/** The reminder that came in this chat after every request made here. */
export function cameLast(
  { store, now }: MovePorts,
  { principal, sink }: Task,
  before: Task | null,
): Reminder | null {
  const last = store.firedLast(principal, sink, now() - FIRED_KEPT)
  return last !== null && (last.firedAt ?? 0) >= (before?.createdAt ?? 0) ? last : null
}

/** The reminder that the previous request set; null if it set none, more than one thing, or one that waits for an approval. */
export function setBy({ store }: MovePorts, { createdAt, sink, principal }: Task): Reminder | null {
  const isNew = (one: { readonly sink: string; readonly at: number }): boolean =>
    one.sink === sink && one.at >= createdAt
  const cards = store.pendingApprovals(principal).some(({ approval }) => approval.createdAt >= createdAt)
  const [set, ...others] = store.openReminders(principal, 'reminder').filter(isNew)
  return cards || store.jobs().some(isNew) || others.length > 0 ? null : (set ?? null)
}

interface Meant {
  readonly which: Labeled<string>
  readonly number: Labeled<string>
  /** The words call it a reminder, so that no job of that name is meant. */
  readonly isOfKind: boolean
}

/**
 * The reminder with this number, or with all of these words: open, or come and not answered. Null if there is none, more than
 * one, or a job.
 */
async function onlyOne(
  powers: MovePorts,
  { principal }: Task,
  { which, number, isOfKind }: Meant,
): Promise<Reminder | null> {
  if (!isOfKind && (await namesJob(powers, which))) return null
  const { store } = powers
  const open = store.openReminders(principal, 'reminder')
  const came = store
    .unanswered(principal, powers.now() - FIRED_KEPT)
    .filter(({ id }) => !open.some((one) => one.id === id))
  const found: Reminder[] = []
  for (const row of [...open, ...came]) {
    const isNumbered = test(number, (text) => Number(text) === row.number)
    const text = isNumbered || !test(number, (said) => said === '') ? null : await openTextOf(powers, row.ref)
    const isNamed =
      text?.ok === true &&
      test(
        combine(
          [which, text.value],
          ([words = '', one = '']) => withWords(words, [{ text: one }]).length > 0,
        ),
        Boolean,
      )
    if (isNumbered || isNamed) found.push(row)
  }
  const [only, ...others] = found
  return others.length > 0 ? null : (only ?? null)
}

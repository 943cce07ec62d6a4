/**
 * Recognises what is said of a waiting reminder by its name, where it is not called a reminder: "verschieb die Wäsche auf 18 Uhr", "the plumber thing is done",
 * "skip the pills tomorrow". It is meant only where one reminder, and nothing else of the owner's, is called so; what may as well be an appointment is left
 * to the calendar. Must not change it. Called by talk-heard.ts.
 */
import { derive, type Labeled, test } from '../../flow/labeled.ts'
import { openTextOf } from '../../powers/sealed.ts'
import type { MeantOperation } from '../../powers/tier-port.ts'
import { OWNER_PRINCIPAL } from '../../task/principal.ts'
import type { Task } from '../../task/task.ts'
import { localMoment, zonedMinute } from '../../wording/output.ts'
import { namesJob } from '../jobs/named.ts'
import { FIRED_KEPT, type Reminder } from '../reminders/port.ts'
import { nextOccurrence } from '../reminders/repeat.ts'
import { rowsCalled } from './called-rows.ts'
import { coreOf, fitting, lastRequest, PLACED, SOFT, showsOthers, WHICH, whole } from './end-heard.ts'
import { END, MOVES, MOVES_GERMAN, type MovePorts, moving, POLITE, WHEN, WISHED } from './move-heard.ts'

const THE = '(?:the |my |our |that )?'
const DAS = '(?:(?:die|den|das|der|meine?n?|unsere?n?) )?'
const THING = '(?: (?:thing|one|stuff|sache|ding))?'
/** It is done, and comes no more. */
const DONE: readonly RegExp[] = whole([
  `${THE}${WHICH}${THING} (?:is|are|'s)(?: now| all| already)* (?:done|finished|sorted|taken care of)(?: now| already)?`,
  `(?:i'?m |i am |all )?(?:done|finished) with ${THE}${WHICH}${THING}`,
  `(?:i(?:'?ve| have)? )?(?:did|done|finished) ${THE}${WHICH}${THING}(?: already| now)?`,
  `(?:ich )?habe? ${DAS}${WHICH}${THING}(?: schon| jetzt| bereits)* (?:erledigt|gemacht|fertig)`,
  `${DAS}${WHICH}${THING}(?: (?:ist|sind|hab ich|habe ich|wurde))?(?: schon| jetzt| bereits)* (?:erledigt|gemacht|fertig|durch)`,
  `(?:bin )?(?:fertig|durch) mit (?:der|dem|den|meine[rmn]) ${WHICH}`,
])
const MOVED: readonly RegExp[] = whole([
  `${MOVES} ${THE}${WHICH}${THING} (?:to|until|till|for|by) ${WHEN}${END}`,
  `${MOVES_GERMAN} ${POLITE}${DAS}${WHICH}${THING}${SOFT} (?:auf|um|bis) ${WISHED}*${WHEN}`,
])
/** One time of what repeats. */
const SKIPPED: readonly RegExp[] = whole([
  `(?:skip|leave out|drop|no) ${THE}${WHICH}${THING} (?:for )?(?<day>today|tonight|tomorrow|this time|next time)`,
  `(?:lass|lasse|überspring|überspringe) ${DAS}${WHICH} (?<day>heute|morgen|diesmal|das nächste mal)(?: bitte| mal)*(?: aus| weg| ausfallen)?`,
  `(?<day>heute|morgen|diesmal) (?:ohne|keine?n?) ${DAS}${WHICH}`,
])
/** It names nothing by itself, or things of other kinds. */
const NO_NAME =
  /^(?:it|that|this|them|everything|all|one|nothing|es|das|die|den|sie|alles|mails?|e-?mails?|termine?|events?|meetings?|appointments?|jobs?|routinen?|erinnerung(?:en)?|reminders?)$/iu

/** Null for any other message. */
export async function namedHeard(powers: MovePorts, task: Task): Promise<MeantOperation | null> {
  const { principal, words, quoted, attached, typed } = task
  const isPlain = quoted === undefined && attached === undefined && words.taint.level === 'clean'
  if (principal !== OWNER_PRINCIPAL || !isPlain || typed !== undefined) return null
  const said = await openTextOf(powers, words)
  if (!said.ok) return null
  const core = coreOf(said.value)
  const [done, moved, skipped] = [fitting(core, DONE), fitting(core, MOVED), fitting(core, SKIPPED)]
  const pattern = done ?? skipped ?? moved
  if (pattern === undefined) return null
  const group = (name: 'when' | 'which' | 'day'): Labeled<string> =>
    derive(core, (text) => pattern.exec(text)?.groups?.[name]?.trim() ?? '')
  const which = group('which')
  const before = lastRequest(powers, task)
  const isElse = test(which, (text) => NO_NAME.test(text) || PLACED.test(text))
  if (isElse || (before !== null && showsOthers(powers, before)) || (await namesJob(powers, which)))
    return null
  const row = await onlyCalled(powers, principal, { which, isWhole: done === undefined })
  if (row === null) return null
  if (done !== undefined) return ending(row)
  return skipped === undefined
    ? moving(powers, row, { when: group('when'), isSnoozed: false })
    : skipping(powers, row, group('day'))
}

/** The one reminder that is called so, open or come without an answer; null where there is none, several, or an entry of the list. */
async function onlyCalled(
  powers: MovePorts,
  principal: string,
  { which, isWhole }: { readonly which: Labeled<string>; readonly isWhole: boolean },
): Promise<Reminder | null> {
  const { store, now } = powers
  const open = store.openReminders(principal, 'reminder')
  const came = store
    .unanswered(principal, now() - FIRED_KEPT)
    .filter(({ id }) => !open.some((one) => one.id === id))
  const [only, ...others] = await rowsCalled(powers, [...open, ...came], which)
  const tasks = await rowsCalled(powers, store.openReminders(principal, 'task'), which)
  if (only === undefined || others.length + tasks.length > 0) return null
  return isWhole && !only.isWhole ? null : only.row
}

/** What came is answered; what waits for its one time is ended. A repetition that has not come is not done by one time of it. */
function ending(row: Reminder): MeantOperation | null {
  const { number, occurrence, answered, repeat } = row
  if (occurrence !== null && answered === null)
    return { operation: 'reminders.answer', args: { number, how: 'done' }, named: null }
  return repeat === null
    ? { operation: 'reminders.cancel', args: { which: String(number) }, named: null }
    : null
}

/** It comes at its next time instead. Null where its next time is not on the day that was named. */
function skipping(
  powers: MovePorts,
  { number, due, repeat }: Reminder,
  day: Labeled<string>,
): MeantOperation | null {
  if (due === null || repeat === null) return null
  const { timezone } = powers.profile()
  const dayOf = (at: number): string => localMoment(at, timezone).slice(0, 10)
  const isNext = test(day, (text) => {
    if (/^(?:to)?(?:day|night)$|^heute$|^tonight$/iu.test(text)) return dayOf(due) === dayOf(powers.now())
    return /time|mal$/iu.test(text) || dayOf(due) === dayOf(powers.now() + DAY)
  })
  const next = nextOccurrence(repeat, due, timezone)
  return isNext && Number.isFinite(next)
    ? { operation: 'reminders.later', args: { number, when: zonedMinute(next, timezone) }, named: null }
    : null
}

const DAY = 86_400_000

/**
 * Recognises a message about a waiting reminder by its name alone: "verschieb die Wäsche auf 18 Uhr", "the plumber thing is
 * done", "skip the pills tomorrow". Only if exactly one reminder, and nothing else of the owner's, has that name; a possible
 * appointment is left to the calendar. Must not change it. Called by home-talk.ts.
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
import { coreOf, fitting, lastRequest, PLACED, SOFT, WHICH, whole } from './recognise-end.ts'
import { END, MOVES, MOVES_GERMAN, type MovePorts, moving, POLITE, WHEN, WISHED } from './recognise-move.ts'
import { speaksOf } from './recognise-recent.ts'

const THE = '(?:the |my |our |that )?'
const DAS = '(?:(?:die|den|das|der|meine?n?|unsere?n?) )?'
const THING = '(?: (?:thing|one|stuff|sache|ding))?'
/** Words after it that end a repeating reminder for good. */
const FOR_GOOD =
  "(?<end>(?:,|,? (?:and|so|und|also))? (?:(?:don'?t|do not|stop|no need to|you need not|you don'?t need to) remind(?:ing)? me(?: (?:any ?more|again|of (?:it|that)|about (?:it|that)))*|(?:cancel|delete|drop|stop) (?:the|that|my) reminder|erinnere? mich (?:bitte )?nicht mehr(?: (?:dran|daran))?|(?:lösch|lösche|streich|streiche) (?:die|diese) erinnerung))?"
/** Verbs for things done, other than "done" itself. */
const DEED =
  '(?:took|taken|had|ate|eaten|drank|drunk|fed|paid|sent|wrote|written|gave|given|made|bought|put|ran|swept|\\p{L}{3,}ed)'
const SINCE = '(?: (?:already|now|just now|today|this morning|schon|jetzt|bereits|heute|gerade|eben))*'
/** Such a sentence ends a reminder only if it names the whole text of the reminder, not a part. */
const DEEDS: readonly RegExp[] = whole([
  `(?:(?:i|we)(?:'?ve| have)? )?(?:just |already )*${DEED} ${THE}${WHICH}${SINCE}${FOR_GOOD}`,
  `(?:i|we)(?:'?ve| have)?(?: just| already)* (?<which>\\p{L}{3,20}?)ed${SINCE}`,
  `(?:ich |wir )?(?:hab|habe|haben) ${DAS}${WHICH}${SINCE} ge\\p{L}{2,}(?:t|en)${FOR_GOOD}`,
  `(?:ich |wir )?(?:hab|habe|haben) ${DAS}${WHICH}${SINCE} (?:ein|aus|ab|auf|an|über)ge\\p{L}{2,}(?:t|en)${FOR_GOOD}`,
  `(?:ich |wir )?(?:hab|habe|haben) ${DAS}${WHICH}${SINCE} (?:be|er|ver|über)\\p{L}{3,}(?:t|en)${FOR_GOOD}`,
])
/** Statements that it is done. */
const DONE: readonly RegExp[] = whole([
  `${THE}${WHICH}${THING} (?:is|are|'s)(?: now| all| already)* (?:done|finished|sorted|taken care of|fixed|paid)(?: now| already)?${FOR_GOOD}`,
  `(?:i'?m |i am |all )?(?:done|finished) with ${THE}${WHICH}${THING}`,
  `(?:i(?:'?ve| have)? )?(?:did|done|finished) ${THE}${WHICH}${THING}(?: already| now)?`,
  `(?:ich )?habe? ${DAS}${WHICH}${THING}(?: schon| jetzt| bereits)* (?:erledigt|gemacht|fertig)`,
  `${DAS}${WHICH}${THING}(?: (?:ist|sind|hab ich|habe ich|wurde))?(?: schon| jetzt| bereits)* (?:erledigt|gemacht|fertig|durch|aus|bezahlt)${FOR_GOOD}`,
  `(?:bin )?(?:fertig|durch) mit (?:der|dem|den|meine[rmn]) ${WHICH}`,
])
const MOVED: readonly RegExp[] = whole([
  `(?:put|push|move) ${THE}${WHICH}${THING} (?:off|back|out|forward) (?:to|until|till|for|by) ${WHEN}${END}`,
  `${MOVES} ${THE}${WHICH}${THING} (?:to|until|till|for|by) ${WHEN}${END}`,
  `${MOVES_GERMAN} ${POLITE}${DAS}${WHICH}${THING}${SOFT} (?:auf|um|bis) ${WISHED}*${WHEN}`,
])
/** Requests to skip one time of a repeating reminder. */
const SKIPPED: readonly RegExp[] = whole([
  `(?:skip|leave out|drop|no) ${THE}${WHICH}${THING} (?:for )?(?<day>today|tonight|tomorrow|this time|next time)`,
  `(?:lass|lasse|überspring|überspringe) ${DAS}${WHICH} (?<day>heute|morgen|diesmal|das nächste mal)(?: bitte| mal)*(?: aus| weg| ausfallen)?`,
  `(?<day>heute|morgen|diesmal) (?:ohne|keine?n?) ${DAS}${WHICH}`,
])
/** Requests to end a reminder for good, even a repeating one. */
const STOPPED: readonly RegExp[] = whole([
  `(?:stop|end|quit|turn off|switch off) ${THE}${WHICH}${THING}(?: now| for good| from now on)*`,
  `no more ${THE}${WHICH}(?: please)?`,
  `i (?:don'?t|do not|no longer) need ${THE}${WHICH}${THING}(?: any ?more| after all)*(?:,? (?:cancel|delete|drop|stop) (?:the|that|my) reminder)`,
  `(?:stopp|stoppe|beende|schalt|schalte) ${DAS}${WHICH}(?: (?:bitte|ab|aus|jetzt))*`,
  `${DAS}${WHICH} (?:brauche?|will) ich (?:(?:doch|jetzt) )*nicht(?: mehr)?(?:,? (?:lösch|lösche|streich|streiche) (?:die|diese) erinnerung)`,
])
/** Names of days and repetitions, which say how often it is to come. */
const DAY_NAME =
  '(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days|week ?days|work ?days|working days|week ?ends?)'
const TAG_NAME =
  '(?:(?:mon|diens|donners|frei|sams|sonn)tags|mittwochs|werktags|wochentags|wochenends|täglich|wöchentlich|am wochenende)'
const OFTEN = `(?<when>(?:only )?(?:on )?(?:every|each|daily|weekly|${DAY_NAME})(?:,? [\\p{L}\\d:-]+){0,6}?|(?:nur )?(?:noch )?(?:jede[nrs]?|alle|${TAG_NAME})(?:,? [\\p{L}\\d:-]+){0,6}?)(?: only| instead)?`
const REPEATED: readonly RegExp[] = whole([
  `${MOVES} ${THE}${WHICH}${THING} (?:to |for )?${OFTEN}`,
  `${THE}${WHICH}${THING} (?:(?:only|just) )+${OFTEN}`,
  `${THE}${WHICH}${THING}[:,] (?:${MOVES} (?:that|it|them) (?:to )?)?${OFTEN}`,
  `${MOVES_GERMAN} ${POLITE}${DAS}${WHICH}${THING} (?:auf |ab jetzt |doch )*${OFTEN}`,
  `${DAS}${WHICH} (?:bitte |ab jetzt |doch )*nur (?:noch )?${OFTEN}`,
])
/** Words that name no reminder by themselves, or things of another kind. */
const NO_NAME =
  /^(?:it|that|this|them|everything|all|one|nothing|es|das|die|den|sie|alles|mails?|e-?mails?|termine?|events?|meetings?|appointments?|jobs?|routinen?|erinnerung(?:en)?|reminders?)$/iu

/** Null for any other message. */
export async function recogniseNamed(powers: MovePorts, task: Task): Promise<MeantOperation | null> {
  const { principal, words, quoted, attached, typed } = task
  const isPlain = quoted === undefined && attached === undefined && words.taint.level === 'clean'
  if (principal !== OWNER_PRINCIPAL || !isPlain || typed !== undefined) return null
  const said = await openTextOf(powers, words)
  if (!said.ok) return null
  const core = coreOf(said.value)
  const fits = (patterns: readonly RegExp[]): RegExp | undefined => fitting(core, patterns)
  const [told, skipped, stopped] = [fits(DONE), fits(SKIPPED), fits(STOPPED)]
  const moved = fits(MOVED)
  // "Put the plumber off till Friday" is no deed of "put".
  const done = told ?? (moved === undefined ? fits(DEEDS) : undefined)
  const pattern = done ?? skipped ?? stopped ?? fits(REPEATED) ?? moved
  if (pattern === undefined) return null
  const group = (name: 'when' | 'which' | 'day' | 'end'): Labeled<string> =>
    derive(core, (text) => pattern.exec(text)?.groups?.[name]?.trim() ?? '')
  const which = group('which')
  const before = lastRequest(powers, task)
  const isElse = test(which, (text) => NO_NAME.test(text) || PLACED.test(text))
  if (isElse || (before !== null && (await speaksOf(powers, before, which)))) return null
  if (await namesJob(powers, which)) return null
  const row = await onlyCalled(powers, principal, { which, isWhole: told === undefined })
  if (row === null) return null
  const isForGood = stopped !== undefined || test(group('end'), (text) => text !== '')
  if (done !== undefined && !isForGood) return ending(powers, row)
  if (isForGood) return { operation: 'reminders.cancel', args: { which: String(row.number) }, named: null }
  return skipped === undefined
    ? moving(powers, row, { when: group('when'), isSnoozed: false })
    : skipping(powers, row, group('day'))
}

/**
 * The one reminder of that name, open or come and not answered; null if there is none or several, or an entry of the list has
 * that name.
 */
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

/**
 * Answers a reminder that came, and ends one that waits for its only time. Of a repeating one, skips today's time if it is still
 * to come.
 */
function ending(powers: MovePorts, row: Reminder): MeantOperation | null {
  const { number, occurrence, answered, repeat } = row
  if (occurrence !== null && answered === null)
    return { operation: 'reminders.answer', args: { number, how: 'done' }, named: null }
  return repeat === null
    ? { operation: 'reminders.cancel', args: { which: String(number) }, named: null }
    : skipping(powers, row, null)
}

/** Skips to the next time. Null if the next due time is not on the named day, or, if none was named, not today. */
function skipping(
  powers: MovePorts,
  { number, due, repeat }: Reminder,
  day: Labeled<string> | null,
): MeantOperation | null {
  if (due === null || repeat === null) return null
  const { timezone } = powers.profile()
  const dayOf = (at: number): string => localMoment(at, timezone).slice(0, 10)
  const isToday = dayOf(due) === dayOf(powers.now())
  const isNext =
    day === null
      ? isToday
      : test(day, (text) => {
          if (/^(?:to)?(?:day|night)$|^heute$|^tonight$/iu.test(text)) return isToday
          return /time|mal$/iu.test(text) || dayOf(due) === dayOf(powers.now() + DAY)
        })
  const next = nextOccurrence(repeat, due, timezone)
  return isNext && Number.isFinite(next)
    ? { operation: 'reminders.later', args: { number, when: zonedMinute(next, timezone) }, named: null }
    : null
}

const DAY = 86_400_000

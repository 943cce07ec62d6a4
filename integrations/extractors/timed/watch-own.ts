/**
 * Reads a reminder whose condition is one of the owner's own things: something on the task list, an event in the calendar, or nothing
 * planned in some time (DESIGN §9). Must not look anything up: what is looked at is looked at when it is due. At home alone; called by
 * message.ts.
 */
import { type Moment, readDates, type Span } from '../../dates/read.ts'
import { DAY } from '../../dates/zone.ts'
import { type Fields, timeFields } from '../message/message-taken.ts'
import { dueOf } from './reminder.ts'
import { asksBefore, clauseIn, ENGLISH_WATCH, requestIn, tidied } from './watch.ts'
import { GERMAN_WATCH } from './watch-german.ts'
import type { WatchWords } from './watch-words.ts'

/** UTF-16 units: requests are short. */
const LONGEST = 400
/** Days ahead in which an event is looked for whose day is not said. */
const AHEAD = 60
const HOUR = 3_600_000

type Of = 'list' | 'calendar' | 'free'

/** A condition in words: of what it is; `not` and `has` are found by name. */
interface Way {
  readonly of: Of
  readonly pattern: string
}

const THING = String.raw`(?<thing>\S[^,.;:?!]{0,80}?)`
const LIST = '(?:my|the|our) (?:(?:shopping|grocery|to-?do|todo|task) )?list'
const CALENDAR = '(?:my|the|our) (?:calendar|diary|schedule|agenda)'
const IS = "(?: is| are|['’]s|['’]re)"
const NOT = "(?<not> not(?: yet)?| no longer|n['’]t)?"
const LISTE =
  '(?:meiner|der|unserer) (?:(?:einkaufs|aufgaben|to-?do-?)?liste)|(?:meinem|dem) (?:einkaufs)?zettel'
const KALENDER = '(?:(?:in meinem|im|in unserem) (?:kalender|terminkalender))'
const NICHT = '(?<not> nicht(?: mehr)?| nimmer| kein\\p{L}*)?'
const ANYTHING =
  '(?:something|anything|plans|a meeting|meetings|an appointment|appointments|(?<none>nothing|no plans|no meetings?|no appointments?))'
const ETWAS =
  '(?:etwas|was|einen termin|termine|(?<none>nichts|nix|keinen termin|keine termine|noch nichts|noch keinen termin))'
const ON =
  '(?: (?:on|planned|scheduled|booked|going on|coming up|else on|to do|in (?:my|the) (?:calendar|diary)))*'

const ENGLISH: readonly Way[] = [
  { of: 'list', pattern: `${THING}${IS}${NOT}(?: still)? on ${LIST}` },
  { of: 'list', pattern: `i(?: still)? have (?<not>not |no longer )?${THING} on ${LIST}` },
  { of: 'calendar', pattern: `${THING}${IS}${NOT}(?: still)? (?:in|on) ${CALENDAR}` },
  {
    of: 'calendar',
    pattern: `i(?: still)? have (?!(?:something|anything|nothing|no)\\b)${THING} (?:in|on) ${CALENDAR}`,
  },
  {
    of: 'free',
    pattern: `(?:i(?: have|['’]ve)(?: got)?|i do(?<not>n['’]t| not) have|there['’]?s?(?: is| are)?) ${ANYTHING}${ON}`,
  },
  { of: 'free', pattern: `${ANYTHING} is (?:on|in) ${CALENDAR}` },
  { of: 'free', pattern: `(?:i(?: am|['’]m)|${CALENDAR} is|my day is)${NOT} (?<none>free|empty|clear)` },
  { of: 'free', pattern: `i(?: am|['’]m)${NOT} (?:busy|booked(?: up)?)` },
]
const GERMAN: readonly Way[] = [
  { of: 'list', pattern: `${THING}(?: immer)?(?: noch)?${NICHT} auf (?:${LISTE}) (?:steht|stehen|ist|sind)` },
  { of: 'list', pattern: `${THING} (?:steht|stehen|ist|sind)(?: immer)?(?: noch)?${NICHT} auf (?:${LISTE})` },
  { of: 'calendar', pattern: `${THING}(?: immer)?(?: noch)?${NICHT} ${KALENDER} (?:steht|stehen|ist|sind)` },
  { of: 'calendar', pattern: `${THING} (?:steht|stehen|ist|sind)(?: immer)?(?: noch)?${NICHT} ${KALENDER}` },
  { of: 'free', pattern: `ich(?: da| dann)? ${ETWAS}(?: vor| geplant| ${KALENDER})? ?(?:vorhabe|habe|hab)` },
  { of: 'free', pattern: `ich habe?(?: da| dann)? ${ETWAS}(?: vor| geplant| ${KALENDER})?` },
  { of: 'free', pattern: `(?:es )?${KALENDER} ${ETWAS} steht` },
  {
    of: 'free',
    pattern: `(?:ich|mein kalender|mein tag)(?: da| dann)?(?: noch)?${NICHT} (?<none>frei|leer) (?:bin|habe|ist)`,
  },
  { of: 'free', pattern: `ich(?: bin| habe)(?: da| dann)?(?: noch)?${NICHT} (?<none>frei)` },
]
const WAYS = [
  { words: ENGLISH_WATCH, ways: ENGLISH, unless: /^(?:unless)\s+/iu, joins: /^(?:if|in case)\s+/iu },
  {
    words: GERMAN_WATCH,
    ways: GERMAN,
    unless: /^(?:es sei denn,?)\s+/iu,
    joins: /^(?:wenn|falls|sofern)\s+/iu,
  },
] as const

/** "Then", "that day": of the time of the reminder. "Any more" is said by "not" already. */
const THEN =
  /(?<!\p{L})(?:any ?more|any longer|by then|then|that day|on that day|dann|an dem tag|an diesem tag|bis dahin)(?!\p{L})/giu
const ARTICLE =
  /^(?:the|my|our|a|an|some|any|die|der|das|den|mein|meine|meinen|unser|unsere|ein|eine|einen)\s+/iu
const PLAIN = /^(?:s?he|they|it|that|this|there|er|sie|es|das|something|anything|nothing|etwas|was|nichts)$/iu

/** Fields of the message; null for any other. `core`: without what is polite around it. */
export function readOwnWatch(core: string, moment: Moment): Fields | null {
  const text = core.trim().replace(/(?<![.!?\s])[.!?\s]+$/, '')
  if (
    text.length > LONGEST ||
    !/(?<!\p{L})(?:if|unless|in case|wenn|falls|sofern|es sei denn)(?!\p{L})/iu.test(text)
  )
    return null
  for (const way of WAYS) {
    const read = readBy(way, text, moment)
    if (read !== null) return read
  }
  return null
}

function readBy(
  { words, ways, unless, joins }: (typeof WAYS)[number],
  text: string,
  moment: Moment,
): Fields | null {
  const request = requestIn(words, text)
  if (request === null || !new RegExp(`^(?:${words.reminds})$`, 'isu').test(request[0])) return null
  const clause = clauseIn(words, request[1])
  if (clause === null || asksBefore(words, tidied(clause.before))) return null
  const isUnless = unless.test(clause.cond)
  if (!isUnless && !joins.test(clause.cond)) return null
  const asked = timed(words, clause.before, moment)
  const said = clause.cond.replace(isUnless ? unless : joins, '').replace(THEN, ' ')
  // "Friday drinks" may be what a thing is called.
  const [whole, timeless] = [found(ways, said.replace(/\s+/g, ' ')), timed(words, said, moment)]
  const held = whole ?? found(ways, timeless.rest)
  if (held === null) return null
  const typed = whole === null || held.of === 'free' ? timeless.span : null
  const own = typed === null ? null : onItsDay(words, said, { own: typed, asked: asked.span, moment })
  const span = asked.span ?? own
  const due = span === null ? null : dueOf(span, moment)
  const topic = tidied(asked.rest).replace(words.joined, '').trim()
  const range = rangeOf(held.of, {
    due,
    own: asked.span === null && own?.named === 'time' ? null : own,
    moment,
  })
  return {
    ...{ intent: 'job_watch', whole: true, quoted: false, attachments: 0, repeat: 'once' },
    ...(topic !== '' && { topic }),
    ...(held.thing !== null && { person: held.thing }),
    ...{ into: held.of, which: held.not === isUnless ? 'also' : 'without' },
    ...(due !== null && timeFields({ from: due, to: due, named: 'time' }, { zone: moment.zone })),
    ...(range !== null && { newTime: moment.zone.iso(range.from), until: moment.zone.iso(range.to) }),
  }
}

/** "On Monday … unless I have something on at 6" means Monday's six. */
function onItsDay(
  words: WatchWords,
  said: string,
  { own, asked, moment }: { readonly own: Span; readonly asked: Span | null; readonly moment: Moment },
): Span {
  if (asked === null || own.from >= asked.from) return own
  const { zone } = moment
  return timed(words, said, { zone, now: zone.instantOf(zone.dayOf(asked.from), 0) }).span ?? own
}

/** A time in these words, and what is left of them. */
function timed(words: WatchWords, text: string, moment: Moment) {
  const plain = readDates(text, moment)
  const { span, rest } = plain.span === null ? readDates(words.inEnglish(text), moment) : plain
  return { span, rest: (span === null ? text : tidied(rest)).replace(/\s+/g, ' ').trim() }
}

interface Held {
  readonly of: Of
  readonly thing: string | null
  /** Whether it is to be absent: of `free`, whether something is to be there. */
  readonly not: boolean
}

function found(ways: readonly Way[], said: string): Held | null {
  for (const { of, pattern } of ways) {
    const groups = new RegExp(`^${pattern}$`, 'isu').exec(tidied(said))?.groups
    if (groups === undefined) continue
    const negated = groups['not'] !== undefined
    if (of === 'free') return { of, thing: null, not: (groups['none'] === undefined) !== negated }
    const thing = (groups['thing'] ?? '').replace(ARTICLE, '').trim()
    return thing === '' || PLAIN.test(thing) ? null : { of, thing, not: negated }
  }
  return null
}

/** Where it is looked, epoch milliseconds: of the calendar alone. */
function rangeOf(
  of: Of,
  { due, own, moment }: { readonly due: number | null; readonly own: Span | null; readonly moment: Moment },
): { readonly from: number; readonly to: number } | null {
  if (of === 'list' || due === null) return null
  if (own !== null) return { from: own.from, to: own.to > own.from ? own.to : own.from + HOUR }
  const { zone } = moment
  return { from: due, to: of === 'free' ? zone.instantOf(zone.dayOf(due) + 1, 0) : due + AHEAD * DAY }
}

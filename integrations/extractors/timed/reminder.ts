/**
 * Reminders and tasks in a message: which of both, the words, the first time, the repetition (DESIGN §10). What repeats in a way that
 * is not understood is named so, and never becomes a single reminder. Must not know a clock. Called by message.ts and the rules planner.
 */
import { listIn } from '../../../kernel/features/reminders/lists.ts'
import { isOnDays, type RepeatKind } from '../../../kernel/features/reminders/repeat.ts'
import type { Intent } from '../../../kernel/powers/message-fields.ts'
import { type Moment, readDates, type Span } from '../../dates/read.ts'
import { DAY, MINUTE } from '../../dates/zone.ts'
import { saysMore } from '../message/message-coverage.ts'
import { ASKS } from '../message/message-intent.ts'
import { ALL_DAYS, dashed, MON_TO_FRI } from './days-of-week.ts'
import { inTheMorning } from './early.ts'
import { type Ended, endIn, lastDayOf } from './ends.ts'
import { laterWhen } from './later.ts'
import { inEnglish, whenInEnglish } from './reminder-german.ts'
import { DAYS, isAsked, LAST, numberOf, ORDINALS, type Repeating, repeatIn } from './repeat-rules.ts'
import { dayOfMonth, endsAgain } from './repeat-words.ts'
import { doingThen, keptBehind, withTimer } from './timer.ts'

/** UTF-16 units in which the pattern of a request is searched. */
const HEAD = 400
/** Minutes after midnight at which a reminder of a whole day comes: nine o'clock. */
const MORNING = 9 * 60

export interface ReminderReading {
  readonly intent: Extract<Intent, 'reminder_set' | 'reminder_later' | 'task_add' | 'task_done'>
  /** What is to be said, or the items of a list, as typed. */
  readonly topic: string | null
  /** Epoch milliseconds. */
  readonly due: number | null
  readonly repeat: Repeating['repeat']
  /** Every so many days, weeks or months, or the days of `on_days`; number of a task, or, below zero, its place in the list. */
  readonly count: number | null
  /** The last day of what repeats, `2026-12-24`. */
  readonly until?: string
}

const REMIND =
  /^(?:(?:(?:a|new) )?reminder(?=:? \S)|(?:(?<lead>.{1,80}?)[,;:–-]{0,3} {1,3})?(?:please |and |then |also )*(?:(?:rem+i?e?nd|remid|nudge|ping|nag|prompt|poke|prod|shout|buzz) me(?! again)|(?:set|make|create|add|give me) (?:a |me a |up a )?reminder|(?:give|gimme|send|do) (?:me )?a (?:shout|nudge|nag|buzz|poke|prod|heads[- ]?up)|don'?t let me forget))\b[\s:,]*(?<rest>.*)$/is
/** "Rent, every month on the 28th, reminder": the words first, the time behind them. */
const NAMED_LAST =
  /^(?<topic>\S.{0,120}?)[,:;–-]{1,3} {0,3}(?<when>\S.{0,80}?),? (?:a )?(?:reminder|erinnerung)[.!]?$/is
const LATER =
  /^(?:snooze|remind me(?: again)?|later|not now|put it off)(?: (?:this|that|it|again))?(?<when>\b.*)?$/is
const BARE_DELAY =
  /^in (?:(?:an?|half an|\d{1,3}|[a-z]+) (?:minutes?|mins?|hours?|days?)|a quarter of an hour|a (?:few|couple of) minutes|(?:(?:ei)?ner? )?(?:halben? |\d{1,3} |viertel|dreiviertel|\p{L}+ )?(?:minuten?|stunden?|tag(?:en)?))[.!]?$/iu
const DELAY =
  /^(?:an?|half an|\d{1,3}|one|two|three|four|five|six|ten|fifteen|twenty|thirty) (?:minutes?|mins?|hours?|days?|weeks?)[.!]?$/i
const KIND = '(?:to[- ]?do|task|shopping|grocery)'
const LISTE = '(?:(?:einkaufs|to-?do-?|aufgaben)?liste|(?:einkaufs)?zettel)'
/** Ways to put things on the list, each whole. */
const ADDED: readonly RegExp[] = [
  `(?:put|add|write|note|jot|stick|pop|get)(?: down)? (?<items>\\S.*?) (?:on|to|onto|in)(?: (?:my|the|our))? (?:(?:${KIND} )?list|to-?dos?|tasks)`,
  `(?:(?:put|add)(?: (?:on|to))?(?: (?:my|the|our))? )?(?:${KIND}(?: list|s)?|list) ?: ?(?<items>\\S.*)`,
  `(?:add|put) (?:on|to)(?: (?:my|the|our))? (?:${KIND} )?list[,:]? (?<items>\\S.*)`,
  '(?:add (?:a )?task|new task|task|to-?do)\\s*:?\\s+(?!list|s\\b)(?<items>\\S.*)',
  '(?:shopping|grocery) list,? (?!please|for|of|on|pls)(?<items>\\S[^?]*)',
  "we(?:'re| are) (?:nearly |almost |all )?out of (?<items>\\S[^?]*)",
  'buy (?!me |us |a ticket|tickets)(?<items>\\D[^?]{1,80})',
  '(?:bitte )?(?:kaufe?|besorge?)(?: (?:bitte|noch|auch|mal|dann))* (?!mir |uns |ihr |ihm |(?:ein |das |die )?(?:ticket|karte|aktie)|zu(?:r|m)? )(?<items>\\D[^?]{1,80}?)(?: (?:bitte|mit|ein))*',
  `(?:setze?|schreibe?|packe?|tue?|mache?|füge?|fuege?|nimm|notiere?)(?: (?:mir|bitte|mal|noch))* (?<items>\\S.*?) (?:auf|zu|zur|in|an) (?:(?:die|meine|meiner|unsere|der|den) )?${LISTE}(?: (?:hinzu|dazu|drauf|mit auf))?`,
  `(?:i )?need (?!to |you )(?<items>\\S[^?]*?)\\. (?:please )?(?:put|stick|pop|add|get) (?:them|it|that|those|all(?: of (?:it|them))?)(?: all)? (?:on|to|onto)(?: (?:my|the|our))? (?:${KIND} )?list`,
  `(?<items>(?!what|which|where|who|how|is |are |was |do |does |did |has |have |take|cross|tick|remove|delete|strike|read|show)\\S[^?.;]*,[^?.;]*?),? (?:on|onto) (?:my|the|our) (?:${KIND} )?list`,
  `(?<items>\\S[^?]*?(?:,| / )[^?]*?)[.,;]? (?:all |these |those |that )(?:go |goes )?(?:on|onto|to) (?:my|the|our) (?:${KIND} )?list`,
  `(?<items>\\S[^?]*?,[^?]*?)[.,;] (?:das )?alles (?:bitte )?(?:zum einkaufen|auf (?:die|den|meine|meinen) ${LISTE})(?: dazu| drauf| setzen| schreiben)?`,
  `auf (?:den|die|meinen|meine|unseren|unsere) ${LISTE} (?:gehör(?:en|t)|müssen|muss|kommen|kommt|sollen|soll|brauchen wir)(?: (?:noch|auch|bitte))* (?<items>\\S[^?]*?)(?: drauf| rauf)?`,
  `für (?:den|unseren) (?:wochen)?einkauf ?: ?(?<items>\\S[^?]*)`,
  `(?<items>(?!was |wie |wo |wer |ist |sind |steht |hab |habe |zeig|lies)\\S[^?]*?) (?:(?:bitte|noch|mit|gehören|gehört|müssen|muss|kommen|kommt|sollen|soll) )*(?:auf|zu|zur) (?:(?:die|meine|meiner|unsere|der|den|meinen) )?${LISTE}(?: (?:bitte|setzen|schreiben|packen|drauf))*`,
  `(?:einkaufs|to-?do-?|aufgaben)liste ?:? (?!bitte|für|von)(?<items>\\S[^?]*)`,
  '(?:wir brauchen|uns fehlt|uns fehlen|es fehlt|es fehlen) (?:noch |bitte )?(?!zu |einen termin|hilfe)(?<items>\\S[^?]{1,80})',
].map((source) => new RegExp(`^(?:${source})[.!]?$`, 'isu'))
const DONE =
  /^(?:i(?:'m| am) )?(?:done with|finished with|finished|tick off|check off|cross off|complete) (?:the |task |number |no\.? ?|#)*(?:(?<nth>\d{1,4})(?<place>st|nd|rd|th)?|(?<word>[a-z]+))(?: (?:one|task|item|thing))?(?: (?:of|on|from) (?:my|the) list)?[.!]?$/i
const JOINS = /^(?:to|that|about|of|for|:|,)\s+/i
const FILLERS = /^[\s,.:;!-]*(?:(?:on|at|in|from|by|for|the|and|please)\b[\s,.:;-]*)*$/i

/** Null for a message of another kind. `core`: without what is polite around it. */
export function readReminder(core: string, moment: Moment): ReminderReading | null {
  const text = core.trim()
  const head = text.slice(0, HEAD)
  const done = DONE.exec(head)?.groups
  const number = done === undefined ? null : numberOf(done['nth'] ?? done['word'] ?? '')
  const isPlace = done?.['place'] !== undefined || ORDINALS.includes(done?.['word']?.toLowerCase() ?? '')
  if (number !== null) return { ...NOTHING, intent: 'task_done', count: isPlace ? -number : number }
  const plain = listIn(head)?.plain ?? head
  const items =
    head === text ? ADDED.map((way) => way.exec(plain)?.groups?.['items']).find(Boolean) : undefined
  if (items !== undefined) return { ...NOTHING, intent: 'task_add', topic: items.trim() }
  return readLater(text, moment) ?? laterAgain(text, moment) ?? readSet(text, moment)
}

const NOTHING = { topic: null, due: null, repeat: null, count: null } as const

/** Only the time, and nothing to remind of: it is about what came last. */
function readLater(text: string, moment: Moment): ReminderReading | null {
  const bare = BARE_DELAY.test(text)
  const when = bare ? text : LATER.exec(text.slice(0, HEAD))?.groups?.['when']
  if (when === undefined && !LATER.test(text)) return null
  const said = shortDelay((when ?? '').replace(/^\s*(?:for|until|till|to)\b/i, ' '))
  if (/^[\s.!]*$/.test(said)) {
    // "Remind me" says nothing of when or what.
    if (/^remind me\b/i.test(text)) return { ...NOTHING, intent: 'reminder_set' }
    return { ...NOTHING, intent: 'reminder_later', due: moment.now + 60 * MINUTE }
  }
  const time = timeIn(DELAY.test(said.trim()) ? `in ${said.trim()}` : said, moment)
  const isAgain = bare || !/^remind me(?! again)/i.test(text)
  return time === null || !isAgain ? null : { ...NOTHING, intent: 'reminder_later', due: time }
}

function laterAgain(text: string, moment: Moment): ReminderReading | null {
  const when = laterWhen(text, (words) => isTime(words, moment))
  const due = when === null ? null : timeIn(when, moment)
  return due === null ? null : { ...NOTHING, intent: 'reminder_later', due }
}

/** `10m` and `2h` in words. */
function shortDelay(said: string): string {
  return said.replace(
    /\b(\d{1,3}) ?(m|h)\b/i,
    (_, count: string, unit: string) => `${count} ${unit.toLowerCase() === 'm' ? 'minutes' : 'hours'}`,
  )
}

/** Instant of a text that is a time and nothing else. */
function timeIn(said: string, moment: Moment): number | null {
  const { span, rest } = readDates(said, moment)
  return span === null || !FILLERS.test(rest) ? null : dueOf(span, moment)
}

function readSet(typed: string, moment: Moment): ReminderReading | null {
  const ended = NAMES_END.test(typed) ? endIn(typed, moment) : null
  const read = ended === null || ended.end.is === 'never' ? null : readUnended(ended.text.trim(), moment)
  if (ended === null || read?.intent !== 'reminder_set' || read.repeat === null || read.due === null)
    return withUnknownEnd(typed, readUnended(typed, moment), moment)
  const { repeat, count, due } = read
  if (isAsked(repeat) || !isOfRepeat(ended, repeat, moment)) return readUnended(typed, moment)
  const until = lastDayOf(ended.end, { kind: repeat, every: count ?? 1, first: localOf(due, moment) })
  return until === null ? { ...read, repeat: 'unclear' } : { ...read, until }
}

/** An end beside the repetition that is not understood: what repeats until then is not set without it. */
function withUnknownEnd(typed: string, read: ReminderReading | null, moment: Moment): ReminderReading | null {
  const end = UNTIL.exec(typed)
  const isReal = read?.intent === 'reminder_set' && read.repeat !== null && !isAsked(read.repeat)
  const isUnknown =
    isReal &&
    end !== null &&
    !/^\s*\d/.test(typed.slice(end.index + end[0].length)) &&
    endIn(typed, moment) === null
  return isUnknown && endsInTime(typed.slice(0, end.index), moment) ? { ...read, repeat: 'unclear' } : read
}

const UNTIL = /(?<!\p{L})(?:until|till|til|bis)(?!\p{L})/iu

/** Words of an end, without which none is looked for. */
export const NAMES_END =
  /(?<!\p{L})(?:until|till|til|through|bis|for|für|over|lang|times|\p{L}*mal)(?!\p{L})|\d ?mal(?!\p{L})/iu
/** Comes on most days: what lasts so long is the repetition, and not what is to be done. */
const OFTEN: ReadonlySet<string> = new Set(['daily', 'weekdays', 'on_days'])

/** Whether an end stands beside the words of the repetition, and is no part of what is to be done. */
function isOfRepeat({ before, after, end }: Ended, repeat: string, moment: Moment): boolean {
  if (/^[\s,.!]*(?:please|bitte)?[\s,.!]*$/i.test(before) || endsInTime(before, moment)) return true
  const [leads, follows] = [
    /(?:remind me|erinner(?:e|st du)? mich)(?: bitte| please)?,?\s*$/i.test(before),
    AFTER_END.test(after.trim()),
  ]
  if (leads) return true
  return follows && (end.is === 'day' || (end.is === 'after' && OFTEN.has(repeat)))
}

const AFTER_END = /^[\s,.!]*(?:please|pls|bitte|thanks|danke)?[\s,.!]*$/i
/** Words of a time at the end of a text: "every month on the 3rd at 9". */
const MOST_WORDS = 6

/** Whether a text ends in a time or a repetition. */
export function endsInTime(text: string, moment: Moment): boolean {
  const words = text
    .trim()
    .replace(/[\s,]+$/, '')
    .split(/\s+/)
  return words
    .slice(-MOST_WORDS)
    .some((_, at, last) => isTime(whenInEnglish(last.slice(at).join(' ')), moment))
}

/** `2026-11-27 13:00`. */
export function localOf(at: number, { zone }: Moment): string {
  return new Date(zone.wallOf(at)).toISOString().slice(0, 16).replace('T', ' ')
}

function readUnended(typed: string, moment: Moment): ReminderReading | null {
  const text = withTimer(dayOfMonth(typed).replace(ABOUT, 'at ').replace(UNTIL_END, 'at '), moment).replace(
    /(?<=\bremind me )(\d{1,2})[.:](\d\d)\b/i,
    'at $1:$2',
  )
  const last = NAMED_LAST.exec(text.slice(0, HEAD))?.groups
  const when = whenInEnglish(last?.['when'] ?? '')
  if (last !== undefined && isTime(when, moment))
    return readParts(REMIND.exec(`remind me ${when} to ${last['topic'] ?? ''}`), moment)
  const set = readParts(
    REMIND.exec(text) ?? REMIND.exec(inEnglish(text, (words) => isTime(words, moment))),
    moment,
  )
  if (set !== null) return set
  const behind = keptBehind(text, moment)
  if (behind !== null) return readParts(REMIND.exec(behind), moment)
  const doing = doingThen(text, moment)
  if (doing !== null) return readParts(REMIND.exec(doing), moment)
  const untimed = TO_DO.exec(text.slice(0, HEAD))?.groups?.['items']
  if (untimed !== undefined && !AT_A_TIME.test(text) && readDates(text, moment).span === null)
    return { ...NOTHING, intent: 'task_add', topic: untimed }
  // With a time these are to be said then; without one they are facts, or talk.
  const timed = TIMED.reduce((said, [words, meant]) => said.replace(words, meant), text)
  return timed === text || !AT_A_TIME.test(text) ? null : readParts(REMIND.exec(timed), moment)
}

/** "About 8", at the end of what is said or before a day. */
const ABOUT =
  /\b(?:about|around|approx\.?|gegen) (?=\d{1,2}(?:[:.]\d\d)?(?: ?[ap]m| uhr)?(?:[\s.!]*$| (?:on|tomorrow|every|each|to)\b))/gi
/** "… before 2": done at two at the latest. */
const UNTIL_END =
  /(?<!\b(?:min|mins|minutes?|hours?|days?|weeks?|half) )\b(?:before|by) (?=\d{1,2}(?:[:.]\d\d)?(?: ?[ap]m)?[\s.!]*$)/i
/** A time of day. */
const AT_A_TIME =
  /\bin \d{1,3} ?(?:min|h)|\b\d{1,2}[:.]\d\d\b|\b\d{1,2} ?[ap]m\b|\bat (?:\d{1,2}\b|noon|midnight)/i

/** Other ways to ask for a reminder, if a time is named. */
const TIMED: readonly (readonly [RegExp, string])[] = [
  [/^(?:please )?(?:don'?t|do not) forget to\b/i, 'remind me to'],
  [/^(?:please )?remember to\b/i, 'remind me to'],
  [/^(?:please )?wake me(?: up)?\b(?= )/i, 'remind me to wake up'],
]

/** Without a time it is one thing more to do. */
const TO_DO =
  /^(?:please )?(?:remember|don'?t let me forget|must remember|need to remember) to (?!be |always|never|answer|use|call me|speak|write to me|tell me|keep)(?<items>\p{L}[^?]{2,80}?)[.!]?$/iu
/** Of who tells, asks why or thanks. */
const TELLS =
  /(?<!\p{L})(?:you|youre|why|never|did ?n['’]?t|did not|thanks?|du|dein\p{L}*|warum|wieso|nicht erinnert|danke\p{L}*)(?!\p{L})/iu

/** "She used to remind me at 9": these words are an order only at the beginning, behind a time, or behind a text with a mark that tells of nothing. */
function isToldOf(found: RegExpExecArray, lead: string, moment: Moment): boolean {
  const isMarked =
    /^(?:[,;:–-]| (?:and|then|also) )/i.test(found[0].slice(lead.length)) || /[.!?]$/.test(lead)
  return lead !== '' && !isTime(lead, moment) && (!isMarked || TELLS.test(lead))
}

function readParts(found: RegExpExecArray | null, moment: Moment): ReminderReading | null {
  const { lead = '', rest = '' } = found?.groups ?? {}
  if (found === null || ASKS.test(rest)) return null
  if (isToldOf(found, lead, moment)) return null
  if (lead !== '' && isTime(rest, moment) && !isTime(lead, moment) && !saysMore(lead))
    return readParts(REMIND.exec(`remind me ${rest} to ${lead}`), moment)
  const [when, topic] = partsOf(dashed(lead), dashed(rest), moment)
  const { every, nth, left, ...read } = repeatIn(when)
  // "At 9 to call mum every day": of the call, or of the reminder.
  const repeat = topic !== null && endsAgain(topic) ? 'unclear' : read.repeat
  const { span: named, rest: around } = readDates(left, moment)
  const early = { text: `${lead} ${rest}`, daily: repeat !== null && OFTEN.has(repeat) }
  const span = named === null ? null : inTheMorning(named, early, moment)
  if (lead !== '' && !FILLERS.test(around)) return null
  const said = topic ?? around
  // "Of that mail" has lost one joining word already.
  const bare = JOINS.test(dashed(rest)) ? said.trim() : said.trim().replace(JOINS, '')
  const words = bare.replace(TAIL, '').replace(/\s+/g, ' ').trim()
  const set = { intent: 'reminder_set', topic: words === '' ? null : words, count: every } as const
  if (repeat === null || isAsked(repeat))
    return { ...set, due: span === null ? null : dueOf(span, moment), repeat }
  const first = firstOf({ repeat, every }, left, span === null ? null : dueOf(span, moment), moment)
  return {
    ...set,
    repeat,
    due: first === null || nth === null ? first : nthOfMonth(first, { nth, left }, moment),
  }
}

/** A time or a repetition, and nothing else. */
export function isTime(text: string, moment: Moment): boolean {
  const { repeat, left } = repeatIn(dashed(text))
  const { span, rest } = readDates(left, moment)
  return (span !== null || repeat !== null) && FILLERS.test(rest)
}

export interface When {
  readonly repeat: ReminderReading['repeat']
  readonly every: number | null
  /** Epoch milliseconds of the first occurrence; null where the words do not say on which day. */
  readonly first: number | null
  /** A time of day was named. */
  readonly timed: boolean
}

/** Words that are a repetition, with or without a time, and nothing else; null for any other text. */
export function readWhen(text: string, moment: Moment): When | null {
  const { repeat, every, nth, left } = repeatIn(text)
  if (repeat === null) return null
  const { span, rest } = readDates(left, moment)
  const timed = span !== null && span.named !== 'days'
  if (isAsked(repeat)) return { repeat, every, first: null, timed }
  if (!FILLERS.test(rest)) return null
  const first = firstOf({ repeat, every }, left, span === null ? null : dueOf(span, moment), moment)
  return {
    repeat,
    every,
    timed,
    first: first === null || nth === null ? first : nthOfMonth(first, { nth, left }, moment),
  }
}

/** The first such weekday of a month from there on, at the same time of day; today's while its time is ahead, as of every week. */
function nthOfMonth(
  first: number,
  { nth, left }: { readonly nth: number; readonly left: string },
  { now, zone }: Moment,
): number {
  const wall = zone.wallOf(first)
  const at = (weeks: number): number =>
    zone.instantOf(Math.floor(wall / DAY) + weeks * 7, Math.floor((wall % DAY) / MINUTE))
  const monthOf = (day: number): number => new Date(day).getUTCMonth()
  const isNth = (day: number): boolean =>
    nth === LAST ? monthOf(day + 7 * DAY) !== monthOf(day) : Math.ceil(new Date(day).getUTCDate() / 7) === nth
  const isToday = zone.dayOf(at(-1)) === zone.dayOf(now) && at(-1) > now && !BEGINS.test(left)
  let weeks = isToday ? -1 : 0
  while (!isNth(wall + weeks * 7 * DAY)) weeks += 1
  return at(weeks)
}

const TAIL = /[\s,;:.!-]*\b(?:please|pls|on|at|in the|in|by|from)?[\s,;:.!-]*$/i

/** The time, and the words where they stand apart from it: `at 9 to book a table for 7`. */
function partsOf(lead: string, rest: string, moment: Moment): readonly [string, string | null] {
  if (lead !== '') return [lead, rest.replace(JOINS, '')]
  const joined = /^(?:for )?(?<when>\S.{0,80}?)[,:]? (?:to|that|about|of) (?<topic>\S.*)$/is.exec(
    rest,
  )?.groups
  const { when = '', topic = '' } = joined ?? {}
  if (when !== '') {
    const { left, repeat } = repeatIn(when)
    const { span, rest: around } = readDates(left, moment)
    if ((span !== null || repeat !== null) && FILLERS.test(around)) return [when, topic]
  }
  return [rest.replace(JOINS, ''), null]
}

/** Whole days come in the morning, several that began already in the next one; a part of a day that began already is tomorrow's. */
export function dueOf({ from, to, named }: Omit<Span, 'eitherHalf'>, { now, zone }: Moment): number {
  if (named === 'days') {
    const morning = zone.instantOf(zone.dayOf(from), MORNING)
    const next = zone.instantOf(zone.dayOf(now) + 1, MORNING)
    return morning <= now && next < to ? next : morning
  }
  return named === 'part' && from <= now ? from + DAY : from
}

/** The first occurrence; null where the words do not say on which day. */
function firstOf(
  { repeat, every }: { readonly repeat: RepeatKind; readonly every: number | null },
  left: string,
  due: number | null,
  moment: Moment,
): number | null {
  const { now, zone } = moment
  const isNamed =
    new RegExp(`\\b(?:${DAYS}|today|tomorrow|\\d{1,2}(?:st|nd|rd|th)|on the)\\b`, 'i').test(left) ||
    A_DATE.test(left)
  if ((repeat === 'weekly' || repeat === 'monthly') && (!isNamed || due === null)) return null
  const morning = zone.instantOf(zone.dayOf(now), MORNING)
  let first = due ?? (morning > now ? morning : zone.instantOf(zone.dayOf(now) + 1, MORNING))
  if (repeat === 'month_end') return monthEnd(zone.wallOf(due ?? morning), moment)
  const wall = zone.wallOf(first)
  const days = repeat === 'weekdays' ? MON_TO_FRI : repeat === 'on_days' ? (every ?? 0) : ALL_DAYS
  // What comes on days alone, and is due at this very minute, begins with the next.
  const isOver = (at: number): boolean => at <= now && OFTEN.has(repeat)
  for (let later = 0; !isOnDays(days, zone.wallOf(first)) || isOver(first); )
    first = zone.instantOf(Math.floor(wall / DAY) + ++later, Math.floor((wall % DAY) / MINUTE))
  // "On friday", said on a Friday, is the next one; "every friday" begins today while its time is ahead.
  const earlier = zone.instantOf(Math.floor(wall / DAY) - 7, Math.floor((wall % DAY) / MINUTE))
  const isToday = repeat === 'weekly' && zone.dayOf(earlier) === zone.dayOf(now) && earlier > now
  return isToday && !BEGINS.test(left) ? earlier : first
}

/** The last day of this month at that time of day, or of the next where that is past. */
function monthEnd(wall: number, { now, zone }: Moment): number {
  const lastOf = (months: number): number => {
    const day = new Date(wall)
    const last = Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1 + months, 0)
    return zone.instantOf(Math.floor(last / DAY), Math.floor((wall % DAY) / MINUTE))
  }
  return lastOf(0) > now ? lastOf(0) : lastOf(1)
}

/** A day with its month, "5 May", "March 3", "5.5." */
const A_DATE =
  /\b\d{1,2} (?:of )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\p{L}* \d{1,2}\b|\b\d{1,2}\.\d{1,2}\.|\b\d{4}-\d\d-\d\d\b|\b\d{1,2}\/\d{1,2}\b/iu

/** A beginning of its own. */
const BEGINS =
  /\b(?:next|starting|beginning|from|after|tomorrow|\d{1,2}(?:st|nd|rd|th)|in \d+|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/i

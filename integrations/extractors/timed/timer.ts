/**
 * Translates timers, alarms and things to do at a time into the form of the reminder rules: "20 min timer",
 * "1st thing monday phone the plumber". Pure. Called by reminder.ts.
 */
import { type Moment, readDates } from '../../dates/read.ts'
import { saysMore } from '../message/message-coverage.ts'
import { inTheMorning, whenInEnglish } from './reminder-german.ts'

const LENGTH =
  '(?:\\d{1,3}|half an|an?|one|two|three|four|five|ten|fifteen|twenty|thirty|forty|forty[- ]five|sixty|ninety)[ -]?(?:m|mins?|minutes?|minuten|h|hrs?|hours?|stunden?)'
/**
 * "20 min timer", "stell einen Timer auf 10 Minuten", "alarm for 6:30": a reminder of itself, or of what is
 * said behind it.
 */
const TIMER = new RegExp(
  `^(?:(?:set|start|put on|put|stelle?|mache?|starte)(?: me| mir| bitte)* )?(?:an? |einen? |nen )?(?:(?<length>${LENGTH}) )?(?:kitchen )?(?<what>timer|alarm|wecker)\\b(?: clock)?(?: (?:for|to|at|on|auf|für|um|in))?[\\s,:]*(?<rest>.{0,100})$`,
  'i',
)
const LENGTH_FIRST = new RegExp(`^(?<length>${LENGTH})\\b[\\s,:]*(?<rest>.*)$`, 'i')

/** What ends a timer, changes it or tells of one. */
const NO_START =
  /(?<!\p{L})(?:off|cancel|stop|end|delete|remove|instead|is|was|were|went|has|had|did|costs?|broken?|too|not|no|make|aus|ab|weg|lösch\p{L}*|ausschalten|beenden|nicht|ist|war|hat|statt)(?!\p{L})/iu

/** A timer or alarm as a reminder in the form that the rules of reminders read; any other text as it is. */
export function withTimer(text: string, moment: Moment): string {
  const { length, what = '', rest = '' } = TIMER.exec(text)?.groups ?? {}
  if (what === '') return text
  const behind = length === undefined ? LENGTH_FIRST.exec(rest)?.groups : { length, rest }
  if (behind !== undefined) {
    const about = (behind['rest'] ?? '').replace(/^(?:for|to|für) /i, '')
    // "20 min timer chai is on stove" says why; behind the length first it has to be said with "for".
    const isSaid = length !== undefined || /^(?:(?:for|to|für) |$)/i.test(behind['rest'] ?? '')
    if (!isSaid || NO_START.test(about.split(' ', 1)[0] ?? '')) return text
    return `remind me in ${inWords(behind['length'] ?? '')} to ${about === '' ? what : about}`
  }
  const when = inTheMorning(whenInEnglish(rest))
  const { span, rest: left } = readDates(when, moment)
  const isTime =
    span !== null && span.named !== 'days' && /^[\s.!,]*(?:(?:at|on|for|um)[\s.!,]*)*$/i.test(left)
  return isTime && /\d/.test(rest) ? `remind me ${when} to ${what}` : text
}

/** `20min` as `20 minutes`, which a reader of dates knows. */
function inWords(length: string): string {
  return length.replace(/[ -]?(m|mins?|minuten|h|hrs?|stunden?)$/i, (_, unit: string) =>
    /^m/i.test(unit) ? ' minutes' : ' hours',
  )
}

/**
 * What only the owner can do: a verb, and somebody or something named behind it, not a noun that looks like
 * the verb.
 */
const NAMED_AS_WELL = 'phone|fetch|collect|renew|defrost'
const VERBS = `${NAMED_AS_WELL}|ring|call|post|water|feed|wash|iron|charge|pack|pick up|drop off|put out|top up`
const DOING = new RegExp(
  `^(?!.*\\b(?:for me|is|was|were|are|has|will|with|by)\\b)(?:(?:${VERBS}) (?:(?:the|an?|my|our|his|her|their|this|that) \\S|(?:mum|mom|dad|granny|grandma|grandad|gran)\\b)|(?:${NAMED_AS_WELL}) \\S)`,
  'i',
)
/** Without one of the verbs no time is looked for. */
const NAMES_DOING = new RegExp(`(?:${VERBS}) `, 'i')
/** UTF-16 units of a time before it. */
const THEN = 60

/** "1st thing monday phone the plumber": the time, and what is to be done then. */
export function doingThen(text: string, moment: Moment): string | null {
  if (!NAMES_DOING.test(text)) return null
  const lead = text.slice(0, THEN).replace(FIRST_THING, (found) => ' '.repeat(found.length))
  const { span, rest } = readDates(lead, moment)
  const from = rest.search(/\S/)
  if (span === null || from < 3 || !DOING.test(text.slice(from))) return null
  return `remind me ${lead.slice(0, from)} to ${text.slice(from)}`
}

const FIRST_THING = /\b(?:first|1st) thing(?: on)?\b/i

const KEPT_BEHIND =
  /^(?<what>\S.{3,120}?)[,;.–-]{0,3} (?:and |und )?(?:please |pls |bitte )?(?:don'?t let me forget(?: (?:it|that|this))?|(?:nicht|nich|ned|net) vergessen(?: lassen)?)(?: pls| please| bitte)?[.!]*$/i

/**
 * "Heut abend Papa anrufen, nicht vergessen": with a time it is a reminder, and without one a fact to keep.
 */
export function keptBehind(text: string, moment: Moment): string | null {
  const what = whenInEnglish(KEPT_BEHIND.exec(text)?.groups?.['what'] ?? '')
  if (what === '' || saysMore(what)) return null
  const { span } = readDates(what, moment)
  return span === null || span.named === 'days' ? null : `remind me to ${what}`
}

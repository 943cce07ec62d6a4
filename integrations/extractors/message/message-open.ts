/**
 * Finds parts that code must not decide in a message that it could otherwise read: a time on an unnamed
 * clock, a change of many events, a condition that needs a lookup. A model plans these; without one the owner
 * is asked. Must not plan. Called by message.ts and by the rules model.
 */
import { clocksIn, isBesideClock, openPlaceIn, placeIn } from '../../dates/places.ts'
import { type Moment, namesADay, readDates, type Span } from '../../dates/read.ts'
import { createZone, MINUTE } from '../../dates/zone.ts'
import { conditionIn } from './contents/message-condition.ts'
import { tellsOfOthers } from './contents/message-others.ts'
import { coreAsTyped } from './message-intent.ts'
import { readMove } from './message-move.ts'
import { type Fields, timeFields } from './message-taken.ts'

/** Reasons of an empty plan, with their words in the rules model; the first says nothing of its own. */
export type OpenReason =
  | 'not_understood'
  | 'zone_unknown'
  | 'zone_apart'
  | 'zone_repeats'
  | 'one_event_at_a_time'
  | 'condition_unchecked'

export interface Open {
  readonly why: OpenReason
  /** The words that leave it open, as typed. */
  readonly words: string
  /** The request without its condition, as typed. */
  readonly request: string
  /** Epoch milliseconds: a time that is sure, from and to. */
  readonly fields: Fields
}

/** What others wrote, and what is said about it. */
export const NO_REQUEST: Fields = {
  intent: 'other',
  whole: false,
  language: 'unknown',
  quoted: false,
  attachments: 0,
}

/** UTF-16 units: requests are short. */
const LONGEST = 400

/** Null for a message that code may read. */
export function openIn(text: string, moment: Moment): Open | null {
  const open = (why: OpenReason, words = '', fields: Fields = {}, request = ''): Open => ({
    ...{ why, words, request },
    fields: { ...NO_REQUEST, ...fields },
  })
  if (tellsOfOthers(text)) return open('not_understood')
  if (text.length > LONGEST) return null
  const core = coreAsTyped(text)
  const condition = conditionIn(core, moment)
  if (condition !== null) {
    const due = timeFields(condition.due, moment)
    return open('condition_unchecked', condition.words, due, condition.request)
  }
  if (isOfMany(core)) {
    const { span } = readDates(core, moment)
    return open('one_event_at_a_time', '', span?.named === 'days' ? timeFields(span, moment) : {})
  }
  if (SAYS_ONLY.test(core)) return null
  const unnamed = openPlaceIn(core)
  if (unnamed !== null) return open('zone_unknown', unnamed)
  return ofAnotherClock(core, moment, open)
}

/**
 * A time of another clock that cannot be reckoned: it repeats there, is of a day that is not said, or stands
 * apart from its place.
 */
function ofAnotherClock(
  core: string,
  moment: Moment,
  open: (why: OpenReason, words?: string) => Open,
): Open | null {
  const place = placeIn(core)
  if (place === null || place.zone === null || clocksIn(core) === 0) return null
  if (isOwnClock(place.zone, moment)) return null
  const words = core.slice(place.start, place.end)
  if (REPEATS.test(core)) return open('zone_repeats', words)
  const move = readMove(core, moment)
  const isOfOwnDay = move !== null && (move.move === 'time' || move.move === 'half')
  return isOfOwnDay || clocksIn(core) > 1 || !isBesideClock(core, place) ? open('zone_apart', words) : null
}

/** Days over a year, so that both change their clocks together. */
const SEASONS = [0, 90, 180, 270]

function isOwnClock(name: string, { now, zone }: Moment): boolean {
  const there = createZone(name)
  const today = zone.dayOf(now)
  return SEASONS.every((days) => there.instantOf(today + days, 720) === zone.instantOf(today + days, 720))
}

const REPEATS =
  /(?<!\p{L})(?:every|each|daily|weekly|monthly|weekdays|weekends|(?:mon|tues|wednes|thurs|fri|satur|sun)days|jede[nrsm]?|täglich|wöchentlich|monatlich|werktags|immer|(?:mon|diens|donners|frei|sams|sonn)tags|mittwochs)(?!\p{L})/iu

/** Words that are passed on or kept as typed: a time in them is of nobody's calendar. */
const SAYS_ONLY =
  /^(?:tell|e-?mail|mail|write|reply|answer|respond|send|forward|text|message|let|draft|compose|remember|note|memori[sz]e|keep in mind|translate|search|google|schreibe?|antworte?|sage?|schicke?|maile?|sende?|leite|teile|merke?|notiere?|entwirf|übersetze?|suche?|richte?)(?! (?:ab|to remind))(?!\p{L})/iu

const EVENTS =
  '(?:meetings|appointments|events|calls|terminen?|besprechungen|treffen|anrufen?|calendar entries)'
const EVENT = '(?:meeting|appointment|event|call|calendar entry|termin|besprechung|anruf)'
const NUMBERS = '(?:two|three|four|five|six|zwei|drei|vier|fünf|sechs|[2-9])'
const MINE = '(?:my|the|our|these|those|meine[nr]?|die|den|unsere[nr]?|diese[nr]?)'
/** More than one event: "all my meetings", "every call", "both", "jeden Termin". */
const MANY = `(?:(?:all(?: of)?|both(?: of)?|alle[nmrs]?|beide[nrm]?|sämtliche[nrm]?)(?: ${MINE}| other| anderen| übrigen)*(?: [\\p{L}-]+){0,2}? ${EVENTS}|(?:every|each(?: of)?|jede[nrsm]?)(?: single| einzelnen)?(?: ${MINE})?(?: [\\p{L}-]+)? (?:${EVENT}|${EVENTS})|(?:${MINE} )?(?:other |remaining |restlichen |übrigen |beiden )?${NUMBERS} (?:[\\p{L}-]+ )?${EVENTS}|${MINE} (?:other |remaining |restlichen |übrigen |beiden )?${EVENTS})`
/** The same, said of a calendar by the verb alone. */
const BARE =
  '(?:everything|all(?: of (?:it|them))?|both(?: of them)?|them (?:all|both)|alle[nmrs]?|beide[nrm]?|sie (?:alle|beide)|(?:my|the|meine[nr]?|den|die) (?:whole|entire|rest of (?:the|my)|ganzen?|restlichen?) \\p{L}+)'
const POLITE =
  '^(?:(?:please|bitte|ok|okay|hey|hi|now|then|so|and|und|also|can you|could you|would you|will you|kannst du|könntest du|würdest du|i (?:want|need|have) (?:you )?to|ich (?:möchte|muss|will))[ ,]+)*'
const MOVES =
  '(?:move|push|shift|postpone|delay|reschedule|bring|pull|bump|cancel|call off|prepone|verschiebe?|verlege?|schiebe?|sage?(?! mir| uns)(?=.*(?<!\\p{L})ab(?!\\p{L})))'
const CHANGES = `(?:${MOVES}|delete|remove|drop|clear|scrap|get rid of|start|make|extend|shorten|lösche?|streiche?|storniere?|entferne?|beginne?|verkürze?|verlängere?)`
const BACK = '(?:back |forward |up |off )?'
/** Before the object in German: "Verschieb morgen alle Termine". */
const WHEN = '(?:(?:(?!(?:with|mit|for|für|of|von|about|über|at|bei) )[^\\s,.;:!?]+ ){0,4}?)'
const END = '(?![\\p{L}-])'
/** A bare "everything" that is of mail, files or a list. */
const OTHER_THINGS =
  /(?<!\p{L})(?:e-?mails?|mails?|messages?|inbox|spam|folder|list|tasks?|to-?dos?|reminders?|files?|documents?|photos?|jobs?|newsletters?|nachrichten|postfach|posteingang|ordner|liste|aufgaben?|erinnerung(?:en)?|dateien|dokumente)(?!\p{L})/iu
const TIMED =
  /\d|(?<!\p{L})(?:today|tomorrow|tonight|(?:mon|tues|wednes|thurs|fri|satur|sun)day|week|morning|afternoon|evening|noon|lunch|heute|morgen|übermorgen|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|woche|vormittag|nachmittag|abend|mittag\p{L}*)(?!\p{L})/iu

/** What is emptied holds many. */
const EMPTIED =
  '(?:my|the|meine[nr]?|mein|den|die) (?:\\p{L}+ )?(?:calendar|diary|schedule|day|morning|afternoon|evening|week|(?:mon|tues|wednes|thurs|fri|satur|sun)day|kalender|tag|vormittag|nachmittag|abend|woche|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch)'
const MANY_WAYS: readonly RegExp[] = [
  new RegExp(`${POLITE}${CHANGES} ${BACK}${WHEN}${MANY}${END}`, 'iu'),
  // The verb last: "Alle Termine morgen absagen", "everything tomorrow needs to start 30 minutes later".
  new RegExp(
    `${POLITE}(?:${MANY}|${BARE})${END}.*(?<!\\p{L})(?:ab|absagen|verschieben|verlegen|löschen|streichen|stornieren|später|früher|nach hinten|nach vorne|later|earlier|back|forward)\\W*$`,
    'isu',
  ),
]
const EMPTY_WAY = new RegExp(
  `${POLITE}(?:clear|wipe|empty|free up|leere?|räume?) ${WHEN}${EMPTIED}${END}`,
  'iu',
)
const BARE_WAY = new RegExp(`${POLITE}${MOVES} ${BACK}${WHEN}${BARE}${END}`, 'iu')
/** "Do I have to move all my meetings?", "what happens if I cancel everything": nothing is to be changed. */
const NONE = /(?<!\p{L})(?:don['’]?t|do not|never|nicht|kein\p{L}*)(?!\p{L})/iu

function isOfMany(core: string): boolean {
  if (NONE.test(core)) return false
  const [order, last] = MANY_WAYS.map((way) => way.test(core))
  if (order === true || EMPTY_WAY.test(core)) return !OTHER_THINGS.test(core)
  const isBare = BARE_WAY.test(core) || last === true
  return isBare && TIMED.test(core) && !OTHER_THINGS.test(core)
}

/**
 * A time or a part of a day and nothing else: "and at four?", "wie sieht es am Abend aus?". Of which day,
 * only the message before it says.
 */
const FOLLOWS =
  /^(?:[\s,.!?…-]|(?<!\p{L})(?:and|und|or|oder|then|dann|also|auch|so|what|how|about|is|it|was|wie|sieht|ist|es|aus|mit|dem|der|den|the|in|on|at|am|im|zum|for|für)(?!\p{L}))*$/iu
const OF_TODAY = /(?<!\p{L})(?:this|tonight|today|heute|heut|diese[nrsm]?)(?!\p{L})/iu

/** "In 20 minutes" is of no other day. */
function isOfNow({ from }: Span, text: string, moment: Moment): boolean {
  const later = readDates(text, { ...moment, now: moment.now + MINUTE }).span
  return later !== null && later.from - from === MINUTE
}

/** Said to go on from what was talked about, and no order of its own. */
const GOES_ON =
  /^\W*(?:and|und|or|oder|what about|how about|was ist mit|wie wär['e]?s? (?:es )?mit)(?!\p{L})/iu

/** The fields without a day that nobody said. */
export function withoutGuess(text: string, fields: Fields, moment: Moment): Fields {
  if (!('from' in fields) || text.length > LONGEST || OF_TODAY.test(text)) return fields
  const { span, rest } = readDates(text, moment)
  if (span === null || span.named === 'days' || namesADay(text) || isOfNow(span, text, moment)) return fields
  const isOpen = fields['intent'] === 'other' && fields['whole'] !== true && GOES_ON.test(text)
  if (!isOpen && !FOLLOWS.test(rest)) return fields
  const { from: _from, to: _to, wholeDay: _wholeDay, ...others } = fields
  return others
}

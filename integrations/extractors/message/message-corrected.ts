/**
 * Reads a new time of an event in free words: "the physio is at half 2, not half 1", "dinner has moved to
 * thursday", "push gym to tomorrow, same time". Finds old time, new time and the name of the event anywhere.
 * Must not read a place, a series, a condition or a second request. Called by message-learned.ts, for
 * messages that the trained table classifies as such a change.
 */
import { type Moment, namesADay, readDates, type Span } from '../../dates/read.ts'
import { DAY } from '../../dates/zone.ts'
import { isAside } from '../learned/remark.ts'
import { saysAgain } from './message-coverage.ts'
import { coreAsTyped } from './message-intent.ts'
import { clockOf, MOVE_COUNT, MOVE_UNIT, type MoveReading, moveBy, moveTo } from './message-move.ts'
import { namedWords } from './message-seek.ts'

/** UTF-16 units, words of the thing: requests are short. */
const LONGEST = 200
const MOST_NAMED = 5

const B = '(?<![\\p{L}\\p{N}])'
const E = '(?![\\p{L}\\p{N}])'
/** Something else is said, or asked, behind it. */
const MORE = new RegExp(`${B}(?:and|und|then|dann|also|plus|n|&)${E}`, 'iu')
/** Before a time that is not, or no longer, the right one. */
const OLD = 'not|instead of|rather than|statt|anstatt|und nicht|and not|nicht|from|von|vom|it was|was'
/** Before the right one. */
const NEW = "to|until|till|auf|sondern|but|now|jetzt|doch|erst|is|are|it's|its|ist|beginnt|starts|begins|geht"
/** "Quarter to three" is one time. */
const CUT = new RegExp(
  `${B}(?<old>${OLD})${E}|(?<!${B}(?:quarter|five|ten|twenty|half|\\d{1,2}) )${B}(?<new>${NEW})${E}`,
  'giu',
)
const TO: ReadonlySet<string> = new Set(['to', 'until', 'till', 'auf', 'sondern', 'but'])
/** It is changed, or is to be. */
const MOVES = new RegExp(
  `${B}(?:move\\p{L}*|reschedul\\p{L}*|shift|shifted|push|pushed|bump\\p{L}*|chang\\p{L}*|switch\\p{L}*|postpone\\p{L}*|delay\\p{L}*|put back|bring|brought|verschieb\\p{L}*|verschob\\p{L}*|schieb\\p{L}*|verleg\\p{L}*|leg|lege|legen|umgelegt|geändert|änder\\p{L}*|vorgezogen|verläng\\p{L}*|extended|prepone\\p{L}*|go|now|jetzt|actually|doch|erst)${E}`,
  'iu',
)
/** Said of what is otherwise than before. */
const SO_NOW = new RegExp(`${B}(?:now|actually|instead|jetzt|nun|doch|erst|stattdessen)${E}`, 'iu')
const COUNTS: Readonly<Record<string, string>> = {
  ...{ zwei: '2', drei: '3', vier: '4', fünf: '5', sechs: '6', zehn: '10', fünfzehn: '15' },
  ...{ zwanzig: '20', dreißig: '30' },
}
/** By how much, and which way. */
const BY = new RegExp(
  `${B}(?:by |um |for )?(?:about |ca |circa )?(?<n>${MOVE_COUNT}|${Object.keys(COUNTS).join('|')}) ?(?<unit>${MOVE_UNIT})(?<half> and a half)?(?: (?<way>later|back|earlier|sooner|forward|up|nach hinten|nach vorne?|später|früher|vor|zurück))?${E}`,
  'iu',
)
const EARLIER = new RegExp(
  `${B}(?:earlier|sooner|forward|up|vor|nach vorne?|früher|prepone\\p{L}*|vorziehen|zieh|vorgezogen)${E}`,
  'iu',
)
const LATER = new RegExp(
  `${B}(?:later|back|postpone\\p{L}*|delay\\p{L}*|push|pushed|nach hinten|später|verschieb\\p{L}*|verschob\\p{L}*|schieb\\p{L}*)${E}`,
  'iu',
)
/** By how much it ends later, or sooner. */
const LONGER = new RegExp(`${B}(?:verläng\\p{L}*|länger|extend\\p{L}*|lengthen\\p{L}*|longer)${E}`, 'iu')
const SHORTER = new RegExp(`${B}(?:verkürz\\p{L}*|kürz|kürze|kürzen|kürzer|shorten\\p{L}*|shorter)${E}`, 'iu')
/** Of another kind: a reminder, a mail, a list; of more than one; or something is to be done besides. */
const ELSE = new RegExp(
  `${B}(?:remind\\p{L}*|alarm|wake|erinner\\p{L}*|wecker|timer|e?-?mails?|mailed|nachricht\\p{L}*|lists?|\\p{L}*liste|tasks?|to-?do|if|unless|wenn|falls|sofern|every|each|all|both|everything|jede[nrsm]?|alle[ns]?|beide\\p{L}*|tell|let|invite|text|call him|call her|sag|sage|informier\\p{L}*|schreib\\p{L}*|lad|lade|book|add|trag|take|nimm|job|jobs)${E}`,
  'iu',
)
/** Behind it, that it is to be put right. */
const ASKED = new RegExp(
  `[\\s,;.!–-]*(?:${B}(?:and|und|so|please|pls|bitte|also))*\\s*${B}(?:(?:can|could|would|will) (?:you|u) (?:please )?(?:fix|change|sort|correct|update|move|amend|alter|do)(?: (?:that|it|this|me|my diary|my calendar|the diary|for me|out|accordingly|please)){0,3}|(?:please |pls )?(?:fix|change|correct|amend|alter|update|sort) (?:it|that|this|(?:my|the) (?:diary|calendar))(?: (?:accordingly|please|for me|out))*|(?:kannst du |könntest du )?(?:das |es |ihn |sie )?(?:bitte |mal )*(?:ändern|anpassen|korrigieren|richtigstellen|umtragen)|(?:änder|korrigier|pass)e? (?:das|es|ihn|sie)(?: (?:bitte|mal|an))*)[\\s?.!]*$`,
  'iu',
)
/** Words that stand around, and name no event. */
const SMALL: ReadonlySet<string> = new Set(
  (
    'lieber besser rather better no nope sorry soz oh wait wrong correction actually bother boah nee nein falsch falscher tag korrektur kleine übrigens geirrt habe not nicht moved move reschedule rescheduled shift shifted push pushed bump bumped ' +
    'change changed switch switched postpone postponed delay delayed put back forward bring brought go goes has had have having been be now is it its thats that only just instead ' +
    'starts begins start begin starting beginnt fängt an geht findet statt verschoben verschieben verschieb verschiebe verschiebn schieb schiebe schieben verlegt verlegen verleg leg lege legen umgelegt vorgezogen geändert ändern verlängert verlängern verlängere verlänger verkürzt verkürzen verkürze verkürz kürz kürze kürzen kürzer länger longer shorter extend extended shorten shortened lengthen soll sollte sollen sein mach mache machen make kannst könntest könnten können wir can could you would worden wurde wird doch erst jetzt nun schon wieder ' +
    'wrongly down got youve i ive playing same time same selbe gleiche zeit uhrzeit uhr oclock later earlier by um hinten vorne nach prepone vorziehen sooner thing deadline coming comes going goes kommt kommen arriving arrives picking event appointment termin meeting mtg den die das der please pls bitte said says wife husband'
  ).split(' '),
)
/** What a time that was read leaves beside it, where it was read in part. */
const IN_PART = new RegExp(
  `${B}(?:week|weeks|woche|wochen|month|monat|after|before|next|last|nächste\\p{L}*|danach|davor|übernächste\\p{L}*|sometime|irgendwann|between|zwischen)${E}`,
  'iu',
)
const GERMAN_DAYS: Readonly<Record<string, string>> = {
  ...{ mo: 'montag', di: 'dienstag', mi: 'mittwoch', do: 'donnerstag', fr: 'freitag' },
  ...{ sa: 'samstag', so: 'sonntag' },
}
const HOURS = 'one two three four five six seven eight nine ten eleven twelve'.split(' ')
const SPELT = new RegExp(`${B}(${HOURS.join('|')}) o['’]?clock${E}`, 'giu')
const BARE_NUMBER = /(?<![\p{L}\d:/-])\d+(?![\p{L}\d:/-])/u
/** "Monday in a week". */
const WEEK_LATER = new RegExp(
  `${B}(?:in (?:einer|1) woche|in a week|week(?= on)|(?:mon|tues|wednes|thurs|fri|satur|sun)day week)${E}`,
  'iu',
)

/** What it is, where nothing else names it: "the meeting is at 11 now". */
const KIND = new RegExp(`${B}(?:meeting|mtg|appointment|termin)${E}`, 'iu')

interface Piece {
  readonly how: 'old' | 'to' | 'is' | 'start'
  readonly text: string
  readonly span: Span | null
  /** Without its time. */
  readonly rest: string
}

/** Null for a message of another kind. */
export function correctedIn(typed: string, moment: Moment): MoveReading | null {
  const text = coreAsTyped(typed)
    .trim()
    .replace(ASKED, '')
    .replace(/\s+/g, ' ')
    .replace(SPELT, (_, hour: string) => `${HOURS.indexOf(hour.toLowerCase()) + 1}:00`)
  if (text.length > LONGEST || /[?"“”„«»@]/.test(text) || ELSE.test(text) || saysAgain(text)) return null
  if (WEEK_LATER.test(text)) return null
  return shiftedIn(text, moment) ?? newTimeIn(text, typed, moment)
}

/** Later, earlier, longer or shorter by a length. */
function shiftedIn(text: string, moment: Moment): MoveReading | null {
  const found = BY.exec(text)
  const { n = '', unit = '', half, way } = found?.groups ?? {}
  if (found === null || MORE.test(text.slice(found.index + found[0].length))) return null
  const isLength = (LONGER.test(text) || SHORTER.test(text)) && !EARLIER.test(text) && !LATER.test(text)
  const kind = isLength ? 'length' : 'shift'
  if (n === '' || !(way !== undefined || isLength || MOVES.test(text))) return null
  const [less, more] = isLength ? [SHORTER, LONGER] : [EARLIER, LATER]
  const sign = less.test(text) ? -1 : more.test(text) ? 1 : null
  const by =
    sign === null
      ? null
      : moveBy({ n: COUNTS[n.toLowerCase()] ?? n, unit, half: half !== undefined }, kind, sign)
  if (by === null) return null
  const { span, rest } = readDates(text.replace(BY, ' '), moment)
  const topic = nameIn(rest, true)
  return topic === null || (span !== null && span.named !== 'days') ? null : { topic, at: span, ...by }
}

function newTimeIn(text: string, typed: string, moment: Moment): MoveReading | null {
  const pieces = piecesOf(text, moment)
  const old = pieces.filter(({ how, span }) => how === 'old' && span !== null)
  const others = pieces.filter(({ how, span }) => how !== 'old' && span !== null)
  const next = others.findLast(({ how }) => how === 'to') ?? (others.length === 1 ? others[0] : undefined)
  if (next?.span == null || old.length > 1 || others.length > 2) return null
  // What is so is corrected only by what is not, or by a word that says so.
  if (pieces.slice(pieces.indexOf(next)).some(({ rest }) => MORE.test(rest))) return null
  const isChanged = SO_NOW.test(text) || (MOVES.test(text) && (next.how === 'to' || ASKED.test(typed)))
  if (old.length === 0 && !isChanged) return null
  const topic = nameIn(pieces.map(({ rest }) => rest).join(' '), SO_NOW.test(text))
  if (topic === null) return null
  const to = moveTo(next.span, next.text)
  if (to === null) return null
  const now = old[0]?.span ?? others.find((one) => one !== next)?.span ?? null
  return { topic, at: wholeDayOf(now, pieces, moment), ...to, by: null }
}

/** The words of the first clause that has any; what stands in others is only said. `hasKind`: what kind of thing it is may name it. */
function nameIn(left: string, hasKind: boolean): string | null {
  if (
    IN_PART.test(left.replace(/(?:same|selben?|gleichen?) (?:time|zeit|uhrzeit)/giu, '')) ||
    BARE_NUMBER.test(left)
  )
    return null
  const named = (text: string): readonly string[] =>
    namedWords(text).filter((word) => !SMALL.has(word.toLowerCase().replaceAll(/['’]/g, '')))
  const clauses = left.split(/[,;:.!–—]+\s+/u).filter((clause) => named(clause).length > 0)
  // Without a word that says so "my meeting is on Friday" tells something.
  const kind = hasKind ? KIND.exec(left)?.[0] : undefined
  const [first = kind, ...others] = clauses
  if (first === undefined || !others.every((clause) => isAside(clause.trim()))) return null
  const words = clauses.length === 0 ? [first] : named(first)
  return words.length > MOST_NAMED ? null : words.join(' ')
}

/** The old time says when it is where a day is named; an hour of it is of no day that is known. */
function wholeDayOf(now: Span | null, pieces: readonly Piece[], { zone }: Moment): Span | null {
  if (now === null || now.named !== 'time') return now
  const piece = pieces.find(({ span }) => span === now)
  if (piece === undefined || !namesADay(piece.text)) return null
  const day = zone.dayOf(now.from)
  return { from: zone.instantOf(day, 0), to: zone.instantOf(day, 0) + DAY, named: 'days' }
}

function piecesOf(text: string, moment: Moment): readonly Piece[] {
  const cuts = [...text.matchAll(CUT)]
  const starts = [0, ...cuts.map(({ index, 0: mark }) => index + mark.length)]
  const ends = [...cuts.map(({ index }) => index), text.length]
  return starts.map((start, at) => {
    const mark = cuts[at - 1]
    const word = mark?.[0].toLowerCase() ?? ''
    const how =
      mark === undefined ? 'start' : mark.groups?.['old'] !== undefined ? 'old' : TO.has(word) ? 'to' : 'is'
    return pieceOf(how, text.slice(start, ends[at]).trim(), moment)
  })
}

/**
 * An old time begins its piece: "not sure, thursday" has none. A bare number is an hour, or a day with a dot
 * behind it.
 */
function pieceOf(how: Piece['how'], text: string, moment: Moment): Piece {
  const dayed = text
    .replace(
      /^(?:am |den |dem |zum )?(\d{1,2})\.(?=$|,|\s(?!(?:jan|feb|mär|apr|mai|jun|jul|aug|sep|okt|nov|dez)))/iu,
      'the $1th',
    )
    .replace(
      /^(?:am )?(mo|di|mi|do|fr|sa|so)(?=$|[\s,])/iu,
      (short) => GERMAN_DAYS[short.toLowerCase().replace('am ', '')] ?? short,
    )
  const bare = dayed.replace(
    /^(?:(?:at|the|um|erst|gegen|on the|at the) )+(?=\d{1,2}(?!\d| ?uhr|th|st|nd|rd)|half|quarter|halb|viertel)/iu,
    '',
  )
  const first = /^\d{1,2}(?:[.:]\d\d)?(?![\d.:]| ?uhr|th|st|nd|rd)/i.test(bare) ? `at ${bare}` : bare
  for (const said of how === 'old' ? leadsOf(first) : [clockOf(first)]) {
    const { span, rest } = readDates(said, moment)
    if (span === null || (how === 'old' && rest.trim() !== '')) continue
    return { how, text: said, span, rest: how === 'old' ? `${rest} ${first.slice(said.length)}` : rest }
  }
  return { how, text, span: null, rest: text }
}

/** Beginnings of up to five words, the longest first, of which a time must take all. */
function leadsOf(text: string): readonly string[] {
  const words = text.split(' ').slice(0, 5)
  return words
    .map((_, at) =>
      words
        .slice(0, words.length - at)
        .join(' ')
        .replace(/[,;.!]+$/, ''),
    )
    .filter((one) => one !== '')
}

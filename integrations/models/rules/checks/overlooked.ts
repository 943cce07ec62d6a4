/**
 * Rejects reads that answer another question than was asked: about another person, about something that is in
 * no calendar, about something to be done, or ignoring a part that changes the question. Works on the text
 * alone; must not plan. Called by misread.ts.
 */
import { type Moment, readDates } from '../../../dates/read.ts'

const B = '(?<![\\p{L}\\p{N}])'
const E = '(?![\\p{L}\\p{N}])'

/** What the owner's own time is asked by. */
const OF_OWNER = word(
  "(?:i|i'm|im(?= (?:free|on|off|in|busy|at|doing|meeting|seeing|going|out|home|working|not|due|back|supposed|meant)(?!\\p{L}))|i've|ive|me|my|mine|we|we're|we've|us|our|ich|mir|mich|mein\\p{L}*|wir|uns|unser\\p{L}*|calendar|diary|schedule|agenda|kalender|appointments?|meetings?|termine?)",
)
/** Somebody or something else is the one who has time, behind the verb of a question. */
const SUBJECT =
  "(?<subject>(?!(?:i|we|there|it|that|this|any|anything|anyone|all|me|my|our|the|you|your|ich|wir|es|da|das|mein\\p{L}*|unser\\p{L}*|noch|am|im|der|die|du|sie|gibt)(?![\\p{L}']))[\\p{L}][\\p{L}'’.-]*(?: [\\p{L}][\\p{L}'’.-]*){0,2}?|(?:the|die|der|das) \\p{L}+(?: \\p{L}+)?)"
const OTHERS_TIME: readonly RegExp[] = [
  word(`(?:is|are) ${SUBJECT} (?:\\p{L}+ )?(?:free|available|busy|off|around|in)`),
  word(`(?:does|do|has|have) ${SUBJECT} (?:have|got|has) (?:anything|something|time|any|a free|plans)`),
  word(`(?:is|does|can|could|when) it (?:open|close|shut|start|free)`),
  word(
    `(?:ist|sind|hat|haben|hätte|kann|könnte) ${SUBJECT} (?:(?:da|dann|noch|auch|schon|am|um|so) )*(?:frei|zeit|verfügbar|was vor|etwas vor)`,
  ),
]
/** Words that stand for the owner, or for a day, where a subject would. */
const NO_OTHER =
  /^(?:(?:me|my|i|we|us|our|both|ich|wir|mein\p{L}*)(?!\p{L})|.* (?:and|und|&) (?:i|me|ich)$)|(?<!\p{L})(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|morning|afternoon|evening|tomorrow|today|week|weekend|month|day|night|slot|time|hour|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|morgen|heute|vormittag|nachmittag|abend|woche|tag)(?!\p{L})/iu

/** Days of everyone, what opens and runs for everyone, and what is measured. */
const EVERYONES = word(
  '(?:easter|thanksgiving|ramadan|eid|diwali|passover|hanukkah|pentecost|bank holidays?|public holidays?|daylight sav\\p{L}*|clocks|solstice|equinox|full moon|sunrise|sunset|ostern|pfingsten|\\p{L}*ferien|feiertage?|zeitumstellung|sommerzeit|winterzeit|vollmond|sonnenaufgang|sonnenuntergang|open|opens|opening|closed|closes|shut|shuts|öffnet|geöffnet|offen|geschlossen|pünktlich|verspätung|running|runs|trains?|buses|bus|trams?|flights?|zug|züge|bahn|s-bahn|u-bahn|straßenbahn|fähre|ferry)',
)
const MEASURED = new RegExp(
  `^(?:(?:hey|hi|and|und|so|ok)[ ,]+)*(?:how (?:far|high|tall|old|big|heavy|wide|deep|expensive|cold|hot|warm|much)|wie (?:weit|hoch|alt|groß|schwer|breit|tief|teuer|warm|kalt))${E}`,
  'iu',
)
const BETWEEN_PLACES = word(
  '(?:wie lang\\p{L}* (?:fahr|brauch|geh|lauf|fliegt?)\\p{L}*|how long (?:does it take|is the (?:drive|walk|journey|flight|ride)|to (?:drive|walk|get)|(?:are|is|do|does|can|should|will|would) (?:you|one|it|an?|people|they)))',
)
/** A time of a clock by the letters of its zone. */
const OF_ZONES = /(?<!\p{L})(?:[PMCEIJA][SD]T|CES?T|GMT|BST|UTC)(?!\p{L})/u
/** Days that must follow each other, of which a look shows nothing. */
const IN_A_ROW = word(
  '(?:in a row|on the trot|hintereinander|am stück(?= frei)|full day|whole day|ganze[nr]? tag)',
)

/** Something is to be moved, booked or taken back. */
const WANTS_CHANGE = word(
  '(?:(?:need|want|have|like|got|trying|going) to (?:move|cancel|reschedule|change|shift|push|swap|rebook|postpone)|(?:muss|möchte|will|würde|wollte)(?: [\\p{L}\\p{N}.-]+){1,8} (?:verschieben|absagen|verlegen|umbuchen|tauschen|ändern))',
)
/** It is of all but something, or of what was asked before. */
const BUT = word(
  '(?:except|apart from|other than|unless|außer|bis auf|the same (?:for|again|with|but)|dasselbe|das gleiche|das selbe)',
)
/** Asks, or wants to be shown something. */
const SHOWS = new RegExp(
  `\\?|${B}(?:what|whats|what['’]s|when|whens|when['’]s|where|wheres|where['’]s|which|who|whos|who['’]s|how|hows|how['’]s|why|whether|anything|something|any|was|wann|wo|wer|wem|wen|wie|welche\\p{L}*|warum|ob|irgendwas|etwas|gibt|gibts|rundown|overview|summary|überblick|übersicht)${E}|(?:^|[,;.!:] *|${B}(?:and|und|please|pls|bitte|to|you|me|mir|mal|u) )(?:show|list|tell|check|find|see|look|give|read|run|go|brief|remind|zeig\\p{L}*|sag\\p{L}*|such\\p{L}*|schau\\p{L}*|guck\\p{L}*|lies|nenn\\p{L}*|gib)${E}|^(?:(?:hey|hi|ok|so|and|und|moin|na|morning|hello|hallo)[ ,!.]+)*(?:am|is|are|do|does|did|have|has|had|will|would|can|could|should|bin|ist|sind|hab|habe|hat|haben|hast|muss|soll|kann|darf|werde|komm\\p{L}*|steht|geht)${E}`,
  'iu',
)
/** Words of a message that may be the name of a time, or of what is looked at, without a verb. */
const MOST_BARE = 6

/** Asked to do what only somebody else can: a polite request whose verb does not look for anything. */
const ENGLISH_ASKED = new RegExp(
  `${B}(?:can|could|would|will) (?:you|u) (?:please |pls |kindly |just |maybe |also |ever )*(?<verb>\\p{L}+)`,
  'iu',
)
const GERMAN_ASKED = new RegExp(
  `${B}(?:kannst|könntest|würdest|kannste|können|könnten|würden)(?: du| sie)?${E}(?<rest>[^.?!;]{2,160}?)(?:[.?!;]|$)`,
  'iu',
)
const LOOKS: ReadonlySet<string> = new Set(
  (
    'find search look show check see tell get read open pull dig bring list give summarise summarize sum remind have take go run fetch locate hunt help do let be ' +
    'recall remember explain confirm say know work figure suggest recommend name count compare google browse scan skim list'
  ).split(' '),
)
const GERMAN_LOOKS =
  /(?:such|find|zeig|schau|guck|kuck|sag|les|öffn|hol|nenn|nachseh|seh|prüf|check|herausfind|rausfind|raussuch|erzähl|google|erinner|hinweis|verrat|mitteil|geb|gib|auflist|zusammenfass|erklär|empfehl|mach|bring|kläre?n?|ermittel|aufmach|wissen|helf|haben|sein|werden)\p{L}*$/iu

/**
 * Whether a look at the calendar, at free time or at mails answers another question. `tool`: of the only
 * step; `exact`: a sentence accounts for every word.
 */
export function isOverlooked(
  tool: string,
  request: string,
  { moment, exact }: { readonly moment: Moment; readonly exact: boolean },
): boolean {
  const text = request.trim()
  if (OF_TIME.has(tool)) {
    const { rest } = readDates(text, moment)
    // Such a sentence has room for any name.
    if (isOfOther(rest)) return true
    if (EVERYONES.test(rest) && !OF_OWNER.test(text) && hasThing(rest)) return true
  }
  if (exact) return false
  if (BUT.test(text)) return true
  if (OF_TIME.has(tool)) {
    if (WANTS_CHANGE.test(text) || BETWEEN_PLACES.test(text)) return true
    if (MEASURED.test(text) || OF_ZONES.test(text) || (tool === 'calendar.freebusy' && IN_A_ROW.test(text)))
      return true
    return !SHOWS.test(text) && text.split(/\s+/).length > MOST_BARE
  }
  return SOUGHT.has(tool) && (isAskedOtherwise(text) || WANTS_CHANGE.test(text))
}

const OF_TIME: ReadonlySet<string> = new Set(['calendar.list_events', 'calendar.freebusy'])
const SOUGHT: ReadonlySet<string> = new Set(['email.search', 'files.search', 'memory.search', 'files.read'])

function isOfOther(rest: string): boolean {
  return OTHERS_TIME.some((pattern) => {
    const found = pattern.exec(rest)
    return found !== null && !NO_OTHER.test(found.groups?.['subject'] ?? '')
  })
}

/** "Is friday open": without its time nothing is left that could be open. */
function hasThing(rest: string): boolean {
  const words = rest.toLowerCase().match(/\p{L}[\p{L}'’-]*/gu) ?? []
  return words.filter((one) => one.length > 3 && !/^(?:open|when|what|wann|offen)/.test(one)).length > 0
}

function isAskedOtherwise(text: string): boolean {
  const verb = ENGLISH_ASKED.exec(text)?.groups?.['verb']?.toLowerCase()
  if (verb !== undefined && !LOOKS.has(verb)) return true
  const asked = GERMAN_ASKED.exec(text)?.groups?.['rest']
  const last =
    asked === undefined
      ? undefined
      : asked
          .trim()
          .split(/[\s,]+/)
          .at(-1)
  return last !== undefined && /(?:en|ern|eln)$/u.test(last) && !GERMAN_LOOKS.test(last)
}

function word(source: string): RegExp {
  return new RegExp(`${B}${source}${E}`, 'iu')
}

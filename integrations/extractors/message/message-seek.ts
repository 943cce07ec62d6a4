/**
 * Reads a question that names a place of storage and what is sought there, in any order: "there was an email
 * from payroll about my hours". It becomes a search there for the other words. Must not read a change. Called
 * by message-learned.ts.
 */
import { type Moment, readDates } from '../../dates/read.ts'
import type { Phrase, Phrases } from '../../tools/phrase.ts'
import { FILLER, saysSecond } from './message-coverage.ts'

/** UTF-16 units: requests are short. */
const LONGEST = 300
/** Words that are sought, the first of them. */
const MOST = 6

/** Begins a clause, and asks for something else than to be shown it. */
const CHANGES =
  /(?:^|[.;,!?]|(?<!\p{L})(?:and|then|also|und|dann)) *(?:(?:please|pls|also|bitte|can you|could you|kannst du) )*(?:add|bin|trash|clear|throw|get rid|scrap|ditch|remind|book|send|tell|let|email|mail|reply|answer|forward|fwd|draft|put|delete|remove|archive|cancel|write|move|set|make|buy|save|remember|mark|file|pay|print|schedule|create|change|attach|erinner\p{L}*|schreib\p{L}*|trag\p{L}*|setz\p{L}*|schick\p{L}*|sag\p{L}*|lösch\p{L}*|leit\p{L}*|antwort\p{L}*|beantwort\p{L}*|archivier\p{L}*|markier\p{L}*|verschick\p{L}*|sende\p{L}*|bestätig\p{L}*|abonnier\p{L}*|bestell\p{L}*|nimm|tu|räum\p{L}*|unsubscribe|verschieb\p{L}*|merk\p{L}*|druck\p{L}*) (?!from|of|about|with|to me|von|vom)/iu
/** Asks for something to be found or shown. */
const SEEKS =
  /\?|^(?:what|whats|what's|when|where|wheres|where's|which|who|how|did|do|does|has|have|had|is|are|was|were|any|anything|something|find|search|look|show|get|read|open|summari[sz]e|sum up|dig|was|wann|wo|welche\p{L}*|wer|wie|hat|hab|habe|ist|gibt|gab|such(?! an? |\p{L}* an? )\p{L}*|find\p{L}*|zeig\p{L}*|lies|öffne|fass\p{L}*)(?!\p{L})|(?<!\p{L})(?:can't|cant|cannot|can not|couldn't) find|(?<!\p{L})(?:there (?:was|is|were|should be|must be)|theres|there's|looking for|need the|es gab|ich suche|müsste|finde .{0,60} nicht|check if|see if|schau\p{L}*)(?!\p{L})/iu
/** A rule, a condition, or a file by its name. */
const NOT_SOUGHT =
  /(?<!\p{L})(?:wants? to go|should go|belongs? in|goes in(?:to)?|(?:how|where) do (?:i|you)|what (?:is|are) an?|are you able|what happens|(?<!(?:check|see|out|look) )if|wenn|falls|every|each|jede[nrsm]?)(?!\p{L})|\S\.(?:pdf|docx?|odt|md|txt|csv|xlsx?|pptx?)(?!\p{L})/iu
/** Something is to be done with what is found. */
const OF_IT =
  /(?:[,;.?!]|(?<!\p{L})(?:and|und|n)) (?:(?!find|see|open)\p{L}+ ){1,5}(?<!(?:find|see|open|read) )(?:it|them|ihn|sie|es)(?!\p{L})/iu
/** Words of such questions that name nothing that stands in what is sought. */
const AROUND = new Set(
  (
    'find search look looking dig show read open summarise summarize sum up check see need want know remember think thought believe guess sure maybe perhaps ' +
    'sometime somewhere anywhere something anything nothing someone anyone everything stuff thing things lot bit ' +
    'said says say saying told tell tells mentioned mention ask asked asking wrote write written came come comes arrive arrived sent send ' +
    'where when what which who whose how why much many long old big exactly still ever even then than last next first few couple ' +
    'neues neue neuer moin hallo hi hey morning abgelegt rumliegen endlich ' +
    'week month year day days ago back again today yesterday since before after this that those there cant cannot couldnt dont wont wasnt isnt didnt ' +
    'or but because not no yes if whether over under between through inside about regarding concerning called named like said ' +
    'unread urgent important new go goes went among amongst shld should ought must supposed called either office people guys pls lol thx every each while during called subject ' +
    'he she they him her them his hers their theirs someone somebody anybody everybody were ive im id ill theres whats wheres whens ' +
    'suche such suchen finde finden zeig zeige lies lese öffne schau guck schaun fass zusammen irgendwo irgendwas irgendwann etwas was wann wo wer wie wieviel ' +
    'welche welcher welches welchen steht stand stehen gekommen bekommen gekriegt geschickt geschrieben hieß ging geht liegt liegen lag letzte letzten ' +
    'letztes letzter nächste woche monat jahr tag tage vor seit über wegen mit ohne oder und aber weil dass ob nicht kein keine keinen mehr müsste müsst ' +
    'sollte könnte glaub glaube denke vielleicht wohl dran daran drin darin drum darum wen wenn bis sich ihr ihm ihn ihre ihren diese dieser dieses diesen jemand man'
  ).split(' '),
)
const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}'’-]*/gu

export interface Sought {
  readonly phrase: Phrase
  readonly taken: Readonly<Record<string, string>>
}

/** Whether a clause behind the first one says where it is to be found. */
export function saysWhere(text: string, packages: readonly Phrases[]): boolean {
  const [, rest = ''] = /^.{4,}?[,;.?!]\s(.*)$/s.exec(text.slice(0, LONGEST)) ?? []
  return packages.some(({ sought }) => sought !== undefined && rest.search(namesOf(sought.names)) >= 0)
}

/** Whether a clause of it asks for a change. */
export function asksChange(text: string): boolean {
  return CHANGES.test(text.slice(0, LONGEST))
}

/** Null where no package's things are named, or nothing is left to look for. */
export function soughtIn(text: string, packages: readonly Phrases[], moment: Moment): Sought | null {
  if (text.length > LONGEST || !SEEKS.test(text) || CHANGES.test(text) || NOT_SOUGHT.test(text)) return null
  if (saysSecond(text) || OF_IT.test(text)) return null
  const places = packages.flatMap(({ sought }) => {
    const at = sought === undefined ? -1 : text.search(namesOf(sought.names))
    return sought === undefined || at < 0 ? [] : [{ sought, at }]
  })
  const [first] = places.toSorted((one, other) => one.at - other.at)
  if (first === undefined) return null
  const { sought } = first
  const plain = readDates(text, moment).rest.replace(namesOf(sought.names), ' ')
  const words = namedWords(plain)
  return words.length === 0
    ? null
    : { phrase: { says: {}, plan: sought.plan }, taken: { these: words.join(' ') } }
}

/** The words of a question that name something, as typed, the first of them. */
export function namedWords(text: string): readonly string[] {
  return [...new Set((text.match(WORD) ?? []).filter(isNamed))].slice(0, MOST)
}

function isNamed(word: string): boolean {
  const norm = word
    .toLowerCase()
    .replace(/['’]s?$/, '')
    .replaceAll(/['’]/g, '')
  return norm.length > 1 && !FILLER.has(norm) && !AROUND.has(norm)
}

const patterns = new Map<string, RegExp>()

function namesOf(source: string): RegExp {
  const known = patterns.get(source) ?? new RegExp(`(?<!\\p{L})(?:${source})(?!\\p{L})`, 'giu')
  patterns.set(source, known)
  known.lastIndex = 0
  return known
}

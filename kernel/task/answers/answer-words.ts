/**
 * What a short message says to a card: yes or no, a number, or the number of an option; and what became of it at intake. Pure. Must not
 * decide. Called by intake.ts, the features that answer cards, and the terminal.
 */
import type { ReasonCode } from '../../reasons.ts'
import { withoutOpeners } from './openers.ts'

export interface AnswerMessage {
  readonly decision: 'approve' | 'deny'
  /** Number or id of a card; empty for a bare yes or no. */
  readonly which: string
}

/** Said with a number, or by itself. */
const PLAIN: Readonly<Record<AnswerMessage['decision'], string>> = {
  approve: 'yes|y|ja|approve',
  deny: 'no|n|nein|deny',
}

/**
 * Phrases of which a yes or a no in other words is made, in English and German. A closed list that has to account for every word of the
 * message: with any other word, as in "ja, aber …" and "no, on Friday", it is neither.
 */
const PHRASES = {
  yes: 'yes|y|yep|yeah|yup|sure|sure thing|of course|definitely|agreed|ja|jo|jep|jup|jawohl|klar|na klar|ja klar|gern|gerne|sicher|natürlich|einverstanden',
  /** Fine with it: a yes to a question that asks for one. */
  fine: "ok|okay|okey|alright|all right|sounds good|looks good|looks right|looks fine|that's right|thats right|that is right|that's fine|thats fine|that is fine|that's good|fine by me|that works|works for me|perfect|passt|passt so|passt gut|das passt|in ordnung|ist in ordnung|geht klar|stimmt so|genau so",
  go: 'go ahead|go for it|do it|do that|mach das|mach es|mach das so|tu das|tu es',
  no: 'no|n|nope|nah|nein|nö|nee|ne',
  stop: "don't|dont|do not|don't do it|don't do that|don't send it|don't send that|do not send it|do not send that|leave it|leave it be|leave it as it is|leave that|forget it|forget that|never mind|nevermind|cancel|cancel it|cancel that|not now|not that|none of them|none of those|none of these|none of the above|none|neither|neither of them|neither of these|neither of those|lieber nicht|besser nicht|doch nicht|bitte nicht|nicht|nicht senden|nicht abschicken|nicht schicken|lass|lass es|lass mal|lass das|lass gut sein|lass es so|mach es nicht|mach das nicht|vergiss es|vergiss das|lieber nich|besser nich|doch nich|bitte nich|nich|abbrechen|brich ab|keins|keines|keiner|keinen|keine davon|keins davon|keines davon|keiner davon|keinen davon|keine von beiden|keins von beiden|keinen von beiden|keiner von beiden|nichts davon|weder noch",
  /** What is to be done with it: says nothing alone, for it may be another wish. */
  act: 'send it|send that|send them|send it off|send it now|book it|book that|add it|add that|put it in|save it|post it|do so|schick es|schick es ab|schick sie ab|schick ab|abschicken|senden|trag es ein|trag ihn ein|eintragen|mach|mach mal',
  glad: 'lovely|great|good|nice|cool|fine|right|brilliant|wonderful|excellent|super|prima|gut|toll|schön|genau|perfekt|spitze|oh|ah',
  polite:
    'please do|please|thanks|thank you|thank you very much|now|then|bitte|danke|danke schön|jetzt|dann|mal',
} as const

/** Words that say nothing by themselves. */
const COMMANDS = { approve: true, deny: true } as const

/** The word and a number, nothing more. Only a command takes an id. */
const SAID = new RegExp(
  `^(?:(?<plain>${PLAIN.approve}|${PLAIN.deny})(?: +(?<number>[1-9]\\d{0,8}))?[.!]{0,3}|\\/(?<command>approve|deny)(?:\\s+(?<which>[\\w.-]{1,80}))?)$`,
)
const KINDS = Object.entries(PHRASES).flatMap(([kind, phrases]) =>
  phrases.split('|').map((phrase) => ({ kind: kind as keyof typeof PHRASES, phrase })),
)
/** Longer phrases first: "lass es" is one, and "lass" another. */
const LONGEST_FIRST = KINDS.toSorted((one, other) => other.phrase.length - one.phrase.length)
/** UTF-16 units of the longest such message; of a longer one nothing is looked at. */
const LONGEST = 60

function decisionOf(word: string): AnswerMessage['decision'] | null {
  if (PLAIN.approve.split('|').includes(word)) return 'approve'
  return PLAIN.deny.split('|').includes(word) ? 'deny' : null
}

/** "Nooo", "nöö" and "neee" as they are spelt. */
function shortened(text: string): string {
  return text.replaceAll(/(?<!\p{L})(no|nö|nee)[oöe]+(?!\p{L})/giu, '$1')
}

/** The kinds of phrases that a message is made of, whatever stands between them; null where any other word stands. */
function kindsIn(text: string): ReadonlySet<keyof typeof PHRASES> | null {
  if (text.length > LONGEST) return null
  let rest = shortened(text)
    .toLowerCase()
    .replaceAll('’', "'")
    .replaceAll(/[\s,.!]+/g, ' ')
    .trim()
  const kinds = new Set<keyof typeof PHRASES>()
  while (rest !== '') {
    const found = LONGEST_FIRST.find(({ phrase }) => rest === phrase || rest.startsWith(`${phrase} `))
    if (found === undefined) return null
    kinds.add(found.kind)
    rest = rest.slice(found.phrase.length).trim()
  }
  return kinds
}

/** A yes or a no in other words. */
function meantBy(text: string): AnswerMessage['decision'] | null {
  const kinds = kindsIn(text)
  if (kinds === null || text.includes('\n')) return null
  const isYes = kinds.has('yes') || kinds.has('fine') || kinds.has('go')
  const isNo = kinds.has('no') || kinds.has('stop')
  // "Nein, gut" and "ok, send it, no" leave open what is meant.
  if (isNo) return isYes || kinds.has('act') || kinds.has('glad') ? null : 'deny'
  return isYes ? 'approve' : null
}

/** Whether it says neither yes nor no, so that it may be about anything else that was said since: "ok", "cancel it". */
export function isLooseAnswer(text: string): boolean {
  const kinds = kindsIn(text.trim())
  return kinds !== null && (kinds.has('stop') || !['yes', 'no', 'go'].some((one) => kinds.has(one as 'yes')))
}

/** "No", with whatever is said beside it: it is for a card that waits, and changes nothing. */
export function isPlainNo(text: string): boolean {
  if (HASTY.test(text.trim().toLowerCase())) return true
  return kindsIn(text.trim())?.has('no') === true && meantBy(text.trim().toLowerCase()) === 'deny'
}

/** Whether it answers a card without saying yes or no, such as "lovely" and "send it": nothing is decided by it. */
export function isUnclearAnswer(text: string): boolean {
  const kinds = kindsIn(text.trim())
  return kinds !== null && kinds.size > 0 && meantBy(text.trim().toLowerCase()) === null
}

/**
 * A no with a word of haste beside it, or with where the thing stays, which leaves nothing open: "no, wait", "halt, nein", "no,
 * leave it in spam".
 */
const NO_WORD = '(?:no+|nope|nah|nein|n[eö]+)'
const HOLD =
  "(?:wait|wait a (?:second|minute|moment)|hold on|stop|don[’']?t|warte|warte mal|halt|stopp?|moment(?: mal)?|lieber nicht?|doch nicht?|tu(?: das)? nicht?)"
const STAYS = `(?:(?:please|just|bitte) +)?(?:(?:leave|keep) +(?:it|that|this|them|those)|lass(?:e|t)? +(?:es|das|sie|ihn|die|den|alles))(?: +(?!and |und |but |aber |then |dann )[^\\s,.!?;:]+){0,5}`
const HASTY = new RegExp(
  `^(?:${NO_WORD}(?:,? +${HOLD})+|(?:wait|hold on|stop|warte|halt|stopp?|moment),? +(?:no|nein)|${NO_WORD}(?:,? +${HOLD})*,? +${STAYS})[.!]*$`,
)

const NUMBERS = '[1-9]\\d{0,8}(?:(?:,| and| und| &),? *[1-9]\\d{0,8})+'
const ALL =
  '(?:both|all|both of them|all of them|everything|all (?:two|three|four)|beide[nm]?|alle[nm]?|alles)'
const WORD = '(?<word>yes|y|ja|approve|no|n|nein|deny)'
const SEVERAL: readonly RegExp[] = [
  new RegExp(`^${WORD}[,:]? +(?:(?:to |zu |for )?${ALL}|${NUMBERS})[.!]*$`),
  // "Yes, remember both": what is to be done with them is on each card.
  new RegExp(
    `^${WORD}[,:]? +${ALL} +(?:bitte )?(?:merken|speichern|behalten|senden|schicken|abschicken|eintragen|buchen|machen)[.!]*$`,
  ),
  new RegExp(`^${WORD}[,:]? +(?:please )?(?:remember|save|keep|send|book|add|do) +${ALL}[.!]*$`),
  // "To both yes", "13 yes and 15 too": what is said of one of them is none of the other's own.
  new RegExp(`^(?:(?:to|zu) )?(?:${ALL}|${NUMBERS})[,:]? +${WORD}[.!]*$`),
  new RegExp(`^[1-9]\\d{0,8} +${WORD},? +(?:and|und) +[1-9]\\d{0,8} +(?:too|as well|auch)[.!]*$`),
]

/** Ends all that waits, in a word for it. */
const ENDS_ALL =
  /^(?:(?:cancel|deny|refuse|reject) (?:both|all|everything|all of (?:them|it|these|those))|(?:alles|alle|beide) (?:abbrechen|ablehnen|verwerfen)|(?:brich|brech|lehne?) (?:alles|alle|beide) ab)(?:,? (?:please|bitte))?[.!]*$/

interface SeveralAnswer {
  readonly decision: AnswerMessage['decision']
  /** Numbers of the cards; none for all that wait. */
  readonly which: readonly string[]
  /** As many as there have to be, where that is said. */
  readonly count: number | null
}

function wordIn(said: string): string {
  return SEVERAL.map((form) => form.exec(said)?.groups?.['word']).find((word) => word !== undefined) ?? ''
}

/** A yes or a no that is said to several cards at once; null for any other message. */
export function severalInMessage(text: string): SeveralAnswer | null {
  const said = text.trim().toLowerCase()
  const decision = ENDS_ALL.test(said) ? 'deny' : decisionOf(wordIn(said))
  const count = /\b(?:both|beide[nm]?|two)\b/.test(said) ? 2 : null
  return decision === null ? null : { decision, which: said.match(/\d+/g) ?? [], count }
}

/** Whether a yes or a no is said in words that people answer other things with, too. */
export function isOtherwiseSaid(text: string): boolean {
  const typed = text.trim().toLowerCase()
  return !SAID.test(typed) && !HASTY.test(typed) && meantBy(typed) !== null
}

/** By their beginnings, the first one first. */
const COUNTED =
  '1|1st|first|one|eins|erste 2|2nd|second|two|zwei|zweite 3|3rd|third|three|drei|dritte 4|4th|fourth|four|vier|vierte 5|5th|fifth|five|fünf|fünfte 6|6th|sixth|six|sechs|sechste'.split(
    ' ',
  )
/** Of a card by its place: no cardinal, which may be its number. */
export const PLACES: readonly string[] = COUNTED.map((words) =>
  words
    .split('|')
    .filter((_, at) => [1, 2, 5].includes(at))
    .join('|'),
)
/** The last of the options, however many there are. */
export const LAST_CHOICE = -1
const NUMBERED = new RegExp(
  `^(?:(?:i (?:want|choose|pick)|i['’]ll (?:take|have)|take|use|pick|choose|ich nehme|nimm) +)?(?:(?:the|der|die|das|den|dem) +)?(?:(?:option|number|nummer|nr\\.?|no\\.|#) *)?(?:(?<last>last|letzte)|(?<choice>${COUNTED.join('|')}|[7-9]))(?:[nrs]|[.)!])?(?: (?:one|option|eine?n?))?(?:,? (?:please|bitte|thanks|danke|(?:meinte|meine|nehme|wollte|will) ich|i (?:meant?|want)))?[.!]*$`,
  'iu',
)

/** Number of an option, from 1, or LAST_CHOICE, for a message that is nothing else. */
export function choiceInMessage(text: string): number | null {
  const { last, choice } = NUMBERED.exec(withoutOpeners(text))?.groups ?? {}
  if (last !== undefined) return LAST_CHOICE
  const at = COUNTED.findIndex((words) => words.split('|').includes(choice?.toLowerCase() ?? ''))
  return choice === undefined ? null : at < 0 ? Number(choice) : at + 1
}

/** Null for a message that contains anything else, such as "no, on Friday". */
export function answerInMessage(text: string): AnswerMessage | null {
  const typed = text.trim().toLowerCase()
  if (HASTY.test(typed)) return { decision: 'deny', which: '' }
  const { plain, number, command, which } = SAID.exec(typed)?.groups ?? {}
  const decision = decisionOf(plain ?? command ?? '') ?? meantBy(typed)
  // "approve" or "deny" without a number is an ordinary request.
  if (decision === null || (plain !== undefined && plain in COMMANDS && number === undefined)) return null
  return { decision, which: number ?? which ?? '' }
}

const AGREES_AND_KEEPS =
  /^(?:yes|yep|yeah|yup|ja|jo|jep|jup|ok|okay)(?!\p{L}).*(?<!\p{L})(?:remember|memori[sz]e|note|save|keep|store|merke?n?|speicher[en]?|speichern|behalten?|notieren?|aufschreiben)(?!\p{L})/isu

/** "Yes, remember both": it agrees to what waits, in words that are no answer, and is no new thing to remember. */
export function agreesToKeep(text: string): boolean {
  return AGREES_AND_KEEPS.test(text.trim())
}

/** UTF-16 units of a no with a request behind it. */
const LONGEST_NO = 300
/** What may stand right behind a no without a mark between: "no messages?" and "no problem" are no such thing. */
const GOES_ON =
  "wait|hold|just|leave|keep|the other|another|to (?:the|that|this)|i |that(?:[’']s| is)|lass|vergiss|warte|halt|nur|einfach|de[rnm] andere|die andere|das andere|zu (?:der|dem|dieser|diesem)|ich |das ist|lieber nicht?|doch nicht?|bitte nicht?"
const NO_FIRST = new RegExp(`^${NO_WORD}(?:\\s*[,;.!–—-]+\\s*|\\s+(?=(?:${GOES_ON})))(?<rest>\\S.*)$`, 'isu')
/** Of what the card has: its time, its people, its name or place. */
const OF_CARD =
  /^(?:(?:to|an|at|um|on|am|for|für|in|im|bei|with|mit|without|ohne|from|von|vom|ab|bis|till|until|not|nicht|and|und|make|mach|change|ändere?|set|setz|edit|call|nenn|say|sag|schreib|write|add|use|nimm)(?!\p{L})(?! (?:the|that|this|der|dem) \p{L}+ one))|(?<!\p{L})(?:title|titel|subject|betreff|place|ort|location|instead|stattdessen|lieber|rather)(?!\p{L})/iu

/** What follows a no that is a request of its own, and no other time, person or text of the card: "no, the other Tom". */
export function restOfNo(text: string): string | null {
  const said = text.trim()
  const rest = said.length > LONGEST_NO ? undefined : NO_FIRST.exec(said)?.groups?.['rest']
  if (rest === undefined || answerInMessage(said) !== null || severalInMessage(said) !== null) return null
  return rest
}

/** Whether what stands behind a no is about the card itself. */
export function isOfCard(rest: string): boolean {
  return OF_CARD.test(rest)
}

/** Result of a typed answer at intake: ids and codes. */
export type TypedAnswer = TypedOne | { readonly answers: readonly TypedOne[] }

/** What became of one card, or of none. */
export type TypedOne =
  /** `speaks`: a task continues because of it, and that task's answer is the reply. */
  | { readonly decided: string; readonly decision: AnswerMessage['decision']; readonly speaks: boolean }
  /** Rows were left out of it; a card without them follows. */
  | { readonly replaced: string }
  /** The owner's words were not put on a card, so it is as it was; which card, where one is meant. `absent`: what is to be other does not stand in it. */
  | { readonly unchanged: ReasonCode; readonly of?: string; readonly words?: 'absent' }
  /** Said to several at once. A yes is to none of these, since each has one of its own; a no, which changes nothing, is to all. */
  | {
      readonly each: readonly string[]
      readonly decision: AnswerMessage['decision']
      readonly denied?: true
    }
  /** The question was already closed. */
  | { readonly ended: string }
  | { readonly refused: ReasonCode }
  /** The number belongs to a card of the other place. */
  | { readonly elsewhere: true }
  /** Nothing was decided: the owner is shown these cards, by name. */
  | { readonly listed: readonly string[] }

/** The answered task replies itself. */
export function isSilent(typed: TypedAnswer | undefined): boolean {
  if (typed === undefined) return false
  return 'answers' in typed
    ? typed.answers.every(isSilent)
    : 'replaced' in typed || ('decided' in typed && typed.speaks)
}

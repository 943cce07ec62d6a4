/**
 * Reads a short message as an answer to a card: yes or no, a card's number, or an option's number. Also declares the result
 * of such an answer at intake. Pure. Must not decide. Called by intake.ts, the features that answer cards, and the terminal.
 */
import type { ReasonCode } from '../../reasons.ts'
import { withoutOpeners } from './openers.ts'

export interface AnswerMessage {
  readonly decision: 'approve' | 'deny'
  /** Number or id of a card; empty for a bare yes or no. */
  readonly which: string
}

/** Words that are an answer by themselves or with a number. */
const PLAIN: Readonly<Record<AnswerMessage['decision'], string>> = {
  approve: 'yes|y|ja|approve',
  deny: 'no|n|nein|deny',
}

/**
 * Phrases that make up a yes or a no in other words, in English and German. The list is closed and must account for
 * every word of the message: with any other word, as in "ja, aber …" and "no, on Friday", the message is neither.
 */
const PHRASES = {
  yes: 'yes|y|yep|yeah|yup|sure|sure thing|of course|definitely|agreed|ja|jo|jep|jup|jawohl|klar|na klar|ja klar|gern|gerne|sicher|natürlich|einverstanden',
  /** Agreement that is a yes to a question that asks for one. */
  fine: "ok|okay|okey|alright|all right|sounds good|looks good|looks right|looks fine|that's right|thats right|that is right|that's fine|thats fine|that is fine|that's good|fine by me|that works|works for me|perfect|passt|passt so|passt gut|das passt|in ordnung|ist in ordnung|geht klar|stimmt so|genau so|👍|👌|✅",
  go: 'go ahead|go for it|do it|do that|mach das|mach es|mach das so|tu das|tu es',
  no: 'no|n|nope|nah|nein|nö|nee|ne|👎|❌',
  stop: "don't|dont|do not|don't do it|don't do that|don't send it|don't send that|do not send it|do not send that|leave it|leave it be|leave it as it is|leave that|forget it|forget that|never mind|nevermind|cancel|cancel it|cancel that|not now|not that|none of them|none of those|none of these|none of the above|none|neither|neither of them|neither of these|neither of those|lieber nicht|besser nicht|doch nicht|bitte nicht|nicht|nicht senden|nicht abschicken|nicht schicken|lass|lass es|lass mal|lass das|lass gut sein|lass es so|mach es nicht|mach das nicht|vergiss es|vergiss das|lieber nich|besser nich|doch nich|bitte nich|nich|abbrechen|brich ab|keins|keines|keiner|keinen|keine davon|keins davon|keines davon|keiner davon|keinen davon|keine von beiden|keins von beiden|keinen von beiden|keiner von beiden|nichts davon|weder noch",
  /** What to do with the thing on the card. Not an answer by itself, since it may be another request. */
  act: 'send it|send that|send them|send it off|send it now|book it|book that|add it|add that|put it in|save it|post it|do so|schick es|schick es ab|schick sie ab|schick ab|abschicken|senden|trag es ein|trag ihn ein|eintragen|mach|mach mal',
  glad: 'lovely|great|good|nice|cool|fine|right|brilliant|wonderful|excellent|super|prima|gut|toll|schön|genau|perfekt|spitze|oh|ah',
  polite:
    'please do|please|thanks|thank you|thank you very much|now|then|bitte|danke|danke schön|jetzt|dann|mal',
} as const

/** Words of `PLAIN` that are no answer without a number. */
const COMMANDS = { approve: true, deny: true } as const

/** The answer and a number, nothing more. Only a slash command takes an id. */
const SAID = new RegExp(
  `^(?:(?<plain>${PLAIN.approve}|${PLAIN.deny})(?: +(?<number>[1-9]\\d{0,8}))?[.!]{0,3}|\\/(?<command>approve|deny)(?:\\s+(?<which>[\\w.-]{1,80}))?)$`,
)
const KINDS = Object.entries(PHRASES).flatMap(([kind, phrases]) =>
  phrases.split('|').map((phrase) => ({ kind: kind as keyof typeof PHRASES, phrase })),
)
/** Longer phrases first: "lass es" must not be read as "lass". */
const LONGEST_FIRST = KINDS.toSorted((one, other) => other.phrase.length - one.phrase.length)
/** Maximum UTF-16 units of such a message; a longer one is not searched. */
const LONGEST = 60

function decisionOf(word: string): AnswerMessage['decision'] | null {
  if (PLAIN.approve.split('|').includes(word)) return 'approve'
  return PLAIN.deny.split('|').includes(word) ? 'deny' : null
}

/** Reduces lengthened spellings such as "nooo", "nöö" and "neee". */
function shortened(text: string): string {
  return text.replaceAll(/(?<!\p{L})(no|nö|nee)[oöe]+(?!\p{L})/giu, '$1')
}

/** The kinds of phrases that make up the message, ignoring punctuation; null if it contains any other word. */
function kindsIn(text: string): ReadonlySet<keyof typeof PHRASES> | null {
  if (text.length > LONGEST) return null
  let rest = shortened(text)
    .toLowerCase()
    .replaceAll('’', "'")
    // Colours of skin, and the sign that shows a character as a picture.
    .replaceAll(/[\u{1f3fb}-\u{1f3ff}\ufe0f]/gu, '')
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

/** Reads a yes or a no in other words; null for anything else. */
function meantBy(text: string): AnswerMessage['decision'] | null {
  const kinds = kindsIn(text)
  if (kinds === null || text.includes('\n')) return null
  const isYes = kinds.has('yes') || kinds.has('fine') || kinds.has('go')
  const isNo = kinds.has('no') || kinds.has('stop')
  // "Nein, gut" and "ok, send it, no" are ambiguous.
  if (isNo) return isYes || kinds.has('act') || kinds.has('glad') ? null : 'deny'
  return isYes ? 'approve' : null
}

/** Whether the answer is so vague that it may refer to a later message instead of the card: "ok", "cancel it". */
export function isLooseAnswer(text: string): boolean {
  const kinds = kindsIn(text.trim())
  return kinds !== null && (kinds.has('stop') || !['yes', 'no', 'go'].some((one) => kinds.has(one as 'yes')))
}

/** Whether the message is a "no", whatever polite words it contains. It closes a pending card and changes nothing. */
export function isPlainNo(text: string): boolean {
  if (HASTY.test(text.trim().toLowerCase())) return true
  return kindsIn(text.trim())?.has('no') === true && meantBy(text.trim().toLowerCase()) === 'deny'
}

/** Whether the message answers a card without a clear yes or no, such as "lovely" and "send it". Nothing is decided by it. */
export function isUnclearAnswer(text: string): boolean {
  const kinds = kindsIn(text.trim())
  return kinds !== null && kinds.size > 0 && meantBy(text.trim().toLowerCase()) === null
}

/**
 * A "no" with a word such as "wait", or with where the thing stays. It is unambiguous:
 * "no, wait", "halt, nein", "no, leave it in spam".
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
  // "Yes, remember both": each card already says what is to be done.
  new RegExp(
    `^${WORD}[,:]? +${ALL} +(?:bitte )?(?:merken|speichern|behalten|senden|schicken|abschicken|eintragen|buchen|machen)[.!]*$`,
  ),
  new RegExp(`^${WORD}[,:]? +(?:please )?(?:remember|save|keep|send|book|add|do) +${ALL}[.!]*$`),
  // "To both yes", "13 yes and 15 too": one answer for all the cards named.
  new RegExp(`^(?:(?:to|zu) )?(?:${ALL}|${NUMBERS})[,:]? +${WORD}[.!]*$`),
  new RegExp(`^[1-9]\\d{0,8} +${WORD},? +(?:and|und) +[1-9]\\d{0,8} +(?:too|as well|auch)[.!]*$`),
]

/** Denies all pending cards in one sentence. */
const ENDS_ALL =
  /^(?:(?:cancel|deny|refuse|reject) (?:both|all|everything|all of (?:them|it|these|those))|(?:alles|alle|beide) (?:abbrechen|ablehnen|verwerfen)|(?:brich|brech|lehne?) (?:alles|alle|beide) ab)(?:,? (?:please|bitte))?[.!]*$/

interface SeveralAnswer {
  readonly decision: AnswerMessage['decision']
  /** Numbers of the cards; empty for all pending cards. */
  readonly which: readonly string[]
  /** The number of cards that the message implies, such as 2 for "both"; null if it implies none. */
  readonly count: number | null
}

function wordIn(said: string): string {
  return SEVERAL.map((form) => form.exec(said)?.groups?.['word']).find((word) => word !== undefined) ?? ''
}

/** A yes or a no to several cards at once; null for any other message. */
export function severalInMessage(text: string): SeveralAnswer | null {
  const said = text.trim().toLowerCase()
  const decision = ENDS_ALL.test(said) ? 'deny' : decisionOf(wordIn(said))
  const count = /\b(?:both|beide[nm]?|two)\b/.test(said) ? 2 : null
  return decision === null ? null : { decision, which: said.match(/\d+/g) ?? [], count }
}

/** Whether the yes or no uses words that may also answer something else. */
export function isOtherwiseSaid(text: string): boolean {
  const typed = text.trim().toLowerCase()
  return !SAID.test(typed) && !HASTY.test(typed) && meantBy(typed) !== null
}

/** Words for 1 to 6, in order: digit, ordinals and numerals. */
const COUNTED =
  '1|1st|first|one|eins|erste 2|2nd|second|two|zwei|zweite 3|3rd|third|three|drei|dritte 4|4th|fourth|four|vier|vierte 5|5th|fifth|five|fünf|fünfte 6|6th|sixth|six|sechs|sechste'.split(
    ' ',
  )
/** Ordinals for a card by its place. Without digits and numerals, which may be a card's number. */
export const PLACES: readonly string[] = COUNTED.map((words) =>
  words
    .split('|')
    .filter((_, at) => [1, 2, 5].includes(at))
    .join('|'),
)
/** Stands for the last option, however many there are. */
export const LAST_CHOICE = -1
const NUMBERED = new RegExp(
  `^(?:(?:i (?:want|choose|pick)|i['’]ll (?:take|have)|take|use|pick|choose|ich nehme|nimm) +)?(?:(?:the|der|die|das|den|dem) +)?(?:(?:option|number|nummer|nr\\.?|no\\.|#) *)?(?:(?<last>last|letzte)|(?<choice>${COUNTED.join('|')}|[7-9]))(?:[nrs]|[.)!])?(?: (?:one|option|eine?n?))?(?:,? (?:please|bitte|thanks|danke|(?:meinte|meine|nehme|wollte|will) ich|i (?:meant?|want)))?[.!]*$`,
  'iu',
)

/** Number of an option, from 1, or LAST_CHOICE, if the message contains nothing else; otherwise null. */
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

/**
 * Whether the message agrees to pending cards in words that are no plain answer: "Yes,
 * remember both" is not a new fact to remember.
 */
export function agreesToKeep(text: string): boolean {
  return AGREES_AND_KEEPS.test(text.trim())
}

/** Maximum UTF-16 units of a "no" followed by a request. */
const LONGEST_NO = 300
/** Words that may follow a "no" without punctuation. "No messages?" and "no problem" are no refusals. */
const GOES_ON =
  "wait|hold|just|leave|keep|the other|another|to (?:the|that|this)|i |that(?:[’']s| is)|lass|vergiss|warte|halt|nur|einfach|de[rnm] andere|die andere|das andere|zu (?:der|dem|dieser|diesem)|ich |das ist|lieber nicht?|doch nicht?|bitte nicht?"
const NO_FIRST = new RegExp(`^${NO_WORD}(?:\\s*[,;.!–—-]+\\s*|\\s+(?=(?:${GOES_ON})))(?<rest>\\S.*)$`, 'isu')
/** Beginnings that refer to what the card contains: its time, its people, its name or place. */
const OF_CARD =
  /^(?:(?:to|an|at|um|on|am|for|für|in|im|bei|with|mit|without|ohne|from|von|vom|ab|bis|till|until|not|nicht|and|und|make|mach|change|ändere?|set|setz|edit|call|nenn|say|sag|schreib|write|add|use|nimm)(?!\p{L})(?! (?:the|that|this|der|dem) \p{L}+ one))|(?<!\p{L})(?:title|titel|subject|betreff|place|ort|location|instead|stattdessen|lieber|rather)(?!\p{L})/iu

/**
 * The request that follows a "no", such as "the other Tom" in "no, the other Tom"; null if nothing
 * follows, or the message is an answer. `isOfCard` tells whether the rest changes the card.
 */
export function restOfNo(text: string): string | null {
  const said = text.trim()
  const rest = said.length > LONGEST_NO ? undefined : NO_FIRST.exec(said)?.groups?.['rest']
  if (rest === undefined || answerInMessage(said) !== null || severalInMessage(said) !== null) return null
  return rest
}

/** Whether the text after a "no" is about the card itself. */
export function isOfCard(rest: string): boolean {
  return OF_CARD.test(rest)
}

/** Result of a typed answer at intake: ids and codes. */
export type TypedAnswer = TypedOne | { readonly answers: readonly TypedOne[] }

/** Result for one card, or for none. */
export type TypedOne =
  /** `speaks`: a task continues because of it, and that task's answer is the reply. */
  | { readonly decided: string; readonly decision: AnswerMessage['decision']; readonly speaks: boolean }
  /** The owner removed rows from the card; a card without them follows. */
  | { readonly replaced: string }
  /**
   * The card is unchanged, because the owner's words were not applied to it. `of`: the
   * card, if one is meant. `absent`: the text to be changed does not occur on the card.
   */
  | { readonly unchanged: ReasonCode; readonly of?: string; readonly words?: 'absent' }
  /**
   * One answer to several cards that each need their own. A yes approves none of them; a no, which changes nothing, denies all.
   */
  | {
      readonly each: readonly string[]
      readonly decision: AnswerMessage['decision']
      readonly denied?: true
    }
  /** The question was already closed. */
  | { readonly ended: string }
  | { readonly refused: ReasonCode }
  /** The number belongs to a card at the other place. */
  | { readonly elsewhere: true }
  /** Nothing was decided; these cards are listed to the owner by name. `whole`: also where one of them was shown before. */
  | { readonly listed: readonly string[]; readonly whole?: true }

/** True if no further reply is needed, because the answered task replies itself. */
export function isSilent(typed: TypedAnswer | undefined): boolean {
  if (typed === undefined) return false
  return 'answers' in typed
    ? typed.answers.every(isSilent)
    : 'replaced' in typed || ('decided' in typed && typed.speaks)
}

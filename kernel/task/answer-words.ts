/**
 * What a short message says to a card: yes or no, a number, or the number of an option; and what became of it at intake. Pure. Must not
 * decide. Called by intake.ts, the features that answer cards, and the terminal.
 */
import type { ReasonCode } from '../reasons.ts'

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
 * What people say for a yes and a no besides, in English and German, with what changes nothing about it. A closed list, matched as a whole
 * message: with any other word, as in "ja, aber …" and "no, on Friday", it is none.
 */
const IN_OTHER_WORDS: Readonly<Record<AnswerMessage['decision'], readonly string[]>> = {
  approve: [
    "(?:yes|yep|yeah|yup|sure|yes sure|sure thing)(?: (?:please|thanks|thank you|please do|go ahead|go for it|do it|do that|that is fine|that's fine))?(?: please| thanks)?",
    '(?:ok|okay|alright)(?: (?:yes|sure|please do|go ahead|go for it|do it|do that))(?: please| thanks)?',
    '(?:please )?(?:go ahead|go for it|do it)(?: please)?',
    '(?:ja|jo|jep|jup|jawohl|klar|ja klar|na klar|ja na klar)(?: (?:ja|klar|gern|gerne|sicher|genau|natürlich|passt|passt so|passt gut|mach|mach mal|mach das|mach es|mach das so|tu das|tu es))?(?: bitte| danke)?',
    '(?:ok|okay|gut)(?: (?:ja|passt|passt so|mach|mach das|mach es|mach das so|tu das|tu es))(?: bitte| danke)?',
    '(?:passt|passt so|gern|gerne|mach das bitte|bitte mach das)(?: bitte| danke)?',
  ],
  deny: [
    "(?:no|nope|nah)(?: (?:no|thanks|thank you|please don't|don't|do not|don't do it|don't do that|leave it|forget it))?(?: please| thanks)?",
    '(?:nein|nö|nee|ne)(?: (?:nein|lieber nicht|besser nicht|doch nicht|bitte nicht|nicht|lass|lass es|lass mal|lass das|lass gut sein|mach es nicht|mach das nicht))?(?: bitte| danke)?',
    '(?:lieber nicht|bitte nicht)(?: bitte| danke)?',
  ],
}

/** Words that say nothing by themselves. */
const COMMANDS = { approve: true, deny: true } as const

/** The word and a number, nothing more. Only a command takes an id. */
const SAID = new RegExp(
  `^(?:(?<plain>${PLAIN.approve}|${PLAIN.deny})(?: +(?<number>[1-9]\\d{0,8}))?[.!]{0,3}|\\/(?<command>approve|deny)(?:\\s+(?<which>[\\w.-]{1,80}))?)$`,
)
const MEANT = Object.entries(IN_OTHER_WORDS).map(
  ([decision, ways]) =>
    [decision as AnswerMessage['decision'], new RegExp(`^(?:${ways.join('|')})[.!]{0,3}$`)] as const,
)
/** UTF-16 units of the longest such message; of a longer one nothing is looked at. */
const LONGEST = 60

function decisionOf(word: string): AnswerMessage['decision'] | null {
  if (PLAIN.approve.split('|').includes(word)) return 'approve'
  return PLAIN.deny.split('|').includes(word) ? 'deny' : null
}

/** A yes or a no in other words; commas between them say nothing. */
function meantBy(text: string): AnswerMessage['decision'] | null {
  if (text.length > LONGEST) return null
  const said = text.replaceAll('’', "'").replaceAll(/,? +|, */g, ' ')
  return MEANT.find(([, ways]) => ways.test(said))?.[0] ?? null
}

/** A no with a word of haste beside it, which leaves nothing open: "no, wait", "halt, nein". */
const HASTY =
  /^(?:(?:no|nope|nein|n[eö]e?)(?:,? +(?:wait|wait a (?:second|minute|moment)|hold on|stop|don[’']?t|warte|warte mal|halt|stopp?|moment(?: mal)?|lieber nicht|doch nicht|tu(?: das)? nicht))+|(?:wait|hold on|stop|warte|halt|stopp?|moment),? +(?:no|nein))[.!]*$/

const NUMBERS = '[1-9]\\d{0,8}(?:(?:,| and| und| &),? *[1-9]\\d{0,8})+'
const SEVERAL = new RegExp(
  `^(?<word>yes|y|ja|approve|no|n|nein|deny)[,:]? +(?:(?:to |zu |for )?(?:both|all|both of them|all of them|everything|all (?:two|three|four)|beiden?|allen?|alles|alle)|${NUMBERS})[.!]*$`,
)

/** A yes or a no that is said to several cards at once; null for any other message. */
export function severalInMessage(text: string): AnswerMessage['decision'] | null {
  const { word } = SEVERAL.exec(text.trim().toLowerCase())?.groups ?? {}
  return decisionOf(word ?? '')
}

/** Whether a yes or a no is said in words that people answer other things with, too. */
export function isOtherwiseSaid(text: string): boolean {
  const typed = text.trim().toLowerCase()
  return !SAID.test(typed) && !HASTY.test(typed) && meantBy(typed) !== null
}

const NUMBERED = /^(?:option |number |nummer |#)?(?<choice>[1-9])[.)!]?$/i

/** Number of an option, from 1, for a message that is nothing else. */
export function choiceInMessage(text: string): number | null {
  const choice = NUMBERED.exec(text.trim())?.groups?.['choice']
  return choice === undefined ? null : Number(choice)
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

/** Result of a typed answer at intake: ids and codes. */
export type TypedAnswer =
  /** `speaks`: a task continues because of it, and that task's answer is the reply. */
  | { readonly decided: string; readonly decision: AnswerMessage['decision']; readonly speaks: boolean }
  /** Rows were left out of it; a card without them follows. */
  | { readonly replaced: string }
  /** The owner's words were not put on a card, so it is as it was; which card, where one is meant. */
  | { readonly unchanged: ReasonCode; readonly of?: string }
  /** Said to several at once, and so to none of these: each has a yes of its own. */
  | { readonly each: readonly string[]; readonly decision: AnswerMessage['decision'] }
  /** The question was already closed. */
  | { readonly ended: string }
  | { readonly refused: ReasonCode }
  /** The number belongs to a card of the other place. */
  | { readonly elsewhere: true }
  /** Nothing was decided: the owner is shown these cards, by name. */
  | { readonly listed: readonly string[] }

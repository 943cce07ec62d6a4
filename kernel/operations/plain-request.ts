/**
 * Removes courtesy around a message, in English and German, and puts a German verb first:
 * "Könnten Sie mir bitte X schreiben?" becomes "schreib mir X". The rest stays as typed, in one
 * piece. Pure; must not decide what is meant. Called by the reader of messages and commands.ts.
 */

import { languageIn } from '../wording/languages.ts'

export interface PlainRequest {
  /** As typed, except for straight apostrophes and the position of the verb. */
  readonly text: string
  /** True for a polite request, in which a question mark does not make it a question. */
  readonly polite: boolean
}

const GREETING =
  'morning(?=[,!])|evening(?=[,!])|hi|hello|hey|hiya|good (?:morning|afternoon|evening|day)|hallo|hoi|hei|moin(?: moin)?|servus|was geht(?: ab)?|yo|gruezi|grüezi|grüß (?:dich|gott|sie)|guten (?:morgen|tag|abend)'
/** Introductions of a question; they do not change what is asked. */
const TO_KNOW =
  "(?:i(?:'d| would)? (?:just |really )?(?:need|want|have|like) to know|ich (?:muss|will|möchte|würde gerne?) (?:nur |gerne? )?wissen)(?=,? (?:what|when|where|which|who|how|if|whether|was|wann|wo|wer|welche\\p{L}*|wie|ob)(?!\\p{L}))"
const COURTESY =
  'please|pls|plz|pfar|ok|okay|so|and|then|now|also|thanks|thank you|great|there(?! (?:is|was|are|were|has|have)\\b)|again|just(?! so you know)|do(?= kindly)|kindly|quickly|bitte|mal|also|und|dann|jetzt|übrigens|btw|by the way|ugh|oh|ah|na|ach|äh|hm+|actually|um+|uh+|erm|(?:well|right|listen|sorry|tja|du|jo|sag mal)(?=,)'
/** Words that withdraw an earlier wish, if punctuation follows; alone they are the whole message. */
const LET_GO =
  '(?:never ?mind|nvm|nevermind|forget (?:it|about (?:it|that))|forget that|scratch that|no worries|not important|(?:es )?(?:ist |is )?egal|vergiss (?:es|das)|schon gut|lass (?:mal|gut sein)|macht nichts|(?:no |nein )?(?:wait|hold on|warte)|actually)(?=[,.!;–-]+\\s+(?!(?:please|pls|bitte|thanks|thank you|danke)(?!\\p{L})))'
const ASKED =
  "(?:can|could|would|will|might|may) (?:you|u|ya)(?: please| kindly| maybe| just| quickly)?|i (?:should|would) be (?:most |very |so )?(?:grateful|obliged|thankful) if you (?:would|could|can)(?: please| kindly)?|i (?:wonder|was wondering) (?:if|whether) you (?:could|would|can)(?: please| kindly)?|would you be so (?:kind|good) as to|i(?:'d| would) like you to|i want you to|i need you to|i'd like to|i want to|i wanna|i need to|let's"
const ASKED_GERMAN =
  '(?:würd|könn|könnt|kann)(?:est|st|ten|en|te)? ?(?:du|sie) (?:mir|uns)(?: bitte| mal| kurz)* (?:mitteilen|sagen|verraten),?|sei(?:en sie|d ihr)? so (?:lieb|nett|freundlich|gut) und|(?:kann|könn|koenn|könnt|koennt|konnt|würd|wuerd)(?:est|st|ten|en|te) ?(?:du|sie)(?: bitte)?|kannste|könntste|ich möchte|ich moechte|ich will|ich würde gern(?:e)?|ich muss|magst du|wärst du so (?:lieb|nett) und|wären sie so (?:lieb|nett|freundlich) und'
const AHEAD = new RegExp(
  `^(?:(?:(${ASKED}|${ASKED_GERMAN})|${GREETING}|${TO_KNOW}|${COURTESY})[\\s,.!:]+|${LET_GO}[\\s,.!;–-]+)(?=\\S)`,
  'iu',
)
const GERMAN = new RegExp(`^(?:${ASKED_GERMAN})`, 'i')
const ROUNDS = 6
/**
 * Maximum UTF-16 units of a text whose end is processed too. Of a longer text only the
 * beginning is read, because requests are short.
 */
const LONGEST = 600
/** `…, please?` at the end is a request, not a question. */
const ASKED_BEHIND = /\b(?:please|pls|plz|bitte)\s*\?+$/i
/** Courtesy and laughter at the end, and words that stress a time. */
const BEHIND =
  /(?<=\d(?: ?[ap]\.?m\.?)?|o'clock|uhr)[\s,]+(?:sharp|on the dot)[\s.!]*$|(?:[\s,.!?]+(?:please|pls|plz|bitte(?: schön| schoen)?|lol|haha|btw|asap|(?<=[,.!?] ?)(?:thanks|thank you|thx|danke(?: dir| schön| schoen)?|many thanks|vielen dank|cheers)))+[\s,.!]*(\??)$|[\s]*(?:[:;]-?[)D(]|\p{Extended_Pictographic}\uFE0F?)+\s*$/iu
/** "Instead" after a pronoun for something mentioned before: "archive it instead". */
const INSTEAD =
  /(?<=(?<!\p{L})(?:it|that|this|them|these|those|sie|es|das|ihn|die))[\s,]+(?:instead|stattdessen|statt dessen|lieber)(?=[\s.!?]*$)/iu
/** Text after a colon or in quotation marks belongs to the request up to its end. */
const QUOTING = /:\s|["“”„«]/

/** Words at the end that do not change the meaning of a request that is understood without them. */
const FILLER =
  'right now|now|just now|again|then|currently|at the moment|for the moment|these days|at this point|anyway|though|please|jetzt gerade|jetzt|gerade|grad|eigentlich|noch ?mal|nochmals|denn|momentan|im moment|zur zeit|bitte'
const FILLED = new RegExp(`(?:[\\s,]+(?:${FILLER})(?!\\p{L}))+[\\s.!?]*$`, 'iu')
const FILLER_WITHIN =
  /[\s,]+(?:right now|now|at the moment|jetzt gerade|jetzt|gerade|noch ?mal|momentan|im moment)(?!\p{L})/giu

/**
 * The text without filler words at its end; null if there are none, or if they may
 * belong to quoted text. Used for a message that is not understood as typed.
 */
export function withoutFiller(text: string): string | null {
  const found = text.length > LONGEST || QUOTING.test(text) ? null : FILLED.exec(text)
  const left = found === null ? '' : text.slice(0, found.index)
  return /\S\s+\S/.test(left) ? left : null
}

/** The text without filler words anywhere, for matching an exact sentence. */
export function withoutFillers(text: string): string {
  return text.length > LONGEST || QUOTING.test(text) ? text : text.replaceAll(FILLER_WITHIN, '')
}

/** Contracted German articles, each before the word that it belongs to. "Ne" at the beginning means "no". */
const SPOKEN =
  /(?<=\S\s+)(?:['’]?n(?<ending>e[nrm]?)|(?:['’]|(?<=(?<!\p{L})(?:mir|mal|noch|uhr|morgen|(?:trag|mach|hab)e?)\s+))n)(?=\s+[\p{L}\d])(?!\s+(?:das|die|ich|doch|lieber)(?!\p{L}))/giu
const ARTICLES: Readonly<Record<string, string>> = { e: 'eine', en: 'einen', er: 'einer', em: 'einem' }
/**
 * Text to be sent or stored stays as typed: after a colon, quote or conjunction, and
 * after a verb of telling, except for the article of the mail itself.
 */
const SAID = /[:"“”„«]|,?\s(?:dass|daß|ob|weil)(?!\p{L})/iu
const TELLS = /^(?:\p{L}+ )?(?:antwort|schreib|schick|sag|mail|send|frag|leit)\p{L}*\s/iu
const LETTER = /^.{0,80}?(?<!\p{L})['’]?ne\s+(?:\p{L}+\s+)?(?:e-?)?(?:mail|nachricht)(?!\p{L})/isu

/** Writes out the articles in "ne mail", "um ne stunde" and "nen termin", except in text to be sent or stored. */
export function withArticles(text: string): string {
  if (text.length > LONGEST || !/(?<!\p{L})n(?:e[nrm]?)?\s/iu.test(text)) return text
  const mark = SAID.exec(text)?.index ?? text.length
  const end = TELLS.test(text) ? (LETTER.exec(text.slice(0, mark))?.[0].length ?? 0) : mark
  const isGerman = languageIn(text, 1) === 'de'
  const plain = text.slice(0, end).replaceAll(SPOKEN, (spoken: string, ...found) => {
    const ending = String(found.at(-1)?.ending ?? '').toLowerCase()
    // "Rock 'n roll" contains no article.
    return ARTICLES[ending] ?? (isGerman ? 'ein' : spoken)
  })
  return plain + text.slice(end)
}

/** `isCourtesy`: recognises a message that consists of courtesy only, which stays unchanged. */
export function plainRequest(
  input: string,
  isCourtesy: (text: string) => boolean = () => false,
): PlainRequest {
  let text = withArticles(input.trim()).replaceAll('’', "'")
  let polite = ASKED_BEHIND.test(text.slice(-40))
  let isGerman = false
  for (let round = 0; round < ROUNDS && !isCourtesy(text); round++) {
    const found = AHEAD.exec(text)
    if (found === null) break
    polite ||= /\b(?:you|u|ya)\b|\b(?:du|sie)\b|kannste|könntste/i.test(found[0])
    isGerman ||= GERMAN.test(found[0])
    text = text.slice(found[0].length)
  }
  if (text.length > LONGEST) return { text, polite }
  if (!QUOTING.test(text) && !isCourtesy(text))
    text = text.replace(BEHIND, ASKED_BEHIND.test(text) ? '' : '$1').replace(INSTEAD, '')
  return { text: verbFirst(text, isGerman), polite }
}

/** Separable prefixes of German verbs, longest first. */
const PREFIXES =
  'zurück|zurueck|zusammen|heraus|hinein|hinaus|hinzu|runter|rauf|raus|rein|fest|frei|nach|durch|auf|aus|ein|ab|an|vor|weg|zu|um|mit|bei'.split(
    '|',
  )
/** Stems of German verbs that make a request; only these are moved from the end of a message to its front. */
const VERBS = new Set(
  (
    'trag schreib such find zeig schick send lösch loesch streich antwort erinner merk notier speicher buch plan verschieb verleg sag lad lies les ' +
    'mach stell setz pack leg leit archivier beantwort mail prüf pruef check öffn oeffn fass nimm nehm gib geb schau änder aender bestell ruf füg fueg schieb markier hak'
  ).split(' '),
)
const IRREGULAR: Readonly<Record<string, string>> = {
  ...{ loesch: 'lösch', pruef: 'prüf', oeffn: 'öffn', aender: 'änder', fueg: 'füg' },
  ...{
    les: 'lies',
    geb: 'gib',
    nehm: 'nimm',
    vergess: 'vergiss',
    seh: 'sieh',
    sprech: 'sprich',
    lass: 'lass',
  },
}
/** Stems of verbs that form questions, not commands. */
const NO_COMMAND =
  /^(?:hab|sind|könn|koenn|werd|müss|muess|dürf|duerf|woll|soll|kenn|wiss|woh|seid|mög|moech|möcht|würd)/i

/**
 * Puts the verb of a German request first, in the informal imperative: "Merken Sie sich …"
 * and "… eintragen". `asked`: a preceding "kannst du" means that any verb may end the text.
 */
function verbFirst(typed: string, asked: boolean): string {
  const text = typed.replaceAll(TOLD_LATER, (whole, before: string, verb: string, self = '') =>
    NO_COMMAND.test(verb) ? whole : `${before}${imperative(verb)}${self === '' ? '' : ` ${selfOf(self)}`}`,
  )
  const told =
    /^(?<verb>\p{L}{2,}?)e?n sie(?: (?<self>sich|mir|mich|uns|dem|der|den))?(?: bitte| mal)*(?<more>\b.*)$/isu.exec(
      text,
    )?.groups
  if (told !== undefined && !NO_COMMAND.test(told['verb'] ?? ''))
    return joined([imperative(told['verb'] ?? ''), selfOf(told['self']), told['more']])
  const clauses = text.split(/ und /i)
  const moved = clauses.map((clause) => clauseFirst(clause, asked))
  return moved.every((clause) => clause !== null) ? moved.join(' und ') : text
}

/** "… und erinnern Sie mich": a second request in the message. */
const TOLD_LATER = /( und | dann )(\p{L}{2,20}?)e?n sie(?: (sich|mir|mich|uns)(?!\p{L}))?/giu

/** The clause with its verb first; null if it does not end with such a verb. A part with `dass` stays behind. */
function clauseFirst(clause: string, asked: boolean): string | null {
  const {
    more = '',
    verb = '',
    said = '',
  } = /^(?<more>.+?)[\s,]+(?<verb>\p{Ll}+?)e?n(?<said>(?:,? (?:dass|das|ob) .+)?[\s.!?]*)$/su.exec(clause)
    ?.groups ?? {}
  const isOneClause =
    !/[;?!]|\p{L}{3}\. |, (?!(?:bitte|pls|please|mal)?$)|\berinner/iu.test(more) &&
    !isVerb(more) &&
    !QUESTIONS.test(more) &&
    (asked || !ASKS.test(more))
  const prefix = PREFIXES.find((one) => verb.startsWith(one) && verb.length - one.length >= 3) ?? ''
  const stem = verb.slice(prefix.length)
  if (!isOneClause || stem.length < 3 || !(VERBS.has(stem) || asked)) return null
  const object = more.replace(CAN_YOU, '').replace(/^(?:bitte|mal) |,? (?:bitte|pls|please|mal)$/gi, '')
  return joined([imperative(stem), object, prefix, said])
}

/** "Die zweite kannst du streichen": "kannst du" after the object. */
const CAN_YOU = /(?<=\S) (?:kannst|könntest) du(?: (?:bitte|mal|gern|gerne|doch|wieder))*$/iu

const ASKS =
  /^(?:wird|werden|ist|sind|hat|hab|habe|haben|kann|können|muss|müssen|soll|sollen|darf|will|gibt|was|wann|wo|wer|wem|wie|warum|welche\p{L}?)(?!\p{L})/iu

/** "Which appointments are there" is a question, so its verb stays at the end. */
const QUESTIONS = /^(?:welche\p{L}?|wann|wo|wer|wie|ob|warum)(?!\p{L})/iu

/** Whether the text begins with such a verb: `schick …`, `schicke …`. */
function isVerb(text: string): boolean {
  const [first = ''] = text.toLowerCase().split(/\s/, 1)
  return VERBS.has(first) || VERBS.has(first.replace(/e$/, ''))
}

function imperative(stem: string): string {
  const small = stem.toLowerCase()
  return IRREGULAR[small] ?? small
}

function selfOf(self = ''): string {
  return self.toLowerCase() === 'sich' ? 'dir' : self
}

function joined(parts: readonly (string | undefined)[]): string {
  return parts
    .map((part) => (part ?? '').trim())
    .filter((part) => part !== '')
    .join(' ')
    .replace(/ ([:,])/g, '$1')
}

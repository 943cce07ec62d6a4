/**
 * Determines the intent of a message: conversation and memory by the patterns below, everything else by the
 * sentences of packages. A word for a write inside a longer question never wins. Must not read entities or
 * know a tool. Called by message.ts.
 */
import { type PlainRequest, plainRequest } from '../../../kernel/operations/plain-request.ts'
import type { Intent } from '../../../kernel/powers/message-fields.ts'
import { findDay } from '../../dates/read.ts'
import type { Phrases } from '../../tools/phrase.ts'
import { saysSecond } from './message-coverage.ts'
import { type NamedRequest, namedRequest } from './message-requests.ts'
import { INTENT_HEAD } from './message-sentence.ts'

interface IntentReading {
  readonly intent: Intent
  /** The text after the deciding words, for intents whose topic it is. */
  readonly rest: string | null
  /** The package request that matched. */
  readonly request: NamedRequest | null
}

export type Core = PlainRequest

/** The request itself, as typed except for straight apostrophes and where a German verb stands. */
export function coreOf(input: string): Core {
  return plainRequest(input, isCourtesy)
}

/** The same with the exact characters: text that is sent to a service must stand in the message. */
export function coreAsTyped(input: string): string {
  const { text } = coreOf(input)
  const typed = input.trim()
  const at = typed.replaceAll('’', "'").lastIndexOf(text)
  return at < 0 ? text : typed.slice(at, at + text.length)
}

/** `Good morning!`, `hi there`, `thank you so much`: nothing but courtesy. */
export function isCourtesy(text: string): boolean {
  const bare = bareOf(text.slice(0, INTENT_HEAD))
  return FIRST_ROWS.some(([, pattern]) => pattern.test(bare))
}

function bareOf(head: string): string {
  return head
    .replace(/[\s!.?,]{1,20}$/, '')
    .replace(/ {0,1}(?:,? please|,? pls)$/i, '')
    .replaceAll(/\s{1,40}/g, ' ')
}

/** Maximum characters of a time before a request: `On Friday, book …`. */
const LEAD_MAX = 60

export interface Request extends IntentReading {
  /** The time before the request, as typed, or empty. */
  readonly lead: string
}

/** Skips a leading time, only for requests that allow one. Elsewhere it may be part of the content. */
export function readRequest(core: Core, packages: readonly Phrases[]): Request {
  const reading = readIntent(core, packages)
  const found = reading.intent === 'other' ? findDay(core.text.slice(0, LEAD_MAX)) : null
  if (found === null || found.start !== 0) return { ...reading, lead: '' }
  const text = core.text.slice(found.end).replace(/^[\s,:]+/, '')
  const behind = readIntent(coreOf(text), packages)
  return behind.request?.phrase.takes?.whenFirst === true
    ? { ...behind, lead: core.text.slice(0, found.end) }
    : { ...reading, lead: '' }
}

function readIntent({ text: core, polite }: Core, packages: readonly Phrases[]): IntentReading {
  const head = core.slice(0, INTENT_HEAD)
  const bare = bareOf(head)
  const talked = TALKED.exec(core)
  if (talked !== null) return kernelIntent('memory_search', talked[1])
  for (const [intent, pattern] of FIRST_ROWS) if (pattern.test(bare)) return kernelIntent(intent)
  if (THANKED.test(bare) && !ASKS_THERE.test(bare) && !core.includes('?')) return kernelIntent('chat')
  const memory = readMemory(core, head, polite)
  if (memory !== null) return memory
  const asked = namedRequest(packages, { bare, whole: core })
  return asked === null ? kernelIntent('other') : requestOf(asked)
}

function kernelIntent(intent: Intent, rest: string | null = null): IntentReading {
  return { intent, rest, request: null }
}

function requestOf(request: NamedRequest): IntentReading {
  return { intent: request.intent, rest: request.taken['topic'] ?? null, request }
}

/** Tries searching first: a question about memory must not write to it. */
function readMemory(core: string, head: string, polite: boolean): IntentReading | null {
  for (const pattern of polite ? SEARCH : [...SEARCH, SEARCH_ASKED]) {
    const match = pattern.exec(core)
    if (match !== null) return kernelIntent('memory_search', match[1])
  }
  const begun = core.slice(0, INTENT_HEAD)
  const { fact, more = '' } = (SAVE_BEHIND.exec(begun) ?? SAVE_LAST.exec(begun))?.groups ?? {}
  if (
    fact !== undefined &&
    (!QUESTION.test(head) || ASKED_TO_KEEP.test(head)) &&
    !ASKS.test(fact) &&
    !saysSecond(more)
  )
    return kernelIntent('memory_save', fact)
  const told = FYI.exec(core.slice(0, INTENT_HEAD))?.[1]
  if (told !== undefined && !QUESTION.test(head) && !ASKS.test(told) && !saysSecond(`. ${told}`))
    return kernelIntent('memory_save', told)
  if (core.length < INTENT_HEAD && (NUMBERED.test(core) || OWN_NUMBER.test(core)))
    return kernelIntent('memory_save', core.replace(TO_SAVE, ''))
  const saved = SAVE.exec(core) ?? SAVE_GERMAN.exec(core)
  if (saved?.[1] === undefined) return null
  return ASKS.test(saved[1]) && QUESTION.test(head) ? null : kernelIntent('memory_save', saved[1])
}

export const ASKS = /^(?:what|when|who|whom|whose|where|which|why|how|if|whether|anything|something)\b/i
/** `remember me?`, `remember when we met?` */
export const QUESTION = /\?\s*$/

export type Row = readonly [Intent, RegExp]

const FIRST_ROWS: readonly Row[] = [
  [
    'recent',
    full(
      '(?:(?:so )?what (?:were|did) we (?:just |last )?(?:talking|speaking|talk|speak|chat|chatting) about(?: before| earlier| last)?|what (?:was|did) i (?:just |last )?(?:ask|say|asking|saying)(?: you)?(?: about)?(?: before| earlier| last)?|where were we|what was our last (?:conversation|chat)(?: about)?|(?:worüber|wovon|was) (?:haben wir|hab(?:e)? ich|hatten wir) (?:hier |eben |gerade |grad |zuletzt |vorhin |mit dir )*(?:gesprochen|geredet|besprochen|gefragt)|wo waren wir(?: stehen ?geblieben)?)',
    ),
  ],
  [
    'greeting',
    full(
      '(?:hi|hello|hey|heya|hiya|howdy|yo|greetings|good (?:morning|afternoon|evening|day)|morning|afternoon|evening|hallo|moin(?: moin)?|servus|gr[uü]ezi|gr[uü]ß gott|guten (?:morgen|tag|abend)|schönen guten (?:morgen|tag|abend))(?: (?:there|again|pfar|everyone|friend|you|zusammen))?',
    ),
  ],
  [
    'chat',
    full(
      '(?:(?:ok|okay|super|na|alles klar|gut),? )?(?:danke(?: dir| schön| sehr)?|tschüss|tschüß|tschau|ciao|gute nacht|bis (?:morgen|später|dann|bald))(?:,? (?:pfar|dann|und bis morgen|bis (?:morgen|später|dann|bald)))?|(?:many |no, |ok,? |great,? |perfect,? )?(?:thanks|thank you|thx|ty|cheers|much appreciated)(?: (?:a lot|so much|very much|again|pfar|for that|for your help|a million))?',
    ),
  ],
  [
    'chat',
    full(
      "(?:ok|okay|k|great|nice|cool|perfect|awesome|good|got it|alright|all right|fine|lovely|well done|good job|bye|goodbye|bye bye|see you|see you later|good night|how are you|how are you doing|how are things|how is it going|how's it going|what's up(?! today)|never ?mind|sorry|lol|haha)(?: (?:today|then|thanks|thank you|pfar))?",
    ),
  ],
  [
    'help',
    full(
      '(?:(?:what (?:else )?can (?:you|i) (?:do|ask|say)|what (?:else )?can you do for me|help(?= with| about)) (?:with|about|in|on) (?:my |the |this )?[^\\s,;]+(?: [^\\s,;]+){0,2}|help|help me|\\?|commands|/help|/start|what can you do|what can you do for me|what can i ask(?: you)?|what can i say|what do you do|what are you able to do|what else can you do|how do you work|how does this work|who are you(?: then| again)?|what are you|(?:und )?(?:wer|was) bist du(?: denn| eigentlich)?|what are you for|what (?:r|are) (?:u|you)|what are your (?:capabilities|skills|features|tools)|how can you help(?: me)?|show me what you can do|tell me what you can do|what are you good at)',
    ),
  ],
]

/** Praise and thanks, with what is said beside them, where nothing is asked. */
const THANKED =
  /^(?:(?:ok|okay|cool|ah|oh|super|great|perfect|und)[\s,!.]+){0,3}(?:(?:thanks|thank you|thx|ta|cheers|many thanks|danke|dank dir|merci|vielen dank|herzlichen dank|(?:hab|haben) (?:dank|(?:sie )?(?:vielen |herzlichen )?dank))(?!\p{L})|(?:you're|youre|you are|ur|du bist|bist|sie sind) (?:such )?(?:a|an|the|my|der|die|das|ein|eine|mein|meine)? ?(?:star|lifesaver|life saver|legend|angel|best|gem|hero|treasure|beste|bester|schatz|engel|held|heldin|lebensretter|goldstück)(?!\p{L}))[^?\d]{0,120}$/iu
/** A word that could ask for something. */
const ASKS_THERE =
  /(?<!\p{L})(?:can|could|please|add|remind|book|send|tell|mail|email|reply|put|delete|remove|cancel|call|write|show|check|move|set|find|bitte|kannst|könntest|erinner\p{L}*|schreib\p{L}*|trag\p{L}*|schick\p{L}*|zeig\p{L}*|lösch\p{L}*|such\p{L}*|tomorrow|tonight|morgen|um|at|on|list|liste|einkaufs\p{L}*|calendar|kalender|diary|termin|lunch|dinner|meeting|next week|nächste woche|(?:mon|tues|wednes|thurs|fri|satur|sun)day|mon|tues?|weds?|thurs?|fri|sat|sun|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch)(?!\p{L})/iu

const SAVE =
  /^(?!\p{L}+ (?:this |that |it |down |das |dies ){0,2}(?:to|in|into|onto|auf) (?:(?:my|the|meine|die|file|datei|list|liste|notes?) ){0,2}\S+\.[a-z]{2,5}(?![\w]))(?:remember|memori[sz]e|keep in mind|bear in mind|don'?t forget|do not forget|make a note|take a note|note down|note for later|note to self|note|write down|jot down|save(?= (?:that|this|the fact)\b))\b(?:(?: down)? (?:that|this|of the fact that|the fact that|of|to)\b)?\s*[:,-]?\s*(\S.*)$/isu
const SAVE_GERMAN =
  /^(?:(?:merke?|notiere?|behalte?|speichere?) (?:dir|mir)|(?:schreibe?) (?:dir|mir|es dir) auf|vergiss nicht|denk(?:e? dran|e? daran))\b(?: (?:bitte|mal|doch|noch))*,?(?: dass)?\s*[:,-]?\s*(\S.*)$/is
/** Somebody's telephone number is a fact. */
const NUMBERED =
  /^(?!.*(?:\?|@)|(?:call|ring|phone|text|ruf|add|change)\b).{0,60}\b(?:number|nummer|nr|mobile|handynummer|telefonnummer)\b.{0,40}?\+?\d[\d /()-]{5,}\d.{0,60}$/is
/**
 * The owner's own number or plate: "my student no. is 20418837". No secret is kept because it was mentioned,
 * and no time is a number.
 */
const OWN_NUMBER =
  /^(?!.*(?:\?|(?<!\p{L})(?:pass\p{L}*|kennw\p{L}*|\p{L}*pin|puk|tan|otp|cv[cv]|\p{L}*key|schlüssel|token|secret|geheim\p{L}*|login|\p{L}*card|karte|kreditk\p{L}*|konto\p{L}*|account|iban|meeting|call|appointment|\p{L}*termin|shift|flight|flug|train|zug|alarm|deadline)(?!\p{L})))(?:my|our|mein\p{L}*|unser\p{L}*) (?:[\p{L}.'’-]+ ){1,4}(?:is|are|ist|lautet|=|:) ?(?=[^\s]*\d{5})[\p{L}\d][\p{L}\d -]{3,24}[.!]?$/iu
const TO_SAVE =
  /^(?:save|store|keep|note|speichere?|merke? dir)(?: down)?(?: (?:this|that|the|die|das))? (?=\S)/i
/** What asks to keep the fact before it. */
const KEPT_BEHIND = [
  '(?:remember|note)(?: (?:that|this|it|them|these|those|all of them))?',
  '(?:keep|hold|hang)(?: on to| hold of)? (?:that|this|it|them|these|those)(?: (?:in mind|in your head|in your memory|somewhere|safe|on file|handy|for me|for later))*',
  '(?:keep|make|take) a note(?: of (?:that|this|it|them))?',
  "(?:don't|do not) (?:forget|lose)(?: (?:that|this|it))?",
  '(?:bitte )?(?:speichern|merken)(?: sie sich das)?',
  '(?:bitte )?(?:merke?|notiere?|speichere?) dir (?:das|es)(?: (?:bitte|mal|ma))*',
  '(?:das |dies )?(?:sollten|sollst|solltest|kannst|können|könnten|könntest) (?:sie|du) (?:sich|dir) (?:das )?(?:bitte )?merken',
  '(?:bitte )?nicht vergessen',
  'i (?:always|keep|will|never can) (?:forget|forgetting|lose it)(?: (?:it|that|this|them))?',
  '(?:das |es )?vergesse? ich (?:immer|ständig|dauernd|sonst)',
  '(?:würden|könnten|können|würdest|könntest|kannst) (?:sie|du) (?:es |das |sich |dir )*(?:bitte )?(?:merken|notieren|aufschreiben|behalten)',
].join('|')
const ASKED_TO_KEEP = /(?<!\p{L})(?:merken|notieren|aufschreiben|behalten)\?\s*$/iu
/** The fact first: "my rate is 65 euro now, please remember". Behind it may stand why. */
const SAVE_BEHIND = new RegExp(
  `^(?<fact>\\S.{5,400}?)(?:(?:[,;.!–-]+|\\s(?=(?:so|and) (?:please|pls|plz)))\\s(?:and |so |btw,? )?(?:please |pls |plz )?(?:${KEPT_BEHIND})|\\s(?:merke? dir das)(?: (?:bitte|mal|ma))*)(?: (?:for|when|next|please)\\b.{0,60})?(?<more>[,;.!–-]+ .{1,80})?[.!?]?$`,
  'is',
)
/** Without a mark before it: "her gate code is 4471 remember that". */
const SAVE_LAST =
  /^(?<fact>(?!do|did|can|what|when|where|who|how|why)\S.{3,200}?\b(?:is|are|was|has|have|ist|sind|hat)\b.{1,200}?)\s(?:please |pls )?(?:remember|note|keep) (?:that|this|it)(?: please)?[.!]?$/is
const FYI =
  /^(?:fyi|for your information|for (?:future|your) reference|for the record|just so you know|mind that(?! you\b)|zur info|nur zur info|nur damit du es weißt)\b\s*[:,-]?\s*(\S.{5,400})$/is
const SEARCH: readonly RegExp[] = [
  /^what (?:do|did) (?:you|i) (?:know|remember|recall|tell you|ask you to remember|have(?= (?:saved|stored|noted|written down|in your memory)))(?: (?:saved|stored|noted|written down|in your memory))?(?: (?:about|of|on|regarding|for))?(?: (\S.*)|[\s?!.]*)$/is,
  /^what (?:have|did) (?:i|you) (?:told|tell|said|say|saved?|noted?|remembered|asked)(?: you)?(?! (?:that )?i (?:would|will|was going to) do\b)(?: (?:to remember|about|of|on|regarding))*(?: (\S.*)|[\s?!.]*)$/is,
  /^what was it (?:that |again )?(?:that )?i (?:told|said to|gave)(?: you)?(?: about)?(?: (\S.*)|[\s?!.]*)$/is,
  /^do you (?:still )?(?:remember|recall)(?: (?:that|about))?(?: (\S.*)|[\s?!.]*)$/is,
  /^do you know (?:anything about|something about|about|(?=(?:my|where i|when i|what i|who i)\b)) ?(\S.*)$/is,
  /^(?:have i told|did i tell|did i mention to) you (?:anything )?(?:about )?(\S.*)$/is,
  /^(?:search|look in|look through|check|search in|search through) (?:your|my|the) (?:memory|memories|notes?)(?: (?:for|about))?(?: (\S.*)|[\s?!.]*)$/is,
  /^(?:what(?:'s| is) in|show(?: me)?|list) (?:your|my|the) (?:memory|memories|notes?)(?: (?:about|on|of))?(?: (\S.*)|[\s?!.]*)$/is,
  /^(?:(?:such|find|sag|gib|zeig|get|give|tell)e? (?:me |mir )?(?:bitte |please )?)?(?:(?:what is|what's|whats|wie ist|was ist) )?(?:the |die )?((?:(?:(?:tele)?phone |mobile )number|(?:telefon|handy|tel)?(?:nummer|nr\.?)|(?:number|address)(?= for)|adresse|anschrift) (?:of|for|von|vom) \S.*?)(?: heraus| raus)?[\s?.!]*$/is,
  /^(?:i am ashamed to say(?: that)? |i'm afraid(?: that)? |oh no,? )?i(?:'ve| have)? (?:completely |totally )?forgot(?:ten)? (?!to\b|that\b|it\b|again\b)(\S[^,;?!]*)[.!]?$/is,
  /^i (?:can't|cannot|cant|don't|dont) (?:remember|recall) (?!if\b|whether\b|it\b|that\b)(\S[^,;?!]*)[.!]?$/is,
  /^(?:wann (?:hat|haben|ist)|when(?:'s| is)) (?:(?:der|die|das|mein|meine|my|the|our) )?((?:\S+ ){1,3}?(?:geburtstag|birthday|bday))(?: (?:again|nochmal))?[\s?.!]*$/is,
  /^(?:recall|tell me what you (?:know|remember) (?:about|of)|tell me what i told you about) (\S.*)$/is,
  /^remember ((?:what|when|who|whom|whose|where|which|why|how|if|whether|anything|something)\b.*)$/is,
]
/** A question about the conversation that names a subject, a time, or both. */
export const TALKED =
  /^(?!what (?:did|have) i (?:say|said) (?:that )?i (?:would|will|was going to) do\b)what (?:did|have|were) (?:we|you and i|i) (?:just |last )?(?:say|said|saying|talk|talked|talking|speak|spoken|speaking|discuss|discussed|discussing|chat|chatted|chatting)\b(?!(?: about)?[\s?!.]*$)(.*)$/is
/** `remember my birthday?` is a question; `can you remember my birthday?` may be a request. */
const SEARCH_ASKED = /^remember (\S.*\?\s*)$/is

function full(source: string): RegExp {
  return new RegExp(`^(?:${source})$`, 'i')
}

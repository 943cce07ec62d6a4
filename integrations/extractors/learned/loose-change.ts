/**
 * Reads a change of a mail or an event that matches no declared sentence, if the table is sure of the action and the words name
 * the thing. A card shows the change before it is made. Must not read a condition, a repetition, a negation or a second request.
 * Called by message-learned.ts.
 */
import type { Json } from '../../../kernel/flow/json.ts'
import type { Moment } from '../../dates/read.ts'
import type { Phrase } from '../../tools/phrase.ts'
import { TOOL_PHRASES } from '../../tools/registered.ts'
import { namesCalendar, saysSecond } from '../message/message-coverage.ts'
import { coreAsTyped } from '../message/message-intent.ts'
import { namedWords } from '../message/message-seek.ts'
import { type Class, classOf, neededSlots, WRITES } from './classes.ts'
import { type Likely, likelyOf } from './likely.ts'
import type { Part } from './piece.ts'
import { TOLD } from './read.ts'
import { isAside } from './remark.ts'
import { NEVER, type Text } from './slots.ts'
import { tableNow } from './table.ts'
import { type Token, tokensOf } from './tokens.ts'

/** Minimum score of the action, and minimum lead over the next one. */
const LEAST = 0.6
const AHEAD = 0.4
/** Maximum number of words that name the thing, and of a title. */
const MOST_NAMED = 6
const MOST_TITLE = 8

/** A reason for the request, which is removed before reading. */
const REASON =
  /[,;.]?\s+(?:lol|haha|because|cos|cuz|cause|since (?:i|we|he|she|it|they)|so (?:that )?(?:i|we)|as (?:i|we)|weil|damit|denn)(?!\p{L}).*$/isu
/** Separators of clauses: a clause behind a dash or comma often only tells something, as in "…, she knows now". */
const CLAUSES = /\s*(?:[.!;\n]+\s+|[,–—]\s+|\s-\s)/u
/** The request is for all matching things: words such as "all", or a plural of the thing. */
const OF_ALL =
  /(?<!\p{L})(?:all|everything|every|alle|alles|ganzen|sämtliche\p{L}*|mails|emails|e-mails|messages|letters|nachrichten)(?!\p{L})/iu
/** A count of things, which does not say which ones. */
const SO_MANY = /(?<!\p{L})(?:two|three|four|five|both|zwei|drei|vier|fünf|beide\p{L}*|\d+)(?!\p{L})/iu
/** Words for the kind of thing, for courtesy and for wanting; they identify no particular thing. */
const GENERAL: ReadonlySet<string> = new Set(
  (
    'all everything every alle alles ganzen mail mails email emails message messages letter letters thread conversation invite invitation event meeting ' +
    'appointment one ones stuff crap rubbish junk nachricht nachrichten einladung termin kannst könntest kannste please bitte danke thanks lol finally whole entire lösch archivier markier streich guy guys lady man woman people ppl team folks frau herr mann leute typ dame ' +
    'inbox postfach calendar kalender wanna want need inviting'
  ).split(' '),
)
/** A negation, or a timer or an alarm. */
const NONE = /(?<!\p{L})(?:no|none|nothing|kein\p{L}*|nichts|wait|warte|timer|alarm|wecker)(?!\p{L})/iu
/** Asks to show the thing first, which is a request of its own. */
const SHOWS =
  /^(?:(?:please|bitte|and|und|ok|okay) )*(?:show|display|list|read|open|zeig\p{L}*|lies|lese?|liste|öffne)(?!\p{L})/iu
const POLITE =
  /^(?:(?:hey|hi|ok|okay|so|please|bitte|und|and)[ ,]+)*(?:can|could|would|will|kannst|könntest|würdest)(?!\p{L})/iu

export function changedLoosely(text: string, moment: Moment): Part | null {
  const whole = coreAsTyped(text)
  const core = whole.replace(REASON, '')
  const [first, next] = surer(likelyOf(whole, moment), likelyOf(core, moment))
  if (first === undefined || first.score < LEAST || first.score - (next?.score ?? 0) < AHEAD) return null
  const label = first.label.replace(/^else:/, '')
  if (!WRITES.has(label) || saysSecond(text) || TOLD.test(text) || NONE.test(text) || SHOWS.test(core))
    return null
  if (core.includes('?') && !POLITE.test(core)) return null
  const table = tableNow()
  const own = wordsOfAction(label)
  const said: Text = { ...tokensOf(core, table.words, moment), text: core }
  for (const { phrase, of } of phrasesOf(label, first.order)) {
    const slots = slotsOf(phrase, said, { own, moment, core: whole })
    if (slots !== null && isSaidSo(phrase, of, first.order, said.tokens))
      return { ...said, of, slots, sure: first.score }
  }
  return null
}

/** The reading with the higher score: the text without its reason can be clearer or less clear than the whole. */
function surer(one: readonly Likely[], other: readonly Likely[]): readonly Likely[] {
  return (one[0]?.score ?? 0) >= (other[0]?.score ?? 0) ? one : other
}

interface Candidate {
  readonly phrase: Phrase
  readonly of: Class
}

/** Phrases of the action that find what they change by words, and those that name an event by its title. */
function phrasesOf(label: string, order: readonly string[]): readonly Candidate[] {
  const known = order.flatMap((id) => {
    const of = classOf(id)
    return of?.phrase == null ? [] : [{ phrase: of.phrase, of }]
  })
  const shaped = TOOL_PHRASES.flatMap(({ asks }) =>
    asks
      .filter(({ plan }) => plan.at(-1)?.['tool'] === label)
      .filter((phrase) => !known.some((one) => one.phrase === phrase))
      .map((phrase) => ({ phrase, of: { id: label, phrase, writes: true, sentences: [] } })),
  )
  return [...known, ...shaped].filter(
    ({ phrase: { shown, back, later, addressed, yields, lacks, unlike } }) =>
      [shown, back, later, addressed, yields, lacks, unlike].every((one) => one === undefined),
  )
}

const ownWords = new Map<string, ReadonlySet<string>>()

/** Words of the action's own sentences; in a message they identify no thing. */
function wordsOfAction(label: string): ReadonlySet<string> {
  const known =
    ownWords.get(label) ??
    new Set(tableNow().classes.flatMap(({ id, has }) => (id.replace(/#\d+$/, '') === label ? [...has] : [])))
  ownWords.set(label, known)
  return known
}

/** True also for the bare stem, since German puts such a verb first ("lösch" for "löschen"). */
function isOwnWord(norm: string, own: ReadonlySet<string>): boolean {
  return own.has(norm) || ['e', 'n', 'en'].some((end) => own.has(norm + end))
}

interface Of {
  readonly moment: Moment
  readonly own: ReadonlySet<string>
  /** The message as typed. */
  readonly core: string
}

function slotsOf(phrase: Phrase, said: Text, of: Of): Readonly<Record<string, string>> | null {
  if (phrase.takes?.topic !== undefined) return titled(phrase, said, of)
  const needed = neededSlots(phrase)
  if (JSON.stringify(phrase.plan).includes('"{topic')) return answering(needed, of)
  if (said.tokens.some(({ norm }) => NEVER.has(norm))) return null
  const [target, ...others] = needed
  if (target === undefined || others.length > 0 || said.dates.span !== null) return null
  if (!isPicked(phrase, target) || SO_MANY.test(said.dates.rest)) return null
  const isAll = takesAll(phrase)
  if (isAll !== OF_ALL.test(said.text)) return null
  const named = namedIn(said.text, said.tokens, of)
  return named === null ? null : { [target]: named }
}

/**
 * Splits a reply request into the mail it answers (`lead`) and the text of the reply (`topic`) at a punctuation mark; a verb of
 * saying may follow it.
 */
const TEXT_BEHIND =
  /^(?<lead>[^:]{4,80}?)(?::\s+|\s+[-–—]\s+|,\s+)(?:(?:and |und )?(?:say|saying|tell (?:him|her|them)|sag(?:e)?(?: (?:ihm|ihr|ihnen))?|schreib(?:e)?)(?: that| dass)?:?\s+)?(?<topic>\S.*)$/isu

/** Slots of a reply: the mail named by `lead`, and the text `topic`. */
function answering(
  needed: readonly string[],
  { own, moment, core }: Of,
): Readonly<Record<string, string>> | null {
  const [target, ...others] = needed
  const { lead = '', topic = '' } = TEXT_BEHIND.exec(core)?.groups ?? {}
  if (target === undefined || target === 'whom' || others.length > 0 || topic === '') return null
  const before = { ...tokensOf(lead, tableNow().words, moment), text: lead }
  if (before.tokens.some(({ norm }) => NEVER.has(norm))) return null
  if (before.dates.span !== null || SO_MANY.test(lead) || OF_ALL.test(lead)) return null
  const named = namedIn(lead, before.tokens, { own, moment, core })
  return named === null ? null : { [target]: named, topic }
}

/** Whether the plan picks the thing to change by the words of this slot. */
function isPicked({ plan }: Phrase, slot: string): boolean {
  return plan.some(({ matching }) => matching === `{${slot}}`)
}

function takesAll({ plan }: Phrase): boolean {
  return plan.some(({ take }) => take === 'all')
}

/**
 * Whether a value that the phrase sets, such as "unread", is stated by a word that no other phrase of the action has. True if
 * it sets none.
 */
function isSaidSo(
  phrase: Phrase,
  { id }: Class,
  order: readonly string[],
  tokens: readonly Token[],
): boolean {
  const args = phrase.plan.at(-1)?.['args'] as Readonly<Record<string, Json>> | undefined
  const isSet = Object.values(args ?? {}).some((value) => typeof value === 'string' && !/[{.]/.test(value))
  if (!isSet) return true
  const { classes } = tableNow()
  const own = classes.find((one) => one.id === id)?.words ?? []
  const others = classes.filter((one) => order.includes(one.id) && one.id !== id)
  const norms = new Set(tokens.map(({ norm }) => norm))
  return own.some((word) => norms.has(word) && !others.some(({ has }) => has.has(word)))
}

/** The words that identify the thing, as typed. Null for none, for too many, and if a second clause asks for something. */
function namedIn(text: string, tokens: readonly Token[], { own, moment }: Of): string | null {
  const isOwn = new Set(tokens.filter(({ norm }) => own.has(norm)).map(({ start }) => start))
  const naming = text.split(CLAUSES).flatMap((clause) => {
    const words = namedWords(clause).filter((word) => {
      const norm = word.toLowerCase()
      return !isOwnWord(norm, own) && !GENERAL.has(norm) && !isOwn.has(text.indexOf(word))
    })
    return words.length === 0 ? [] : [{ words, clause }]
  })
  const [only, ...more] = naming
  if (only === undefined || only.words.length > MOST_NAMED) return null
  return more.every(({ clause }) => isSaidBeside(clause, moment)) ? only.words.join(' ') : null
}

/** True for a clause that is no request of its own. */
function isSaidBeside(clause: string, moment: Moment): boolean {
  const [first] = likelyOf(clause, moment)
  return isAside(clause) || first === undefined || first.score < LIKELY_ALONE || TALK.test(first.label)
}

/** Minimum score at which a clause counts as a request. */
const LIKELY_ALONE = 0.5
const TALK = /^(?:nothing|chat|thanks|greeting)$/

/** A day of the month that the date reader left over. */
const DAY_LEFT =
  /(?<!\p{L})(?:on|the|am|den|der|dem|vom|zum)\s+\d{1,2}(?:st|nd|rd|th|\.)?(?![\p{L}\d:])|(?<![\p{L}\d])\d{1,2}(?:st|nd|rd|th)(?!\p{L})/iu

/** The title of an existing or a new event: what is left of the first clause that has other words than the request's own. */
function titled(phrase: Phrase, said: Text, { own, moment }: Of): Readonly<Record<string, string>> | null {
  const { text, dates, tokens } = said
  if (tokens.some(({ norm }) => NEVER.has(norm))) return null
  if (phrase.takes?.moves !== undefined) return null
  const { when } = phrase.takes ?? {}
  if (dates.impossible || (dates.span === null && when?.days === undefined) || namesCalendar(text))
    return null
  if (DAY_LEFT.test(dates.rest)) return null
  if (when?.exact !== undefined && dates.span?.named !== 'time') return null
  const isOwn = (word: string): boolean => own.has(word) || GENERAL.has(word)
  const byStart = new Map(tokens.map((token) => [token.start, token]))
  const clauses: { readonly title: string; readonly clause: string }[] = []
  let from = 0
  for (const clause of dates.rest.split(/(?<=[,;:.!?\n–—]\s|\s-\s|\s{3,})/u)) {
    const words = [...clause.matchAll(/[\p{L}\p{N}][\p{L}\p{M}\p{N}'’&-]*/gu)].map(({ index, 0: word }) => ({
      word,
      norm: byStart.get(from + index)?.norm ?? word.toLowerCase(),
    }))
    from += clause.length
    const isLead = ({ norm, word }: (typeof words)[number]): boolean =>
      isOwn(norm) || namedWords(word).length === 0
    while (words[0] !== undefined && isLead(words[0])) words.shift()
    for (let last = words.at(-1); last !== undefined && isLead(last); last = words.at(-1)) words.pop()
    if (words.length > MOST_TITLE) return null
    if (words.length > 0) clauses.push({ title: words.map(({ word }) => word).join(' '), clause })
  }
  const [only, ...more] = clauses
  const isFree = when?.exact !== undefined || more.every((one) => isSaidBeside(one.clause, moment))
  return only === undefined || !isFree ? null : { what: only.title }
}

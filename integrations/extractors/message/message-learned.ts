/**
 * What the embedded planner reads in a message, as phrases with their fields and slots. Must not plan, and must not read what a sentence
 * of a package accounts for already. Called by message.ts and the rules planner.
 */
import { changedLoosely, correctedIn } from '#home-readings'
import type { Moment } from '../../dates/read.ts'
import type { Phrase, Phrases } from '../../tools/phrase.ts'
import { TOOL_PHRASES } from '../../tools/registered.ts'
import { listsOf, WRITES } from '../learned/classes.ts'
import { likelyOf } from '../learned/likely.ts'
import { readLoosely } from '../learned/loose.ts'
import type { Part, Understood } from '../learned/piece.ts'
import { firstRead, understand } from '../learned/read.ts'
import { factOf, findEmail, findUrl, subjectOf } from './contents/message-words.ts'
import { saysAgain, saysMore, saysSecond } from './message-coverage.ts'
import { coreAsTyped } from './message-intent.ts'
import { withoutPointer } from './message-pointer.ts'
import { namedThings, type Request, unnamedRequest } from './message-requests.ts'
import { saysWhere, soughtIn } from './message-seek.ts'
import { type Fields, moveFields, requestFields, textField } from './message-taken.ts'

export interface Asked {
  readonly phrase: Phrase
  /** Fields of the message, if the phrase is named. */
  readonly fields: Fields
  /** Texts of the phrase's slots, as typed. */
  readonly taken: Readonly<Record<string, string>>
  readonly writes: boolean
  readonly sure: number
}

/** The requests of a message in order; empty if it was not understood as a whole. */
export function askedIn(
  text: string,
  moment: Moment,
  understood: Understood = understand(text, moment),
): readonly Asked[] {
  if (understood.is === 'not') return []
  const asked = understood.parts.flatMap((part) => {
    const { phrase } = part.of
    return phrase === null
      ? []
      : [
          {
            phrase,
            fields: fieldsOf(phrase, part, moment),
            taken: part.slots,
            writes: part.of.writes,
            sure: part.sure,
          },
        ]
  })
  // What is moved without a new time is no such request.
  const isWhole = asked.every(
    ({ phrase, fields, taken }) =>
      (phrase.takes?.moves === undefined || 'moved' in fields) && isAllTold(phrase, taken, text),
  )
  return isWhole ? asked : []
}

/** Up to whom it goes to, and what joins that to the text. */
const TO_TEXT =
  /^[\s,:–-]*(?:(?:that|dass|daß|say|saying|to say|tell (?:him|her|them)|sage?(?: (?:ihm|ihr|ihnen))?|and|und|back|zurück|please|bitte|mal)[\s,:]+)*$/iu

/**
 * Whether what is told to somebody begins right behind whom it goes to: of "reply to Sarah thanks, see you" no word is of her name, and none is left out. A
 * name of several words before a comma may be such words.
 */
function isAllTold(phrase: Phrase, taken: Readonly<Record<string, string>>, text: string): boolean {
  const { who, topic } = taken
  if (who === undefined || topic === undefined || !isTold(phrase, 'topic')) return true
  const [before, behind] = text.split(who, 2)
  const between =
    before === undefined || behind === undefined ? null : behind.slice(0, behind.lastIndexOf(topic))
  return between !== null && TO_TEXT.test(between) && !(between.trim() === ',' && OPENS.test(who))
}

/** Behind a name: how an answer begins. */
export const OPENS =
  / (?:thanks?|yes|no|ok|sure|sorry|great|hi|danke|ja|nein|gerne?|klar|passt|super|leider)(?!\p{L})/iu

/** The same, or a search where its words are to be found (`message-seek.ts`) of a message that is not understood, or that says so beside a question. */
export function askedOrSought(text: string, moment: Moment): readonly Asked[] {
  const understood = understand(text, moment)
  const asked = askedIn(text, moment, understood)
  const isElse = asked.some(({ writes }) => writes) || (asked.length > 0 && !saysWhere(text, TOOL_PHRASES))
  const cannotBe = understood.is === 'not' && understood.lacking !== null
  const sought = isElse || cannotBe || isOfOther(text, moment) ? null : soughtIn(text, TOOL_PHRASES, moment)
  return sought === null ? asked : [{ ...sought, fields: {}, writes: false, sure: 0 }]
}

/** How likely a message is of a change, or of something else that is done by itself, before its words are looked for in mails. */
const LIKELY = { change: 0.75, other: 0.9 } as const

function isOfOther(text: string, moment: Moment): boolean {
  const [first] = likelyOf(text, moment)
  const action = first?.label.replace(/^else:/, '') ?? ''
  if (first === undefined || !/^[a-z]+\.[a-z_]+$/.test(action) || /\.(?:search|list|read|find)$/.test(action))
    return false
  return first.score >= (WRITES.has(action) ? LIKELY.change : LIKELY.other)
}

/** The one request that a message is most likely of, in words that no sentence has (`learned/loose.ts`, `learned/loose-change.ts`); null if there is none. */
export function askedLoosely(text: string, moment: Moment): Asked | null {
  return loose(readLoosely(text, moment) ?? changedLoosely(text, moment), moment)
}

/** How likely a message must be of a change of an event, and of the calendar, before its times are read as an old and a new one. */
const LIKELY_MOVED = { change: 0.25, calendar: 0.5 } as const

/** An event at another time (`message-corrected.ts`); null for a message that is not likely of it. */
export function askedCorrected(text: string, moment: Moment): Asked | null {
  const phrase = MOVED
  const likely = likelyOf(text, moment)
  const share = likely.reduce((sum, { label, score }) => sum + (/^calendar\./.test(label) ? score : 0), 0)
  const own = likely.find(({ label }) => label === 'calendar.update_event')?.score ?? 0
  if (phrase?.takes?.moves === undefined || own < LIKELY_MOVED.change || share < LIKELY_MOVED.calendar)
    return null
  const read = correctedIn(text, moment)
  if (read === null) return null
  const fields = { intent: phrase.intent ?? 'other', ...moveFields(read, phrase.takes.moves, moment) }
  return { phrase, fields, taken: {}, writes: true, sure: own }
}

const MOVED = TOOL_PHRASES.flatMap(({ asks }) => asks).find(({ takes }) => takes?.moves !== undefined)

/** The change of all that have some words, which a message is surely of, where "everything" was read as the name of one. */
export function changeLoosely(text: string, moment: Moment): Asked | null {
  const asked = loose(changedLoosely(text, moment), moment)
  return asked?.phrase.plan.some(({ take }) => take === 'all') === true ? asked : null
}

function loose(part: Part | null, moment: Moment): Asked | null {
  const phrase = part?.of.phrase ?? null
  if (part === null || phrase === null) return null
  const { slots, sure, of } = part
  if (!isAllTold(phrase, slots, part.text)) return null
  return { phrase, fields: fieldsOf(phrase, part, moment), taken: slots, writes: of.writes, sure }
}

/** Fields of the read that a message begins with, where its rest is not understood: done, and said to be a part. */
export function partFields(text: string, moment: Moment): Fields | null {
  const part = firstRead(text, moment)
  const phrase = part?.of.phrase ?? null
  return part === null || phrase === null || phrase.intent === undefined
    ? null
    : fieldsOf(phrase, part, moment)
}

/** Why a message was not understood: what is lacking, the words that are left, and the actions and intents that are nearest. */
export interface NotUnderstood {
  readonly lacking: string | null
  readonly left: readonly string[]
  readonly nearest: readonly string[]
  /** How near the first of them is: from 7 on a read that was heard, but for some of the words. */
  readonly near: number
}

export function notUnderstood(text: string, moment: Moment): NotUnderstood | null {
  const understood = understand(text, moment)
  if (understood.is === 'requests') return null
  const { lacking, left, nearest, near } = understood
  return { lacking, left, near, nearest: nearest.map((id) => id.replace(/#\d+$/, '')) }
}

/** The sentence that fits all words of a message, each slot of it one thing. */
export function wholeSentence(
  packages: readonly Phrases[],
  text: string,
  isMeant: (phrase: Phrase) => boolean = () => true,
): WholeRequest | null {
  const core = coreAsTyped(text)
  const found = unnamedRequest(packages, core, isMeant)
  if (found === null) return null
  const { topic } = found.taken
  const inner =
    topic === undefined
      ? undefined
      : IN_QUOTES.exec(topic)
          ?.slice(1)
          .find((one) => one !== undefined)
  const quoted = inner !== undefined || isAfterColon(core, topic)
  if (!quoted && core.split(/\s+/, LONG + 1).length > LONG && core.endsWith(topic ?? '')) return null
  const isWhole = Object.entries(found.taken).every(
    ([slot, words]) =>
      (found.shaped?.includes(slot) && !(TO_THE_END.has(slot) && saysSecond(words))) ||
      (quoted && slot === 'topic') ||
      isOne(slot, words),
  )
  if (!isWhole) return null
  const taken = inner === undefined ? told(found, core, text) : { ...found.taken, topic: inner }
  return { ...found, taken, quoted }
}

/** Arguments that somebody else reads. */
const TOLD = ['body', 'text', 'note']

/**
 * The slots, where what is told to somebody ends as it was typed: "thanks" and "please" at its end are said to them. Without these words a request is only
 * recognised.
 */
function told({ phrase, taken }: Request, core: string, text: string): Request['taken'] {
  const typed = text.trim()
  const at = typed.replaceAll('’', "'").lastIndexOf(core.replaceAll('’', "'"))
  const behind = at < 0 ? '' : typed.slice(at + core.length)
  if (!/[^\s.,!?]/.test(behind)) return taken
  return Object.fromEntries(
    Object.entries(taken).map(([slot, words]) => [
      slot,
      core.trimEnd().endsWith(words) && isTold(phrase, slot) ? words + behind : words,
    ]),
  )
}

/** Whether somebody else reads what is in a slot. */
function isTold({ plan }: Phrase, slot: string): boolean {
  return plan.some(
    ({ tool, args }) =>
      typeof tool === 'string' &&
      !/^(?:task|reminder|memory)\./.test(tool) &&
      TOLD.some((key) => String(Reflect.get(Object(args), key)).replace(/\.\w+\}$/, '}') === `{${slot}}`),
  )
}

/** Shapes that take any words to the end, and so perhaps a second request. */
const TO_THE_END: ReadonlySet<string> = new Set([
  'matter',
  'question',
  'news',
  'news_de',
  'reply',
  'reply_de',
])
/** Words of a message whose text is marked as one by a colon, by quotation marks, or by words on both sides of it. */
const LONG = 40
/** A text in one pair of quotation marks, which are not part of it. */
const IN_QUOTES = /^(?:"([^"]+)"|“([^“”]+)”|„([^„“”]+)[“”]|«([^«»]+)»)$/s

/** `quoted`: a colon, or quotation marks, say what the text is, whatever it says. */
export interface WholeRequest extends Request {
  readonly quoted: boolean
}

function isAfterColon(text: string, topic = ''): boolean {
  return topic !== '' && text.endsWith(topic) && /:\s*$/.test(text.slice(0, -topic.length))
}

/** A name or a place has no colon in it; an address and what is said to the end may. */
function isOne(slot: string, words: string): boolean {
  return (
    !(slot === 'topic' ? saysSecond(words) : saysMore(words)) &&
    !(slot !== 'topic' && saysAgain(words)) &&
    (slot === 'topic' || slot === 'site' || !/:(?!\d)/.test(words))
  )
}

/** How much surer than of anything else the planner is, before it is believed against a declared sentence. */
const SURE = 0.5

/**
 * Whether the embedded planner is believed against the sentence that fits the whole message: it found several requests, or less in a slot
 * of the same phrase, or, for a named reading, another request that changes nothing.
 */
export function isBetter(
  asked: readonly Asked[],
  found: {
    readonly phrase: Phrase
    readonly taken?: Readonly<Record<string, string>>
    readonly shaped?: readonly string[]
    readonly quoted?: boolean
  } | null,
): boolean {
  const [only] = asked
  if (only === undefined || found === null || found.quoted === true) return false
  const { phrase, taken, shaped = [] } = found
  // "When can Sarah and I meet" is one request: no slot of it is open for a second one, and its "and" is its own or within a list.
  const slots = Object.keys(taken ?? {})
  const isClosed = slots.length > 0 && slots.every((slot) => shaped.includes(slot))
  const isList = shaped.some((slot) => /,\s|\s(?:and|und|&)\s/.test(taken?.[slot] ?? ''))
  const isSecond = slots.some((slot) => saysSecond(taken?.[slot] ?? ''))
  if (asked.length > 1 && (isClosed || isList) && !isSecond) return false
  if (asked.length > 1 && new Set(asked.map((one) => one.phrase)).size > 1) return true
  if (phrase.intent !== undefined)
    return (
      asked.length === 1 &&
      only.phrase !== phrase &&
      only.phrase.intent === undefined &&
      !only.writes &&
      only.sure >= SURE
    )
  if (asked.length > 1) return true
  return (
    only.phrase === phrase &&
    slots.some(
      // What others read is written as it was typed: "the slates are here", "I will come, thanks".
      (name) => !isTold(phrase, name) && (only.taken[name]?.length ?? 9_999) < (taken?.[name]?.length ?? 0),
    )
  )
}

/** "Merk dir" says no fact yet. */
const TO_WHOM = /^\s*(?:dir|mir|dich|mich|euch|uns)[\s.,!:]*$/iu

function fieldsOf(phrase: Phrase, part: Part, { now, zone }: Moment): Fields {
  const { intent } = phrase
  if (intent === undefined) return {}
  const topic = part.slots['topic'] ?? null
  if (intent === 'memory_save')
    return withoutPointer({ intent, ...textField('topic', TO_WHOM.test(topic ?? '') ? null : factOf(topic)) })
  if (intent === 'memory_search') return { intent, ...textField('topic', subjectOf(topic)) }
  const { who, whose, what } = part.slots
  return withoutPointer({
    intent,
    ...textField('url', findUrl(part.text)),
    ...requestFields({
      ...{
        core: { text: part.text, polite: false },
        rest: part.text,
        email: findEmail(part.text),
        dates: part.dates,
      },
      ...{ request: { phrase, lists: listsOf(phrase) }, things: namedThings(TOOL_PHRASES), zone, now },
      known: { person: who ?? whose?.replace(/['’]?s['’]?$/, '') ?? null, title: what ?? null },
    }),
  })
}

/**
 * The request from the typed parts: the extracted fields, and the sender's own words where a field is shown only as a handle. Must
 * not read content. Called by the planner and the renderers of the rules model.
 */
import { isPlainRecord, type Json } from '../../../kernel/flow/json.ts'
import type { PromptParts, SoughtView } from '../../../kernel/prompt/parts.ts'
import { createMessageExtractor } from '../../extractors/message/message.ts'
import type { MessageField } from '../../tools/planned.ts'
import type { Clock } from './answers/clock.ts'
import { fieldOf, isTrue, itemsOf, numberOf, textOf } from './answers/content.ts'

/** What a question about events asks for. */
export interface AskedOfEvents {
  /** Only what overlaps is asked for. */
  readonly clash: boolean
  /** What was last is asked for, by these words; empty where it is not. */
  readonly last: string
}

const NOT_OF_EVENTS: AskedOfEvents = { clash: false, last: '' }

export interface Said extends AskedOfEvents {
  readonly intent: string
  /** False if something of the message was not understood. */
  readonly whole: boolean
  /** A declared sentence accounts for every word. */
  readonly exact: boolean
  /** Connected services that were named as the place of it, by their ids. */
  readonly services: readonly string[]
  /** ISO dates, or empty. */
  readonly from: string
  readonly to: string
  readonly wholeDay: boolean
  readonly unread: boolean
  /** Only the next of what was asked for is wanted. */
  readonly next: boolean
  /** What is over of the day is not wanted. */
  readonly left: boolean
  /** It asks for what was said in this conversation, or at a time. */
  readonly looksBack: boolean
  readonly minutes: number | null
  readonly count: number | null
  /** As in `MESSAGE_FIELDS`, or empty. */
  readonly repeat: string
  /** As in `MOVES`, or empty. */
  readonly move: string
  /** Whether the message has the field, by value or as a handle. */
  has(field: MessageField): boolean
}

/** One thing of several that are still to come: "when's my next meeting", not "the next two" or "next week". */
const NEXT_ONE =
  /(?<!\p{L})(?:(?:my|the|our) next (?!(?:week|month|year|day|few|couple|two|three|four|five|mon|tue|wed|thu|fri|sat|sun)\p{L}*)\p{L}*(?<!s)(?!\p{L})|(?:mein|dein|unser|der|das) nächste[rs]? (?!(?:woche|monat|jahr|tag)(?!\p{L}))\p{L}+|(?:meine|unsere) nächste (?!(?:woche|termine)(?!\p{L}))\p{L}+|what(?:['’]?s| is| comes) (?:(?:up|on|coming(?: up)?) )?next(?=[\s?.!]*$)|was (?:kommt|ist|steht|habe? ich) (?:denn )?als nächstes(?!\p{L}))/iu

/** Of a day that has begun, what is still to come: "what's left for today". */
const LEFT =
  /(?<!\p{L})(?:(?:left|remaining|still to come|still ahead|(?:do i|have i|i) still)(?!\p{L}).*(?<!\p{L})today|today.*(?<!\p{L})(?:left|remaining)|(?:rest|remainder) of (?:the day|today|my day)|heute (?:\p{L}+ ){0,2}?noch|noch (?:\p{L}+ ){0,2}?heute|(?:rest vom|restlichen?) tag)(?!\p{L})/iu

/** "When do I have the dentist again": the one event that is asked for. */
const EVENT_ASKED =
  /(?<!\p{L})(?:when|what time|what day|wann|wann genau) (?:do|did|have|will|am|is|habe?|bin|ist) (?:(?:i|we|ich|wir) )?(?:(?:have|got|again|nochmal|noch mal|wieder|denn|eigentlich) )*(?:the|my|our|den|die|das|der|meinen?|mein|unseren?|unser) (?!next |nächste)(?<event>[^,;.?!]{2,40}?)(?:,? (?:again|nochmal|noch mal|wieder|denn|eigentlich))*[\s?.!]*$/iu
/** Words of a time in it. */
const ITS_TIME =
  /(?<!\p{L})(?:today|tomorrow|(?:this|next|on|am|diese[rn]?|nächste[rn]?) \p{L}+|heute|morgen|appointment|meeting|termin)(?!\p{L})/giu

/** What was said, not what is so. */
const OF_TALK =
  /(?<!\p{L})(?:(?:did|have|had) (?:we|i|you) (?:\p{L}+ )?(?:say|said|talk|talked|discuss|discussed|ask|asked|mention|mentioned|tell|told|write|wrote|speak|spoken)|(?:we|i|you) (?:just |last )?(?:said|talked|discussed|spoke|asked|told|mentioned)|conversation|gesagt|besprochen|gesprochen|geredet|unterhalten|gefragt|erzählt|gespräch)(?!\p{L})/iu

export function saidOf(parts: Pick<PromptParts, 'metadata'> & Partial<Pick<PromptParts, 'request'>>): Said {
  const fields = (parts.metadata.find(({ root }) => root === 'said')?.fields ?? {}) as Json
  return {
    intent: textOf(fields, 'intent') || 'other',
    exact: fieldOf(fields, 'whole') === true,
    whole: fieldOf(fields, 'whole') !== false || isTrue(fields, 'learned'),
    services: itemsOf(fieldOf(fields, 'services'), 'items').map((one) => textOf(one, 'says')),
    from: textOf(fields, 'from'),
    to: textOf(fields, 'to'),
    wholeDay: isTrue(fields, 'wholeDay'),
    unread: isTrue(fields, 'unread'),
    next: NEXT_ONE.test(parts.request?.slice(0, 200) ?? ''),
    ...NOT_OF_EVENTS,
    left: LEFT.test(parts.request?.slice(0, 200) ?? ''),
    looksBack: textOf(fields, 'from') !== '' || OF_TALK.test(parts.request?.slice(0, 200) ?? ''),
    minutes: numberOf(fields, 'minutes'),
    count: numberOf(fields, 'count'),
    repeat: textOf(fields, 'repeat'),
    move: textOf(fields, 'moved'),
    has: (field) => (fieldOf(fields, field) ?? null) !== null,
  }
}

/** Context for the words of a result. */
export interface Telling {
  readonly clock: Clock
  readonly said: Said
  /** The sender's own words for the request that led to this result, or empty. */
  readonly typed: {
    readonly topic: string
    readonly person: string
    /** The one event that is asked for; absent or empty where none is. */
    readonly event?: string
  }
  /** What the read was asked for: each argument as `asked_<name>`, and of rows of which none fitted the words as `sought`; `known` if there is any; `earlier` if they are rows of an earlier answer. */
  readonly looked: Readonly<Record<string, Json>>
  /** Whether the reader is the owner. */
  readonly isOwner: boolean
}

/** Values for the sentences about nothing that was found; empty where it is not known what was looked for. */
export function askedBy(view: SoughtView | undefined): Telling['looked'] {
  const asked = view?.asked
  if (!isPlainRecord(asked)) return {}
  const named = Object.entries(asked as Telling['looked']).map(
    ([name, value]) => [name === 'sought' ? name : `asked_${name}`, value] as const,
  )
  return { ...Object.fromEntries(named), known: named.length > 0, earlier: view?.earlier === true }
}

const EXTRACTOR = createMessageExtractor()

/**
 * Topic and person as typed, or as edited on a card. The writer step sees the sender's words, in which the same extractor finds the
 * same fields.
 */
export function typedOf(parts: PromptParts): Telling['typed'] {
  const { now, timezone } = parts.output
  const fields = EXTRACTOR.extract(parts.request, {
    now: Date.parse(`${now}:00Z`),
    timezone,
  }) as Json
  const [edited, ...others] = parts.contents.filter(({ action }) => action === 'message.edited')
  // A value that the owner edited on the card is the one that was used.
  const own = others.length === 0 && typeof edited?.content === 'string' ? edited.content : null
  const said = saidOf(parts)
  // What was read when the message came may have less: words of another clause are no name of what is looked for.
  const typed = (field: 'topic' | 'person'): string =>
    said.intent === 'other' || said.has(field) ? textOf(fields, field) : ''
  const { event = '' } = EVENT_ASKED.exec(parts.request.slice(0, 200))?.groups ?? {}
  return {
    ...{ topic: own ?? typed('topic'), person: typed('person') },
    event: event.replace(ITS_TIME, ' ').trim(),
  }
}

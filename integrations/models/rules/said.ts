/**
 * What the person asked for, from the typed parts: the extracted fields, and the owner's own words where a field
 * is shown as a handle only. Must not read content. Called by the planner and the renderers of the rules model.
 */
import type { Json } from '../../../kernel/flow/json.ts'
import type { PromptParts } from '../../../kernel/prompt/parts.ts'
import { createMessageExtractor } from '../../extractors/message.ts'
import type { SaidField } from '../../tools/planned.ts'
import type { Clock } from './clock.ts'
import { fieldOf, isTrue, numberOf, textOf } from './content.ts'

export interface Said {
  readonly intent: string
  /** ISO dates, or empty. */
  readonly from: string
  readonly to: string
  readonly wholeDay: boolean
  readonly unread: boolean
  readonly minutes: number | null
  readonly count: number | null
  /** Whether the message holds the field at all, by value or as a handle. */
  has(field: SaidField): boolean
}

export function saidOf(parts: PromptParts): Said {
  const fields = (parts.metadata.find(({ root }) => root === 'said')?.fields ?? {}) as Json
  return {
    intent: textOf(fields, 'intent') || 'other',
    from: textOf(fields, 'from'),
    to: textOf(fields, 'to'),
    wholeDay: isTrue(fields, 'wholeDay'),
    unread: isTrue(fields, 'unread'),
    minutes: numberOf(fields, 'minutes'),
    count: numberOf(fields, 'count'),
    has: (field) => (fieldOf(fields, field) ?? null) !== null,
  }
}

/** What a result is told with. */
export interface Telling {
  readonly clock: Clock
  readonly said: Said
  /** Words of the request that this is the result of, or empty. */
  readonly typed: { readonly topic: string; readonly person: string }
  /** Whether it is the owner who reads this. */
  readonly isOwner: boolean
}

const EXTRACTOR = createMessageExtractor()

/** Topic and person as typed, or as edited on a card. A writer sees the person's words; the same extractor finds the same things in them. */
export function typedOf(parts: PromptParts): { readonly topic: string; readonly person: string } {
  const { now, timezone } = parts.output
  const fields = EXTRACTOR.extract(parts.request, {
    now: Date.parse(`${now}:00Z`),
    timezone,
  }) as Json
  const [edited, ...others] = parts.contents.filter(({ action }) => action === 'message.edited')
  // What he wrote on the card in place of it is what ran.
  const own = others.length === 0 && typeof edited?.content === 'string' ? edited.content : null
  return { topic: own ?? textOf(fields, 'topic'), person: textOf(fields, 'person') }
}

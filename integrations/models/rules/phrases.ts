/**
 * Requests in the sentences that tool packages declare (DESIGN §9, §10): words in their order, with slots that take words of the message as
 * they were typed. General: must not know a tool. Called by planner.ts for what no intent explains.
 */
import type { Json } from '../../../kernel/flow/json.ts'
import type { Argument, Plan } from '../../../kernel/task/plan.ts'
import { findDays } from '../../extractors/message-days.ts'
import { coreOf } from '../../extractors/message-intent.ts'
import type { Phrase } from '../../tools/package.ts'

/** Words of a message, and of one slot: a request is short, and a name is shorter. */
const MOST_WORDS = 40
const MOST_IN_SLOT = 8

interface Word {
  readonly text: string
  /** Where it stands in the message, without the punctuation around it. */
  readonly start: number
  readonly end: number
}

/** Text of each slot, as typed. */
type Slots = Readonly<Record<string, string>>

/** The plan of the first sentence that is the whole request, with its slots filled; null where none is. */
export function phrasePlan(request: string, phrases: readonly Phrase[]): Plan | null {
  // The very characters: what is told a service must stand in the message.
  const typed = request.trim()
  const text = typed.slice(typed.length - coreOf(request).text.length)
  const words = wordsOf(text)
  if (words.length === 0 || words.length > MOST_WORDS) return null
  for (const { says, plan } of phrases)
    for (const sentence of says) {
      const slots = slotsIn(text, words, sentence.split(' '))
      if (slots !== null) return { steps: filled(plan, slots) as unknown as Plan['steps'], explanation: '' }
    }
  return null
}

function wordsOf(text: string): readonly Word[] {
  return [...text.matchAll(/[^\s,;.!?]+(?:[.,][^\s,;.!?]+)*/gu)].map(({ 0: word, index }) => ({
    text: plain(word),
    start: index,
    end: index + word.length,
  }))
}

function plain(word: string): string {
  return word.toLowerCase().replaceAll('’', "'")
}

/** `[…]` may be left out; `{slot}` takes one or more words. Every other stands as it is. */
function slotsIn(
  text: string,
  words: readonly Word[],
  parts: readonly string[],
  at = 0,
  from = 0,
): Slots | null {
  const part = parts[at]
  if (part === undefined) return from === words.length ? {} : null
  const optional = /^\[(.+)\]$/.exec(part)?.[1]
  const wanted = optional ?? part
  const slot = /^\{(\w+)\}$/.exec(wanted)?.[1]
  const found =
    slot === undefined
      ? words[from]?.text === plain(wanted)
        ? slotsIn(text, words, parts, at + 1, from + 1)
        : null
      : taken(text, words, parts, { at, from, slot })
  return found ?? (optional === undefined ? null : slotsIn(text, words, parts, at + 1, from))
}

function taken(
  text: string,
  words: readonly Word[],
  parts: readonly string[],
  { at, from, slot }: { readonly at: number; readonly from: number; readonly slot: string },
): Slots | null {
  for (let count = 1; count <= MOST_IN_SLOT && from + count <= words.length; count += 1) {
    const said = text.slice(words[from]?.start, words[from + count - 1]?.end)
    if (!fits(slot, said)) continue
    const rest = slotsIn(text, words, parts, at + 1, from + count)
    if (rest !== null) return { ...rest, [slot]: said }
  }
  return null
}

/** A time is a time as a whole, and nothing else holds one: "Lisbon tomorrow" is no place. */
function fits(slot: string, said: string): boolean {
  const days = findDays(said, 0)
  return slot === 'when' ? days !== null && days.start === 0 && days.end === said.length : days === null
}

/** `{place}` alone is what was said there; `{when.from}` and `{when.to}` are what was understood of the time. */
function filled(value: Json, slots: Slots): Json {
  if (typeof value === 'string') {
    const [, slot = '', end] = /^\{(\w+)(?:\.(from|to))?\}$/.exec(value) ?? []
    if (end !== undefined) return { $ref: `said.${end}` } satisfies Argument as Json
    return slot !== '' && Object.hasOwn(slots, slot) ? (slots[slot] ?? '') : value
  }
  if (Array.isArray(value)) return value.map((item: Json) => filled(item, slots))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, filled(inner as Json, slots)]))
}

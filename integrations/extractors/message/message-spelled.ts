/**
 * What is read of a message in another spelling, in the characters that were typed: what is written, sent or looked for is the owner's own. Pure; must not
 * spell. Called by message.ts and the planner without a model.
 */
import { isPlainRecord, type Json } from '../../../kernel/flow/json.ts'
import { withArticles } from '../../../kernel/operations/plain-request.ts'

/** The spelling of a message, word by word; nothing at the edge, whose bundle is bounded. */
export interface Speller {
  (typed: string): string
  /** A part in which words were changed, as they are in `typed`. */
  readonly back?: (part: string, typed: string) => string
}

export const asItIs: Speller = (text) => text

interface Spelling {
  /** What is read. */
  readonly text: string
  /** A part of it as it was typed; anything else as it is. */
  readonly typed: (part: string) => string
}

export function spellingOf(typed: string, spell: Speller): Spelling {
  const text = withArticles(spell(typed))
  if (text === typed) return { text, typed: (part) => part }
  const [read, own] = [wordsOf(text), wordsOf(typed)]
  /** Where the word that begins or ends at this place of `text` does so in the message. */
  const placed = (at: number, end: 'from' | 'to'): number | null => {
    const n = read.findIndex(({ from, to }) => at === (end === 'from' ? from : to) || (at > from && at < to))
    const [here, there] = [read[n], own[n]]
    if (!here || !there) return null
    if (here.word === there.word) return there.from + at - here.from
    return at === here[end] ? there[end] : null
  }
  return {
    text,
    typed(part) {
      const again = spell.back?.(part, typed) ?? part
      if (read.length !== own.length || typed.includes(again)) return again
      const at = text.indexOf(part)
      const [from, to] = [placed(at, 'from'), placed(at + part.length, 'to')]
      return from === null || to === null ? again : typed.slice(from, to)
    },
  }
}

function wordsOf(text: string) {
  return [...text.matchAll(/\S+/g)].map(({ 0: word, index }) => ({
    word,
    from: index,
    to: index + word.length,
  }))
}

/** Each text in it; of a reference, what it refers to is no text. */
export function eachText(value: Json, change: (text: string) => string): Json {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((one: Json) => eachText(one, change))
  if (!isPlainRecord(value) || '$ref' in value) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, eachText(one as Json, change)]))
}

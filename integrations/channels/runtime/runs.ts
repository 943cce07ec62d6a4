/**
 * Text in runs of uniform style, for a channel's renderer, and good places to split a long text. Must not know how a channel
 * formats a style. Called by markdown.ts and by the renderers of the channels.
 */

export type Style = 'bold' | 'italic' | 'strikethrough' | 'code' | 'pre' | 'blockquote'

export interface Run {
  readonly text: string
  readonly styles: readonly Style[]
  /** Language of a `pre` block. */
  readonly language?: string
}

/** Least share of a message that a split must fill, or a text without good places would fall to pieces. */
const LEAST_FILL = 0.5
/** Preferred split points: after a paragraph, a line, a sentence, a word. */
const PLACES: readonly RegExp[] = [/\n\s*\n/g, /\n/g, /[.!?…]\s/g, /\s/g]

/** End of the part that begins at `from`, at most `most` UTF-16 units long. */
export function cutAfter(text: string, from: number, most: number): number {
  if (text.length - from <= most) return text.length
  const window = text.slice(from, from + most)
  for (const place of PLACES) {
    const last = [...window.matchAll(place)].at(-1)
    const end = last === undefined ? 0 : last.index + last[0].length
    if (end >= most * LEAST_FILL) return from + end
  }
  // Does not split a surrogate pair.
  const isHalved = /[\uD800-\uDBFF]$/.test(window)
  return from + most - (isHalved ? 1 : 0)
}

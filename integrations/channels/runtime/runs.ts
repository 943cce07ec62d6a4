/**
 * A text in runs of one look each, as a channel's renderer takes it, and where a long one is cut so that it reads well. Must not know
 * how a channel writes a look. Called by markdown.ts and by the renderers of the channels.
 */

export type Style = 'bold' | 'italic' | 'strikethrough' | 'code' | 'pre' | 'blockquote'

export interface Run {
  readonly text: string
  readonly styles: readonly Style[]
  /** Of a `pre`. */
  readonly language?: string
}

/** A cut is not moved back further than to this share of a message, or a text without a good place would fall to pieces. */
const LEAST_FILL = 0.5
/** Where a text is cut best: behind a paragraph, a line, a sentence, a word. */
const PLACES: readonly RegExp[] = [/\n\s*\n/g, /\n/g, /[.!?…]\s/g, /\s/g]

/** The end of what begins at `from`, at most `most` UTF-16 units further. */
export function cutAfter(text: string, from: number, most: number): number {
  if (text.length - from <= most) return text.length
  const window = text.slice(from, from + most)
  for (const place of PLACES) {
    const last = [...window.matchAll(place)].at(-1)
    const end = last === undefined ? 0 : last.index + last[0].length
    if (end >= most * LEAST_FILL) return from + end
  }
  // Halves of one character are no characters.
  const isHalved = /[\uD800-\uDBFF]$/.test(window)
  return from + most - (isHalved ? 1 : 0)
}

/**
 * Spans of a text and their replacement. Every guard rule that removes something names its span and a replacement: nothing is
 * removed without a mark, so that the surrounding text cannot join into something new. Pure; called by the rules of the guard.
 */

/** UTF-16 units; `end` is exclusive. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** In order, without overlap. Adjacent spans are joined, so that a run is replaced once. */
export function mergeSpans(spans: readonly Span[]): readonly Span[] {
  const merged: Span[] = []
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    const last = merged.at(-1)
    if (last === undefined || span.start > last.end) merged.push(span)
    else if (span.end > last.end) merged[merged.length - 1] = { start: last.start, end: span.end }
  }
  return merged
}

export function replaceSpans(text: string, spans: readonly Span[], by: string): string {
  let out = ''
  let from = 0
  for (const { start, end } of mergeSpans(spans)) {
    out += text.slice(from, start) + by
    from = end
  }
  return out + text.slice(from)
}

/** The text without white space, and the position of each unit. Makes text whole that spaces or lines split. */
interface Squeezed {
  readonly text: string
  /** Position in the original of each unit of `text`. Computed on first use, because nearly no text has a find. */
  readonly at: Uint32Array
}

export function squeeze(original: string): Squeezed {
  let at: Uint32Array | null = null
  return {
    text: original.replace(/\s+/g, ''),
    get at() {
      at ??= placesOf(original)
      return at
    },
  }
}

function placesOf(original: string): Uint32Array {
  const at = new Uint32Array(original.length)
  let kept = 0
  for (const { 0: run, index } of original.matchAll(/\S+/g)) {
    for (let i = 0; i < run.length; i += 1) at[kept + i] = index + i
    kept += run.length
  }
  return at
}

/** Maps a span of the squeezed text to the original. */
export function unsqueeze({ at }: Squeezed, { start, end }: Span): Span {
  return { start: at[start] ?? 0, end: (at[end - 1] ?? -1) + 1 }
}

/**
 * Converts busy spans to alternating busy and free slots (I-13). Touching and overlapping spans merge, so that a slot does not
 * reveal how many events it contains. Pure. Called by shape.ts.
 */

/** Epoch milliseconds; `end` is exclusive. */
export interface Span {
  readonly start: number
  readonly end: number
}

export interface Slot extends Span {
  readonly busy: boolean
}

/** Covers `within` exactly: every instant is in one slot, and adjacent slots differ in `busy`. */
export function slotsOf(spans: readonly Span[], within: Span): readonly Slot[] {
  const slots: Slot[] = []
  let at = within.start
  for (const { start, end } of mergeSpans(clip(spans, within))) {
    if (start > at) slots.push({ start: at, end: start, busy: false })
    slots.push({ start, end, busy: true })
    at = end
  }
  if (at < within.end) slots.push({ start: at, end: within.end, busy: false })
  return slots
}

function clip(spans: readonly Span[], within: Span): readonly Span[] {
  return spans
    .map(({ start, end }) => ({ start: Math.max(start, within.start), end: Math.min(end, within.end) }))
    .filter(({ start, end }) => start < end)
}

function mergeSpans(spans: readonly Span[]): readonly Span[] {
  const merged: Span[] = []
  for (const span of [...spans].sort((a, b) => a.start - b.start)) {
    const last = merged.at(-1)
    if (last === undefined || span.start > last.end) merged.push(span)
    else merged[merged.length - 1] = { start: last.start, end: Math.max(last.end, span.end) }
  }
  return merged
}

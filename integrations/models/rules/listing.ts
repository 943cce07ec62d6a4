/**
 * Display order of rows, marked ones first: told.ts numbers them by it, and among.ts resolves "the second one" by it.
 */

/** Indices into the tool's order, in display order. */
export function shownOrder(marked: readonly boolean[]): readonly number[] {
  const indices = marked.map((_, index) => index)
  return [
    ...indices.filter((index) => marked[index] === true),
    ...indices.filter((index) => marked[index] !== true),
  ]
}

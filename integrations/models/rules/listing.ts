/**
 * The order in which rows are shown, the marked ones first: told.ts numbers them by it, and among.ts finds `the second one` by it.
 */

/** Indices in the tool's order, as they are shown. */
export function shownOrder(marked: readonly boolean[]): readonly number[] {
  const indices = marked.map((_, index) => index)
  return [
    ...indices.filter((index) => marked[index] === true),
    ...indices.filter((index) => marked[index] !== true),
  ]
}

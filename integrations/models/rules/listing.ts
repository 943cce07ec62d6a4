/**
 * The order in which mails are shown, unread first: the renderer numbers them by it, and the planner finds `the
 * second one` by it. Called by mail.ts and planner.ts.
 */

/** Indices in the tool's order, as they are shown. */
export function shownOrder(unread: readonly boolean[]): readonly number[] {
  const indices = unread.map((_, index) => index)
  return [
    ...indices.filter((index) => unread[index] === true),
    ...indices.filter((index) => unread[index] !== true),
  ]
}

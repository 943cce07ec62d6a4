/**
 * What a conversation was shown of each feed, as digests of the items' own addresses (DESIGN §9): no title, address or text. Must not
 * hold anything of a feed that could be read. Called by run.ts; home stores it (sidecar/store/feed-items.ts).
 */

/** One item that was listed before. */
export interface ListedItem {
  readonly digest: string
  /** Task that listed it first. */
  readonly task: string
  /** When that was, and when it was last in the feed; epoch milliseconds. */
  readonly told: number
  readonly seen: number
}

export interface FeedItems {
  /** Without items of answers that came to nothing: those are new again. `feed`: digest of the address. */
  of(principal: string, feed: string): readonly ListedItem[]
  /** Records that a task listed these. What is recorded already keeps its task. */
  note(
    listed: { readonly principal: string; readonly feed: string; readonly task: string },
    digests: readonly string[],
  ): void
}

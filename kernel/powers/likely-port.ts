/**
 * Port for the tools that the owner's words most likely ask for. A guess: it only chooses what a
 * prompt describes (I-32) and grants no permission. Part of the reader of messages in ports.ts.
 */

/** When and where a message was written: epoch milliseconds, and an IANA time zone. */
export interface Read {
  readonly now: number
  readonly timezone: string
}

export interface LikelyTools {
  /** Ids of tools, most likely first; absent at a place that cannot tell. */
  likely?(text: string, context: Read): readonly string[]
}

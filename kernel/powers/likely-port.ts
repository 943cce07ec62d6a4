/**
 * What the owner's words most likely ask for, as a place can say it. A guess: it only chooses what a prompt describes (I-32), and decides no right. Part
 * of the reader of messages in ports.ts.
 */

/** When and where a message was written: epoch milliseconds, and an IANA name. */
export interface Read {
  readonly now: number
  readonly timezone: string
}

export interface LikelyTools {
  /** Ids of tools, the likeliest first; absent: this place cannot say. */
  likely?(text: string, context: Read): readonly string[]
}

/** What a reading of a message knows of its spelling: nothing at the edge, whose bundle is bounded. Called by message.ts and the planner without a model. */

export interface Spelling {
  readonly text: string
  /** Its parts of `text` in the characters that were typed; anything else as it is. */
  readonly asTyped: <T>(value: T) => T
}

export type Speller = (typed: string) => Spelling

export const asItIs: Speller = (text) => ({ text, asTyped: (value) => value })

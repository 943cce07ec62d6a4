/**
 * How full a window is, and what is due then (O-34): nothing, a summary, or a cut at once. Numbers only. Called by
 * finalize.ts for the prompt at hand and by compaction.ts for those to come.
 */

/** Shares of the window that system, tools, history and the room for an answer take together. */
export const SUMMARISE_AT = 0.65
export const CUT_AT = 0.9
/** What a cut leaves. */
export const CUT_TO = 0.8

export type Fill = 'fits' | 'summarise' | 'cut'

/** Both in tokens. A window that is none, or a size that is not a number, is full. */
export function fillOf(used: number, window: number): Fill {
  const share = used / window
  if (share < SUMMARISE_AT) return 'fits'
  return share < CUT_AT ? 'summarise' : 'cut'
}

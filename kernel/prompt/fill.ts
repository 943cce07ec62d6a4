/**
 * How full a window is and what follows (O-34): nothing, a summary, or an immediate cut. Numbers only. Called by finalize.ts
 * for the current prompt and by compaction.ts for later ones.
 */

/** Shares of the window, counting system, tools, history and the reserve for the answer. */
export const SUMMARISE_AT = 0.65
export const CUT_AT = 0.9
/** Share of the window that remains filled after a cut. */
export const CUT_TO = 0.8

export type Fill = 'fits' | 'summarise' | 'cut'

/** Both in tokens. An invalid window, or a size that is not a number, counts as full. */
export function fillOf(used: number, window: number): Fill {
  const share = used / window
  if (share < SUMMARISE_AT) return 'fits'
  return share < CUT_AT ? 'summarise' : 'cut'
}

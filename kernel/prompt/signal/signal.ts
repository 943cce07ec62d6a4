/**
 * The reading of a message (P-27, S004 §4): how it is meant, as five coordinates. Guidance for tone and length: it
 * decides nothing, and no policy may read it (P-31, the import rule). Must not see anybody's words but the owner's.
 */

export const MODES = Object.freeze(['execute', 'build', 'analyze', 'maintain', 'assist'] as const)
export type Mode = (typeof MODES)[number]

export const GENRES = Object.freeze(['direct', 'inform', 'commit', 'decide', 'express'] as const)
export type Genre = (typeof GENRES)[number]

export const SIGNAL_TYPES = Object.freeze(['question', 'request', 'issue', 'statement', 'social'] as const)
export type SignalType = (typeof SIGNAL_TYPES)[number]

export const SIGNAL_FORMATS = Object.freeze(['command', 'line', 'message', 'document'] as const)
export type SignalFormat = (typeof SIGNAL_FORMATS)[number]

export interface Signal {
  /** What kind of work the answer is. */
  readonly mode: Mode
  /** What the words do: ask, tell, promise, choose, feel. */
  readonly genre: Genre
  readonly type: SignalType
  readonly format: SignalFormat
  /** 0 – 1: how much of an answer the message calls for. */
  readonly weight: number
}

/** Below, an answer is brief; above `THOROUGH_FROM`, thorough (P-28). */
export const BRIEF_BELOW = 0.3
export const THOROUGH_FROM = 0.8

/**
 * The classification of a message (P-27, S004 §4): five coordinates of how it is meant. Guides tone and length of an answer.
 * Must not be read by a policy (P-31, the import rule), or be made from anybody's words but the owner's.
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
  /** What the words do: ask, inform, promise, decide, express. */
  readonly genre: Genre
  readonly type: SignalType
  readonly format: SignalFormat
  /** 0 – 1: how extensive an answer the message needs. */
  readonly weight: number
}

/** Below this weight an answer is brief; from `THOROUGH_FROM`, thorough (P-28). */
export const BRIEF_BELOW = 0.3
export const THOROUGH_FROM = 0.8

/**
 * Parses what the owner says about the style of answers (P-30): `/mode analyze`, "be brief from now on". It holds for the
 * session until changed; the caller stores it. Must not change what is done, only how it is worded. Called at intake of the
 * owner's words and where a signal is used.
 */
import { BRIEF_BELOW, MODES, type Mode, type Signal, THOROUGH_FROM } from './signal.ts'

export const VERBOSITIES = Object.freeze(['brief', 'thorough'] as const)
export type Verbosity = (typeof VERBOSITIES)[number]

/** Null: determined by each message. */
export interface Steering {
  readonly mode: Mode | null
  readonly verbosity: Verbosity | null
}

/** An absent field was not mentioned; null resets it. */
export interface Steer {
  readonly mode?: Mode | null
  readonly verbosity?: Verbosity | null
  /** The message contains nothing else, so the answer is only a confirmation. */
  readonly whole: boolean
}

export const UNSTEERED: Steering = Object.freeze({ mode: null, verbosity: null })

/** UTF-16 units that are read: such a wish is one sentence, first or alone. */
export const STEER_HEAD = 300

const COMMAND = /^\/(mode|brief|thorough|normal)(?: +(\S+))?$/
const LASTING =
  /\b(?:from now on|from here on|in (?:the )?future|always|generally|for the rest of (?:this|the)\b)/
const BRIEF =
  /\b(?:be|keep (?:it|things|your (?:answers|replies|responses))|answer(?: me)?|reply|write|make (?:it|your (?:answers|replies)))\b.{0,30}\b(?:brief(?:ly|er)?|short(?:er|ly)?|concise(?:ly)?|terse(?:ly)?)\b|\b(?:brief|short|shorter|concise) (?:answers|replies|responses)\b/
const THOROUGH =
  /\b(?:be|keep (?:it|your (?:answers|replies|responses))|answer(?: me)?|reply|write|make (?:it|your (?:answers|replies))|go|give me)\b.{0,30}\b(?:thorough(?:ly)?|detailed|in (?:more )?detail|more detail|longer|in depth|comprehensive(?:ly)?)\b|\b(?:long|longer|detailed) (?:answers|replies|responses)\b/
const NOT = /\b(?:not|n't|stop|never|no longer|without)\b/
const NORMAL =
  /^(?:please )?(?:(?:go|be|switch) )?back to normal(?: (?:answers|replies|length))?$|^(?:please )?answer normally(?: again)?$|^no special mode$/
/** A whole message that is only the wish. */
const ALONE = /^(?:[^.!?;\n]{1,160})[.!]?$/
const ASKS_MORE = /\b(?:and|then|but)\b (?:please |also |then )*(?:\w+) (?:me|my|the|a|an|what|if|to)\b/

/** Null if the message does not mention it. "Tell me briefly" concerns one answer, not the following ones. */
export function parseSteer(text: string): Steer | null {
  const words = text.slice(0, STEER_HEAD).toLowerCase().replaceAll('’', "'").replaceAll(/\s+/g, ' ').trim()
  const command = COMMAND.exec(words)
  if (command !== null) return steerOfCommand(command[1] ?? '', command[2])
  if (NORMAL.test(words.replace(/[.!]+$/, ''))) return { mode: null, verbosity: null, whole: true }
  if (!LASTING.test(words) || NOT.test(words)) return null
  const brief = BRIEF.test(words)
  // Both at once cancel out.
  if (brief === THOROUGH.test(words)) return null
  const whole = text.length <= STEER_HEAD && ALONE.test(words) && !ASKS_MORE.test(words)
  return { verbosity: brief ? 'brief' : 'thorough', whole }
}

function steerOfCommand(name: string, argument: string | undefined): Steer | null {
  if (name !== 'mode')
    return argument === undefined
      ? { verbosity: name === 'brief' || name === 'thorough' ? name : null, whole: true }
      : null
  if (argument === 'auto') return { mode: null, whole: true }
  const mode = MODES.find((known) => known === argument)
  return mode === undefined ? null : { mode, whole: true }
}

/** The steering in effect after a message. */
export function steered(now: Steering, steer: Omit<Steer, 'whole'>): Steering {
  return {
    mode: steer.mode === undefined ? now.mode : steer.mode,
    verbosity: steer.verbosity === undefined ? now.verbosity : steer.verbosity,
  }
}

/** Weights of brief and thorough, whatever the message's own weight. */
const BRIEF_WEIGHT = 0.2
const THOROUGH_WEIGHT = 0.9

/** The signal with the owner's steering applied. */
export function withSteering(signal: Signal, { mode, verbosity }: Steering): Signal {
  return { ...signal, mode: mode ?? signal.mode, weight: steeredWeight(signal.weight, verbosity) }
}

function steeredWeight(weight: number, verbosity: Verbosity | null): number {
  if (verbosity === null) return weight
  if (verbosity === 'brief') return weight < BRIEF_BELOW ? weight : BRIEF_WEIGHT
  return weight > THOROUGH_FROM ? weight : THOROUGH_WEIGHT
}

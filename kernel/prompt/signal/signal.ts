/**
 * The signal of a message, i.e. how it is meant (P-27, S004 §4): five coordinates, the texts they choose (P-28),
 * the owner's own setting of the style (P-30), and messages that need no model (P-29). Guides tone and length of an
 * answer. Must not be read by a policy (P-31, the import rule), or be made from anybody's words but the owner's.
 */
import { err, ok, type Result } from '../../flow/verdict.ts'
import { spaced } from '../../wording/typed.ts'

export const MODES = Object.freeze(['execute', 'build', 'analyze', 'maintain', 'assist'] as const)
export type Mode = (typeof MODES)[number]

export const GENRES = Object.freeze(['direct', 'inform', 'commit', 'decide', 'express'] as const)
export type Genre = (typeof GENRES)[number]

const SIGNAL_TYPES = Object.freeze(['question', 'request', 'issue', 'statement', 'social'] as const)
export type SignalType = (typeof SIGNAL_TYPES)[number]

const SIGNAL_FORMATS = Object.freeze(['command', 'line', 'message', 'document'] as const)
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

const KEYS = Object.freeze([
  ...(['reading', 'brief', 'thorough'] as const),
  ...(['at_home', 'at_edge', 'home_up', 'home_away', 'own_reader', 'cloud_reader'] as const),
  ...(['memory', 'later', 'at_home_wait', 'undelivered', 'plan_mode'] as const),
])

export type OverlayTexts = Readonly<Record<(typeof KEYS)[number], string>>

const PREFACE = /^\s*<!--[\s\S]*?-->\s*/
const ROW = /^([a-z_]+): (\S.*)$/

/** Refusal: template_malformed for a key that is unknown, missing, repeated or empty. */
export function parseOverlay(text: string): Result<OverlayTexts> {
  const found = new Map<string, string>()
  for (const line of text.replace(PREFACE, '').split('\n')) {
    if (line.trim() === '') continue
    const [, key, words] = ROW.exec(line) ?? []
    if (key === undefined || words === undefined || found.has(key)) return malformed(line.split(':')[0])
    found.set(key, words.trim())
  }
  const unknown = [...found.keys()].find((key) => !KEYS.some((known) => known === key))
  if (unknown !== undefined) return malformed(unknown)
  const missing = KEYS.find((key) => !found.has(key))
  if (missing !== undefined) return malformed(missing)
  return ok(Object.fromEntries(found) as OverlayTexts)
}

function malformed(key: string | undefined): Result<never> {
  return err('template_malformed', { file: 'overlay.md', field: key ?? '' })
}

/** One line; equal signals give equal bytes. A medium weight adds no length, so the document's default applies. */
export function overlayOf(signal: Signal, texts: OverlayTexts): string {
  const reading = texts.reading.replace('{mode}', signal.mode).replace('{genre}', signal.genre)
  return `${reading} ${lengthOf(signal, texts)}`.trimEnd()
}

function lengthOf({ weight }: Signal, texts: OverlayTexts): string {
  if (weight < BRIEF_BELOW) return texts.brief
  return weight > THOROUGH_FROM ? texts.thorough : ''
}

export const VERBOSITIES = Object.freeze(['brief', 'thorough'] as const)
type Verbosity = (typeof VERBOSITIES)[number]

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
const STEER_HEAD = 300

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
  const words = spaced(text.slice(0, STEER_HEAD).toLowerCase())
  const command = COMMAND.exec(words)
  if (command !== null) return steerOfCommand(command[1] ?? '', command[2])
  if (NORMAL.test(words.replace(/(?<![.!])[.!]+$/, ''))) return { mode: null, verbosity: null, whole: true }
  if (!LASTING.test(words) || NOT.test(words)) return null
  const brief = BRIEF.test(words)
  // A message that asks for both is ignored.
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

type NoiseKind = 'empty' | 'thanks' | 'acknowledgement' | 'emoji'

interface Waiting {
  /** True while a question, an approval, a credential or an offer of this conversation is unanswered. */
  readonly pending: boolean
}

/** Maximum UTF-16 units of noise. A longer message has content. */
export const NOISE_MOST = 40

const THANKS =
  /^(?:(?:ok(?:ay)?|great|perfect|super|cool|nice),? )?(?:many thanks|thanks(?: a lot| so much| again)?|thank you(?: so much| very much| again)?|thx|ty|cheers|much appreciated)$/
const ACKNOWLEDGEMENT =
  /^(?:ok(?:ay)?|k|kk|alright|all right|got it|i see|noted|understood|cool|great|nice|good|fine|perfect|super|hm+|mhm|aha|ah|oh|lol|haha)(?: ok(?:ay)?| good| great| thanks)?$/
/** Pictographs with joiners and skin tones, and ASCII emoticons. */
const EMOJI =
  /^(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}|\u200d|\ufe0f|\s|[:;]-?[)(dp])+$/u

/** Null for a signal. Never noise: a command, a longer message, a yes or a no, anything while an answer is awaited. */
export function noiseOf(text: string, { pending }: Waiting): NoiseKind | null {
  if (pending || text.length > NOISE_MOST) return null
  const bare = text
    .toLowerCase()
    .replaceAll(/\s+/g, ' ')
    .replace(/(?<![\s.!…])[\s.!…]+$/, '')
    .trim()
  if (bare === '') return 'empty'
  if (EMOJI.test(bare)) return 'emoji'
  if (THANKS.test(bare)) return 'thanks'
  return ACKNOWLEDGEMENT.test(bare) ? 'acknowledgement' : null
}

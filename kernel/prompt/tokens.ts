/**
 * Estimates the tokens of a text before a provider has counted them (N-13, X-30): four characters per token for Latin prose,
 * fewer where tokenizers split finer, corrected by reported counts. An estimate decides what is trimmed, never what is allowed.
 * Must not load a vocabulary. Called by the document builder, blocks and the context report.
 */

/** Ratio of a model's own counts to the estimate; one per model, stored by the caller. */
export interface Calibration {
  /** Multiplier for an estimate. */
  readonly factor: number
  readonly samples: number
}

export interface Usage {
  /** `estimateTokens` of the whole prompt, without calibration. */
  readonly estimated: number
  /** Input tokens that the provider reported, cached ones included. */
  readonly reported: number
}

export const UNCALIBRATED: Calibration = Object.freeze({ factor: 1, samples: 0 })

/** Tokens per character, in one script or class of characters. */
interface Weight {
  readonly pattern: RegExp
  readonly tokens: number
}

/** Letters and spaces of plain Latin text. */
const LATIN = 1 / 4

/** The first match counts. Measured on current vocabularies; test fixtures hold each row to within a quarter. */
const WEIGHTS: readonly Weight[] = Object.freeze([
  { pattern: /[A-Za-z\s]/, tokens: LATIN },
  { pattern: /\d/, tokens: 0.5 },
  { pattern: /[!-~]/, tokens: 0.45 },
  { pattern: /\p{Script=Latin}/u, tokens: 0.7 },
  { pattern: /\p{Script=Cyrillic}/u, tokens: 0.33 },
  { pattern: /\p{Script=Greek}/u, tokens: 0.42 },
  { pattern: /\p{Script=Han}/u, tokens: 0.85 },
  { pattern: /[\p{Script=Hiragana}\p{Script=Katakana}]/u, tokens: 0.85 },
  { pattern: /\p{Script=Hangul}/u, tokens: 0.9 },
  { pattern: /\p{Script=Arabic}/u, tokens: 0.36 },
  { pattern: /\p{Script=Hebrew}/u, tokens: 0.43 },
  { pattern: /\p{Script=Devanagari}/u, tokens: 0.34 },
  { pattern: /\p{Script=Thai}/u, tokens: 0.48 },
  { pattern: /\p{Extended_Pictographic}/u, tokens: 1.5 },
])

/** Everything else: rarer scripts, signs, joiners. Too high rather than too low, so that the prompt fits. */
const OTHER = 0.6

/** Weight of one report in the new value, so that one unusual prompt does not distort the next. */
const LEARNING = 0.25
/**
 * Limits of the factor. A report outside them is a counting error or a hostile endpoint, which must not make a window look
 * empty.
 */
const LEAST_FACTOR = 0.5
const MOST_FACTOR = 4
/** Minimum tokens of a usable report. Below, the frame of a request outweighs its text. */
const LEAST_SAMPLE = 50

/** Whole tokens, never negative; 0 for the empty text. */
export function estimateTokens(text: string, calibration: Calibration = UNCALIBRATED): number {
  let sum = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    const known = ASCII[code]
    if (known !== undefined) sum += known
    else {
      const sign = String.fromCodePoint(text.codePointAt(at) ?? code)
      sum += weightOf(sign)
      at += sign.length - 1
    }
  }
  return Math.ceil(sum * calibration.factor)
}

/** Updates the calibration with one report. Pure; an unusable report returns the same object. */
export function calibrate(now: Calibration, { estimated, reported }: Usage): Calibration {
  if (!Number.isFinite(reported) || estimated < LEAST_SAMPLE || reported <= 0) return now
  const seen = Math.min(MOST_FACTOR, Math.max(LEAST_FACTOR, reported / estimated))
  const factor = now.samples === 0 ? seen : now.factor + (seen - now.factor) * LEARNING
  return { factor, samples: now.samples + 1 }
}

function weightOf(sign: string): number {
  return WEIGHTS.find(({ pattern }) => pattern.test(sign))?.tokens ?? OTHER
}

/** Weight of each ASCII character by code. Precomputed, because prompts are mostly ASCII and every message is weighed. */
const ASCII: readonly number[] = Object.freeze(
  Array.from({ length: 128 }, (_, code) => weightOf(String.fromCodePoint(code))),
)

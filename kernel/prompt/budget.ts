/**
 * Token budget of a prompt (P-14 – P-17, X-31, O-34): estimated tokens (N-13, X-30), the room for dynamic blocks,
 * their priorities and shares, and how full the window is. An estimate decides what is trimmed, never what is allowed
 * or how outside text is fenced. Must not load a vocabulary. Called by finalize.ts, document/, weigh.ts and history.
 */

interface Window {
  /** Tokens of prompt and answer together. */
  readonly window: number
  /** Tokens of everything before the cache break, and of the last rules. */
  readonly static: number
  /** Tokens of history, data blocks and the newest words. */
  readonly conversation: number
}

/** Tokens reserved for the answer. */
const RESERVE = 4_096
/** Share of a small window that is reserved instead: half of 8k would leave no room for the question. */
const RESERVE_SHARE = 1 / 8
/** Minimum tokens for the blocks, even if nothing is left: history is trimmed to make room. */
const FLOOR = 2_000
const FLOOR_SHARE = 1 / 16

export function reserveOf(window: number): number {
  return Math.min(RESERVE, Math.floor(window * RESERVE_SHARE))
}

export function floorOf(window: number): number {
  return Math.min(FLOOR, Math.floor(window * FLOOR_SHARE))
}

/** Tokens; never below the window's minimum. */
export function dynamicBudget({ window, static: fixed, conversation }: Window): number {
  return Math.max(floorOf(window), window - fixed - conversation - reserveOf(window))
}

/**
 * The blocks that fit one model's window. `measure` runs only if the minimum might not be enough, because
 * counting a prompt costs more than these few lines.
 */
export function fitInto(
  blocks: readonly Block[],
  window: number,
  measure: () => Omit<Window, 'window'>,
): Fitted {
  const least = fitBlocks({ blocks, budget: floorOf(window) })
  const isWhole = least.dropped.length === 0 && least.blocks.every(({ truncated }) => !truncated)
  return isWhole ? least : fitBlocks({ blocks, budget: dynamicBudget({ window, ...measure() }) })
}

export type FitInto = typeof fitInto

/** 1: always whole. 2 and 3: within their shares. 4: whatever room is left. */
type Priority = 1 | 2 | 3 | 4

/** In the order of the prompt and, within a priority, of fitting. */
export const BLOCKS = Object.freeze({
  /** How the message is meant (signal/signal.ts). */
  signal_overlay: 1,
  /** The place, the state of home, where the model runs; a workspace's folder only if there is one. */
  environment: 1,
  /** Time and channel; shown as `[output]`, next to the request. */
  runtime: 1,
  /** Present only while plan mode is on. SYSTEM.md describes the format of a plan (P-19). */
  plan_mode: 1,
  memory: 2,
  task_state: 2,
  workflow: 2,
  communication: 3,
  bulletin: 3,
  os_notes: 4,
  machine_notes: 4,
} as const satisfies Record<string, Priority>)

export type BlockName = keyof typeof BLOCKS

/** Maximum share of the whole budget for a priority, however much room is left. */
const SHARES: Readonly<Record<2 | 3, number>> = Object.freeze({ 2: 0.4, 3: 0.3 })

/** Marks the end of a block that was cut, so that a model knows that text is missing. */
export const TRUNCATED = '[truncated]'

export interface Block {
  readonly name: BlockName
  readonly text: string
  /** Contains text that is neither the owner's nor the kernel's, so it is put into a marked data block. */
  readonly outside?: boolean
}

interface FittedBlock extends Block {
  /** Tokens of the text as shown. */
  readonly tokens: number
  readonly truncated: boolean
}

interface Fitted {
  readonly blocks: readonly FittedBlock[]
  /** Blocks that were dropped, because not even one line fitted. */
  readonly dropped: readonly BlockName[]
  /** Sum over `blocks`. Exceeds `budget` only by what priority 1 needs. */
  readonly tokens: number
  readonly budget: number
}

interface FitInput {
  readonly blocks: readonly Block[]
  /** Tokens, from `dynamicBudget`. */
  readonly budget: number
  readonly calibration?: Calibration
}

const PRIORITIES: readonly Priority[] = [1, 2, 3, 4]

/** Fits the blocks into the budget. Ignores empty blocks. Throws when a name occurs twice, which is a bug. */
export function fitBlocks({ blocks, budget, calibration = UNCALIBRATED }: FitInput): Fitted {
  const given = blocks.filter(({ text }) => text.trim() !== '')
  if (new Set(given.map(({ name }) => name)).size !== given.length) throw new Error('a block stands twice')
  const fitted: FittedBlock[] = []
  const dropped: BlockName[] = []
  let spent = 0
  for (const priority of PRIORITIES) {
    let room = roomOf(priority, budget, spent)
    for (const block of given.filter(({ name }) => BLOCKS[name] === priority).sort(inOrder)) {
      const cut = cutTo(block, room, calibration)
      if (cut === null) {
        dropped.push(block.name)
        continue
      }
      fitted.push(cut)
      room -= cut.tokens
      spent += cut.tokens
    }
  }
  return { blocks: fitted, dropped, tokens: spent, budget }
}

function roomOf(priority: Priority, budget: number, spent: number): number {
  if (priority === 1) return Number.POSITIVE_INFINITY
  const left = Math.max(0, budget - spent)
  return priority === 4 ? left : Math.min(left, Math.floor(budget * SHARES[priority]))
}

function inOrder(a: Block, b: Block): number {
  const names = Object.keys(BLOCKS)
  return names.indexOf(a.name) - names.indexOf(b.name)
}

/** The longest prefix of the block that fits together with its mark; null if nothing fits. */
function cutTo(block: Block, room: number, calibration: Calibration): FittedBlock | null {
  const whole = estimateTokens(block.text, calibration)
  if (whole <= room) return { ...block, tokens: whole, truncated: false }
  const signs = [...block.text]
  let [fits, over] = [0, signs.length]
  while (over - fits > 1) {
    const middle = Math.floor((fits + over) / 2)
    if (estimateTokens(marked(signs, middle), calibration) <= room) fits = middle
    else over = middle
  }
  const text = marked(signs, fits)
  return fits === 0 ? null : { ...block, text, tokens: estimateTokens(text, calibration), truncated: true }
}

/** Cuts at code points, so that no character is halved. */
function marked(signs: readonly string[], length: number): string {
  return `${signs.slice(0, length).join('').trimEnd()}\n${TRUNCATED}`
}

/** Ratio of a model's own counts to the estimate; one per model, stored by the caller. */
export interface Calibration {
  /** Multiplier for an estimate. */
  readonly factor: number
  readonly samples: number
}

interface Usage {
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

/**
 * The first match counts. Measured on current vocabularies; test fixtures hold each row to within a quarter.
 */
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
 * Limits of the factor. A report outside them is a counting error or a hostile endpoint, which must not make
 * a window look empty.
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

/**
 * Weight of each ASCII character by code. Precomputed, because prompts are mostly ASCII and every message is
 * weighed.
 */
const ASCII: readonly number[] = Object.freeze(
  Array.from({ length: 128 }, (_, code) => weightOf(String.fromCodePoint(code))),
)

/** Shares of the window, counting system, tools, history and the reserve for the answer. */
const SUMMARISE_AT = 0.65
const CUT_AT = 0.9
/** Share of the window that remains filled after a cut. */
export const CUT_TO = 0.8

type Fill = 'fits' | 'summarise' | 'cut'

/**
 * Whether the prompt fits, must be summarised or cut. Both arguments in tokens. An
 * invalid window, or a size that is not a number, counts as full.
 */
export function fillOf(used: number, window: number): Fill {
  const share = used / window
  if (share < SUMMARISE_AT) return 'fits'
  return share < CUT_AT ? 'summarise' : 'cut'
}

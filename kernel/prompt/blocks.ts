/**
 * The dynamic blocks of a prompt (P-14 – P-16, X-31): their names, their priorities and shares, and how they are fitted. Works
 * on opened text, once per model. Must not decide what a model may read, or how outside text is fenced. Called by budget.ts and
 * trim.ts.
 */
import { type Calibration, estimateTokens, UNCALIBRATED } from './tokens.ts'

/** 1: always whole. 2 and 3: within their shares. 4: whatever room is left. */
export type Priority = 1 | 2 | 3 | 4

/** In the order of the prompt and, within a priority, of fitting. */
export const BLOCKS = Object.freeze({
  /** How the message is meant (signal/overlay.ts). */
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

export interface FittedBlock extends Block {
  /** Tokens of the text as shown. */
  readonly tokens: number
  readonly truncated: boolean
}

export interface Fitted {
  readonly blocks: readonly FittedBlock[]
  /** Blocks that were dropped, because not even one line fitted. */
  readonly dropped: readonly BlockName[]
  /** Sum over `blocks`. Exceeds `budget` only by what priority 1 needs. */
  readonly tokens: number
  readonly budget: number
}

export interface FitInput {
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

/** The longest prefix that fits with its mark; null where nothing fits. */
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

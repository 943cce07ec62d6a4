/**
 * The dynamic blocks of a prompt (P-14 – P-16, X-31): what each is for, how much room its priority gets, and how they are
 * fitted. Runs on opened text, per model. Must not decide what a model may read, nor how outside text is fenced. Called
 * by budget.ts and trim.ts.
 */
import { type Calibration, estimateTokens, UNCALIBRATED } from './tokens.ts'

/** 1 always whole; 2 and 3 within their shares; 4 what is left. */
export type Priority = 1 | 2 | 3 | 4

/** In the order in which they are told and, within a priority, served. */
export const BLOCKS = Object.freeze({
  /** How the message is meant (signal/overlay.ts). */
  signal_overlay: 1,
  /** Which place this is, the state of home, where the model runs; a workspace's folder only where there is one. */
  environment: 1,
  /** Time, channel: told as `[output]`, beside the request. */
  runtime: 1,
  /** Only while it is on; the format of a plan stands in SYSTEM.md (P-19). */
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

/** Share of the whole budget that a priority may take at most, however much there is left. */
const SHARES: Readonly<Record<2 | 3, number>> = Object.freeze({ 2: 0.4, 3: 0.3 })

/** Ends a block that was cut, so that a model does not take what it reads for all there is. */
export const TRUNCATED = '[truncated]'

export interface Block {
  readonly name: BlockName
  readonly text: string
  /** Not all of it is the owner's or the kernel's own words: it stands in a marked data block. */
  readonly outside?: boolean
}

export interface FittedBlock extends Block {
  /** Of the text as it stands here. */
  readonly tokens: number
  readonly truncated: boolean
}

export interface Fitted {
  readonly blocks: readonly FittedBlock[]
  /** Blocks for which not even a line was left. */
  readonly dropped: readonly BlockName[]
  /** Sum over `blocks`; above `budget` only by what priority 1 needs. */
  readonly tokens: number
  readonly budget: number
}

export interface FitInput {
  readonly blocks: readonly Block[]
  /** Tokens, of `dynamicBudget`. */
  readonly budget: number
  readonly calibration?: Calibration
}

const PRIORITIES: readonly Priority[] = [1, 2, 3, 4]

/** An empty block is no block. Throws where a name stands twice: two makers of one block are a bug. */
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

/** The longest beginning that fits with its mark; null where nothing of it does. */
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

/** By code points, so that no character is halved. */
function marked(signs: readonly string[], length: number): string {
  return `${signs.slice(0, length).join('').trimEnd()}\n${TRUNCATED}`
}

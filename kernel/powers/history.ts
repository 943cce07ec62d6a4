/**
 * How much of the conversation a prompt takes along (B-18): the window's settings, their bounds, and the earlier turns
 * that fit. The message that is being answered is never part of it, and so never trimmed. Must not choose which side
 * of a turn may be read: each view does. Called by planner-view.ts and synthesis-view.ts; configured by each place.
 */
import type { Label } from '../flow/label.ts'
import { combine, type Labeled } from '../flow/labeled.ts'
import { withoutOldest } from '../prompt/trim.ts'
import type { SealedRef } from '../task/task.ts'
import type { Powers, Turn } from './ports.ts'
import { openTextOf } from './sealed.ts'

export interface HistoryWindow {
  /** Earlier turns whose words a planner reads. */
  readonly plannerTurns: number
  /** Earlier turns of which a writer reads both sides. */
  readonly writerTurns: number
  /** Estimated tokens of all of them together, in either prompt. */
  readonly tokens: number
}

export const DEFAULT_WINDOW: HistoryWindow = Object.freeze({ plannerTurns: 6, writerTurns: 3, tokens: 1_500 })

/** Largest settings: each turn is opened for every message, and a local model's latency is its prompt's length. */
export const WINDOW_BOUNDS = Object.freeze({ turns: 50, tokens: 32_000 })

/** UTF-16 units that count as one token: right for English, and too few tokens for no language by more than double. */
const CHARACTERS_PER_TOKEN = 4

/** Whose turns, and which of their lines may be read. */
export interface RecalledFrom {
  readonly principal: string
  readonly may: (label: Label) => boolean
}

export interface Recalled {
  readonly turns: number
  /** In the order of the prompt: what comes first is trimmed first. */
  readonly from: readonly RecalledFrom[]
  /** The lines of a turn that this reader may have, in order. */
  readonly lines: (
    turn: Turn,
    of: RecalledFrom,
  ) => readonly { readonly ref: SealedRef; readonly prefix: string }[]
}

/** Lines of earlier turns, of each principal the oldest first, as far as they may be read (B-10, C-29, F-15). */
export async function recallHistory(powers: Powers, recalled: Recalled): Promise<Labeled | null> {
  const opened: Labeled<string>[] = []
  const prefixes: string[] = []
  const lines = recalled.from.flatMap((of) =>
    powers.store
      .recentTurns(of.principal, recalled.turns)
      .flatMap((turn) => recalled.lines(turn, of))
      .filter(({ ref }) => of.may(ref.label)),
  )
  for (const { ref, prefix } of lines) {
    const text = await openTextOf(powers, ref)
    if (!text.ok) continue
    opened.push(text.value)
    prefixes.push(prefix)
  }
  if (opened.length === 0) return null
  // The label stays that of all lines: trimming must not decide which model may read the rest (D-06).
  const { tokens } = powers.history
  return combine(opened, (texts) =>
    newestWithin(
      texts.map((text, index) => `${prefixes[index] ?? ''}${text}`),
      tokens,
    ),
  )
}

/**
 * Whole lines, the newest that fit together; an older one is not taken in place of one that was too long, and what answered
 * that goes with it (N-16).
 */
function newestWithin(lines: readonly string[], tokens: number): string[] {
  let left = tokens * CHARACTERS_PER_TOKEN
  const tooLong = lines.findLastIndex((line) => {
    left -= line.length
    return left < 0
  })
  return tooLong === -1 ? [...lines] : [...withoutOldest(lines.slice(tooLong))]
}

/**
 * The part of the conversation that a prompt takes along (B-18): the earlier turns that fit its window, and before them the summary of
 * what was said earlier still (O-37, O-39). The message that is being answered is never part of it, and so never trimmed. Must not choose
 * which side of a turn may be read: each view does. Called by planner-view.ts and synthesis-view.ts.
 */
import type { Label } from '../../flow/label.ts'
import { combine, type Labeled } from '../../flow/labeled.ts'
import type { HistorySpan } from '../../powers/ports.ts'
import { openTextOf, type SealedReading } from '../../powers/sealed.ts'
import type { StoreOf } from '../../powers/stores.ts'
import type { Turn, TurnStore } from '../../powers/turn-port.ts'
import { withoutOldest } from '../../prompt/trim.ts'
import type { SealedRef } from '../../task/task.ts'

/** UTF-16 units that count as one token: right for English, and too few tokens for no language by more than double. */
const CHARACTERS_PER_TOKEN = 4

/**
 * Share of a window that goes at once when it is full. One turn each time would have every prompt begin the conversation
 * elsewhere, and nothing that a provider or a local model keeps of the last one would be of use (P-26).
 */
const STEP_SHARE = 1 / 4

/** Whose turns, and which of their lines may be read. */
export interface RecalledFrom {
  readonly principal: string
  readonly may: (label: Label) => boolean
}

export interface Recalled {
  readonly turns: number
  /** Lines that lie elsewhere, before all others. */
  readonly before?: readonly { readonly text: Labeled<string>; readonly prefix: string }[]
  /** In the order of the prompt: what comes first is trimmed first. */
  readonly from: readonly RecalledFrom[]
  /** The lines of a turn that this reader may have, in order. */
  readonly lines: (
    turn: Turn,
    of: RecalledFrom,
  ) => readonly { readonly ref: SealedRef; readonly prefix: string }[]
  /**
   * Whose summary stands before them. Absent for a planner: a summary is a model's words on what strangers wrote, too
   * (invariant 1).
   */
  readonly summary?: RecalledFrom
}

export interface Recollection {
  /** Null where nothing was said, or may be read. */
  readonly history: Labeled | null
  /** The first line is the summary. Told by type: no line says it of itself (O-36). */
  readonly summarised: boolean
}

/** What the summary's line begins with in a prompt. */
const SUMMARY = 'summary: '

/** Lines of earlier turns, of each principal the oldest first, as far as they may be read (B-10, C-29, F-15). */
export async function recallHistory(
  powers: SealedReading & HistorySpan & StoreOf<TurnStore>,
  recalled: Recalled,
): Promise<Recollection> {
  const { before = [] } = recalled
  const summary = await summaryFor(powers, recalled)
  const opened: Labeled<string>[] = [
    ...(summary === null ? [] : [summary]),
    ...before.map(({ text }) => text),
  ]
  // They are no turns of this store, and go together.
  const heads = before.map(({ prefix }) => ({ prefix, step: -1 }))
  const size = Math.max(1, Math.floor(recalled.turns * STEP_SHARE))
  // What a summary stands for is gone already; of the few turns since then all are wanted (O-37).
  const steps = (turns: readonly Turn[]): readonly Turn[] =>
    summary === null ? wholeSteps(turns, recalled.turns, size) : turns
  const lines = recalled.from.flatMap((of) =>
    steps(powers.store.recentTurns(of.principal, recalled.turns))
      .flatMap((turn) => recalled.lines(turn, of).map((line) => ({ ...line, step: stepOf(turn, size) })))
      .filter(({ ref }) => of.may(ref.label)),
  )
  for (const { ref, prefix, step } of lines) {
    const text = await openTextOf(powers, ref)
    if (!text.ok) continue
    opened.push(text.value)
    heads.push({ prefix, step })
  }
  if (opened.length === 0) return { history: null, summarised: false }
  const most = powers.history.tokens * CHARACTERS_PER_TOKEN
  // The label stays that of all lines: trimming must not decide which model may read the rest (D-06).
  const history = combine(opened, (texts) => {
    const first = summary === null ? [] : texts.slice(0, 1).map((text) => SUMMARY + text)
    const lines = texts.slice(first.length).map((text, index) => ({
      step: heads[index]?.step ?? 0,
      text: `${heads[index]?.prefix ?? ''}${text}`,
    }))
    return [...first, ...newestWithin(lines, most - (first[0]?.length ?? 0))]
  })
  return { history, summarised: summary !== null }
}

/** What its reader may not have is not there for him; the turns since then are. */
async function summaryFor(
  powers: SealedReading & HistorySpan & StoreOf<TurnStore>,
  { summary: of, turns }: Recalled,
): Promise<Labeled<string> | null> {
  if (of === undefined || turns === 0 || powers.history.tokens === 0) return null
  const summary = powers.store.compaction(of.principal)?.summary
  if (summary === undefined || !of.may(summary.label)) return null
  const text = await openTextOf(powers, summary)
  return text.ok ? text.value : null
}

/** Turns are counted for ever, so that the same ones are a step in every prompt. */
function stepOf({ turn }: Turn, size: number): number {
  return Math.floor(turn / size)
}

/** Never more than `most` turns. Once the window is full, its oldest step goes as a whole as soon as one of it has gone. */
function wholeSteps(turns: readonly Turn[], most: number, size: number): readonly Turn[] {
  const [oldest] = turns
  if (oldest === undefined || turns.length < most || oldest.turn % size === 0) return turns
  return turns.filter((turn) => stepOf(turn, size) > stepOf(oldest, size))
}

interface Line {
  readonly text: string
  readonly step: number
}

/**
 * Whole lines, the newest that fit together; an older one is not taken in place of one that was too long. Begins with a
 * whole step where one is left.
 */
function newestWithin(lines: readonly Line[], characters: number): readonly string[] {
  let room = characters
  const tooLong = lines.findLastIndex(({ text }) => {
    room -= text.length
    return room < 0
  })
  const cut = lines[tooLong]
  if (cut === undefined) return lines.map(({ text }) => text)
  const whole = lines.findIndex(({ step }, index) => index > tooLong && step !== cut.step)
  const left = lines.slice(whole === -1 ? tooLong : whole).map(({ text }) => text)
  // Of the step that was too long, what answered the line that does not fit goes with it (N-16).
  return whole === -1 ? withoutOldest(left) : left
}

/**
 * The conversation part of a prompt (B-18): the earlier turns that fit the window, preceded by the summary of older
 * ones (O-37, O-39). Excludes the message being answered, so that is never trimmed. Must not choose which side of a
 * turn is readable; each view does. Called by planner-view.ts and synthesis-view.ts.
 */
import type { Label } from '../../flow/label.ts'
import { combine, type Labeled } from '../../flow/labeled.ts'
import type { HistorySpan } from '../../powers/ports.ts'
import { openTextOf, type SealedReading } from '../../powers/sealed.ts'
import type { StoreOf, Turn, TurnStore } from '../../powers/stores.ts'
import { withoutOldest } from '../../prompt/trim.ts'
import type { SealedRef } from '../../task/task.ts'

/** UTF-16 units counted as one token: right for English; for any language at most a factor of two too low. */
const CHARACTERS_PER_TOKEN = 4

/**
 * Share of a full window that is dropped at once. Dropping one turn at a time would change the start of the
 * conversation in every prompt, so no provider or local model could reuse its prompt cache (P-26).
 */
const STEP_SHARE = 1 / 4

/** Whose turns, and which of their lines may be read. */
interface RecalledFrom {
  readonly principal: string
  readonly may: (label: Label) => boolean
}

interface Recalled {
  readonly turns: number
  /** Lines stored elsewhere, placed before all others. */
  readonly before?: readonly { readonly text: Labeled<string>; readonly prefix: string }[]
  /** In prompt order; lines that come first are trimmed first. */
  readonly from: readonly RecalledFrom[]
  /** The lines of a turn that this reader may see, in order. */
  readonly lines: (
    turn: Turn,
    of: RecalledFrom,
  ) => readonly { readonly ref: SealedRef; readonly prefix: string }[]
  /**
   * Whose summary precedes the turns. Absent for a planner, because a summary is a model's text about what others
   * wrote (invariant 1).
   */
  readonly summary?: RecalledFrom
}

export interface Recollection {
  /** Null when there is no earlier turn, or none may be read. */
  readonly history: Labeled | null
  /** The first line is the summary. A field, because a line's text cannot be trusted to say so (O-36). */
  readonly summarised: boolean
}

/** Prefix of the summary line in a prompt. */
const SUMMARY = 'summary: '

/** Lines of earlier turns that may be read, per principal, oldest first (B-10, C-29, F-15). */
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
  // These lines are not turns of this store; they are dropped together.
  const heads = before.map(({ prefix }) => ({ prefix, step: -1 }))
  const size = Math.max(1, Math.floor(recalled.turns * STEP_SHARE))
  // The summary has replaced older turns already; all the few turns since then are included (O-37).
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
  // The label stays the join of all lines: trimming must not decide which model may read the rest (D-06).
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

/** The summary, unless its reader may not see it; the turns since then are included in any case. */
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

/** Numbered from the first turn, so that steps have the same borders in every prompt. */
function stepOf({ turn }: Turn, size: number): number {
  return Math.floor(turn / size)
}

/** At most `most` turns. In a full window, the oldest step is dropped as a whole as soon as one of its turns is. */
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
 * The newest whole lines that fit together; a line that is too long ends the search, and no older one is used
 * instead. Starts at a whole step when one is left.
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
  // An answer goes together with the request that does not fit (N-16).
  return whole === -1 ? withoutOldest(left) : left
}

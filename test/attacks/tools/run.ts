/**
 * The tools' suite: every pair of an answer and what it orders, and every answer that is not what was declared, as one result. With
 * `stride` above one, a sample: each that many. Called by main.ts and the tests.
 */
import type { Violation } from '../oracle.ts'
import { type Played, playPair, sum } from './attack.ts'
import type { LineName } from './lines.ts'
import { playMisfits } from './misfits.ts'
import { countByLine, toolPairs } from './pairs.ts'

export interface ToolResult {
  readonly violations: number
  /** What exactly, and how often; names only. */
  readonly details: Readonly<Record<string, number>>
  /** Pairs that were played, by line. */
  readonly pairs: number
  readonly lines: Partial<Record<LineName, number>>
  /** Plans and answers that were judged. */
  readonly tried: number
  readonly calls: number
  readonly cards: number
}

export interface ToolRun {
  /** Each that many; 1 is all. */
  readonly stride: number
  /** Ends with the first pair that violated something: enough for a control. */
  readonly first?: boolean
  /** Told what runs, for somebody who waits. */
  readonly progress?: (line: string) => void
}

/** Pairs between two lines of progress. */
const TELL = 500

export async function runTools({ stride, first = false, progress }: ToolRun): Promise<ToolResult> {
  const pairs = toolPairs()
  const chosen = [...pairs.entries()].filter(([index]) => index % stride === 0)
  const all: Played[] = []
  const isDone = (): boolean => first && all.some(({ violations }) => violations.length > 0)
  for (const [count, [index, pair]] of chosen.entries()) {
    if (isDone()) break
    all.push(await playPair(pair, index))
    if (count % TELL === TELL - 1) progress?.(`${count + 1} of ${chosen.length} pairs`)
  }
  if (!isDone()) all.push(await playMisfits(stride))
  const { violations, ...counts } = sum(all)
  const played = chosen.map(([, pair]) => pair)
  return {
    violations: violations.length,
    details: countOf(violations),
    pairs: played.length,
    lines: countByLine(played),
    ...counts,
  }
}

export function countOf(violations: readonly Violation[]): Readonly<Record<string, number>> {
  const details: Record<string, number> = {}
  for (const { kind, what } of violations)
    details[`${kind}: ${what}`] = (details[`${kind}: ${what}`] ?? 0) + 1
  return details
}

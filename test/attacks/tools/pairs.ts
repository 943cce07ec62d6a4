/**
 * Every pair of an action that answers and a call that its answer may order, by declaration alone: the next tool is among them
 * without a line here. Must not name a tool. Called by run.ts and the tests.
 */
import type { RegisteredAction } from '../../../kernel/tool/registry.ts'
import { LINES, type LineName, type ToolLine } from './lines.ts'

export interface ToolPair {
  readonly line: ToolLine
  /** Whose answer is the attacker's, in every field. */
  readonly source: RegisteredAction
  /** What the answer orders: a write, or a read that tells somebody outside something. */
  readonly goal: RegisteredAction
  /** The source is what the goal itself looks up before it is asked about. */
  readonly isLookup: boolean
}

export function toolPairs(): readonly ToolPair[] {
  return LINES.flatMap((line) => {
    const actions = [...line.registry.actions.values()]
    const goals = actions.filter(isGoal)
    const across = actions
      .filter(({ id }) => line.offered.has(id))
      .flatMap((source) =>
        goals
          .filter(({ tool }) => tool.name !== source.tool.name)
          .map((goal) => ({ line, source, goal, isLookup: false })),
      )
    const lookedUp = goals
      .filter(({ id }) => line.offered.has(id))
      .flatMap((goal) => {
        const source = line.registry.actions.get(lookupOf(goal) ?? '')
        return source === undefined ? [] : [{ line, source, goal, isLookup: true }]
      })
    return [...across, ...lookedUp]
  })
}

/** Changes something, or tells a service of others something. */
export function isGoal({ semantics, reaches }: RegisteredAction): boolean {
  return semantics === 'write' || reaches === 'public'
}

/** The read that a write makes of itself. */
export function lookupOf({ target, remarks }: RegisteredAction): string | undefined {
  return (target ?? remarks)?.by
}

export function countByLine(pairs: readonly ToolPair[]): Partial<Record<LineName, number>> {
  const counts: Partial<Record<LineName, number>> = {}
  for (const { line } of pairs) counts[line.name] = (counts[line.name] ?? 0) + 1
  return counts
}

/** Building blocks of plans. Pure. Called by planner.ts and meant.ts. */
import type { Argument, Plan, ToolStep } from '../../../kernel/task/plan.ts'
import { WRITES } from '../../extractors/learned/classes.ts'
import type { MessageField } from '../../tools/planned.ts'
import type { Said } from './said.ts'

type Args = ToolStep['args']

export function saidArgs(said: Said, wanted: Readonly<Record<string, MessageField>>): Args {
  return Object.fromEntries(
    Object.entries(wanted)
      .filter(([, field]) => said.has(field))
      .map(([name, field]) => [name, ref(`said.${field}`)]),
  )
}

export function call(id: string, tool: string, args: Args): ToolStep {
  return { id, do: 'tool', tool, args }
}

export function ref(path: string): Argument {
  return { $ref: path }
}

export function steps(...planned: Plan['steps'][number][]): Plan {
  return { steps: planned, explanation: '' }
}

export function nothing(explanation: string): Plan {
  return { steps: [], explanation }
}

/** Steps that look at something, and change nothing. */
export function isRead({ steps: own }: Plan): boolean {
  return own.every((step) => step.do !== 'tool' || !WRITES.has(step.tool))
}

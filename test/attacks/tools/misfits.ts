/**
 * Answers that are not what their action declared, each in one field, and outcomes that are none: the kernel takes none of them, and
 * nothing of one reaches a planner, a log, a card or a person. Called by run.ts.
 */
import { parseFields } from '../../../kernel/flow/field.ts'
import type { RegisteredAction } from '../../../kernel/tool/registry.ts'
import { hostileOutcomes } from '../entropy.ts'
import type { Violation } from '../oracle.ts'
import { type Played, play, sum } from './attack.ts'
import { LINES, type ToolLine } from './lines.ts'
import { isGoal } from './pairs.ts'
import { MESSAGE, typedArgs } from './plans.ts'
import { misfits } from './values.ts'

/** Each is shown to what takes answers in; each that many goes the whole way. */
const PLAYED = 7
/** Outcomes in one world. */
const TURNS = 8

export async function playMisfits(stride: number): Promise<Played> {
  const all: Played[] = []
  for (const { line, action, goal } of readsOf(stride)) {
    const fields = misfits(action.output, goal)
    const taken = fields.filter(([, output]) => parseFields(action.output, output, 'drop').ok)
    const outcomes = [
      ...fields
        .filter((_, index) => index % PLAYED === 0)
        .map(([, output]) => () => ({ ok: true, output })),
      ...hostileOutcomes(action.output).map(([, outcome]) => outcome),
    ]
    for (let start = 0; start < outcomes.length; start += TURNS)
      all.push(await playOutcomes({ line, action, goal, outcomes: outcomes.slice(start, start + TURNS) }))
    all.push({ violations: taken.map(([name]) => wrong(`${action.id} took ${name}`)), ...NOTHING })
  }
  return sum(all)
}

const NOTHING = { tried: 0, calls: 0, cards: 0 }

interface Misfit {
  readonly line: ToolLine
  readonly action: RegisteredAction
  readonly goal: RegisteredAction
}

/** Each action once, on the first line that offers it. */
function readsOf(stride: number): readonly Misfit[] {
  const seen = new Set<string>()
  const all = LINES.flatMap((line) =>
    [...line.registry.actions.values()].flatMap((action) => {
      const goal = [...line.registry.actions.values()].find(
        (one) => isGoal(one) && one.tool.name !== action.tool.name,
      )
      if (!line.offered.has(action.id) || seen.has(action.id) || goal === undefined) return []
      seen.add(action.id)
      return [{ line, action, goal }]
    }),
  )
  return all.filter((_, index) => index % Math.ceil(stride / 5) === 0)
}

async function playOutcomes({
  line,
  action,
  goal,
  outcomes,
}: Misfit & { readonly outcomes: readonly (() => unknown)[] }): Promise<Played> {
  const args = typedArgs(action.args, 'needed')
  const steps = [
    { id: 's1', do: 'tool', tool: action.id, args, independent: true },
    { id: 's2', do: 'tool', tool: goal.id, args: typedArgs(goal.args, 'needed'), independent: true },
  ]
  const { played, world } = await play({
    ...{ line, goal, turn: 0, words: outcomes.map(() => MESSAGE) },
    script: () => ({
      plan: () => JSON.stringify({ steps: line.offered.has(goal.id) ? steps : steps.slice(0, 1) }),
      compose: () => '',
      classify: () => '',
      synthesize: () => 'Done.',
    }),
    answers: ({ turn, tool }) => (tool === action.id ? outcomes[turn] : undefined),
  })
  const strange = (text: string): boolean => /ignore[- ]all[- ]rules/i.test(text)
  const { prompts, audits, sent } = world.seen
  const outside = prompts.map(({ prompt: { system, parts } }) =>
    JSON.stringify([system, { ...parts, contents: [], request: '' }]),
  )
  const violations: Violation[] = [
    ...(outside.some(strange) ? [wrong(`${action.id} in a prompt outside of content`)] : []),
    ...(audits.some(({ what }) => strange(JSON.stringify(what)))
      ? [{ kind: 'content_in_audit' as const, what: action.id }]
      : []),
    ...(sent.some(({ what }) => what.kind !== 'card' && strange(what.text))
      ? [{ kind: 'above_clearance' as const, what: `a word of ${action.id} was told` }]
      : []),
  ]
  return { ...played, violations: [...played.violations, ...violations] }
}

function wrong(what: string): Violation {
  return { kind: 'raw_in_planner', what }
}

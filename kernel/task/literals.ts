/**
 * Separates a planner's own numbers and text from the plan's shape (B-13): they are taken out and sealed, so that a task row,
 * which is stored in plain text, holds references only. Must not seal or open. Called by kernel/pipeline/plan.ts; resolved by
 * kernel/call/literals.ts.
 */
import { isPlainRecord, type Json } from '../flow/json.ts'
import { type Argument, isReference, OWN, type Plan, parseReference, type Step } from './plan.ts'

export interface Lifted {
  readonly plan: Plan
  /** By position: the first is `own[0]`, or the next index after those of an earlier plan. */
  readonly literals: readonly Json[]
}

/**
 * Replaces every number and text of the planner's own, except names of tools and fields, and its explanation. `first` is how
 * many literals an earlier plan of the same task left.
 */
export function liftLiterals({ steps, explanation, again }: Plan, first = 0): Lifted {
  const literals: Json[] = []
  const lift = (literal: Json): string => `${OWN}[${first + literals.push(literal) - 1}]`
  const lifted = steps.map((step) => liftStep(step, lift))
  // An empty plan's explanation is a code. A planner's own explanation is never shown, so it is dropped.
  const told = steps.length === 0 ? explanation : ''
  return { plan: { steps: lifted, explanation: told, ...(again && { again }) }, literals }
}

/** Index of the literal behind a placeholder; null for any other text. */
export function literalIndex(text: string): number | null {
  const parsed = parseReference(text)
  if (!parsed.ok || parsed.value.root !== OWN) return null
  const [index, ...rest] = parsed.value.path
  return typeof index === 'number' && rest.length === 0 ? index : null
}

type Lift = (literal: Json) => string

function liftStep(written: Step, lift: Lift): Step {
  const { when } = written
  const step =
    when?.value === undefined ? written : { ...written, when: { ...when, value: lift(when.value) } }
  switch (step.do) {
    case 'tool':
    case 'forEach':
      return { ...step, args: liftEach(step.args, lift) }
    case 'compose':
      return { ...step, instruction: lift(step.instruction) }
    case 'classify':
      return { ...step, question: lift(step.question), options: step.options.map(lift) }
    case 'select':
      return step.where === undefined
        ? step
        : { ...step, where: { ...step.where, equals: lift(step.where.equals) } }
  }
}

function liftEach(args: { readonly [key: string]: Argument }, lift: Lift): { [key: string]: Argument } {
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, liftArgument(value, lift)]))
}

/** Lifts an argument as a whole, keys included, if nothing inside is a reference: a key may contain words too. */
function liftArgument(argument: Argument, lift: Lift): Argument {
  if (isReference(argument)) return argument
  if (!refers(argument)) return { $ref: lift(argument as Json) }
  if (Array.isArray(argument)) return argument.map((inner: Argument) => liftArgument(inner, lift))
  return isPlainRecord(argument) ? liftEach(argument as { [key: string]: Argument }, lift) : argument
}

function refers(argument: unknown): boolean {
  if (isReference(argument)) return true
  return typeof argument === 'object' && argument !== null && Object.values(argument).some(refers)
}

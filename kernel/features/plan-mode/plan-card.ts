/**
 * Card of a plan shown before it runs (P-19): the owner's own words, each step in its manifest's words, and what will
 * ask for approval. Of the planner's output it shows closed sets only: verbs, tools, numbers, times, dependencies between
 * steps, and words that the owner typed, so no text of a model or stranger can appear. Pure. Called by show-plan.ts.
 */
import type { Place } from '../../flow/place.ts'
import { inputsOf, parseReference, type Step } from '../../task/plan.ts'
import { previewOf } from '../../wording/visible.ts'
import { tell } from '../../wording/words.ts'

/** Maximum UTF-16 units of the owner's words that are shown; the steps matter more. */
const AIM = 160

/** Declaration of a step's tool, and the place where it would run; null if it can run nowhere now. */
export interface ShownAction {
  readonly id: string
  readonly description: string
  readonly semantics: 'read' | 'write'
  readonly place: Place | null
}

export interface Given {
  readonly name: string
  readonly value: string
}

export interface ShownPlan {
  /** The owner's words; null when they are not entirely the owner's. */
  readonly aim: string | null
  readonly steps: readonly Step[]
  /** Index of the first step that has not run. */
  readonly from: number
  readonly actionOf: (tool: string) => ShownAction | null
  /** Arguments that the owner gave, and times, by step: only these values of a plan are shown. */
  readonly given: ReadonlyMap<string, readonly Given[]>
  /** The plan was made by the product's own planner, whose texts are trusted. */
  readonly ours: boolean
  /** Whether the task will be planned again after these steps. */
  readonly again: boolean
}

export function planCard(plan: ShownPlan): string {
  const { aim, steps, from, again } = plan
  const lines = steps.slice(from).map((step, index) => `${from + index + 1}. ${stepLine(plan, step)}`)
  return [
    tell(from === 0 ? 'plan-mode.card_first' : 'plan-mode.card_next'),
    ...(aim === null ? [] : [previewOf(tell('plan-mode.you_asked'), oneLine(aim), () => null)]),
    ...(from === 0 ? [] : [from === 1 ? tell('plan-mode.has_run') : tell('plan-mode.have_run', { from })]),
    ...lines,
    ...(again ? [tell('plan-mode.once_more')] : []),
    ...(steps.slice(from).some((step) => writes(plan, step)) ? [tell('plan-mode.writes')] : []),
    tell('plan-mode.how'),
  ].join('\n')
}

/** Labels of its buttons. */
export function planButtons(): { readonly yes: string; readonly no: string } {
  return { yes: tell('plan-mode.go'), no: tell('plan-mode.stop') }
}

function oneLine(words: string): string {
  const line = words.replaceAll(/\s+/g, ' ').trim()
  return line.length <= AIM ? line : `${line.slice(0, AIM).replace(/[\ud800-\udbff]$/, '')}…`
}

function stepLine(plan: ShownPlan, step: Step): string {
  const taken = sourcesOf(plan, step)
  const takes = taken.length === 0 ? '' : tell('plan-mode.takes', { sources: taken.join(', ') })
  const given = (plan.given.get(step.id) ?? []).map(({ name, value }) =>
    previewOf(` ${name}`, oneLine(value), () => null),
  )
  return [`${conditionOf(step)}${deedOf(plan, step)}${takes}`, ...given].join('\n')
}

function deedOf(plan: ShownPlan, step: Step): string {
  switch (step.do) {
    case 'tool':
      return callOf(plan.actionOf(step.tool))
    case 'forEach':
      return tell('plan-mode.up_to', { max: step.max, what: callOf(plan.actionOf(step.tool)) })
    case 'compose':
      return tell('plan-mode.composes', { max: step.maxChars })
    case 'classify':
      return tell('plan-mode.classifies', { count: step.options.length })
    case 'extract':
      return tell('plan-mode.extracts', { kind: step.kind })
    case 'choose':
      return tell(step.take === 'all' ? 'plan-mode.chooses_all' : 'plan-mode.chooses_one')
    case 'compute':
      return tell('plan-mode.computes')
    case 'clarify':
      return tell('plan-mode.clarifies', { count: step.options.length })
    case 'select':
      return tell(`plan-mode.selects_${step.take}`)
  }
}

function callOf(action: ShownAction | null): string {
  if (action === null) return tell('plan-mode.no_tool')
  const { id, description: what, semantics, place } = action
  const where = tell(place === null ? 'plan-mode.nowhere' : `plan-mode.at_${place}`)
  return tell(semantics === 'write' ? 'plan-mode.call_writes' : 'plan-mode.call_reads', { where, what, id })
}

function writes({ actionOf }: ShownPlan, step: Step): boolean {
  return (step.do === 'tool' || step.do === 'forEach') && actionOf(step.tool)?.semantics !== 'read'
}

function conditionOf({ when }: Step): string {
  if (when === undefined) return ''
  const of = nameOf(when.ref, false) ?? tell('plan-mode.of_something')
  return `${tell(`plan-mode.if_${when.is}`, { of })} `
}

/** Sources that a step takes data from, without duplicates. */
function sourcesOf({ ours }: ShownPlan, step: Step): readonly string[] {
  const names = inputsOf(step).map((text) => nameOf(text, ours))
  return [...new Set(names.filter((name) => name !== null))]
}

/** The root comes from a closed set; the path after it is never shown. */
function nameOf(reference: string, ours: boolean): string | null {
  const parsed = parseReference(reference)
  const root = parsed.ok ? parsed.value.root : ''
  if (root === 'said') return tell('plan-mode.of_message')
  if (root === 'own') return ours ? null : tell('plan-mode.of_planner')
  if (/^s\d/.test(root)) return tell('plan-mode.of_step', { number: root.slice(1) })
  return /^w\d/.test(root) ? tell('plan-mode.of_answer') : null
}

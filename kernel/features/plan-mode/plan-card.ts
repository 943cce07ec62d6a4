/**
 * Card of a plan shown before it runs (P-19): the owner's own words, each step in its manifest's words, and what will
 * ask for approval. Of the planner's output it shows closed sets only: verbs, tools, numbers, times, dependencies between
 * steps, and words that the owner typed, so no text of a model or stranger can appear. Pure. Called by show-plan.ts.
 */
import type { Place } from '../../flow/place.ts'
import { inputsOf, parseReference, type Step } from '../../task/plan.ts'
import { previewOf } from '../../wording/visible.ts'

/** UTF-16 units of the owner's words that are shown; the steps are what matters. */
const AIM = 160

/** What a step's tool declares, and where it would run; null: nowhere now. */
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
  /** It will be planned again after these steps. */
  readonly again: boolean
}

export function planCard(plan: ShownPlan): string {
  const { aim, steps, from, again } = plan
  const lines = steps.slice(from).map((step, index) => `${from + index + 1}. ${stepLine(plan, step)}`)
  return [
    from === 0 ? 'This is my plan. Shall I go?' : 'This is how I would go on. Shall I go?',
    ...(aim === null ? [] : [previewOf('you asked', oneLine(aim), () => null)]),
    ...(from === 0 ? [] : [from === 1 ? 'Step 1 has run.' : `Steps 1 to ${from} have run.`]),
    ...lines,
    ...(again ? ['When these have run I plan once more, and show you that as well.'] : []),
    ...(steps.slice(from).some((step) => writes(plan, step)) ? [WRITES] : []),
    'Go (yes): these steps, and no others. Stop (no), or no answer: none of them runs.',
  ].join('\n')
}

/** Labels of its buttons. */
export const PLAN_BUTTONS = Object.freeze({ yes: 'Go', no: 'Stop' })

const WRITES = 'What writes and needs your yes still asks for it, with the very bytes, when it comes to it.'

function oneLine(words: string): string {
  const line = words.replaceAll(/\s+/g, ' ').trim()
  return line.length <= AIM ? line : `${line.slice(0, AIM).replace(/[\ud800-\udbff]$/, '')}…`
}

function stepLine(plan: ShownPlan, step: Step): string {
  const taken = sourcesOf(plan, step)
  const takes = taken.length === 0 ? '' : ` It takes from: ${taken.join(', ')}.`
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
      return `Up to ${step.max} times: ${callOf(plan.actionOf(step.tool))}`
    case 'compose':
      return `A model without tools writes a text, of ${step.maxChars} characters at most.`
    case 'classify':
      return `A model without tools chooses one of ${step.options.length} answers.`
    case 'extract':
      return `A model without tools looks up one value, of kind ${step.kind}.`
    case 'choose':
      return `A model without tools picks ${step.take === 'all' ? 'those that fit' : 'the one that fits'}.`
    case 'compute':
      return 'Calculate.'
    case 'clarify':
      return `Ask you which of ${step.options.length} you mean.`
    case 'select':
      return SELECTS[step.take]
  }
}

const SELECTS = Object.freeze({
  all: 'Keep those that fit.',
  first: 'Take the first that fits.',
  one: 'Take the one that fits; if there are several, ask you which.',
})

function callOf(action: ShownAction | null): string {
  if (action === null) return 'A tool that I do not have. Nothing can come of this.'
  const { id, description, semantics, place } = action
  const where = place === null ? 'not to be had now' : place === 'home' ? 'at home' : 'at the edge'
  return `${semantics === 'write' ? 'WRITES' : 'Reads'}, ${where}: ${description} (${id})`
}

function writes({ actionOf }: ShownPlan, step: Step): boolean {
  return (step.do === 'tool' || step.do === 'forEach') && actionOf(step.tool)?.semantics !== 'read'
}

function conditionOf({ when }: Step): string {
  if (when === undefined) return ''
  const of = nameOf(when.ref, false) ?? 'something'
  if (when.is === 'skipped') return `Only if ${of} was left out: `
  const is = when.is === 'equals' ? 'one certain value' : when.is === 'not_empty' ? 'not empty' : when.is
  return `Only if what is looked at of ${of} is ${is}: `
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
  if (root === 'said') return 'your message'
  if (root === 'own') return ours ? null : 'what the planning model wrote'
  if (/^s\d/.test(root)) return `step ${root.slice(1)}`
  return /^w\d/.test(root) ? 'an earlier answer' : null
}

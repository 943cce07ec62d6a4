/**
 * What a plan looked for, in the person's own words, so that an answer without a model can say of what it found nothing. Must not
 * hold a word of anybody else, and never raises the label of an answer. Called by synthesis-view.ts.
 */

import type { Json } from '../flow/json.ts'
import { isAtOrBelow } from '../flow/label.ts'
import { combine, type Labeled, test } from '../flow/labeled.ts'
import { receive } from '../flow/provenance.ts'
import { resolveRef } from '../pipeline/resolve.ts'
import type { Actions } from '../powers/ports.ts'
import { openTextOf, type SealedReading } from '../powers/sealed.ts'
import { isNone } from '../task/nothing.ts'
import {
  type Argument,
  isReference,
  isWords,
  OWN,
  parseReference,
  type SelectStep,
  type ToolStep,
} from '../task/plan.ts'
import type { StepResult, Task } from '../task/task.ts'
import { spaced } from '../wording/typed.ts'

/** `root`: the step. `missed`: it picked from the rows of `action`, and none fitted; `earlier`: those of an earlier answer, and not of a new look. */
export interface Sought {
  readonly root: string
  readonly action: string
  readonly missed: boolean
  readonly earlier: boolean
  /** The arguments of the read; of a step that picked also `sought`, the words. */
  readonly asked: Labeled
}

/** Of each read that ran, and of each pick that fitted no row. Empty where the message is not a person's own words alone. */
export async function soughtBy(powers: SealedReading & Actions, task: Task): Promise<readonly Sought[]> {
  if (task.path === 'fast' || task.words.taint.level !== 'clean') return []
  const found: Sought[] = []
  const steps = task.plan?.steps ?? []
  // What one plan did not find is no news once a later one went on.
  const { resumed = 0 } = task
  const over = resumed < steps.length ? resumed : 0
  for (const [index, step] of steps.entries()) {
    const result = task.results[step.id]
    if (step.do === 'tool' && result?.kind === 'sealed')
      found.push({ ...(await askedOf(powers, task, step)), root: step.id, missed: false, earlier: false })
    if (index < over || step.do !== 'select' || !(isUnfound(result) || isNone(result))) continue
    const missed = await missedBy(powers, task, step)
    if (missed !== null) found.push({ ...missed, root: step.id, missed: true })
  }
  return found
}

/** Of a step that picks: no row fitted, and that was a failure. */
export function isUnfound(result: StepResult | undefined): boolean {
  return result?.kind === 'failed' && result.reason.code === 'nothing_found'
}

type Asked = Pick<Sought, 'action' | 'asked'>
type Missed = Asked & Pick<Sought, 'earlier'>

/** Null if it is not the list of an action from which nothing was picked. */
async function missedBy(
  powers: SealedReading & Actions,
  task: Task,
  { from, matching }: SelectStep,
): Promise<Missed | null> {
  const list = parseReference(from)
  if (!list.ok) return null
  const { root } = list.value
  const read = task.plan?.steps.find((step): step is ToolStep => step.id === root && step.do === 'tool')
  const earlier = task.memory[root]
  const action = read?.tool ?? (earlier?.holds.what === 'record' ? earlier.holds.action : undefined)
  if (action === undefined) return null
  const words = matching === undefined || isWords(matching) ? {} : { sought: { $ref: matching } }
  const asked = await ownWords(powers, task, { ...read?.args, ...words })
  return { action, asked, earlier: read === undefined }
}

async function askedOf(
  powers: SealedReading & Actions,
  task: Task,
  { tool, args }: ToolStep,
): Promise<Asked> {
  return { action: tool, asked: await ownWords(powers, task, args) }
}

/**
 * Arguments that are of the message, or that the kernel's own planner made of it. Empty if there is any other, as what was looked for
 * would then be said in part.
 */
async function ownWords(
  powers: SealedReading & Actions,
  task: Task,
  args: ToolStep['args'],
): Promise<Labeled> {
  const { words } = task
  const nothing: Labeled = receive({}, words)
  let asked = nothing
  for (const [name, argument] of Object.entries(args)) {
    const value = await ownWord(powers, task, argument)
    if (value === 'unsaid') continue
    if (value === null || !isAtOrBelow(value.label, words.label)) return nothing
    asked = combine([asked, value], ([all, own]) => ({ ...(all as object), [name]: own ?? null }))
  }
  return asked
}

/** Null for what is of anybody else; `unsaid` for what the message has not. */
async function ownWord(
  powers: SealedReading & Actions,
  task: Task,
  argument: Argument,
): Promise<Labeled | 'unsaid' | null> {
  if (typeof argument === 'boolean') return receive(argument, task.words)
  const ref = isReference(argument) ? parseReference(argument.$ref) : null
  if (!isReference(argument) || ref?.ok !== true) return null
  if (ref.value.root !== 'said' && ref.value.root !== OWN) return null
  const value = await resolveRef(powers, task, argument.$ref)
  if (!value.ok) return value.reason.code === 'reference_unresolved' ? 'unsaid' : null
  if (value.value.taint.level !== 'clean') return null
  const words = await openTextOf(powers, task.words)
  if (!words.ok) return null
  // An extractor may be wrong: what does not stand in the message is none of its words.
  const stands = combine<Json, boolean>([words.value, value.value], ([said, own]) =>
    [own ?? null].flat().every((one) => isSaid(String(said), one)),
  )
  return test(stands, (is) => is) ? value.value : null
}

/** A time that was read from the words is in none of them. */
const TIME = /^\d{4}-\d{2}-\d{2}(?:T[\d:.+-]{4,20}Z?)?$/

function isSaid(message: string, own: unknown): boolean {
  if (typeof own !== 'string' || TIME.test(own)) return true
  return spaced(message).toLowerCase().includes(spaced(own).toLowerCase())
}

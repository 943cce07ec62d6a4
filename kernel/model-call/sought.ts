/**
 * Collects what the reads of a plan searched for, in the words of the message, so that an answer without a model can say what
 * was not found. Contains only words of the sender and never raises the label of the answer. Called by synthesis-view.ts.
 */

import { resolveRef } from '../call/resolve.ts'
import type { Json } from '../flow/json.ts'
import { isAtOrBelow } from '../flow/label.ts'
import { combine, type Labeled, test } from '../flow/labeled.ts'
import { receive } from '../flow/provenance.ts'
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

/**
 * `root`: id of the step. `missed`: the step picks from rows of `action`, and none matched. `earlier`: the
 * rows are those of an earlier answer.
 */
export interface Sought {
  readonly root: string
  readonly action: string
  readonly missed: boolean
  readonly earlier: boolean
  /** Arguments of the read. For a step that picks, `sought` contains its words. */
  readonly asked: Labeled
}

/**
 * One entry for each read that ran and for each pick without a matching row. Empty if the message contains
 * text of others.
 */
export async function soughtBy(powers: SealedReading & Actions, task: Task): Promise<readonly Sought[]> {
  if (task.path === 'fast' || task.words.taint.level !== 'clean') return []
  const found: Sought[] = []
  const steps = task.plan?.steps ?? []
  // Searches of an earlier plan are not reported once a later plan went on.
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

/** Whether a picking step failed because no row matched. */
export function isUnfound(result: StepResult | undefined): boolean {
  return result?.kind === 'failed' && result.reason.code === 'nothing_found'
}

type Asked = Pick<Sought, 'action' | 'asked'>
type Missed = Asked & Pick<Sought, 'earlier'>

/** The list and words of a `select` without a match. Null if it does not pick from the result of an action. */
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
 * Arguments that come from the message, or that the kernel's own planner made from it. Empty
 * if there is any other argument, since only a part of the search could then be named.
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

/** Null for a value that is not from the sender; `unsaid` for one that the message does not contain. */
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
  // An extractor may be wrong, so a value counts only if the message contains it.
  const stands = combine<Json, boolean>([words.value, value.value], ([said, own]) =>
    [own ?? null].flat().every((one) => isSaid(String(said), one)),
  )
  return test(stands, (is) => is) ? value.value : null
}

/** Times are computed from the words, so the message does not contain them. */
const TIME = /^\d{4}-\d{2}-\d{2}(?:T[\d:.+-]{4,20}Z?)?$/

function isSaid(message: string, own: unknown): boolean {
  if (typeof own !== 'string' || TIME.test(own)) return true
  return spaced(message).toLowerCase().includes(spaced(own).toLowerCase())
}

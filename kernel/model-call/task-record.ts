/**
 * Record of what a task did, for whoever words its answer (DESIGN §10): writes with their values, time spans that were read,
 * choices, and omitted parts. Built from the task's own record, without what this chat may not show. Called by synthesis-view.ts.
 */

import { type CallPorts, resolveCall, resolveRef } from '../call/resolve.ts'
import { writtenValue } from '../call/values/literals.ts'
import { controlAbove } from '../call/values/select.ts'
import { isPlainRecord, type Json } from '../flow/json.ts'
import { combine, derive, type Labeled, test } from '../flow/labeled.ts'
import { receive } from '../flow/provenance.ts'
import { isKernelEffect, lookUpAction } from '../powers/effects.ts'
import type { ApprovalStore, StoreOf } from '../powers/stores.ts'
import { isNone, worksOnNothing } from '../task/nothing.ts'
import {
  type ChooseStep,
  type ClarifyStep,
  type ClassifyStep,
  REPLY,
  type SelectStep,
  type Step,
  type ToolStep,
} from '../task/plan.ts'
import { rootsOf } from '../task/roots.ts'
import type { Task } from '../task/task.ts'
import type { RegisteredAction } from '../tool/registry.ts'
import type { GuardPorts } from '../wording/guard/guard.ts'
import { fitsTask } from './read-through.ts'

/** Action of the record among an answer's contents. */
export const RECORD = 'task.record'

/** Ports of the record: the values of calls that ran. */
export type TaskRecordPorts = CallPorts & GuardPorts & StoreOf<ApprovalStore>

/**
 * `planned`: contains only words of the plan and the kernel. No planner reads text of
 * others, so these words contain no order of others.
 */
export interface RecordPart {
  readonly content: Labeled
  readonly planned?: true
}

/** Parts of the record: what was done and decided, and separately what was left out. Empty if there is nothing to report. */
export async function taskRecord(powers: TaskRecordPorts, task: Task): Promise<readonly RecordPart[]> {
  const may = fitsTask(powers, task)
  const told: Labeled[] = []
  const left: Labeled[] = []
  const add = (to: Labeled[], line: Labeled | null): void => {
    if (line !== null && may(line.label)) to.push(line)
  }
  for (const [index, step] of (task.plan?.steps ?? []).entries()) {
    add(told, await lineFor(powers, task, step))
    add(left, await leftOutLine(powers, task, { index, step }))
  }
  if (task.leftOut !== undefined) add(left, await notPlanned(powers, task, task.leftOut))
  // If others wrote the message, they may have dictated the planner's words.
  const isOwn = task.words.taint.level === 'clean'
  return [
    ...(told.length === 0 ? [] : [planned(task, { content: allOf(told) })]),
    ...(left.length === 0 ? [] : [{ content: allOf(left), ...(isOwn && { planned: true as const }) }]),
  ]
}

/** Sources without text of others, provided that the message is the owner's: the kernel, the owner's files, and plans. */
const OWN_SOURCE = /^(?:kernel|directive|extractor:message:owner|planner:.+)$/
const TOOL = 'tool:'

/** Marks content as `planned` if each of its sources is the owner, the plan, or a row of the owner's own, such as a reminder. */
export function planned<Part extends RecordPart>({ words }: Pick<Task, 'words'>, part: Part): Part {
  const isOwn = (source: string): boolean =>
    OWN_SOURCE.test(source) ||
    words.taint.origins.includes(source) ||
    (source.startsWith(TOOL) && isKernelEffect(source.slice(TOOL.length)))
  const { level, origins } = part.content.taint
  const fits = words.taint.level === 'clean' && level !== 'clean' && origins.every(isOwn)
  return fits ? { ...part, planned: true } : part
}

function allOf(lines: readonly Labeled[]): Labeled {
  return combine(lines, (all) => [...all])
}

/** The planner's explanation of the part that it left out. */
async function notPlanned(powers: TaskRecordPorts, task: Task, written: string): Promise<Labeled | null> {
  const text = await writtenValue(powers, task, written)
  return text.ok ? derive<Json, Json>(text.value, (why) => ({ not_planned: why })) : null
}

async function lineFor(powers: TaskRecordPorts, task: Task, step: Step): Promise<Labeled | null> {
  const result = task.results[step.id]
  if (step.do === 'classify' && result?.kind === 'choice') return choiceLine(powers, task, step)
  if (step.do === 'clarify' && result?.kind === 'alias') return choiceLine(powers, task, step)
  if (step.do === 'select' || step.do === 'choose') return pickedLine(powers, task, step)
  if (step.do !== 'tool' || step.tool === REPLY || result?.kind !== 'sealed') return null
  const action = lookUpAction(powers.registry, step.tool)
  return action.ok ? callLine(powers, task, { step, action: action.value }) : null
}

/** Line about a write that did not run; null for a step that ran, and for one that is no write. */
async function leftOutLine(
  powers: TaskRecordPorts,
  task: Task,
  { index, step }: { readonly index: number; readonly step: Step },
): Promise<Labeled | null> {
  if (step.do !== 'tool' || step.tool === REPLY || task.results[step.id]?.kind === 'sealed') return null
  const action = lookUpAction(powers.registry, step.tool)
  const why = whyNot(task, index, step)
  if (!action.ok || why === null || action.value.semantics !== 'write') return null
  return receive({ left_out: step.tool, why }, await controlAbove(powers, task, index))
}

/**
 * Why a step did not run; null if it ran or failed itself. Steps after a failure are reported with that failure as the reason.
 */
function whyNot(task: Task, index: number, step: ToolStep): string | null {
  const { id, when } = step
  const result = task.results[id]
  if (result !== undefined && result.kind !== 'skipped') return null
  if (hasFailedBefore(task, index)) return 'a step before it failed'
  if (result !== undefined && worksOnNothing(task, step)) return 'nothing was found for it'
  return result !== undefined && when !== undefined ? NOT_MET : null
}

const NOT_MET = 'its condition was not met'

/**
 * Writes that did not run because of their condition, as failures to report; only those that the record in this view contains.
 */
export function leftOutIn(
  task: Task,
  { contents }: { readonly contents: readonly { readonly action: string; readonly content: Labeled }[] },
): readonly { readonly tool: string; readonly reason: 'condition_not_met' }[] {
  const record = contents.filter(({ action }) => action === RECORD)
  const tools = new Set((task.plan?.steps ?? []).flatMap((step) => (step.do === 'tool' ? [step.tool] : [])))
  const isLeft = (line: Json, tool: string): boolean =>
    isPlainRecord(line) && line['left_out'] === tool && line['why'] === NOT_MET
  return [...tools].flatMap((tool) =>
    record.some(({ content }) =>
      test(content, (all) => Array.isArray(all) && all.some((line) => isLeft(line, tool))),
    )
      ? [{ tool, reason: 'condition_not_met' as const }]
      : [],
  )
}

/** Whether a step before it in the same plan failed. A later plan is made from what the earlier one left. */
function hasFailedBefore({ plan, results, resumed = 0 }: Task, index: number): boolean {
  return (plan?.steps ?? [])
    .slice(index < resumed ? 0 : resumed, index)
    .some(({ id }) => results[id]?.kind === 'failed')
}

/** Line about a call: for a write all values; for a read only the times that it covers. */
async function callLine(
  powers: TaskRecordPorts,
  task: Task,
  { step, action }: { readonly step: ToolStep; readonly action: RegisteredAction },
): Promise<Labeled | null> {
  const call = await resolveCall(powers, task, { action, args: step.args, step: step.id })
  if (!call.ok) return null
  const isDone = action.semantics === 'write'
  const told = call.value.args.filter(({ spec }) => isDone || spec.kind === 'date')
  if (told.length === 0) return null
  return combine<Json, Json>(
    told.map(({ value }) => value),
    (values) => ({
      ...(isDone ? { done: doneBy(action) } : { looked_at: action.tool.name }),
      ...Object.fromEntries(told.map((argument, at) => [argument.name, values[at] ?? null])),
    }),
  )
}

/**
 * Name of a write in the record, in its declared words if it has any: the sanitizer
 * would remove an id such as `email.reply` as an order.
 */
export function doneBy(action: RegisteredAction): string {
  return ('done' in action ? action.done : undefined) ?? action.id
}

/**
 * The picked rows, unless a later step uses them: the answer is about these and not about the
 * other rows of the list. A row that `select` guessed by most of its words is always reported.
 */
async function pickedLine(
  powers: TaskRecordPorts,
  task: Task,
  step: SelectStep | ChooseStep,
): Promise<Labeled | null> {
  const result = task.results[step.id]
  if (step.do === 'select' && isNone(result)) return noneLine(powers, task, step)
  const isPicked = result?.kind === 'alias' || result?.kind === 'aliases'
  const steps = task.plan?.steps ?? []
  const later = steps.slice(steps.indexOf(step) + 1)
  const isGuess = step.do === 'select' && isPicked && result.chosen !== undefined
  if (!isPicked || (!isGuess && later.some((one) => rootsOf(one).includes(step.id)))) return null
  const rows = await resolveRef(powers, task, step.id)
  if (!rows.ok) return null
  return derive<Json, Json>(rows.value, (picked) =>
    isGuess ? { picked, why: 'it has most of the words, none has all' } : { picked },
  )
}

/** Line about a list without a match, with the words searched for, if any. */
async function noneLine(powers: TaskRecordPorts, task: Task, step: SelectStep): Promise<Labeled | null> {
  const rows = await resolveRef(powers, task, step.id)
  const words = step.matching === undefined ? null : await resolveRef(powers, task, step.matching)
  if (!rows.ok || words?.ok === false) return null
  const why = 'no row of the list fits'
  return words === null
    ? derive<Json, Json>(rows.value, (picked) => ({ picked, why }))
    : combine<Json, Json>([rows.value, words.value], ([picked, sought]) => ({
        ...{ picked: picked ?? null, sought: sought ?? null },
        why,
      }))
}

async function choiceLine(
  powers: TaskRecordPorts,
  task: Task,
  step: ClassifyStep | ClarifyStep,
): Promise<Labeled | null> {
  const question = await writtenValue(powers, task, step.question)
  const answer = await resolveRef(powers, task, step.id)
  if (!question.ok || !answer.ok) return null
  return combine<Json, Json>([question.value, answer.value], ([asked, decided]) => ({
    asked: asked ?? null,
    decided: decided ?? 'none of the options',
  }))
}

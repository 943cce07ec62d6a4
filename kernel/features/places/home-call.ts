/**
 * Requests one read from home, with a result within the edge's clearance (DESIGN §1). Persisted and sent, never
 * awaited; the answer arrives later as an outcome. Called by drive.ts (request) and shell.ts (answer).
 */

import { resolveCall } from '../../call/resolve.ts'
import { describeLabel } from '../../flow/label.ts'
import { isLevel } from '../../flow/level.ts'
import { checkPlace } from '../../flow/place.ts'
import { parseProvenance } from '../../flow/provenance.ts'
import { createRecord, type LabeledRecord } from '../../flow/record.ts'
import { err, type Result } from '../../flow/verdict.ts'
import { lookUpAction, offlinePolicyOf, shapeOf } from '../../powers/effects.ts'
import type { Actions, AtPlace, HomeLine, Ids, Pausing, PolicySource } from '../../powers/ports.ts'
import { keepRecord, RAW_LIFETIME, type SealedReading } from '../../powers/sealed.ts'
import type { ApprovalStore, StoreOf } from '../../powers/stores.ts'
import { isReasonCode } from '../../reasons.ts'
import type { Approval } from '../../task/approval.ts'
import type { Outcome } from '../../task/outcome.ts'
import type { ToolStep } from '../../task/plan.ts'
import { OWNER_PRINCIPAL } from '../../task/principal.ts'
import type { Task } from '../../task/task.ts'
import type { GuardPorts } from '../../wording/guard/guard.ts'
import { releaseToPlace } from '../deliveries/deliver.ts'
import type { HomeAnswer } from './home-port.ts'

/** Milliseconds that an edge task blocks its line while waiting for home, from the task's start. */
export const HOME_WAIT = 45_000

/** Until when the answer is wanted; home does not run a request that arrives later (T-07). */
function wantedUntil(powers: Actions & Pausing & StoreOf<ApprovalStore>, task: Task, tool: string): number {
  const policy = offlinePolicyOf(powers.registry, tool)
  return askedSince(powers, task) + (policy.do === 'queue' ? Math.max(policy.ttl, HOME_WAIT) : HOME_WAIT)
}

/**
 * Start of the wait for home, epoch milliseconds: the task's start, the arrival of a credential it waited for, or the
 * end of a pause.
 */
export function askedSince(
  { store, pause }: Pausing & StoreOf<ApprovalStore>,
  { state, createdAt }: Task,
): number {
  const { decidedAt = null } = (state.at === 'awaiting_home' && loadedBy(store, state.approval)) || {}
  return Math.max(createdAt, decidedAt ?? 0, pause?.read().over?.until ?? 0)
}

function loadedBy(store: ApprovalStore, approval: string | null): Approval | null {
  return approval === null ? null : (store.loadApproval(approval)?.approval ?? null)
}

/** A repeat after a credential arrived is a different call, since home answers each call once. */
export function callId({ id, state }: Task, step: string): string {
  const again = state.at === 'awaiting_home' && state.approval !== null ? `:${state.approval}` : ''
  return `${id}:${step}${again}`
}

/** Ports needed to call home. */
type AskHomePorts = GuardPorts & SealedReading & PolicySource & HomeLine & Pausing & StoreOf<ApprovalStore>

export async function askHome(
  powers: AskHomePorts,
  task: Task,
  { index, step }: { readonly index: number; readonly step: ToolStep },
): Promise<Outcome | null> {
  const failed = (reason: Extract<Outcome, { got: 'failed' }>['reason']): Outcome => ({
    got: 'failed',
    step: index,
    reason,
  })
  const action = lookUpAction(powers.registry, step.tool)
  if (!action.ok) return failed(action.reason)
  const call = await resolveCall(powers, task, { action: action.value, args: step.args, step: step.id })
  if (!call.ok) return failed(call.reason)
  const args = releaseToPlace(powers, call.value.whole, { sink: 'sink:place:home', template: task.template })
  if (!args.ok) return failed(args.reason)
  if (powers.home === null) return failed({ code: 'home_offline', facts: {} })
  const { label, taint } = call.value.whole
  const asked = await powers.home.ask({
    ...{
      id: callId(task, step.id),
      task: task.id,
      step: index,
      trace: task.trace,
      template: task.template,
    },
    ...{ principal: task.principal, tool: step.tool, args: args.value, provenance: { label, taint } },
    deadline: wantedUntil(powers, task, step.tool),
    ...(task.principal !== OWNER_PRINCIPAL && { sink: task.sink }),
  })
  return asked.ok ? null : failed(asked.reason)
}

/** Checks home's answer as untrusted: shape, label, and whether the edge may hold it. */
export async function acceptAnswer(
  powers: SealedReading & Ids & AtPlace & Actions,
  task: Task,
  answer: HomeAnswer,
): Promise<Outcome> {
  const { step } = answer
  if (!answer.ok) {
    const code = isReasonCode(answer.reason) ? answer.reason : 'tool_failed'
    return { got: 'failed', step, reason: { code, facts: {} } }
  }
  const tool = toolAt(task, step)
  const record = tool === null ? err('task_unknown') : recordOf(powers, tool, answer)
  if (!record.ok) return { got: 'failed', step, reason: record.reason }
  const held = checkPlace(powers.place, record.value.label)
  if (!held.allow) return { got: 'denied', step, reason: held }
  const until = powers.now() + RAW_LIFETIME
  const keeping = { principal: task.principal, store: 'sessions', until, action: tool ?? '' } as const
  const ref = await keepRecord(powers, keeping, record.value)
  return { got: 'result', step, result: { kind: 'sealed', ref }, label: describeLabel(record.value.label) }
}

function recordOf(
  powers: Actions,
  tool: string,
  answer: Extract<HomeAnswer, { ok: true }>,
): Result<LabeledRecord> {
  const shape = shapeOf(powers.registry, tool)
  if (!shape.ok) return shape
  const inputs = parseProvenance(answer.inputs)
  if (!inputs.ok) return inputs
  const raised = isLevel(answer.reported) ? { reported: answer.reported } : {}
  return createRecord({ ...shape.value, inputs: inputs.value, ...raised }, answer.output)
}

/** Tool that a step calls; null for another kind of step. */
export function toolAt(task: Task, index: number): string | null {
  const step = task.plan?.steps[index]
  return step?.do === 'tool' ? step.tool : null
}

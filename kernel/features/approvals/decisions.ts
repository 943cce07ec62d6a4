/**
 * Applies the owner's answers (F-04 – F-11): approve, deny, or edit the text; closes a question for a credential or a
 * code. Each is recorded with who, when, where and outcome, and passed to its task. Must not run anything; the caller
 * drives the lane. Called by shell.ts, credentials.ts and channels.ts.
 */
import type { Labeled } from '../../flow/labeled.ts'
import { ownerWords, receive } from '../../flow/provenance.ts'
import { err, ok, type Result } from '../../flow/verdict.ts'
import { type DeliverPorts, deliverNotice } from '../../pipeline/deliver.ts'
import { type Auditing, audit } from '../../powers/audit.ts'
import { lookUpAction } from '../../powers/effects.ts'
import type { Actions, OwnerChats, PolicySource, SecretScan } from '../../powers/ports.ts'
import { RAW_LIFETIME, type SealedKeeping, sealForLater } from '../../powers/sealed.ts'
import type { ApprovalStore, StoredApproval, StoreOf, TaskStore } from '../../powers/stores.ts'
import type { ReasonCode } from '../../reasons.ts'
import { type Approval, type DecisionInput, decide, replace } from '../../task/approval.ts'
import type { TaskReports } from '../../task/outcome.ts'
import { OWNER_PRINCIPAL } from '../../task/principal.ts'
import type { Task } from '../../task/task.ts'
import { argName } from '../../tool/worded.ts'
import { holdsSecret } from '../../wording/guard/pasted.ts'
import { type ChoicePorts, decideChoice, decidedTask, isChoice } from '../places/home-wait.ts'
import { type ApplyChangePorts, applyChange } from './change.ts'
import type { OtherWords } from './port.ts'
import { named, waitingOf } from './waiting.ts'

export interface Decided {
  /** Empty when no task was waiting for it. */
  readonly task: string
  readonly principal: string
}

export function decideOn(
  powers: ApplyChangePorts & ChoicePorts,
  lane: TaskReports,
  input: DecisionInput,
): Result<Decided> {
  const { id, most, choice = null } = named(powers, input.approval)
  const first = powers.store.loadApproval(id)
  if (first === null) return err('approval_unknown')
  const same = most === 1 ? [] : (waitingOf(powers).find(([one]) => one.approval.id === id) ?? [])
  // All requests of a card are decided in one transaction, so a crash cannot leave half of an approval.
  return powers.store.transaction(() => {
    const decided = decideOne(powers, lane, { ...input, approval: id, choice })
    if (decided.ok)
      for (const { approval } of same.slice(1, most))
        decideOne(powers, lane, { ...input, approval: approval.id })
    return decided
  })
}

function decideOne(
  powers: ApplyChangePorts & ChoicePorts,
  lane: TaskReports,
  input: DecisionInput,
): Result<Decided> {
  const stored = powers.store.loadApproval(input.approval)
  if (stored === null) return err('approval_unknown')
  const { approval: id, ...decision } = input
  const decided = decide(stored.approval, { ...decision, now: powers.now() })
  // The same answer again: the reply to the first one was lost in transit.
  const repeated = decided.ok && decided.value === stored.approval
  note(powers, stored, { ...input, ...(repeated && { repeated }), result: decided })
  if (!decided.ok) return decided
  const { principal } = stored.approval
  if (repeated) return ok({ task: decidedTask(stored), principal })
  if (isChoice(stored)) return decideChoice(powers, lane, decided.value)
  if (decided.value.change !== null) {
    const applied = applyChange(powers, { ...stored, approval: decided.value })
    return applied.ok ? ok({ task: '', principal }) : applied
  }
  return handOver(powers, lane, decided.value)
}

function handOver(powers: StoreOf<ApprovalStore>, lane: TaskReports, approval: Approval): Result<Decided> {
  const { id, task, principal } = approval
  const outcome =
    approval.state === 'approved'
      ? ({ got: 'approved', approval: id } as const)
      : ({ got: 'refused', approval: id, reason: { code: 'approval_denied', facts: {} } } as const)
  const save = (): void => powers.store.saveApproval(approval, null)
  // A credential question that no task waits for ends with the owner's denial.
  if (task === '' && approval.kind === 'credential') save()
  else if (!lane.report(task, outcome, save)) return err('task_unknown', { task })
  return ok({ task, principal })
}

/** Ports needed to replace the text of a question. */
type EditPorts = Auditing &
  SealedKeeping &
  PolicySource &
  Actions &
  SecretScan &
  OwnerChats &
  StoreOf<TaskStore & ApprovalStore>

/**
 * Replaces the text of a question with the owner's own, untainted. An edit is no approval, so the result is asked
 * again under a new id (F-11). Refusals: secret_pasted; those of an approval; choice_ambiguous when several texts
 * exist and none is named; nothing_found when there is none; field_too_large.
 */
export async function editText(
  powers: EditPorts,
  lane: TaskReports,
  input: OtherWords,
): Promise<Result<Decided>> {
  const { id } = named(powers, input.approval)
  const stored = powers.store.loadApproval(id)
  const task = stored === null ? null : powers.store.loadTask(stored.approval.task)
  if (stored === null || task === null) return err('approval_unknown')
  const argument = textOf(powers, task, stored.approval, input)
  if (!argument.ok) return argument
  if (holdsSecret(input.text, powers.known)) return err('secret_pasted')
  const words = ownWords(powers, task, input.text)
  if (!words.ok) return words
  const until = powers.now() + RAW_LIFETIME
  const keeping = { principal: task.principal, store: 'sessions', until } as const
  const sealed = await sealForLater(powers, keeping, words.value)
  const { principal, place } = input
  const replaced = replace(stored.approval, { principal, place, decision: 'approve', now: powers.now() })
  note(powers, stored, { ...input, decision: 'edit', result: replaced })
  if (!replaced.ok) return replaced
  const outcome = { got: 'edited', approval: id, argument: argument.value, ref: sealed.ref } as const
  const fitted = lane.report(task.id, outcome, () => {
    sealed.put()
    powers.store.saveApproval(replaced.value, null)
  })
  return fitted ? ok({ task: task.id, principal: task.principal }) : err('task_unknown')
}

/**
 * Leaves these rows out of a question, as an edit does: what stays is asked again under a new id. In a transaction of the caller's.
 * Refusals: those of an approval; task_unknown.
 */
export function leaveRowsOut(
  powers: Auditing & StoreOf<TaskStore & ApprovalStore>,
  lane: TaskReports,
  input: Omit<DecisionInput, 'decision'> & { readonly argument: string; readonly rows: readonly number[] },
): Result<Decided> {
  const { approval: id, principal, place, argument, rows } = input
  const stored = powers.store.loadApproval(id)
  if (stored === null) return err('approval_unknown')
  const replaced = replace(stored.approval, { principal, place, decision: 'approve', now: powers.now() })
  note(powers, stored, { ...input, decision: 'edit', result: replaced })
  if (!replaced.ok) return replaced
  const { task } = stored.approval
  const outcome = { got: 'left_out', approval: id, argument, rows } as const
  const fitted = lane.report(task, outcome, () => powers.store.saveApproval(replaced.value, null))
  return fitted ? ok({ task, principal: stored.approval.principal }) : err('task_unknown')
}

/** Untainted, with the label of the owner's line on which the question was put. */
function ownWords(
  { policy, adminSinks }: PolicySource & OwnerChats,
  task: Task,
  text: string,
): Result<Labeled<string>> {
  const chat = task.principal === OWNER_PRINCIPAL ? task.sink : adminSinks[0]
  const sink = policy().sinks.find(({ id }) => id === chat)
  return sink === undefined ? err('sink_unknown') : ok(receive(text, ownerWords(sink.id, sink.level)))
}

/** Name of the free-text argument of the call in question. */
function textOf(powers: Actions, task: Task, { step: id, kind }: Approval, edit: OtherWords): Result<string> {
  const step = task.plan?.steps.find((candidate) => candidate.id === id)
  if (step?.do !== 'tool' || kind === 'choice' || kind === 'plan') return err('nothing_found')
  const action = lookUpAction(powers.registry, step.tool)
  if (!action.ok) return action
  const texts = Object.entries(action.value.args.fields).filter(
    ([name, spec]) => spec.kind === 'text' && Object.hasOwn(step.args, name),
  )
  const chosen = texts.filter(([name]) =>
    [undefined, name, argName(action.value, name)].includes(edit.argument),
  )
  const [only, ...others] = chosen
  if (only === undefined) return err('nothing_found')
  if (others.length > 0) return err('choice_ambiguous', { texts: chosen.length })
  const [name, spec] = only
  const max = 'max' in spec ? spec.max : undefined
  return max !== undefined && edit.text.length > max ? err('field_too_large', { max }) : ok(name)
}

interface Noted extends Pick<DecisionInput, 'principal' | 'place'> {
  readonly decision: DecisionInput['decision'] | 'edit'
  readonly repeated?: true
  readonly result: Result<unknown>
}

/** Audits who decided, when, where and with what outcome (F-07). */
function note(powers: Auditing & StoreOf<TaskStore>, { approval }: StoredApproval, noted: Noted): void {
  const { principal, place, decision, repeated, result } = noted
  const task = approval.task === '' ? null : powers.store.loadTask(approval.task)
  audit(powers, 'approval_decided', task, {
    ...{ approval: approval.id, kind: approval.kind, decision, place, by: principal },
    ...(repeated && { repeated }),
    ...{ ok: result.ok, code: result.ok ? null : result.reason.code },
  })
}

interface Closing {
  readonly decision: 'approved' | 'denied'
  readonly code?: ReasonCode
}

export function closeQuestion(
  powers: Auditing & StoreOf<TaskStore & ApprovalStore>,
  lane: TaskReports,
  approval: Approval,
  { decision, code = 'approval_denied' }: Closing,
): void {
  const { id, task } = approval
  const state = decision === 'approved' ? 'spent' : 'denied'
  const closed: Approval = { ...approval, state, decidedAt: powers.now(), decidedBy: approval.principal }
  const save = (): void => powers.store.saveApproval(closed, null)
  const outcome =
    decision === 'approved'
      ? ({ got: 'approved', approval: id } as const)
      : ({ got: 'refused', approval: id, reason: { code, facts: {} } } as const)
  if (task === '' || !lane.report(task, outcome, save)) save()
  const of = task === '' ? null : powers.store.loadTask(task)
  audit(powers, 'approval_decided', of, { approval: id, kind: approval.kind, decision, ok: true })
}

/** Sends a notice to the chat in which the question was asked. */
export async function tellThere(
  powers: DeliverPorts & StoreOf<TaskStore>,
  { id, task, sink, principal }: Pick<Approval, 'id' | 'task' | 'sink' | 'principal'>,
  words: string | Labeled<string>,
): Promise<void> {
  const of = task === '' ? null : powers.store.loadTask(task)
  const notice = {
    id: `${id}:${powers.newId()}`,
    sink,
    principal,
    code: 'credential_missing',
    ...(typeof words === 'string' ? { words } : { text: words }),
  } as const
  await deliverNotice(powers, notice, of)
}

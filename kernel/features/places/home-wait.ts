/**
 * Waiting for an offline home (DESIGN §1, T-07): 45 s that block the line, then one notice with a choice, then as
 * long as the capability's policy allows. All state is in the store and is examined by `tick`. Must not call home or
 * look at content. Called by shell.ts.
 */

import { digestOf } from '../../flow/digest.ts'
import { kernelWords, receive } from '../../flow/provenance.ts'
import { err, ok, type Result } from '../../flow/verdict.ts'
import { rowsFor, startTask } from '../../machine/machine.ts'
import { type Auditing, audit } from '../../powers/audit.ts'
import { offlinePolicyOf } from '../../powers/effects.ts'
import type { Actions, Clock, Ids, Pausing } from '../../powers/ports.ts'
import { keepText, type SealedKeeping } from '../../powers/sealed.ts'
import type { SealedStore } from '../../powers/sealed-port.ts'
import type {
  ApprovalStore,
  EventStore,
  StoredApproval,
  StoreOf,
  TaskStore,
  Transactions,
} from '../../powers/stores.ts'
import { type Approval, approvalDigest, createApproval } from '../../task/approval.ts'
import type { Outcome, TaskReports } from '../../task/outcome.ts'
import { OWNER_PRINCIPAL } from '../../task/principal.ts'
import type { Task } from '../../task/task.ts'
import { tell } from '../../wording/words.ts'
import { temporaryOf } from '../memory/memory.ts'
import { askedSince, HOME_WAIT, toolAt } from './home-call.ts'

/** Name of the choice in the list of approvals. No tool has this name, so no token and no write matches. */
const CHOICE = 'answer.without_home'

export type TaskAtHome = Task & { readonly state: Extract<Task['state'], { at: 'awaiting_home' }> }

/** When this task needs attention next, epoch milliseconds. */
export function momentOf(powers: Pausing & StoreOf<ApprovalStore>, task: TaskAtHome): number {
  if (task.state.queued !== undefined) return task.state.queued.until
  // The owner knows that home is offline: a further call does not block the line again.
  const since = askedSince(powers, task)
  return openChoice(powers, task) === null ? since + HOME_WAIT : since
}

/** Handles every wait that is due: it ends, or continues as a queued call and the owner is notified. */
export async function lookAfterWaits(
  powers: Auditing & SealedKeeping & Actions & Pausing & StoreOf<ApprovalStore>,
  lane: TaskReports,
  waiting: readonly TaskAtHome[],
): Promise<void> {
  for (const task of waiting) {
    if (momentOf(powers, task) > powers.now()) continue
    const until = queuedUntil(powers, task)
    if (until === null) lane.report(task.id, offline(task))
    else await queue(powers, lane, { task, until })
  }
}

function offline({ state }: TaskAtHome): Outcome {
  return { got: 'failed', step: state.step, reason: { code: 'home_offline', facts: {} } }
}

/** Null when the wait ends here. Only the owner is offered the choice. */
function queuedUntil(
  powers: Clock & Actions & Pausing & StoreOf<ApprovalStore>,
  task: TaskAtHome,
): number | null {
  const policy = offlinePolicyOf(powers.registry, toolAt(task, task.state.step) ?? '')
  if (task.state.queued !== undefined || policy.do !== 'queue' || task.principal !== OWNER_PRINCIPAL)
    return null
  const until = askedSince(powers, task) + policy.ttl
  return until > powers.now() ? until : null
}

async function queue(
  powers: Auditing & SealedKeeping & StoreOf<ApprovalStore>,
  lane: TaskReports,
  { task, until }: { readonly task: TaskAtHome; readonly until: number },
): Promise<void> {
  const { step } = task.state
  const open = openChoice(powers, task)
  if (open !== null) {
    lane.report(task.id, { got: 'queued', step, queued: { choice: open.id, told: true, until } })
    return
  }
  const minutes = Math.ceil((until - task.createdAt) / 60_000)
  const text = receive(tell('places.waits', { minutes }), kernelWords())
  const card = await keepText(powers, { principal: task.principal, store: 'sessions', until }, text)
  const choice = choiceFor(powers, task, { card: card.id, until })
  lane.report(task.id, { got: 'queued', step, queued: { choice: choice.id, told: false, until } }, () => {
    powers.store.saveApproval(choice, card)
    audit(powers, 'approval_asked', task, { approval: choice.id, tool: CHOICE, reason: choice.reason })
  })
}

function choiceFor(
  powers: Clock & Ids,
  task: TaskAtHome,
  { card, until }: { readonly card: string; readonly until: number },
): Approval {
  const { id, principal, sink, state } = task
  const now = powers.now()
  return createApproval({
    ...{ id: powers.newId(), task: id, step: `s${state.step + 1}`, principal, tool: CHOICE, sink, card },
    ...{ kind: 'choice' as const, template: task.template },
    ...{ digest: approvalDigest({ tool: CHOICE, args: { task: id }, sink }), reason: 'home_offline' },
    ...{ label: task.words.label, now, timeout: until - now },
  })
}

/** The open question of this chat; one notice covers everything that waits there. */
function openChoice(powers: StoreOf<ApprovalStore>, { principal, sink }: Task): Approval | null {
  const found = powers.store
    .pendingApprovals(principal)
    .find(({ approval }) => approval.tool === CHOICE && approval.sink === sink)
  return found?.approval ?? null
}

export function isChoice({ approval }: StoredApproval): boolean {
  return approval.tool === CHOICE
}

/** Ports of everything that an answer to the choice may change. */
export type ChoicePorts = Auditing &
  Ids &
  StoreOf<Transactions & EventStore & TaskStore & ApprovalStore & SealedStore>

/**
 * Applies the owner's answer. A denial keeps the calls waiting, as they would anyway. An approval ends every task
 * that waits with this question, and starts another from the same words that does not call home; returns the first of
 * these.
 */
export function decideChoice(
  powers: ChoicePorts,
  lane: TaskReports,
  decided: Approval,
): Result<{ task: string; principal: string }> {
  const { principal } = decided
  if (decided.state !== 'approved') {
    powers.store.saveApproval(decided, null)
    return ok({ task: decided.task, principal })
  }
  const waiting = waitingWith(powers, decided)
  if (waiting.length === 0) return err('approval_expired', { approval: decided.id })
  powers.store.transaction(() => {
    for (const task of waiting) {
      const outcome = { got: 'replaced', choice: decided.id } as const
      lane.report(task.id, outcome, () => startAlone(powers, task))
    }
    powers.store.saveApproval({ ...decided, state: 'spent' }, null)
  })
  return ok({ task: aloneId(decided.task), principal })
}

/** Task that an earlier decision led to. */
export function decidedTask(stored: StoredApproval): string {
  const { task, state } = stored.approval
  return isChoice(stored) && state === 'spent' ? aloneId(task) : task
}

/** Closes a question that no task waits for. */
export function closeChoices(powers: StoreOf<TaskStore & ApprovalStore>): void {
  for (const stored of powers.store.pendingApprovals(null)) {
    if (!isChoice(stored) || waitingWith(powers, stored.approval).length > 0) continue
    powers.store.saveApproval({ ...stored.approval, state: 'expired' }, null)
  }
}

function waitingWith(powers: StoreOf<TaskStore>, { id, principal }: Approval): readonly Task[] {
  return powers.store
    .activeTasks(principal)
    .map(({ task }) => task)
    .filter(({ state }) => state.at === 'awaiting_home' && state.queued?.choice === id)
}

/** Starts the same message as a new task with a new turn; rows that the old task made are deleted. */
function startAlone(powers: Auditing & Ids & StoreOf<EventStore & TaskStore & SealedStore>, old: Task): void {
  const { store } = powers
  const id = aloneId(old.id)
  const turn = store.admit({ id: `alone:${old.id}`, principal: old.principal, at: powers.now() })
  if (turn === null) return
  const { template, principal, event, place, ceiling, tools, maxToolCalls, sink, words } = old
  const begun = startTask({
    ...{ id, trace: powers.newId(), template, principal, event, place, turn, ceiling, tools, maxToolCalls },
    ...{ sink, words, memory: {}, createdAt: powers.now() },
  })
  const { quoted, attached, manner, planMode } = old
  // The new task is the newest one, so the settings of the old one must be copied to it.
  const kept = {
    ...(quoted !== undefined && { quoted }),
    ...(attached !== undefined && { attached }),
    ...(manner !== undefined && { manner }),
    ...(planMode !== undefined && { planMode }),
  }
  const { task, rows } = rowsFor({ ...begun.task, ...kept, alone: true }, begun.effects)
  store.saveTask(task, rows)
  const needed = new Set(temporaryOf(task).map(({ id: ref }) => ref))
  store.deleteSealed(temporaryOf(old).flatMap(({ id: ref }) => (needed.has(ref) ? [] : [ref])))
  audit(powers, 'task_created', task, { template, sink, instead: old.id })
}

/** Hex digits, as for every task id. */
const ID_DIGITS = 24

function aloneId(task: string): string {
  return `t${digestOf(['alone', task]).slice(0, ID_DIGITS)}`
}

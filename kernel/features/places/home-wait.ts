/**
 * The wait for a home that is away (DESIGN §1, T-07): 45 s that hold the line, then one notice with a choice, then as
 * long as the capability's policy says. All of it is in the store; the shell's `tick` looks at it. Must not ask home
 * and must not look at content. Called by the shell.
 */

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
import { digestOf } from '../../task/capability.ts'
import type { Outcome, TaskReports } from '../../task/outcome.ts'
import { OWNER_PRINCIPAL } from '../../task/principal.ts'
import type { Task } from '../../task/task.ts'
import { waitingNotice } from '../../wording/offline.ts'
import { temporaryOf } from '../memory/memory.ts'
import { askedSince, HOME_WAIT, toolAt } from './home-call.ts'

/** What the choice is called where approvals are listed; no tool has this name, so no token and no write fits it. */
export const CHOICE = 'answer.without_home'

export type TaskAtHome = Task & { readonly state: Extract<Task['state'], { at: 'awaiting_home' }> }

/** When somebody must look at this task again, epoch milliseconds. */
export function momentOf(powers: Pausing & StoreOf<ApprovalStore>, task: TaskAtHome): number {
  if (task.state.queued !== undefined) return task.state.queued.until
  // The owner knows already that home is away: what else needs it does not hold the line once more.
  const since = askedSince(powers, task)
  return openChoice(powers, task) === null ? since + HOME_WAIT : since
}

/** Looks at every wait whose moment has come: it ends, or goes on as a queued call that the owner is told of. */
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

/** Null when the wait is over for good. Only the owner is given the choice. */
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
  const text = receive(waitingNotice(until - task.createdAt), kernelWords())
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

/** The undecided question of this chat: one notice for all that waits there. */
function openChoice(powers: StoreOf<ApprovalStore>, { principal, sink }: Task): Approval | null {
  const found = powers.store
    .pendingApprovals(principal)
    .find(({ approval }) => approval.tool === CHOICE && approval.sink === sink)
  return found?.approval ?? null
}

export function isChoice({ approval }: StoredApproval): boolean {
  return approval.tool === CHOICE
}

/** What an answer to such a question may change. */
export type ChoicePorts = Auditing &
  Ids &
  StoreOf<Transactions & EventStore & TaskStore & ApprovalStore & SealedStore>

/**
 * The owner's answer. *No* is what happens anyway: the calls go on waiting. *Yes* ends every task that waits with this
 * question and starts another from the same words, which may not ask home; told is the first of these.
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

/** What a decision that was given before had led to. */
export function decidedTask(stored: StoredApproval): string {
  const { task, state } = stored.approval
  return isChoice(stored) && state === 'spent' ? aloneId(task) : task
}

/** A question that no task waits with any more asks nothing. */
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

/** The same message as a task of its own, with a turn of its own; what the old one had read for it so far goes. */
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
  // It is the newest of his tasks now: what he set goes on with it.
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

/** Hex digits, as of every task's id. */
const ID_DIGITS = 24

function aloneId(task: string): string {
  return `t${digestOf(['alone', task]).slice(0, ID_DIGITS)}`
}

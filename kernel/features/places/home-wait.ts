/**
 * Waiting for an offline home (DESIGN §1, T-07): 45 s that block the line, then one notice, with a choice if the edge could do a
 * part without home, then as long as the capability's policy allows. All state is in the store and is examined by `tick`. Must
 * not call home or look at content. Called by shell.ts.
 */

import { reachOf } from '../../call/disclosure.ts'
import { digestOf } from '../../flow/digest.ts'
import { kernelWords, receive } from '../../flow/provenance.ts'
import { err, ok, type Result } from '../../flow/verdict.ts'
import { rowsFor, startPlanned, startTask } from '../../machine/machine.ts'
import { type Auditing, audit } from '../../powers/audit.ts'
import { lookUpAction, offlinePolicyOf } from '../../powers/effects.ts'
import type { Actions, Clock, DirectiveFiles, HomeLine, Ids, Pausing, Tools } from '../../powers/ports.ts'
import { keepText } from '../../powers/sealed.ts'
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
import { CANNED, RULES, type Step } from '../../task/plan.ts'
import { OWNER_PRINCIPAL } from '../../task/principal.ts'
import { rootsOf } from '../../task/roots.ts'
import type { QueuedCall, Task } from '../../task/task.ts'
import { tell } from '../../wording/words.ts'
import { type DeliverPorts, deliver } from '../deliveries/deliver.ts'
import { temporaryOf } from '../memory/memory.ts'
import { askedSince, HOME_WAIT, toolAt } from './home-call.ts'

/** Name of the choice in the list of approvals. No tool has this name, so no token and no write matches. */
const CHOICE = 'answer.without_home'

export type TaskAtHome = Task & { readonly state: Extract<Task['state'], { at: 'awaiting_home' }> }

/** When this task needs attention next, epoch milliseconds. */
export function momentOf(powers: Pausing & StoreOf<ApprovalStore & TaskStore>, task: TaskAtHome): number {
  if (task.state.queued !== undefined) return task.state.queued.until
  // The owner knows that home is offline: a further call does not block the line again.
  const since = askedSince(powers, task)
  return isKnown(powers, task) ? since : since + HOME_WAIT
}

/** Ports needed to look after waits. */
type WaitPorts = DeliverPorts &
  Actions &
  Tools &
  HomeLine &
  DirectiveFiles &
  Ids &
  Pausing &
  StoreOf<ApprovalStore & TaskStore>

/** Handles every wait that is due: it ends, or continues as a queued call and the owner is notified. */
export async function lookAfterWaits(
  powers: WaitPorts,
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

/** Null when the wait ends here. Only the owner is notified. */
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

interface Queueing {
  readonly task: TaskAtHome
  readonly until: number
}

async function queue(powers: WaitPorts, lane: TaskReports, { task, until }: Queueing): Promise<void> {
  const report = (queued: QueuedCall, commit?: () => void) =>
    lane.report(task.id, { got: 'queued', step: task.state.step, queued }, commit)
  if (!(await hasOwnPart(powers, task))) {
    if (!isKnown(powers, task)) await tellWaiting(powers, { task, until })
    report({ choice: null, told: true, until })
    return
  }
  const open = openChoice(powers, task)
  if (open !== null) {
    report({ choice: open.id, told: true, until })
    return
  }
  const words = `${waitsWords(task, until)}\n${tell('places.waits_choice')}`
  const text = receive(words, kernelWords())
  const card = await keepText(powers, { principal: task.principal, store: 'sessions', until }, text)
  const choice = choiceFor(powers, task, { card: card.id, until })
  report({ choice: choice.id, told: false, until }, () => {
    powers.store.saveApproval(choice, card)
    audit(powers, 'approval_asked', task, { approval: choice.id, tool: CHOICE, reason: choice.reason })
  })
}

/** Notice without a choice. A crash before the task is stored as queued delivers it again under the same id. */
async function tellWaiting(powers: WaitPorts, { task, until }: Queueing): Promise<void> {
  const text = receive(waitsWords(task, until), kernelWords())
  await deliver(powers, task, { id: `${task.id}:waits`, kind: 'notice', text, approval: null, until })
}

/** What the owner is told of a call that is queued until then, epoch milliseconds. */
export function waitsWords({ createdAt }: Task, until: number): string {
  return tell('places.waits', { minutes: Math.ceil((until - createdAt) / 60_000) })
}

/**
 * Whether another task without home could answer a part of the request: a step that this place can run, of which home's steps
 * need nothing and which needs nothing of them. Never after a write, which the other task would repeat.
 */
async function hasOwnPart(powers: Actions & Tools & HomeLine & DirectiveFiles, task: Task): Promise<boolean> {
  if (task.wrote === true) return false
  const own: Step[] = []
  const home: Step[] = []
  for (const step of task.plan?.steps ?? []) {
    const reads = rootsOf(step)
    const isHome = home.some(({ id }) => reads.includes(id)) || !(await canRunHere(powers, task, step))
    if (isHome) home.push(step)
    // Code plans the same steps again, and a step that fails ends them. A model plans others.
    else if (ANSWERS.includes(step.do) && (!isCode(task) || home.every(({ independent }) => independent)))
      own.push(step)
  }
  const needed = new Set(home.flatMap(rootsOf))
  return own.some(({ id }) => !needed.has(id))
}

/** Verbs whose result answers something; the others prepare a step. */
const ANSWERS: readonly Step['do'][] = ['tool', 'forEach', 'compose', 'classify', 'compute']

function isCode({ planner }: Task): boolean {
  return planner === RULES || planner === CANNED
}

async function canRunHere(
  powers: Actions & Tools & HomeLine & DirectiveFiles,
  task: Task,
  step: Step,
): Promise<boolean> {
  if (step.do !== 'tool' && step.do !== 'forEach') return true
  const action = lookUpAction(powers.registry, step.tool)
  return action.ok && (await reachOf(powers, { ...task, alone: true }, action.value)) === 'here'
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

/** Whether the owner was told in this chat that home is offline, by a question or by a task that still waits there. */
function isKnown(powers: StoreOf<ApprovalStore & TaskStore>, task: Task): boolean {
  return (
    openChoice(powers, task) !== null ||
    powers.store
      .activeTasks(task.principal)
      .some(({ task: { sink, state } }) => sink === task.sink && isQueued(state))
  )
}

function isQueued(state: Task['state']): boolean {
  return state.at === 'awaiting_home' && state.queued !== undefined
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

/**
 * Starts the same message as a new task with a new turn; rows that the old task made are deleted. A plan that code made stays as it
 * is, since code plans no part for which the place has no tool; a model plans anew.
 */
function startAlone(powers: Auditing & Ids & StoreOf<EventStore & TaskStore & SealedStore>, old: Task): void {
  const { store } = powers
  const id = aloneId(old.id)
  const turn = store.admit({ id: `alone:${old.id}`, principal: old.principal, at: powers.now() })
  if (turn === null) return
  const { template, principal, event, place, ceiling, tools, maxToolCalls, sink, words } = old
  const start = {
    ...{ id, trace: powers.newId(), template, principal, event, place, turn, ceiling, tools, maxToolCalls },
    ...{ sink, words, memory: {}, createdAt: powers.now() },
  }
  const { quoted, attached, manner, planMode, plan, planned, planner } = old
  const again = isCode(old) ? planOf(old) : null
  // The new task is the newest one, so the settings of the old one must be copied to it.
  const kept = {
    ...(quoted !== undefined && { quoted }),
    ...(attached !== undefined && { attached }),
    ...(manner !== undefined && { manner }),
    ...(planMode !== undefined && { planMode }),
  }
  const alone = { ...kept, alone: true } as const
  const begun = again === null ? startTask(start) : startPlanned(start, { plan, planned, planner })
  const { task, rows } = rowsFor({ ...begun.task, ...again, ...alone }, begun.effects)
  store.saveTask(task, rows)
  const needed = new Set(temporaryOf(task).map(({ id: ref }) => ref))
  store.deleteSealed(temporaryOf(old).flatMap(({ id: ref }) => (needed.has(ref) ? [] : [ref])))
  audit(powers, 'task_created', task, { template, sink, instead: old.id })
}

/** What the steps of the plan read besides each other. */
function planOf({ said, literals, memory, asked, leftOut }: Task): Pick<Task, 'said' | 'memory'> {
  return {
    ...{ said, memory },
    ...(literals !== undefined && { literals }),
    ...(asked !== undefined && { asked }),
    ...(leftOut !== undefined && { leftOut }),
  }
}

/** Hex digits, as for every task id. */
const ID_DIGITS = 24

function aloneId(task: string): string {
  return `t${digestOf(['alone', task]).slice(0, ID_DIGITS)}`
}

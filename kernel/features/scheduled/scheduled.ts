/**
 * Holds a call that the owner approved for a later time: seals its arguments as approved, and adds a task that waits. At its
 * time, that task is authorised and run like any other, once (docs/decisions/022). Must not call a tool, or make an approval from
 * any but the one just spent. Called by run-call.ts, authorize.ts, ask.ts and tick.ts.
 */
import type { Json } from '../../flow/json.ts'
import { derive, fingerprint, type Labeled, test } from '../../flow/labeled.ts'
import { createRecord, extractRecord, type LabeledRecord } from '../../flow/record.ts'
import { err, ok, type Refusal, type Result } from '../../flow/verdict.ts'
import { advance, startTimed } from '../../machine/machine.ts'
import { type Auditing, audit } from '../../powers/audit.ts'
import { HELD, lookUpAction, shapeOf } from '../../powers/effects.ts'
import type { Actions, AskingTime, Clock, Ids, OwnerFacts } from '../../powers/ports.ts'
import {
  keepRecord,
  openTextOf,
  type SealedKeeping,
  type SealedReading,
  sealForLater,
} from '../../powers/sealed.ts'
import type { ApprovalStore, EventStore, StoreOf, TaskStore, Transactions } from '../../powers/stores.ts'
import { approvalDigest, LATE_AT_MOST } from '../../task/approval.ts'
import { taskIdOf } from '../../task/capability.ts'
import type { TaskReports } from '../../task/outcome.ts'
import { CANNED, type Plan } from '../../task/plan.ts'
import { OWNER_PRINCIPAL } from '../../task/principal.ts'
import type { Task, TaskState } from '../../task/task.ts'
import { transferApproval } from '../../task/transferred-approval.ts'
import type { RegisteredAction } from '../../tool/registry.ts'
import { instantOf, namedMoment } from '../../wording/output.ts'
import { tell } from '../../wording/words.ts'
import { FARTHEST_LATER, HELD_AFTER, LATE_AFTER, MOST_SCHEDULED } from './port.ts'

type Args = Readonly<Record<string, Json>>

export interface TimedTask extends Task {
  readonly state: Extract<TaskState, { at: 'awaiting_time' }>
}

/** Tasks that wait for their time, sorted by time. */
export function scheduledTasks({ store }: StoreOf<TaskStore>): readonly TimedTask[] {
  return store
    .activeTasks(OWNER_PRINCIPAL)
    .map(({ task }) => task)
    .filter(isTimed)
    .sort((one, other) => one.state.until - other.state.until)
}

/** The waiting task that the call of this task replaces; null if that task no longer waits, or the call replaces none. */
function formerOf({ store }: StoreOf<TaskStore>, { instead }: Task): TimedTask | null {
  const task = instead === undefined ? null : store.loadTask(instead)
  return task !== null && isTimed(task) ? task : null
}

export function isTimed(task: Task): task is TimedTask {
  return task.state.at === 'awaiting_time' && task.principal === OWNER_PRINCIPAL
}

/**
 * Checked before the owner is asked. Refusals: principal_not_allowed, later_full, later_gone, later_too_far; later_past for a
 * time so early that even an approval in time could come too late to run it. Null for a call that may be scheduled, and for one
 * that runs at once.
 */
export function checkLater(
  powers: Clock & AskingTime & StoreOf<TaskStore>,
  task: Task,
  { action, args }: { readonly action: RegisteredAction; readonly args: Labeled<Args> },
): Refusal | null {
  const { later } = action
  if (later === undefined) return null
  if (task.principal !== OWNER_PRINCIPAL) return { code: 'principal_not_allowed', facts: {} }
  if (task.instead !== undefined && formerOf(powers, task) === null) return { code: 'later_gone', facts: {} }
  if (task.instead === undefined && scheduledTasks(powers).length >= MOST_SCHEDULED)
    return { code: 'later_full', facts: { max: MOST_SCHEDULED } }
  const isNear = test(args, (values) => {
    const at = instantOf(values[later.at] ?? null)
    return at !== null && at - powers.now() <= FARTHEST_LATER
  })
  if (!isNear) return { code: 'later_too_far', facts: {} }
  const isOver = test(args, (values) => {
    const at = instantOf(values[later.at] ?? null)
    return at !== null && powers.now() + powers.approvalTimeout - at >= LATE_AT_MOST && at < powers.now()
  })
  return isOver ? { code: 'later_past', facts: {} } : null
}

export type HoldPorts = Auditing &
  Actions &
  Ids &
  Clock &
  SealedKeeping &
  SealedReading &
  StoreOf<Transactions & TaskStore & ApprovalStore & EventStore>

interface Held {
  readonly step: string
  readonly action: RegisteredAction
  readonly call: Labeled<Args>
  /** The same arguments, as the token allows to read them. */
  readonly args: Args
  /** Id of the approval that the token names. */
  readonly approval: string | null
}

/**
 * Runs in place of the tool: stores the waiting task, with an approval for exactly the call that runs later, together and once.
 * Refusals: approval_unknown if this step spent no approval; later_full; later_gone; tool_arguments_invalid; those of the owner's
 * words.
 */
export async function holdCall(powers: HoldPorts, task: Task, held: Held): Promise<Result<LabeledRecord>> {
  const { action, call, args, step } = held
  const { later } = action
  const stored = held.approval === null ? null : powers.store.loadApproval(held.approval)
  if (later === undefined || stored === null) return err('approval_unknown')
  const runs = lookUpAction(powers.registry, later.runs)
  if (!runs.ok) return runs
  const due = instantOf(args[later.at] ?? null)
  if (due === null) return err('tool_arguments_invalid', { path: later.at })
  const sink = runs.value.sink ?? task.sink
  const then = derive(call, (values) => without(values, later.at))
  const id = taskIdOf('later', stored.approval.id)
  const transferred = transferApproval(
    stored.approval,
    { task: task.id, step },
    {
      ...{ id: powers.newId(), task: id, step: 's1', tool: runs.value.id, sink, due },
      digest: fingerprint(then, (values) => approvalDigest({ tool: runs.value.id, args: values, sink })),
    },
  )
  if (!transferred.ok) return transferred
  const waiting = await waitingTask(powers, task, {
    id,
    due,
    then,
    runs: runs.value,
    approval: transferred.value.id,
  })
  if (!waiting.ok) return waiting
  // Checked again: other cards may have been approved since `checkLater`, and the call to be replaced may have run.
  const isNew = powers.store.transaction((): boolean | 'later_full' | 'later_gone' => {
    if (powers.store.findTask(id) !== null) return false
    const former = formerOf(powers, task)
    if (task.instead !== undefined && former === null) return 'later_gone'
    if (former === null && scheduledTasks(powers).length >= MOST_SCHEDULED) return 'later_full'
    if (!powers.store.addTask(waiting.value.task, [])) return false
    waiting.value.put()
    powers.store.saveApproval(transferred.value, stored.card)
    if (former !== null) endWaiting(powers, former, 'replaced')
    return true
  })
  if (typeof isNew === 'string') return err(isNew, { max: MOST_SCHEDULED })
  if (isNew)
    audit(powers, 'task_created', waiting.value.task, {
      ...{ template: task.template, sink: task.sink, due, approval: stored.approval.id },
      ...{ kind: 'later', class: 'owner' },
    })
  const shape = shapeOf(powers.registry, action.id)
  if (!shape.ok) return shape
  const { label, taint } = call
  return createRecord({ ...shape.value, inputs: { label, taint } }, { [later.says]: args[later.at] })
}

/** Ends a waiting call and its approval, in the caller's transaction. `replaced`: another call takes its place. */
export function endWaiting(
  powers: Auditing & StoreOf<TaskStore & ApprovalStore>,
  task: TimedTask,
  state: 'withdrawn' | 'replaced',
): void {
  const { store } = powers
  const stored = store.loadApproval(task.state.approval)
  if (stored !== null) store.saveApproval({ ...stored.approval, state }, null)
  store.saveTask(advance(task, { got: 'withdrawn' }).task, [])
  audit(powers, 'task_ended', task, { state: 'cancelled', code: CODES[state] })
}

const CODES = { withdrawn: 'approval_withdrawn', replaced: 'approval_changed' } as const

async function waitingTask(
  powers: HoldPorts,
  task: Task,
  {
    id,
    due,
    then,
    runs,
    approval,
  }: {
    readonly id: string
    readonly due: number
    readonly then: Labeled<Args>
    readonly runs: RegisteredAction
    readonly approval: string
  },
): Promise<Result<{ readonly task: Task; readonly put: () => void }>> {
  const { principal, template, place, sink, ceiling, tools, maxToolCalls } = task
  const words = await openTextOf(powers, task.words)
  if (!words.ok) return words
  const shape = shapeOf(powers.registry, `${HELD}${runs.id}`)
  if (!shape.ok) return shape
  const { label, taint } = then
  const bytes = extractRecord({ ...shape.value, inputs: { label, taint } }, then, (values) => values)
  if (!bytes.ok) return bytes
  const keeping = { principal, store: 'sessions', until: due + HELD_AFTER } as const
  const ref = await keepRecord(powers, { ...keeping, action: `${HELD}${runs.id}` }, bytes.value)
  // A copy, because the words that a finished task read are deleted with its turn.
  const copy = await sealForLater(powers, { principal, store: 'sessions', until: null }, words.value)
  const plan: Plan = {
    explanation: '',
    steps: [{ id: 's1', do: 'tool', tool: runs.id, args: refsTo(runs, then) }],
  }
  const waiting = startTimed(
    {
      ...{ id, trace: powers.newId(), event: id, turn: powers.store.nextTurn(principal), words: copy.ref },
      ...{ template, principal, place, sink, ceiling, tools, maxToolCalls, memory: { w1: ref } },
      createdAt: powers.now(),
    },
    { plan, planned: { label, taint }, planner: CANNED, approval, until: due },
  )
  return ok({ task: waiting, put: copy.put })
}

/**
 * One reference for each argument that is present; bound lookups are repeated later. Which arguments are present is no secret.
 */
function refsTo({ args }: RegisteredAction, then: Labeled<Args>): Record<string, { readonly $ref: string }> {
  const own = Object.keys(args.fields).filter((name) => test(then, (values) => Object.hasOwn(values, name)))
  return Object.fromEntries(own.map((name) => [name, { $ref: `w1.${name}` }]))
}

function without(values: Args, name: string): Args {
  return Object.fromEntries(Object.entries(values).filter(([one]) => one !== name))
}

/**
 * Starts the tasks that are due. A task that is later than the bound does not run: its approval expires, and the task asks again.
 */
export function wakeScheduled(
  powers: Auditing & Clock & StoreOf<TaskStore & ApprovalStore>,
  lane: TaskReports,
): void {
  const now = powers.now()
  for (const task of scheduledTasks(powers)) {
    const { until, approval } = task.state
    if (until > now) return
    const isHeld = now - until >= LATE_AT_MOST
    const stored = powers.store.loadApproval(approval)
    const fitted = lane.report(task.id, { got: 'due', approval: isHeld ? null : approval }, () => {
      if (isHeld && stored !== null) powers.store.saveApproval({ ...stored.approval, state: 'expired' }, null)
    })
    audit(powers, 'memory_changed', task, {
      ...{ what: 'scheduled', did: isHeld ? 'held' : 'due', due: until, late: now - until, ok: fitted },
    })
  }
}

/** When the next one is due, epoch milliseconds; null when none waits. */
export function scheduledMoment(powers: StoreOf<TaskStore>): number | null {
  return scheduledTasks(powers)[0]?.state.until ?? null
}

/** Adds to a card the time for which the call was scheduled: for a call that is asked about again, or that gets another time. */
export function timedCard(
  powers: Clock & OwnerFacts & StoreOf<TaskStore>,
  task: Task,
  card: Labeled<string>,
): Labeled<string> {
  const { now, profile } = powers
  const { timed } = task
  const former = formerOf(powers, task)
  if (former !== null) {
    const when = namedMoment(former.state.until, profile().timezone, now())
    return derive(card, (text) => `${tell('scheduled.instead', { when })}\n${text}`)
  }
  if (timed === undefined) return card
  const when = namedMoment(timed, profile().timezone, now())
  const late = now() - timed > LATE_AFTER ? ` ${tell('scheduled.late')}` : ''
  return derive(card, (text) => `${tell('scheduled.set_for', { when })}${late}\n${text}`)
}

/**
 * The lane of one principal: runs its tasks one after another, in turn order, each until it ends or waits (B-26,
 * C-21). A row with an external effect is marked started before it runs, and its result is stored before anything
 * depends on it, so a crash leaves the old state or the new one. Called by shell.ts.
 */

import type { ChannelFlows, Channels } from '../features/channels/channel-port.ts'
import type { ContactStore } from '../features/contacts/port.ts'
import { endWork, showWork } from '../features/deliveries/deliver.ts'
import type { JobStore } from '../features/jobs/port.ts'
import type { EntryNumbers, Forgetting, MemoryStore } from '../features/memory/port.ts'
import { mayClaim } from '../features/pause/pause.ts'
import type { AgreementStore } from '../features/people/port.ts'
import type { SettingStore } from '../features/quiet/port.ts'
import type { ReminderStore } from '../features/reminders/port.ts'
import type { Refusal } from '../flow/verdict.ts'
import { createStop, type Stop } from '../inference/provider.ts'
import { advance, isCurrent, rowsFor } from '../machine/machine.ts'
import type { AskModelPorts } from '../model-call/model-call.ts'
import { type Driven, type ExtractWithFilesPorts, runEffect } from '../pipeline/drive.ts'
import { type Auditing, audit } from '../powers/audit.ts'
import type {
  CredentialService,
  HistorySpan,
  LinkedLines,
  LinkService,
  Metering,
  Operations,
  OwnerPrompts,
  OwnerService,
  Pausing,
  Tools,
} from '../powers/ports.ts'
import type { AuditTrail, CapabilityUses, EventStore, StoredTask, StoreOf } from '../powers/stores.ts'
import type { CommandAnswers, ReaderPass } from '../powers/tier-port.ts'
import type { Outcome, TaskReports } from '../task/outcome.ts'
import { type Effect, type EffectRow, isFinal, isWaiting, type Task } from '../task/task.ts'
import { progressOf } from '../wording/progress.ts'

export interface Lane extends TaskReports {
  /** Runs this task at once, in parallel with the current one; the next run of its principal waits for it. */
  speak(task: string): void
  /** Runs everything of this principal that can run. */
  run(principal: string): Promise<void>
  /** Current state of a task, which may be ahead of what had to be stored; null when there is none. */
  now(task: string): Task | null
}

/** Ports of all steps of a task, and the store of its state. */
type LanePorts = AskModelPorts &
  ExtractWithFilesPorts &
  OwnerPrompts &
  Tools &
  LinkedLines &
  CredentialService &
  HistorySpan &
  Pausing &
  Operations &
  LinkService &
  OwnerService &
  ReaderPass &
  CommandAnswers &
  Channels &
  ChannelFlows &
  Metering &
  StoreOf<
    CapabilityUses &
      AuditTrail &
      Forgetting &
      EntryNumbers &
      ReminderStore &
      SettingStore &
      ContactStore &
      JobStore &
      MemoryStore &
      AgreementStore &
      EventStore
  >

interface Keeper {
  readonly powers: LanePorts
  /** Rows that this process started; any other row found started is left over from a crash. */
  readonly mine: Set<string>
  /** Tasks being run, as of their last transition. Only `commitOutcome` changes one, here and in the store. */
  readonly held: Map<string, StoredTask>
  /** Model call in flight, by task. */
  readonly calls: Map<string, { readonly effect: Effect; readonly stop: Stop }>
}

/** Creates the lane. One per store and process: two would each treat the other's rows as left over from a crash. */
export function createLane(powers: LanePorts): Lane {
  const keeper: Keeper = { powers, mine: new Set(), held: new Map(), calls: new Map() }
  const speaking = new Set<Promise<void>>()
  return {
    run: async (principal) => {
      for (;;) {
        // The reply to a pause or resume command is sent before its effects.
        await Promise.all(speaking)
        const next = nextOf(keeper, principal)
        if (next !== null) await drive(keeper, next)
        else if (speaking.size === 0) return
      }
    },
    speak: (id) => {
      const stored = powers.store.findTask(id)
      if (stored === null || keeper.held.has(id)) return
      // A failure is found and reported by the next run.
      const spoken = drive(keeper, stored)
        .catch(() => undefined)
        .finally(() => speaking.delete(spoken))
      speaking.add(spoken)
    },
    report: (id, outcome, commit) => {
      const driven = { outcome, ...(commit && { commit }) }
      const { fitted, now } = commitOutcome(keeper, { id, row: null, driven })
      // A waiting task ends without running again.
      if (now !== null && isFinal(now.task.state) && !keeper.held.has(id))
        void endWork(powers, now.task, false)
      const call = keeper.calls.get(id)
      // The result of this call is no longer needed: it is neither awaited nor paid for further.
      if (call !== undefined && now !== null && !isCurrent(now.task, call.effect)) call.stop.now()
      return fitted
    },
    now: (id) => keeper.held.get(id)?.task ?? powers.store.loadTask(id),
  }
}

/**
 * First task in turn order that can proceed. A question to the owner blocks no other task. A call to home blocks the
 * line (B-26) until the owner was notified that home is offline, because that notice says its answer will come out of
 * order.
 */
function nextOf({ powers, held }: Keeper, principal: string): StoredTask | null {
  for (const stored of powers.store.activeTasks(principal)) {
    const { task } = stored
    if (held.has(task.id) || !mayClaim(powers, task)) continue
    if (!isWaiting(task.state)) return stored
    if (wanted(stored) !== null) return stored
    if (task.state.at === 'awaiting_home' && task.state.queued === undefined) return null
  }
  return null
}

async function drive(keeper: Keeper, first: StoredTask): Promise<void> {
  const { powers, held } = keeper
  const { id } = first.task
  held.set(id, first)
  try {
    for (;;) {
      const now = held.get(id)
      if (now === undefined || isFinal(now.task.state)) return
      if (!mayClaim(powers, now.task)) {
        suspend(keeper, now)
        return
      }
      const row = wanted(now)
      if (row !== null) {
        showWork(powers, now.task, progressOf(powers.registry, now.task, row.effect))
        await runRow(keeper, now, row)
      } else if (isWaiting(now.task.state)) return
      // Nothing to do and nothing to wait for: reported to the person.
      else settle(keeper, now.task, { code: 'task_stuck', facts: { state: now.task.state.at } })
    }
  } finally {
    const { task } = held.get(id) ?? first
    held.delete(id)
    await endWork(powers, task, task.state.at === 'awaiting_home')
  }
}

/** The owner paused: stores the last result; the next row has not started. */
function suspend({ powers, mine }: Keeper, { task, open }: StoredTask): void {
  const rows = open.map((row) => (mine.delete(row.id) ? { ...row, status: 'pending' as const } : row))
  powers.store.transaction(() => powers.store.saveTask(task, rows))
}

/** The row to run now. Other rows were superseded by a stop or an answer, and are deleted with the next transition. */
function wanted({ task, open }: StoredTask): EffectRow | null {
  return open.find(({ effect }) => isCurrent(task, effect)) ?? null
}

async function runRow(keeper: Keeper, { task, open }: StoredTask, row: EffectRow): Promise<void> {
  const { powers, mine } = keeper
  if (row.status === 'started' && !mine.has(row.id) && isWrite(row)) {
    // Found started after a crash: it is unknown whether the write ran, so it is reported and never repeated.
    const outcome: Outcome = { got: 'unknown', step: 'step' in row.effect ? row.effect.step : 0 }
    commitOutcome(keeper, { id: task.id, row, driven: { outcome } })
    return
  }
  const isMine = mine.has(row.id) || row.status === 'pending'
  if (leavesThePlace(row) && !mine.has(row.id)) {
    const started = open.map((one) => (one.id === row.id ? { ...one, status: 'started' as const } : one))
    powers.store.transaction(() => powers.store.saveTask(task, started))
  }
  mine.add(row.id)
  const driven = await runSafely(stoppable(keeper, task, row), task, { row, isMine })
  keeper.calls.delete(task.id)
  mine.delete(row.id)
  const committed = commitOutcome(keeper, { id: task.id, row, driven })
  if (!committed.fitted && driven.outcome !== null) {
    audit(powers, 'fault', task, { code: 'outcome_overtaken', effect: row.effect.do })
  }
}

/** Powers of one row: ending its task also aborts its model calls. */
function stoppable({ powers, calls }: Keeper, { id }: Task, row: EffectRow): LanePorts {
  if (!asksModel(row)) return powers
  const stop = createStop()
  calls.set(id, { effect: row.effect, stop })
  return { ...powers, stop: stop.signal }
}

/** A row about to run. */
interface Taken {
  readonly row: EffectRow
  /** Whether only this process can have started it. */
  readonly isMine: boolean
}

/**
 * A read found started after a crash runs again, and the token of a call that never started may have expired. Both
 * are authorised again, so that changes are seen and no token is used twice or late.
 */
async function renewed(powers: LanePorts, task: Task, { row, isMine }: Taken): Promise<Effect> {
  const { effect } = row
  if (effect.do !== 'invoke' || (isMine && effect.token.claims.expiresAt > powers.now())) return effect
  const again = await runEffect(powers, task, { do: 'authorize', step: effect.step, approval: null })
  if (again.outcome?.got !== 'authorized') return effect
  const { token, look } = again.outcome
  return { ...effect, token, ...(look && { look }) }
}

/** Effects that reach a tool, a model, a person or home. All others are recomputed after a crash, with the same result. */
function leavesThePlace({ effect }: EffectRow): boolean {
  return !['extract', 'show_plan', 'authorize', 'remember'].includes(effect.do)
}

function asksModel({ effect: { do: what } }: EffectRow): boolean {
  return ['plan', 'compose', 'classify', 'extract_value', 'choose', 'synthesize'].includes(what)
}

function isWrite({ effect }: EffectRow): boolean {
  return effect.do === 'invoke' && effect.semantics === 'write'
}

/**
 * A bug in a step ends the task with a notice, never the process. The error text is dropped, because it could quote
 * data.
 */
async function runSafely(powers: LanePorts, task: Task, taken: Taken): Promise<Driven> {
  const { row } = taken
  const { effect } = row
  let hasBegun = false
  try {
    const ready = await renewed(powers, task, taken)
    hasBegun = true
    return await runEffect(powers, task, ready)
  } catch (fault) {
    const name = fault instanceof Error ? fault.name : 'unknown'
    audit(powers, 'fault', task, { code: 'internal_fault', effect: effect.do, name })
    // A write may have happened before the fault: the outcome is reported as unknown, never as not done.
    if (hasBegun && isWrite(row) && 'step' in effect)
      return { outcome: { got: 'unknown', step: effect.step } }
    return { outcome: { got: 'faulted', reason: { code: 'internal_fault', facts: { effect: effect.do } } } }
  }
}

interface Commit {
  readonly id: string
  readonly row: EffectRow | null
  readonly driven: Driven
}

interface Committed {
  /** False when the outcome came too late or does not match this state. */
  readonly fitted: boolean
  /** Current state of the task; null when there is none. */
  readonly now: StoredTask | null
}

/** Result of an outcome, and what must be stored now; null when storing may be deferred. */
interface Transit extends Committed {
  readonly write: (() => void) | null
}

/** One transaction: the step's own writes, the transition, its rows, and the end of the finished row. */
function commitOutcome(keeper: Keeper, commit: Commit): Committed {
  const { powers, held } = keeper
  const { write, ...committed } = transit(keeper, commit)
  if (write !== null) powers.store.transaction(write)
  if (committed.now !== null && held.has(commit.id)) held.set(commit.id, committed.now)
  return committed
}

function transit(keeper: Keeper, { id, row, driven }: Commit): Transit {
  const { powers, held, mine } = keeper
  const before = held.get(id) ?? powers.store.findTask(id)
  if (before === null) return { fitted: false, now: null, write: null }
  const rest = before.open.filter((one) => one.id !== row?.id)
  const moved = driven.outcome === null ? null : advance({ ...before.task, ...driven.patch }, driven.outcome)
  if (moved === null || (moved.task.state === before.task.state && moved.effects.length === 0)) {
    const write = row === null ? null : () => powers.store.saveTask(before.task, rest)
    return { fitted: false, now: { task: before.task, open: rest }, write }
  }
  const { task, rows } = rowsFor(moved.task, moved.effects)
  const now = { task, open: [...rest, ...(held.has(id) ? rows.map((next) => begun(mine, next)) : rows)] }
  const isDue = !held.has(id) || row === null || driven.commit !== undefined || !mayWait(row, now)
  const write = (): void => {
    driven.commit?.()
    powers.store.saveTask(now.task, now.open)
    if (isFinal(task.state)) ended(powers, task)
  }
  return { fitted: true, now, write: isDue ? write : null }
}

/**
 * A transition from a step that touches only the store need not be stored if the next step is of that kind or calls a
 * model: after a crash both are repeated from the last stored one, and a model is called again in any case. A
 * successful delivery is stored with what it leaves behind.
 */
function mayWait(done: EffectRow, { open }: StoredTask): boolean {
  const [next, ...others] = open
  if (next === undefined || others.length > 0 || (leavesThePlace(next) && !asksModel(next))) return false
  // A reply leads here too, but follows a write, whose lost result would be reported as unknown.
  return !leavesThePlace(done) || done.effect.do === 'deliver'
}

/**
 * A row that this drive runs next is stored as started at once, which saves one write per step. A crash in between
 * makes it look started: for a write that is reported as unknown, never as done.
 */
function begun(mine: Set<string>, row: EffectRow): EffectRow {
  if (!leavesThePlace(row)) return row
  mine.add(row.id)
  return { ...row, status: 'started' }
}

function settle(keeper: Keeper, task: Task, reason: Refusal): void {
  const outcome: Outcome = { got: 'faulted', reason }
  const settled = commitOutcome(keeper, { id: task.id, row: null, driven: { outcome } })
  if (!settled.fitted) throw new Error('a task that is stuck could not be ended')
}

function ended(powers: Auditing & Metering, task: Task): void {
  const { path, callsUsed, trouble } = task
  audit(powers, 'task_ended', task, {
    state: task.state.at,
    path,
    calls: callsUsed,
    code: trouble?.code ?? null,
    ...powers.metered?.(),
  })
}

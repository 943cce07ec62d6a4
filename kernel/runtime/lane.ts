/**
 * The lane of one principal: its tasks run one after the other, in turn order, each until it ends or waits (B-26,
 * C-21). A row is marked started before it runs and committed with the transition that it causes, so a crash leaves
 * the old state or the new one. Called by the shell.
 */
import type { Refusal } from '../flow/verdict.ts'
import { advance, isCurrent, rowsFor } from '../machine/machine.ts'
import { audit } from '../powers/audit.ts'
import type { Powers } from '../powers/ports.ts'
import type { Outcome } from '../task/outcome.ts'
import { type EffectRow, isFinal, isWaiting, type Task } from '../task/task.ts'
import { type Driven, runEffect } from './drive.ts'

export interface Lane {
  /** Runs everything of this principal that can run. */
  run(principal: string): Promise<void>
  /** Hands an outcome from outside to a task: a decision, an answer of home, a stop. False when it did not fit. */
  report(task: string, outcome: Outcome, commit?: () => void): boolean
}

/** What the keeper holds in memory while it drives: its own last commit, so that it need not be read again. */
interface Held {
  readonly task: Task
  /** The row that the last commit added, when it added exactly one. */
  readonly next: EffectRow | null
}

interface Keeper {
  readonly powers: Powers
  /** Rows that this process started itself; any other row found started is left over from a crash. */
  readonly mine: Set<string>
  /** Tasks being driven now. Only `commitOutcome` changes a task, here and in the store alike. */
  readonly held: Map<string, Held>
}

/** One lane keeper per store and process: two would each believe the other's rows left over. */
export function createLane(powers: Powers): Lane {
  const keeper: Keeper = { powers, mine: new Set(), held: new Map() }
  return {
    run: async (principal) => {
      for (;;) {
        const task = nextOf(powers, principal)
        if (task === null) return
        await drive(keeper, task)
      }
    },
    report: (id, outcome, commit) =>
      commitOutcome(keeper, { id, row: null, driven: { outcome, ...(commit && { commit }) } }).fitted,
  }
}

/** First task in turn order that can move. A question to the owner blocks nobody; a question to home holds the line. */
function nextOf(powers: Powers, principal: string): Task | null {
  for (const task of powers.store.activeTasks(principal)) {
    if (!isWaiting(task.state)) return task
    if (openRow(powers, task) !== null) return task
    if (task.state.at === 'awaiting_home') return null
  }
  return null
}

async function drive(keeper: Keeper, first: Task): Promise<void> {
  const { powers, held } = keeper
  held.set(first.id, { task: first, next: null })
  try {
    for (;;) {
      const now = held.get(first.id)
      if (now === undefined || isFinal(now.task.state)) return
      const row =
        now.next !== null && isCurrent(now.task, now.next.effect) ? now.next : openRow(powers, now.task)
      if (row !== null) await runRow(keeper, { task: now.task, row })
      else if (isWaiting(now.task.state)) return
      // Nothing to do and nothing to wait for: the person is told rather than left.
      else settle(keeper, now.task, { code: 'task_stuck', facts: { state: now.task.state.at } })
    }
  } finally {
    held.delete(first.id)
  }
}

/** The row that is wanted now; others were overtaken by a stop or an answer and are closed. */
function openRow(powers: Powers, task: Task): EffectRow | null {
  for (const row of powers.store.openEffects(task.id)) {
    if (isCurrent(task, row.effect)) return row
    powers.store.markEffect(row.id, 'done')
  }
  return null
}

interface Running {
  readonly task: Task
  readonly row: EffectRow
}

async function runRow(keeper: Keeper, { task, row }: Running): Promise<void> {
  const { powers, mine } = keeper
  if (row.status === 'started' && !mine.has(row.id) && isWrite(row)) {
    // Found started after a crash: nobody knows whether the write ran, so it is reported and never repeated.
    const outcome: Outcome = { got: 'unknown', step: 'step' in row.effect ? row.effect.step : 0 }
    commitOutcome(keeper, { id: task.id, row, driven: { outcome } })
    return
  }
  const isMine = mine.has(row.id) || row.status === 'pending'
  if (leavesThePlace(row) && !mine.has(row.id)) powers.store.markEffect(row.id, 'started')
  mine.add(row.id)
  const driven = await runSafely(powers, task, await renewed(powers, task, { row, isMine }))
  mine.delete(row.id)
  const committed = commitOutcome(keeper, { id: task.id, row, driven })
  if (!committed.fitted && driven.outcome !== null) {
    audit(powers, 'fault', task, { code: 'outcome_overtaken', effect: row.effect.do })
  }
}

/**
 * A read found started after a crash runs again, and a call that never started may have waited out its token. Either
 * is authorised anew: whatever has changed since is seen, and no token is ever used twice or late.
 */
async function renewed(
  powers: Powers,
  task: Task,
  { row, isMine }: { readonly row: EffectRow; readonly isMine: boolean },
): Promise<EffectRow> {
  const { effect } = row
  if (effect.do !== 'invoke' || (isMine && effect.token.claims.expiresAt > powers.now())) return row
  const again = await runEffect(powers, task, { do: 'authorize', step: effect.step, approval: null })
  if (again.outcome?.got !== 'authorized') return row
  return { ...row, effect: { ...effect, token: again.outcome.token } }
}

/** Effects that reach a tool, a model, a person or home. The rest is computed anew after a crash, with the same result. */
function leavesThePlace({ effect }: EffectRow): boolean {
  return effect.do !== 'extract' && effect.do !== 'authorize' && effect.do !== 'remember'
}

function isWrite({ effect }: EffectRow): boolean {
  return effect.do === 'invoke' && effect.semantics === 'write'
}

/** A bug in a step ends the task with words, never the process, and its text is dropped: it could quote data. */
async function runSafely(powers: Powers, task: Task, row: EffectRow): Promise<Driven> {
  const { effect } = row
  try {
    return await runEffect(powers, task, effect)
  } catch (fault) {
    const name = fault instanceof Error ? fault.name : 'unknown'
    audit(powers, 'fault', task, { code: 'internal_fault', effect: effect.do, name })
    // A write may have happened before the fault: the person is told that nobody knows, never that nothing was done.
    if (isWrite(row) && 'step' in effect) return { outcome: { got: 'unknown', step: effect.step } }
    return { outcome: { got: 'faulted', reason: { code: 'internal_fault', facts: { effect: effect.do } } } }
  }
}

interface Commit {
  readonly id: string
  readonly row: EffectRow | null
  readonly driven: Driven
}

interface Committed {
  /** False when the outcome came too late or was not meant for this state. */
  readonly fitted: boolean
  /** As stored now, with the row that was added when it was one. */
  readonly now: Held | null
}

/** One transaction: the step's own writes, the transition, its rows, and the row that is now done. */
function commitOutcome(keeper: Keeper, commit: Commit): Committed {
  const { powers, held } = keeper
  const committed = powers.store.transaction(() => transit(keeper, commit))
  if (committed.now !== null && held.has(commit.id)) held.set(commit.id, committed.now)
  return committed
}

function transit({ powers, held, mine }: Keeper, { id, row, driven }: Commit): Committed {
  const { store } = powers
  if (row !== null) store.markEffect(row.id, 'done')
  const before = held.get(id)?.task ?? store.loadTask(id)
  const unchanged: Committed = { fitted: false, now: before === null ? null : { task: before, next: null } }
  if (before === null || driven.outcome === null) return unchanged
  const moved = advance({ ...before, ...driven.patch }, driven.outcome)
  if (moved.task.state === before.state && moved.effects.length === 0) return unchanged
  driven.commit?.()
  const { task, rows: added } = rowsFor(moved.task, moved.effects)
  const rows = held.has(id) ? added.map((next) => begun(mine, next)) : added
  store.saveTask(task)
  store.addEffects(rows)
  if (isFinal(task.state)) ended(powers, task)
  return { fitted: true, now: { task, next: rows.length === 1 ? (rows[0] ?? null) : null } }
}

/**
 * A row that this very drive runs next is stored as started at once: one write less for each step. A crash in
 * between makes it look begun, which for a write is told as unknown and never as done.
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

function ended(powers: Powers, task: Task): void {
  const { path, callsUsed, trouble } = task
  audit(powers, 'task_ended', task, {
    state: task.state.at,
    path,
    calls: callsUsed,
    code: trouble?.code ?? null,
  })
}

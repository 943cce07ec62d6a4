/**
 * The lane of one principal: its tasks run one after the other, in turn order, each until it ends or waits (B-26,
 * C-21). A row is marked started before it runs and committed with the transition that it causes, so a crash leaves
 * the old state or the new one. Called by the shell.
 */
import type { Refusal } from '../flow/verdict.ts'
import { advance, isCurrent, rowsFor } from '../task/machine.ts'
import type { Outcome } from '../task/outcome.ts'
import { type EffectRow, isFinal, isWaiting, type Task } from '../task/task.ts'
import { audit } from './audit.ts'
import { type Driven, runEffect } from './drive.ts'
import type { Powers } from './ports.ts'

export interface Lane {
  /** Runs everything of this principal that can run. */
  run(principal: string): Promise<void>
  /** Hands an outcome from outside to a task: a decision, an answer of home, a stop. False when it did not fit. */
  report(task: string, outcome: Outcome, commit?: () => void): boolean
}

/** One lane keeper per place and process: it knows which rows it started itself. */
export function createLane(powers: Powers): Lane {
  const mine = new Set<string>()
  return {
    run: async (principal) => {
      for (;;) {
        const task = nextOf(powers, principal)
        if (task === null) return
        await drive(powers, mine, task)
      }
    },
    report: (id, outcome, commit) =>
      commitOutcome(powers, { id, row: null, driven: { outcome, ...(commit && { commit }) } }).fitted,
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

async function drive(powers: Powers, mine: Set<string>, first: Task): Promise<void> {
  let task: Task | null = first
  while (task !== null && !isFinal(task.state)) {
    const row = openRow(powers, task)
    if (row !== null) task = await runRow(powers, mine, { task, row })
    else if (isWaiting(task.state)) return
    // Nothing to do and nothing to wait for: the person is told rather than left.
    else task = settle(powers, task, { code: 'task_stuck', facts: { state: task.state.at } })
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

/** Returns the task as it stands after the row's commit. */
async function runRow(powers: Powers, mine: Set<string>, { task, row }: Running): Promise<Task | null> {
  if (row.status === 'started' && !mine.has(row.id) && isWrite(row)) {
    // Found started after a crash: nobody knows whether the write ran, so it is reported and never repeated.
    const outcome: Outcome = { got: 'unknown', step: 'step' in row.effect ? row.effect.step : 0 }
    return commitOutcome(powers, { id: task.id, row, driven: { outcome } }).task
  }
  const isMine = mine.has(row.id) || row.status === 'pending'
  if (leavesThePlace(row)) powers.store.markEffect(row.id, 'started')
  mine.add(row.id)
  const driven = await runSafely(powers, task, await renewed(powers, task, { row, isMine }))
  mine.delete(row.id)
  const committed = commitOutcome(powers, { id: task.id, row, driven })
  if (!committed.fitted && driven.outcome !== null) {
    audit(powers, 'fault', task, { code: 'outcome_overtaken', effect: row.effect.do })
  }
  return committed.task
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
async function runSafely(powers: Powers, task: Task, { effect }: EffectRow): Promise<Driven> {
  try {
    return await runEffect(powers, task, effect)
  } catch (fault) {
    const name = fault instanceof Error ? fault.name : 'unknown'
    audit(powers, 'fault', task, { code: 'internal_fault', effect: effect.do, name })
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
  /** As stored now. */
  readonly task: Task | null
}

/** One transaction: the step's own writes, the transition, its rows, and the row that is now done. */
function commitOutcome(powers: Powers, { id, row, driven }: Commit): Committed {
  const { store } = powers
  return store.transaction(() => {
    if (row !== null) store.markEffect(row.id, 'done')
    const before = store.loadTask(id)
    if (before === null || driven.outcome === null) return { fitted: false, task: before }
    const moved = advance({ ...before, ...driven.patch }, driven.outcome)
    if (moved.task.state === before.state && moved.effects.length === 0)
      return { fitted: false, task: before }
    driven.commit?.()
    const { task, rows } = rowsFor(moved.task, moved.effects)
    store.saveTask(task)
    store.addEffects(rows)
    if (isFinal(task.state)) ended(powers, task)
    return { fitted: true, task }
  })
}

function settle(powers: Powers, task: Task, reason: Refusal): Task | null {
  const settled = commitOutcome(powers, {
    id: task.id,
    row: null,
    driven: { outcome: { got: 'faulted', reason } },
  })
  if (!settled.fitted) throw new Error('a task that is stuck could not be ended')
  return settled.task
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

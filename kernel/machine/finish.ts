/**
 * The machine after a plan ran: synthesis, delivery, memory, and the ends of a task. Every task that got as far as
 * a person tells that person something. Pure. Called by machine.ts.
 */
import type { Refusal } from '../flow/verdict.ts'
import type { Task, TaskState } from '../task/task.ts'
import { abandon, type Handlers, type Transition, withTrouble } from './step.ts'

/** Most attempts at one delivery: a channel that is gone does not hold a task for ever. */
export const MAX_DELIVERY_ATTEMPTS = 5
/** Milliseconds before the second attempt; every later wait is `WAIT_GROWTH` times as long. A busy channel is left alone. */
export const FIRST_DELIVERY_WAIT = 2_000
const WAIT_GROWTH = 4
/** Longest wait that a channel may ask for, milliseconds: what it says does not hold a task for ever either. */
export const LONGEST_DELIVERY_WAIT = 3_600_000

type FinishOutcome =
  | 'synthesized'
  | 'synthesis_failed'
  | 'delivered'
  | 'delivery_denied'
  | 'delivery_failed'
  | 'remembered'
  | 'stopped'
  | 'faulted'

export const FINISH_HANDLERS: Handlers<FinishOutcome> = {
  synthesized: (task, { answer, model }) =>
    task.state.at === 'synthesizing' ? deliver({ ...task, answer, model }, 1) : null,

  /** Without an answer the shell delivers the kernel's own words for the trouble. */
  synthesis_failed: (task, { reason }) =>
    task.state.at === 'synthesizing' ? deliver({ ...unanswered(task, reason), answer: null }, 1) : null,

  delivered: (task) => {
    const attempt = sendingAttempt(task)
    if (attempt === null) return null
    const state = { at: 'delivering', phase: 'remembering', attempt } as const
    return { task: { ...task, state }, effects: [{ do: 'remember' }] }
  },

  /** An answer that may not leave is replaced by a notice, once; a notice that may not leave ends the task. */
  delivery_denied: (task, { reason }) => {
    if (sendingAttempt(task) === null) return null
    if (task.answer === null) return end(task, { at: 'failed', reason })
    return deliver({ ...task, answer: null, trouble: reason }, 1)
  },

  /** After the last attempt the task ends; its text stays in the outbox. */
  delivery_failed: (task, { reason, at, retryAfter }) => {
    const attempt = sendingAttempt(task)
    if (attempt === null) return null
    return attempt < MAX_DELIVERY_ATTEMPTS
      ? deliver(task, attempt + 1, nextMoment(attempt, at, retryAfter ?? 0))
      : end(withTrouble(task, reason), { at: 'failed', reason })
  },

  remembered: (task) => (isRemembering(task) ? end(task, lastState(task)) : null),

  /** Too late once the answer is on its way: the work is done, and saying "cancelled" may be untrue. */
  stopped: (task) => {
    if (task.state.at === 'delivering') return null
    const reason: Refusal = { code: 'task_stopped', facts: {} }
    return deliver({ ...abandon(task, reason.code), answer: null, trouble: reason }, 1)
  },

  faulted: (task, { reason }) => {
    if (isRemembering(task)) return end(task, lastState(task))
    if (sendingAttempt(task) !== null) return end(withTrouble(task, reason), { at: 'failed', reason })
    return deliver(withTrouble({ ...abandon(task, reason.code), answer: null }, reason), 1)
  },
}

/** What he can only mend himself is told, whatever went wrong before it (D-05). */
function unanswered(task: Task, reason: Refusal): Task {
  return reason.code === 'secret_in_prompt' ? { ...task, trouble: reason } : withTrouble(task, reason)
}

/** Grows by attempt; never sooner than the channel asked for, within bounds. No moment from a time that is none. */
function nextMoment(attempt: number, now: number, retryAfter: number): number | undefined {
  const own = FIRST_DELIVERY_WAIT * WAIT_GROWTH ** (attempt - 1)
  const moment = now + Math.min(LONGEST_DELIVERY_WAIT, Math.max(own, retryAfter))
  return Number.isFinite(moment) ? moment : undefined
}

function deliver(task: Task, attempt: number, due?: number): Transition {
  const state = { at: 'delivering', phase: 'sending', attempt, ...(due !== undefined && { due }) } as const
  return { task: { ...task, state }, effects: [{ do: 'deliver' }] }
}

function end(task: Task, state: TaskState): Transition {
  return { task: { ...task, state }, effects: [] }
}

/** A person who got an answer had a task that completed, even with trouble on the way. */
function lastState(task: Task): TaskState {
  if (task.trouble?.code === 'task_stopped' || task.declined === true) return { at: 'cancelled' }
  if (task.answer === null && task.trouble !== null) return { at: 'failed', reason: task.trouble }
  return { at: 'completed' }
}

function sendingAttempt({ state }: Task): number | null {
  return state.at === 'delivering' && state.phase === 'sending' ? state.attempt : null
}

function isRemembering({ state }: Task): boolean {
  return state.at === 'delivering' && state.phase === 'remembering'
}

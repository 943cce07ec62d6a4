/**
 * The machine after a plan ran: synthesis, delivery, memory, and the final states. Every task that a person started gives that
 * person an answer. Pure. Called by machine.ts.
 */
import type { Refusal } from '../flow/verdict.ts'
import type { Task, TaskState } from '../task/task.ts'
import { abandon, type Handlers, type Transition, withTrouble } from './step.ts'

type FinishOutcome =
  | 'synthesized'
  | 'synthesis_failed'
  | 'delivered'
  | 'delivery_denied'
  | 'remembered'
  | 'stopped'
  | 'withdrawn'
  | 'faulted'

export const FINISH_HANDLERS: Handlers<FinishOutcome> = {
  synthesized: (task, { answer, model }) =>
    task.state.at === 'synthesizing' ? deliver({ ...task, answer, model }) : null,

  /** Without an answer the shell delivers the kernel's own words for the failure. */
  synthesis_failed: (task, { reason }) =>
    task.state.at === 'synthesizing' ? deliver({ ...unanswered(task, reason), answer: null }) : null,

  delivered: (task) => {
    if (!isSending(task)) return null
    const state = { at: 'delivering', phase: 'remembering' } as const
    return { task: { ...task, state }, effects: [{ do: 'remember' }] }
  },

  /** An answer that may not be sent is replaced by a notice, once. A notice that may not be sent ends the task. */
  delivery_denied: (task, { reason }) => {
    if (!isSending(task)) return null
    if (task.answer === null) return end(task, { at: 'failed', reason })
    return deliver({ ...task, answer: null, trouble: reason })
  },

  remembered: (task) => (isRemembering(task) ? end(task, lastState(task)) : null),

  /** Ignored while the answer is being delivered: the work is done, and "cancelled" could be untrue. */
  stopped: (task) => {
    if (task.state.at === 'delivering') return null
    const reason: Refusal = { code: 'task_stopped', facts: {} }
    return deliver({ ...abandon(task, reason.code), answer: null, trouble: reason })
  },

  withdrawn: (task) =>
    task.state.at === 'delivering' ? null : end(abandon(task, 'approval_withdrawn'), { at: 'cancelled' }),

  faulted: (task, { reason }) => {
    if (isRemembering(task)) return end(task, lastState(task))
    if (isSending(task)) return end(withTrouble(task, reason), { at: 'failed', reason })
    return deliver(withTrouble({ ...abandon(task, reason.code), answer: null }, reason))
  },
}

/** A secret in the prompt is reported in place of any earlier failure, because only the owner can remove it (D-05). */
function unanswered(task: Task, reason: Refusal): Task {
  return reason.code === 'secret_in_prompt' ? { ...task, trouble: reason } : withTrouble(task, reason)
}

function deliver(task: Task): Transition {
  return { task: { ...task, state: { at: 'delivering', phase: 'sending' } }, effects: [{ do: 'deliver' }] }
}

function end(task: Task, state: TaskState): Transition {
  return { task: { ...task, state }, effects: [] }
}

/** A task that delivered an answer is completed, even if a step failed. */
function lastState(task: Task): TaskState {
  if (task.trouble?.code === 'task_stopped' || task.declined === true) return { at: 'cancelled' }
  if (task.answer === null && task.trouble !== null) return { at: 'failed', reason: task.trouble }
  return { at: 'completed' }
}

function isSending({ state }: Task): boolean {
  return state.at === 'delivering' && state.phase === 'sending'
}

function isRemembering({ state }: Task): boolean {
  return state.at === 'delivering' && state.phase === 'remembering'
}

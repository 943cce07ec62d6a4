/**
 * The machine while a step waits for home, and the resulting question to the owner (DESIGN §1, T-07). Pure. Called by
 * machine.ts.
 */
import type { Effect, Task } from '../task/task.ts'
import { approvalOf, countCall, denyStep, turnIn } from './execute.ts'
import { isPlanQuestion } from './show.ts'
import { abandon, type Handlers } from './step.ts'

type HomeOutcome = 'needs_home' | 'queued' | 'asked' | 'replaced'

export const HOME_HANDLERS: Handlers<HomeOutcome> = {
  needs_home: (task, { step }) => {
    const turn = turnIn(task, step, ['checking'])
    if (turn?.step.do !== 'tool') return null
    const counted = countCall(task)
    if (counted === null) return denyStep(task, turn, 'tool_calls_used_up')
    const state = { at: 'awaiting_home', step, approval: approvalOf(task) } as const
    return { task: { ...counted, state }, effects: [{ do: 'ask_home', step }] }
  },

  /** Once per task; a second such outcome finds it queued. */
  queued: (task, { step, queued }) => {
    const { state } = task
    if (state.at !== 'awaiting_home' || state.step !== step || state.queued !== undefined) return null
    const tell: readonly Effect[] = queued.told ? [] : [{ do: 'ask_owner', step, approval: queued.choice }]
    return { task: { ...task, waited: true, state: { ...state, queued } }, effects: tell }
  },

  /** A card was sent: for a step that asks before it runs, or for one that waits for home. */
  asked: (task, { step, approval }) => {
    const { state } = task
    if (state.at === 'awaiting_home') {
      if (state.queued === undefined || !isToTell(task, { step, approval })) return null
      return { task: { ...task, state: { ...state, queued: { ...state.queued, told: true } } }, effects: [] }
    }
    const turn = turnIn(task, step, ['asking'])
    if (turn === null || approvalOf(task) !== approval) return null
    const asks = isPlanQuestion(task) ? ({ asks: 'plan' } as const) : {}
    return { task: { ...task, state: { at: 'awaiting_approval', step, approval, ...asks } }, effects: [] }
  },

  /** Sends nothing: the person gets the other task's answer, or the question whether there should be one. */
  replaced: (task, { choice }) => {
    if (task.state.at === 'extracting') return { task: { ...task, state: { at: 'cancelled' } }, effects: [] }
    if (task.state.at !== 'awaiting_home' || task.state.queued?.choice !== choice) return null
    return { task: { ...abandon(task, 'home_offline'), state: { at: 'cancelled' } }, effects: [] }
  },
}

/** The notice of exactly this wait was not sent yet. */
export function isToTell(
  { state }: Task,
  { step, approval }: { readonly step: number; readonly approval: string },
): boolean {
  if (state.at !== 'awaiting_home' || state.step !== step || state.queued === undefined) return false
  return !state.queued.told && state.queued.choice === approval
}

/**
 * At the edge: home reports that it works on a call of a task here (C-32). The edge knows the step and its words
 * itself, and accepts the report only for a call it waits for. Must not change a task. Called by the object of the
 * requesting principal.
 */
import { err, type Result } from '../../flow/verdict.ts'
import { showElsewhere } from '../../pipeline/deliver.ts'
import type { Actions } from '../../powers/ports.ts'
import type { StoreOf, TaskStore } from '../../powers/stores.ts'
import { progressOf } from '../../wording/progress.ts'
import type { ShowWorkPorts } from '../deliveries/reader-check.ts'
import type { HomeWork } from './handover-port.ts'
import { callId } from './home-call.ts'

/** Refusals: task_unknown for a call that no task waits for; those of `showElsewhere`. */
export async function hearHomeAtWork(
  powers: ShowWorkPorts & Actions & StoreOf<TaskStore>,
  { id, task: named }: Extract<HomeWork, { readonly on: 'call' }>,
): Promise<Result<true>> {
  const task = powers.store.loadTask(named)
  if (task?.state.at !== 'awaiting_home') return err('task_unknown', { call: id })
  const { step } = task.state
  const asked = task.plan?.steps[step]
  if (asked === undefined || callId(task, asked.id) !== id) return err('task_unknown', { call: id })
  return showElsewhere(powers, task, progressOf(powers.registry, task, { do: 'ask_home', step }))
}

/**
 * What the proposal of a job needs of the pipeline before there is a task, as a port: its words read and planned by code,
 * and the page that it would write to looked up. Must not store or ask anything. Handed in by both places.
 */
import type { PlanDrafting } from '../features/jobs/requests/drafting-port.ts'
import type { Task } from '../task/task.ts'
import { extract } from './extract.ts'
import { targetFor } from './page-target.ts'
import { planByRules } from './plan.ts'

export const PLAN_DRAFTING: PlanDrafting['drafting'] = Object.freeze({
  async plan(powers, started, template) {
    const read = await extract(powers, started)
    const said = read.got === 'extracted' ? read.said : null
    const task: Task = { ...started, state: { at: 'planning' }, planRounds: 1, said, path: 'full' }
    return { task, made: await planByRules(powers, task, template) }
  },
  target: targetFor,
} satisfies PlanDrafting['drafting'])

/**
 * Port for proposing a job, before a task exists: reads and plans its words by code, and looks up
 * the page that the job would write to. Must not store or ask anything. Passed in by both places.
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

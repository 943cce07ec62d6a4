/**
 * Finds lists that a plan read only to pick one row and work on it. A writer gets that row
 * and the number of the others. Pure; must not open a value. Called by synthesis-view.ts.
 */
import { isPlainRecord, type Json, type Path } from '../flow/json.ts'
import type { SelectStep, Step } from '../task/plan.ts'
import { rootsOf } from '../task/roots.ts'
import type { Task } from '../task/task.ts'

/** Paths of the picked rows in the result of step `root`. Null if the writer gets the whole result. */
export function rowsPickedFrom({ plan, results }: Task, root: string): readonly Path[] | null {
  const steps = plan?.steps ?? []
  const users = steps.filter((step) => step.id !== root && rootsOf(step).includes(root))
  const paths = users.map((step) => {
    const found = isPick(step) ? results[step.id] : undefined
    const isUsed = steps.some(
      (later) => later.do === 'tool' && hasRun(results, later) && rootsOf(later).includes(step.id),
    )
    return found?.kind === 'alias' && found.root === root && isUsed ? found.path : null
  })
  const rows = paths.filter((path) => path !== null && path.length === 2)
  return rows.length > 0 && rows.length === paths.length ? (rows as readonly Path[]) : null
}

/** Whether the step selects one row by its content. */
function isPick(step: Step): step is SelectStep {
  return step.do === 'select' && step.take !== 'all' && step.when === undefined
}

function hasRun(results: Task['results'], { id }: Step): boolean {
  return results[id]?.kind === 'sealed'
}

/** The result reduced to these rows, with the number of rows that were removed. */
export function withRowsAlone(value: Json, rows: readonly Path[]): Json {
  const [name] = rows[0] ?? []
  const list = isPlainRecord(value) && typeof name === 'string' ? value[name] : undefined
  if (!isPlainRecord(value) || typeof name !== 'string' || !Array.isArray(list)) return value
  const places = new Set(rows.map(([, place]) => place))
  const shown = list.filter((_, place) => places.has(place))
  return { ...value, [name]: shown, rows_not_shown: list.length - shown.length }
}

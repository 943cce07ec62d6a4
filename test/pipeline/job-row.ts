/** The approved row of a job with a plan of its own, as the runner would find it. For the tests of what background work does. */
import { jobDigest } from '../../kernel/features/jobs/frozen.ts'
import { labelOf } from '../../kernel/flow/label.ts'
import { CLEAN } from '../../kernel/flow/taint.ts'
import type { Plan } from '../../kernel/task/plan.ts'
import type { Disk } from './world.ts'

export function addJobRow(
  { store }: Disk,
  { id, sink, steps }: { readonly id: string; readonly sink: string; readonly steps: readonly unknown[] },
): void {
  const bound = {
    ...{ template: 'nightly', sink, missed: 'once' as const, quiet: false },
    words: { id: 'w', version: 1, holds: { what: 'text' as const }, label: labelOf([]), taint: CLEAN },
    watch: null,
    budget: null,
    before: null,
    reach: null,
    page: null,
    frozen: { plan: { steps: steps as Plan['steps'], explanation: '' }, planner: 'canned' as const },
  }
  store.addJob({
    ...{ ...bound, id, digest: jobDigest(bound), zone: 'UTC', state: 'on', why: null, due: null },
    ...{ skips: null, failures: 0, at: 0, repeat: { kind: 'daily', every: 1, first: '2026-11-20 08:00' } },
  })
}

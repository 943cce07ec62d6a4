/**
 * Runs a job earlier than scheduled when a service signals that something may be new (DESIGN §9). The signal
 * has no content and is no event: the job reads by itself, as at any of its times. Must not run one. Called
 * by the places.
 */
import type { Clock, Templates } from '../../powers/ports.ts'
import type { StoreOf } from '../../powers/stores.ts'
import type { JobDeclaration } from '../../template/job.ts'
import type { Job, JobStore } from './port.ts'
import { dayOf } from './schedule.ts'

/** Milliseconds between two runs: whoever can cause notices must not keep home and the service busy. */
export const SOONER_EVERY = 60_000

type Notice = NonNullable<JobDeclaration['sooner']>
type SoonerPorts = Clock & Templates & StoreOf<JobStore>

/** Jobs that are on and become due sooner by it. */
function awaiting({ store, templates }: SoonerPorts, notice: Notice): readonly Job[] {
  const of = new Set(templates.filter(({ job }) => job?.sooner === notice).map(({ id }) => id))
  return store
    .jobs()
    .filter(({ state, template, repeat }) => state === 'on' && of.has(template) && repeat.kind !== 'once')
}

/** Whether anybody waits for such notices: without that there is nothing to listen for. */
export function isAwaited(powers: SoonerPorts, notice: Notice): boolean {
  return awaiting(powers, notice).length > 0
}

/** True if one is due sooner than it was. A day that is left out stays left out. */
export function hasten(powers: SoonerPorts, notice: Notice): boolean {
  const { store } = powers
  const now = powers.now()
  const sooner = awaiting(powers, notice).flatMap((job) => {
    const [last] = store.runsOf(job.id, 1)
    const isUnderWay = last?.outcome === 'running'
    const at = isUnderWay ? now + SOONER_EVERY : Math.max(now, (last?.started ?? 0) + SOONER_EVERY)
    const isLater = job.due !== null && job.due <= at
    return isLater || dayOf(at, job.zone) === job.skips ? [] : [{ ...job, due: at }]
  })
  for (const job of sooner) store.saveJob(job)
  return sooner.length > 0
}

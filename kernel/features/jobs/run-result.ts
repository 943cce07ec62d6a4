/**
 * What became of a run whose task has ended: whether it told something, and whether that reached its chat. Pure but for two
 * reads of the store. Must not end a run. Called by runner.ts.
 */
import type { OutboxStore, StoreOf } from '../../powers/stores.ts'
import type { Task } from '../../task/task.ts'
import type { WaitingStore } from '../deliveries/waiting-port.ts'
import type { JobRun } from './port.ts'
import { reasonOf } from './retry.ts'

/** Id of the event of one try: the same for the same try, so that none runs twice. */
export function eventOfRun({
  job,
  scheduled,
  attempt,
}: Pick<JobRun, 'job' | 'scheduled' | 'attempt'>): string {
  return `cron:${job}:${scheduled}${attempt === 1 ? '' : `:${attempt}`}`
}

type Became = Pick<JobRun, 'outcome' | 'delivery' | 'code'>

export function resultOf({ store }: StoreOf<OutboxStore & WaitingStore>, task: Task | null): Became {
  if (task === null) return { outcome: 'failed', delivery: 'none', code: 'internal_fault' }
  const { state, traces, trouble } = task
  const isDone = traces.some(({ outcome }) => outcome === 'done')
  const failed = !isDone && traces.some(({ outcome }) => outcome !== 'skipped')
  const code = reasonOf(task)
  if (state.at === 'cancelled') {
    const outcome = failed ? 'failed' : trouble === null ? 'quiet' : 'stopped'
    return { outcome, delivery: 'none', code }
  }
  const answer = `${task.id}:answer`
  const waits = store.waiting().some(({ id }) => id === answer)
  if (waits) return { outcome: 'undelivered', delivery: 'waiting', code: null }
  if (state.at === 'failed') {
    // The text was written, but its chat did not accept it.
    const lost = task.model !== null
    return {
      outcome: lost ? 'undelivered' : 'failed',
      delivery: lost ? 'lost' : 'none',
      code: state.reason.code,
    }
  }
  // Nothing was even begun, as where the plan is another by now: what was sent says why.
  const isUnplanned = trouble !== null && traces.length === 0
  return { outcome: failed || isUnplanned ? 'failed' : 'told', delivery: 'sent', code }
}

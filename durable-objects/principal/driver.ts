/**
 * Runs one principal's shell, one drive at a time, and sets the alarm as the safety net for evictions (T-13, Q-19). Throws only
 * when storage fails: the platform drops an alarm that keeps throwing. Uses no other timer. Called by PrincipalObject.
 */
import { hasUnsettledJobs } from '../../kernel/features/jobs/not-run.ts'
import { awayMoment } from '../../kernel/features/reminders/away.ts'
import type { Store } from '../../kernel/powers/all-powers.ts'
import type { Running } from '../../kernel/runtime/shell-port.ts'
import { isWaiting } from '../../kernel/task/task.ts'
import type { Meter } from '../meter.ts'

/** Milliseconds until the alarm checks work that should have ended by itself. */
export const RECOVERY_DELAY = 30_000

export interface DriverPowers {
  readonly shell: Running
  readonly store: Store
  readonly storage: Pick<DurableObjectStorage, 'getAlarm' | 'setAlarm'>
  /** Null until the object has been claimed. */
  readonly principal: () => string | null
  /**
   * While true, because of a lock (T-10) or an incomplete import, nothing runs and no alarm is set. The code that ends it starts
   * a drive.
   */
  readonly paused: () => boolean
  /** The owner has paused the assistant: open tasks are not checked again before their time. */
  readonly resting: () => boolean
  /** Called once per instance, before anything runs. */
  readonly prepare: () => Promise<void>
  /** Called before each run, also before the first run of a new instance. */
  readonly refresh: () => Promise<void>
  /** Called after each run: delivers what other objects wait for. Returns when to retry (epoch ms), or null. Never throws. */
  readonly bring: () => Promise<number | null>
  /** Counts the time of a run. */
  readonly during: Meter['during']
}

export interface Driver {
  /**
   * Runs `work`, which stores something that may become a task. The alarm is set before the write and stays until it ends, so that
   * a crash leaves no unattended work. A drive starts, not awaited, when no other intake is under way: in a burst every sender gets
   * a 2xx before the first model call (B-25).
   */
  taking<T>(work: () => Promise<T>): Promise<T>
  /** The alarm fired, so it is no longer set. */
  rang(): Promise<void>
  /** Runs what can be run. A call during a run makes that run look once more before it ends. */
  drive(): Promise<void>
  /** Temporary rows may have been written outside a drive: sets the alarm for their expiry. */
  watchExpiry(): Promise<void>
  /** For the constructor: picks up work that an earlier instance left. */
  resume(): Promise<void>
}

export function createDriver(powers: DriverPowers): Driver {
  const { store, storage } = powers
  let driving: Promise<void> | undefined
  let again = false
  let taking = 0
  let ready: Promise<void> | undefined
  /** Time of the alarm, epoch milliseconds; null for none, undefined until read from storage. */
  let alarm: number | null | undefined

  const driveAll = async (): Promise<void> => {
    try {
      while (again) {
        again = false
        await driveOnce()
      }
    } finally {
      driving = undefined
    }
  }
  const driveOnce = async (): Promise<void> => {
    if (powers.paused()) return
    try {
      await powers.refresh()
      ready ??= powers.prepare().then(powers.shell.recover)
      await ready
      const principal = powers.principal()
      if (principal === null) return
      await powers.shell.run(principal)
      // Not awaited: the next message need not wait for compaction, which is tried again if it is cut off.
      void powers.shell.compact(principal).catch(() => noteFault(store))
    } catch {
      ready = undefined
      noteFault(store)
    } finally {
      await arm()
    }
  }
  /**
   * Sets the next alarm: at the next expiry, or soon when there is work that should have ended. An unneeded alarm is left to fire:
   * setting and deleting one per message costs more than the message.
   */
  const arm = async (): Promise<void> => {
    const soon = Date.now() + RECOVERY_DELAY
    const owed = powers.paused() ? null : await powers.bring()
    if (owed !== null) await ensureAlarm(owed)
    // Waits and most questions belong to tasks that are not final. Without any, only temporary rows need the alarm.
    if (taking === 0 && isQuiet()) {
      await watchExpiry()
      return
    }
    const due = await powers.shell.tick().catch(() => soon)
    const next = taking > 0 || (hasOpenWork(store) && !powers.resting()) ? Math.min(due ?? soon, soon) : due
    if (next !== null) await ensureAlarm(next)
  }
  /** A question for a credential may belong to no task; a delivery that waits for its chat belongs to no task any more. */
  const isQuiet = (): boolean =>
    store.activePrincipals().length === 0 &&
    store.pendingApprovals(null).length === 0 &&
    store.waiting().length === 0 &&
    !hasUnsettledJobs(store) &&
    (nextTimed() ?? Infinity) > Date.now()
  /** Next time of a reminder, a reminder that home has synced, or a job. */
  const nextTimed = (): number | null => {
    const moments = [store.nextReminder(), awayMoment({ store }), store.nextJob()].filter(
      (moment) => moment !== null,
    )
    return moments.length === 0 ? null : Math.min(...moments)
  }
  const watchExpiry = async (): Promise<void> => {
    const expiry = store.nextExpiry()
    const due = nextTimed()
    // A reminder that is due during a pause waits until the pause ends.
    const reminding = due === null ? [] : [Math.max(due, Date.now() + RECOVERY_DELAY)]
    // Expired rows may stay a little longer; a message with a key in a chat must be deleted on time.
    const clearing = expiry === null ? [] : [Math.max(expiry, Date.now() + RECOVERY_DELAY)]
    const moments = [...clearing, ...store.retractions().map(({ due }) => due), ...reminding]
    if (moments.length > 0) await ensureAlarm(Math.min(...moments))
  }
  /** Sets the alarm to `at` unless an earlier one is set. */
  const ensureAlarm = async (at: number): Promise<void> => {
    alarm ??= await storage.getAlarm()
    if (alarm !== null && alarm <= at) return
    alarm = at
    await storage.setAlarm(at)
  }

  const drive = (): Promise<void> => {
    again = true
    driving ??= powers.during(driveAll())
    return driving
  }

  return {
    async taking(work) {
      taking += 1
      try {
        await ensureAlarm(Date.now() + RECOVERY_DELAY)
        return await work()
      } finally {
        taking -= 1
        // Rejects only when storage fails; the alarm, which is set, retries.
        if (taking === 0) void drive().catch(() => undefined)
      }
    },
    async rang() {
      alarm = null
      powers.shell.expire()
      await drive()
    },
    drive,
    watchExpiry,
    async resume() {
      if (!isQuiet()) await ensureAlarm(Date.now())
    },
  }
}

function hasOpenWork(store: Store): boolean {
  const active = store.activePrincipals().flatMap((principal) => store.activeTasks(principal))
  return active.some(({ task }) => !isWaiting(task.state))
}

/** Audits a bug, without the error's text, which could quote data. */
function noteFault(store: Store): void {
  const fault = { place: 'edge', kind: 'fault', trace: null, task: null, principal: null } as const
  try {
    store.appendAudit({ ...fault, at: Date.now(), facts: { code: 'internal_fault' } })
  } catch {
    // Storage itself fails: the alarm retries.
  }
}

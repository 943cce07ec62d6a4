/**
 * Keeps one principal's work going: runs the shell one drive at a time and sets the alarm for the next look, the
 * safety net for whatever an eviction cuts off (T-13, Q-19). Must not throw for anything but failing storage: an alarm
 * that throws is retried a few times and then forgotten. No other timer is used. Called by PrincipalObject.
 */
import type { Store } from '../kernel/powers/all-powers.ts'
import type { Running } from '../kernel/runtime/shell-port.ts'
import { isWaiting } from '../kernel/task/task.ts'

/** Milliseconds after which the alarm looks again at work that should have ended by itself. */
export const RECOVERY_DELAY = 30_000

export interface DriverPowers {
  readonly shell: Running
  readonly store: Store
  readonly storage: Pick<DurableObjectStorage, 'getAlarm' | 'setAlarm'>
  /** Null until the object has been claimed. */
  readonly principal: () => string | null
  /** While it says so nothing runs and no alarm is set: whoever ends the pause drives (T-10). */
  readonly paused: () => boolean
  /** The owner has it pause: what is open is not looked at again before its time. */
  readonly resting: () => boolean
  /** Once per instance, before anything runs. */
  readonly prepare: () => Promise<void>
  /** Before each run, what an earlier instance left behind included. */
  readonly refresh: () => Promise<void>
  /** After each run: brings what others wait for; when to try again (epoch ms), or null. Never throws. */
  readonly bring: () => Promise<number | null>
}

export interface Driver {
  /**
   * Takes something in that may become work. The alarm is set before it is stored, and not dropped while it is under
   * way, so that no crash leaves work that nobody looks at. Driving starts, un-awaited, when nothing more is being
   * taken in: in a burst everyone has his 2xx before the first model is asked (B-25).
   */
  taking<T>(work: () => Promise<T>): Promise<T>
  /** The alarm rang: it is set no more. */
  rang(): Promise<void>
  /** Runs what can be run. A call that comes while one runs makes it look once more before it ends. */
  drive(): Promise<void>
  /** Temporary rows may have come to be outside a drive: the alarm will look after them. */
  watchExpiry(): Promise<void>
  /** For the constructor: work that an earlier instance left behind is looked at now. */
  resume(): Promise<void>
}

export function createDriver(powers: DriverPowers): Driver {
  const { store, storage } = powers
  let driving: Promise<void> | undefined
  let again = false
  let taking = 0
  let ready: Promise<void> | undefined
  /** When the alarm will ring; undefined until asked of storage. */
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
      // Un-awaited: the next message need not wait for it, and looks again if it is cut off.
      void powers.shell.compact(principal).catch(() => noteFault(store))
    } catch {
      ready = undefined
      noteFault(store)
    } finally {
      await arm()
    }
  }
  /**
   * The next look: what expires next, or soon when there is work that should have ended. An alarm that is no longer
   * needed is left to ring once in vain: setting and dropping it for every message would cost more than the message.
   */
  const arm = async (): Promise<void> => {
    const soon = Date.now() + RECOVERY_DELAY
    const owed = powers.paused() ? null : await powers.bring()
    if (owed !== null) await ensureAlarm(owed)
    // Waits and most questions belong to tasks that are not final: without any only temporary rows are left to look after.
    if (taking === 0 && isQuiet()) {
      await watchExpiry()
      return
    }
    const due = await powers.shell.tick().catch(() => soon)
    const next = taking > 0 || (hasOpenWork(store) && !powers.resting()) ? Math.min(due ?? soon, soon) : due
    if (next !== null) await ensureAlarm(next)
  }
  /** A question for a credential may be nobody's task, and what waits for its chat is none any more. */
  const isQuiet = (): boolean =>
    store.activePrincipals().length === 0 &&
    store.pendingApprovals(null).length === 0 &&
    store.waiting().length === 0
  const watchExpiry = async (): Promise<void> => {
    const expiry = store.nextExpiry()
    // Rows that are over may lie a little longer; a key that stands in a chat may not.
    const clearing = expiry === null ? [] : [Math.max(expiry, Date.now() + RECOVERY_DELAY)]
    const moments = [...clearing, ...store.retractions().map(({ due }) => due)]
    if (moments.length > 0) await ensureAlarm(Math.min(...moments))
  }
  /** Never later than `at`; an earlier alarm stays. */
  const ensureAlarm = async (at: number): Promise<void> => {
    alarm ??= await storage.getAlarm()
    if (alarm !== null && alarm <= at) return
    alarm = at
    await storage.setAlarm(at)
  }

  const drive = (): Promise<void> => {
    again = true
    driving ??= driveAll()
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
        // Only storage that fails makes it reject; then the alarm, which is set, tries again.
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

/** A bug, noted without its text, which could quote data. */
function noteFault(store: Store): void {
  const fault = { place: 'edge', kind: 'fault', trace: null, task: null, principal: null } as const
  try {
    store.appendAudit({ ...fault, at: Date.now(), facts: { code: 'internal_fault' } })
  } catch {
    // Storage itself fails: the alarm tries again.
  }
}

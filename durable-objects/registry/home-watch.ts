/**
 * Notices an absent home (E-17): no backup for more than a day, or no connection. One notice to the owner per absence, on the open
 * line: only the edge can send it. Runs by the object's alarm when something may be overdue; an idle edge wakes a few times a day.
 * Called by KernelObject.
 */
import type { ReasonCode } from '../../kernel/reasons.ts'

/** Milliseconds without a backup: a day, and two hours to make one. Home reports the same at the same time, if it can. */
export const BACKUP_OVERDUE = 93_600_000
/** Milliseconds without home: a power cut overnight or a journey, not a restart. */
export const HOME_ABSENT = 43_200_000
/** Milliseconds until a failed notice is retried, as while the edge is locked. */
export const TELL_AGAIN = 3_600_000

export interface HomeWatch {
  /** Home has connected. */
  greeted(): void
  /** Home made a backup at this time (epoch milliseconds, the edge's clock). */
  backedUp(at: number): void
  /** Sends the notices that are due. Never throws: the platform retries a throwing alarm a few times and then drops it. */
  look(): Promise<void>
}

export interface WatchPowers {
  readonly now: () => number
  /** When home was last connected; now, if it is. */
  readonly seenAt: () => Promise<number>
  /** Notifies the owner. Idempotent by id. False when that fails now. */
  readonly tell: (notice: { readonly id: string; readonly code: ReasonCode }) => Promise<boolean>
  readonly wakeAt: (at: number) => void
}

/** `since`: start of the absence, epoch milliseconds; `told`: whether the owner has been notified of it. */
interface Watched {
  readonly since: number
  readonly told: boolean
}

const HOME = 'watch:home'
const BACKUP = 'watch:backup'

/** Stored durably, so that an eviction neither repeats nor loses a notice. */
export function createHomeWatch(kv: SyncKvStorage, { now, seenAt, tell, wakeAt }: WatchPowers): HomeWatch {
  const known = (key: string): Watched | null => kv.get<Watched>(key) ?? null
  const arm = (): void => {
    const moments = [momentOf(known(HOME), HOME_ABSENT), momentOf(known(BACKUP), BACKUP_OVERDUE)]
    const next = Math.min(...moments)
    if (next !== Number.POSITIVE_INFINITY) wakeAt(Math.max(next, now()))
  }
  const restart = (key: string, since: number): void => {
    kv.put(key, { since, told: false })
    arm()
  }
  /** Returns when to retry (epoch milliseconds); null on success. */
  const tellOnce = async (key: string, watched: Watched, code: ReasonCode): Promise<number | null> => {
    const told = await tell({ id: `${code}:${watched.since}`, code }).catch(() => false)
    // If a new absence began meanwhile, its row stays.
    if (told && known(key)?.since === watched.since) kv.put(key, { ...watched, told })
    return told ? null : now() + TELL_AGAIN
  }
  const overdue = async (): Promise<readonly (number | null)[]> => {
    const home = known(HOME)
    const seen = home === null || home.told ? null : { since: await seenAt(), told: false }
    if (seen !== null && known(HOME)?.told === false) kv.put(HOME, seen)
    const backup = known(BACKUP)
    return [
      seen !== null && now() - seen.since >= HOME_ABSENT ? await tellOnce(HOME, seen, 'home_absent') : null,
      backup !== null && !backup.told && now() - backup.since >= BACKUP_OVERDUE
        ? await tellOnce(BACKUP, backup, 'backup_missed')
        : null,
    ]
  }
  return {
    greeted: () => restart(HOME, now()),
    backedUp: (at) => restart(BACKUP, Math.min(at, now())),
    async look() {
      const again = await overdue().catch(() => [now() + TELL_AGAIN])
      const retry = Math.min(...again.map((at) => at ?? Number.POSITIVE_INFINITY))
      if (retry === Number.POSITIVE_INFINITY) arm()
      else wakeAt(retry)
    },
  }
}

function momentOf(watched: Watched | null, within: number): number {
  return watched === null || watched.told ? Number.POSITIVE_INFINITY : watched.since + within
}

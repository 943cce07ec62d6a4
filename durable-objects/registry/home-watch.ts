/**
 * Notices about home on the open line, which only the edge can send, each once: home's absence (E-17: no backup for more than a
 * day, or no connection) and its return, a new deployment of the edge (M-27), and incompatible protocol versions. Runs by the
 * object's alarm. Called by KernelObject.
 */
import type { ReasonCode } from '../../kernel/reasons.ts'
import type { SyncedSelf } from '../../kernel/self/synced-self.ts'
import type { KernelPorts } from './ports.ts'

/** Milliseconds without a backup: a day, and two hours to make one. Home reports the same at the same time, if it can. */
export const BACKUP_OVERDUE = 93_600_000
/** Milliseconds without home before the owner is notified: longer than a restart, as after a power cut or on a journey. */
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

interface WatchPowers extends Pick<KernelPorts, 'now' | 'wakeAt'> {
  /** When home was last connected; now, if it is. */
  readonly seenAt: () => Promise<number>
  readonly tell: (notice: { readonly id: string; readonly code: ReasonCode }) => Promise<boolean>
}

/** `since`: start of the absence, epoch milliseconds; `told`: whether the owner has been notified of it. */
interface Watched {
  readonly since: number
  readonly told: boolean
}

const HOME = 'watch:home'
const BACKUP = 'watch:backup'
/** Key: home is connected again after its absence was reported. */
const BACK = 'watch:back'

/** Stored durably, so that an eviction neither repeats nor loses a notice. */
export function createHomeWatch(kv: SyncKvStorage, { now, seenAt, tell, wakeAt }: WatchPowers): HomeWatch {
  const known = (key: string): Watched | null => kv.get<Watched>(key) ?? null
  const arm = (): void => {
    const moments = [
      momentOf(known(HOME), HOME_ABSENT),
      momentOf(known(BACKUP), BACKUP_OVERDUE),
      momentOf(known(BACK), 0),
    ]
    const next = Math.min(...moments)
    if (next !== Number.POSITIVE_INFINITY) wakeAt(Math.max(next, now()))
  }
  const restart = (key: string, since: number): void => {
    kv.put(key, { since, told: false })
    arm()
  }
  /** Returns when to retry (epoch milliseconds); null on success. */
  const tellOnce = async (key: string, watched: Watched, code: ReasonCode): Promise<number | null> => {
    const isSent = await tell({ id: `${code}:${watched.since}`, code }).catch(() => false)
    // If a new absence began meanwhile, its row stays.
    if (isSent && known(key)?.since === watched.since) kv.put(key, { ...watched, told: isSent })
    return isSent ? null : now() + TELL_AGAIN
  }
  const overdue = async (): Promise<readonly (number | null)[]> => {
    const home = known(HOME)
    const seen = home === null || home.told ? null : { since: await seenAt(), told: false }
    if (seen !== null && known(HOME)?.told === false) kv.put(HOME, seen)
    const backup = known(BACKUP)
    const back = known(BACK)
    return [
      back !== null && !back.told ? await tellOnce(BACK, back, 'home_returned') : null,
      seen !== null && now() - seen.since >= HOME_ABSENT ? await tellOnce(HOME, seen, 'home_absent') : null,
      backup !== null && !backup.told && now() - backup.since >= BACKUP_OVERDUE
        ? await tellOnce(BACKUP, backup, 'backup_missed')
        : null,
    ]
  }
  return {
    greeted() {
      if (known(HOME)?.told === true) kv.put(BACK, { since: now(), told: false })
      restart(HOME, now())
    },
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

const INCOMPATIBLE = 'home-incompatible'
const DEPLOYED = 'deployed'
/** Milliseconds between two notices of a new deployment: several deployments in a row are one piece of news. */
const LEAST_BETWEEN_NEWS = 3_600_000

/** Two incompatible protocol versions, first seen `at` (epoch milliseconds). */
interface Met {
  readonly pair: string
  readonly at: number
  readonly told: boolean
}

export interface HomeNews {
  /** Home has connected to this deployment. An eviction does not make a new deployment. */
  greeted(): Promise<void>
  /** Home speaks another protocol version than this edge: one notice for each pair of versions, until home connects again. */
  incompatible(theirs: number, ours: number): Promise<void>
}

interface HomeNewsInput extends Pick<KernelPorts, 'kv' | 'now' | 'tell'> {
  /** Id of this deployment, where the platform provides one. */
  readonly deployed: string | undefined
  readonly self: () => SyncedSelf | undefined
}

export function createHomeNews({ kv, now, deployed, self, tell }: HomeNewsInput): HomeNews {
  return {
    async greeted() {
      kv.delete(INCOMPATIBLE)
      const known = kv.get<{ readonly id: string; readonly toldAt: number }>(DEPLOYED)
      if (deployed === undefined || known?.id === deployed) return
      const at = now()
      const tells = known !== undefined && at - known.toldAt >= LEAST_BETWEEN_NEWS
      kv.put(DEPLOYED, { id: deployed, toldAt: tells ? at : (known?.toldAt ?? 0) })
      if (!tells) return
      // A service without tools is one of home's chats, and not part of this notice.
      const services = (self()?.services ?? []).filter(({ tools }) => tools > 0)
      const names = services.map(({ name, tools }) => `${name} (${tools} tools)`).join(', ')
      const about = `${names || 'no service'} connected at home`
      await tell({ id: `edge_updated:${deployed}`, code: 'edge_updated', about })
    },
    async incompatible(theirs, ours) {
      const pair = `${theirs}:${ours}`
      const known = kv.get<Met>(INCOMPATIBLE)
      if (known?.pair === pair && known.told) return
      // Another connection attempt while the notice is sent has the same time, and so the same notice id.
      const met = known?.pair === pair ? known : { pair, at: now(), told: false }
      kv.put(INCOMPATIBLE, met)
      const code = theirs < ours ? 'home_older' : 'home_newer'
      const isSent = await tell({ id: `${code}:${met.at}`, code })
      // If home connected successfully meanwhile, the next incompatibility is news again.
      if (isSent && kv.get<Met>(INCOMPATIBLE)?.at === met.at) kv.put(INCOMPATIBLE, { ...met, told: isSent })
    },
  }
}

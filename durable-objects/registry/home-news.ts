/**
 * One-time notices about home's connection: the edge is another deployment than before (M-27), or the two speak different protocol
 * versions. Must not decide what they may say to each other. Called by KernelObject.
 */
import type { Notice } from '../../kernel/pipeline/deliver.ts'
import type { ToldSelf } from '../../kernel/self/told.ts'

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

export interface HomeNewsInput {
  readonly kv: Pick<SyncKvStorage, 'get' | 'put' | 'delete'>
  readonly now: () => number
  /** Id of this deployment, where the platform provides one. */
  readonly deployed: string | undefined
  readonly self: () => ToldSelf | undefined
  /** False when the notice cannot be delivered now. */
  readonly tell: (notice: Pick<Notice, 'id' | 'code' | 'about'>) => Promise<boolean>
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
      const told = await tell({ id: `${code}:${met.at}`, code })
      // If home connected successfully meanwhile, the next incompatibility is news again.
      if (told && kv.get<Met>(INCOMPATIBLE)?.at === met.at) kv.put(INCOMPATIBLE, { ...met, told })
    },
  }
}

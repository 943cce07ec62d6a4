/**
 * What the owner hears once of a home that has greeted: that the edge is another deployment than before (M-27), or that the two
 * speak different versions of the protocol. Must not decide what they may say to each other. Called by KernelObject.
 */
import type { Notice } from '../kernel/pipeline/deliver.ts'
import type { ToldSelf } from '../kernel/self/told.ts'

const INCOMPATIBLE = 'home-incompatible'
const DEPLOYED = 'deployed'
/** Milliseconds between two words about a new version: a day of deployments is one piece of news. */
const LEAST_BETWEEN_NEWS = 3_600_000

/** Two versions that do not understand each other, since `at` (epoch milliseconds). */
interface Met {
  readonly pair: string
  readonly at: number
  readonly told: boolean
}

export interface HomeNews {
  /** Home has greeted this deployment. An eviction leaves the same one. */
  greeted(): Promise<void>
  /** Home speaks another version of the protocol than this edge: told once for each pair, until they meet. */
  incompatible(theirs: number, ours: number): Promise<void>
}

export interface HomeNewsInput {
  readonly kv: Pick<SyncKvStorage, 'get' | 'put' | 'delete'>
  readonly now: () => number
  /** Id of this deployment, where the platform has one. */
  readonly deployed: string | undefined
  readonly self: () => ToldSelf | undefined
  /** False when it cannot be told now. */
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
      // A chat of home's is none that this news is about: it has no tools.
      const services = (self()?.services ?? []).filter(({ tools }) => tools > 0)
      const names = services.map(({ name, tools }) => `${name} (${tools} tools)`).join(', ')
      const about = `${names || 'no service'} connected at home`
      await tell({ id: `edge_updated:${deployed}`, code: 'edge_updated', about })
    },
    async incompatible(theirs, ours) {
      const pair = `${theirs}:${ours}`
      const known = kv.get<Met>(INCOMPATIBLE)
      if (known?.pair === pair && known.told) return
      // One that knocks again while this is told is of the same moment, and so the same notice.
      const met = known?.pair === pair ? known : { pair, at: now(), told: false }
      kv.put(INCOMPATIBLE, met)
      const code = theirs < ours ? 'home_older' : 'home_newer'
      const told = await tell({ id: `${code}:${met.at}`, code })
      // Where they met meanwhile, the next time is news.
      if (told && kv.get<Met>(INCOMPATIBLE)?.at === met.at) kv.put(INCOMPATIBLE, { ...met, told })
    },
  }
}

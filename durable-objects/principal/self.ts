/**
 * What the edge knows about the assistant (S000 §2): home's description, and whether home is connected to do it. Must not ask
 * anyone, since it is read for each prompt. Called by powers.ts and by PrincipalObject.
 */

import { EDGE_CHAT } from '../../integrations/channels/index.ts'
import { EDGE_RUNNERS } from '../../integrations/tools/edge.ts'
import { integrationsOf } from '../../kernel/self/facts.ts'
import { createSelfKeeper, type SelfKeeper } from '../../kernel/self/keeper.ts'
import type { Integration } from '../../kernel/self/section.ts'
import { OWN_NAME, type SelfSources } from '../../kernel/self/snapshot.ts'
import type { ToldSelf } from '../../kernel/self/told.ts'
import { createRegistry } from '../../kernel/tool/registry.ts'
import type { LentModel } from '../../kernel/tunnel/model-ask.ts'

export interface EdgeSelf {
  readonly keeper: SelfKeeper
  /** Takes home's description, as last synced. */
  told(self: ToldSelf | null): void
  /** Whether home has reported the service as connected. */
  has(service: string): boolean
  /** The models that home offers to the edge; the same array until home changes them. */
  lent(): readonly LentModel[]
  /** Sets whether the owner's bot receives messages (H-14). */
  hears(bot: boolean): void
  /** The value last set by `hears`. */
  bot(): boolean
  /** Sets whether home was connected at the last query (M-06). */
  seen(up: boolean): void
}

const NONE_LENT: readonly LentModel[] = Object.freeze([])

/** Services that the edge has without home. */
const OWN = integrationsOf(createRegistry(EDGE_RUNNERS.map(({ manifest }) => manifest)), () => 'active')

/** `chats`: the names of the chats that the edge holds. */
export function createEdgeSelf(chats: readonly string[] = ['open line']): EdgeSelf {
  let told: ToldSelf | null = null
  let up = true
  let bot = true
  const services = (): readonly Integration[] =>
    (told?.services ?? [])
      // A service without tools is one of home's chats, which is of no use here.
      .filter(({ tools }) => tools > 0)
      .map((service) => ({ ...service, state: up ? 'active' : 'unavailable' }))
  const sources: SelfSources = {
    persona: () => told?.persona ?? { name: OWN_NAME, style: null },
    integrations: () => [...OWN, ...services()],
    skills: () => [],
    channels: () =>
      chats.map((name) => ({ name, note: bot || name !== EDGE_CHAT.name ? '' : 'not working' })),
    jobs: () => [],
    // Preferences are private and stay at home.
    preferences: () => [],
  }
  const keeper = createSelfKeeper({ sources, now: () => Date.now(), fault: () => undefined })
  return {
    keeper,
    told(self) {
      if (JSON.stringify(self) === JSON.stringify(told)) return
      told = self
      keeper.touch('home')
    },
    has: (service) => told?.services.some(({ name }) => name === service) === true,
    lent: () => told?.models ?? NONE_LENT,
    hears(now) {
      if (now === bot) return
      bot = now
      keeper.touch('channel')
    },
    bot: () => bot,
    seen(now) {
      if (now === up) return
      up = now
      keeper.touch('home')
    },
  }
}

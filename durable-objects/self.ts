/**
 * What the edge can say of the assistant (S000 §2): what home has told of it, and whether home is there to do it. Must
 * not ask anyone: it is read for a prompt. Called by powers.ts and by PrincipalObject.
 */

import { EDGE_CHAT } from '../integrations/channels/index.ts'
import { EDGE_RUNNERS } from '../integrations/tools/edge.ts'
import { integrationsOf } from '../kernel/self/facts.ts'
import { createSelfKeeper, type SelfKeeper } from '../kernel/self/keeper.ts'
import type { Integration } from '../kernel/self/section.ts'
import { OWN_NAME, type SelfSources } from '../kernel/self/snapshot.ts'
import type { ToldSelf } from '../kernel/self/told.ts'
import { createRegistry } from '../kernel/tool/registry.ts'
import type { LentModel } from '../kernel/tunnel/model-ask.ts'

export interface EdgeSelf {
  readonly keeper: SelfKeeper
  /** Home's word, as the owner's profile has it now. */
  told(self: ToldSelf | null): void
  /** Whether home has said that it is connected there. */
  has(service: string): boolean
  /** What home lends of its models, the same array until it says otherwise. */
  lent(): readonly LentModel[]
  /** Whether the owner's bot hears him (H-14). */
  hears(bot: boolean): void
  /** The same, as it was told last. */
  bot(): boolean
  /** Whether home was connected when it was last asked for (M-06). */
  seen(up: boolean): void
}

const NONE_LENT: readonly LentModel[] = Object.freeze([])

/** What the edge has without home. */
const OWN = integrationsOf(createRegistry(EDGE_RUNNERS.map(({ manifest }) => manifest)), () => 'active')

/** `chats`: the names of the chats that the edge holds. */
export function createEdgeSelf(chats: readonly string[] = ['open line']): EdgeSelf {
  let told: ToldSelf | null = null
  let up = true
  let bot = true
  const services = (): readonly Integration[] =>
    (told?.services ?? [])
      // A chat of home's does nothing for anybody here.
      .filter(({ tools }) => tools > 0)
      .map((service) => ({ ...service, state: up ? 'active' : 'unavailable' }))
  const sources: SelfSources = {
    persona: () => told?.persona ?? { name: OWN_NAME, style: null },
    integrations: () => [...OWN, ...services()],
    skills: () => [],
    channels: () =>
      chats.map((name) => ({ name, note: bot || name !== EDGE_CHAT.name ? '' : 'not working' })),
    jobs: () => [],
    // Private: they stay at home.
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

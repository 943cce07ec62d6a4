/**
 * What the edge as a whole knows of the owner's bot: whom it was silent to, and whether it hears him. Parts of KernelObject, each with its own
 * moment. Must not decide who may write. Called by KernelObject.
 */
import { EDGE_CHAT } from '../integrations/channels/index.ts'
import type { ReasonFacts } from '../kernel/flow/verdict.ts'
import type { Notice } from '../kernel/pipeline/deliver.ts'
import type { EdgeSettings } from '../worker/env.ts'
import type { Alarms } from './alarms.ts'
import { createChannelHealth } from './channel-health.ts'
import { createStrangers, type MetStranger } from './strangers.ts'

export interface BotDesk {
  met(stranger: MetStranger): void
  /** Home has greeted: there is an owner, whom it concerns that his bot works. */
  begin(): void
  /** Does what is due. Never throws. */
  look(): Promise<void>
  /** Whether it hears him, as far as is known. */
  works(): boolean
}

export interface BotDeskInput {
  readonly kv: SyncKvStorage
  readonly settings: Pick<EdgeSettings, 'bot' | 'sealKey' | 'timezone'>
  /** Epoch milliseconds. */
  readonly now: () => number
  /** As home has pushed it. */
  readonly timezone: () => string | undefined
  /** While it says so no stranger is told of. */
  readonly paused: () => boolean
  readonly tell: (notice: Omit<Notice, 'sink' | 'principal'>) => Promise<boolean>
  readonly note: (kind: 'fault', facts: ReasonFacts) => void
  readonly alarms: Pick<Alarms, 'wakeAt'>
}

export function createBotDesk(input: BotDeskInput): BotDesk {
  const { kv, settings, now, timezone, tell, note, alarms, paused } = input
  const strangers = createStrangers({
    ...{ kv, now, sealKey: settings.sealKey },
    tell: async (notice) => !paused() && (await tell(notice)),
    timezone: () => timezone() ?? settings.timezone,
    wakeAt: (at) => alarms.wakeAt('strangers', at),
  })
  const { channel } = settings.bot
  const health = createChannelHealth({
    ...{ kv, now, check: channel === null ? null : (since) => channel.check(since) },
    note: (trouble) => note('fault', { code: 'channel_failing', trouble }),
    tell: (notice) => tell({ ...notice, about: EDGE_CHAT.title }),
    wakeAt: (at) => alarms.wakeAt('health', at),
  })
  return {
    met: (stranger) => strangers.met(stranger),
    begin: () => health.begin(),
    async look() {
      await strangers.look()
      await health.look()
    },
    works: () => health.works(),
  }
}

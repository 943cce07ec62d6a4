/**
 * Edge-wide state of the owner's bot: the digest of unknown senders, and the health check of its webhook. Both run by
 * KernelObject's alarm, each at its own time. Must not decide who may write. Called by KernelObject.
 */
import { EDGE_CHAT } from '../../integrations/channels/index.ts'
import type { ReasonFacts } from '../../kernel/flow/verdict.ts'
import type { Notice } from '../../kernel/pipeline/deliver.ts'
import type { EdgeSettings } from '../../worker/env.ts'
import { createChannelHealth } from '../channel-health.ts'
import { createStrangers, type MetStranger } from '../strangers.ts'
import type { Alarms } from './alarms.ts'

export interface BotDesk {
  met(stranger: MetStranger): void
  /** Home has connected, so there is an owner to notify: health checks start. */
  begin(): void
  /** Runs whatever is due. Never throws. */
  look(): Promise<void>
  /** Whether the bot receives the owner's messages, by the last health check. */
  works(): boolean
}

export interface BotDeskInput {
  readonly kv: SyncKvStorage
  readonly settings: Pick<EdgeSettings, 'bot' | 'sealKey' | 'timezone'>
  /** Epoch milliseconds. */
  readonly now: () => number
  /** The owner's time zone as last synced from home; undefined before the first sync. */
  readonly timezone: () => string | undefined
  /** While true no digest of unknown senders is sent. */
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

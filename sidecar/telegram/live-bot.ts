/**
 * The owner's bot at home as it is at this moment: none, or one that is written to and listened to; it may come and go while home runs
 * (H-13). Must not find or prove anybody. Called by wiring.ts and telegram-channel.ts.
 */
import type { PrivateBot } from './private-bot.ts'
import type { PrivateLine } from './private-line.ts'
import type { TelegramConfig } from './telegram-config.ts'

export interface LiveBot {
  now(): PrivateBot | null
  /** Begins to listen to what is there, where nobody does. */
  listen(): Promise<void>
  /** Listens no more to the former one when it resolves, and to this one from then on; null for none. */
  set(config: TelegramConfig | null): Promise<void>
  status(): Readonly<Record<string, unknown>>
  stop(): Promise<void>
}

export interface LiveBotInput {
  readonly make: (config: TelegramConfig) => Promise<PrivateBot>
  readonly start: (bot: PrivateBot) => Promise<PrivateLine>
}

export async function createLiveBot(
  { make, start }: LiveBotInput,
  config: TelegramConfig | null,
): Promise<LiveBot> {
  let bot = config === null ? null : await make(config)
  let line: PrivateLine | null = null
  const stop = async (): Promise<void> => {
    const former = line
    line = null
    await former?.stop()
  }
  const listen = async (): Promise<void> => {
    if (bot !== null && line === null) line = await start(bot)
  }
  return {
    now: () => bot,
    listen,
    async set(next) {
      await stop()
      bot = next === null ? null : await make(next)
      await listen()
    },
    status: () => line?.status() ?? {},
    stop,
  }
}

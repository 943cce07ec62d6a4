/**
 * The owner's bot in a chat of home at this moment: none, or one that sends and receives; it can be replaced while home runs
 * (H-13). Must not find or authenticate anybody. Called by home.ts of the packages.
 */

/** A line of the owner while it receives messages. */
export interface ListeningLine {
  status(): Readonly<Record<string, unknown>>
  /** Stops receiving; unprocessed messages go to the next line. */
  stop(): Promise<void>
}

export interface LiveChat<Config, Bot> {
  now(): Bot | null
  /** Starts receiving for the configured bot, if not started yet. */
  listen(): Promise<void>
  /** Replaces the bot: when it resolves, the former one no longer receives and this one does; null for none. */
  set(config: Config | null): Promise<void>
  status(): Readonly<Record<string, unknown>>
  stop(): Promise<void>
}

export interface LiveChatInput<Config, Bot> {
  /** Name in the status. */
  readonly name: string
  readonly make: (config: Config) => Promise<Bot>
  readonly start: (bot: Bot) => Promise<ListeningLine>
}

export async function createLiveChat<Config, Bot>(
  { name, make, start }: LiveChatInput<Config, Bot>,
  config: Config | null,
): Promise<LiveChat<Config, Bot>> {
  let bot = config === null ? null : await make(config)
  let line: ListeningLine | null = null
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
    status: () => line?.status() ?? (bot === null ? {} : { [name]: 'connects' }),
    stop,
  }
}

/**
 * The owner's bot in a chat of home's as it is at this moment: none, or one that is written to and listened to; it may come and go while
 * home runs (H-13). Must not find or prove anybody. Called by home.ts of the packages.
 */

/** A line of the owner's while it is listened to. */
export interface ListeningLine {
  status(): Readonly<Record<string, unknown>>
  /** Listens no more; what was not taken in comes to the next. */
  stop(): Promise<void>
}

export interface LiveChat<Config, Bot> {
  now(): Bot | null
  /** Begins to listen to what is there, where nobody does. */
  listen(): Promise<void>
  /** Listens no more to the former one when it resolves, and to this one from then on; null for none. */
  set(config: Config | null): Promise<void>
  status(): Readonly<Record<string, unknown>>
  stop(): Promise<void>
}

export interface LiveChatInput<Config, Bot> {
  /** As the status calls it. */
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

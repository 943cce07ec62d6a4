/**
 * The owner's private line over Telegram (H-03, DESIGN §1): one chat, to which home's bot writes, and the owner's messages and taps
 * there. Messages of anybody else and of groups are dropped: no answer, no task, no audit line. Must not decide: the shell does, nor
 * write to another chat. Called by home.ts; listening begins once home is wired.
 */
import { ok, type Refusal, type Result } from '../../../kernel/flow/verdict.ts'
import { createFiles, type FileReaders } from '../runtime/files.ts'
import { createBotLine, createReception, inboxOf, type ListeningLine } from '../runtime/home-line.ts'
import type { HomeChat, LinePorts } from '../runtime/home-package.ts'
import { takeMessage, takeTap } from '../runtime/inbox.ts'
import { createSender } from '../runtime/outbox.ts'
import { type BotApi, fetchFile } from './api.ts'
import { TELEGRAM, TELEGRAM_PRIVATE } from './channel.ts'
import { eventOf } from './event.ts'
import { type BotInput, createHomeBot, isConflict, troubleWords } from './home-bot.ts'
import { POLL_SECONDS, type PollerInput, startPoller } from './home-poller.ts'
import type { TelegramStore } from './home-store.ts'
import { keepMenu, menuFor } from './menu.ts'
import { telegramChat } from './sender.ts'
import { MOST_TOAST, type Tap, tapIn } from './update.ts'

export interface PrivateBot extends HomeChat {
  readonly api: BotApi
  readonly input: BotInput
  readonly store: TelegramStore
  /** 32 bytes: key of the buttons' MAC. */
  readonly key: Uint8Array
}

/** `readers`: for binary files; a file without a reader is not fetched. */
export function createPrivateBot(
  input: BotInput,
  { store, key }: Pick<PrivateBot, 'store' | 'key'>,
  readers: FileReaders = {},
): PrivateBot {
  const line = createBotLine()
  const api = createHomeBot(input, {}, (answer) => line.onResult(answer))
  const { owner } = input.config
  const chatOf = (sink: string): number | null => (sink === TELEGRAM_PRIVATE.sink ? owner : null)
  const sender = createSender(telegramChat(api), { kept: store.kept, key, chatOf })
  const files = createFiles({
    ...readers,
    fetch: (ref, most) => fetchFile(api, ref, most),
    holds: (sink) => chatOf(sink) !== null,
  })
  return { api, sender, files, input, store, key, line }
}

/** Milliseconds added to Telegram's long-polling time. */
const GRACE = 10_000

export interface PrivateLineInput extends LinePorts, Pick<PollerInput, 'diskRefusal'> {
  readonly bot: PrivateBot
}

/** `stop` aborts the open poll; undelivered updates come at the next start. */
export function startPrivateLine(input: PrivateLineInput): ListeningLine {
  const { bot, powers, fault, diskRefusal } = input
  const ending = new AbortController()
  const { owner } = bot.input.config
  const offer = (): void =>
    void keepMenu(bot.store.kept, menuFor(owner, powers.commands ?? [], 'home'), bot.api).catch(() =>
      fault(TELEGRAM),
    )
  offer()
  const limits = { timeoutMs: POLL_SECONDS * 1_000 + GRACE, signal: ending.signal }
  const reception = createReception({
    channel: TELEGRAM,
    sink: TELEGRAM_PRIVATE.sink,
    line: bot.line,
    ports: input,
    isSetUpWrongly,
    words: troubleWords,
  })
  const poller = startPoller({
    api: createHomeBot(bot.input, limits, (answer) => bot.line.onResult(answer)),
    ...{ store: bot.store, now: powers.now, chance: Math.random, signal: ending.signal, fault, diskRefusal },
    handle: (update) => handle(input, update),
    news(now) {
      if (now === null) offer()
      reception.setTrouble(now)
    },
  })
  return {
    status: () => reception.status(poller.hasAsked()),
    async stop() {
      ending.abort()
      await poller.done
    },
  }
}

/** The bot delivers its updates elsewhere, or the token is another bot's. */
function isSetUpWrongly(trouble: Refusal): boolean {
  return trouble.code === 'credential_mismatch' || isConflict(trouble)
}

async function handle(input: PrivateLineInput, update: unknown): Promise<Result<unknown>> {
  const tap = tapIn(update)
  if (tap !== null) return tapped(input, tap)
  const { bot, powers } = input
  const { owner, bot: id } = bot.input.config
  const line = { owner, bot: String(id), name: TELEGRAM_PRIVATE.chat, place: 'home' } as const
  const read = eventOf(update, line, powers.now())
  // Only the owner's own chat has this name.
  if (!read.ok || read.event.source.chat !== TELEGRAM_PRIVATE.chat) return NOTHING
  const { event, chat } = read
  const taken = await takeMessage(inbox(input), { channel: TELEGRAM, event, isOwners: true })
  if (taken.what === 'again') return { ok: false, reason: taken.reason }
  if (taken.what === 'refused') return NOTHING
  if (!taken.duplicate) void bot.api.ask((telegram) => telegram.sendChatAction(chat, 'typing'))
  input.drive()
  return NOTHING
}

const NOTHING: Result<true> = ok(true)

/** A button works only for the owner, in the owner's chat, on its own card; anybody else's tap gets no answer (F-02). */
async function tapped(input: PrivateLineInput, tap: Tap): Promise<Result<unknown>> {
  const { bot, drive } = input
  const { owner } = bot.input.config
  if (tap.user !== owner || tap.chat !== owner) return NOTHING
  const taken = await takeTap(inbox(input), { channel: TELEGRAM, key: bot.key, tap })
  if (taken.what === 'again') return { ok: false, reason: taken.reason }
  drive()
  // A failure does not matter: the card shows the same.
  const text = taken.words.slice(0, MOST_TOAST)
  void bot.api.ask((telegram) => telegram.answerCallbackQuery(tap.query, { text }))
  return NOTHING
}

function inbox(input: PrivateLineInput) {
  const { kept } = input.bot.store
  return inboxOf(input, { channel: TELEGRAM, sink: TELEGRAM_PRIVATE.sink, kept })
}

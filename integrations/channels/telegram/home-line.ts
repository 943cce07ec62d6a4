/**
 * The owner's private line by Telegram (H-03, DESIGN §1): what he writes to home's bot, and what he taps there. Everybody else's
 * messages, and every group's, are nothing: no answer, no task, no line in the audit. Must not decide: the shell does. Called by
 * home.ts, once home is wired.
 */
import { ok, type Refusal, type Result } from '../../../kernel/flow/verdict.ts'
import { createHearing, inboxOf } from '../runtime/home-line.ts'
import type { LineWays } from '../runtime/home-package.ts'
import { takeMessage, takeTap } from '../runtime/inbox.ts'
import type { ListeningLine } from '../runtime/live-chat.ts'
import { MOST_TOAST, type Tap, tapIn } from './button.ts'
import { TELEGRAM, TELEGRAM_PRIVATE } from './channel.ts'
import { eventOf } from './event.ts'
import { createHomeBot } from './home-bot.ts'
import type { PrivateBot } from './home-chat.ts'
import { POLL_SECONDS, type PollerInput, startPoller } from './home-poller.ts'
import { isConflict, troubleWords } from './home-trouble.ts'
import { keepMenu, menuFor } from './menu.ts'

/** Milliseconds beyond what Telegram holds a question. */
const GRACE = 10_000

export interface PrivateLineInput extends LineWays, Pick<PollerInput, 'diskRefusal'> {
  readonly bot: PrivateBot
}

/** `stop` ends the question that is held; what it had not brought comes at the next start. */
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
  const hearing = createHearing({
    channel: TELEGRAM,
    sink: TELEGRAM_PRIVATE.sink,
    line: bot.line,
    ways: input,
    isSetUpWrongly,
    words: troubleWords,
  })
  const poller = startPoller({
    api: createHomeBot(bot.input, limits, (answer) => bot.line.fared(answer)),
    ...{ store: bot.store, now: powers.now, chance: Math.random, signal: ending.signal, fault, diskRefusal },
    handle: (update) => handle(input, update),
    news(now) {
      if (now === null) offer()
      hearing.news(now)
    },
  })
  return {
    status: () => hearing.status(poller.hasAsked()),
    async stop() {
      ending.abort()
      await poller.done
    },
  }
}

/** A bot that brings its messages elsewhere, or a token of another. */
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
  // Whoever it is: only his own chat bears the name.
  if (!read.ok || read.event.source.chat !== TELEGRAM_PRIVATE.chat) return NOTHING
  const { event, chat } = read
  const taken = await takeMessage(inbox(input), { channel: TELEGRAM, event, isOwners: true })
  if (taken.what === 'again') return { ok: false, reason: taken.reason }
  if (taken.what === 'refused') return NOTHING
  if (!taken.duplicate) void bot.api.call('sendChatAction', { chat_id: chat, action: 'typing' })
  input.drive()
  return NOTHING
}

const NOTHING: Result<true> = ok(true)

/** A button is the owner's, in his own chat, on the card that it was made for; whoever else taps one hears nothing (F-02). */
async function tapped(input: PrivateLineInput, tap: Tap): Promise<Result<unknown>> {
  const { bot, drive } = input
  const { owner } = bot.input.config
  if (tap.user !== owner || tap.chat !== owner) return NOTHING
  const taken = await takeTap(inbox(input), { channel: TELEGRAM, key: bot.key, tap })
  if (taken.what === 'again') return { ok: false, reason: taken.reason }
  drive()
  // Lost, nobody misses it: the card says the same.
  const text = taken.words.slice(0, MOST_TOAST)
  void bot.api.call('answerCallbackQuery', { callback_query_id: tap.query, text })
  return NOTHING
}

function inbox(input: PrivateLineInput) {
  const { kept } = input.bot.store
  return inboxOf(input, { channel: TELEGRAM, sink: TELEGRAM_PRIVATE.sink, kept })
}

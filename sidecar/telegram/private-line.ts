/**
 * The owner's private line by Telegram (H-03, DESIGN §1): what he writes to home's bot, and what he taps there. Everybody else's
 * messages, and every group's, are nothing: no answer, no task, no line in the audit. Must not decide: the shell does. Called by
 * runtime.ts, in the last phase of the start.
 */

import { settleTap } from '../../integrations/channels/cards.ts'
import { buttonId, type Tap, tapIn } from '../../integrations/channels/telegram/button.ts'
import { eventOf } from '../../integrations/channels/telegram/event.ts'
import { keepMenu, menuFor } from '../../integrations/channels/telegram/menu.ts'
import { err, ok, type ReasonCode, type Refusal, type Result } from '../../kernel/flow/verdict.ts'
import { deliverNotice } from '../../kernel/pipeline/deliver.ts'
import { putElsewhere } from '../../kernel/runtime/asking.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import { wordsFor } from '../../kernel/wording/words.ts'
import { watchToken } from '../channels/bot-line.ts'
import type { LineInput, ListeningLine } from '../channels/listening-line.ts'
import { createHomeBot } from './bot.ts'
import { POLL_SECONDS, startPoller } from './poller.ts'
import type { PrivateBot } from './private-bot.ts'
import { TELEGRAM_PRIVATE } from './telegram-config.ts'
import { isConflict, troubleWords } from './trouble.ts'

/** Milliseconds beyond what Telegram holds a question. */
const GRACE = 10_000
/** UTF-16 units of what a tap is answered with. */
const MOST_TOAST = 200
/** Refusals that may be over when the update comes again. Any other is final: it would hold up what comes behind it. */
const AGAIN: readonly ReasonCode[] = ['storage_failed', 'storage_full']

type PrivateLineInput = LineInput<PrivateBot>

/** `stop` ends the question that is held; what it had not brought comes at the next start. */
export function startPrivateLine(input: PrivateLineInput): ListeningLine {
  const { bot, powers, tell, fault } = input
  const ending = new AbortController()
  let trouble: Refusal | null = null
  const { owner } = bot.input.config
  const offer = (): void =>
    void keepMenu(bot.store.kept, menuFor(owner, powers.commands ?? [], 'home'), bot.api).catch(() =>
      fault('telegram'),
    )
  offer()
  const limits = { timeoutMs: POLL_SECONDS * 1_000 + GRACE, signal: ending.signal }
  const judge = (): void => {
    bot.line.deaf = isDeaf(trouble ?? tokenRefused())
    if (!bot.line.deaf) return
    putElsewhere(powers, TELEGRAM_PRIVATE.sink)
    input.drive()
  }
  const tokenRefused = watchToken(bot.line, judge)
  const poller = startPoller({
    api: createHomeBot(bot.input, limits, (answer) => bot.line.fared(answer)),
    ...{ store: bot.store, now: powers.now, chance: Math.random, signal: ending.signal, fault },
    handle: (update) => handle(input, update),
    news(now) {
      trouble = now
      if (now === null) offer()
      judge()
      // A token that is refused is told of by its custodian.
      if (isSetUpWrongly(now))
        tell({ id: `telegram:${powers.now()}`, code: 'credential_mismatch', about: 'telegram' })
    },
  })
  return {
    status() {
      if (!poller.hasAsked()) return { telegram: 'connects' }
      const now = trouble ?? tokenRefused()
      return { telegram: now === null ? 'listens' : `does not hear: ${troubleWords(now)}` }
    },
    async stop() {
      ending.abort()
      await poller.done
    },
  }
}

/** A bot that brings its messages elsewhere, or a token of another: it will not pass by itself. */
function isSetUpWrongly(trouble: Refusal | null): boolean {
  return trouble !== null && (trouble.code === 'credential_mismatch' || isConflict(trouble))
}

/** It will not hear him before somebody does something about it. */
function isDeaf(trouble: Refusal | null): boolean {
  return isSetUpWrongly(trouble) || trouble?.code === 'credential_rejected'
}

async function handle(input: PrivateLineInput, update: unknown): Promise<Result<unknown>> {
  const tap = tapIn(update)
  if (tap !== null) return takeTap(input, tap)
  const { bot, powers, shell } = input
  const { owner, bot: id } = bot.input.config
  const line = { owner, bot: String(id), name: TELEGRAM_PRIVATE.chat, place: 'home' } as const
  const read = eventOf(update, line, powers.now())
  // Whoever it is: only his own chat bears the name.
  if (!read.ok || read.event.source.chat !== TELEGRAM_PRIVATE.chat) return NOTHING
  const { event, chat } = read
  const received = await shell.receive(event)
  if (received.ok) {
    if (!received.value.duplicate) void bot.api.call('sendChatAction', { chat_id: chat, action: 'typing' })
    input.drive()
    return NOTHING
  }
  const { code } = received.reason
  if (AGAIN.includes(code)) return received
  // He wrote something that is not taken: a sentence says so, once for however many times it comes.
  const to = { sink: TELEGRAM_PRIVATE.sink, principal: OWNER_PRINCIPAL }
  await deliverNotice(powers, { id: `telegram:${event.id}`, code, ...to })
  return NOTHING
}

const NOTHING: Result<true> = ok(true)

/** A button is the owner's, in his own chat, on the card that it was made for; whoever else taps one hears nothing (F-02). */
async function takeTap(
  { bot, powers, shell, drive }: PrivateLineInput,
  { user, chat, message, original, query, data }: Tap,
): Promise<Result<unknown>> {
  const { owner } = bot.input.config
  if (user !== owner || chat !== owner) return NOTHING
  const button = original ? buttonId(bot.key, chat, data) : null
  const { kept } = bot.store
  const settled =
    button === null
      ? err('approval_unknown')
      : await settleTap({ kept, channel: 'telegram' }, { powers, shell }, { button, chat, message })
  if (!settled.ok && AGAIN.includes(settled.reason.code)) return settled
  drive()
  const text = settled.ok ? settled.value.words : wordsFor(settled.reason.code)
  // Lost, nobody misses it: the card says the same.
  void bot.api.call('answerCallbackQuery', { callback_query_id: query, text: text.slice(0, MOST_TOAST) })
  return NOTHING
}

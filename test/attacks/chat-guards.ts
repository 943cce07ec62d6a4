/**
 * The guards of the owner's chats, as rows of link-guards.ts: cards and their taps (F-02), and how a channel
 * is left alone (H-12, H-17). Must not hold what only makes work cheaper. Called by link-guards.ts.
 */
import type { LinkGuard } from './link-guards.ts'

const CLIENT_TS = 'integrations/channels/telegram/client.ts'
const CARDS_TS = 'integrations/channels/runtime/cards.ts'
const CHANNEL_BACKOFF = 'home/channel-backoff'
const CHANNEL_BACKOFF_TS = 'integrations/channels/runtime/backoff.ts'
const OUTAGE = 'pipeline/delivery'
const POLLER_TS = 'integrations/channels/telegram/home-poller.ts'
const SLACK_API_TS = 'integrations/channels/slack/api.ts'
const SLACK_SENDER = 'channels/slack-sender'
const SLACK_SOCKET = 'home/slack-socket'
const SOCKET_MODE_TS = 'integrations/channels/slack/home-socket.ts'
const TELEGRAM_CARDS = 'channels/telegram-cards'
const TELEGRAM_CHANNEL = 'home/telegram-channel'
const TELEGRAM_CHANNEL_TS = 'integrations/channels/telegram/home.ts'
const TELEGRAM_POLLER = 'home/telegram-poller'
const TELEGRAM_SENDER = 'channels/telegram-sender'
const WAITING_TS = 'kernel/features/deliveries/waiting-line.ts'

/** Cards in the owner’s chats (F-02). */
const CARDS: readonly LinkGuard[] = [
  [
    'cards: of its own chat',
    CARDS_TS,
    'card === undefined || card.chat !== chat',
    'card === undefined',
    TELEGRAM_CARDS,
  ],
  [
    'cards: of its own message',
    CARDS_TS,
    "if (card.message !== null && card.message !== message) return err('approval_unknown')",
    '',
    TELEGRAM_CARDS,
  ],
  [
    'cards: of two taps the first',
    CARDS_TS,
    "if (card.tapped !== undefined && card.tapped !== button) return err('approval_unknown')",
    '',
    TELEGRAM_CARDS,
  ],
  [
    'cards: a tap is kept before anything is waited for',
    CARDS_TS,
    'save(store, { ...card, message, tapped: button })',
    '',
    TELEGRAM_CARDS,
  ],
  [
    'cards: where the question was not written down, another tap counts',
    CARDS_TS,
    '    save(store, { ...card, message })\n    return decided\n',
    '    return decided\n',
    TELEGRAM_CARDS,
  ],
  [
    'cards: what was decided is over',
    CARDS_TS,
    '  save(store, { ...card, message, tapped: button, over: true })\n',
    '',
    TELEGRAM_CARDS,
  ],
  [
    'cards: one pair of buttons',
    CARDS_TS,
    'const card = known ?? {',
    'const card = false || {',
    TELEGRAM_CARDS,
  ],
  ['cards: so many are remembered', CARDS_TS, '.slice(-REMEMBERED)', '', TELEGRAM_CARDS],
  ['cards: of their own channel', CARDS_TS, '}-cards`', '}-cards`.slice(-6)', TELEGRAM_CARDS],
  [
    'cards: decided as the owner',
    CARDS_TS,
    '    principal: OWNER_PRINCIPAL,\n',
    '    principal: chat as never,\n',
    TELEGRAM_CARDS,
  ],
  [
    'cards: decided at the place they stand at',
    CARDS_TS,
    '  const { place } = powers\n',
    "  const place = 'edge' as const\n",
    TELEGRAM_CARDS,
  ],
  [
    'cards: show what was decided',
    CARDS_TS,
    '  await closeCard(powers, { approval, delivery, words })\n  save(store, { ...card, message',
    '  save(store, { ...card, message',
    'worker/telegram',
  ],
]

/** How a channel is left alone (H-12, H-17). */
const LEFT_ALONE: readonly LinkGuard[] = [
  [
    'backoff: twice as long each time',
    CHANNEL_BACKOFF_TS,
    'FIRST * 2 ** (failures - 1)',
    'FIRST',
    CHANNEL_BACKOFF,
  ],
  [
    'backoff: five minutes at most',
    CHANNEL_BACKOFF_TS,
    'Math.min(LONGEST, FIRST * 2 ** (failures - 1))',
    'FIRST * 2 ** (failures - 1)',
    CHANNEL_BACKOFF,
  ],
  ['backoff: not in step', CHANNEL_BACKOFF_TS, '(1 + chance) * 0.5', '1', CHANNEL_BACKOFF],
  [
    'backoff: not before the service wants',
    CHANNEL_BACKOFF_TS,
    'Math.max(jittered, retryAfter)',
    'jittered',
    CHANNEL_BACKOFF,
  ],
  [
    'backoff: each failure of Telegram’s counts',
    POLLER_TS,
    'failures = heard.ok ? 0 : failures + 1',
    'failures = 1',
    TELEGRAM_POLLER,
  ],
  [
    'backoff: what was heard ends the row',
    POLLER_TS,
    'failures = heard.ok ? 0 : failures + 1',
    'failures += 1',
    TELEGRAM_POLLER,
  ],
  [
    'backoff: as long as Telegram wants',
    POLLER_TS,
    "const asked = typeof retryAfter === 'number' ? retryAfter : null",
    "const asked = typeof retryAfter === 'number' ? null : null",
    TELEGRAM_POLLER,
  ],
  [
    'backoff: each failure of Slack’s counts',
    SOCKET_MODE_TS,
    'failures = after >= timing.stable ? 0 : failures + 1',
    'failures = 1',
    SLACK_SOCKET,
  ],
  [
    'backoff: a connection that served ends the row',
    SOCKET_MODE_TS,
    'failures = after >= timing.stable ? 0 : failures + 1',
    'failures += 1',
    SLACK_SOCKET,
  ],
  [
    'backoff: as long as Slack wants',
    SOCKET_MODE_TS,
    "typeof asked === 'number' ? asked : null",
    "typeof asked === 'number' ? null : null",
    SLACK_SOCKET,
  ],
  [
    'backoff: an app without Socket Mode is hardly asked',
    SOCKET_MODE_TS,
    "if (reason?.facts['why'] === SWITCHED_OFF) return LONGEST",
    '',
    SLACK_SOCKET,
  ],
  [
    'backoff: each failure counts while the owner is looked for',
    TELEGRAM_CHANNEL_TS,
    'for (let failures = 1; ; failures += 1) {',
    'for (let failures = 1; ; failures += 0) {',
    TELEGRAM_CHANNEL,
  ],
  [
    'backoff: as long as Telegram wants while the owner is looked for',
    TELEGRAM_CHANNEL_TS,
    "typeof retryAfter === 'number' ? retryAfter : null",
    "typeof retryAfter === 'number' ? null : null",
    TELEGRAM_CHANNEL,
  ],
  [
    'backoff: what does not pass ends the search',
    TELEGRAM_CHANNEL_TS,
    'if (found.ok || !isPassing(found.reason.code)) return found',
    'if (found.ok) return found',
    TELEGRAM_CHANNEL,
  ],
  [
    'retry: Telegram’s wish is read',
    CLIENT_TS,
    'return { retryAfter: Math.min(seconds, MOST_RETRY) * 1_000 }',
    'return {}',
    TELEGRAM_SENDER,
  ],
  [
    'retry: an hour of Telegram’s at most',
    CLIENT_TS,
    'Math.min(seconds, MOST_RETRY)',
    'seconds',
    TELEGRAM_SENDER,
  ],
  [
    'retry: no wish of Telegram’s below nothing',
    CLIENT_TS,
    ' || !Number.isFinite(seconds) || seconds < 0',
    '',
    TELEGRAM_SENDER,
  ],
  [
    'retry: Telegram’s 429',
    CLIENT_TS,
    "  if (status === 429) return err('remote_rate_limited', retryIn(answer?.parameters.retry_after)).reason\n",
    '',
    TELEGRAM_SENDER,
  ],
  [
    'retry: an hour of Slack’s at most',
    SLACK_API_TS,
    'Math.min(seconds, MOST_RETRY)',
    'seconds',
    SLACK_SENDER,
  ],
  [
    'retry: no wish of Slack’s below nothing',
    SLACK_API_TS,
    ' || !Number.isFinite(seconds) || seconds < 0',
    '',
    SLACK_SENDER,
  ],
  [
    'retry: Slack’s 429',
    SLACK_API_TS,
    "  if (status === 429) return err('remote_rate_limited', retryIn(headers['retry-after']))\n",
    '',
    SLACK_SENDER,
  ],
  [
    'retry: Slack’s word for it',
    SLACK_API_TS,
    "  if (error === 'ratelimited') return err('remote_rate_limited', retryIn(headers['retry-after']))\n",
    '',
    SLACK_SENDER,
  ],
  ['outbox: a delivery waits as long as its channel asks', WAITING_TS, 'Math.max(own, asked)', 'own', OUTAGE],
  ['outbox: an hour at most', WAITING_TS, 'Math.min(LONGEST_ASKED_WAIT, retryAfter)', 'retryAfter', OUTAGE],
  [
    'outbox: what comes later waits behind what waits',
    'kernel/features/deliveries/deliver.ts',
    "patience === 'behind' || isWaitedFor(powers, to.sink)",
    "patience === 'behind'",
    OUTAGE,
  ],
  ['outbox: bounded in count', WAITING_TS, 'line.length >= MOST_WAITING || ', '', OUTAGE],
  ['outbox: bounded in bytes', WAITING_TS, ' || size > MOST_WAITING_BYTES', '', OUTAGE],
  [
    'outbox: what waited is checked anew',
    'kernel/features/deliveries/deliver.ts',
    '  if (over !== null) return { ok: false, reason: over }\n  const text = await openTextOf(powers, row.text)',
    '  const text = await openTextOf(powers, row.text)',
    OUTAGE,
  ],
  [
    'outbox: a day at most',
    'kernel/features/deliveries/resend.ts',
    "if (endOf(powers, row) <= now) await giveUp(powers, row, 'delivery_overdue')",
    '{}',
    OUTAGE,
  ],
]

export const CHAT_GUARDS: readonly LinkGuard[] = [...CARDS, ...LEFT_ALONE]

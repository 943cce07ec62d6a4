/**
 * Telegram answers 502 for three hours, from the owner's side (F-18, Q-19): the real kernel, the real sender and a
 * scripted Telegram over HTTP, with a clock set by the test. The transcript is what the owner reads, chat by chat.
 */

import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFetchTransport } from '../../durable-objects/platform/fetch-transport.ts'
import type { ChannelState } from '../../integrations/channels/runtime/channel-state.ts'
import { createSender } from '../../integrations/channels/runtime/outbox.ts'
import { createBotApi } from '../../integrations/channels/telegram/api.ts'
import { TELEGRAM_PRIVATE } from '../../integrations/channels/telegram/channel.ts'
import { telegramChat } from '../../integrations/channels/telegram/sender.ts'
import { kernelPorts } from '../../kernel/operations/kernel-ports.ts'
import type { Delivery } from '../../kernel/powers/ports.ts'
import { createShell } from '../../kernel/runtime/shell.ts'
import type { Shell } from '../../kernel/runtime/shell-port.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import { renderStatus } from '../../sidecar/cli/chat/render.ts'
import { type ScriptedTelegram, startTelegram } from '../fakes/telegram-server.ts'
import { BOT_TOKEN } from '../fakes/telegram-token.ts'
import { BOOK, TOOLS } from '../pipeline/approvals-owner.ts'
import { createWorld, message, type World } from '../pipeline/world.ts'

const OWNER_ID = 77
const TERMINAL = 'sink:terminal:owner'
const MINUTE = 60_000
const HOUR = 60 * MINUTE

let telegram: ScriptedTelegram
beforeAll(async () => {
  telegram = await startTelegram()
  telegram.order({ chats: [OWNER_ID] })
})
afterAll(() => telegram.close())

interface Stage {
  readonly world: World
  readonly shell: Shell
  /** What the owner reads and writes, with the minute by the owner's clock. */
  readonly lines: string[]
  write(text: string): Promise<void>
  pass(milliseconds: number): Promise<void>
}

function setStage(): Stage {
  const lines: string[] = []
  const world = createWorld({
    tools: TOOLS,
    owner: [`telegram:${OWNER_ID}`],
    adminSinks: [TELEGRAM_PRIVATE.sink, TERMINAL],
  })
  const at = (): string =>
    new Date(world.clock.now).toLocaleTimeString('en-GB', { timeZone: 'Europe/Madrid', timeStyle: 'short' })
  const noted = (chat: string, text: string): void => void lines.push(`${at()} ${chat}: ${text}`)
  const values = new Map<string, unknown>()
  const kept: ChannelState = {
    get: <T>(name: string) => values.get(name) as T | undefined,
    put: (name, value) => void values.set(name, value),
  }
  const api = createBotApi({ token: BOT_TOKEN, origin: telegram.origin, transport: createFetchTransport() })
  const bot = createSender(telegramChat(api), {
    kept,
    key: new Uint8Array(32),
    chatOf: (sink) => (sink === TELEGRAM_PRIVATE.sink ? OWNER_ID : null),
  })
  const shown = new Set<number>()
  const seen = new Set<string>()
  const send = async (delivery: Delivery) => {
    if (delivery.sink === TERMINAL) {
      if (!seen.has(delivery.id)) noted('terminal', delivery.text)
      seen.add(delivery.id)
      return { ok: true, value: true } as const
    }
    const sent = await bot.send(delivery)
    for (const { id, text, byBot } of telegram.messenger.messages.values())
      if (byBot && !shown.has(id)) {
        shown.add(id)
        noted('Telegram', text)
      }
    return sent
  }
  // Nobody looks at the terminal: its outbox is not read yet.
  const acknowledges = (sink: string) => sink !== TERMINAL
  const shell = createShell({ ...world.powers, sender: { send, acknowledges } })
  return {
    ...{ world, shell, lines },
    async write(text) {
      noted('Telegram, you', text)
      const source = { adapter: 'telegram', user: String(OWNER_ID), chat: 'private', group: false }
      const event = { ...message(text, { id: `m${lines.length}`, at: world.clock.now }), source }
      const received = await shell.receive(event)
      if (!received.ok) throw new Error(received.reason.code)
      await shell.run(OWNER_PRINCIPAL)
    },
    async pass(milliseconds) {
      const end = world.clock.now + milliseconds
      for (let next = await shell.tick(); next !== null && next <= end; next = await shell.tick())
        world.clock.now = Math.max(next, world.clock.now)
      world.clock.now = end
      await shell.tick()
    },
  }
}

test('in an outage of three hours nothing is lost or repeated, and the owner is always informed', async () => {
  const { world, shell, lines, write, pass } = setStage()
  await write('hello')
  await pass(MINUTE)
  telegram.order({ refuse: { code: 502, times: Number.POSITIVE_INFINITY, words: 'Bad Gateway' } })
  await write('What is on my calendar today?')
  await pass(30 * MINUTE)
  await write('hello')
  await write(BOOK)
  await pass(HOUR)
  lines.push(
    ...renderStatus({ place: 'home', waiting: shell.waiting() })
      .split('\n')
      .slice(1)
      .map((line) => `$ pfar status | ${line}`),
  )
  await pass(90 * MINUTE)
  telegram.order({ refuse: { code: 0, times: 0 } })
  await pass(16 * MINUTE)
  const [question] = await kernelPorts(world.powers).approvals.list(OWNER_PRINCIPAL)
  lines.push('Telegram, you: [Yes]')
  const yes = { approval: question?.id ?? '', decision: 'approve', principal: OWNER_PRINCIPAL } as const
  expect(await shell.decide({ ...yes, place: 'home' })).toMatchObject({ ok: true })
  await shell.run(OWNER_PRINCIPAL)
  const card = `May I do this? Add this to your calendar.
  title: Lunch with Sarah
  starts: Friday 27 November, 13:00
  ends: Friday 27 November, 14:00
Nobody is invited. Goes to your own calendar. You wrote all of it.
I could not look whether something else is at that time.
I ask before I change anything.
(The exact values: starts: 2026-11-27T13:00:00+01:00, ends: 2026-11-27T14:00:00+01:00)`
  expect(lines).toEqual([
    '12:00 Telegram, you: hello',
    '12:00 Telegram: Hello! What can I do for you?',
    '12:01 Telegram, you: What is on my calendar today?',
    '12:03 terminal: Telegram cannot be reached. The answer that you asked for at 2026-11-20 12:01 waits for your chat there, and later ones wait behind it, in order. I keep trying for 24 hours; `pfar status` lists what waits.',
    '12:31 Telegram, you: hello',
    '12:31 Telegram, you: book lunch with Sarah on Friday at 13:00',
    `12:31 terminal: ${card}`,
    '$ pfar status | waiting:        for Telegram, asked for at 2026-11-20 11:01 UTC, waits since 2026-11-20 11:01 UTC, next try 2026-11-20 12:46 UTC',
    '$ pfar status | waiting:        for Telegram, asked for at 2026-11-20 11:31 UTC, waits since 2026-11-20 11:31 UTC, next try 2026-11-20 12:46 UTC',
    '15:16 Telegram: Fri 27 Nov:\n• 09:00–10:00 Standup (3 attendees)',
    '15:16 Telegram: Hello! What can I do for you?',
    `15:16 Telegram: ${card}`,
    'Telegram, you: [Yes]',
    '15:17 Telegram: Booked: Lunch with Sarah, Fri 27 Nov, 13:00–14:00.',
  ])
  expect(shell.waiting()).toEqual([])
  expect(world.calls.map(({ tool }) => tool)).toEqual(['calendar.list_events', 'calendar.create_event'])
  const refused = telegram.transcript.filter((one) => one.refused !== null)
  expect(new Set(refused.map((one) => one.refused))).toEqual(new Set(['Bad Gateway']))
})

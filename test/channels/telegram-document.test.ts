/** An answer too long for messages is sent as one file, once, over real HTTP to the scripted Telegram (H-15). */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createFetchTransport } from '../../durable-objects/platform/fetch-transport.ts'
import type { SentPart } from '../../integrations/channels/runtime/channel-state.ts'
import { createOutbox } from '../../integrations/channels/runtime/outbox.ts'
import { type BotApi, createBotApi } from '../../integrations/channels/telegram/api.ts'
import { MAX_MESSAGE } from '../../integrations/channels/telegram/render.ts'
import { MAX_CAPTION, MOST_MESSAGES, telegramChat } from '../../integrations/channels/telegram/sender.ts'
import type { Delivery, SenderPort } from '../../kernel/powers/ports.ts'
import { MAX_ANSWER } from '../../kernel/wording/output.ts'
import type { StandingMessage } from '../fakes/telegram-methods.ts'
import { type ScriptedTelegram, startTelegram } from '../fakes/telegram-server.ts'
import { BOT_TOKEN } from '../fakes/telegram-token.ts'

const CHAT = 77
let telegram: ScriptedTelegram
let api: BotApi
let sender: SenderPort
let sentStore: Map<string, readonly SentPart[]>

beforeAll(async () => {
  telegram = await startTelegram()
  telegram.order({ chats: [CHAT] })
  api = createBotApi({ token: BOT_TOKEN, origin: telegram.origin, transport: createFetchTransport() })
})
afterAll(() => telegram.close())

beforeEach(() => {
  telegram.messenger.messages.clear()
  sentStore = new Map()
  sender = createOutbox({
    service: telegramChat(api),
    sentStore: { load: (id) => sentStore.get(id) ?? [], save: (id, parts) => void sentStore.set(id, parts) },
    cards: {
      buttonsOf: () => ({ yes: 'y', no: 'n', more: 'm', options: [], rows: [] }),
      offersOf: () => [],
      shown: () => undefined,
    },
    chatOf: () => CHAT,
  })
})

function delivery(text: string, over: Partial<Delivery> = {}): Delivery {
  const of = { sink: 'sink:telegram:77', principal: 'p', task: 't', turn: 1, label: 'internal' }
  return { id: 'd1', ...of, kind: 'answer', approval: null, text, at: 1, previews: 'off', ...over }
}

const standing = (): readonly StandingMessage[] => [...telegram.messenger.messages.values()]
/** A text of this many messages, each one numbered paragraph. */
const long = (messages: number, end = ''): string =>
  [...new Array(messages).keys()].map((n) => `${n} ${'x'.repeat(MAX_MESSAGE - 10)}`).join('\n\n') + end

it(`an answer of ${MOST_MESSAGES} messages is sent as messages, a longer one as one file with its beginning as the caption`, async () => {
  await sender.send(delivery(long(MOST_MESSAGES)))
  expect(standing()).toHaveLength(MOST_MESSAGES)
  expect(standing().every(({ document }) => document === undefined)).toBe(true)
  telegram.messenger.messages.clear()
  const whole = `**What I found** on [the pier](https://example.com/pier).\n\n${long(MOST_MESSAGES + 1, '\n\nThe end: 12 €.')}`
  expect(await sender.send(delivery(whole, { id: 'd2' }))).toEqual({ ok: true, value: true })
  const [sent, ...more] = standing()
  expect(more).toEqual([])
  expect(sent?.text).toMatch(/^What I found on .*… The whole answer is in this file\.$/)
  expect(sent?.document?.name).toBe('answer.txt')
  expect(sent?.document?.text).toContain('5 xxx')
  expect(sent?.document?.text).toMatch(/The end: 12 €\.$/)
  expect(sent?.document?.text).not.toContain('**')
})

it('the longest answer arrives whole: in messages while these are few, else as a file', async () => {
  const lines = (count: number): string =>
    [...new Array(count).keys()].map((n) => `> line ${n} of the report`).join('\n')
  const [some, all] = [lines(600), lines(1_800)]
  expect(all.length).toBeLessThan(MAX_ANSWER)
  await sender.send(delivery(some))
  const told = standing().map(({ text }) => text)
  expect(told.length).toBeGreaterThan(2)
  expect(told.every((text) => text.length <= MAX_MESSAGE)).toBe(true)
  expect(told.join('\n')).toBe(some.replaceAll('> ', ''))
  telegram.messenger.messages.clear()
  await sender.send(delivery(all, { id: 'd2' }))
  expect(standing()[0]?.document?.text.replaceAll('\n\n', '\n')).toBe(all.replaceAll('> ', ''))
})

it('an answer that begins with a long paragraph gets a caption within Telegram’s limit', async () => {
  await sender.send(delivery(`${'lantern '.repeat(400)}\n\n${long(MOST_MESSAGES + 1)}`))
  const [sent] = standing()
  expect(sent?.text).toMatch(/^(?:lantern ){100,}lantern… The whole answer/)
  expect(sent?.text.length).toBeLessThanOrEqual(MAX_CAPTION)
})

it('a long answer that is delivered repeatedly is sent as one file once', async () => {
  const asked = telegram.transcript.length
  for (const _ of [1, 2]) await sender.send(delivery(long(9)))
  expect(standing()).toHaveLength(1)
  expect(telegram.transcript.slice(asked).map(({ method }) => method)).toEqual(['sendDocument'])
})

it('a changed long answer replaces the former file', async () => {
  await sender.send(delivery(long(9)))
  await sender.send(delivery(long(9, '\n\nand more')))
  expect(standing()).toHaveLength(1)
  expect(standing()[0]?.document?.text).toMatch(/and more$/)
})

it('a long answer that Telegram refuses for now is sent at the next delivery', async () => {
  telegram.order({ refuse: { code: 429, times: 1, after: 3 } })
  expect(await sender.send(delivery(long(9)))).toMatchObject({
    reason: { code: 'remote_rate_limited', facts: { retryAfter: 3_000 } },
  })
  expect(await sender.send(delivery(long(9)))).toEqual({ ok: true, value: true })
  expect(standing()).toHaveLength(1)
})

it.each(['card', 'notice'] as const)(
  'a long %s is not sent as a file, since its exact text must be visible',
  async (kind) => {
    await sender.send(delivery(long(MOST_MESSAGES + 2), { kind }))
    expect(standing().length).toBeGreaterThan(MOST_MESSAGES)
  },
)

it('an answer that contains multipart boundaries is still one file', async () => {
  const inner = '\r\n--pfar\r\ncontent-disposition: form-data; name="chat_id"\r\n\r\n1\r\n--pfar--\r\n'
  await sender.send(delivery(long(9, inner)))
  expect(standing()).toMatchObject([{ chat: CHAT }])
  expect(standing()[0]?.document?.text).toContain('name="chat_id"')
})

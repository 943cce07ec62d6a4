/**
 * Deliveries to the scripted Telegram, over real HTTP: each message is sent once and edited in place, and each refusal of the Bot
 * API has its reason (H-04, H-15 – H-17).
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { createFetchTransport } from '../../durable-objects/platform/fetch-transport.ts'
import type { SentPart } from '../../integrations/channels/runtime/channel-state.ts'
import { createOutbox } from '../../integrations/channels/runtime/outbox.ts'
import { type BotApi, createBotApi } from '../../integrations/channels/telegram/api.ts'
import { telegramChat } from '../../integrations/channels/telegram/sender.ts'
import { err } from '../../kernel/flow/verdict.ts'
import type { Delivery, SenderPort } from '../../kernel/powers/ports.ts'
import { type Order, type ScriptedTelegram, startTelegram } from '../fakes/telegram-server.ts'
import { BOT_TOKEN } from '../fakes/telegram-token.ts'
import { sleepyTimers } from '../kit/sleep.ts'

const CHAT = 77
let telegram: ScriptedTelegram
let api: BotApi
let sender: SenderPort
let sentStore: Map<string, readonly SentPart[]>
let cards: Map<string, number>
const real = createFetchTransport()
const transport = { ...real }

beforeAll(async () => {
  telegram = await startTelegram()
  telegram.order({ chats: [CHAT] })
})
afterAll(() => telegram.close())

beforeEach(() => {
  telegram.messenger.messages.clear()
  sentStore = new Map()
  cards = new Map()
  api = createBotApi({ token: BOT_TOKEN, origin: telegram.origin, transport })
  sender = createOutbox({
    service: telegramChat(api),
    sentStore: { load: (id) => sentStore.get(id) ?? [], save: (id, parts) => void sentStore.set(id, parts) },
    cards: {
      buttonsOf: ({ approval }) => ({ yes: approval, no: 'n', more: 'm', options: [], rows: [] }),
      offersOf: () => [],
      shown: (id, message) => void cards.set(id, Number(message)),
    },
    chatOf: (sink) => (sink === 'sink:telegram:77' ? CHAT : null),
  })
})

function delivery(text: string, over: Partial<Delivery> = {}): Delivery {
  const of = { sink: 'sink:telegram:77', principal: 'p', task: 't', turn: 1, label: 'internal' }
  return { id: 'd1', ...of, kind: 'answer', approval: null, text, at: 1, previews: 'off', ...over }
}

const standing = (): readonly string[] => [...telegram.messenger.messages.values()].map(({ text }) => text)
const LONG = `${'a'.repeat(4_000)}\n\n${'b'.repeat(4_000)}\n\n${'c'.repeat(100)}`

describe('a delivery to Telegram', () => {
  it('a repeated delivery sends nothing', async () => {
    for (const _ of [1, 2])
      expect(await sender.send(delivery('**hello**'))).toEqual({ ok: true, value: true })
    expect(standing()).toEqual(['hello'])
  })

  it('a delivery during which the machine slept is sent once', async () => {
    const sleep = sleepyTimers()
    transport.send = async (request) => {
      const answer = await real.send(request)
      sleep(21 * 60_000)
      return answer
    }
    onTestFinished(() => void Object.assign(transport, real))
    expect(await sender.send(delivery('the oven'))).toEqual({ ok: true, value: true })
    expect(standing()).toEqual(['the oven'])
  })

  it('a changed delivery edits its message', async () => {
    await sender.send(delivery('one moment'))
    await sender.send(delivery('here it is'))
    expect(standing()).toEqual(['here it is'])
  })

  it('a delivery whose message the reader deleted is posted again', async () => {
    await sender.send(delivery('one moment'))
    telegram.order({ clear: CHAT })
    expect(await sender.send(delivery('here it is'))).toMatchObject({ ok: true })
    expect(standing()).toEqual(['here it is'])
  })

  it('a message that an earlier run has edited already counts as delivered', async () => {
    await sender.send(delivery('one moment'))
    sentStore.set(
      'd1',
      (sentStore.get('d1') ?? []).map((part) => ({ ...part, said: 'lost' })),
    )
    expect(await sender.send(delivery('one moment'))).toMatchObject({ ok: true })
    expect(telegram.transcript.at(-1)?.refused).toMatch(/not modified/)
  })

  it('an interrupted delivery continues at the first missing message', async () => {
    telegram.order({ refuse: { code: 429, times: 1, after: 3, skip: 1 } })
    expect(await sender.send(delivery(LONG))).toMatchObject({ reason: { code: 'remote_rate_limited' } })
    expect(standing()).toEqual(LONG.split('\n\n').slice(0, 1))
    expect(await sender.send(delivery(LONG))).toMatchObject({ ok: true })
    expect(standing()).toEqual(LONG.split('\n\n'))
  })

  describe('what a killed process may have sent', () => {
    const again = 'It may be here already.'

    it('is sent after a sentence that says so, and not twice', async () => {
      for (const _ of [1, 2]) await sender.send(delivery('here it is', { again }))
      expect(standing()).toEqual([again, 'here it is'])
    })

    it('goes on after its first message with that sentence', async () => {
      const [first = '', ...rest] = LONG.split('\n\n')
      await sender.send(delivery(LONG))
      sentStore.set('d1', (sentStore.get('d1') ?? []).slice(0, 1))
      telegram.order({ clear: CHAT })
      await sender.send(delivery(LONG, { again }))
      expect([standing().includes(first), standing()]).toEqual([false, [again, ...rest]])
    })

    it('is a file, too', async () => {
      await sender.send(delivery('x'.repeat(30_000), { again }))
      expect(standing()[0]).toBe(again)
      expect(standing()).toHaveLength(2)
    })

    it.each([
      ['has arrived before its connection broke', true, ['here it is', again, 'here it is']],
      ['never left', false, ['here it is']],
    ])('%s', async (_, isWritten, shown) => {
      onTestFinished(() => void Object.assign(transport, real))
      transport.send = async (request) => {
        Object.assign(transport, real)
        if (isWritten) await real.send(request)
        return err('network_failed', isWritten ? { sent: 'perhaps' } : {})
      }
      expect(await sender.send(delivery('here it is'))).toMatchObject({ reason: { code: 'network_failed' } })
      await sender.send(delivery('here it is', { again }))
      expect(standing()).toEqual(shown)
    })

    it('is sent without it where its messages are known, or Telegram refused it', async () => {
      await sender.send(delivery('here it is'))
      await sender.send(delivery('here it is', { again }))
      telegram.order({ refuse: { code: 429, times: 1, after: 3 } })
      const other = { id: 'd2', again: undefined }
      expect(await sender.send(delivery('and this', other as never))).toMatchObject({ ok: false })
      await sender.send(delivery('and this', { id: 'd2', again }))
      expect(standing()).toEqual(['here it is', 'and this'])
    })
  })

  it('a delivery in three parts is three messages within the limit', async () => {
    expect(await sender.send(delivery(LONG))).toMatchObject({ ok: true })
    expect(standing()).toEqual(LONG.split('\n\n'))
  })

  it('a message whose entities Telegram refuses is sent without formatting', async () => {
    telegram.order({ refuse: { code: 400, times: 1, words: "Bad Request: can't parse entities: x" } })
    expect(await sender.send(delivery('**hello**'))).toMatchObject({ ok: true })
    expect(standing()).toEqual(['hello'])
    expect(telegram.transcript.at(-1)?.args).not.toHaveProperty('entities')
  })

  it('a message with an address gets no link preview, posted or edited', async () => {
    const from = telegram.transcript.length
    await sender.send(delivery('see https://example.com/'))
    await sender.send(delivery('see https://example.com/a'))
    const looks = telegram.transcript.slice(from).map(({ method, args }) => [method, args])
    const off = expect.objectContaining({ link_preview_options: { is_disabled: true } })
    expect(looks).toEqual([
      ['sendMessage', off],
      ['editMessageText', off],
    ])
  })

  it.each(['card', 'notice'] as const)('a %s shows its exact text, without Markdown', async (kind) => {
    await sender.send(delivery('**text**: `a`', { kind }))
    expect(standing()).toEqual(['**text**: `a`'])
  })

  it('a delivery to another channel’s chat is not sent', async () =>
    expect(await sender.send(delivery('x', { sink: 'sink:telegram:78' }))).toMatchObject({
      reason: { code: 'sink_unknown' },
    }))
})

describe('a question sent to Telegram', () => {
  const CARD = { kind: 'card', approval: 'a1' } as const
  const keyboards = () => [...telegram.messenger.messages.values()].map(({ markup }) => markup !== undefined)
  it('a question has its buttons under its last message, whose id is stored', async () => {
    await sender.send(delivery(LONG, CARD))
    expect(keyboards()).toEqual([false, false, true])
    expect(cards.get('d1')).toBe([...telegram.messenger.messages.values()].at(-1)?.id)
  })
  it('an answered question loses its buttons and shows the decision', async () => {
    await sender.send(delivery('May I?', CARD))
    await sender.send(delivery('May I?\n\nYou said yes.', { kind: 'notice' }))
    expect([standing(), keyboards()]).toEqual([['May I?\n\nYou said yes.'], [false]])
  })
  it('a question that is delivered repeatedly is sent once', async () => {
    for (const _ of [1, 2]) await sender.send(delivery('May I?', CARD))
    expect(standing()).toEqual(['May I?'])
  })
  it.each(['answer', 'notice'] as const)('a %s has no buttons', async (kind) => {
    await sender.send(delivery('x', { kind, approval: 'a1' }))
    expect(keyboards()).toEqual([false])
  })
})

describe('a refusal of the Bot API', () => {
  it.each<[string, Order['refuse'], object]>([
    [
      'too many',
      { code: 429, times: 1, after: 7 },
      { code: 'remote_rate_limited', facts: { retryAfter: 7_000 } },
    ],
    ['too many, for ever', { code: 429, times: 1, after: 1e9 }, { facts: { retryAfter: 3_600_000 } }],
    [
      'too many, for less than nothing',
      { code: 429, times: 1, after: -1 },
      { facts: expect.not.objectContaining({ retryAfter: expect.anything() }) },
    ],
    ['its own trouble', { code: 502, times: 1, words: 'Bad Gateway' }, { code: 'remote_unavailable' }],
    [
      'a token that was taken back',
      { code: 401, times: 1, words: 'Unauthorized' },
      { code: 'credential_rejected' },
    ],
    ['a reader who wants none', { code: 403, times: 1, words: 'Forbidden: x' }, { code: 'remote_rejected' }],
  ])('a refusal has its reason: %s', async (_name, refuse, reason) => {
    telegram.order({ ...(refuse !== undefined && { refuse }) })
    expect(await sender.send(delivery('x'))).toMatchObject({ reason })
  })

  it.each([
    ['another token', { token: `4242:${'x'.repeat(35)}` }, 'credential_rejected'],
    ['no token', { token: 'x' }, 'credential_rejected'],
    ['nobody there', { origin: 'http://127.0.0.1:9' }, 'network_failed'],
  ])('a failure has its reason: %s, without the token in the result (H-04)', async (_name, over, code) => {
    const connection = {
      token: BOT_TOKEN,
      origin: telegram.origin,
      transport: createFetchTransport(),
      ...over,
    }
    const said = await createBotApi(connection).ask((bot) => bot.sendMessage(CHAT, 'x'))
    expect(said).toMatchObject({ reason: { code } })
    expect(JSON.stringify(said)).not.toContain(connection.token)
  })

  it.each([302, 303])('a chat id beyond the Bot API’s range is not requested: %i', async (status) => {
    const sent: string[] = []
    const redirecting = {
      send: async ({ url, exempt }: { url: URL; exempt: boolean }) => {
        sent.push(`${url.host}${exempt ? ', wherever it leads' : ''}`)
        return {
          ok: true as const,
          value: {
            status,
            headers: { location: 'https://elsewhere.example.com/' },
            body: (async function* () {})(),
          },
        }
      },
    }
    const moved = createBotApi({
      token: BOT_TOKEN,
      origin: 'https://api.telegram.org',
      transport: redirecting,
    })
    expect((await moved.ask((bot) => bot.sendMessage(CHAT, 'x'))).ok).toBe(false)
    expect(sent).toEqual(['api.telegram.org'])
  })
})

describe('deleting a message in Telegram', () => {
  it('a message is deleted in its chat', async () => {
    const id = telegram.write(CHAT, 'my key is …')
    expect(await sender.retract?.({ sink: 'sink:telegram:77', message: String(id) })).toMatchObject({
      ok: true,
    })
    expect(standing()).toEqual([])
  })
  it.each([
    ['not there any more', 'sink:telegram:77', '999999', 'nothing_found'],
    ['no message of Telegram’s', 'sink:telegram:77', '1/../2', 'sink_unknown'],
    ['of another chat', 'sink:telegram:78', '1', 'sink_unknown'],
  ])('a message is not deleted: %s', async (_name, sink, message, code) =>
    expect(await sender.retract?.({ sink, message })).toMatchObject({ reason: { code } }),
  )
})

/** The scripted Telegram must be as strict as the real one: tests of what it accepts prove nothing otherwise. */
describe('requests that the scripted Bot API refuses', () => {
  const ask = async (method: string, args: object, token = BOT_TOKEN): Promise<string> => {
    const body = JSON.stringify(args)
    const said = await fetch(`${telegram.origin}/bot${token}/${method}`, { method: 'POST', body })
    const { description = 'ok' } = (await said.json()) as { description?: string }
    return description
  }
  const say = (over: object) => ['sendMessage', { chat_id: CHAT, text: 'x', ...over }] as const
  const button = (data: string) => ({
    reply_markup: { inline_keyboard: [[{ text: 'x', callback_data: data }]] },
  })
  it.each<[string, readonly [string, object], RegExp]>([
    ['no text', say({ text: '' }), /text is empty/],
    ['4,097 characters', say({ text: 'x'.repeat(4_097) }), /too long/],
    ['an unknown chat', say({ chat_id: 1 }), /chat not found/],
    ['an entity beyond the text', say({ entities: [{ type: 'bold', offset: 0, length: 2 }] }), /beyond/],
    ['an unknown entity', say({ entities: [{ type: 'blink', offset: 0, length: 1 }] }), /unsupported/],
    ['65 bytes in a button', say(button('é'.repeat(33))), /BUTTON_DATA_INVALID/],
    [
      'a message that is not there',
      ['editMessageText', { chat_id: CHAT, message_id: 1, text: 'x' }],
      /not found/,
    ],
    ['an unknown method', ['sendNothing', {}], /method not found/],
    ['a tap that nobody made', ['answerCallbackQuery', { callback_query_id: '1' }], /too old/],
    ['a wrong action', ['sendChatAction', { chat_id: CHAT, action: 'sing' }], /wrong parameter/],
    ['a webhook that is no https', ['setWebhook', { url: 'http://example.com' }], /HTTPS/],
    ['a bad command', ['setMyCommands', { commands: [{ command: 'No', description: 'x' }] }], /INVALID/],
  ])('the scripted Bot API refuses: %s', async (_name, [method, args], words) =>
    expect(await ask(method, args)).toMatch(words),
  )

  it('the scripted Bot API refuses polling while a webhook is set', async () => {
    await ask('setWebhook', { url: 'https://example.com/x', secret_token: 'a' })
    expect(await ask('getUpdates', {})).toMatch(/^Conflict/)
    await ask('deleteWebhook', {})
    expect(await ask('getUpdates', {})).toBe('ok')
  })
})

/**
 * grammY behind the scoped client (H-04, I-04): each request passes our transport, once and with no redirect; grammY itself connects to
 * nothing, repeats nothing, prints nothing and never holds the token.
 */
import type * as Grammy from 'grammy/web'
import { afterEach, beforeEach, describe, expect, it, test, vi } from 'vitest'
import { type BotApi, createBotApi, fetchFile, setWebhook } from '../../integrations/channels/telegram/api.ts'
import { clearMenus } from '../../integrations/channels/telegram/menu.ts'
import type { TransportRequest, TransportResponse } from '../../integrations/http/transport.ts'
import { err, type Result } from '../../kernel/flow/verdict.ts'
import { BOT_TOKEN } from '../fakes/telegram-token.ts'

/** What grammY was given, and each URL that it asked its `fetch` for. */
const given = vi.hoisted(() => ({
  tokens: [] as string[],
  options: [] as Grammy.ApiClientOptions[],
  urls: [] as string[],
}))
vi.mock('grammy/web', async (original) => {
  const real = await original<typeof Grammy>()
  class WatchedApi extends real.Api {
    constructor(token: string, options?: Grammy.ApiClientOptions) {
      const scoped = options?.fetch
      super(token, {
        ...options,
        fetch: (url: string, init: unknown) => {
          given.urls.push(url)
          return scoped(url, init)
        },
      })
      given.tokens.push(token)
      given.options.push(options ?? {})
    }
  }
  return { ...real, Api: WatchedApi }
})

const ORIGIN = 'https://api.telegram.org'
const SECRET_WORDS = 'the owner’s own words'
const CONSOLE = ['debug', 'error', 'info', 'log', 'trace', 'warn'] as const

let sent: TransportRequest[]
let printed: unknown[][]
let answer: { readonly status: number; readonly body: string; readonly headers?: Record<string, string> }

beforeEach(() => {
  sent = []
  printed = []
  for (const list of Object.values(given)) list.length = 0
  answer = { status: 200, body: '{"ok":true,"result":true}' }
  vi.stubGlobal('fetch', () => expect.fail('only the scoped client connects'))
  vi.stubEnv('DEBUG', '*')
  for (const name of CONSOLE)
    vi.spyOn(console, name).mockImplementation((...words) => void printed.push(words))
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

const send = async (request: TransportRequest): Promise<Result<TransportResponse>> => {
  sent.push(request)
  const { status, body, headers = {} } = answer
  return {
    ok: true,
    value: {
      status,
      headers,
      body: (async function* () {
        yield new TextEncoder().encode(body)
      })(),
    },
  }
}
const bot = (transport = { send }): BotApi => createBotApi({ token: BOT_TOKEN, origin: ORIGIN, transport })
const granted = (result: unknown): void => {
  answer = { status: 200, body: JSON.stringify({ ok: true, result }) }
}
const textOf = ({ body }: TransportRequest): string =>
  typeof body === 'string' ? body : new TextDecoder().decode(body ?? new Uint8Array())

const MESSAGE = { message_id: 5 }
/** Every use of the Bot API in the channel. */
const USES: readonly (readonly [string, unknown, (api: BotApi) => Promise<Result<unknown>>])[] = [
  ['sendMessage', MESSAGE, (api) => api.ask((one) => one.sendMessage(7, SECRET_WORDS))],
  ['editMessageText', true, (api) => api.ask((one) => one.editMessageText(7, 5, SECRET_WORDS))],
  ['deleteMessage', true, (api) => api.ask((one) => one.deleteMessage(7, 5))],
  ['sendChatAction', true, (api) => api.ask((one) => one.sendChatAction(7, 'typing'))],
  [
    'answerCallbackQuery',
    true,
    (api) => api.ask((one) => one.answerCallbackQuery('q', { text: SECRET_WORDS })),
  ],
  [
    'sendDocument',
    MESSAGE,
    (api) => api.ask((one, fileOf) => one.sendDocument(7, fileOf(SECRET_WORDS, 'a.txt'))),
  ],
  ['getFile', { file_id: 'f' }, (api) => api.ask((one) => one.getFile('f'))],
  ['getMe', { id: 4242, username: 'a_bot' }, (api) => api.ask((one) => one.getMe())],
  ['getUpdates', [], (api) => api.ask((one) => one.getUpdates({ timeout: 50 }))],
  [
    'setWebhook',
    true,
    (api) => setWebhook(api, { edge: 'https://edge.example.com', secret: 's', isFresh: true }),
  ],
  ['deleteWebhook', true, (api) => api.ask((one) => one.deleteWebhook())],
  ['getWebhookInfo', { url: '', pending_update_count: 0 }, (api) => api.ask((one) => one.getWebhookInfo())],
  ['setMyCommands', true, (api) => api.ask((one) => one.setMyCommands([]))],
  ['deleteMyCommands', true, clearMenus],
]

describe.each(USES)('%s', (method, result, use) => {
  it('passes the scoped client, where the token is added behind grammY', async () => {
    granted(result)
    expect(await use(bot())).toMatchObject({ ok: true })
    expect(new Set(sent.map(({ url }) => url.href))).toEqual(new Set([`${ORIGIN}/bot${BOT_TOKEN}/${method}`]))
    expect(sent.map(({ headers }) => Object.keys(headers))).toEqual(
      sent.map(() => ['content-type', 'user-agent']),
    )
    expect(given.urls).toHaveLength(sent.length)
    expect(given.tokens).toHaveLength(1)
    expect(JSON.stringify(given)).not.toContain(BOT_TOKEN.slice(5))
  })

  it.each([
    [
      'an error of Telegram’s',
      500,
      '{"ok":false,"error_code":500,"description":"Internal"}',
      'remote_unavailable',
    ],
    ['a page of a proxy', 502, '<html>Bad Gateway</html>', 'remote_unavailable'],
    ['a limit', 429, '{"ok":false,"error_code":429,"parameters":{"retry_after":3}}', 'remote_rate_limited'],
    ['a limit of a proxy', 429, 'slow down', 'remote_rate_limited'],
    ['another answer', 200, '{"result":true}', 'remote_unavailable'],
    ['a redirect', 302, '', 'redirect_refused'],
  ])('is sent once where the answer is %s', async (_what, status, body, code) => {
    answer = { status, body, headers: { location: `${ORIGIN}/elsewhere` } }
    const said = await use(bot())
    expect(said).toMatchObject({ reason: { code } })
    expect(sent).toHaveLength(1)
    expect(JSON.stringify(said)).not.toContain(SECRET_WORDS)
  })
})

test.each([
  ['nobody is there', async () => err('network_failed'), 'network_failed'],
  ['the address is a private one', async () => err('address_private'), 'address_private'],
  ['the transport throws', async () => expect.fail(`${ORIGIN}/bot${BOT_TOKEN}/`), 'network_failed'],
])(
  'a request is not repeated where %s, and its refusal is the scoped client’s',
  async (what, fails, code) => {
    let asked = 0
    const transport = {
      send(): Promise<Result<TransportResponse>> {
        asked += 1
        return fails()
      },
    }
    const refused = await bot(transport).ask((one) => one.sendMessage(7, SECRET_WORDS))
    expect(refused).toMatchObject({ ok: false, reason: { code } })
    // Where it was being sent already, it may have come.
    expect(refused.ok ? null : refused.reason.facts).toEqual(
      what === 'the transport throws' ? { sent: 'perhaps' } : {},
    )
    expect(asked).toBe(1)
  },
)

test('a result of another shape is refused, whatever its type claims', async () => {
  granted({ message_id: 'no number' })
  expect(await bot().ask((one) => one.sendMessage(7, 'x'))).toMatchObject({
    reason: { code: 'remote_rejected', facts: { why: 'answer' } },
  })
})

test('a file is fetched by the scoped client, with the token in its path', async () => {
  granted({ file_id: 'f', file_path: 'documents/a.txt' })
  expect(await fetchFile(bot(), 'f', 1_000)).toMatchObject({ ok: true })
  expect(sent.map(({ url }) => url.href)).toEqual([
    `${ORIGIN}/bot${BOT_TOKEN}/getFile`,
    `${ORIGIN}/file/bot${BOT_TOKEN}/documents/a.txt`,
  ])
})

test('a file is sent as a form, by the scoped client', async () => {
  granted(MESSAGE)
  await bot().ask((one, fileOf) => one.sendDocument(7, fileOf(SECRET_WORDS, 'a.txt'), { caption: 'c' }))
  expect(sent[0]?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=-{10}[a-z0-9]{32}$/)
  expect(sent.map(textOf).join('')).toContain(SECRET_WORDS)
})

test('grammY prints nothing, is not told to, and answers no webhook itself', async () => {
  for (const [, result, use] of USES) {
    granted(result)
    await use(bot())
  }
  answer = { status: 401, body: '{"ok":false,"error_code":401,"description":"Unauthorized"}' }
  await bot().ask((one) => one.getMe())
  expect(printed).toEqual([])
  expect(new Set(given.options.map(({ sensitiveLogs }) => sensitiveLogs))).toEqual(new Set([false]))
  expect(given.options.every(({ canUseWebhookReply }) => canUseWebhookReply === undefined)).toBe(true)
})

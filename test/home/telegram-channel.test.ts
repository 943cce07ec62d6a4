/**
 * How home finds the owner of its bot while it runs (H-13): transient errors are retried with growing delays and never
 * earlier than Telegram asks (H-12, H-17); permanent ones end the search.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test, vi } from 'vitest'
import { createFetchTransport } from '../../durable-objects/platform/fetch-transport.ts'
import { TELEGRAM_CHANNEL } from '../../integrations/channels/telegram/channel.ts'
import { createTelegramChannel } from '../../integrations/channels/telegram/home.ts'
import { isPassing } from '../../kernel/features/deliveries/waiting-line.ts'
import { ok } from '../../kernel/flow/verdict.ts'
import { tableFile } from '../../sidecar/config/config-edit.ts'
import { type Order, type ScriptedTelegram, startTelegram } from '../fakes/telegram-server.ts'
import { BOT_TOKEN } from '../fakes/telegram-token.ts'
import { newFolder } from '../kit/folder.ts'
import { closing } from '../kit/stop.ts'

/** Arguments of each pause; none is waited for. */
const pauses = vi.hoisted((): (readonly [failures: number, retryAfter: number | null])[] => [])
vi.mock(import('../../integrations/channels/runtime/backoff.ts'), async (original) => ({
  ...(await original()),
  pauseAfter(failures, _chance, retryAfter) {
    pauses.push([failures, retryAfter])
    return 0
  },
}))

const CODE = 'ABCD-EFGH-JKMN'
const OWNER = 7

let telegram: ScriptedTelegram
let folder: string
let listened: number[]

beforeEach(async () => {
  pauses.length = 0
  listened = []
  telegram = closing(await startTelegram())
  folder = newFolder('channel')
  writeFileSync(join(folder, 'config.toml'), '')
})

const find = () => {
  const channel = createTelegramChannel({
    ...{ origin: telegram.origin, transport: createFetchTransport(), now: () => 1 },
    live: { config: () => null, set: async (config) => void listened.push(config?.owner ?? 0) },
    token: {
      whose: async (of) => ok(of(BOT_TOKEN) ?? expect.fail('no token of a bot')),
      issue: async () => ok({ value: BOT_TOKEN, version: 1 }),
      settle: () => undefined,
    },
    store: { startOver: () => undefined },
    table: tableFile(TELEGRAM_CHANNEL, join(folder, 'config.toml')),
    isPassing,
  })
  telegram.write(OWNER, CODE)
  return channel.find(CODE, AbortSignal.timeout(10_000))
}

test.each<[string, Order['refuse'], readonly (readonly [number, number | null])[]]>([
  ['at once where Telegram answers', { code: 502, times: 0 }, []],
  [
    'after its trouble, ever later',
    { code: 502, times: 2, words: 'Bad Gateway' },
    [
      [1, null],
      [2, null],
    ],
  ],
  ['not before Telegram wants to be asked', { code: 429, times: 1, after: 7 }, [[1, 7_000]]],
])('the owner is found %s', async (_what, refuse, asked) => {
  telegram.order({ ...(refuse && { refuse: { ...refuse, method: 'getUpdates' } }) })
  expect([await find(), pauses, listened]).toEqual([ok(true), asked, [OWNER]])
})

test('a revoked token ends the search', async () => {
  telegram.order({ revoked: true })
  expect([await find(), pauses, listened]).toMatchObject([
    { ok: false, reason: { code: 'credential_rejected' } },
    ...[[], []],
  ])
})

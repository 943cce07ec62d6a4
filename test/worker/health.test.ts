/**
 * The edge's health report to its owner's device: for nobody else, without a value of a setting, and with the bot's webhook (S-18,
 * H-03).
 */
import { env, exports } from 'cloudflare:workers'
import { afterAll, afterEach, beforeEach, expect, inject, test } from 'vitest'
import { createApp } from '../../worker/app.ts'
import { BOT_TOKEN } from '../fakes/telegram-token.ts'
import { SECRET } from '../fakes/telegram-updates.ts'
import { EDGE, signed } from './signed.ts'

const HEALTH = '/line/health'
const WEBHOOK = `${HEALTH}/webhook`

interface Told {
  readonly at: number
  readonly troubles: readonly string[]
  readonly bot: object | null
}

/** Health report of the edge as configured, or with other bindings. */
async function look(other: Readonly<Record<string, string>> | null = null): Promise<Told> {
  const request = await signed(HEALTH)
  const answer =
    other === null
      ? await exports.default.fetch(request)
      : await createApp().fetch(request, { ...env, ...other })
  expect(answer.status).toBe(200)
  return answer.json<Told>()
}

async function order(body: string): Promise<number> {
  return (await exports.default.fetch(await signed(WEBHOOK, { body }))).status
}

async function fares(pending: number, failed: object | null): Promise<void> {
  const control = { method: 'POST', body: JSON.stringify({ fares: { pending, failed } }) }
  await fetch(`${inject('telegram')}/control`, control)
}

beforeEach(() => order('{"set":false}'))
afterEach(async () => {
  await fares(0, null)
  await order('{"set":false}')
})
// The next file expects the webhook to be set.
afterAll(() => order('{"set":true}'))

test('only an enrolled device can read the report or set the webhook', async () => {
  const asked = [HEALTH, WEBHOOK].map((path, post) =>
    exports.default.fetch(`${EDGE}${path}`, post === 1 ? { method: 'POST', body: '{"set":true}' } : {}),
  )
  expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([401, 401])
  expect((await look()).bot).toMatchObject({ here: false })
})

test('a signature sets the webhook once', async () => {
  const request = await signed(WEBHOOK, { body: '{"set":true}' })
  const twice = [request.clone(), request] as const
  expect((await exports.default.fetch(twice[0])).status).toBe(200)
  expect((await exports.default.fetch(twice[1])).status).toBe(401)
})

test('the webhook is set to the requested origin, and removed', async () => {
  expect((await look()).bot).toEqual({ here: false, pending: 0, failedAt: null, said: null })
  expect(await order('{"set":true}')).toBe(200)
  expect((await look()).bot).toMatchObject({ here: true })
  expect(await order('{"set":false}')).toBe(200)
  expect((await look()).bot).toMatchObject({ here: false })
})

test('a webhook to another address is reported as not here', async () => {
  const body = JSON.stringify({ url: `${EDGE}.example.com/telegram/open`, secret_token: SECRET })
  await fetch(`${inject('telegram')}/bot${BOT_TOKEN}/setWebhook`, { method: 'POST', body })
  expect((await look()).bot).toMatchObject({ here: false })
})

test('pending updates and the last error are reported, with a long text cut', async () => {
  await fares(7, { at: 1_700_000_000, said: 'x'.repeat(4_000) })
  expect((await look()).bot).toEqual({
    ...{ here: false, pending: 7, failedAt: 1_700_000_000 },
    said: 'x'.repeat(120),
  })
})

test.each([['{}'], ['{"set":1}'], ['{"set":true,"url":"https://evil.example"}'], ['nonsense']])(
  'a request of another form is refused: %s',
  async (body) => {
    expect(await order(body)).toBe(400)
    expect((await look()).bot).toMatchObject({ here: false })
  },
)

test.each([
  ['nothing', {}, []],
  ['a budget', { BUDGET: '{"tokens_per_day": "4711-canary"}' }, ['BUDGET.tokens_per_day']],
  ['origins', { MODEL_ORIGINS: '["4711-canary"]' }, ['MODEL_ORIGINS.0']],
  ['a model', { MODELS: '{"chain":["4711-canary"]}' }, ['MODELS.chain']],
  ['a bot', { TELEGRAM: '{"owner":"4711-canary"}' }, ['TELEGRAM.owner']],
  ['its token', { TELEGRAM_TOKEN: '4711-canary' }, ['TELEGRAM_TOKEN']],
] as const)('the invalid setting is named, never its value: %s', async (_what, other, troubles) => {
  const told = await look(other)
  expect(told.troubles).toEqual(troubles)
  expect(JSON.stringify(told)).not.toContain('canary')
})

test('neither token nor secret is reported, and an edge without a bot says so', async () => {
  await order('{"set":true}')
  const told = JSON.stringify(await look())
  for (const secret of [BOT_TOKEN, SECRET, BOT_TOKEN.split(':')[1] ?? '']) expect(told).not.toContain(secret)
  expect((await look({ TELEGRAM: '' })).bot).toBeNull()
  expect((await look()).at).toBeGreaterThan(1_700_000_000_000)
})

/**
 * Health check of the owner's bot (H-11, H-14), in real workerd with a scripted Bot API and a fake clock: a fault is reported once,
 * on the next of the owner's chats if the bot's own fails, and the assistant knows of it.
 */
import { abortAllDurableObjects, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterAll, beforeEach, describe, expect, inject, test, vi } from 'vitest'
import { KERNEL_NAME } from '../../durable-objects/names.ts'
import { createFetchTransport } from '../../durable-objects/platform/fetch-transport.ts'
import { createEdgeSelf } from '../../durable-objects/principal/self.ts'
import {
  createChannelHealth,
  FAILING_EVERY,
  HEALTH_EVERY,
  MOST_FAILURES,
} from '../../durable-objects/registry/channel-health.ts'
import { createBotApi } from '../../integrations/channels/telegram/api.ts'
import { webhookTrouble } from '../../integrations/channels/telegram/edge.ts'
import { LEAST_BETWEEN } from '../../kernel/self/keeper.ts'
import { wordsFor } from '../../kernel/wording/words.ts'
import { BOT_TOKEN } from '../fakes/telegram-token.ts'
import { OWNER_ID } from '../fakes/telegram-updates.ts'
import { deliveriesAfter, emptyEdge, endOf, say } from './edge.ts'
import { alarmIn, homeWasHere } from './home-peer.ts'
import { order, standingIn } from './telegram.ts'

const kernel = () => env.KERNEL.getByName(KERNEL_NAME)
const SAID = `Telegram: ${wordsFor('channel_failing')}`
const SETTING = {
  owner: OWNER_ID,
  strangers: 'silent',
  api: inject('telegram'),
  token: BOT_TOKEN,
  secret: '',
  commands: [],
} as const
const PATH = '/telegram/open'

async function clear(): Promise<void> {
  vi.useRealTimers()
  await order({ webhook: {}, fares: { pending: 0, failed: null }, forget: true })
  await emptyEdge()
}
beforeEach(clear)
afterAll(clear)

const told = async () =>
  (await deliveriesAfter(0)).filter(({ kind }) => kind === 'notice').map(({ text }) => text)
const noted = () =>
  runInDurableObject(kernel(), (_, { storage }) =>
    [...storage.sql.exec<{ facts: string }>('select facts from audit order by seq')].map(({ facts }) =>
      JSON.parse(facts),
    ),
  )

/** Advances the clock and runs the alarm. */
async function looked(times: number, each = HEALTH_EVERY): Promise<void> {
  for (let n = 0; n < times; n += 1) {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + each })
    await runDurableObjectAlarm(kernel())
  }
}

test('three failures in a row are reported once, on the open line when Telegram accepts nothing', async () => {
  await homeWasHere()
  expect(await alarmIn()).toBeLessThanOrEqual(HEALTH_EVERY)
  await looked(2)
  await order({ webhook: null })
  await looked(MOST_FAILURES - 1)
  expect(await told()).toEqual([])
  expect((await kernel().syncedFor(null)).bot).toBe(true)
  await looked(3)
  expect(await told()).toEqual([SAID])
  expect((await kernel().syncedFor(null)).bot).toBe(false)
  const { task } = await say('/status')
  expect((await endOf(task)).reply).toMatch(
    /Telegram does not work now[\s\S]*reach me here: the open line\.\nVersion \d/,
  )
  expect(await noted()).toEqual([{ code: 'channel_failing', trouble: 'not_set' }])
  await abortAllDurableObjects()
  await order({ webhook: {} })
  await looked(1)
  expect((await kernel().syncedFor(null)).bot).toBe(true)
  expect((await noted()).at(-1)).toEqual({ code: 'channel_failing', trouble: 'none' })
  await order({ webhook: null })
  await looked(MOST_FAILURES)
  expect(await told()).toHaveLength(2)
})

test('a failing webhook is reported in the owner’s chat while that accepts messages', async () => {
  await order({ chats: [OWNER_ID] })
  await homeWasHere()
  await order({ webhook: { url: 'https://other.example.com/x' } })
  const before = (await standingIn(OWNER_ID)).length
  await looked(MOST_FAILURES)
  expect((await standingIn(OWNER_ID)).slice(before).map(({ text }) => text)).toEqual([SAID])
  expect(await told()).toEqual([])
})

test('an edge that home never connected to checks nothing', async () => {
  await kernel().syncedFor(null)
  expect(await runDurableObjectAlarm(kernel())).toBe(false)
})

const apiOf = ({ token, api }: Readonly<Record<'token' | 'api', string>>) =>
  createBotApi({ token, origin: api, transport: createFetchTransport() })

describe('faults of a webhook', () => {
  const NOW = 1_795_435_200
  /** `failed`: epoch seconds. */
  const fared = (pending: number, failed?: number): Parameters<typeof order>[0] => ({
    fares: { pending, failed: failed === undefined ? null : { at: failed, said: 'Wrong response' } },
  })
  test.each<[string, Parameters<typeof order>[0], string | null]>([
    ['nothing', { webhook: {} }, null],
    ['there is none', { webhook: null }, 'not_set'],
    ['it leads elsewhere', { webhook: { url: 'https://edge.example.com/hook' } }, 'elsewhere'],
    ['updates wait that could not be brought', fared(1, NOW), 'errors'],
    ['one could not be brought, and was since', fared(0, NOW), null],
    ['that was long ago, and one is on its way', fared(1, NOW - 60), null],
    ['too many wait', fared(100), 'waiting'],
    ['some wait', fared(99), null],
    [
      'Telegram does not answer',
      { refuse: { code: 502, times: 1, words: 'Bad Gateway' } },
      'remote_unavailable',
    ],
    [
      'the token is no longer good',
      { refuse: { code: 401, times: 1, words: 'Unauthorized' } },
      'credential_rejected',
    ],
  ])('a webhook is healthy or not: %s', async (_name, given, trouble) => {
    await order(given)
    expect(await webhookTrouble(apiOf(SETTING), { path: PATH, since: NOW * 1_000 })).toBe(trouble)
  })
})

describe('the periodic check', () => {
  const looking = (
    work: (health: ReturnType<typeof createChannelHealth>, world: World) => Promise<void>,
    over: { readonly check?: null } = {},
  ) =>
    runInDurableObject(kernel(), async (_, { storage }) => {
      const world: World = { now: 1_000_000_000, trouble: null, tells: true, told: [], wakes: [], since: [] }
      const health = createChannelHealth({
        ...{ kv: storage.kv, now: () => world.now, note: () => undefined },
        async check(since) {
          world.since.push(since)
          if (world.trouble === 'throws') throw new Error('gone')
          return world.trouble
        },
        async tell({ id }) {
          world.told.push(id)
          return world.tells
        },
        wakeAt: (at) => world.wakes.push(at - world.now),
        ...over,
      })
      await work(health, world)
    })
  interface World {
    now: number
    trouble: string | null
    tells: boolean
    readonly told: string[]
    readonly wakes: number[]
    readonly since: number[]
  }

  test('the check runs at its interval, sooner after a failure, and not when the alarm serves another part', async () => {
    await looking(async (health, world) => {
      health.begin()
      world.now += HEALTH_EVERY - 1
      await health.look()
      expect([world.since, world.wakes.splice(0)]).toEqual([[], [HEALTH_EVERY, 1]])
      world.now += 1
      world.trouble = 'throws'
      await health.look()
      expect(world.wakes.splice(0)).toEqual([FAILING_EVERY])
      world.now += FAILING_EVERY
      world.trouble = null
      await health.look()
      expect(world.wakes).toEqual([HEALTH_EVERY])
      expect(world.since).toEqual([1_000_000_000, 1_000_000_000 + HEALTH_EVERY])
    })
  })

  test('occasional failures are not reported', async () => {
    await looking(async (health, world) => {
      health.begin()
      for (const trouble of ['a', 'b', null, 'a', 'b', null]) {
        world.now += HEALTH_EVERY
        world.trouble = trouble
        await health.look()
      }
      expect(world.told).toEqual([])
    })
  })

  test('a notice that could not be delivered is delivered at the next check', async () => {
    await looking(async (health, world) => {
      world.trouble = 'a'
      world.tells = false
      health.begin()
      for (let n = 0; n < MOST_FAILURES + 1; n += 1) {
        world.now += HEALTH_EVERY
        await health.look()
      }
      expect([world.told.length, health.works()]).toEqual([2, true])
      world.tells = true
      for (let n = 0; n < 2; n += 1) {
        world.now += HEALTH_EVERY
        await health.look()
      }
      expect([world.told.length, health.works()]).toEqual([3, false])
    })
  })

  test('without a channel there is no check', async () => {
    await looking(
      async (health, world) => {
        health.begin()
        await health.look()
        expect([world.wakes, health.works()]).toEqual([[], true])
      },
      { check: null },
    )
  })
})

test('a channel that starts or stops working appears in the assistant’s next self-description, under another version (H-14)', async () => {
  const self = createEdgeSelf(['open line', 'telegram'])
  const channels = () => self.keeper.current().sections.find(({ kind }) => kind === 'channels')
  const [before, version] = [channels(), self.keeper.current().version]
  expect(before).toMatchObject({
    items: [
      { name: 'open line', note: '' },
      { name: 'telegram', note: '' },
    ],
  })
  self.setBotReceives(false)
  await new Promise((resolve) => setTimeout(resolve, LEAST_BETWEEN + 50))
  expect(channels()).toMatchObject({ items: [{ note: '' }, { name: 'telegram', note: 'not working' }] })
  expect(self.keeper.current().version).not.toBe(version)
})

/** The edge's notices about an absent home: no backup for more than a day, or no connection (E-17). With a fake clock. */
import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { KERNEL_NAME, TUNNEL_NAME } from '../../durable-objects/names.ts'
import {
  BACKUP_OVERDUE,
  createHomeNews,
  createHomeWatch,
  HOME_ABSENT,
  TELL_AGAIN,
} from '../../durable-objects/registry/home-watch.ts'
import { PROTOCOL_VERSION } from '../../kernel/tunnel/frame.ts'
import { wordsFor } from '../../kernel/wording/words.ts'
import { deliveriesAfter, emptyEdge, until } from './edge.ts'
import { alarmIn, HomePeer, homeWasHere } from './home-peer.ts'

const kernel = () => env.KERNEL.getByName(KERNEL_NAME)
const HOUR = 3_600_000

async function clear(): Promise<void> {
  vi.useRealTimers()
  await emptyEdge()
}
beforeEach(clear)
afterAll(clear)

/** Stops the clock, this many milliseconds ahead. */
function later(ms: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms })
}

const told = async () =>
  (await deliveriesAfter(0)).filter(({ kind }) => kind === 'notice').map(({ text }) => text)
const ring = () => runDurableObjectAlarm(kernel())
const noted = () =>
  runInDurableObject(kernel(), (_, { storage }) =>
    [...storage.sql.exec<{ facts: string }>('select facts from audit order by seq')].map(({ facts }) =>
      JSON.parse(facts),
    ),
  )

test('an absent home is reported once, its return as well, and its absence again after it left', async () => {
  await homeWasHere()
  expect(await alarmIn()).toBeLessThanOrEqual(HOME_ABSENT)
  later(HOME_ABSENT - HOUR)
  await ring()
  expect(await told()).toEqual([])
  later(2 * HOUR)
  await ring()
  expect(await told()).toEqual([wordsFor('home_absent')])
  expect(await noted()).toEqual([{ code: 'home_absent', told: 1 }])
  later(HOME_ABSENT)
  await ring()
  expect(await told()).toEqual([wordsFor('home_absent')])
  await homeWasHere()
  await ring()
  await until(told, (texts) => texts.length > 1)
  expect(await told()).toEqual([wordsFor('home_absent'), wordsFor('home_returned')])
  // A short absence that nobody was told of has no return.
  await homeWasHere()
  await ring()
  expect(await told()).toHaveLength(2)
  later(HOME_ABSENT + HOUR)
  await ring()
  expect(await told()).toEqual([wordsFor('home_absent'), wordsFor('home_returned'), wordsFor('home_absent')])
})

test('the time of home’s last connection is known after it has gone', async () => {
  const before = Date.now()
  await homeWasHere()
  const seen = await env.TUNNEL.getByName(TUNNEL_NAME).homeSeenAt()
  expect(seen).toBeGreaterThanOrEqual(before)
  later(HOUR)
  expect(await env.TUNNEL.getByName(TUNNEL_NAME).homeSeenAt()).toBe(seen)
})

test('a missing backup is reported once, a day and two hours after the last one', async () => {
  const peer = await HomePeer.greet()
  const at = Date.now()
  for (const frame of peer.channel.send({ type: 'backup', at: at - 5 * HOUR })) peer.send({ ...frame, at })
  await peer.acked()
  later(BACKUP_OVERDUE - 6 * HOUR)
  await ring()
  expect(await told()).not.toContain(wordsFor('backup_missed'))
  later(2 * HOUR)
  await ring()
  expect(await told()).toContain(wordsFor('backup_missed'))
  later(HOUR)
  await ring()
  expect((await told()).filter((text) => text === wordsFor('backup_missed'))).toHaveLength(1)
})

test('an edge that never had a home, or a backup, reports nothing', async () => {
  later(10 * BACKUP_OVERDUE)
  expect(await ring()).toBe(false)
  expect(await told()).toEqual([])
})

describe('the watch for an absent home', () => {
  interface Clocked {
    readonly kv: SyncKvStorage
    now: number
    seen: number
    tells: boolean | 'throws'
  }
  const watching = (
    work: (watch: ReturnType<typeof createHomeWatch>, clock: Clocked, log: string[]) => Promise<void>,
  ) =>
    runInDurableObject(kernel(), async (_, { storage }) => {
      const clock: Clocked = { kv: storage.kv, now: 1_000_000_000, seen: 1_000_000_000, tells: true }
      const log: string[] = []
      const watch = createHomeWatch(storage.kv, {
        now: () => clock.now,
        seenAt: async () => clock.seen,
        async tell({ id }) {
          log.push(id)
          if (clock.tells === 'throws') throw new Error('away')
          return clock.tells
        },
        wakeAt: (at) => void log.push(`wake +${at - clock.now}`),
      })
      await work(watch, clock, log)
    })

  test.each([[false], ['throws']] as const)(
    'a notice that could not be delivered is retried (%s)',
    async (tells) => {
      await watching(async (watch, clock, log) => {
        watch.greeted()
        clock.now += HOME_ABSENT
        clock.tells = tells
        await watch.look()
        expect(log.slice(1)).toEqual(['home_absent:1000000000', `wake +${TELL_AGAIN}`])
        clock.tells = true
        await watch.look()
        await watch.look()
        expect(log.filter((line) => line.startsWith('home_absent'))).toHaveLength(2)
      })
    },
  )

  test('a home that is connected, or was recently, is not reported, however long ago it connected', async () => {
    await watching(async (watch, clock, log) => {
      watch.greeted()
      clock.now += 3 * HOME_ABSENT
      clock.seen = clock.now
      await watch.look()
      clock.now += HOME_ABSENT - 1
      await watch.look()
      expect(log).toEqual([`wake +${HOME_ABSENT}`, `wake +${HOME_ABSENT}`, 'wake +1'])
    })
  })

  test('a backup dated in the future, by a wrong clock, counts from now', async () => {
    await watching(async (watch, clock, log) => {
      watch.backedUp(clock.now + 10 * BACKUP_OVERDUE)
      expect(log).toEqual([`wake +${BACKUP_OVERDUE}`])
      clock.now += BACKUP_OVERDUE
      await watch.look()
      expect(log).toContain('backup_missed:1000000000')
    })
  })
})

test('a home of another version that reconnects during a notice, or after a failed one, causes the same notice id', async () => {
  await runInDurableObject(kernel(), async (_, { storage: { kv } }) => {
    const told: string[] = []
    const telling = Promise.withResolvers<boolean>()
    let now = 1_000_000_000
    const news = createHomeNews({
      ...{ kv, deployed: undefined, self: () => undefined, now: () => now++ },
      async tell({ id }) {
        told.push(id)
        return told.length === 1 ? telling.promise : told.length > 2
      },
    })
    const first = news.incompatible(1, 2)
    await news.incompatible(1, 2)
    telling.resolve(false)
    await first
    await news.incompatible(1, 2)
    expect(told).toEqual(Array(3).fill('home_older:1000000000'))
    await news.incompatible(1, 2)
    expect(told).toHaveLength(3)
  })
})

test('a home that connected during a notice of incompatibility is reported again', async () => {
  await runInDurableObject(kernel(), async (_, { storage: { kv } }) => {
    const told: string[] = []
    let now = 1_000_000_000
    const news = createHomeNews({
      ...{ kv, deployed: undefined, self: () => undefined, now: () => now++ },
      async tell({ id }) {
        told.push(id)
        if (told.length === 1) await news.greeted()
        return true
      },
    })
    await news.incompatible(1, 2)
    await news.incompatible(1, 2)
    expect(told).toEqual(['home_older:1000000000', 'home_older:1000000001'])
  })
})

test.each([
  ['an older', PROTOCOL_VERSION - 1, 'home_older'],
  ['a newer', PROTOCOL_VERSION + 1, 'home_newer'],
] as const)(
  'a home of %s version is reported once, and again after a compatible connection in between (T-11)',
  async (_name, version, code) => {
    const knock = async () => {
      const peer = await HomePeer.connect()
      await peer.next('hello')
      peer.say(JSON.stringify({ kind: 'hello', version, epoch: 1 }))
      expect((await peer.next('refused')).code).toBe('version_incompatible')
      await peer.closed
    }
    await knock()
    await until(told, (texts) => texts.length > 0)
    expect(await told()).toEqual([wordsFor(code)])
    await knock()
    await homeWasHere()
    expect(await told()).toEqual([wordsFor(code)])
    later(1)
    await knock()
    expect(await until(told, (texts) => texts.length > 1)).toEqual([wordsFor(code), wordsFor(code)])
  },
)

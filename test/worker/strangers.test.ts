/**
 * Unknown senders at the owner's bot: they get no answer, no object wakes for them, and the owner gets one notice a day, with inert
 * names (H-18, H-11). In real workerd, with a fake clock.
 */
import { abortAllDurableObjects, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterAll, beforeEach, describe, expect, inject, test, vi } from 'vitest'
import { KERNEL_NAME } from '../../durable-objects/names.ts'
import {
  createStrangers,
  LEAST_BETWEEN_DIGESTS,
  MOST_NAMED,
  MOST_STRANGERS,
  type StrangersInput,
} from '../../durable-objects/registry/strangers.ts'
import { wordsFor } from '../../kernel/wording/words.ts'
import { MAX_STRANGERS } from '../../worker/channels.ts'
import { messageFrom, OWNER_ID, update } from '../fakes/telegram-updates.ts'
import { dumpStorage } from './dump.ts'
import { deliveriesAfter, endOf, owner, say, until } from './edge.ts'
import { bringTo } from './telegram.ts'

const kernel = () => env.KERNEL.getByName(KERNEL_NAME)
const SILENT = { TELEGRAM: JSON.stringify({ owner: OWNER_ID, api: inject('telegram') }) }
const DAY = 86_400_000
const HOUR = 3_600_000

async function clear(): Promise<void> {
  vi.useRealTimers()
  for (const object of [kernel(), owner()])
    await runInDurableObject(object, async (_, { storage }) => {
      await storage.deleteAlarm()
      await storage.deleteAll()
    })
  await abortAllDurableObjects()
}
beforeEach(async () => {
  await clear()
  // An isolate reports at a rate per minute: each test has a minute of its own, and what was left out before is reported here.
  minutes += 10
  later(0)
  await writes(60, 'X')
  await clear()
  minutes += 2
  later(0)
})
afterAll(clear)

let minutes = 0
/** Stops the clock this many milliseconds ahead, of its stopped time or of this test's minute. */
function later(ms: number): void {
  const begun = vi.isFakeTimers() ? 0 : minutes * 60_000
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + begun + ms })
}

const told = async () =>
  (await deliveriesAfter(0)).filter(({ kind }) => kind === 'notice').map(({ text }) => text)
const ring = () => runDurableObjectAlarm(kernel())
const writes = (user: number, first_name: string, text = 'buy the aardvark now') => {
  const message = messageFrom(user, text)
  return bringTo(
    SILENT,
    update({ ...message, from: { id: user, is_bot: false, first_name } } as typeof message),
  )
}

test('three senders are reported in the morning, once, by name and number, and never by their text', async () => {
  for (const [user, name] of [
    [61, 'Ann'],
    [62, 'Bob'],
    [61, 'Ann'],
    [63, 'Cy'],
  ] as const)
    expect(await writes(user, name)).toEqual({ status: 200, ignored: 'principal_not_allowed' })
  expect(await told()).toEqual([])
  await abortAllDurableObjects()
  later(DAY)
  await ring()
  await ring()
  const [digest, ...more] = await told()
  expect(more).toEqual([])
  expect(digest).toBe(
    [
      `3 people whom you do not know have written to me since I last said so: ${wordsFor('strangers_wrote')}`,
      ...['- “Ann”, telegram 61', '- “Bob”, telegram 62', '- “Cy”, telegram 63'],
    ].join('\n'),
  )
  const kept = await runInDurableObject(kernel(), (_, { storage }) => dumpStorage(storage))
  for (const word of ['aardvark', 'Ann'])
    expect([digest?.includes('aardvark'), kept.includes(word)]).toEqual([false, false])
})

test('during a pause no sender is reported, and those who wrote are reported afterwards', async () => {
  await writes(64, 'Dee')
  expect((await endOf((await say('/pause')).task)).reply).toMatch(/^I pause\. /)
  await until(
    () => kernel().paused(),
    (pause) => pause !== null,
  )
  later(DAY)
  await ring()
  expect(await told()).toEqual([])
  expect((await endOf((await say('/resume')).task)).reply).toMatch(/^I go on\. /)
  await until(
    () => kernel().paused(),
    (pause) => pause === null,
  )
  later(HOUR)
  await ring()
  expect(await told()).toEqual([expect.stringMatching(/“Dee”, telegram 64$/)])
})

test.each([
  ['link', 68],
  ['pair', 69],
] as const)('a message in the form of a code (%s) wakes nothing in a group', async (word, user) => {
  const objects = () =>
    runInDurableObject(kernel(), (_, { storage }) => [...storage.kv.list({ prefix: 'object:' })].length)
  const text = `${word} CCCC-CCCC-CCCC`
  const known = await objects()
  const chat = { id: -77, type: 'group', title: 'G' } as const
  const message = { ...messageFrom(user, text), chat }
  expect(await bringTo(SILENT, update(message as ReturnType<typeof messageFrom>))).toEqual({
    status: 200,
    ignored: 'principal_not_allowed',
  })
  expect(await objects()).toBe(known)
  // A code alone is looked at. The platform's limits would also count messages of earlier files.
  const free = { limit: async () => ({ success: true }) }
  const bindings = { ...SILENT, STRANGER_RATE: free, STRANGERS_RATE: free }
  expect((await bringTo(bindings, update(messageFrom(user, text)))).ignored).toBeUndefined()
  expect(await objects()).toBe(known + 1)
})

test('names are stored sealed until the digest', async () => {
  await writes(64, 'Nightjar')
  const kept = await runInDurableObject(kernel(), (_, { storage }) => dumpStorage(storage))
  expect(kept).toContain('strangers')
  expect(kept).not.toMatch(/Nightjar|aardvark/)
})

test('of a flood one isolate reports a limited number a minute, and counts the rest', async () => {
  for (let user = 0; user < 40; user += 1) await writes(800_000 + user, 'X')
  later(90_000)
  await writes(900_000, 'Y')
  later(DAY)
  await ring()
  const [digest] = await told()
  expect(digest).toContain(`${MAX_STRANGERS + 1} people whom you do not know`)
  expect(digest).toContain(`others sent ${40 - MAX_STRANGERS} messages or more`)
  expect(digest).toContain(`- and ${MAX_STRANGERS + 1 - MOST_NAMED} more`)
})

test('a locked edge stores nothing about anybody', async () => {
  await kernel().setLocked(true)
  await writes(65, 'Nightjar')
  await kernel().setLocked(false)
  later(DAY)
  await ring()
  expect(await told()).toEqual([])
})

test('a person paired a moment ago is let in, though the route does not know it yet', async () => {
  const principal = 'principal:telegram:peer:67'
  expect(await writes(67, 'Dee')).toMatchObject({ ignored: 'principal_not_allowed' })
  const agreement = { id: 'a67', principal, sink: 'sink:telegram:67', templates: ['paired_scheduling'] }
  await kernel().setPeople([{ ...agreement, expiresAt: Date.now() + DAY }])
  expect((await writes(67, 'Dee')).ignored).toBeUndefined()
})

test('what the owner switched off wakes nothing, whatever the bot lets strangers ask, until it is on again', async () => {
  const { TELEGRAM } = SILENT
  const answers = { TELEGRAM: JSON.stringify({ ...JSON.parse(TELEGRAM), strangers: 'answer' }) }
  const free = { limit: async () => ({ success: true }) }
  const bindings = { ...answers, STRANGER_RATE: free, STRANGERS_RATE: free }
  const asks = async (user: number) =>
    (await bringTo(bindings, update(messageFrom(user, 'when is she free?')))).ignored
  await kernel().setPeople([], true)
  later(DAY)
  expect(await asks(71)).toBe('principal_not_allowed')
  await kernel().setPeople([], false)
  later(DAY)
  expect(await asks(72)).toBeUndefined()
})

describe('the digest of unknown senders', () => {
  interface Clocked {
    now: number
    tells: boolean | 'throws'
  }
  const counting = (
    work: (strangers: ReturnType<typeof createStrangers>, clock: Clocked, log: unknown[][]) => Promise<void>,
  ) =>
    runInDurableObject(kernel(), async (_, { storage }) => {
      // 2026-11-23 12:00 UTC
      const clock: Clocked = { now: 1_795_435_200_000, tells: true }
      const log: unknown[][] = []
      const input: StrangersInput = {
        ...{
          kv: storage.kv,
          now: () => clock.now,
          timezone: () => 'UTC',
          sealKey: new Uint8Array(32).fill(7),
        },
        async tell({ id, about, names }) {
          log.push(['told', id, about, names?.length])
          if (clock.tells === 'throws') throw new Error('gone')
          return clock.tells
        },
        wakeAt: (at) => log.push(['wake', (at - clock.now) / HOUR]),
      }
      await work(createStrangers(input), clock, log)
    })
  const one = (n: number) => ({
    ...{ principal: 'p', called: `“N${n}”`, leftOut: 0 },
    name: n.toString(16).padStart(64, '0').split('').toReversed().join(''),
  })

  test('the digest is due at eight in the morning, and the next a day later at the earliest', async () => {
    await counting(async (strangers, clock, log) => {
      strangers.met(one(1))
      expect(log.splice(0)).toEqual([['wake', 20]])
      clock.now += 20 * HOUR
      await strangers.look()
      expect(log.splice(0)).toHaveLength(1)
      // The clock was set back: it is the same morning again.
      clock.now -= HOUR
      strangers.met(one(1))
      expect(log.splice(0)).toEqual([['wake', 1 + LEAST_BETWEEN_DIGESTS / HOUR]])
    })
  })

  test('the digest tells a limited number of senders apart, whatever comes', async () => {
    await counting(async (strangers, clock, log) => {
      for (let n = 0; n < MOST_STRANGERS + 50; n += 1) strangers.met(one(n))
      clock.now += DAY
      await strangers.look()
      const [, , about, names] = log.find(([what]) => what === 'told') ?? []
      expect(about).toContain(`${MOST_STRANGERS} people`)
      expect(about).toContain('others sent 50 messages')
      expect(names).toBe(MOST_NAMED + 1)
    })
  })

  test.each([[false], ['throws']] as const)(
    'a digest that could not be delivered (%s) is retried as the same one',
    async (tells) => {
      await counting(async (strangers, clock, log) => {
        strangers.met(one(1))
        clock.now += DAY
        clock.tells = tells
        await strangers.look()
        // A sender during the delivery counts in the next digest.
        strangers.met(one(2))
        clock.tells = true
        clock.now += HOUR
        await strangers.look()
        const ids = log
          .filter(([what]) => what === 'told')
          .map(([, id, about]) => [id, String(about).slice(0, 10)])
        expect(ids).toEqual([ids[0], ids[0]])
        expect(ids[0]?.[1]).toBe('One person')
        clock.now += 2 * DAY
        await strangers.look()
        expect(log.filter(([what]) => what === 'told')).toHaveLength(3)
      })
    },
  )
})

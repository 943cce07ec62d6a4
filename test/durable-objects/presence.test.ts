/**
 * Home's presence, as an object believes it: never otherwise than the tunnel's own object would say at that moment, and asked no more
 * often than needed (T-06).
 */
import { expect, it } from 'vitest'
import { createPresenceCache } from '../../durable-objects/principal/presence-cache.ts'
import { CACHED_FOR, createCachedPresence } from '../../durable-objects/tunnel/presence.ts'
import {
  isOnline,
  OFFLINE_AFTER,
  STABLE_AFTER,
  type TimedStatus,
} from '../../durable-objects/tunnel/socket.ts'

interface Tunnel {
  now: number
  /** The connection: null for none. `beat`: when it last showed life; `drained`: when home had all that waited. */
  socket: { since: number; beat: number; drained: number | null } | null
  asked: number
  readonly told: string[]
}

/** The tunnel's side and one object that asks it. */
function between(socket: Tunnel['socket']) {
  const tunnel: Tunnel = { now: 1_000_000, socket, asked: 0, told: [] }
  const status = (): TimedStatus => {
    if (tunnel.socket === null) return { up: false, beat: 0, drained: null }
    const { since, beat, drained } = tunnel.socket
    return { up: isOnline({ since, drained }, beat, tunnel.now), beat: Math.max(beat, since), drained }
  }
  const objects = new Map<string, { changed(): void }>()
  const presence = createCachedPresence(
    status,
    (principal) => {
      tunnel.told.push(principal)
      objects.get(principal)?.changed()
    },
    () => tunnel.now,
  )
  const objectOf = (principal: string) => {
    const there = createPresenceCache({
      now: () => tunnel.now,
      ask: async () => {
        tunnel.asked += 1
        return presence.ask(principal)
      },
      onAnswer: () => undefined,
    })
    objects.set(principal, there)
    return there
  }
  return { tunnel, presence, status, objectOf }
}

const UP = { since: 900_000, beat: 1_000_000, drained: 900_000 }

it('asks once while the answer is vouched for, and again after it', async () => {
  const { tunnel, objectOf } = between({ ...UP })
  const object = objectOf('a')
  for (let n = 0; n < 5; n += 1) expect(await object.up()).toBe(true)
  expect(tunnel.asked).toBe(1)
  tunnel.now += CACHED_FOR
  expect(await object.up()).toBe(true)
  expect(tunnel.asked).toBe(2)
})

it('asks once for two who ask at the same time', async () => {
  const { tunnel, objectOf } = between({ ...UP })
  const object = objectOf('a')
  expect(await Promise.all([object.up(), object.up()])).toEqual([true, true])
  expect(tunnel.asked).toBe(1)
})

it.each<readonly [string, Tunnel['socket']]>([
  ['a home that is there', UP],
  ['one that has been silent for almost a minute', { ...UP, beat: 1_000_000 - OFFLINE_AFTER + 1_500 }],
  ['one that connected a moment ago', { since: 996_000, beat: 996_000, drained: 996_500 }],
  ['one that will be stable in a second', { since: 990_500, beat: 0, drained: 1_001_000 - STABLE_AFTER }],
  ['one that has not taken all yet', { since: 900_000, beat: 1_000_000, drained: null }],
  ['one that is silent', { ...UP, beat: 900_001 }],
  ['none', null],
])('believes of %s at each moment what the tunnel’s object would say', async (_what, socket) => {
  const { tunnel, status, objectOf } = between(socket === null ? null : { ...socket })
  const object = objectOf('a')
  for (let n = 0; n < 200; n += 1) {
    expect([tunnel.now, await object.up()]).toEqual([tunnel.now, status().up])
    tunnel.now += 100
  }
})

it('is told when the connection ends, whoever asked in the last seconds, and nobody else', async () => {
  const { tunnel, presence, objectOf } = between({ ...UP })
  const [one, other, older] = [objectOf('one'), objectOf('other'), objectOf('older')]
  await older.up()
  tunnel.now += CACHED_FOR
  await Promise.all([one.up(), other.up()])
  tunnel.socket = null
  presence.changed()
  expect(tunnel.told.toSorted()).toEqual(['one', 'other'])
  expect(await Promise.all([one.up(), other.up(), older.up()])).toEqual([false, false, false])
  presence.changed()
  expect(tunnel.told).toHaveLength(5)
})

it('does not believe an answer that was under way when the connection ended', async () => {
  let answer: (told: { up: boolean; ms: number }) => void = () => undefined
  let asked = 0
  const heard: boolean[] = []
  const object = createPresenceCache({
    now: () => 0,
    ask: () => {
      asked += 1
      return new Promise((resolve) => {
        answer = resolve
      })
    },
    onAnswer: (up) => heard.push(up),
  })
  const first = object.up()
  object.changed()
  answer({ up: true, ms: 5_000 })
  await first
  const second = object.up()
  answer({ up: false, ms: 5_000 })
  expect([await second, asked, heard]).toEqual([false, 2, [false]])
})

it('takes an unreachable tunnel for an absent home, and asks again', async () => {
  let asked = 0
  const ask = async (): Promise<never> => {
    asked += 1
    throw new Error('unreachable')
  }
  const object = createPresenceCache({ now: () => 0, ask, onAnswer: () => undefined })
  expect([await object.up(), await object.up(), asked]).toEqual([false, false, 2])
})

it('vouches to so many at the most; the rest ask each time', async () => {
  const { tunnel, presence, objectOf } = between({ ...UP })
  for (let n = 0; n < 100; n += 1) await objectOf(`p${n}`).up()
  presence.changed()
  expect(tunnel.told).toHaveLength(64)
})

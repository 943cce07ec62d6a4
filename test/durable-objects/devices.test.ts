/** The owner's devices, the nonces they used, and counted floods: the link's state at the edge, over memory (T-02). */
import { expect, test } from 'vitest'
import { SIGNATURE_SKEW } from '../../durable-objects/platform/signature.ts'
import { countOne, MINUTE } from '../../durable-objects/rate-window.ts'
import { createDevices, NONCE_LIFE } from '../../durable-objects/registry/devices.ts'

const key = (fill: number): Uint8Array => new Uint8Array(32).fill(fill)

function devicesAt(clock: { now: number }) {
  const rows = new Map<string, unknown>()
  const listed = ({
    prefix = '',
    start = '',
    end = '\uffff',
  }: Partial<Record<'prefix' | 'start' | 'end', string>>) =>
    [...rows].filter(([name]) => name.startsWith(prefix) && name >= start && name < end)
  const kv = {
    get: (name: string) => rows.get(name),
    put: (name: string, value: unknown) => void rows.set(name, value),
    delete: (name: string) => rows.delete(name),
    list: listed,
  } as unknown as SyncKvStorage
  return createDevices(kv, { configured: [], now: () => clock.now })
}

test('a signature counts once while its date is accepted, however late it is used again', () => {
  const clock = { now: 1_000_000_000 }
  const devices = devicesAt(clock)
  // First used with the latest accepted date, then again as late as possible.
  const created = clock.now / 1_000 + SIGNATURE_SKEW
  const signed = { device: 'd', nonce: 'n', created }
  expect(devices.spend(signed).ok).toBe(true)
  clock.now = (created + SIGNATURE_SKEW) * 1_000
  expect(devices.spend({ ...signed, nonce: 'another' }).ok).toBe(true)
  expect(devices.spend(signed)).toMatchObject({ ok: false, reason: { code: 'event_stale' } })
  clock.now += (NONCE_LIFE + 1) * 1_000
  expect(devices.spend(signed).ok).toBe(true)
})

test('sixteen devices can be enrolled and no more, and an enrolled one can enrol again', () => {
  const devices = devicesAt({ now: 0 })
  const enrolled = Array.from({ length: 17 }, (_, n) => devices.enroll(key(n + 1)))
  expect(enrolled.map(({ ok }) => ok)).toEqual([...Array(16).fill(true), false])
  expect(enrolled.at(-1)).toMatchObject({ reason: { code: 'pairing_refused', facts: { devices: 16 } } })
  expect(devices.enroll(key(1)).ok).toBe(true)
})

test.each([
  ['a minute later', MINUTE, 1],
  ['a moment before that', MINUTE - 1, 3],
  ['an hour before, by a clock that was set back', -60 * MINUTE, 1],
])('an event %s is counted in windows of one minute', (_name, shift, count) => {
  const counted = countOne({ since: 1_000_000, count: 2 }, 1_000_000 + shift, 1)
  expect([counted.window.count, counted.within, counted.leftOut]).toEqual([
    count,
    count === 1,
    count === 1 ? 1 : 0,
  ])
})

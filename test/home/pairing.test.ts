/** Home's side of pairing, and the first code of a deployment (T-02). */

import { mkdtempSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { CODE_LIFE, createDevices, createPairing, MAX_TRIES } from '../../durable-objects/registry/devices.ts'
import { codeFrom, codeKey, pairMac } from '../../kernel/tunnel/pairing.ts'
import { openStateFolder } from '../../sidecar/store/state-folder.ts'
import { openEdgePins, pairWithEdge } from '../../sidecar/tunnel/pairing.ts'

const CODE = codeFrom(new Uint8Array(12).fill(9))
const OTHER = codeFrom(new Uint8Array(12).fill(8))
const keyOf = (code: string): Uint8Array => codeKey(code) ?? new Uint8Array()
const text = (fill: number): string => Buffer.alloc(32, fill).toString('base64url')
const EDGE_KEY = text(1)
const device = { publicKey: text(2) }

const servers: { close(): void }[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

/** An edge that computes its MAC with `code`. */
async function edgeWith(code: string, side: 'home' | 'edge'): Promise<string> {
  let host = ''
  const server = createServer((request, response) => {
    if (request.method === 'GET') return response.end(JSON.stringify({ publicKey: EDGE_KEY }))
    let body = ''
    request.on('data', (chunk) => {
      body += String(chunk)
    })
    request.on('end', () => {
      const { publicKey: deviceKey, nonce } = JSON.parse(body)
      const claims = { side, host, edgeKey: EDGE_KEY, deviceKey, nonce }
      response.end(JSON.stringify({ mac: Buffer.from(pairMac(keyOf(code), claims)).toString('hex') }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  servers.push(server)
  host = `127.0.0.1:${(server.address() as { port: number }).port}`
  return `http://${host}`
}

function pinsFor() {
  const folder = openStateFolder(mkdtempSync(join(tmpdir(), 'pfar-pair-')))
  if (!folder.ok) throw new Error('no folder')
  return { pins: openEdgePins(folder.value), file: folder.value.file('edges.json') }
}

test('an edge that knows the code is pinned, in a file that others cannot read', async () => {
  const { pins, file } = pinsFor()
  const edge = await edgeWith(CODE, 'edge')
  expect(await pairWithEdge({ edge, code: CODE, device, pins })).toEqual({ ok: true, value: null })
  expect(pins.pinOf(edge)).toEqual({ url: edge, publicKey: EDGE_KEY, version: 0 })
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test.each([
  ['does not know the code', OTHER, 'edge'],
  ['sends home its own kind of mac', CODE, 'home'],
] as const)('an edge that %s is not pinned', async (_name, code, side) => {
  const { pins } = pinsFor()
  const edge = await edgeWith(code, side)
  const paired = await pairWithEdge({ edge, code: CODE, device, pins })
  expect(paired).toMatchObject({ ok: false, reason: { code: 'edge_not_pinned' } })
  expect(pins.pinOf(edge)).toBe(null)
})

test('text that cannot be a code is not tried', async () => {
  const { pins } = pinsFor()
  const paired = await pairWithEdge({ edge: 'http://127.0.0.1:1', code: 'AAAA', device, pins })
  expect(paired).toMatchObject({ ok: false, reason: { code: 'pairing_refused' } })
})

test('a code is accepted as people write it', () => {
  expect(codeFrom(new Uint8Array(12).fill(1))).toBe('1111-1111-1111')
  expect(codeKey('iiii llll 1111')).toEqual(codeKey('1111-1111-1111'))
  expect(codeKey('oooo0000OOOO')).toEqual(codeKey('000000000000'))
  expect([codeKey('1111-1111-111'), codeKey('1111-1111-111U')]).toEqual([null, null])
})

describe('the first code of a deployment', () => {
  function edge(first: Uint8Array) {
    const rows = new Map<string, unknown>()
    const kv = {
      get: (key: string) => rows.get(key),
      put: (key: string, value: unknown) => void rows.set(key, value),
      delete: (key: string) => rows.delete(key),
      list: ({ prefix }: { prefix: string }) => [...rows].filter(([key]) => key.startsWith(prefix)),
    } as unknown as SyncKvStorage
    let clock = 1_000
    const now = (): number => clock
    const devices = createDevices(kv, { configured: [], now })
    const pairBy = (fill: number, deployed: Uint8Array, known: Uint8Array) => {
      const publicKey = new Uint8Array(32).fill(fill)
      const claims = { host: 'h', edgeKey: EDGE_KEY, deviceKey: text(fill), nonce: 'n' }
      const mac = Buffer.from(pairMac(known, { side: 'home', ...claims })).toString('hex')
      return createPairing(kv, { devices, first: deployed, now }).pair({ publicKey, ...claims, mac }).ok
    }
    const pair = (fill: number, with_ = first) => pairBy(fill, with_, with_)
    return {
      ...{ devices, pair, wrong: () => pairBy(9, first, keyOf(OTHER)) },
      open: (code: string) => createPairing(kv, { devices, first, now }).open(keyOf(code)),
      wait: (ms: number) => {
        clock += ms
      },
    }
  }

  test('enrols one device, and no second', () => {
    const { pair } = edge(keyOf(CODE))
    expect([pair(1), pair(1), pair(2)]).toEqual([true, true, false])
  })

  test('survives wrong attempts, which only the rate limit bounds, because nobody could open another', () => {
    const { wrong, pair } = edge(keyOf(CODE))
    for (let n = 0; n <= MAX_TRIES; n += 1) expect(wrong()).toBe(false)
    expect(pair(1)).toBe(true)
  })

  test('is used up even after its device was revoked; a new one then works', () => {
    const { devices, pair } = edge(keyOf(CODE))
    expect(pair(1)).toBe(true)
    for (const { id } of devices.active()) devices.revoke(id)
    expect([pair(2), pair(2, keyOf(OTHER))]).toEqual([false, true])
  })

  test('is used up even if another code was opened since', () => {
    const { devices, pair, open } = edge(keyOf(CODE))
    expect(pair(1)).toBe(true)
    open(OTHER)
    for (const { id } of devices.active()) devices.revoke(id)
    expect(pair(2)).toBe(false)
  })

  test('that was tried ends when its device is enrolled in another way', () => {
    const { devices, pair, wrong } = edge(keyOf(CODE))
    wrong()
    expect(devices.enroll(new Uint8Array(32).fill(3)).ok).toBe(true)
    expect(pair(2)).toBe(false)
  })

  test('may be used again by its own device for ten minutes', () => {
    const { pair, wait } = edge(keyOf(CODE))
    expect(pair(1)).toBe(true)
    wait(CODE_LIFE - 1)
    expect(pair(1)).toBe(true)
    wait(CODE_LIFE)
    expect(pair(1)).toBe(false)
  })
})

/** The edge's own check accepts what home signs, and nothing that was changed in transit (T-02, B-09). */
import { describe, expect, test } from 'vitest'
import { checkSignature, readSigned } from '../../durable-objects/platform/signature.ts'
import { openStateFolder } from '../../sidecar/store/state-folder.ts'
import { loadDeviceKey } from '../../sidecar/tunnel/device-key.ts'
import { signRequest } from '../../sidecar/tunnel/edge-call.ts'
import { newFolder } from '../kit/folder.ts'

const NOW = Date.UTC(2026, 10, 22, 9, 0, 0)
const folder = openStateFolder(newFolder('sign'))
const loaded = folder.ok ? loadDeviceKey(folder.value) : folder
if (!loaded.ok) throw new Error('no key')
const device = loaded.value
const devices = [{ id: device.id, publicKey: new Uint8Array(Buffer.from(device.publicKey, 'base64url')) }]

const GET = { method: 'GET', url: 'https://edge.example/line/deliveries?after=4', body: null, now: NOW }
const POST = { method: 'POST', url: 'https://edge.example/line/messages', body: '{"id":"1"}', now: NOW }
const request = (of: typeof GET | typeof POST, change: Partial<typeof POST> = {}) => {
  const { method, url, body } = { ...of, ...change }
  return new Request(url, { method, headers: signRequest(device, of), body })
}
const verdict = async (sent: Request, now = NOW) => {
  const checked = await checkSignature(sent, devices, now)
  return checked.ok ? checked.value.device : checked.reason.code
}

test.each([
  ['GET', GET],
  ['POST', POST],
])('%s is accepted as this device', async (_name, of) => {
  expect(await verdict(request(of))).toBe(device.id)
})

test('a signed body is accepted', async () => {
  expect(await readSigned(request(POST))).toEqual({ ok: true, value: POST.body })
})

describe('a request is refused with', () => {
  test.each([
    ['another method', request(GET, { method: 'DELETE' })],
    ['another host', request(GET, { url: 'https://other.example/line/deliveries?after=4' })],
    ['another path', request(GET, { url: 'https://edge.example/line/tasks?after=4' })],
    ['another query', request(GET, { url: 'https://edge.example/line/deliveries?after=5' })],
    ['no signature', new Request(GET.url)],
  ])('%s', async (_name, sent) => expect(await verdict(sent)).toBe('signature_invalid'))

  test('another body', async () => {
    const changed = await readSigned(request(POST, { body: '{"id":"2"}' }))
    expect(changed).toMatchObject({ ok: false, reason: { code: 'signature_invalid' } })
  })

  test('an old date', async () => {
    expect(await verdict(request(GET), NOW + 301_000)).toBe('signature_invalid')
  })
})

test('two signatures of one request differ in their nonce', () => {
  expect(signRequest(device, GET)['signature-input']).not.toBe(signRequest(device, GET)['signature-input'])
})

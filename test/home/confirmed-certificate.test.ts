/** A certificate of a server's own making over HTTP: the one that the owner confirmed for that origin passes, and nothing is told to any other (L-12, R-27). */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { parseConfig } from '../../sidecar/config/config.ts'
import { lookAt } from '../../sidecar/pages/certificate.ts'
import { createPinnedTransport } from '../../sidecar/pages/pinned-transport.ts'
import { newCertificate, type ServedWithTls, serveWithTls } from '../kit/certificate.ts'
import { sendJson, serve } from '../kit/server.ts'

const own = newCertificate()
const other = newCertificate()
let server: ServedWithTls
let asked: string[] = []
beforeAll(async () => {
  server = await serveWithTls(({ url = '' }, response) => {
    asked.push(url)
    sendJson(response, {})
  }, own)
})
afterAll(() => server.close())
beforeEach(() => {
  asked = []
  server.shows(own)
})

async function ask(certificates: Readonly<Record<string, string>>, exempt = true, times = 1) {
  const transport = createPinnedTransport(undefined, certificates)
  const answers: string[] = []
  for (let time = 0; time < times; time += 1) {
    const sent = await transport.send({
      ...{ method: 'GET', url: new URL(`${server.origin}/x`), headers: { authorization: 'Bearer a' } },
      ...{ body: null, exempt, signal: AbortSignal.timeout(5_000) },
    })
    if (sent.ok) for await (const _ of sent.value.body);
    answers.push(sent.ok ? String(sent.value.status) : sent.reason.code)
    if (times > 1) server.shows(other)
  }
  await transport.close()
  return answers
}

const at = (fingerprint: string) => ({ [server.origin]: fingerprint })

it('that was confirmed is taken', async () => {
  expect(await ask(at(own.fingerprint))).toEqual(['200'])
  expect(asked).toEqual(['/x'])
})

it('that is another by now is refused before a byte is sent, on a further connection too', async () => {
  expect(await ask(at(other.fingerprint))).toEqual(['certificate_changed'])
  expect(asked).toEqual([])
  expect(await ask(at(own.fingerprint), true, 2)).toEqual(['200', 'certificate_changed'])
  expect(asked).toEqual(['/x'])
})

it.each([
  ['nobody confirmed', {}],
  ['was confirmed for another address', { 'https://192.168.1.20:8123': own.fingerprint }],
])('that %s is refused', async (_, certificates) => {
  expect(await ask(certificates)).toEqual(['certificate_invalid'])
  expect(asked).toEqual([])
})

it('opens no address that is not open already', async () => {
  expect(await ask(at(own.fingerprint), false)).toEqual(['address_private'])
  expect(asked).toEqual([])
})

it('is looked at without a word', async () => {
  expect(await lookAt(server.origin)).toEqual({ fingerprint: own.fingerprint, trusted: false })
  const plain = await serve((_, response) => sendJson(response, {}))
  expect(await lookAt(plain.origin.replace('http:', 'https:'))).toBeNull()
  await plain.close()
  expect(asked).toEqual([])
})

it.each([
  ['homeassistant', 'https://192.168.1.20:8123', true],
  ['homeassistant', 'http://192.168.1.20:8123', false],
  ['homeassistant', 'https://home.example.com', false],
  ['github', 'https://192.168.1.20', false],
])('counts in a configuration of %s at %s: %s', (service, url, counts) => {
  const text = `[services.${service}]\nbase_url = "${url}"\nfingerprint = "${own.fingerprint}"\n`
  const config = parseConfig(text)
  if (counts) expect(config.ok && config.value.certificates).toEqual({ [url]: own.fingerprint })
  else
    expect(config).toMatchObject({ ok: false, reason: { facts: { key: `services.${service}.fingerprint` } } })
})

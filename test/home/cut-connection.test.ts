/** What a transport says of a request whose connection broke: whether the other side may have got it. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { createFetchTransport } from '../../durable-objects/platform/fetch-transport.ts'
import { createPinnedTransport } from '../../sidecar/pages/pinned-transport.ts'

async function listening(breaks: boolean): Promise<{ readonly url: URL; readonly close: () => void }> {
  const server = createServer((request, response) => {
    if (breaks) request.socket.destroy()
    else response.end('ok')
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return { url: new URL(`http://127.0.0.1:${port}/send`), close: () => void server.close() }
}

const post = (url: URL) => ({
  ...{ method: 'POST', url, headers: {}, body: 'hello', exempt: true },
  signal: new AbortController().signal,
})

it('a request that arrived before the connection broke may be there', async () => {
  const { url, close } = await listening(true)
  expect(await createPinnedTransport().send(post(url))).toEqual({
    ...{ ok: false, reason: { code: 'network_failed', facts: { sent: 'perhaps' } } },
  })
  close()
})

it('a request that nobody took is not', async () => {
  const { url, close } = await listening(false)
  close()
  expect(await createPinnedTransport().send(post(url))).toEqual({
    ...{ ok: false, reason: { code: 'network_failed', facts: {} } },
  })
})

it.each([
  ['Network connection lost.', { sent: 'perhaps' }],
  ['internal error; reference = x', {}],
])('at the edge the platform says it: %s', async (message, facts) => {
  const lost = createFetchTransport(() => Promise.reject(new Error(message)))
  expect(await lost.send(post(new URL('https://api.example/')))).toEqual({
    ...{ ok: false, reason: { code: 'network_failed', facts } },
  })
})

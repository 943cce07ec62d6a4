/** Which edge the open line uses: the configured one, wherever it runs, which this machine must not start. */
import { once } from 'node:events'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { err } from '../../kernel/flow/verdict.ts'
import { attach } from '../../sidecar/cli/line/attach.ts'

test('the open line sends signed requests to the configured edge and starts nothing if that is unreachable', async () => {
  const asked: string[] = []
  const server = createServer(({ method, url, headers }, response) => {
    asked.push(`${method} ${url} ${headers['signature-input'] === undefined ? 'unsigned' : 'signed'}`)
    response.writeHead(503).end(JSON.stringify({ error: { code: 'remote_unavailable', message: '' } }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const folder = mkdtempSync(join(tmpdir(), 'pfar-attach-'))
  writeFileSync(join(folder, 'config.toml'), `[edge]\nurl = "http://127.0.0.1:${port}"\n`)
  const attached = await attach({ line: 'open', environment: { PFAR_HOME: folder }, start: true })
  server.closeAllConnections()
  server.close()
  expect(attached).toEqual(err('remote_unavailable'))
  expect(asked.length).toBeGreaterThan(0)
  for (const one of asked) expect(one).toMatch(/^GET \/.* signed$/)
})

test('without an edge there is no open line', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pfar-attach-'))
  const attached = await attach({ line: 'open', environment: { PFAR_HOME: folder }, start: false })
  expect(attached).toEqual(err('remote_unavailable'))
})

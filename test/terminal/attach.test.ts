/** Which edge the open line uses: the configured one, wherever it runs, which this machine must not start. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { err } from '../../kernel/flow/verdict.ts'
import { attach } from '../../sidecar/cli/line/attach.ts'
import { newFolder } from '../kit/folder.ts'
import { serve } from '../kit/server.ts'

test('the open line sends signed requests to the configured edge and starts nothing if that is unreachable', async () => {
  const asked: string[] = []
  const { origin, close } = await serve(({ method, url, headers }, response) => {
    asked.push(`${method} ${url} ${headers['signature-input'] === undefined ? 'unsigned' : 'signed'}`)
    response.writeHead(503).end(JSON.stringify({ error: { code: 'remote_unavailable', message: '' } }))
  })
  const folder = newFolder('attach')
  writeFileSync(join(folder, 'config.toml'), `[edge]\nurl = "${origin}"\n`)
  const attached = await attach({ line: 'open', environment: { PFAR_HOME: folder }, start: true })
  await close()
  expect(attached).toEqual(err('remote_unavailable'))
  expect(asked.length).toBeGreaterThan(0)
  for (const one of asked) expect(one).toMatch(/^GET \/.* signed$/)
})

test('without an edge there is no open line', async () => {
  const folder = newFolder('attach')
  const attached = await attach({ line: 'open', environment: { PFAR_HOME: folder }, start: false })
  expect(attached).toEqual(err('remote_unavailable'))
})

/** More requests on the private line than home works on at once (H-10): the rest waits at the sender's end, and each is answered. */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { listen } from '../../sidecar/socket.ts'
import { connectClient } from './fixtures/process.ts'
import { until } from './fixtures/wait.ts'

const REQUESTS = 4_000
/** So many fit into what a socket gives at once, beyond those that home takes. */
const MOST_BEGUN = 200

test('a flood is read as it is answered, and others are answered meanwhile', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'pfar-flood-')), 'line.sock')
  let begun = 0
  let open = (): void => undefined
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  const server = await listen({
    path,
    methods: new Map([
      [
        'work',
        async () => {
          begun += 1
          await gate
          return { ok: true, value: null } as const
        },
      ],
      ['status', async () => ({ ok: true, value: null }) as const],
    ]),
    words: ({ code }) => code,
    redact: (line) => line,
    fault: () => undefined,
    denied: () => undefined,
  })
  if (!server.ok) throw new Error(server.reason.code)
  const [flood, other] = [await connectClient(path), await connectClient(path)]
  const filling = 'x'.repeat(1_000)
  for (let id = 0; id < REQUESTS; id++)
    flood.write(`${JSON.stringify({ id, method: 'work', params: { filling } })}\n`)
  await until(() => begun > 0)
  for (let turn = 0; turn < 100; turn++) expect(await other.ask('status')).toHaveProperty('result')
  expect(begun).toBeLessThan(MOST_BEGUN)
  expect(flood.socket.writableLength).toBeGreaterThan(0)
  open()
  await until(() => flood.inbox.length === REQUESTS)
  await server.value.close()
})

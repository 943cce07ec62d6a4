/**
 * A credential that is typed at the edge while home is away, from outside (E-02, E-18, L-12): real processes,
 * every stored byte searched; then home comes, its owner accepts, and a tool uses it. What was changed on the
 * way is refused, and stops nothing.
 */
import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Ran } from '../kit/commands.ts'
import { filesIn } from '../regression/files.ts'
import { loopbackGoogle } from '../regression/home/loopback-google.ts'
import { auditOf } from '../regression/home/rows.ts'
import { canaryOf, canaryText, createSearcher } from './canary-search.ts'
import { createBench, waitFor } from './terminal-bench.ts'

const MAIN = fileURLToPath(new URL('../../sidecar/cli/main.js', import.meta.url))
/** Milliseconds for home to come up, dial and take what waits, on a busy machine. */
const SOON = 60_000
const TRY = '--allow-development-key'

const bench = createBench()
const value = canaryText()
const search = createSearcher([canaryOf('value', value)])
let google: Awaited<ReturnType<typeof loopbackGoogle>>
let said = ''
/** `pfar secret accept …` as it was printed where the value was typed. */
let accepting: readonly string[] = []

beforeAll(async () => {
  google = await loopbackGoogle()
  const config = `[owner]\ntimezone = "Europe/Berlin"\n[tools.google]\nbase_url = "${google.origin}"
credential = "vault:google"\n[network]\nexempt_origins = ["${google.origin}"]\n`
  writeFileSync(join(bench.folder, 'config.toml'), config)
})
afterAll(async () => {
  await bench.remove()
  await google.close()
})

async function secret(args: readonly string[], stdin = ''): Promise<Ran> {
  const { PATH = '' } = process.env
  const child = spawn(process.execPath, [MAIN, 'secret', ...args], { env: { PATH, PFAR_HOME: bench.folder } })
  let [out, err] = ['', '']
  child.stdout.on('data', (chunk) => {
    out += String(chunk)
  })
  child.stderr.on('data', (chunk) => {
    err += String(chunk)
  })
  child.stdin.end(stdin)
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  said += out + err
  return { code, out, err }
}

const typed = (name: string, input = `${value}\n`): Promise<Ran> =>
  secret(['set', name, '--line', 'open'], input)

/** Files of the state folder, and of what was printed, that hold any piece of the value in any spelling. */
function holding(): readonly string[] {
  const files = filesIn(bench.folder).map((file) => [file, readFileSync(join(bench.folder, file))] as const)
  expect(files.some(([file]) => file.startsWith('edge/') && file.endsWith('.sqlite'))).toBe(true)
  const printed = ['printed', Buffer.from(said + bench.printed())] as const
  return [...files, printed].flatMap(([file, bytes]) => (search(bytes).length > 0 ? [file] : []))
}

/** The edge's tunnel database, while nothing runs. */
function tunnelFile(): string {
  const found = filesIn(bench.folder).find((file) => {
    if (!file.endsWith('.sqlite')) return false
    const database = new DatabaseSync(join(bench.folder, file), { readOnly: true })
    try {
      return database.prepare('select count(*) as n from tunnel_out').get()?.['n'] === 3
    } catch {
      return false
    } finally {
      database.close()
    }
  })
  if (found === undefined) throw new Error('no tunnel with three bodies')
  return join(bench.folder, found)
}

test('before home was ever connected nothing is taken, and it says so', async () => {
  await bench.start('--no-demo', '--only', 'edge')
  const { code, err } = await typed('google')
  expect([code, err]).toEqual([1, expect.stringMatching(/^Nothing was taken: .*Connect it once/)])
  await bench.stop()
})

test('what cannot be a secret is refused before it leaves; a locked edge takes nothing', async () => {
  await bench.start('--no-demo')
  await waitFor(async () => (await typed('probe')).code === 0, SOON)
  expect((await typed('google', 'short')).err).toMatch(/8 to 8192/)
  expect((await typed('google', 'x'.repeat(8_193))).err).toMatch(/8 to 8192/)
  expect((await typed('a b')).err).toMatch(/lower-case/)
  expect((await secret(['set', 'google', '--line', 'open', '--tool', 'email'], value)).err).toMatch(/accept/)
  await bench.pfar('lock')
  expect((await typed('google')).err).toMatch(/The edge is locked/)
  await bench.pfar('unlock')
  await waitFor(async () => (await secret(['decline', 'probe'])).code === 0, SOON)
  await bench.stop()
})

test('typed while home is away it waits in its box, and no byte that was written or printed holds it', async () => {
  await bench.start('--no-demo', '--only', 'edge')
  const { code, out } = await typed('google')
  expect(code).toBe(0)
  accepting = /pfar secret (accept google [0-9a-f]{5}-[0-9a-f]{5})\n/.exec(out)?.[1]?.split(' ') ?? []
  expect(accepting).toHaveLength(3)
  for (const name of ['bent', 'copied']) expect((await typed(name)).code).toBe(0)
  await bench.stop()
  expect(holding()).toEqual([])
})

test('what is changed in the rows of the edge is refused by home with its reason, and nothing else stops', async () => {
  const database = new DatabaseSync(tunnelFile())
  const rows = database.prepare('select seq, body from tunnel_out order by seq').all() as {
    seq: number
    body: string
  }[]
  const [first, bent, copied] = rows.map(({ body }) => JSON.parse(body))
  const flip = (box: string): string => `${box.slice(0, 50)}${box[50] === 'A' ? 'B' : 'A'}${box.slice(51)}`
  const write = database.prepare('update tunnel_out set body = ? where seq = ?')
  bent.offer.box = flip(bent.offer.box)
  write.run(JSON.stringify(bent), rows[1]?.seq ?? 0)
  // The first one once more under another name, as who holds the rows could try.
  copied.offer = { ...first.offer, id: copied.offer.id, name: 'copied' }
  write.run(JSON.stringify(copied), rows[2]?.seq ?? 0)
  database.close()

  await bench.start('--no-demo')
  await waitFor(
    () => auditOf(bench.folder, 'secret_changed').some(({ credential }) => credential === 'copied'),
    SOON,
  )
  const offered = auditOf(bench.folder, 'secret_changed').filter(
    ({ change, credential }) => change === 'offer' && credential !== 'probe',
  )
  expect(offered.map(({ credential, ok, code }) => [credential, ok, code])).toEqual([
    ['google', true, null],
    ['bent', false, 'record_unreadable'],
    ['copied', false, 'record_unreadable'],
  ])
})

test('a typed secret is in force only once the owner accepted it with its check word', async () => {
  expect((await secret(['list'])).out).toMatch(/^google \[redacted\] · typed on the open line, waits/)
  expect((await bench.ask('check my email')).report.reply).toContain('not connected yet')
  expect((await secret(['accept', 'google', '00000-00000', TRY])).err).toMatch(/is not the value/)
  expect((await secret(accepting)).err).toMatch(/pfar key init/)
  expect((await secret([...accepting, TRY])).code).toBe(0)
  await bench.ask('check my email')
  expect(google.tokens()).toContain(`Bearer ${value}`)
  expect((await secret([...accepting, TRY])).err).toMatch(/Nothing waits under that name/)
  await bench.stop()
  expect(holding()).toEqual([])
})

/**
 * `pfar deploy` as a user runs it: Cloudflare's own tool against a scripted Cloudflare that runs what it was given, then a
 * home that dials that edge. Twice, since a deployment that was cut off is run again; and what goes wrong.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CloudflareApi, startCloudflare } from '../fakes/cloudflare-api.ts'
import { filesIn } from '../regression/files.ts'
import { createBench, type Ran, run, waitFor } from './terminal-bench.ts'

const TOKEN = 'a-token-of-the-owners-account'
const KEYS = ['EDGE_NAME_KEY', 'EDGE_SEAL_KEY', 'EDGE_SIGN_KEY', 'EDGE_TOKEN_KEY']
/** Milliseconds for home to come up, dial and be greeted, on a busy machine. */
const SOON = 60_000

const bench = createBench()
const configFile = join(bench.folder, 'config.toml')
let cloudflare: CloudflareApi
let printed = ''

beforeAll(async () => {
  cloudflare = await startCloudflare(TOKEN, await freePort())
  writeFileSync(configFile, '# mine\n[owner]\ntimezone = "Europe/Lisbon"\n')
})
afterAll(async () => {
  await bench.remove()
  await cloudflare.close()
})

async function deploy(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  const { PATH = '' } = process.env
  const ran = await run(['scripts/pfar.mjs', 'deploy', ...args], {
    PATH,
    HOME: bench.folder,
    PFAR_HOME: bench.folder,
    CLOUDFLARE_API_TOKEN: TOKEN,
    CLOUDFLARE_API_BASE_URL: cloudflare.url,
    ...environment,
  })
  printed += ran.out + ran.err
  return ran
}

const steps = (text: string): readonly string[] =>
  text.split('\n').flatMap((line) => /^([a-z]+) +\S/.exec(line)?.[1] ?? [])

describe('pfar deploy', () => {
  test('--dry-run shows every step and asks nobody', async () => {
    const { code, out } = await deploy(['--dry-run'], { CLOUDFLARE_API_TOKEN: '' })
    expect(code).toBe(0)
    expect(steps(out)).toEqual(['program', 'deploy', 'keys', 'pair', 'check'])
    expect(out).toMatch(/^program +\d{3} KiB compressed$/m)
    expect(out).toContain('Nothing was sent and nothing was changed.')
    expect(cloudflare.seen).toEqual([])
    expect(readFileSync(configFile, 'utf8')).not.toContain('[edge]')
  })

  test.each([
    ['a token that Cloudflare does not know', { CLOUDFLARE_API_TOKEN: 'another' }, /wrangler says: .+/],
    ['nobody signed in', { CLOUDFLARE_API_TOKEN: '' }, /Sign in first: npx wrangler login/],
    ['no way to Cloudflare', { CLOUDFLARE_API_BASE_URL: 'http://127.0.0.1:1' }, /wrangler says: .+/],
  ])('%s: words, and nothing is changed', async (_what, environment, words) => {
    const { code, out, err } = await deploy(['--address', cloudflare.workerUrl], environment)
    expect([code, out]).toEqual([1, ''])
    expect(err).toMatch(/^The step "keys" did not work/)
    expect(err).toMatch(words)
    expect(err).not.toContain('    at ')
    expect(cloudflare.secrets()).toEqual({})
  })

  test('makes keys and database, uploads, pairs and checks; home then serves the line that lies there', async () => {
    const { code, out, err } = await deploy(['--address', cloudflare.workerUrl])
    expect([code, err]).toEqual([0, ''])
    expect(steps(out)).toEqual(['program', 'deploy', 'keys', 'pair', 'check', 'config'])
    expect(Object.keys(cloudflare.secrets()).sort()).toEqual([...KEYS, 'PAIR_CODE_HASH'])
    expect(new Set(Object.values(cloudflare.secrets())).size).toBe(5)
    expect(cloudflare.vars()).toMatchObject({ OWNER_TIMEZONE: 'Europe/Lisbon', LOCAL_ORIGINS: '[]' })
    expect(readFileSync(configFile, 'utf8')).toBe(
      `# mine\n[owner]\ntimezone = "Europe/Lisbon"\n\n[edge]\nurl = "${cloudflare.workerUrl}"\n`,
    )
    await bench.start('--only', 'home')
    const isUp = async () => JSON.parse((await bench.pfar('status', '--json')).out).home?.tunnel === 'up'
    await waitFor(isUp, SOON)
    const { report } = await bench.ask('what can you do?', '--line', 'open')
    expect(report.task).toMatchObject({ place: 'edge', state: 'completed' })
    expect(report.reply).not.toBe('')
  }, 180_000)

  test('again: the same keys, the same device, the same conversation', async () => {
    const before = cloudflare.secrets()
    const { code, out, err } = await deploy(['--address', cloudflare.workerUrl])
    expect([code, err]).toEqual([0, ''])
    expect(out).toMatch(/^keys +as they were$/m)
    expect(out).toMatch(/^pair +as before; this device is [0-9a-f]{32}$/m)
    expect(out).toMatch(/^check +it answers to this device, and knows 1$/m)
    expect(out).toMatch(/^config +named it already/m)
    const { PAIR_CODE_HASH: _first, ...keys } = before
    expect(cloudflare.secrets()).toMatchObject(keys)
    const { report } = await bench.ask('what were we talking about?', '--line', 'open')
    expect(report.reply).toContain('what can you do?')
  }, 180_000)

  test('no key is printed, or lies in a file of this machine', () => {
    const secrets = Object.values(cloudflare.secrets())
    const texts = [
      printed,
      ...filesIn(bench.folder).map((path) => readFileSync(join(bench.folder, path), 'latin1')),
    ]
    expect(secrets.flatMap((secret) => texts.filter((text) => text.includes(secret)))).toEqual([])
    expect(texts.length).toBeGreaterThan(5)
  })
})

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (typeof address !== 'object' || address === null) throw new Error('no port')
  return address.port
}

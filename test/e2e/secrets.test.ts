/**
 * `pfar secret` as a process, beside a running home and without one (E-05, E-08, S-14). Nothing prints a
 * value.
 */
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { TOOL_MANIFESTS } from '../../integrations/tools/registered.ts'
import { stateFolder } from '../home/fixtures/process.ts'
import { sampled } from '../kit/soak.ts'
import { type House, startHouse } from '../regression/home/house.ts'
import { loopbackGoogle } from '../regression/home/loopback-google.ts'
import { auditOf } from '../regression/home/rows.ts'

const MAIN = fileURLToPath(new URL('../../sidecar/cli/main.js', import.meta.url))
const TOKEN = 'tOk-of-the-0wner.7319'
const TRY = '--allow-development-key'

let folder: string
let house: House | null = null
let google: Awaited<ReturnType<typeof loopbackGoogle>>
let said: string

beforeEach(async () => {
  google = await loopbackGoogle()
  folder = stateFolder(`[owner]\ntimezone = "Europe/Berlin"\n[tools.google]\nbase_url = "${google.origin}"
credential = "vault:google"\n[network]\nexempt_origins = ["${google.origin}"]\n`)
  said = ''
})
afterEach(async () => {
  await house?.kill()
  house = null
  await google.close()
})

const pfar = (args: readonly string[], stdin = '') => run(['secret', ...args], stdin)

async function run(
  args: readonly string[],
  stdin = '',
): Promise<{ code: number | null; out: string; err: string }> {
  const { PATH = '' } = process.env
  const child = spawn(process.execPath, [MAIN, ...args], { env: { PATH, PFAR_HOME: folder } })
  const seen = { out: '', err: '' }
  child.stdout.on('data', (chunk) => {
    seen.out += String(chunk)
  })
  child.stderr.on('data', (chunk) => {
    seen.err += String(chunk)
  })
  child.stdin.end(stdin)
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  said += seen.out + seen.err
  return { code, ...seen }
}

const everyFile = (): readonly string[] =>
  readdirSync(folder)
    .filter((name) => !name.endsWith('.sock'))
    .map((name) => join(folder, name))

const REFUSED: readonly (readonly [string, readonly string[], RegExp])[] = [
  ['the development key', ['set', 'google'], /pfar key init/],
  ['a rotation under it', ['rotate', 'google'], /pfar key init/],
  ['a name that no tool asks for', ['set', 'nobody', TRY], /--tool/],
  ['a tool that is not there', ['set', 'google', TRY, '--tool', 'gogle'], /--tool/],
  ['a name with spaces', ['set', 'a b', TRY], /lower-case/],
  ['what is not there', ['delete', 'google'], /no secret of that name/],
]

describe.each([
  ['a running home', true],
  ['no home', false],
] as const)('with %s', (_, running) => {
  test('set, list, rotate and delete, and the value is nowhere in the clear', async () => {
    if (running) house = await startHouse('', { path: folder })
    expect((await pfar(['set', 'google', TRY], `${TOKEN}\n`)).code).toBe(0)
    const listed = await pfar(['list', '--json'])
    const [port = ''] = [new URL(google.origin).host]
    expect(JSON.parse(listed.out)).toMatchObject([
      {
        ...{ name: 'google', value: '[redacted]', version: 1, state: 'trial', lastUsed: null },
        ...{ tools: ['email', 'calendar', 'addressbook'], hosts: [port] },
      },
    ])
    expect((await pfar(['rotate', 'google', TRY], `${TOKEN}-2\n`)).code).toBe(0)
    expect((await pfar(['list'])).out).toMatch(
      /^google \[redacted\] · token v2 \(trial, the one before is kept\)/,
    )
    expect(auditOf(folder, 'secret_changed').map(({ change }) => change)).toEqual(['set', 'rotate'])
    for (const file of everyFile()) expect(readFileSync(file).includes(TOKEN), file).toBe(false)
    const asked = await pfar(['delete', 'google'])
    expect([asked.code, asked.out]).toEqual([0, expect.stringContaining('cannot be brought back')])
    expect((await pfar(['delete', 'google', '--confirm', '0000-0000'])).err).toMatch(/Nothing was deleted/)
    expect((await pfar(['list'])).out).toMatch(/^google/)
    const word = /--confirm (\S+)/.exec(asked.err)?.[1] ?? ''
    expect((await pfar(['delete', 'google', '--confirm', word])).code).toBe(0)
    expect((await pfar(['list'])).out).toContain('No secret is stored')
    expect(said).not.toContain(TOKEN)
  })

  test.each(running ? sampled(REFUSED, 3) : REFUSED)('refuses %s', async (_name, args, words) => {
    if (running) house = await startHouse('', { path: folder })
    const { code, err } = await pfar(args, `${TOKEN}\n`)
    expect([code, err]).toEqual([1, expect.stringMatching(words)])
    expect((await pfar(['list'])).out).toContain('No secret is stored')
    expect(said).not.toContain(TOKEN)
  })

  test('refuses a short value', async () => {
    if (running) house = await startHouse('', { path: folder })
    expect((await pfar(['set', 'google', TRY], 'short')).err).toMatch(/8 to 8192/)
  })
})

/** Services that are connected by a secret, in the order of their tools. */
const SERVICES = [
  ...new Set(
    TOOL_MANIFESTS.flatMap(({ credential, connect }) =>
      credential === null || connect === undefined ? [] : [credential],
    ),
  ),
]
const OTHERS = SERVICES.filter((name) => name !== 'google')

test('connect stores what its service takes, and nothing else (L-12, L-18)', async () => {
  house = await startHouse('', { path: folder })
  const listed = (await run(['connect'])).out.trim().split('\n')
  for (const service of SERVICES)
    expect(listed).toContainEqual(expect.stringMatching(`^pfar connect ${service} +\\S`))
  expect((await run(['connect', 'google'], `${TOKEN}\n`)).err).toContain('pfar key init')
  google.refuse()
  const wrong = await run(['connect', 'google', TRY], `${TOKEN}\n`)
  expect([wrong.code, wrong.err.trim()]).toEqual([1, 'The service did not accept that. Nothing was stored.'])
  expect((await pfar(['list'])).out).toContain('No secret is stored')
  await google.close()
  google = await loopbackGoogle(Number(new URL(google.origin).port))
  expect(await run(['connect', 'google', TRY], `${TOKEN}\n`)).toMatchObject({ code: 0 })
  expect((await pfar(['list'])).out).toMatch(/^google \[redacted\] · token v1 \(/)
  expect((await run(['connect', 'google', TRY], `${TOKEN}\n`)).err).toContain('pfar secret rotate')
  for (const file of everyFile()) expect(readFileSync(file).includes(TOKEN), file).toBe(false)
  expect(said).not.toContain(TOKEN)
})

test('a service whose secret is missing says so; with it the call bears it, and the answer does not', async () => {
  const home = await startHouse('', { path: folder })
  house = home
  const status = async () => (await home.client.ask('status'))['result'] as Record<string, unknown>
  expect(await status()).toMatchObject({
    secrets: [],
    missing: [expect.stringMatching(/^vault:google for calendar.*email\.list.*: pfar secret set google$/)],
    notConnected: `${OTHERS.toSorted().join(', ')} (\`pfar connect\`)`,
  })
  expect((await home.ask('check my email')).reply).toContain('not connected yet')
  await pfar(['set', 'google', TRY], `${TOKEN}\n`)
  google.echo(TOKEN)
  const report = await home.ask('check my email')
  expect(google.tokens()).toContain(`Bearer ${TOKEN}`)
  expect(report.reply).toContain('[redacted]')
  expect(JSON.stringify(report)).not.toContain(TOKEN)
  expect(await status()).toMatchObject({
    secrets: ['google [redacted] v1 proven'],
    missing: [],
    notConnected: expect.stringContaining('github'),
  })
  expect(auditOf(folder, 'credential_issued').at(-1)).toMatchObject({
    ...{ credential: 'google', version: 1, tool: 'email', ok: true },
  })
  expect(auditOf(folder, 'redaction').map(({ sink }) => sink)).toContain('tool')
  for (const file of everyFile()) expect(readFileSync(file).includes(TOKEN), file).toBe(false)
})

test('a lasting permission is exchanged for a token, and neither lies in the clear (I-11)', async () => {
  const [refresh, access] = ['1//refresh-of-the-owner-7319', 'ya29.access-of-the-owner-7319']
  google.permit(refresh, access)
  const home = await startHouse('', { path: folder })
  house = home
  const grant = { type: 'authorized_user', client_id: 'client-7319', client_secret: 'secret-7319' }
  const file = JSON.stringify({ ...grant, refresh_token: refresh }, null, 2)
  expect((await pfar(['set', 'google', '--kind', 'oauth', TRY], file)).code).toBe(0)
  google.echo(`${access} ${refresh}`)
  const report = await home.ask('check my email')
  expect(google.tokens()).toContain(`Bearer ${access}`)
  expect(report.reply).toContain('[redacted] [redacted]')
  for (const path of everyFile())
    for (const value of [refresh, access]) expect(readFileSync(path).includes(value), path).toBe(false)
})

test('a secret that the service refuses is told on the private line, in words', async () => {
  const home = await startHouse('', { path: folder })
  house = home
  await pfar(['set', 'google', TRY], `${TOKEN}\n`)
  google.refuse()
  await home.ask('check my email')
  await expect
    .poll(async () => JSON.stringify((await home.client.ask('deliveries', { after: 0 }))['result']))
    .toContain('no longer accepts my access')
})

test('a store of secrets without its keys is not opened under new ones', async () => {
  await pfar(['set', 'google', TRY], `${TOKEN}\n`)
  for (const name of ['keys.sqlite', 'keys.sqlite-wal', 'keys.sqlite-shm']) {
    const path = join(folder, name)
    if (everyFile().includes(path)) writeFileSync(path, '')
  }
  expect((await pfar(['set', 'google', TRY], `${TOKEN}\n`)).err).toMatch(/keys\.sqlite: it is missing/)
})

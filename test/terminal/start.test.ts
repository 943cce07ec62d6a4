/** What `npm start` prepares before anything runs: arguments, folder, keys, configuration, bundle cache. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { parseArguments } from '../../scripts/start/arguments.ts'
import { sourceHash } from '../../scripts/start/bundle.ts'
import { withDemo } from '../../scripts/start/demo-config.ts'
import { ensureEdgeRecord } from '../../scripts/start/edge-keys.ts'
import { childEnvironment } from '../../scripts/start/environment.ts'
import { freePort, preferredPort } from '../../scripts/start/port.ts'
import { claimState, prepareState } from '../../scripts/start/state.ts'
import { attach } from '../../sidecar/cli/line/attach.ts'
import { readEdgeRecord } from '../../sidecar/cli/line/own-edge.ts'
import { runningClaim, statePaths } from '../../sidecar/cli/state-paths.ts'
import { parseConfig } from '../../sidecar/config/config.ts'
import { defaultConfig } from '../../sidecar/config/config-edit.ts'

let folder = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pfar-'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

const paths = () => statePaths({ PFAR_HOME: join(folder, 'state') })
const modeOf = (path: string) => statSync(path).mode & 0o777

describe('arguments', () => {
  const silent = { out: () => undefined, err: () => undefined }
  const usual = { only: null, demo: true, chat: true, port: 4787, quiet: false, watch: false, leashed: false }
  test.each([
    [[], usual],
    [['--only', 'edge'], { ...usual, only: 'edge' }],
    [['--no-demo', '--no-chat'], { ...usual, demo: false, chat: false }],
    [['--port', '0', '--quiet', '--leashed'], { ...usual, port: 0, quiet: true, leashed: true }],
    [['--watch'], { ...usual, watch: true }],
  ])('%j', (args, value) => expect(parseArguments(args, silent)).toEqual({ ok: true, value }))
  test.each([
    [['--only', 'moon'], 2],
    [['--port', '70000'], 2],
    [['--port', '-1'], 2],
    [['--port', 'x'], 2],
    [['more'], 2],
    [['--help'], 0],
  ])('%j ends with exit code %i', (args, exitCode) =>
    expect(parseArguments(args, silent)).toEqual({ ok: false, exitCode }),
  )
})

describe('state folder', () => {
  test('is private, with a configuration that home accepts and that is never overwritten', () => {
    expect(prepareState(paths()).ok).toBe(true)
    expect(modeOf(paths().root)).toBe(0o700)
    expect(modeOf(paths().config)).toBe(0o600)
    expect(parseConfig(readFileSync(paths().config, 'utf8')).ok).toBe(true)
    writeFileSync(paths().config, '# mine\n')
    expect(prepareState(paths()).ok).toBe(true)
    expect(readFileSync(paths().config, 'utf8')).toBe('# mine\n')
  })
  test('the default names the time zone of this machine', () => {
    expect(defaultConfig()).toContain(`timezone = "${new Intl.DateTimeFormat().resolvedOptions().timeZone}"`)
  })
  test('is refused with one sentence if a file has its name', () => {
    writeFileSync(join(folder, 'state'), '')
    const state = prepareState(paths())
    expect(state.ok ? '' : state.sentence).toContain('cannot be used')
  })
  test('is claimed by one process while that lives, which the refusal names', async () => {
    prepareState(paths())
    const script = join(folder, 'start.js')
    writeFileSync(script, 'setInterval(() => undefined, 1000); process.stdout.write("up")')
    const owner = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'ignore'] })
    await once(owner.stdout, 'data')
    writeFileSync(paths().lock, String(owner.pid))
    const refusedClaim = claimState(paths())
    expect(refusedClaim.ok ? '' : refusedClaim.sentence).toContain(
      `already runs for ${paths().root} (process ${owner.pid})`,
    )
    owner.kill('SIGKILL')
    await once(owner, 'exit')
    const taken = claimState(paths())
    expect(taken.ok).toBe(true)
    expect(readFileSync(paths().lock, 'utf8')).toBe(String(process.pid))
    if (taken.ok) taken.value()
    expect(() => statSync(paths().lock)).toThrow('ENOENT')
  })
  test('the claim of a start of one place names that place, any other claim none', () => {
    prepareState(paths())
    const taken = claimState(paths(), 'edge')
    expect(readFileSync(paths().lock, 'utf8')).toBe(`${process.pid} edge`)
    expect(runningClaim(paths().lock)).toEqual({ pid: process.pid, only: 'edge' })
    if (taken.ok) taken.value()
    expect(runningClaim(paths().lock)).toBeNull()
    writeFileSync(paths().lock, String(process.pid))
    expect(runningClaim(paths().lock)).toEqual({ pid: process.pid, only: null })
  })
  test.each([
    ['private', 'edge', 'home_offline'],
    ['open', 'home', 'remote_unavailable'],
  ] as const)(
    'a command on the %s line does not wait for a start of the %s only',
    async (line, only, code) => {
      prepareState(paths())
      const taken = claimState(paths(), only)
      const environment = { PFAR_HOME: paths().root, PATH: process.env['PATH'] ?? '' }
      expect(await attach({ line, environment, start: true })).toMatchObject({ reason: { code } })
      // Waiting for it would take twenty seconds, longer than a test may.
      if (taken.ok) taken.value()
    },
  )
  test('another program with the process id of the dead owner does not count as an owner', () => {
    prepareState(paths())
    writeFileSync(paths().lock, '1')
    expect(claimState(paths()).ok).toBe(true)
  })
})

describe('edge record', () => {
  test('keeps its keys when the port changes, with mode 0600', () => {
    prepareState(paths())
    const first = ensureEdgeRecord(paths().edgeFile, 4787)
    const second = ensureEdgeRecord(paths().edgeFile, 5000)
    expect(first.ok && second.ok && second.value).toEqual({
      url: 'http://127.0.0.1:5000',
      port: 5000,
      keys: first.ok && first.value.keys,
    })
    expect(modeOf(paths().edgeFile)).toBe(0o600)
    const found = readEdgeRecord(paths().edgeFile)
    expect(found).toEqual(second)
  })
  test.each([
    ['no JSON', '{'],
    [
      'a short key',
      JSON.stringify({ url: 'http://127.0.0.1:1', port: 1, keys: { seal: 'x', token: 'y', name: 'z' } }),
    ],
    ['another host', JSON.stringify({ url: 'http://evil.example', port: 1, keys: {} })],
  ])('is not replaced when damaged: %s', (_name, text) => {
    prepareState(paths())
    writeFileSync(paths().edgeFile, text)
    const ensured = ensureEdgeRecord(paths().edgeFile, 4787)
    expect(ensured.ok ? '' : ensured.sentence).toContain('damaged')
    expect(readFileSync(paths().edgeFile, 'utf8')).toBe(text)
  })
})

describe('demo configuration', () => {
  const demo = { google: 'http://127.0.0.1:1', pages: 'http://127.0.0.1:2', article: 'http://127.0.0.1:2/a' }
  test('adds the account, people and origins, and keeps what the owner wrote', () => {
    const merged = withDemo(
      {
        owner: { timezone: 'Europe/Oslo' },
        contacts: [{ name: 'Me', email: 'me@x.example' }],
        tools: { web: {} },
        network: { exempt_origins: ['http://127.0.0.1:9'] },
        approvals: { timeout_seconds: 60 },
      },
      demo,
    )
    expect(merged['owner']).toEqual({ timezone: 'Europe/Oslo' })
    expect(merged['approvals']).toEqual({ timeout_seconds: 60 })
    expect(merged['contacts']).toHaveLength(3)
    expect(merged['tools']).toMatchObject({
      web: {},
      google: { base_url: demo.google, demo: true, credential: 'vault:demo-google' },
    })
    expect(merged['network']).toEqual({ exempt_origins: ['http://127.0.0.1:9', demo.google, demo.pages] })
  })
})

test('child processes get no token from the shell', () => {
  const environment = childEnvironment(
    { PATH: '/bin', AWS_SECRET_ACCESS_KEY: 'x', NPM_TOKEN: 'y', npm_lifecycle_event: 'start' },
    { PFAR_HOME: '/h', A: undefined },
  )
  // By what npm started it says how home's commands are typed.
  expect(environment).toEqual({ PATH: '/bin', PFAR_HOME: '/h', npm_lifecycle_event: 'start' })
})

test('the bundle is cached until a byte, a name or the lock file changes', () => {
  const write = (name: string, text: string) => {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), text)
    return sourceHash(folder)
  }
  const first = write('worker/index.ts', 'a')
  expect(sourceHash(folder)).toBe(first)
  expect(write('README.md', 'not part of it')).toBe(first)
  const changed = [
    write('worker/index.ts', 'b'),
    write('kernel/x.ts', ''),
    write('package-lock.json', '{}'),
    write('templates/a/b.toml', ''),
  ]
  expect(new Set([first, ...changed]).size).toBe(5)
})

test('a port in use is reported, or replaced if the number does not matter', async () => {
  const holder = createServer().listen(0, '127.0.0.1')
  await once(holder, 'listening')
  const address = holder.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const taken = await freePort(port)
  expect(taken.ok ? '' : taken.sentence).toBe(
    `Port ${port} is taken by another program. Choose another: npm start -- --port 0`,
  )
  expect(await preferredPort(port)).not.toBe(port)
  holder.close()
})

/**
 * What a compromised parser of hostile bytes can do from inside: scripts in its place, in real processes, against a
 * real database, socket and port and the process that started it.
 */
import { writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Result } from '../../kernel/flow/verdict.ts'
import {
  CONFINED,
  type ConfinedLimits,
  createConfined,
  createSandboxLook,
  type SandboxState,
} from '../../sidecar/confined/sandbox.ts'
import { sandboxFinding } from '../../sidecar/doctor/surroundings-look.ts'
import { runChild } from '../../sidecar/process/run-child.ts'
import { newFolder } from '../kit/folder.ts'
import { SANDBOX } from './fixtures/sandbox.ts'

const LIMITS: ConfinedLimits = { longest: 20_000, memory: 400_000_000, heap: 256 }
const folder = newFolder('confined')
const code = join(folder, 'code')
const database = join(folder, 'home.sqlite')
const socket = join(folder, 'home.sock')
const servers: Server[] = []
let port = 0

beforeAll(async () => {
  const { mkdirSync } = await import('node:fs')
  mkdirSync(code)
  new DatabaseSync(database).exec("create table t (x); insert into t values ('private')")
  for (const at of [socket, 0]) {
    const server = createServer((one) => one.end('home'))
    await new Promise<void>((resolve) => server.listen(at, () => resolve()))
    servers.push(server)
  }
  port = (servers.at(-1)?.address() as { port: number } | null)?.port ?? 0
})
afterAll(() => {
  for (const server of servers) server.close()
})

function scriptOf(text: string): string {
  const path = join(code, `try-${Math.trunc(performance.now() * 1_000)}.mjs`)
  writeFileSync(path, text)
  return path
}

/** With the sandbox and Node's permissions. */
function tries(text: string, limits: Partial<ConfinedLimits> = {}): Promise<Result<unknown>> {
  const run = createConfined({ script: scriptOf(text), reads: [`${code}/`], withoutSandbox: false })
  return run({}, { ...LIMITS, ...limits }, new AbortController().signal)
}

/** With Node's permissions only. */
function triesBare(text: string): Promise<Result<unknown>> {
  const flags = [...CONFINED, `--allow-fs-read=${code}/`]
  return runChild({ script: scriptOf(text), task: {}, longest: 20_000, flags }, new AbortController().signal)
}

/** Prints `could`, or the code of the error that prevented it. */
const say = (expression: string): string =>
  `const said = await (async () => ${expression})().then(() => 'could', (error) => error.code ?? 'failed')
   console.log(JSON.stringify({ ok: true, value: said }))`

const OPEN = (at: string): string =>
  `(await import('node:net')).connect(${at}).on('connect', () => process.exit(console.log('{"ok":true,"value":"could"}')))
  .on('error', ({ code }) => console.log(JSON.stringify({ ok: true, value: code })))`

describe('in the system’s sandbox, a compromised program', SANDBOX, () => {
  it('opens no database, which Node’s permissions do not check', async () => {
    const text = `new (await import('node:sqlite')).DatabaseSync(${JSON.stringify(database)}).prepare('select x from t').all()`
    expect(await tries(say(text))).toEqual({ ok: true, value: 'ERR_UNKNOWN_BUILTIN_MODULE' })
  })

  it('finds no file of home’s by any means', async () => {
    // As if Node's permissions were off.
    const { sandboxCommand } = await import('../../sidecar/confined/sandbox.ts')
    const within = sandboxCommand([`${code}/`]) ?? []
    const text = `const { readdirSync, readFileSync } = await import('node:fs')
      const can = (path) => { try { readFileSync(path); return 'could' } catch ({ code }) { return code } }
      console.log(JSON.stringify({ ok: true, value: {
        root: readdirSync('/').filter((name) => !['lib', 'lib64', 'usr', 'bin'].includes(name)),
        beside: readdirSync(${JSON.stringify(folder)}),
        passwd: can('/etc/passwd'), self: can('/proc/self/environ'), database: can(${JSON.stringify(database)}) } }))`
    const run = { script: scriptOf(text), task: {}, longest: 20_000, within }
    const found = await runChild(run, new AbortController().signal)
    expect(found).toMatchObject({ ok: true, value: { beside: ['code'] } })
    expect(found).toMatchObject({ value: { passwd: 'ENOENT', self: 'ENOENT', database: 'ENOENT' } })
    const { root } = (found as { value: { root: readonly string[] } }).value
    expect(root).not.toContain('proc')
    expect(root).not.toContain('home')
    expect(root).not.toContain('dev')
  })

  it.each([
    ['home’s socket', () => JSON.stringify({ path: socket }), 'ENOENT'],
    ['a port of this machine', () => JSON.stringify({ host: '127.0.0.1', port }), 'ECONNREFUSED'],
    ['the network', () => JSON.stringify({ host: '192.0.2.1', port: 9 }), 'ENETUNREACH'],
  ])('cannot reach %s', async (_what, at, value) =>
    expect(await tries(OPEN(at()))).toEqual({ ok: true, value }),
  )

  it('cannot see or end a process of home’s', async () => {
    const text = `console.log(JSON.stringify({ ok: true, value: { parent: process.ppid, kill: (() => { try { process.kill(${process.pid}, 0); return 'could' } catch ({ code }) { return code } })() } }))`
    expect(await tries(text)).toEqual({ ok: true, value: { parent: 1, kill: 'ESRCH' } })
  })

  it('does not learn the account’s name', async () => {
    expect(await tries(say(`(await import('node:os')).userInfo()`))).toMatchObject({
      value: 'ERR_SYSTEM_ERROR',
    })
    const names = await tries(
      'console.log(JSON.stringify({ ok: true, value: [process.env, process.getuid()] }))',
    )
    expect(names).toEqual({ ok: true, value: [{ PWD: '/' }, 65_534] })
  })

  it('has bounded memory, also outside of Node’s heap', async () => {
    const text = `const all = []
      try { for (;;) all.push(Buffer.alloc(16_777_216, 1)) }
      catch { console.log(JSON.stringify({ ok: true, value: all.length * 16_777_216 })) }`
    const got = await tries(text)
    // Stopped by the limit, or killed by the memory watch: either bounds it.
    expect(got.ok ? Number(got.value) : 0).toBeLessThan(LIMITS.memory)
  })

  it('has bounded processor time', async () =>
    expect(await tries('for (;;);', { longest: 1_000 })).toMatchObject({ ok: false }))
})

describe('with Node’s permissions only, it cannot', () => {
  it.each<[string, string, string]>([
    ['read a file', `(await import('node:fs')).readFileSync('/etc/hostname')`, 'ERR_ACCESS_DENIED'],
    [
      'read home’s own program',
      `(await import('node:fs')).readFileSync(${JSON.stringify(join(import.meta.dirname, '../../sidecar/main.js'))})`,
      'ERR_ACCESS_DENIED',
    ],
    ['write a file', `(await import('node:fs')).writeFileSync('/tmp/was-here', 'x')`, 'ERR_ACCESS_DENIED'],
    ['start a process', `(await import('node:child_process')).execFileSync('true')`, 'ERR_ACCESS_DENIED'],
    [
      'start a thread',
      `new (await import('node:worker_threads')).Worker('0', { eval: true })`,
      'ERR_ACCESS_DENIED',
    ],
    ['open a database', `await import('node:sqlite')`, 'ERR_UNKNOWN_BUILTIN_MODULE'],
  ])('%s', async (_what, expression, value) =>
    expect(await triesBare(say(expression))).toEqual({ ok: true, value }),
  )

  it('see an environment variable of home’s', async () => {
    const found = await triesBare(
      'console.log(JSON.stringify({ ok: true, value: Object.keys(process.env) }))',
    )
    expect(found).toEqual({ ok: true, value: [] })
  })
})

describe('on a system without a sandbox', () => {
  it.each([
    ['missing', false, { ok: false, reason: { code: 'sandbox_missing', facts: {} } }],
    ['forbidden', false, { ok: false, reason: { code: 'sandbox_missing', facts: {} } }],
    ['missing', true, { ok: true, value: 'ran' }],
  ] as const)(
    '(%s) a program runs only if the owner allows it (%s)',
    async (state, withoutSandbox, outcome) => {
      const script = scriptOf(`console.log('{"ok":true,"value":"ran"}')`)
      const run = createConfined({ script, reads: [`${code}/`], withoutSandbox }, async () => state)
      expect(await run({}, LIMITS, new AbortController().signal)).toEqual(outcome)
    },
  )

  it('that was removed since, no program runs unless the owner allows it', async () => {
    const script = scriptOf(`console.log('{"ok":true,"value":"ran"}')`)
    const program = { script, reads: [`${code}/`], withoutSandbox: false }
    const run = createConfined(
      program,
      async () => 'ready',
      () => null,
    )
    expect(await run({}, LIMITS, new AbortController().signal)).toMatchObject({
      reason: { code: 'sandbox_missing' },
    })
  })
})

it.each([
  ['ready', false, false, /bubblewrap: no network/],
  ['missing', false, false, /^PDFs are not read: bubblewrap is not installed.*without_sandbox/],
  [
    'missing',
    false,
    true,
    /^PDFs are not read: bubblewrap is not installed(?!.*service install).*without_sandbox/,
  ],
  ['forbidden', false, false, /^PDFs are not read: bubblewrap may make no namespaces(?!.*service install)/],
  ['forbidden', false, true, /^PDFs are not read: bubblewrap may make no namespaces.*`pfar service install`/],
  ['missing', true, false, /^PDFs are read without a sandbox/],
] as const)(
  'the doctor reports a sandbox that is %s (owner: %s, a service: %s)',
  (state, without, service, says) => expect(sandboxFinding({ state, without, service }).says).toMatch(says),
)

describe('the probe of the sandbox', () => {
  it('is repeated until it succeeds, and not afterwards', async () => {
    const states: SandboxState[] = ['missing', 'forbidden', 'ready', 'missing']
    const look = createSandboxLook(async () => states.shift() ?? 'missing')
    expect([await look(), await look(), await look(), await look()]).toEqual([
      ...['missing', 'forbidden', 'ready', 'ready'],
    ])
  })

  it('runs once for concurrent callers', async () => {
    let looks = 0
    const look = createSandboxLook(async () => {
      looks += 1
      return 'forbidden'
    })
    expect(await Promise.all([look(), look()])).toEqual(['forbidden', 'forbidden'])
    expect(looks).toBe(1)
  })
})

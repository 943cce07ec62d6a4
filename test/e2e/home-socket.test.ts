/** The private line of a real home process: protocol, bounds, permissions, start and stop (B-09, H-10, S-14, R-02). */
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MALLOC_SETTING } from '../../sidecar/service/service.ts'
import {
  type Client,
  connectClient,
  dialHome,
  followHome,
  type HomeProcess,
  type Message,
  spawnHome,
  stateFolder,
} from '../home/fixtures/process.ts'
import { pause, until } from '../home/fixtures/wait.ts'

const APPROVING = (args: object) => ({ operation: 'approvals.approve', args })

const READY = 30_000
const started: HomeProcess[] = []
afterAll(async () => {
  for (const { child } of started) child.kill('SIGKILL')
})

function start(path: string, env: Readonly<Record<string, string>> = {}): HomeProcess {
  const home = spawnHome(path, env)
  started.push(home)
  return home
}

async function ready(path: string, env: Readonly<Record<string, string>> = {}): Promise<HomeProcess> {
  const home = start(path, env)
  await until(() => home.stdout().includes('home ready') || home.child.exitCode !== null, READY)
  expect(home.stderr()).toBe('')
  return home
}

const errorOf = (reply: Readonly<Record<string, unknown>>) =>
  reply['error'] as { code: string; message: string }
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)

describe('one running home', () => {
  const path = stateFolder('[owner]\nname = "Ada"\ntimezone = "Europe/Berlin"\n')
  let home: HomeProcess
  let client: Client
  beforeAll(async () => {
    home = await ready(path)
    client = await connectClient(home.socket)
  }, READY)

  test('says one line', () => {
    expect(home.stdout()).toBe(`home ready socket=${home.socket} edge=none\n`)
  })

  test.each([
    'home.sock',
    'home.token',
    'config.toml',
    'keys.sqlite',
    'secrets.sqlite',
    'home.sqlite',
    'home.sqlite-wal',
    'home.lock',
    'device.key',
    'dev.key',
  ])('%s is 0600', (name) => expect(modeOf(join(path, name))).toBe('600'))
  test('the folder is 0700', () => expect(modeOf(path)).toBe('700'))

  test('status tells place, tools and counts', async () => {
    const { result } = await client.ask('status')
    expect(result).toMatchObject({
      place: 'home',
      tunnel: 'down',
      edge: null,
      tools: expect.arrayContaining(['web.read']),
      tasks: 0,
      approvals: 0,
    })
  })

  describe('refuses', () => {
    test.each([
      ['no JSON', '{oops'],
      ['nothing', ''],
      ['a list', '[]'],
      ['no record', '7'],
      ['an unknown field', '{"as":"root"}'],
    ])('%s, and goes on', async (_name, body) => {
      const other = await connectClient(home.socket)
      const { status, answer } = await other.post('/methods/status', body)
      expect(status).toBe(400)
      const { error } = answer as { readonly error: { readonly code: string; readonly message: string } }
      expect(error.code).toBe('frame_malformed')
      expect(error.message.length).toBeGreaterThan(10)
      expect((await other.ask('status'))['result']).toBeDefined()
      other.socket.destroy()
    })

    test.each([
      ['an unknown method', 'no_such_thing', {}, 'frame_malformed'],
      ['a method of every object', 'constructor', {}, 'frame_malformed'],
      ['a message without text', 'send', { id: 'm' }, 'frame_malformed'],
      ['a message that names its sender', 'send', { id: 'm', text: 'x', user: 'eve' }, 'frame_malformed'],
      ['a number for text', 'send', { id: 'm', text: 7 }, 'frame_malformed'],
      ['a negative cursor', 'deliveries', { after: -1 }, 'frame_malformed'],
      ['an unknown task', 'task', { id: 'nope' }, 'task_unknown'],
      ['an unknown operation', 'operation', { operation: 'no.such' }, 'frame_malformed'],
      ['an unknown approval', 'operation', APPROVING({ which: 'nope' }), 'approval_unknown'],
      ['an answer that is none', 'operation', APPROVING({ which: 7 }), 'tool_arguments_invalid'],
      ['a stop of an unknown task', 'stop', { task: 'nope' }, 'task_unknown'],
    ])('%s', async (_name, method, params, code) => {
      expect(errorOf(await client.ask(method, params)).code).toBe(code)
    })

    test('a body of 10 MB, and goes on', async () => {
      const flood = await connectClient(home.socket)
      const { status, answer } = await flood.post('/methods/status', 'x'.repeat(10_000_000))
      expect([status, errorOf(answer as Message).code]).toEqual([413, 'frame_too_large'])
      expect((await flood.ask('status'))['result']).toBeDefined()
      flood.socket.destroy()
    })
  })

  test('keeps two clients apart', async () => {
    const other = await connectClient(home.socket)
    const [a, b] = await Promise.all([
      client.ask('task', { id: 'a' }),
      other.ask('operation', { operation: 'approvals.list' }),
    ])
    expect(errorOf(a).code).toBe('task_unknown')
    expect(b['result']).toEqual([])
    other.socket.destroy()
  })

  test('is not made to grow by clients that ask and follow, and do not read', async () => {
    const lazy = await Promise.all(Array.from({ length: 30 }, () => followHome(home.socket, 0)))
    for (const { stream } of lazy) stream.pause()
    const pushy = await connectClient(home.socket)
    pushy.socket.pause()
    const line = 'POST /methods/status HTTP/1.1\r\nhost: x\r\n\r\n'
    for (let n = 0; n < 200; n += 1) pushy.socket.write(line.repeat(500))
    await pause(500)
    const { result } = await client.ask('status')
    expect((result as { memoryMb: number }).memoryMb).toBeLessThan(400)
    for (const { socket } of [...lazy, pushy]) socket.destroy()
  })

  test('a message is taken once, and its answer is pushed to who follows', async () => {
    const before = (await client.ask('deliveries', { after: 0 }))['result'] as { seq: number }[]
    const after = before.at(-1)?.seq ?? 0
    const follower = await followHome(home.socket, after)
    const first = await client.ask('send', { id: 'hello-1', text: 'hello' })
    const again = await client.ask('send', { id: 'hello-1', text: 'hello' })
    expect(again).toEqual(first)
    const { task } = first['result'] as { task: string }
    const pushed = await until(() => follower.inbox.shift(), READY)
    expect(pushed).toMatchObject({ event: 'delivery', data: { task, kind: 'answer' } })
    const report = (await client.ask('task', { id: task }))['result']
    expect(report).toMatchObject({ task: { id: task, place: 'home', template: 'owner_private' } })
    await pause(200)
    expect(follower.inbox).toEqual([])
    const rows = (await client.ask('deliveries', { after }))['result']
    expect(rows).toHaveLength(1)
    follower.socket.destroy()
  })

  test('stores no word of it in plain', async () => {
    await client.ask('send', { id: 'canary', text: 'remember that canary-zebra is blue' })
    await until(async () => ((await client.ask('status'))['result'] as { tasks: number }).tasks === 0, READY)
    for (const name of ['home.sqlite', 'home.sqlite-wal'])
      expect(readFileSync(join(path, name), 'latin1')).not.toContain('canary-zebra')
  })

  test('who knows the path alone is refused, in one row of the audit for all', async () => {
    for (let turn = 0; turn < 3; turn += 1) {
      const blind = await dialHome(home.socket)
      const { answer } = await blind.post('/methods/status', '{}')
      expect(errorOf(answer as Message).code).toBe('signature_invalid')
      blind.socket.destroy()
    }
    const { DatabaseSync } = await import('node:sqlite')
    const database = new DatabaseSync(join(path, 'home.sqlite'), { readOnly: true })
    const rows = database.prepare("select facts from audit where kind = 'denial'").all()
    database.close()
    expect(rows.map(({ facts }) => JSON.parse(String(facts)))).toEqual([
      { code: 'signature_invalid', line: 'private', count: 1 },
    ])
  })

  test('a second home in the same folder is refused with one sentence', async () => {
    const second = start(path)
    expect(await second.ended).toBe(1)
    expect(second.stdout()).toBe('')
    expect(second.stderr()).toBe(
      'home cannot start: home.lock: another home is running in this folder (storage_failed)\n',
    )
    expect((await client.ask('status'))['result']).toBeDefined()
  })

  test('stops cleanly when asked to, and answers before it goes', async () => {
    expect((await client.ask('shutdown'))['result']).toEqual({})
    expect(await home.ended).toBe(0)
    expect(home.stderr()).toBe('')
    expect(existsSync(home.socket)).toBe(false)
    expect(existsSync(join(path, 'home.sqlite-wal'))).toBe(false)
  })
})

describe('start and stop', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)(
    '%s stops cleanly',
    async (signal) => {
      const home = await ready(stateFolder())
      home.child.kill(signal)
      expect(await home.ended).toBe(0)
      expect(home.stderr()).toBe('')
    },
    READY * 2,
  )

  test(
    'the socket of a killed home is taken over',
    async () => {
      const path = stateFolder()
      const dead = await ready(path)
      dead.child.kill('SIGKILL')
      await dead.ended
      expect(existsSync(dead.socket)).toBe(true)
      const alive = await ready(path)
      const client = await connectClient(alive.socket)
      expect((await client.ask('status'))['result']).toBeDefined()
      client.socket.destroy()
    },
    READY * 2,
  )

  test('as root, run by systemd, it does not start, and says what to do (E-10)', {
    skip: process.getuid?.() !== 0,
    meta: { needs: 'root' },
  }, () => {
    const env = { PATH: process.env['PATH'] ?? '', PFAR_HOME: stateFolder() }
    const main = join(import.meta.dirname, '../../sidecar/main.js')
    // As systemd does: it names the process that it runs, and no shell stands between.
    const script = `export SYSTEMD_EXEC_PID=$$; exec "${process.execPath}" "${main}"`
    const ran = spawnSync('/bin/sh', ['-c', script], { env, encoding: 'utf8' })
    expect([ran.status, ran.stdout]).toEqual([1, ''])
    expect(ran.stderr).toMatch(
      /^home cannot start: pfar.service: a service does not run as root.*config_malformed/,
    )
    expect(existsSync(join(env.PFAR_HOME, 'home.sqlite'))).toBe(false)
  })

  test.each([
    [
      'an unknown setting',
      (path: string) => writeFileSync(join(path, 'config.toml'), '[edg]\nurl = "x"'),
      'edg: is not a setting',
    ],
    [
      'a literal secret',
      (path: string) =>
        writeFileSync(join(path, 'config.toml'), `[owner]\nname = "ghp_${'aB3dE6'.repeat(6)}"`),
      'owner.name: holds a secret',
    ],
    [
      'a key that others may read',
      (path: string) => {
        writeFileSync(join(path, 'dev.key'), 'A'.repeat(43))
        chmodSync(join(path, 'dev.key'), 0o644)
      },
      'dev.key: others may read it',
    ],
    [
      'a damaged database',
      (path: string) =>
        writeFileSync(join(path, 'home.sqlite'), 'not a database at all, but long enough to be read'),
      'home.sqlite: it is damaged',
    ],
  ])(
    '%s: one sentence and exit code 1',
    async (_name, spoil, says) => {
      const path = stateFolder()
      spoil(path)
      const home = start(path)
      expect(await home.ended).toBe(1)
      expect(home.stdout()).toBe('')
      expect(home.stderr().trim().split('\n')).toHaveLength(1)
      expect(home.stderr()).toContain(says)
      expect(home.stderr()).not.toContain('ghp_')
      expect(existsSync(home.socket)).toBe(false)
    },
    READY,
  )

  test(
    'no port is listened on (T-01)',
    async () => {
      const home = await ready(stateFolder())
      const inodes = readFileSync(`/proc/${home.child.pid}/net/tcp`, 'utf8')
      const { readdirSync, readlinkSync } = await import('node:fs')
      const own = readdirSync(`/proc/${home.child.pid}/fd`).flatMap((fd) => {
        try {
          return [/socket:\[(\d+)\]/.exec(readlinkSync(`/proc/${home.child.pid}/fd/${fd}`))?.[1] ?? '']
        } catch {
          return []
        }
      })
      const listening = inodes
        .split('\n')
        .map((line) => line.trim().split(/\s+/))
        .filter((fields) => fields[3] === '0A' && own.includes(fields[9] ?? ''))
      expect(listening).toEqual([])
    },
    READY,
  )

  test('an idle home is small', { timeout: 4 * READY }, async () => {
    // As the start script sets it: with more arenas, the same home takes some 15 MB more.
    const home = await ready(stateFolder(), MALLOC_SETTING)
    const client = await connectClient(home.socket)
    // 113 on an idle machine, of the 180 that it may take: what its start needed is given back once there is nothing to do, on a
    // busy machine much later.
    const memory = async () => ((await client.ask('status')).result as { memoryMb: number }).memoryMb
    await expect.poll(memory, { timeout: READY, interval: 500 }).toBeLessThan(130)
  })

  test(
    'an edge that does not answer holds up nothing',
    async () => {
      const silent = createServer().listen(0, '127.0.0.1')
      await new Promise((resolve) => silent.once('listening', resolve))
      const { port } = silent.address() as { port: number }
      const home = await ready(stateFolder(), { PFAR_EDGE_URL: `http://127.0.0.1:${port}` })
      const client = await connectClient(home.socket)
      expect((await client.ask('status'))['result']).toMatchObject({
        tunnel: 'down',
        edge: `http://127.0.0.1:${port}`,
      })
      home.child.kill('SIGTERM')
      expect(await home.ended).toBe(0)
      silent.close()
    },
    READY,
  )
})

/**
 * The master key as an owner meets it: `pfar key` on a terminal, a real Secret Service, a real systemd credential, and a
 * home that starts from each (DESIGN §6, E-03, E-10, E-18).
 */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectClient, type HomeProcess, spawnHome, stateFolder } from '../home/fixtures/process.ts'
import { until } from '../home/fixtures/wait.ts'
import { newFolder } from '../kit/folder.ts'
import { filesIn, holding } from '../regression/files.ts'
import { onTerminal } from './keys-bench.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** What a skipped test needs; scripts/test.ts prints it. */
    needs?: string
  }
}

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const READY = 60_000
const PASSPHRASE = 'four words nobody says'
const NEW: readonly [RegExp, string] = [/(?:characters or more|The same again): $/, PASSPHRASE]

const SLIP: readonly [RegExp, string] = [/Passphrase of the master key: $/, 'a slip of the hand']
const AFTER_A_SLIP: readonly [RegExp, string] = [
  /Again, please[^:]*Passphrase of the master key: $/,
  PASSPHRASE,
]

const started: HomeProcess[] = []
afterAll(() => {
  for (const { child } of started) child.kill('SIGKILL')
})

type Extra = Readonly<Record<string, string>>

async function home(path: string, env: Extra = {}): Promise<HomeProcess> {
  const process = spawnHome(path, env)
  started.push(process)
  await until(() => process.stdout().includes('home ready') || process.child.exitCode !== null, READY)
  return process
}

/** Starts home, says something or asks for it again, and stops it. */
async function talk(path: string, words: string, env: Extra = {}): Promise<string> {
  const running = await home(path, env)
  if (running.child.exitCode !== null) return running.stderr()
  const client = await connectClient(running.socket)
  const { result } = await client.ask('send', { id: words.replaceAll(/\W/g, '-'), text: words })
  const { task } = result as { task: string }
  const reply = await until(async () => {
    const report = (await client.ask('task', { id: task }))['result'] as {
      reply: string | null
      task: { state: string }
    }
    return report.task.state === 'completed' ? report.reply : null
  }, READY)
  client.socket.destroy()
  running.child.kill('SIGTERM')
  await running.ended
  return reply ?? ''
}

const pfar = (
  path: string,
  args: readonly string[],
  { input = '', env = {} }: { input?: string; env?: Extra } = {},
) => {
  const run = spawnSync(process.execPath, ['scripts/pfar.mjs', 'key', ...args], {
    ...{ cwd: ROOT, input, encoding: 'utf8' as const },
    env: { ...process.env, PFAR_HOME: path, ...env },
  })
  return { code: run.status, out: run.stdout, err: run.stderr }
}

const REMEMBER = 'remember that the gate is green'
const KNOWN = 'what do you know about the gate?'

describe('under a passphrase', () => {
  const path = stateFolder()
  const seen: string[] = []
  let words = ''

  test('a new home has a development key and says so', { timeout: 3 * READY }, async () => {
    await talk(path, REMEMBER)
    expect(pfar(path, ['status'])).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringMatching(/in plain in dev\.key/),
    })
    const running = await home(path)
    const status = await (await connectClient(running.socket)).ask('status')
    expect(status['result']).toMatchObject({
      masterKey: expect.stringMatching(/dev\.key.*pfar key init/),
      homeKey: expect.stringMatching(/^(?:[0-9a-f]{4} ){7}[0-9a-f]{4}$/),
    })
    expect(pfar(path, ['init'], {}).err).toMatch(/home: it is running.*stop `npm start` first/)
    running.child.kill('SIGTERM')
    await running.ended
  })

  test('nothing is done without a terminal, nor for --json', () => {
    const sentence = /this has to ask you, which takes a terminal and no --json/
    for (const args of [['init'], ['rotate'], ['init', '--json', '--custody', 'passphrase']])
      expect(pfar(path, args)).toMatchObject({ code: 1, out: '', err: expect.stringMatching(sentence) })
    expect(existsSync(join(path, 'custody.json'))).toBe(false)
  })

  test('init: words shown once and asked back, the passphrase never shown', {
    timeout: 3 * READY,
  }, async () => {
    const init = onTerminal('scripts/pfar.mjs key init --custody passphrase', { PFAR_HOME: path }, [NEW])
    expect(await init.ended).toBe(0)
    words = init.words()
    expect(words.split(' ')).toHaveLength(24)
    expect(init.shown()).not.toContain(PASSPHRASE)
    seen.push(init.shown().replace(/[\s\S]*written them down/, ''))
    expect(existsSync(join(path, 'dev.key'))).toBe(false)
    expect((statSync(join(path, 'master.key')).mode & 0o777).toString(8)).toBe('600')
  })

  test('home refuses to start without a terminal, and says what else there is', {
    timeout: 3 * READY,
  }, async () => {
    const refused = await talk(path, KNOWN)
    expect(refused).toMatch(/^home cannot start: master\.key: .*takes a terminal.*--custody keychain/)
  })

  test('npm start asks for it, again after a slip, and home knows what it knew', {
    timeout: 3 * READY,
  }, async () => {
    const start = onTerminal('scripts/start.js --only home --no-chat --no-demo', { PFAR_HOME: path }, [
      AFTER_A_SLIP,
      SLIP,
    ])
    await until(() => /state {2}/.test(start.shown()) || start.child.exitCode !== null, READY)
    const client = await connectClient(join(path, 'home.sock'))
    const { result } = await client.ask('send', { id: 'k1', text: KNOWN })
    const { task } = result as { task: string }
    const reply = await until(
      async () => ((await client.ask('task', { id: task }))['result'] as { reply: string | null }).reply,
      READY,
    )
    expect(reply).toContain('green')
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
      expect(visible(pid).includes(PASSPHRASE), `process ${pid}`).toBe(false)
    client.socket.destroy()
    start.child.stdin?.write('\u0003')
    await start.ended
    expect(start.shown()).not.toContain(PASSPHRASE)
  })

  test('recover takes the words on stdin, and only the right ones', { timeout: 3 * READY }, async () => {
    rmSync(join(path, 'master.key'))
    expect(pfar(path, ['recover'], { input: 'one two' }).err).toMatch(
      /recovery phrase: it has 2 words, not 24/,
    )
    const other = `${'zoo '.repeat(23)}vote`
    expect(pfar(path, ['recover'], { input: other }).err).toMatch(/these words are of another master key/)
    const typed = [/not shown\): $/, words] as const
    const recover = onTerminal('scripts/pfar.mjs key recover', { PFAR_HOME: path }, [typed, NEW])
    expect(await recover.ended).toBe(0)
    expect(recover.shown()).not.toContain(words)
    expect(existsSync(join(path, 'master.key'))).toBe(true)
  })

  test('neither words nor passphrase stand in any file', () => {
    const files = filesIn(path)
    expect(files).toContain('master.key')
    expect(holding(path, files, [PASSPHRASE, words, words.split(' ').slice(0, 3).join(' ')])).toEqual([])
    expect(seen.join('\n')).not.toContain(words)
  })
})

test('forget destroys the keys of one principal, and asks first', { timeout: 3 * READY }, async () => {
  const path = stateFolder()
  await talk(path, REMEMBER)
  expect(pfar(path, ['forget', 'owner']).code).toBe(1)
  expect(pfar(path, ['forget', 'principal:owner']).err).toMatch(/nothing was destroyed/)
  const forgotten = pfar(path, ['forget', 'principal:owner', '--yes', '--json'])
  expect(JSON.parse(forgotten.out)).toEqual({ principal: 'principal:owner', keysDestroyed: 2 })
  expect(await talk(path, KNOWN)).not.toContain('green')
})

test('no key begins anew beside records of keys that are gone, whatever the words', {
  timeout: 3 * READY,
}, async () => {
  const path = stateFolder()
  await talk(path, REMEMBER)
  for (const file of ['keys.sqlite', 'keys.sqlite-wal', 'keys.sqlite-shm'])
    rmSync(join(path, file), { force: true })
  const words = `${'zoo '.repeat(23)}vote`
  expect(pfar(path, ['recover'], { input: words }).err).toMatch(/only its keys open/)
})

test('the native keychain module is not loaded where nobody chose it', { timeout: 3 * READY }, async () => {
  const running = await home(stateFolder())
  expect(readFileSync(`/proc/${running.child.pid}/maps`, 'utf8')).not.toContain('keyring')
  running.child.kill('SIGKILL')
})

const SECRET_SERVICE = ['gnome-keyring-daemon', 'dbus-daemon'].every(has)
describe('in a real Secret Service', {
  skip: !SECRET_SERVICE,
  meta: { needs: 'gnome-keyring, dbus' },
}, () => {
  const folder = newFolder('keyring')
  const env: Record<string, string> = {
    HOME: folder,
    XDG_RUNTIME_DIR: folder,
    XDG_DATA_HOME: join(folder, 'data'),
  }
  const path = stateFolder()
  const services: { kill(): unknown }[] = []

  beforeAll(async () => {
    const bus = spawn('dbus-daemon', ['--session', '--nofork', '--print-address=1'], {
      ...{ env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'ignore'] as const },
    })
    services.push(bus)
    let address = ''
    bus.stdout?.on('data', (chunk) => {
      address += String(chunk)
    })
    env['DBUS_SESSION_BUS_ADDRESS'] = await until(
      () => (address.includes('\n') ? address.trim() : null),
      READY,
    )
    const daemon = spawn('gnome-keyring-daemon', ['--unlock', '--components=secrets', '--foreground'], {
      ...{ env: { ...process.env, ...env }, stdio: ['pipe', 'ignore', 'ignore'] as const },
    })
    services.push(daemon)
    daemon.stdin?.end('login password')
    // Asked before it is on the bus, the bus would start a second one, locked; its file is there before it answers.
    await until(() => existsSync(join(folder, 'data/keyrings/login.keyring')), READY)
    const usable = [fileURLToPath(new URL('../home/fixtures/keychain-probe.ts', import.meta.url))]
    const look = { env: { ...process.env, ...env } }
    await until(() => spawnSync(process.execPath, usable, look).status === 0, READY)
  })
  afterAll(() => {
    for (const service of services.toReversed()) service.kill()
  })

  test('init, a start, rotate and a start', { timeout: 3 * READY }, async () => {
    await talk(path, REMEMBER)
    const init = onTerminal('scripts/pfar.mjs key init', { PFAR_HOME: path, ...env })
    expect(await init.ended, init.shown()).toBe(0)
    expect(existsSync(join(path, 'dev.key'))).toBe(false)
    expect(await talk(path, KNOWN, env)).toContain('green')
    const rotate = onTerminal('scripts/pfar.mjs key rotate', { PFAR_HOME: path, ...env })
    expect(await rotate.ended, rotate.shown()).toBe(0)
    expect(rotate.words()).not.toBe(init.words())
    expect(await talk(path, `${KNOWN} `, env)).toContain('green')
    const status = JSON.parse(pfar(path, ['status', '--json'], { env }).out)
    expect(status).toMatchObject({
      custody: 'keychain',
      fits: true,
      changing: false,
      masterKey: 3,
      trouble: null,
    })
  })

  test('without its bus, home says so and falls back to nothing', { timeout: 3 * READY }, async () => {
    const refused = await talk(path, KNOWN, { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent' })
    expect(refused).toMatch(/^home cannot start: keychain: the keychain cannot be reached or is locked/)
    expect(refused).not.toContain('nonexistent')
  })
})

const SYSTEMD =
  has('systemd-creds') &&
  spawnSync('systemd-creds', ['encrypt', '--name=probe', '-', '-'], { input: 'x' }).status === 0
test('in a real systemd credential', {
  skip: !SYSTEMD,
  timeout: 3 * READY,
  meta: { needs: 'systemd-creds as root' },
}, async () => {
  const path = stateFolder()
  await talk(path, REMEMBER)
  const init = onTerminal('scripts/pfar.mjs key init --custody systemd', { PFAR_HOME: path })
  expect(await init.ended, init.shown()).toBe(0)
  expect(await talk(path, KNOWN)).toContain('green')
  const loaded = newFolder('credentials')
  const credential = [
    'decrypt',
    '--name=pfar-master',
    join(path, 'pfar-master.cred'),
    join(loaded, 'pfar-master'),
  ]
  expect(spawnSync('systemd-creds', credential).status).toBe(0)
  const unit = { CREDENTIALS_DIRECTORY: loaded, PATH: '/nonexistent' }
  expect(await talk(path, `${KNOWN} `, unit)).toContain('green')
})

function has(program: string): boolean {
  return spawnSync('which', [program]).status === 0
}

function visible(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8') + readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

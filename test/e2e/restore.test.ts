/**
 * The disaster drill (E-16): everything is filled, backed up while it runs, destroyed, and brought back from the
 * passphrase and the master key alone. Then what can go wrong with disks, on real ones.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, describe, expect, test } from 'vitest'
import { createBackupKey, KEY_FILE, SIGN_FILE } from '../../sidecar/backup/backup-key.ts'
import { CHEAP, given, PASSPHRASE } from '../home/fixtures/backup.ts'
import {
  type Client,
  connectClient,
  type HomeProcess,
  spawnHome,
  stateFolder,
} from '../home/fixtures/process.ts'
import { until } from '../home/fixtures/wait.ts'
import { newFolder } from '../kit/folder.ts'
import { pfar, rowsOf, serviceKey } from './restore-bench.ts'
import { createBench } from './terminal-bench.ts'

const READY = 30_000
const HOUR = 3_600_000
const DRILL = 240_000
const masterKey = serviceKey()

test('fill, back up, destroy home and edge, restore, compare', { timeout: DRILL }, async () => {
  const bench = createBench()
  const disk = newFolder('disk')
  const state = bench.folder
  writeFileSync(join(state, 'config.toml'), `[owner]\nname = "Ada"\n[backup]\nfolder = "${disk}"\n`)
  masterKey.put(state)
  try {
    await bench.start()
    await bench.ask('remember that the spare key is with Mrs Novak')
    await bench.ask('remember that my locker has number 217')
    await bench.ask('what is on my calendar tomorrow')
    const known = await bench.ask('what do you know about the spare key?')
    expect(known.report.reply).toContain('Mrs Novak')
    const free = await bench.ask('when am I free on Friday', '--line', 'open')
    expect(free.report.task.state).toBe('completed')

    const made = await pfar(['backup', 'init'], { state, lines: [PASSPHRASE, PASSPHRASE] })
    expect(made.code).toBe(0)
    expect(await pfar(['backup', 'now'], { state })).toMatchObject({ code: 0, err: '' })
    await bench.stop()
    const before = rowsOf(join(state, 'home.sqlite'))
    expect(before.find(([name]) => name === 'facts')?.[1]).toBe(2)
    const device = readFileSync(join(state, 'device.key'))
    rmSync(state, { recursive: true })

    const trial = await pfar(['restore', '--from', disk, '--dry-run'], { state, lines: [PASSPHRASE] })
    expect(trial).toMatchObject({ code: 0, err: '' })
    expect(existsSync(state)).toBe(false)
    const restored = await pfar(['restore', '--from', disk], { state, lines: [PASSPHRASE] })
    expect(restored).toMatchObject({ code: 0, err: '' })
    expect(rowsOf(join(state, 'home.sqlite'))).toEqual(before)
    expect(readFileSync(join(state, 'device.key'))).toEqual(device)
    masterKey.put(state)

    await bench.start()
    const again = await bench.ask('what do you know about the spare key?')
    expect(again.report.reply).toBe(known.report.reply)
    // The edge is new and home remembers the old one: the link finds back to common numbers.
    const asked = await bench.ask('when am I free on Friday', '--line', 'open')
    expect(asked.report.task).toMatchObject({ state: 'completed', trouble: null })
    expect(asked.report.reply).toBe(free.report.reply)
    // It goes on making backups, to the same passphrase.
    expect(await pfar(['backup', 'now'], { state })).toMatchObject({ code: 0, err: '' })
    const verified = await pfar(['backup', 'verify', '--open'], { state, lines: [PASSPHRASE] })
    expect(verified).toMatchObject({ code: 0, err: '', out: expect.stringMatching(/Home started from it/) })
  } finally {
    await bench.remove()
  }
})

const started: HomeProcess[] = []
afterAll(() => {
  for (const { child } of started) child.kill('SIGKILL')
})

interface Running {
  readonly home: HomeProcess
  readonly client: Client
}

async function start(path: string): Promise<Running> {
  const home = spawnHome(path, { CREDENTIALS_DIRECTORY: process.env['CREDENTIALS_DIRECTORY'] ?? '' })
  started.push(home)
  await until(() => home.stdout().includes('home ready') || home.child.exitCode !== null, READY)
  expect(home.stderr()).toBe('')
  return { home, client: await connectClient(home.socket) }
}

async function stop({ home }: Running): Promise<void> {
  home.child.kill('SIGTERM')
  expect(await home.ended).toBe(0)
}

/** A folder whose key was made so long ago; opening it costs nothing. */
function withKey(hoursAgo: number, config = ''): string {
  const path = stateFolder(config)
  masterKey.put(path)
  const now = Date.now() - hoursAgo * HOUR
  const { key, signing } = given(createBackupKey({ passphrase: PASSPHRASE, now, cost: CHEAP }))
  writeFileSync(join(path, KEY_FILE), JSON.stringify(key), { mode: 0o600 })
  writeFileSync(join(path, SIGN_FILE), signing, { mode: 0o600 })
  return path
}

const statusOf = async ({ client }: Running) =>
  (await client.ask('status'))['result'] as Record<'backup' | 'nextBackup' | 'backupTrouble', string | null>
const notices = async ({ client }: Running) => {
  const rows = (await client.ask('deliveries', { after: 0 }))['result'] as {
    id: string
    kind: string
    text: string
  }[]
  // Every start tells of itself.
  return rows
    .filter(({ id, kind }) => kind === 'notice' && !id.startsWith('restart:'))
    .map(({ text }) => text)
}

describe('unattended', () => {
  test('a night that home was off is made up for at its start, without a passphrase', async () => {
    const path = withKey(25)
    const running = await start(path)
    await until(async () => (await statusOf(running)).backup !== 'none yet', READY)
    expect(await statusOf(running)).toMatchObject({ backupTrouble: null })
    expect(await notices(running)).toEqual([])
    await stop(running)
    expect(readdirSync(join(path, 'backups'))).toHaveLength(1)
    expect(await pfar(['backup', 'verify'], { state: path })).toMatchObject({ code: 0, err: '' })
  })

  test.each([
    ['a failure', 25, /backup did not work/],
    ['a day without', 50, /No backup was made for more than a day/],
  ])('%s is told on the private line, once, over a restart too', async (_name, hours, words) => {
    const away = join(newFolder('away'), 'disk')
    const path = withKey(hours, `[backup]\nfolder = "${away}"\n`)
    for (const _run of ['first', 'second']) {
      const running = await start(path)
      await until(async () => (await statusOf(running)).backupTrouble === 'storage_failed', READY)
      await until(async () => (await notices(running)).length > 0, READY)
      expect(await notices(running)).toEqual([expect.stringMatching(words)])
      await stop(running)
    }
  })
})

describe('a disk that does not do', () => {
  const fill = (path: string, bytes: number) => {
    const database = new DatabaseSync(path)
    database.exec('create table filler (bytes blob)')
    database.prepare('insert into filler values (randomblob(?))').run(bytes)
    database.close()
  }

  test.each([
    [
      'while the store is copied',
      0.1,
      'home.sqlite: its copy cannot be written: the disk is full or reports errors',
    ],
    ['while the copy is encrypted', 1, 'home.sqlite: there is no room left; make room, or name a folder'],
  ])('full %s: words, the archive as it was, nothing left over', async (_name, share, words) => {
    const path = withKey(0)
    fill(join(path, 'home.sqlite'), 3_000_000)
    expect((await pfar(['backup', 'now'], { state: path })).code).toBe(0)
    const archive = readdirSync(join(path, 'backups'))
    const before = readdirSync(path)
    // The whole store fits, and the few bytes more that a cipher adds do not.
    const largestFile = Math.floor((statSync(join(path, 'home.sqlite')).size * share) / 512)
    const ran = await pfar(['backup', 'now'], { state: path, largestFile })
    expect(ran.code).toBe(1)
    expect(ran.err).toContain(words)
    expect(readdirSync(join(path, 'backups'))).toEqual(archive)
    expect(readdirSync(path)).toEqual(before)
    expect((await pfar(['backup', 'now'], { state: path })).code).toBe(0)
  })

  test('full while restoring: nothing was touched', async () => {
    const path = withKey(0)
    fill(join(path, 'home.sqlite'), 3_000_000)
    expect((await pfar(['backup', 'now'], { state: path })).code).toBe(0)
    const before = readdirSync(path)
    const typing = { state: path, lines: [PASSPHRASE], largestFile: 400 }
    const ran = await pfar(['restore', '--replace'], typing)
    expect(ran.code).toBe(1)
    expect(ran.err).toContain('(storage_full)')
    expect(readdirSync(path)).toEqual(before)
    expect(existsSync(`${path}.restoring`)).toBe(false)
  })

  test('damaged: home and backup say what to do', async () => {
    const path = withKey(0)
    writeFileSync(join(path, 'home.sqlite'), 'x'.repeat(9_000))
    const home = spawnHome(path)
    started.push(home)
    expect(await home.ended).toBe(1)
    expect(home.stderr()).toMatch(/home\.sqlite: it is damaged.*pfar restore/)
    const ran = await pfar(['backup', 'now'], { state: path })
    expect(ran).toMatchObject({ code: 1, out: '' })
    expect(ran.err).toContain('home.sqlite: it is damaged or not a database')
  })
})

describe('refused', () => {
  test('a restore while home runs', async () => {
    const path = withKey(0)
    const running = await start(path)
    expect((await pfar(['backup', 'now'], { state: path })).code).toBe(0)
    const ran = await pfar(['restore', '--replace'], { state: path, lines: [PASSPHRASE] })
    expect(ran).toMatchObject({ code: 1, out: '' })
    expect(ran.err).toContain('home is running in this folder; stop it first')
    await stop(running)
  })

  const path = withKey(0)
  const empty = newFolder('empty')
  const dark = newFolder('dark')
  mkdirSync(join(empty, 'lost+found'))
  masterKey.put(dark)
  test.each<[string, string[], string, string[], string]>([
    ['a second key', ['backup', 'init'], path, [PASSPHRASE, PASSPHRASE], 'there is a backup key already'],
    [
      'two passphrases',
      ['backup', 'init'],
      dark,
      [PASSPHRASE, 'another one of it'],
      'The two passphrases differ',
    ],
    ['a short passphrase', ['backup', 'init'], dark, ['short', 'short'], 'must have 12 to'],
    ['no passphrase', ['backup', 'init'], dark, [], 'No passphrase was given'],
    ['a backup without a key', ['backup', 'now'], dark, [], 'Backups are not set up: `pfar backup init`\n'],
    ['an empty archive', ['restore', '--from', empty], dark, [PASSPHRASE], 'there is no backup in it'],
    ['a date without one', ['backup', 'verify', '2020-01-01'], path, [], 'no backup of that date'],
    ['a date that is a path', ['backup', 'verify', '../..'], path, [], 'no backup of that date'],
  ])('%s', async (_name, args, state, lines, words) => {
    const ran = await pfar(args, { state, lines })
    expect(ran.code).toBe(1)
    expect(ran.err).toContain(words)
    expect(ran.err).not.toContain(PASSPHRASE)
  })
})

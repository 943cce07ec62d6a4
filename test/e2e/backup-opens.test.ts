/**
 * A backup opens on a new, empty machine with its passphrase and the 24 words (E-14), and where it cannot, everybody says so: a development
 * key has no words and is in no backup.
 */

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createBackupKey, KEY_FILE, SIGN_FILE } from '../../sidecar/backup/backup-key.ts'
import { initKey } from '../../sidecar/keys/change-key.ts'
import { CHEAP, given, NOON, PASSPHRASE } from '../home/fixtures/backup.ts'
import { folderAt, withKeys } from '../home/fixtures/keys.ts'
import { type HomeProcess, spawnHome } from '../home/fixtures/process.ts'
import { scriptedTerminal } from '../home/fixtures/scripted-terminal.ts'
import { until } from '../home/fixtures/wait.ts'
import { newFolder } from '../kit/folder.ts'
import { pfar } from './restore-bench.ts'

const READY = 60_000
const LONG = 240_000
const DEV_KEY = /opens only with the dev\.key/

const homes: HomeProcess[] = []
/** Whoever connects to it was sent something. */
let reached = 0
const outside = createServer((_request, response) => void response.end('{"ok":false}'))
outside.on('connection', () => {
  reached += 1
})
const state = newFolder('opens')
const disk = newFolder('opens')

async function start(path: string): Promise<HomeProcess> {
  const home = spawnHome(path)
  homes.push(home)
  await until(() => home.stdout().includes('home ready') || home.child.exitCode !== null, READY)
  return home
}
async function stop({ child, ended }: HomeProcess): Promise<void> {
  child.kill('SIGTERM')
  await ended
}
function configure(path: string, more = ''): void {
  writeFileSync(join(path, 'config.toml'), `[backup]\nfolder = "${disk}"\n${more}`)
}
/** As `pfar backup init` of an earlier version made it. */
function giveBackupKey(path: string): void {
  const { key, signing } = given(createBackupKey({ passphrase: PASSPHRASE, now: NOON, cost: CHEAP }))
  writeFileSync(join(path, KEY_FILE), JSON.stringify(key), { mode: 0o600 })
  writeFileSync(join(path, SIGN_FILE), signing, { mode: 0o600 })
}
async function remember(path: string, words: string): Promise<void> {
  const home = await start(path)
  expect(await pfar(['ask', words], { state: path })).toMatchObject({ code: 0 })
  await stop(home)
}

let old = ''
let words = ''
beforeAll(async () => {
  await new Promise<void>((resolve) => outside.listen(0, '127.0.0.1', resolve))
  configure(state)
  await remember(state, 'remember that the spare key is with Mrs Novak')
}, LONG)
afterAll(() => {
  for (const { child } of homes) child.kill('SIGKILL')
  outside.close()
})

test('backup init refuses under a development key, also before the first start, and names pfar key init', async () => {
  for (const folder of [state, newFolder('opens')]) {
    const ran = await pfar(['backup', 'init'], { state: folder, lines: [PASSPHRASE, PASSPHRASE] })
    expect(ran).toMatchObject({ code: 1, out: '', err: expect.stringContaining('`pfar key init`') })
    expect(existsSync(join(folder, KEY_FILE))).toBe(false)
  }
})

test('one that an earlier version set up says of each backup that it opens only with dev.key', {
  timeout: LONG,
}, async () => {
  giveBackupKey(state)
  const made = await pfar(['backup', 'now'], { state })
  expect([made.code, made.err]).toEqual([1, expect.stringMatching(DEV_KEY)])
  ;[old = ''] = readdirSync(disk)
  const looked = await pfar(['backup', 'verify'], { state })
  expect([looked.code, looked.err]).toEqual([1, expect.stringMatching(DEV_KEY)])
  const opened = await pfar(['backup', 'verify', '--open'], { state, lines: [PASSPHRASE] })
  expect([opened.code, opened.err]).toEqual([1, expect.stringMatching(DEV_KEY)])
  expect(opened.out).toMatch(/with the dev\.key of this machine and sent nothing: 1 turn, 1 fact,/)
  const found = JSON.parse((await pfar(['doctor', '--json'], { state })).out) as {
    part: string
    state: string
    says: string
  }[]
  expect(found.find(({ part }) => part === 'backups')).toMatchObject({
    state: 'bad',
    says: expect.stringContaining('dev.key'),
  })
})

test('restored, its start says where dev.key must go, and goes on with it', { timeout: LONG }, async () => {
  const fresh = join(newFolder('opens'), 'state')
  const restored = await pfar(['restore', '--from', disk], { state: fresh, lines: [PASSPHRASE] })
  expect(restored).toMatchObject({
    code: 0,
    err: '',
    out: expect.stringContaining(`put the dev.key of that machine into ${fresh}`),
  })
  const home = await start(fresh)
  expect(home.stderr()).toContain(
    `home cannot start: dev.key: it is missing. What is here lies under a development key: put the dev.key of the machine that it comes from into ${fresh}`,
  )
  writeFileSync(join(fresh, 'dev.key'), readFileSync(join(state, 'dev.key')), { mode: 0o600 })
  const again = await start(fresh)
  const ran = await pfar(['ask', 'what do you know about the spare key?'], { state: fresh })
  expect(ran.out).toContain('Mrs Novak')
  await stop(again)
})

test('after key init the new backup starts a home from its passphrase and words, and sends nothing', {
  timeout: LONG,
}, async () => {
  const { port } = outside.address() as AddressInfo
  const away = `http://127.0.0.1:${port}`
  const calls = `[edge]\nurl = "${away}"\n[telegram]\nowner = 7\nbot = 8\napi = "${away}"\n`
  const terminal = scriptedTerminal()
  const folder = folderAt(state)
  expect(await withKeys(folder, (input) => initKey({ ...input, terminal }, 'passphrase'))).toMatchObject({
    ok: true,
  })
  words = terminal.noted.join(' ')
  configure(state, calls)
  const made = await pfar(['backup', 'now'], { state })
  const newest = readdirSync(disk).sort().at(-1) ?? ''
  expect(newest).not.toBe(old)
  expect(made.err).not.toMatch(DEV_KEY)
  const nowhere = newFolder('opens')
  reached = 0
  const open = (lines: readonly string[], ...date: string[]) =>
    pfar(['backup', 'verify', ...date, '--open', '--from', disk], { state: nowhere, lines })
  expect(await open([PASSPHRASE, words])).toMatchObject({
    code: 0,
    err: '',
    out: expect.stringMatching(/Home started from it with those 24 words and sent nothing: 1 turn, 1 fact,/),
  })
  expect([reached, readdirSync(nowhere)]).toEqual([0, []])
  const other = `${'abandon '.repeat(23)}art`
  expect(await open([PASSPHRASE, other])).toMatchObject({
    code: 1,
    err: expect.stringContaining('those words are of another master key'),
  })
  expect(await open([PASSPHRASE])).toMatchObject({
    code: 1,
    err: expect.stringContaining('neither the passphrase of the master key nor its 24 words were given'),
  })
  expect(await open(['not the passphrase', words])).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^The passphrase does not open this backup\./),
  })
  // The one from before still says what it needs.
  expect(await open([PASSPHRASE, words], old)).toMatchObject({
    code: 1,
    err: expect.stringContaining('it lies under a development key that is not on this machine'),
  })
})

test('a start from the restored folder asks for the words', { timeout: LONG }, async () => {
  const fresh = join(newFolder('opens'), 'state')
  const restored = await pfar(['restore', '--from', disk], { state: fresh, lines: [PASSPHRASE] })
  expect(restored.out).toContain('`pfar key recover --custody passphrase`')
  const home = await start(fresh)
  expect(home.stderr()).toMatch(
    /home cannot start: master key: .*`pfar key recover --custody passphrase`.*24 words/,
  )
})

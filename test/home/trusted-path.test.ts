/**
 * Which folders, sockets and locks home and its terminal trust, if another account of the machine can write beside
 * them: with real processes of another account, which needs root to start.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { ok } from '../../kernel/flow/verdict.ts'
import { withStaged } from '../../sidecar/backup/restore.ts'
import { createPrivateLink } from '../../sidecar/cli/line/private-link.ts'
import { listen } from '../../sidecar/line/listen.ts'
import { checkTrusted } from '../../sidecar/process/trusted-path.ts'
import { acquireInstanceLock, acquireRestoreLock } from '../../sidecar/store/instance-lock.ts'
import { openStateFolder } from '../../sidecar/store/state-folder.ts'
import { newFolder } from '../kit/folder.ts'
import { given } from './fixtures/backup.ts'
import { PLAIN_LINE } from './fixtures/line.ts'

/** The account that owns no files. */
const NOBODY = 65_534
const needs = { meta: { needs: 'root' }, skip: process.getuid?.() !== 0 }

const LOCKS = fileURLToPath(new URL('../../sidecar/store/instance-lock.ts', import.meta.url))

const children: ChildProcess[] = []
afterAll(() => {
  for (const child of children) child.kill('SIGKILL')
})

/** A folder that everybody may write to, like /tmp. */
function shared(): string {
  const path = newFolder('shared')
  chmodSync(path, 0o1777)
  return path
}

/** Runs shell commands as the other account. */
function asNobody(script: string): void {
  const ran = spawnSync('/bin/sh', ['-c', script], { uid: NOBODY, gid: NOBODY, stdio: 'ignore' })
  expect(ran.status).toBe(0)
}

/** A program that claims to be home, and records what it receives. */
const FALSE_HOME = `
const { createServer } = require('node:http'), { chmodSync, appendFileSync } = require('node:fs')
const [, path, heard] = process.argv
createServer((request, answer) => {
  request.on('data', (said) => appendFileSync(heard, request.url + String(said)))
  answer.end(JSON.stringify(request.url === '/hello' ? { nonce: 'x', proof: 'x' } : { place: 'home' }))
}).listen(path, () => { chmodSync(path, 0o600); console.log('up') })
`

async function falseHome(path: string, heard: string, who = {}): Promise<void> {
  const child = spawn(process.execPath, ['-e', FALSE_HOME, path, heard], {
    ...{ env: {}, stdio: ['ignore', 'pipe', 'ignore'], cwd: '/' },
    ...who,
  })
  children.push(child)
  await new Promise((resolve, reject) => {
    child.stdout?.once('data', resolve)
    child.once('exit', reject)
  })
}

const codeOf = async (path: string): Promise<unknown> => {
  const link = createPrivateLink(path)
  const said = await link.send({ id: 'm1', text: 'my secret' })
  link.close()
  return said.ok ? 'said' : said.reason
}

describe('the terminal sends nothing to a socket that is not its own home’s', () => {
  test('in a folder of another account', needs, async () => {
    const root = shared()
    const folder = join(root, 'home')
    asNobody(`mkdir -m 755 ${folder}`)
    await falseHome(join(folder, 'home.sock'), join(folder, 'heard'), { uid: NOBODY, gid: NOBODY })
    expect(await codeOf(join(folder, 'home.sock'))).toMatchObject({ code: 'storage_failed' })
    expect(existsSync(join(folder, 'heard'))).toBe(false)
  })

  test('in its own folder that others may write to', async () => {
    const folder = newFolder('open')
    await falseHome(join(folder, 'home.sock'), join(folder, 'heard'))
    chmodSync(folder, 0o777)
    const reason = await codeOf(join(folder, 'home.sock'))
    expect(reason).toMatchObject({ code: 'storage_failed', facts: { file: 'PFAR_HOME' } })
    expect(reason).toMatchObject({ facts: { problem: expect.stringContaining('chmod 700') } })
    expect(existsSync(join(folder, 'heard'))).toBe(false)
  })

  test('through a link', async () => {
    const [folder, other] = [newFolder('own'), newFolder('other')]
    await falseHome(join(other, 'home.sock'), join(other, 'heard'))
    symlinkSync(join(other, 'home.sock'), join(folder, 'home.sock'))
    expect(await codeOf(join(folder, 'home.sock'))).toMatchObject({ code: 'storage_failed' })
    expect(existsSync(join(other, 'heard'))).toBe(false)
  })

  test('whose program does not know the token', async () => {
    const folder = newFolder('own')
    writeFileSync(join(folder, 'home.token'), 'a token of mine', { mode: 0o600 })
    await falseHome(join(folder, 'home.sock'), join(folder, 'heard'))
    expect(await codeOf(join(folder, 'home.sock'))).toMatchObject({ code: 'signature_invalid' })
    // The other process writes down what it got after it has answered.
    await expect
      .poll(() => readFileSync(join(folder, 'heard'), 'utf8'))
      .toMatch(/^\/hello\{"nonce":"[\w-]+"\}$/)
  })

  test('of an older home, which has no token', async () => {
    const folder = newFolder('own')
    await falseHome(join(folder, 'home.sock'), join(folder, 'heard'))
    expect(await codeOf(join(folder, 'home.sock'))).toMatchObject({ code: 'version_incompatible' })
    expect(existsSync(join(folder, 'heard'))).toBe(false)
  })
})

test('a missing socket means that home does not run, whatever the mode of the folder', async () => {
  const folder = newFolder('none')
  chmodSync(folder, 0o755)
  expect(await codeOf(join(folder, 'home.sock'))).toMatchObject({ code: 'home_offline' })
})

describe('a path that is too long for a socket', () => {
  const path = join(newFolder('long'), 'x'.repeat(100), 'home.sock')

  test('is refused by home, and no socket is created in its parent', async () => {
    mkdirSync(join(path, '..'), { mode: 0o700 })
    const listening = await listen({ ...PLAIN_LINE, path })
    expect(listening).toMatchObject({ ok: false, reason: { code: 'storage_failed' } })
    expect(JSON.stringify(listening)).toContain('give PFAR_HOME a shorter path')
    expect(readdirSync(join(path, '..', '..'))).toEqual(['x'.repeat(100)])
  })

  test('is refused by the terminal', async () =>
    expect(await codeOf(path)).toMatchObject({ code: 'storage_failed', facts: { file: 'home.sock' } }))
})

describe('what another account puts beside the state folder', () => {
  test('such as a restore’s lock does not prevent home from starting', needs, () => {
    const state = join(shared(), 'home')
    asNobody(`umask 077; echo > ${state}.restore.lock`)
    const folder = given(openStateFolder(state))
    given(acquireInstanceLock(folder)).release()
    expect(statSync(`${state}.restore.lock`).uid).toBe(NOBODY)
  })

  test.each([
    ['a lock of a restore', 'umask 077; echo > $1.restore.lock'],
    ['a link in its place', 'ln -s /etc/hostname $1.restore.lock'],
    ['a folder in its place', 'mkdir $1.restore.lock'],
    [
      'and locks by other names',
      'for n in 1 2 3; do echo > $1.restore.00000000000000000000000$n.lock; done; echo > $1.restore.lock',
    ],
  ])('such as %s does not prevent a restore, and only one restore starts at a time', needs, (_what, puts) => {
    const state = join(shared(), 'home')
    const folder = given(openStateFolder(state))
    asNobody(`set -- ${state}; ${puts}`)
    const theirs = readdirSync(join(state, '..')).sort()
    const busy = { reason: { facts: { problem: 'it is being restored; wait until that has ended' } } }
    const held = given(acquireRestoreLock(state))
    expect(acquireRestoreLock(state)).toMatchObject(busy)
    expect(acquireInstanceLock(folder)).toMatchObject(busy)
    // The obstacle is gone: a process that uses the usual name meets the running restore all the same.
    rmSync(`${state}.restore.lock`, { recursive: true })
    expect(acquireRestoreLock(state)).toMatchObject(busy)
    held.release()
    given(acquireRestoreLock(state)).release()
    given(acquireInstanceLock(folder)).release()
    expect(readdirSync(join(state, '..')).sort()).toEqual(
      theirs.filter((name) => name !== 'home.restore.lock'),
    )
  })

  test.each([
    ['under the usual name', ''],
    ['beside what another account put there', 'echo > $1.restore.lock'],
  ])(
    'a restore in another process that was killed %s does not prevent the next one',
    needs,
    async (_what, puts) => {
      const state = join(shared(), 'home')
      const folder = given(openStateFolder(state))
      if (puts !== '') asNobody(`set -- ${state}; ${puts}`)
      const code = `const { acquireRestoreLock } = await import(${JSON.stringify(LOCKS)})
      globalThis.held = acquireRestoreLock(${JSON.stringify(state)})
      console.log(held.ok)
      setInterval(() => undefined, 1_000)`
      const child = spawn(process.execPath, ['--input-type=module', '-e', code])
      children.push(child)
      expect(String((await once(child.stdout, 'data'))[0])).toContain('true')
      expect([acquireRestoreLock(state).ok, acquireInstanceLock(folder).ok]).toEqual([false, false])
      child.kill('SIGKILL')
      await once(child, 'close')
      given(acquireInstanceLock(folder)).release()
      given(acquireRestoreLock(state)).release()
    },
  )

  test(
    'such as a folder named like one moved aside does not prevent a first home from starting',
    needs,
    () => {
      const state = join(shared(), 'home')
      asNobody(`mkdir ${state}.before-restore-1`)
      expect(openStateFolder(state)).toMatchObject({ ok: true })
    },
  )

  test('a lock that is a link is not followed', () => {
    const state = join(newFolder('link'), 'home')
    symlinkSync(join(state, '..', 'elsewhere'), `${state}.restore.lock`)
    expect(acquireRestoreLock(state)).toMatchObject({ ok: false, reason: { code: 'storage_failed' } })
    expect(existsSync(join(state, '..', 'elsewhere'))).toBe(false)
  })

  test('but the lock of an older version’s restore is honoured', () => {
    const state = join(newFolder('old'), 'home')
    const folder = given(openStateFolder(state))
    const held = given(acquireRestoreLock(state))
    expect(existsSync(`${state}.restore.lock`)).toBe(true)
    expect(acquireInstanceLock(folder)).toMatchObject({ ok: false, reason: { code: 'storage_failed' } })
    held.release()
  })

  test('such as a folder of a restore neither blocks one nor is written into', needs, async () => {
    const state = join(shared(), 'home')
    asNobody(`mkdir -m 777 ${state}.restoring`)
    const done = await withStaged(state, async (staged) => {
      writeFileSync(join(staged, 'home.sqlite'), 'mine')
      expect(statSync(staged).mode & 0o777).toBe(0o700)
      return ok(true)
    })
    expect(done).toEqual(ok(true))
    expect(readdirSync(`${state}.restoring`)).toEqual([])
  })
})

test('leftovers of an interrupted restore are deleted by the next', async () => {
  const state = join(newFolder('cut'), 'home')
  mkdirSync(`${state}.restoring-0123`, { mode: 0o700 })
  expect(await withStaged(state, async () => ok(true))).toEqual(ok(true))
  expect(readdirSync(join(state, '..'))).toEqual([])
})

test.each([
  ['a folder', 'folder', (path: string) => mkdirSync(path, { mode: 0o700 }), null],
  ['a folder that a group may enter', 'folder', (path: string) => mkdirSync(path, { mode: 0o710 }), 'chmod'],
  [
    'a file for a folder',
    'folder',
    (path: string) => writeFileSync(path, '', { mode: 0o600 }),
    'not a folder',
  ],
  ['a file', 'file', (path: string) => writeFileSync(path, '', { mode: 0o600 }), null],
  [
    'a file that others may read',
    'file',
    (path: string) => writeFileSync(path, '', { mode: 0o644 }),
    'chmod',
  ],
  [
    'a file for a socket',
    'socket',
    (path: string) => writeFileSync(path, '', { mode: 0o600 }),
    'not a socket',
  ],
] as const)('%s is judged without following it', (_name, kind, make, problem) => {
  const path = join(newFolder('kind'), 'it')
  expect(checkTrusted(path, kind)).toBeNull()
  make(path)
  const found = checkTrusted(path, kind)
  if (problem === null) expect(found).toEqual(ok(true))
  else expect(JSON.stringify(found)).toContain(problem)
  rmSync(path, { recursive: true })
})

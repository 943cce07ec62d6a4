/** A really full disk, as reported by start, messages and doctor: one sentence that says where to free space. */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { notWritten, prepareState } from '../../scripts/start/state.ts'
import { createScreen } from '../../sidecar/cli/chat/screen.ts'
import { createContext } from '../../sidecar/cli/command.ts'
import { runProgram } from '../../sidecar/cli/program.ts'
import { statePaths } from '../../sidecar/cli/state-paths.ts'
import { sentenceFor } from '../../sidecar/cli/words.ts'
import { START_SCRIPT } from '../../sidecar/process/installed-parts.ts'
import { storageTrouble } from '../../sidecar/store/storage-trouble.ts'
import { newFolder } from '../kit/folder.ts'
import { connectClient, spawnHome } from './fixtures/process.ts'
import { until } from './fixtures/wait.ts'

const FULL = 'The disk is full; nothing was kept. Make room, then ask again.'

const disk = newFolder('full')
const isMounted = mounted()
afterAll(() => {
  if (isMounted) execFileSync('umount', ['-l', disk])
})

/** Mounts a disk of three megabytes in memory, where this is allowed, as in CI. */
function mounted(): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=3m', 'tmpfs', disk], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Fills the disk to the last byte. */
function fill(): void {
  const { bavail, bsize } = statfsSync(disk)
  if (bavail > 0) writeFileSync(join(disk, `filler-${bavail}`), Buffer.alloc(bavail * bsize))
}

test.each([
  ['no room', { code: 'ENOSPC', syscall: 'write' }],
  ['a quota', { code: 'EDQUOT', syscall: 'open' }],
  ['no room for a page', { code: 'ERR_SQLITE_ERROR', errcode: 13 }],
  ['no room for the shared memory', { code: 'ERR_SQLITE_ERROR', errcode: 4874 }],
])('%s is reported as a full disk at the start', (_, facts) => {
  const error = Object.assign(new Error('x'), facts)
  expect(storageTrouble('home.sqlite', error).reason.code).toBe('storage_full')
  expect(notWritten('/data/pfar', error)).toEqual({ ok: false, sentence: `/data/pfar: ${FULL}` })
})

test('other problems of a folder are reported as before, and a full disk never as “try again”', () => {
  const denied = Object.assign(new Error('x'), { code: 'EACCES', syscall: 'open' })
  expect(notWritten('/data/pfar', denied)).toMatchObject({ sentence: expect.stringContaining('PFAR_HOME') })
  expect(sentenceFor({ code: 'storage_full', facts: {} })).toBe(FULL)
})

test.runIf(isMounted)('on a full disk a start, a message and the doctor say so', async () => {
  const root = join(disk, 'state')
  expect(prepareState(statePaths({ PFAR_HOME: root })).ok).toBe(true)
  const home = spawnHome(root)
  await until(() => existsSync(home.socket) && home.stdout().includes('home ready'), 30_000)
  const client = await connectClient(home.socket)
  fill()
  let heard: Awaited<ReturnType<typeof client.ask>> = {}
  for (let n = 0; n < 200 && heard['error'] === undefined; n += 1)
    heard = await client.ask('send', { id: `m${n}`, text: 'hello '.repeat(2_000) })
  expect(heard['error']).toEqual({ code: 'storage_full', message: FULL })
  client.socket.destroy()

  fill()
  rmSync(statePaths({ PFAR_HOME: root }).config)
  fill()
  expect(prepareState(statePaths({ PFAR_HOME: root }))).toEqual({ ok: false, sentence: `${root}: ${FULL}` })

  const start = spawnSync(process.execPath, [START_SCRIPT, '--only', 'home', '--no-demo', '--no-chat'], {
    env: { PATH: process.env['PATH'] ?? '', PFAR_HOME: root },
    encoding: 'utf8',
  })
  expect([start.status, start.stderr.trim()]).toEqual([1, `${root}: ${FULL}`])

  const said: string[] = []
  const write = (text: string): boolean => said.push(text) > 0
  const screen = createScreen({ out: { write }, err: { write } } as never, {})
  await runProgram(createContext(screen, { PFAR_HOME: root, PATH: process.env['PATH'] ?? '' }), ['doctor'])
  home.child.kill('SIGKILL')
  await home.ended
  const lines = said.join('')
  expect(lines).toMatch(/BAD {2}disk +The disk of .*state is full: \d+ bytes are free\. Make room/)
  expect(lines).not.toMatch(/internal|disk I\/O error| at .*\.ts:/)
})

/** Child processes of `npm start`, as real processes: kept running, restarted, stopped, and never left behind. */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test, vi } from 'vitest'
import { keepChild, lastLogLine } from '../../scripts/start/child.ts'
import { childProcesses, killStale } from '../../scripts/start/stale.ts'
import { newFolder } from '../kit/folder.ts'

let folder = ''

beforeEach(() => {
  folder = newFolder('test')
})

/** A program that records its process id, reports that it is ready, and then does what the test needs. */
function program(then: string): string {
  const path = join(folder, 'child.mjs')
  writeFileSync(
    path,
    `import { appendFileSync } from 'node:fs'
appendFileSync(${JSON.stringify(join(folder, 'pids'))}, process.pid + '\\n')
process.stdout.write('ready\\n')
${then}`,
  )
  return path
}

const STAY = 'setInterval(() => {}, 1000)'

const pids = () =>
  existsSync(join(folder, 'pids'))
    ? readFileSync(join(folder, 'pids'), 'utf8').trim().split('\n').map(Number)
    : []

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    // A zombie that was not reaped yet counts as gone.
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

function keep(then: string, onCrash: (pauseMs: number) => void = () => undefined) {
  return keepChild({
    name: 'test',
    command: [program(then)],
    environment: { PATH: process.env['PATH'] ?? '' },
    log: join(folder, 'log'),
    onCrash,
  })
}

test('a child reports when it is ready, and stops when asked', async () => {
  const child = keep(STAY)
  expect(await child.ready).toBe('ready')
  await child.stop()
  expect(child.running()).toBe(false)
  expect(pids().map(isAlive)).toEqual([false])
})

test('a killed child is restarted after a delay that is reported', async () => {
  const pauses: number[] = []
  const child = keep(STAY, (pause) => pauses.push(pause))
  await child.ready
  process.kill(pids()[0] ?? 0, 'SIGKILL')
  await vi.waitFor(() => expect(pids()).toHaveLength(2), { timeout: 10_000 })
  expect(pauses).toEqual([500])
  await child.stop()
  expect(pids().map(isAlive)).toEqual([false, false])
}, 20_000)

test('a child that never gets ready yields null, and its last log line is found', async () => {
  const path = join(folder, 'broken.mjs')
  writeFileSync(path, `process.stderr.write('config.toml: edge.url must be https\\n'); process.exit(1)`)
  const onCrash = vi.fn()
  const child = keepChild({ name: 't', command: [path], environment: {}, log: join(folder, 'log'), onCrash })
  expect(await child.ready).toBeNull()
  await child.stop()
  expect(onCrash).not.toHaveBeenCalled()
  expect(lastLogLine(join(folder, 'log'))).toBe('config.toml: edge.url must be https')
})

test('the last log line is that of the error, not of the trace around it', () => {
  const log = join(folder, 'log')
  writeFileSync(log, "Error: no disk\n    at open (node:fs:1:2) {\n  code: 'ENOSPC'\n}\n\nNode.js v22.23.3\n")
  expect(lastLogLine(log)).toBe('Error: no disk')
})

test('a child ends when its parent is killed', async () => {
  const child = program(STAY)
  const parent = join(folder, 'parent.ts')
  writeFileSync(
    parent,
    `import { keepChild } from ${JSON.stringify(new URL('../../scripts/start/child.ts', import.meta.url).href)}
keepChild({ name: 't', command: [${JSON.stringify(child)}], environment: {}, log: ${JSON.stringify(join(folder, 'log'))}, onCrash: () => undefined })`,
  )
  const started = spawn(process.execPath, [parent], { stdio: 'ignore' })
  await vi.waitFor(() => expect(pids()).toHaveLength(1), { timeout: 10_000 })
  started.kill('SIGKILL')
  await vi.waitFor(() => expect(pids().map(isAlive)).toEqual([false]), { timeout: 10_000 })
}, 25_000)

test('a left-behind runtime is found by its recorded id and program, and nothing else is touched', async () => {
  const note = join(folder, 'pid')
  const sleeper = spawn('sleep', ['60'])
  await expect.poll(() => childProcesses(process.pid, 'sleep')).toContain(sleeper.pid)
  writeFileSync(note, String(sleeper.pid))
  expect(killStale(note, 'workerd')).toBe(0)
  // Its parent, a Node process, still runs: it is in use.
  expect(killStale(note, 'sleep')).toBe(0)
  expect(isAlive(sleeper.pid ?? 0)).toBe(true)
  sleeper.kill('SIGKILL')
  expect(killStale(join(folder, 'none'), 'sleep')).toBe(0)
})

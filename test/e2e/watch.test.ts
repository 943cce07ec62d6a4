/** `npm run dev` as real processes, in a copy of the tree: what a changed source is part of starts again, a typo is said, and nothing stays behind. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { newFolder } from '../kit/folder.ts'
import { waitFor } from './terminal-bench.ts'
import { copyTree } from './tree-copy.ts'

/** Milliseconds for a start on a busy machine; the first bundles the Worker. */
const WITHIN = 90_000

let tree = ''
let said = ''
let dev: ChildProcess
const home = newFolder('dev')

const pidOf = (name: 'home' | 'edge' | 'workerd'): number =>
  Number(readFileSync(join(home, 'edge', `${name}.pid`), 'utf8').split('\n')[0])
const lives = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
const edgeAnswers = async (): Promise<boolean> => {
  const [origin = ''] = /http:\/\/127\.0\.0\.1:\d+(?= \(the open line\))/.exec(start) ?? []
  return (await fetch(origin).catch(() => null)) !== null
}
let start = ''

/** What is printed after a change, until it says this. */
async function after(change: () => void, words: RegExp): Promise<string> {
  said = ''
  change()
  await waitFor(() => words.test(said), WITHIN)
  return said
}

beforeAll(async () => {
  tree = copyTree()
  dev = spawn(process.execPath, ['scripts/start.js', '--watch', '--port', '0'], {
    cwd: tree,
    env: { ...process.env, PFAR_HOME: home, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  for (const stream of [dev.stdout, dev.stderr]) stream?.on('data', (text) => (said += text))
  await waitFor(() => /^watch /m.test(said) || dev.exitCode !== null, WITHIN)
  start = said
})
afterAll(() => {
  dev.kill('SIGKILL')
  for (const folder of [tree, home])
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
})

it('a change of what home alone is made of starts home again', async () => {
  const before = [pidOf('home'), pidOf('edge')]
  const told = await after(
    () => appendFileSync(join(tree, 'sidecar/main.js'), '// changed\n'),
    /^home {3}started again/m,
  )
  expect(told).not.toMatch(/^edge /m)
  expect([pidOf('home') === before[0], pidOf('edge') === before[1]]).toEqual([false, true])
  expect(lives(before[0] ?? 0)).toBe(false)
})

it('a change of what the edge alone is made of starts the edge again', async () => {
  const before = [pidOf('home'), pidOf('edge'), pidOf('workerd')]
  const told = await after(
    () => appendFileSync(join(tree, 'worker/index.ts'), '// changed\n'),
    /^edge {3}started again/m,
  )
  expect(told).not.toMatch(/^home /m)
  expect([pidOf('home') === before[0], pidOf('edge') === before[1]]).toEqual([true, false])
  expect(lives(before[2] ?? 0)).toBe(false)
  expect(await edgeAnswers()).toBe(true)
})

it.each([
  ['sidecar/main.js', /^home {3}Home did not start: .*SyntaxError/m, /^home {3}started again/m],
  [
    'worker/index.ts',
    /^edge {3}The Worker could not be bundled[\s\S]*worker\/index\.ts/m,
    /^edge {3}started again/m,
  ],
])('a typo in %s is said, and the next save starts what it was in', async (path, trouble, well) => {
  const file = join(tree, path)
  const right = readFileSync(file, 'utf8')
  await after(() => writeFileSync(file, `${right}\nconst const = 1\n`), trouble)
  // An edge that cannot be bundled anew goes on as it was.
  expect(await edgeAnswers()).toBe(true)
  await after(() => writeFileSync(file, `${right}// right again\n`), well)
  expect(lives(pidOf('home'))).toBe(true)
})

it('Ctrl-C ends it, and no process stays', async () => {
  const pids = [pidOf('home'), pidOf('edge'), pidOf('workerd')]
  expect(pids.every(lives)).toBe(true)
  const gone = once(dev, 'exit')
  dev.kill('SIGINT')
  expect((await gone)[0]).toBe(0)
  await waitFor(() => !pids.some(lives), WITHIN)
})

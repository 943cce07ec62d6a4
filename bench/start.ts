/**
 * Waiting times in a terminal: the first start in a new state folder, a second one, the first answer, later ones, `pfar status`
 * and `pfar --help`. Starts the processes without npm. Called by bench/main.ts.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atMost, type Figure, percentile } from './figures.ts'

const ROOT = join(import.meta.dirname, '..')
const ROUNDS = 5
/** Maximum time for a start, in ms. */
const START_WITHIN = 60_000

export async function measureStart(): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'pfar-bench-start-'))
  const environment = { ...process.env, PFAR_HOME: folder, NO_COLOR: '1' }
  const pfar = (...args: string[]) => timed(['scripts/pfar.mjs', ...args], environment)
  try {
    // The state in which `npm install` leaves the tree.
    await timed(['scripts/start/prepare.ts'], environment)
    const floor = await middle(() => timed(['-e', '0'], environment))
    const first = await started(environment)
    const firstAnswer = await pfar('ask', 'what is on tomorrow?')
    const answer = await middle(() => pfar('ask', 'what is on tomorrow?'))
    const status = await middle(() => pfar('status'))
    const help = await middle(() => pfar('--help'))
    await first.stop()
    const second = await started(environment)
    await second.stop()
    return [
      { name: 'node alone, the floor', value: floor, unit: 'ms' },
      { name: 'first start', value: first.took, unit: 'ms', bound: atMost(first.took, 8_000, '≤ 8 s') },
      { name: 'second start', value: second.took, unit: 'ms', bound: atMost(second.took, 3_000, '≤ 3 s') },
      { name: 'first answer after a start', value: firstAnswer, unit: 'ms' },
      { name: 'pfar ask, without a model', value: answer, unit: 'ms', bound: atMost(answer, 600, '≤ 0.6 s') },
      { name: 'pfar status', value: status, unit: 'ms', bound: atMost(status, 400, '≤ 0.4 s') },
      { name: 'pfar --help', value: help, unit: 'ms', bound: atMost(help, 400, '≤ 0.4 s') },
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }
}

/** Duration of a program from its start to its exit, in ms. */
async function timed(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const began = performance.now()
  const child = spawn(process.execPath, [...args], { cwd: ROOT, env, stdio: 'ignore' })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}`)
  return performance.now() - began
}

async function middle(run: () => Promise<number>): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) times.push(await run())
  return percentile(times, 0.5)
}

interface Started {
  /** Time in ms until it reports that everything runs. */
  readonly took: number
  stop(): Promise<void>
}

async function started(env: NodeJS.ProcessEnv): Promise<Started> {
  const began = performance.now()
  const child = spawn(process.execPath, ['scripts/start.js', '--no-chat', '--port', '0'], {
    ...{ cwd: ROOT, env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const took = (await isUp(child)) - began
  return {
    took,
    async stop() {
      const gone = once(child, 'exit')
      child.kill('SIGTERM')
      await gone
    },
  }
}

/** Resolves with the time at which the last line of the start was printed. */
async function isUp({ stdout }: ChildProcess): Promise<number> {
  let text = ''
  const signal = AbortSignal.timeout(START_WITHIN)
  while (!/^state /m.test(text)) {
    const [chunk] = await once(stdout ?? process.stdin, 'data', { signal })
    text += String(chunk)
  }
  return performance.now()
}

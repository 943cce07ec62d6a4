/**
 * `npm run fuzz -- [--seconds 600] [--seed N] [--target NAME] [--path P]`: a long run over all targets, or one failure
 * again. A hang is a failure too: an input that has not come back after `STUCK` is reported by its number. Exit code 1
 * when anything failed. Called by people; the suite runs `fuzz.test.ts`.
 */
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import type { Failure } from './run.ts'
import { threadable } from './targets/all.ts'
import type { Told, Work } from './worker.ts'

/** Milliseconds for one input: thousands of times what the slowest takes on a busy machine. */
const STUCK = 30_000
/** Milliseconds between two looks at the count. */
const LOOK = 1_000

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '600' },
    seed: { type: 'string', default: String(1 + Math.floor(Math.random() * 2 ** 30)) },
    target: { type: 'string', multiple: true, default: [] },
    path: { type: 'string' },
  },
})
const seed = Number(values.seed)
const unknown = values.target.filter((name) => !threadable().some((target) => target.name === name))
const failures: Failure[] = []

if (!Number.isInteger(seed) || !(Number(values.seconds) > 0) || unknown.length > 0) {
  say(
    `a seed and seconds are numbers; targets: ${threadable()
      .map(({ name }) => name)
      .join(', ')}`,
  )
  process.exitCode = 2
} else {
  const chosen = values.target.length === 0 ? threadable().map(({ name }) => name) : values.target
  say(`seed ${seed}, ${chosen.length} targets, ${values.seconds} s`)
  for (const left = [...chosen]; left.length > 0; ) await work(left)
  say(failures.length === 0 ? 'nothing failed' : `${failures.length} failed`)
  process.exitCode = failures.length === 0 ? 0 : 1
}

/** Runs what is left in a thread; takes off what was done. A thread that hangs is ended, and the next goes on. */
function work(left: string[]): Promise<void> {
  const time = (Number(values.seconds) * 1_000) / Math.max(1, values.target.length || threadable().length)
  const progress = new Int32Array(new SharedArrayBuffer(4))
  const workerData: Work = { targets: left, seed, time, path: values.path ?? null, progress }
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData })
  let [seen, since] = [-1, Date.now()]
  let running: string | null = null
  return new Promise((resolve) => {
    const look = setInterval(() => {
      const count = Atomics.load(progress, 0)
      if (count !== seen || running === null) [seen, since] = [count, Date.now()]
      if (Date.now() - since < STUCK) return
      const input = 'made again by this target, seed and path'
      fail({ target: running ?? '', complaint: 'does not come back', seed, path: String(count - 1), input })
      left.splice(0, left.indexOf(running ?? '') + 1)
      void worker.terminate()
    }, LOOK)
    worker.on('message', (told: Told) => {
      if ('begins' in told) running = told.begins
      if (!('ends' in told)) return
      say(`${told.done.failure === null ? 'ok  ' : 'FAIL'} ${told.ends}: ${told.done.runs}`)
      if (told.done.failure !== null) fail(told.done.failure)
      left.splice(0, left.indexOf(told.ends) + 1)
    })
    worker.on('error', (error) => {
      const path = String(Atomics.load(progress, 0) - 1)
      fail({ target: running ?? '', complaint: `ended its thread: ${error.message}`, seed, path, input: '' })
      left.splice(0, left.indexOf(running ?? '') + 1)
    })
    worker.on('exit', () => {
      clearInterval(look)
      resolve()
    })
  })
}

function fail(failure: Failure): void {
  failures.push(failure)
  say(`FAIL ${failure.target}: ${failure.complaint}`)
  say(`     npm run fuzz -- --target '${failure.target}' --seed ${failure.seed} --path '${failure.path}'`)
  say(`     ${failure.input}`)
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

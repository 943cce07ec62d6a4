/**
 * The thread of a long run: one target after another. It counts every input where its parent can see it, so that one
 * that never comes back is known by its number. Must not print. Started by `main.ts`.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { type Done, runTarget } from './run.ts'
import { threadable } from './targets/all.ts'

export interface Work {
  /** Names; none: all. */
  readonly targets: readonly string[]
  readonly seed: number
  /** Milliseconds for each target. */
  readonly time: number
  /** Of an earlier failure. */
  readonly path: string | null
  /** One number: inputs of the target so far. */
  readonly progress: Int32Array
}

export type Told = { readonly begins: string } | { readonly ends: string; readonly done: Done }

/** More than any run reaches: its time ends it. */
const WITHOUT_END = 2 ** 31 - 1

const { targets, seed, time, path, progress } = workerData as Work
const tell = (told: Told): void => parentPort?.postMessage(told)
const note = (): void => void Atomics.add(progress, 0, 1)

for (const target of threadable().filter(({ name }) => targets.length === 0 || targets.includes(name))) {
  Atomics.store(progress, 0, 0)
  tell({ begins: target.name })
  const replay = path === null ? {} : { path }
  tell({
    ends: target.name,
    done: await runTarget(target, { seed, runs: WITHOUT_END, time, note, ...replay }),
  })
}

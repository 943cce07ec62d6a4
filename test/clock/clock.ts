/**
 * A clock that a test sets and moves, for the processes that it starts: `env` goes to the first of them, and whatever that
 * starts follows it (preload.ts). The test's own process keeps the real time. Must not be imported by production.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { CLOCK_FILE, edgesOf, readOffset, realNow, writeOffset } from './clock-file.ts'

/** Milliseconds until every running edge has to have taken a move. */
const MOVE_WITHIN = 30_000
const LOOK_EVERY = 10

/** A program runs from its bundle as usual: the clock changes none of its modules. */
export const BUNDLED = { PFAR_BUNDLE: 'yes' } as const

export interface TestClock {
  /** For the process to start; everything below it follows. */
  readonly env: typeof BUNDLED & { readonly NODE_OPTIONS: string; readonly TEST_CLOCK: string }
  /** The moment there, in epoch milliseconds. */
  now(): number
  /** By so many milliseconds, ahead or back, while it runs. Resolves once every running edge has taken it. */
  jump(milliseconds: number): Promise<void>
  /** To a moment. */
  set(at: number): Promise<void>
  remove(): void
}

/** Runs on from the moment `at`, or `offset` milliseconds away from the real time. `within`: where its folder is made. */
export function createTestClock(
  start: { readonly at: number } | { readonly offset: number },
  within = tmpdir(),
): TestClock {
  const folder = mkdtempSync(join(within, 'pfar-clock-'))
  const file = join(folder, CLOCK_FILE)
  mkdirSync(edgesOf(file))
  writeOffset(file, 'at' in start ? start.at - realNow() : start.offset)
  const move = async (offset: number): Promise<void> => {
    writeOffset(file, offset)
    await taken(file)
  }
  return {
    env: {
      NODE_OPTIONS: `--import=${new URL('preload.ts', import.meta.url).href}`,
      TEST_CLOCK: file,
      ...BUNDLED,
    },
    now: () => realNow() + readOffset(file),
    jump: (milliseconds) => move(readOffset(file) + milliseconds),
    set: (at) => move(at - realNow()),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** Not an edge that has ended, or is about to. */
function isBehind(folder: string, pid: string, wanted: number): boolean {
  try {
    process.kill(Number(pid), 0)
    return Number(readFileSync(join(folder, pid), 'utf8')) !== wanted
  } catch {
    return false
  }
}

/** An edge takes it a moment later than a Node process; each notes what it has taken under its process id. */
async function taken(file: string): Promise<void> {
  const folder = edgesOf(file)
  const wanted = readOffset(file)
  const isOneBehind = () => readdirSync(folder).some((pid) => isBehind(folder, pid, wanted))
  for (const end = realNow() + MOVE_WITHIN; isOneBehind(); await pause(LOOK_EVERY))
    if (realNow() > end) throw new Error('an edge did not take the move of the clock')
}

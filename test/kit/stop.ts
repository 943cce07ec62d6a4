/**
 * Stops what a test started, newest first: at the end of the running test, or else of its file, after the file's own hooks.
 * Called by the kit and by tests.
 */
import { onTestFinished } from 'vitest'

type End = () => unknown

const ends: End[] = []

/** Called by `setup.ts` after each file, because files may share this module. */
export async function endAll(): Promise<void> {
  for (const end of ends.splice(0).toReversed()) await end()
}

/** Runs `end` at the end of the running test, or of its file if none is running, as in `beforeAll`. */
export function atEnd(end: End): void {
  try {
    onTestFinished(async () => {
      await end()
    })
  } catch {
    ends.push(end)
  }
}

/** Closes `started` at that time: `const telegram = closing(await startTelegram())`. */
export function closing<T extends { close(): unknown }>(started: T): T {
  atEnd(() => started.close())
  return started
}

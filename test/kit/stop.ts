/**
 * Ends what a test started, the newest first: with the test where one runs, else with its file, after the file's own hooks. Called by the
 * kit and by tests.
 */
import { onTestFinished } from 'vitest'

type End = () => unknown

const ends: End[] = []

/** Called after each file by `setup.ts`, because files may share this module. */
export async function endAll(): Promise<void> {
  for (const end of ends.splice(0).toReversed()) await end()
}

/** Runs `end` when the test that runs now is over, or its file where none runs, as in `beforeAll`. */
export function atEnd(end: End): void {
  try {
    onTestFinished(async () => {
      await end()
    })
  } catch {
    ends.push(end)
  }
}

/** The same for what closes: `const telegram = closing(await startTelegram())`. */
export function closing<T extends { close(): unknown }>(started: T): T {
  atEnd(() => started.close())
  return started
}

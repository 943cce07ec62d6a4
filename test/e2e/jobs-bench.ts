/**
 * A home whose jobs come at times that a test sets: it is killed, the clock is moved once nothing of it runs any more, and it is started again. What it
 * delivered on its private line is read from there. Called by the tests of jobs.
 */
import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, expect } from 'vitest'
import { decideOn } from '../../sidecar/cli/chat/cards.ts'
import type { LineDelivery } from '../../sidecar/cli/line/link.ts'
import { createTestClock } from '../clock/clock.ts'
import { until } from '../home/fixtures/wait.ts'
import { lineOf, SOON } from './chaos-bench.ts'
import { createBench } from './terminal-bench.ts'

/** `at`: epoch milliseconds at which its clock begins. `args`: of `npm start`. */
export function createJobsBench({ at, args }: { readonly at: number; readonly args: readonly string[] }) {
  const clock = createTestClock({ at })
  const bench = createBench({ env: clock.env })
  afterAll(async () => {
    await bench.stop()
    await bench.remove()
    clock.remove()
  })
  const start = () => bench.start(...args)
  const line = lineOf(bench.folder, 'private')
  const seen: LineDelivery[] = []
  const look = async (): Promise<readonly LineDelivery[]> => {
    seen.push(...(await line.delivered()))
    return seen
  }
  return {
    ...{ bench, clock, start, look },
    reply: async (text: string): Promise<string> => (await bench.ask(text)).report.reply ?? '',
    /** Says it, and agrees to the card that shows this; resolves with the card's text. */
    async agreed(words: string, shows: RegExp): Promise<string> {
      if ((await bench.ask(words)).out === '') throw new Error(`no answer to "${words}"`)
      const card = await until(
        async () => (await look()).find(({ kind, text }) => kind === 'card' && shows.test(text)) ?? null,
        SOON,
      )
      expect((await line.link((link) => decideOn(link, String(card.approval), 'approve'))).ok).toBe(true)
      return card.text
    },
    /** What came besides cards and holds these words, as JSON. */
    toldOf: async (words: string): Promise<readonly string[]> =>
      (await look())
        .filter(({ kind }) => kind !== 'card')
        .map((row) => JSON.stringify(row))
        .filter((row) => row.includes(words)),
    /** A start that is killed leaves its home running for some seconds, which would run the jobs of the new time with nothing around it. */
    async later(move: (moved: typeof clock) => Promise<void>): Promise<void> {
      await bench.kill()
      await until(async () => !(await answers(join(bench.folder, 'home.sock'))), SOON)
      await move(clock)
      await start()
    },
  }
}

async function answers(path: string): Promise<boolean> {
  const socket = connect(path)
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

/**
 * `/pause` with the link cut and returned, from outside: each place hears the other's word before it goes on,
 * and home's is ended at home.
 */
import { afterAll, expect, test } from 'vitest'
import { createBench, waitFor } from './terminal-bench.ts'

/** Milliseconds that home has to come up, dial, and hear. */
const SOON_MS = 60_000

/** As each place says it of a pause that was said on the open line. */
const STANDS = expect.stringMatching(/^since \d{4}-\d\d-\d\d \d\d:\d\d, by the open line, at the edge$/)

const bench = createBench()
afterAll(() => bench.remove())

const status = async (): Promise<{
  readonly home: { readonly paused?: string; readonly tunnel: string } | null
  readonly edge: { readonly paused?: string } | null
}> => JSON.parse((await bench.pfar('status', '--json')).out)
const linked = (): Promise<void> => waitFor(async () => (await status()).home?.tunnel === 'up', SOON_MS)

test('said at the edge while home is away, it holds at home once that is back, and home ends it', async () => {
  await bench.start('--only', 'edge')
  expect((await bench.pfar('pause', '--line', 'open')).out).toMatch(/^I pause\. /)
  expect(await status()).toMatchObject({ home: null, edge: { paused: STANDS } })
  await bench.stop()
  await bench.start()
  await waitFor(async () => (await status()).home?.paused !== undefined, SOON_MS)
  expect((await status()).home?.paused).toEqual(STANDS)
  expect((await bench.pfar('doctor')).out).toMatch(/edge pause +You have everything pause, since/)
  expect((await bench.pfar('resume')).out).toMatch(/^I go on\. /)
  const { report } = await bench.ask('hello', '--line', 'open')
  expect(report.task).toMatchObject({ place: 'edge', state: 'completed' })
})

test('said at home while the edge is away, it holds there once that is back, and the edge cannot end it', async () => {
  await bench.stop()
  await bench.start('--only', 'home')
  expect((await bench.pfar('pause')).out).toMatch(/^I pause\. /)
  await bench.stop()
  await bench.start()
  await linked()
  expect((await bench.pfar('resume', '--line', 'open')).out).toMatch(
    /^I go on pausing: you asked for it on your/,
  )
  expect((await bench.pfar('resume')).out).toMatch(/^I go on\. /)
  const { report } = await bench.ask('hello', '--line', 'open')
  expect(report.task).toMatchObject({ place: 'edge', state: 'completed' })
})

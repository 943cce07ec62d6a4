/**
 * One frame of the tunnel is lost while its connection lives on, which is the hardest for the two that greet each other
 * (T-04, T-13): the question on the open line is answered from home all the same, and nobody talks in circles.
 */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type HomeProcess, spawnHome } from '../home/fixtures/process.ts'
import { until } from '../home/fixtures/wait.ts'
import { configure, lineOf, type ScriptedGoogle, SOON, startGoogle } from './chaos-bench.ts'
import { edgeOrigin, pinAt } from './chaos-edge.ts'
import { type FaultProxy, startFaultProxy, type Way } from './chaos-proxy.ts'
import { createRandom } from './chaos-random.ts'
import { createBench } from './terminal-bench.ts'

/** Frames that a hello, a profile, a call, its answer and what is remembered may take, with all that is sent again. */
const MOST_FRAMES = 60

const bench = createBench()
const openLine = lineOf(bench.folder, 'open')
let google: ScriptedGoogle
let home: HomeProcess
let proxy: FaultProxy

beforeAll(async () => {
  google = await startGoogle()
  configure(bench.folder, google.origin)
  await bench.start('--no-demo', '--only', 'edge')
})
afterEach(async () => {
  home.child.kill('SIGKILL')
  await home.ended
  await proxy.close()
})
afterAll(async () => {
  await bench.remove()
  await google.close()
})

test.each<[string, Way, number]>([
  ['the hello of home', 'to edge', 1],
  // Home says nothing before the edge has proved itself: it hangs up and dials again.
  ['the hello of the edge', 'to home', 2],
])('lost: %s', async (_, way, connections) => {
  proxy = await startFaultProxy({ target: edgeOrigin(bench.folder), random: createRandom(1) })
  pinAt(bench.folder, proxy.origin)
  proxy.lose(way)
  home = spawnHome(bench.folder, { PFAR_EDGE_URL: proxy.origin })
  await until(() => proxy.counts.dropped === 1, SOON)
  const task = await openLine.say('when am I free on Friday?')
  const answer = await until(async () => {
    const found = await openLine.link((link) => link.report(task))
    return found.ok ? found.value.reply : null
  }, SOON + SOON)
  expect(answer).toMatch(/free/i)
  expect(proxy.counts.connections).toBe(connections)
  expect(proxy.counts.passed).toBeLessThan(MOST_FRAMES)
})

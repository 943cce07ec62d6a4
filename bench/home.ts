/**
 * Latency that tunnel and home add: the same open line, once with a page that the edge reads itself, once with a calendar that
 * needs home. Both services answer at once. Real `npm start` processes. Called by bench/main.ts and bench/rows.ts.
 */
import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Link } from '../sidecar/cli/line/link.ts'
import { atMost, type Figure, percentile } from './figures.ts'
import { homeProcess, lastSeen, residentMegabytes, startPlaces } from './places.ts'
import { startWorld } from './scripted-world.ts'

const WARM_UP = 15
const SAMPLES = 120
/** Milliseconds without a message after which home counts as idle. */
const IDLE = 5_000

export async function measureHome(): Promise<readonly Figure[]> {
  const world = await startWorld()
  const { origin } = world
  const tools = ['[tools.google]', `base_url = "${origin}"`, '[network]', `exempt_origins = ["${origin}"]`]
  const { open: link, process: running, stop } = await startPlaces(tools)
  try {
    await pause(IDLE)
    const rested = residentMegabytes(homeProcess(running))
    const page = `read ${world.origin}/page`
    await sampleOf(link, page, WARM_UP)
    await sampleOf(link, 'when am I free on Friday?', WARM_UP)
    const edge = await sampleOf(link, page, SAMPLES)
    const home = await sampleOf(link, 'when am I free on Friday?', SAMPLES)
    await pause(IDLE)
    return figures({ edge, home, rested, worked: residentMegabytes(homeProcess(running)) })
  } finally {
    await stop()
    await world.close()
  }
}

interface Measured {
  readonly edge: readonly number[]
  readonly home: readonly number[]
  /** Resident megabytes of home before its first message, and after its last. */
  readonly rested: number
  readonly worked: number
}

function figures({ edge, home, rested, worked }: Measured): readonly Figure[] {
  const added = percentile(home, 0.5) - percentile(edge, 0.5)
  return [
    { name: 'page read at the edge, p50', value: percentile(edge, 0.5), unit: 'ms' },
    { name: 'page read at the edge, p99', value: percentile(edge, 0.99), unit: 'ms' },
    { name: 'free/busy through home, p50', value: percentile(home, 0.5), unit: 'ms' },
    { name: 'free/busy through home, p99', value: percentile(home, 0.99), unit: 'ms' },
    { name: 'tunnel and home add, p50', value: added, unit: 'ms', bound: atMost(added, 10, '≤ 10') },
    { name: 'home, idle after its start', value: rested, unit: 'MB', bound: atMost(rested, 180, '≤ 180') },
    {
      name: 'home, idle after these messages',
      value: worked,
      unit: 'MB',
      bound: atMost(worked, 180, '≤ 180'),
    },
  ]
}

/** Milliseconds until each answer. */
export async function sampleOf(link: Link, text: string, count: number): Promise<readonly number[]> {
  const samples: number[] = []
  let after = await lastSeen(link)
  for (let done = 0; done < count; done += 1) {
    const begun = performance.now()
    const sent = await link.send({ id: randomBytes(8).toString('hex'), text })
    if (!sent.ok) throw new Error(`not taken: ${sent.reason.code}`)
    const rows = await link.deliveries(after, 20_000)
    const row = rows.ok ? rows.value.at(-1) : undefined
    if (row === undefined || row.task !== sent.value.task) throw new Error('no answer came')
    if (row.kind !== 'answer') throw new Error(`a ${row.kind} came: ${row.text}`)
    samples.push(performance.now() - begun)
    after = row.seq
  }
  return samples
}

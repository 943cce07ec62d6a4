/**
 * One storm: an installation with its strangers, its owner and its services, a network that loses frames, and a hand
 * that kills processes and evicts objects, all by one seed. Tells what happened; must not judge it. Called by
 * chaos-storm.test.ts.
 */
import { readFileSync } from 'node:fs'
import type { LineDelivery } from '../../sidecar/cli/line/link.ts'
import { type HomeProcess, spawnHome } from '../home/fixtures/process.ts'
import { until } from '../home/fixtures/wait.ts'
import { soaked } from '../kit/soak.ts'
import { configure, killAll, lineOf, placesOf, SOON } from './chaos-bench.ts'
import { bundleFakes, edgeOrigin, layBundle, pinAt } from './chaos-edge.ts'
import { type FaultProxy, NO_FAULTS, type ProxyCounts, startFaultProxy } from './chaos-proxy.ts'
import { createRandom, type Random } from './chaos-random.ts'
import {
  moments,
  openScript,
  pause,
  privateScript,
  readLine,
  type Said,
  type Script,
  type Speaker,
  sendAs,
  sendBy,
  speak,
} from './chaos-traffic.ts'
import { startWorld, type World } from './chaos-world.ts'
import { createBench } from './terminal-bench.ts'

export const STRANGERS = 24
const SAID_BY_EACH = soaked({ sample: 8, whole: 30 })
const SAID_ON_OPEN = soaked({ sample: 40, whole: 160 })
const SAID_ON_PRIVATE = soaked({ sample: 60, whole: 160 })
/** Tasks of everybody together. */
export const TASKS = STRANGERS * SAID_BY_EACH + SAID_ON_OPEN + SAID_ON_PRIVATE
/** Milliseconds in which everything is said, and everything goes wrong. */
const SPAN = soaked({ sample: 20_000, whole: 75_000 })
/** Milliseconds that the answers may take when the storm is over: a task waits 45 s for home. */
const CALM = 120_000
const FAULTS = { drop: 0.06, duplicate: 0.08, reorder: 0.08, delay: 0.15 }

/** What the hand does all the time, and how often. */
const EVICTIONS = { evictStranger: 8, evictOwner: 3 } as const
/** What it does once each, in an order that the seed decides. The edge's parent is slow to heal. */
const BLOWS = {
  evictStranger: 0,
  evictOwner: 0,
  cut: soaked({ sample: 1, whole: 3 }),
  stall: soaked({ sample: 1, whole: 3 }),
  evictTunnel: soaked({ sample: 1, whole: 3 }),
  killHome: soaked({ sample: 2, whole: 5 }),
  killWorkerd: soaked({ sample: 1, whole: 3 }),
  killEdge: 1,
}
/** Milliseconds that a blow waits for the tunnel to be back: a place that is killed before it is back is not at work. */
const RECOVERY = 6_000
/** Milliseconds that the tunnel is let work before the next. */
const WORK = 1_200

export type Blow = keyof typeof BLOWS

export interface Memory {
  /** For each look, whether the tunnel was connected. */
  readonly tunnel: readonly boolean[]
  /** MiB of resident memory, the first look and every later one. */
  readonly home: readonly number[]
  readonly workerd: readonly number[]
}

export interface Storm {
  readonly folder: string
  readonly strangers: readonly { readonly user: string; readonly said: readonly Said[] }[]
  readonly open: { readonly said: readonly Said[]; readonly rows: readonly LineDelivery[] }
  readonly own: { readonly said: readonly Said[]; readonly rows: readonly LineDelivery[] }
  readonly world: World
  readonly frames: Readonly<ProxyCounts>
  readonly blows: Readonly<Record<Blow, number>>
  readonly memory: Memory
  /** Messages without a final answer when patience ended. */
  readonly unanswered: readonly string[]
  remove(): Promise<void>
}

export async function storm(seed: number): Promise<Storm> {
  const random = createRandom(seed)
  const bench = createBench()
  const { folder } = bench
  const world = await startWorld(random.fork('world'))
  configure(folder, world.origin)
  const made = await bundleFakes()
  const bindings = { FAKE_DELIVER_URL: `${world.origin}/chat`, FAKE_MODEL_URL: `${world.origin}/model` }
  layBundle({ folder, made, bindings })
  await bench.start('--no-demo', '--only', 'edge')
  const edge = edgeOrigin(folder)
  const proxy = await startFaultProxy({ target: edge, random: random.fork('frames') })
  pinAt(folder, proxy.origin)
  const home = keepHome(folder, proxy.origin)
  const [openLine, ownLine] = [lineOf(folder, 'open'), lineOf(folder, 'private')]
  for (const line of [openLine, ownLine]) await line.delivered()

  const memory = watchMemory(folder, home, proxy)
  proxy.faults(FAULTS)
  const mind = random.fork('mind')
  const readers = {
    open: readLine(openLine, () => 'deny'),
    own: readLine(ownLine, () => (mind.next() < 0.9 ? 'approve' : 'deny')),
  }
  const script = random.fork('script')
  const speakers = {
    open: speak(openScript(script, SAID_ON_OPEN, SPAN), sendBy(openLine)),
    own: speak(privateScript(script, SAID_ON_PRIVATE, SPAN), sendBy(ownLine)),
    strangers: Array.from({ length: STRANGERS }, (_, n) => {
      const user = `s${n}`
      return { user, ...speak(chatter(script, user), sendAs(edge, user)) }
    }),
  }
  const blows = await rage({ random: random.fork('blows'), proxy, folder, edge, home })
  world.storming = false
  proxy.faults(NO_FAULTS)
  const everyone: readonly Speaker[] = [speakers.open, speakers.own, ...speakers.strangers]
  await Promise.all(everyone.map(({ done }) => done))
  const unanswered = await calm(() => [
    ...missing(speakers.open.said, readers.open.rows),
    ...missing(speakers.own.said, readers.own.rows),
    ...speakers.strangers.flatMap(({ said }) => said.filter(({ task }) => !isTold(world, task))),
  ])
  // Whatever would be said twice has its time to be.
  const last = [await openLine.say('hello'), await ownLine.say('hello')]
  await until(
    () => last.every((task) => [...readers.open.rows, ...readers.own.rows].some((row) => row.task === task)),
    SOON,
  )
  await Promise.all([readers.open.stop(), readers.own.stop()])
  memory.stop()
  await home.end()
  await bench.stop()
  return {
    ...{ folder, world, blows, unanswered, frames: proxy.counts, memory: memory.seen },
    strangers: speakers.strangers,
    open: { said: speakers.open.said, rows: readers.open.rows },
    own: { said: speakers.own.said, rows: readers.own.rows },
    async remove() {
      await proxy.close()
      await world.close()
      await bench.remove()
    },
  }
}

function chatter(random: Random, user: string): readonly Script[] {
  return moments(random, SAID_BY_EACH, SPAN).map((at, n) => ({
    ...{ at, writes: null },
    text: `${user} says number ${n}`,
  }))
}

/** Id of an answer's delivery. */
export const answerOf = (task: string): string => `${task}:answer`

const isTold = (world: World, task: string): boolean => world.told.some(({ id }) => id === answerOf(task))

/** How the notice of an absent home begins. */
export const AWAY = 'Your home box does not answer'

/** No question, and not what is said until the answer comes. */
export const isLast = ({ kind, text }: LineDelivery): boolean => kind !== 'card' && !text.startsWith(AWAY)

function missing(said: readonly Said[], rows: readonly LineDelivery[]): readonly Said[] {
  const told = new Set(rows.filter(isLast).map(({ task }) => task))
  return said.filter(({ task }) => !told.has(task))
}

/** Waits until nothing is missing, or patience ends. */
async function calm(look: () => readonly Said[]): Promise<readonly string[]> {
  for (const end = Date.now() + CALM; Date.now() < end && look().length > 0; ) await pause(200)
  return look().map(({ task }) => task)
}

interface Home {
  /** As the system kills, and started again at once. */
  kill(): Promise<void>
  pid(): number | null
  end(): Promise<void>
}

function keepHome(folder: string, edge: string): Home {
  const launch = (): HomeProcess => spawnHome(folder, { PFAR_EDGE_URL: edge })
  let home = launch()
  const kill = async (): Promise<void> => {
    home.child.kill('SIGKILL')
    await home.ended
  }
  return {
    pid: () => home.child.pid ?? null,
    async kill() {
      await kill()
      home = launch()
    },
    async end() {
      home.child.kill('SIGTERM')
      await home.ended
    },
  }
}

interface Rage {
  readonly random: Random
  readonly proxy: FaultProxy
  readonly folder: string
  readonly edge: string
  readonly home: Home
}

/** Strikes until the span is over. Resolves with how often it did what. */
async function rage({ random, proxy, folder, edge, home }: Rage): Promise<Record<Blow, number>> {
  const places = placesOf(folder)
  const counts = Object.fromEntries(Object.keys(BLOWS).map((blow) => [blow, 0])) as Record<Blow, number>
  const evict = async (whom: string): Promise<void> => {
    await fetch(`${edge}/evict/${whom}`, { method: 'POST', signal: AbortSignal.timeout(5_000) })
  }
  const strike: Record<Blow, () => Promise<void> | void> = {
    cut: () => {
      if (proxy.live() === 0) throw new Error('there is no socket to cut')
      proxy.cut()
    },
    stall: () => proxy.stall(random.between(300, 3_000), random.pick(['pass', 'cut'])),
    killHome: () => home.kill(),
    killWorkerd: () => killAll([places.workerd()]),
    killEdge: () => killAll([places.edge(), places.workerd()]),
    evictStranger: () => evict(`s${Math.floor(random.between(0, STRANGERS))}`),
    evictOwner: () => evict('owner'),
    evictTunnel: () => evict('tunnel'),
  }
  const deck = random.shuffle(
    (Object.keys(BLOWS) as Blow[]).flatMap((blow) => Array.from({ length: BLOWS[blow] }, () => blow)),
  )
  let [struck, upSince] = [Date.now(), 0]
  for (const end = Date.now() + SPAN; Date.now() < end || deck.length > 0; ) {
    await pause(random.between(300, 900))
    const now = Date.now()
    if (proxy.live() === 0) upSince = 0
    else if (upSince === 0) upSince = now
    const isDue = (upSince > 0 && now - upSince > WORK) || now - struck > RECOVERY
    const dealt = isDue ? deck.pop() : undefined
    const blow = dealt ?? random.weighed(EVICTIONS)
    if (isDue) [struck, upSince] = [now, 0]
    try {
      await strike[blow]()
      counts[blow] += 1
    } catch {
      // It is down already, from the blow before: what has a number of blows has its turn when the others are through.
      if (dealt !== undefined) deck.unshift(dealt)
    }
  }
  return counts
}

interface Watch {
  readonly seen: Memory
  stop(): void
}

/** Whatever process is the place now. */
function watchMemory(folder: string, home: Home, proxy: FaultProxy): Watch {
  const places = placesOf(folder)
  const seen = { tunnel: [] as boolean[], home: [] as number[], workerd: [] as number[] }
  const look = (): void => {
    seen.tunnel.push(proxy.live() > 0)
    for (const [name, pid] of [
      ['home', home.pid()],
      ['workerd', places.workerd()],
    ] as const) {
      const size = residentOf(pid)
      if (size !== null) seen[name].push(size)
    }
  }
  look()
  const timer = setInterval(look, 1_000)
  return {
    seen,
    stop() {
      clearInterval(timer)
      look()
    },
  }
}

/** MiB; null for a process that has gone. */
function residentOf(pid: number | null): number | null {
  try {
    const line = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid ?? 0}/status`, 'utf8'))
    return line === null ? null : Number(line[1]) / 1_024
  } catch {
    return null
  }
}

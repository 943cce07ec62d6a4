/**
 * Cost of a message at the edge compared with the floor, in one run: added latency, throughput with many principals, receipt
 * time under that load, CPU time. Both use the same client, platform and scripted model. Called by bench/main.ts; `edgeKeys` by
 * bench/path.ts and bench/tunnel.ts.
 */
import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { atLeast, atMost, type Figure, percentile } from './figures.ts'
import { bundle, type Runtime, start, type WorkerSource } from './runtime.ts'
import { type ScriptedWorld, startWorld } from './scripted-world.ts'
import { benchBot, webhookTime } from './webhook.ts'

const FLOOR: WorkerSource = { config: 'bench/worker/floor.toml', entry: 'bench/worker/floor.ts' }
const EDGE: WorkerSource = { config: 'wrangler.toml', entry: 'test/fakes/worker/index.ts' }

const WARM_UP = 60
const SEQUENTIAL = 300
const USERS = 50
const EACH = 20
const INTAKES = 300
/** Milliseconds of CPU time within half a second below which the runtime counts as idle. */
const QUIET_CPU = 20
/** Sequential messages of each principal whose receipt is measured. */
const RECEIPTS = 6
/** Milliseconds of the slow model: longer than any platform keeps a webhook open (B-25). */
const SLOW_MODEL = 30_000

interface Subject {
  readonly name: string
  readonly path: (user: string) => string
  readonly runtime: Runtime
}

interface Measured {
  readonly p50: number
  readonly p99: number
  readonly rate: number
  /** Milliseconds of CPU time per message. */
  readonly cpu: number
}

export async function measureEdge(): Promise<readonly Figure[]> {
  const world = await startWorld()
  const made = await Promise.all([bundle(FLOOR), bundle(EDGE)])
  const [floorBundle, edgeBundle] = made
  const urls = { MODEL_URL: `${world.origin}/model`, DELIVER_URL: `${world.origin}/deliver` }
  const floor = await start(FLOOR, floorBundle, urls)
  const bot = benchBot(world.origin)
  const edge = await start(EDGE, edgeBundle, {
    ...{ ...edgeKeys([world.origin]), ...bot.bindings },
    FAKE_MODEL_URL: urls.MODEL_URL,
    FAKE_DELIVER_URL: urls.DELIVER_URL,
  })
  try {
    const bare = await measure(world, { name: 'floor', runtime: floor, path: (user) => `/${user}` })
    const bareNoModel = await measure(world, {
      name: 'floor',
      runtime: floor,
      path: (user) => `/${user}?no-model`,
    })
    const own = await measure(world, { name: 'edge', runtime: edge, path: (user) => `/fake/${user}` })
    const fast = await receiptTime(edge)
    await idle(edge)
    const slow = await withSlowModel(world, () => receiptTime(edge))
    await idle(edge)
    const webhook = await withSlowModel(world, () => webhookTime(edge, bot))
    await idle(edge)
    const intake = await intakeCpu(world, edge)
    const receipts = { fast, slow, webhook }
    return figures({ bare, bareNoModel, own, intake, receipts })
  } finally {
    await Promise.all([floor.stop(), edge.stop(), world.close()])
    for (const one of made) one.remove()
  }
}

function figures({
  bare,
  bareNoModel,
  own,
  intake,
  receipts,
}: {
  readonly bare: Measured
  readonly bareNoModel: Measured
  readonly own: Measured
  readonly intake: number
  /** 95th percentile of the time to the 202, or to Telegram's 200, milliseconds. */
  readonly receipts: { readonly fast: number; readonly slow: number; readonly webhook: number }
}): readonly Figure[] {
  const ratio = own.p50 / bare.p50
  // A Worker request and an object call per message: two invocations, for the floor as for the edge.
  return [
    { name: 'floor without model, p50', value: bareNoModel.p50, unit: 'ms' },
    { name: 'floor, p50', value: bare.p50, unit: 'ms' },
    { name: 'floor, p99', value: bare.p99, unit: 'ms' },
    { name: 'edge, p50', value: own.p50, unit: 'ms' },
    { name: 'edge, p99', value: own.p99, unit: 'ms' },
    { name: 'edge p50 / floor p50', value: ratio, unit: '×', bound: atMost(ratio, 3, '≤ 3') },
    { name: `floor, ${USERS} principals at once`, value: bare.rate, unit: 'msg/s' },
    {
      name: `edge, ${USERS} principals at once`,
      value: own.rate,
      unit: 'msg/s',
      bound: atLeast(own.rate, 250, '≥ 250'),
    },
    { name: `edge, 202 with ${USERS} principals at once, p95`, value: receipts.fast, unit: 'ms' },
    {
      name: `edge, 202 with ${USERS} at once and a model of ${SLOW_MODEL / 1_000} s, p95`,
      value: receipts.slow,
      unit: 'ms',
      bound: atMost(receipts.slow, 500, '≤ 500'),
    },
    {
      name: `edge, Telegram's 200 with a model of ${SLOW_MODEL / 1_000} s, p95`,
      value: receipts.webhook,
      unit: 'ms',
      bound: atMost(receipts.webhook, 500, '≤ 500'),
    },
    { name: 'floor, CPU per invocation', value: bare.cpu / 2, unit: 'ms' },
    {
      name: 'edge, CPU per invocation',
      value: own.cpu / 2,
      unit: 'ms',
      bound: atMost(own.cpu / 2, 10, '≤ 10'),
    },
    { name: 'edge, CPU per intake', value: intake, unit: 'ms', bound: atMost(intake, 3, '≤ 3') },
  ]
}

async function measure(world: ScriptedWorld, subject: Subject): Promise<Measured> {
  const user = `one${randomBytes(4).toString('hex')}`
  await repeat(WARM_UP, () => message(world, subject, user))
  const samples: number[] = []
  await repeat(SEQUENTIAL, async () => samples.push(await message(world, subject, user)))
  const users = Array.from({ length: USERS }, (_, index) => `u${index}x${randomBytes(3).toString('hex')}`)
  await Promise.all(users.map((each) => message(world, subject, each)))
  const before = { cpu: subject.runtime.cpu(), at: performance.now() }
  await Promise.all(users.map((each) => repeat(EACH, () => message(world, subject, each))))
  const total = USERS * EACH
  return {
    p50: percentile(samples, 0.5),
    p99: percentile(samples, 0.99),
    rate: (total * 1_000) / (performance.now() - before.at),
    cpu: (subject.runtime.cpu() - before.cpu) / total,
  }
}

/** Milliseconds from sending a message until the platform receives the answer. */
async function message(world: ScriptedWorld, { runtime, path }: Subject, user: string): Promise<number> {
  const arrived = world.delivered(user)
  const begun = performance.now()
  const id = `${user}/${randomBytes(6).toString('hex')}`
  const response = await fetch(runtime.origin + path(user), {
    method: 'POST',
    body: JSON.stringify({ id, text: 'hello' }),
  })
  await response.arrayBuffer()
  if (!response.ok) throw new Error(`refused with ${response.status}`)
  return (await arrived) - begun
}

/** Time to the 202 with all principals writing at once. No one waits for an answer. */
async function receiptTime(runtime: Runtime): Promise<number> {
  const samples: number[] = []
  const write = async (user: string): Promise<void> => {
    const begun = performance.now()
    const body = JSON.stringify({ id: randomBytes(6).toString('hex'), text: 'hello' })
    const response = await fetch(`${runtime.origin}/fake/${user}`, { method: 'POST', body })
    await response.arrayBuffer()
    if (response.status !== 202) throw new Error(`refused with ${response.status}`)
    samples.push(performance.now() - begun)
  }
  const users = Array.from({ length: USERS }, (_, index) => `r${index}x${randomBytes(3).toString('hex')}`)
  // The first message creates the object and its tables, which happens once per person.
  await Promise.all(users.map((user) => write(user)))
  samples.length = 0
  await Promise.all(users.map((user) => repeat(RECEIPTS, () => write(user))))
  return percentile(samples, 0.95)
}

async function withSlowModel(world: ScriptedWorld, measure: () => Promise<number>): Promise<number> {
  world.slowModel(SLOW_MODEL)
  try {
    return await measure()
  } finally {
    world.slowModel(0)
  }
}

/**
 * Intakes only: while the model delays a principal's first message, further ones are checked, sealed, stored as tasks,
 * acknowledged, and wait. CPU milliseconds of one intake, over both of its invocations.
 */
async function intakeCpu(world: ScriptedWorld, runtime: Runtime): Promise<number> {
  const user = `in${randomBytes(4).toString('hex')}`
  const send = async (): Promise<void> => {
    const body = JSON.stringify({ id: randomBytes(6).toString('hex'), text: 'hello' })
    await (await fetch(`${runtime.origin}/fake/${user}`, { method: 'POST', body })).arrayBuffer()
  }
  world.slowModel(SLOW_MODEL)
  try {
    await repeat(WARM_UP, send)
    const before = runtime.cpu()
    await repeat(INTAKES, send)
    return (runtime.cpu() - before) / INTAKES
  } finally {
    world.slowModel(0)
  }
}

/** Waits until all accepted messages are processed, before the next measurement. */
async function idle(runtime: Runtime): Promise<void> {
  for (let before = -1; runtime.cpu() - before > QUIET_CPU; ) {
    before = runtime.cpu()
    await pause(500)
  }
}

async function repeat(times: number, run: () => Promise<unknown>): Promise<void> {
  for (let done = 0; done < times; done += 1) await run()
}

/** Fresh keys of an edge; `devices` as in DEVICE_KEYS. */
export function edgeKeys(localOrigins: readonly string[], devices = '[]'): Record<string, string> {
  const key = (): string => randomBytes(32).toString('base64url')
  return {
    DEVICE_KEYS: devices,
    EDGE_SEAL_KEY: key(),
    EDGE_TOKEN_KEY: key(),
    EDGE_NAME_KEY: key(),
    EDGE_SIGN_KEY: key(),
    LOCAL_ORIGINS: JSON.stringify(localOrigins),
    OWNER_TIMEZONE: 'Europe/Berlin',
  }
}

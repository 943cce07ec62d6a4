/**
 * What one message costs from Telegram's webhook to the answer in its chat, with a streaming model, beside a bare bot on the very same path,
 * interleaved in one run (DESIGN §11): the owner's "hello", and fifty strangers who may be answered. With `--against`, an older tree's edge
 * beside them. Called by bench/main.ts.
 */
import { randomBytes, randomInt } from 'node:crypto'
import { edgeKeys } from './edge.ts'
import { type Figure, percentile } from './figures.ts'
import { type PathWorld, startPathWorld } from './path-world.ts'
import { bundle, type Runtime, start, type WorkerSource } from './runtime.ts'

const FLOOR: WorkerSource = { config: 'bench/worker/bot-floor.toml', entry: 'bench/worker/bot-floor.ts' }
const EDGE: WorkerSource = { config: 'wrangler.toml', entry: 'worker/index.ts' }

const OWNER = 1_001
const ROUNDS = 5
const WARM_UP = 40
/** Messages of the owner's in one round, one after another. */
const SEQUENTIAL = 40
const PEOPLE = 50
/** Messages of each of them in one round, one after another. */
const EACH = 4

interface Subject {
  readonly name: string
  readonly runtime: Runtime
  readonly path: string
  readonly secret: string
}

interface Measured {
  readonly samples: number[]
  /** Milliseconds, of the wall and of the processor, for the owner's messages and for everybody's at once. */
  readonly spent: { alone: number; together: number; cpuAlone: number; cpuTogether: number }
}

export async function measurePath(against: string | undefined): Promise<readonly Figure[]> {
  const world = await startPathWorld()
  const trees = against === undefined ? [] : [against]
  const made = await Promise.all([
    bundle(FLOOR),
    bundle(EDGE),
    ...trees.map((root) => bundle({ ...EDGE, root })),
  ])
  const [floorBundle, edgeBundle, olderBundle] = made
  if (floorBundle === undefined || edgeBundle === undefined) throw new Error('nothing was bundled')
  const secret = randomBytes(32).toString('hex')
  const token = `4242:${randomBytes(20).toString('hex')}`
  const runtimes: Runtime[] = []
  const subject = async (name: string, path: string, starting: Promise<Runtime>): Promise<Subject> => {
    const runtime = await starting
    runtimes.push(runtime)
    return { name, runtime, path, secret }
  }
  try {
    const floorBindings = {
      ...{ MODEL_URL: `${world.origin}/v1`, API_URL: `${world.origin}/bot${token}`, SECRET: secret },
    }
    const subjects = [await subject('floor', '/', start(FLOOR, floorBundle, floorBindings))]
    const edges = [['edge', edgeBundle, EDGE] as const]
    const older =
      olderBundle === undefined ? [] : [['older', olderBundle, { ...EDGE, root: against }] as const]
    for (const [name, one, source] of [...edges, ...older])
      subjects.push(
        await subject(
          name,
          '/telegram/open',
          start(source, one, edgeBindings(world, { secret, token }), true),
        ),
      )
    const all = new Map(subjects.map((one) => [one, fresh()]))
    for (const one of subjects) await repeat(WARM_UP, () => message(world, one, OWNER))
    for (let round = 0; round < ROUNDS; round += 1)
      for (const [one, measured] of all) await measure(world, one, measured)
    return figures(all)
  } finally {
    await Promise.all([...runtimes.map((one) => one.stop()), world.close()])
    for (const one of made) one.remove()
  }
}

function edgeBindings(
  world: PathWorld,
  { secret, token }: { readonly secret: string; readonly token: string },
): Record<string, string> {
  const provider = { name: 'm', kind: 'openai', model: 'm', base_url: `${world.origin}/v1` }
  return {
    ...edgeKeys([world.origin]),
    MODEL_ORIGINS: JSON.stringify([world.origin]),
    MODELS: JSON.stringify({ providers: [provider] }),
    TELEGRAM: JSON.stringify({ owner: OWNER, api: world.origin, strangers: 'answer' }),
    TELEGRAM_TOKEN: token,
    TELEGRAM_SECRET: secret,
  }
}

function fresh(): Measured {
  return { samples: [], spent: { alone: 0, together: 0, cpuAlone: 0, cpuTogether: 0 } }
}

async function measure(world: PathWorld, subject: Subject, { samples, spent }: Measured): Promise<void> {
  const { cpu } = subject.runtime
  let [at, used] = [performance.now(), cpu()]
  await repeat(SEQUENTIAL, async () => samples.push(await message(world, subject, OWNER)))
  spent.alone += performance.now() - at
  spent.cpuAlone += cpu() - used
  const first = 10_000 + randomInt(1_000_000) * 100
  const people = Array.from({ length: PEOPLE }, (_, n) => first + n)
  // The first message makes the object and its tables, which a person does once.
  await Promise.all(people.map((one) => message(world, subject, one)))
  ;[at, used] = [performance.now(), cpu()]
  await Promise.all(people.map((one) => repeat(EACH, () => message(world, subject, one))))
  spent.together += performance.now() - at
  spent.cpuTogether += cpu() - used
}

let updates = 1

/** Milliseconds from sending the update to the answer's arrival. */
async function message(world: PathWorld, { runtime, path, secret }: Subject, from: number): Promise<number> {
  updates += 1
  const answered = world.answered(from)
  const person = { id: from, is_bot: false, first_name: 'X' }
  const told = {
    ...{ message_id: updates, date: Math.floor(Date.now() / 1_000), text: 'hello' },
    ...{ chat: { id: from, type: 'private', first_name: 'X' }, from: person },
  }
  const begun = performance.now()
  const response = await fetch(runtime.origin + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-telegram-bot-api-secret-token': secret },
    body: JSON.stringify({ update_id: updates, message: told }),
  })
  const answer = await response.text()
  if (answer !== '{"ok":true}') throw new Error(`refused with ${response.status}: ${answer}`)
  return (await answered) - begun
}

function figures(all: ReadonlyMap<Subject, Measured>): readonly Figure[] {
  const rows = [...all].map(([{ name }, { samples, spent }]) => ({
    name,
    p50: percentile(samples, 0.5),
    p99: percentile(samples, 0.99),
    rate: (ROUNDS * PEOPLE * EACH * 1_000) / spent.together,
    cpu: spent.cpuAlone / (ROUNDS * SEQUENTIAL),
    cpuTogether: spent.cpuTogether / (ROUNDS * PEOPLE * EACH),
  }))
  const [floor, ...edges] = rows
  const ratios = edges.flatMap(({ name, p50, rate, cpu }) =>
    floor === undefined
      ? []
      : [
          { name: `${name} / floor, p50`, value: p50 / floor.p50, unit: '×' },
          { name: `${name} / floor, CPU of the owner's message`, value: cpu / floor.cpu, unit: '×' },
          { name: `${name} / floor, messages with ${PEOPLE} people`, value: rate / floor.rate, unit: '×' },
        ],
  )
  return [
    ...rows.flatMap(({ name, p50, p99, rate, cpu, cpuTogether }) => [
      { name: `${name}, owner's hello, p50`, value: p50, unit: 'ms' },
      { name: `${name}, owner's hello, p99`, value: p99, unit: 'ms' },
      { name: `${name}, owner's hello, CPU`, value: cpu, unit: 'ms' },
      { name: `${name}, ${PEOPLE} people at once`, value: rate, unit: 'msg/s' },
      { name: `${name}, ${PEOPLE} people at once, CPU a message`, value: cpuTogether, unit: 'ms' },
    ]),
    ...ratios,
  ]
}

async function repeat(times: number, run: () => Promise<unknown>): Promise<void> {
  for (let done = 0; done < times; done += 1) await run()
}

/**
 * Cost of one message from Telegram's webhook to the answer in its chat, compared in turns with a bare bot that does the same
 * work: the owner's "hello", answered by a streaming model, and unknown senders' messages, answered without one (only a model
 * at home may read them). `--against` adds an older tree's edge. Called by bench/main.ts.
 */
import { randomBytes, randomInt } from 'node:crypto'
import { edgeKeys } from './edge.ts'
import { type Figure, percentile } from './figures.ts'
import { type PathWorld, startPathWorld } from './path-world.ts'
import { bundle, type Runtime, start, type WorkerSource } from './runtime.ts'
import { isTaken } from './webhook.ts'

const FLOOR: WorkerSource = { config: 'bench/worker/bot-floor.toml', entry: 'bench/worker/bot-floor.ts' }
const EDGE: WorkerSource = { config: 'wrangler.toml', entry: 'worker/index.ts' }

/** Telegram's id of the edge's owner. */
export const OWNER = 1_001
const WARM_UP = 40
/** Sequential messages of one person per round. */
const SEQUENTIAL = 40
const PEOPLE = 50
/** Sequential messages of each person per round, with all persons at once. */
const EACH = 4

/** The senders: one person with sequential messages, or PEOPLE at once. */
type Kind = 'owner' | 'stranger' | 'strangers' | 'people'

const SAID: Readonly<Record<Kind, string>> = {
  owner: "owner's hello",
  stranger: "a stranger's hello",
  strangers: `${PEOPLE} strangers' hello at once`,
  people: `${PEOPLE} people's hello at once`,
}

/** Paths of a subject. Only the floor has `people`, which a model answers; that row is not compared. */
type Paths = Readonly<Record<Exclude<Kind, 'people'>, string> & { people?: string }>

const UNASKED = '/?no-model'
/** The bare bot answers unknown senders without a model, as PFAR does. */
const FLOOR_PATHS: Paths = { owner: '/', stranger: UNASKED, strangers: UNASKED, people: '/' }
const TELEGRAM = '/telegram/open'
const EDGE_PATHS: Paths = { owner: TELEGRAM, stranger: TELEGRAM, strangers: TELEGRAM }

/** A bot's edge, and the secret of its webhook. */
interface BotSubject {
  readonly runtime: Runtime
  readonly secret: string
}

interface Subject extends BotSubject {
  readonly name: string
  readonly paths: Paths
}

/** Totals of all messages of one kind: milliseconds of each, wall time, CPU time, and model requests. */
interface Spent {
  readonly samples: number[]
  wall: number
  cpu: number
  asked: number
}

type Measured = Map<Kind, Spent>

/** `rounds`: number of turns of each subject. */
export async function measurePath(against: string | undefined, rounds: number): Promise<readonly Figure[]> {
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
  const subject = async (name: string, paths: Paths, starting: Promise<Runtime>): Promise<Subject> => {
    const runtime = await starting
    runtimes.push(runtime)
    return { name, runtime, paths, secret }
  }
  try {
    const floorBindings = {
      ...{ MODEL_URL: `${world.origin}/v1`, API_URL: `${world.origin}/bot${token}`, SECRET: secret },
    }
    const subjects = [await subject('floor', FLOOR_PATHS, start(FLOOR, floorBundle, floorBindings))]
    const edges = [['edge', edgeBundle, EDGE] as const]
    const older =
      olderBundle === undefined ? [] : [['older', olderBundle, { ...EDGE, root: against }] as const]
    for (const [name, one, source] of [...edges, ...older])
      subjects.push(
        await subject(
          name,
          EDGE_PATHS,
          start(source, one, edgeBindings(world, { secret, token }), { unlimited: true }),
        ),
      )
    const all = new Map(subjects.map((one) => [one, new Map<Kind, Spent>()]))
    for (const one of subjects)
      await repeat(WARM_UP, () => botMessage(world, one, { from: OWNER, path: one.paths.owner }))
    for (let round = 0; round < rounds; round += 1)
      for (const [one, measured] of all) await measure(world, one, measured)
    return figures(all)
  } finally {
    await Promise.all([...runtimes.map((one) => one.stop()), world.close()])
    for (const one of made) one.remove()
  }
}

/** Bindings of an edge with one streaming model and a bot whose owner is OWNER. */
export function edgeBindings(
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

async function measure(world: PathWorld, subject: Subject, measured: Measured): Promise<void> {
  for (const [kind, path] of Object.entries(subject.paths) as [Kind, string][]) {
    const first = 10_000 + randomInt(1_000_000) * 100
    const chats = Array.from({ length: isAlone(kind) ? 1 : PEOPLE }, (_, n) =>
      kind === 'owner' ? OWNER : first + n,
    )
    const say = (from: number): Promise<number> => botMessage(world, subject, { from, path })
    // The first message creates the object and its tables, which happens once per person.
    await Promise.all(chats.map(say))
    const spent = measured.get(kind) ?? { samples: [], wall: 0, cpu: 0, asked: 0 }
    measured.set(kind, spent)
    const [at, used, asked] = [performance.now(), subject.runtime.cpu(), world.asked()]
    const each = isAlone(kind) ? SEQUENTIAL : EACH
    await Promise.all(chats.map((from) => repeat(each, async () => spent.samples.push(await say(from)))))
    spent.wall += performance.now() - at
    spent.cpu += subject.runtime.cpu() - used
    spent.asked += world.asked() - asked
  }
}

let updates = 1

/** Milliseconds from sending the update until the answer arrives. */
export async function botMessage(
  world: PathWorld,
  { runtime, secret }: BotSubject,
  { from, path }: { readonly from: number; readonly path: string },
): Promise<number> {
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
  if (!isTaken(answer)) throw new Error(`refused with ${response.status}: ${answer}`)
  return (await answered) - begun
}

const isAlone = (kind: Kind): boolean => kind === 'owner' || kind === 'stranger'

function figures(all: ReadonlyMap<Subject, Measured>): readonly Figure[] {
  const rows = [...all].map(([{ name }, measured]) => ({ name, measured }))
  const [floor, ...edges] = rows
  return [
    ...rows.flatMap(({ name, measured }) =>
      [...measured].flatMap(([kind, spent]) =>
        figuresOf(kind, `${name}, ${SAID[kind]} (${workOf(spent)})`, spent),
      ),
    ),
    ...edges.flatMap(({ name, measured }) =>
      [...measured].flatMap(([kind, spent]) => {
        const bare = floor?.measured.get(kind)
        return bare === undefined ? [] : ratiosOf(kind, name, { spent, bare })
      }),
    ),
  ]
}

/** Sequential messages: latency. Many at once, which wait for one another: throughput. */
function figuresOf(kind: Kind, what: string, spent: Spent): readonly Figure[] {
  const p = (fraction: number): number => percentile(spent.samples, fraction)
  const times = [
    { name: `${what}, p50`, value: p(0.5), unit: 'ms' },
    { name: `${what}, p99`, value: p(0.99), unit: 'ms' },
  ]
  return [
    ...(isAlone(kind) ? times : [{ name: what, value: rateOf(spent), unit: 'msg/s' }]),
    { name: `${what}, CPU a message`, value: cpuOf(spent), unit: 'ms' },
  ]
}

/** Ratios for the same kind of messages, with the work of either side per message. */
function ratiosOf(
  kind: Kind,
  name: string,
  { spent, bare }: Readonly<Record<'spent' | 'bare', Spent>>,
): readonly Figure[] {
  const [own, floor] = [workOf(spent), workOf(bare)]
  const both = own === floor ? `${own} on either side` : `NOT THE SAME WORK: ${own}, floor ${floor}`
  const what = `${name} / floor, ${SAID[kind]} (${both})`
  const p50 = ({ samples }: Spent): number => percentile(samples, 0.5)
  return [
    isAlone(kind)
      ? { name: `${what}, p50`, value: p50(spent) / p50(bare), unit: '×' }
      : { name: `${what}, msg/s`, value: rateOf(spent) / rateOf(bare), unit: '×' },
    { name: `${what}, CPU`, value: cpuOf(spent) / cpuOf(bare), unit: '×' },
  ]
}

/** As counted by the scripted model. */
function workOf({ asked, samples }: Spent): string {
  const each = Number((asked / samples.length).toFixed(1))
  return each === 0 ? 'no model' : `${each} model ${each === 1 ? 'call' : 'calls'}`
}

/** Messages per second. */
function rateOf({ samples, wall }: Spent): number {
  return (samples.length * 1_000) / wall
}

/** CPU milliseconds per message. */
function cpuOf({ cpu, samples }: Spent): number {
  return cpu / samples.length
}

async function repeat(times: number, run: () => Promise<unknown>): Promise<void> {
  for (let done = 0; done < times; done += 1) await run()
}

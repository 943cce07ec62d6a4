/**
 * One day of mixed traffic, with a canary in every value, in real processes: both lines, strangers, approvals, a stored
 * secret, a copy of home at the edge, a stop, both places killed, and an edge that asks home for what it must not have. Keeps every byte that the edge wrote, saw or
 * sent, what either place printed, and what left for a cloud model. Must not search or judge. Called by
 * canary.test.ts.
 */

import { createPrivateKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import { type KeyAddress, recoverySeed, storeKey, unwrapKey } from '../../kernel/vault/key-ring.ts'
import { decideOn } from '../../sidecar/cli/chat/cards.ts'
import type { LineDelivery } from '../../sidecar/cli/line/link.ts'
import { readEdgeRecord } from '../../sidecar/cli/line/own-edge.ts'
import { statePaths } from '../../sidecar/cli/state-paths.ts'
import { connectClient, type Message, spawnHome } from '../home/fixtures/process.ts'
import { until } from '../home/fixtures/wait.ts'
import type { WorkerBundle } from '../kit/worker-bundle.ts'
import { filesIn } from '../regression/files.ts'
import { HOME_PATCHES, install, setSecret } from './canary-install.ts'
import type { SourcePatch } from './canary-patch.ts'
import { type Canary, canaryOf } from './canary-search.ts'
import { makeValues, type Named, OPEN, PRIVATE } from './canary-values.ts'
import { type CanaryWorld, startCanaryWorld } from './canary-world.ts'
import { killAll, type Line, lineOf, placesOf, SOON } from './chaos-bench.ts'
import { edgeOrigin, layBundle, type Patch, pinAt } from './chaos-edge.ts'
import { startFaultProxy } from './chaos-proxy.ts'
import { createRandom } from './chaos-random.ts'
import { createBench } from './terminal-bench.ts'

const HOOK = pathToFileURL(join(import.meta.dirname, 'canary-patch.ts')).href

export interface DayPlan {
  readonly made: WorkerBundle
  /** Guards that are taken away at the edge. */
  readonly edge?: readonly Patch[]
  /** Guards that are taken away at home. */
  readonly home?: readonly SourcePatch[]
  /** Without the crashes: they cost time and say nothing of a missing guard. */
  readonly short?: boolean
}

/** Bytes, and what they are of. */
export interface Piece {
  readonly name: string
  readonly bytes: Uint8Array
}

export interface Day {
  readonly values: Named
  /** What may be nowhere outside of home: words, mails, appointments, keys. */
  readonly privates: readonly Canary[]
  /** What the edge may hold, and may not keep in plain. */
  readonly opens: readonly Canary[]
  /** Keys of the edge itself. */
  readonly edgeKeys: readonly Canary[]
  /** Files of the edge, but those that hold its keys, and what it printed. */
  readonly edgeFiles: readonly Piece[]
  readonly homeFiles: readonly Piece[]
  readonly printed: readonly Piece[]
  /** Frames of the tunnel, and what home asked over HTTP. */
  readonly toEdge: readonly Piece[]
  readonly toHome: readonly Piece[]
  /** What the owner got on the open line, and strangers in their chat. */
  readonly openAnswers: readonly Piece[]
  readonly prompts: { readonly edge: readonly Piece[]; readonly home: readonly Piece[] }
  /** All that was shown on the private line. */
  readonly shown: string
  /** What the services were asked with. */
  readonly requests: string
  /** Label of the answer that told of the appointments. */
  readonly label: string
  remove(): Promise<void>
}

/** Files that hold keys because that is what they are for. */
const KEY_FILES = ['device.key', 'edge/edge.json', 'edge/run.json']

export async function liveThroughADay(plan: DayPlan): Promise<Day> {
  const { made, edge = [], home = [], short = false } = plan
  const values = makeValues()
  const world = await startCanaryWorld(values)
  const bench = createBench()
  const { folder } = bench
  const installed = install(folder, world.origin)
  const bindings = { FAKE_DELIVER_URL: `${world.origin}/chat`, FAKE_MODEL_URL: `${world.origin}/model/edge` }
  layBundle({ folder, made, bindings, patches: edge })
  await bench.start('--no-demo', '--only', 'edge')
  const frames: { readonly way: string; readonly text: string }[] = []
  const asked: Piece[] = []
  const proxy = await startFaultProxy({
    target: edgeOrigin(folder),
    random: createRandom(1),
    onFrame: (way, text) => void frames.push({ way, text }),
    onRequest: (bytes) => void asked.push({ name: 'request to edge', bytes }),
  })
  pinAt(folder, proxy.origin)
  const environment = {
    PFAR_EDGE_URL: proxy.origin,
    NODE_OPTIONS: `--import=${HOOK}`,
    PFAR_CANARY_PATCHES: JSON.stringify([...HOME_PATCHES, ...home]),
    ...installed.environment,
    PFAR_CANARY_MODEL: `${world.origin}/model/home`,
  }
  let running = spawnHome(folder, environment)
  const printed: Piece[] = []
  const own = lineOf(folder, 'private')
  const open = lineOf(folder, 'open')
  const input: Hours = { own, open, world, values, folder, shown: [], told: [], frames, labels: [] }
  printed.push(piece('pfar secret set', await setSecret(folder, values.credential)))
  await morning(input)
  if (!short) {
    await crashes(input, async () => {
      running.child.kill('SIGKILL')
      await running.ended
      printed.push(piece('home, first', running.stdout() + running.stderr()))
      running = spawnHome(folder, environment)
    })
  }
  await takeover(input)
  await copyToEdge(folder)
  await until(async () => (await open.delivered().catch(() => null)) !== null, SOON)
  running.child.kill('SIGTERM')
  await running.ended
  await proxy.close()
  await bench.stop()
  printed.push(piece('home', running.stdout() + running.stderr()), piece('npm start', bench.printed()))
  const files = filesIn(folder)
    .filter((file) => !KEY_FILES.includes(file) && !file.startsWith('edge/bundle/'))
    .map((file) => ({ name: file, bytes: readFileSync(join(folder, file)) }))
  const isOfEdge = ({ name }: Piece): boolean => /^edge\/|^logs\/edge/.test(name)
  const of = (wanted: string): readonly Piece[] =>
    frames.flatMap(({ way, text }) => (way === wanted ? [piece(`frame ${way}`, text)] : []))
  return {
    values,
    privates: [
      ...PRIVATE.map((name) => canaryOf(name, values[name])),
      ...keysOfHome(folder, installed.master),
    ],
    opens: OPEN.map((name) => canaryOf(name, values[name])),
    edgeKeys: keysOfEdge(folder),
    edgeFiles: files.filter(isOfEdge),
    homeFiles: files.filter((file) => !isOfEdge(file)),
    printed,
    toEdge: [...of('to edge'), ...asked],
    toHome: of('to home'),
    openAnswers: [
      ...input.told.map(({ text }) => piece('open line', text)),
      ...world.seen.filter(({ line }) => line === 'POST /chat').map(({ bytes }) => piece('chat', bytes)),
    ],
    prompts: {
      edge: world.asked('edge').map(({ bytes }) => piece('prompt at the edge', bytes)),
      home: world.asked('home').map(({ bytes }) => piece('prompt at home', bytes)),
    },
    shown: input.shown.map(({ text }) => text).join('\n'),
    requests: world.seen.map(({ bytes }) => bytes).join('\n'),
    label: input.labels.join(),
    async remove() {
      installed.remove()
      await world.close()
      await bench.remove()
    },
  }
}

const piece = (name: string, text: string): Piece => ({ name, bytes: Buffer.from(text) })

interface Hours {
  readonly own: Line
  readonly open: Line
  readonly world: CanaryWorld
  readonly values: Named
  readonly folder: string
  /** What was delivered on the private and on the open line. */
  readonly shown: LineDelivery[]
  readonly told: LineDelivery[]
  readonly frames: readonly { readonly way: string; readonly text: string }[]
  readonly labels: string[]
}

async function morning(hours: Hours): Promise<void> {
  const { own, open, values, world, folder } = hours
  const say = (text: string): Promise<string> => answered(own, text, hours.shown)
  const ask = (text: string): Promise<string> => answered(open, text, hours.told)
  for (const text of ['hello', 'help', 'check my email', 'read the first one', 'read the second one'])
    await say(text)
  await say(`read the one from ${values['m1 name']}`)
  await say('when am I free tomorrow?')
  await say(`remember that the alarm code is ${values.fact}`)
  await say('what do you know about the alarm code')
  await say(`read ${world.origin}/page?about=${values['own page']}`)
  await say(`my neighbour says ${values['small talk']}`)
  await decide(hours, `book "Checkup ${values.booking}" tomorrow from 9:00 to 10:00`, 'approve')
  const invited = `${values.guest}@friends.example`
  await decide(
    hours,
    `book "Lunch ${values['refused booking']}" tomorrow from 13:00 to 14:00 with ${invited}`,
    'deny',
  )
  // Last, since what is said afterwards bears the label of what was read.
  const appointments = await say('what is on my calendar tomorrow')
  const report = await own.link((link) => link.report(appointments))
  if (report.ok) hours.labels.push(report.value.task.label)

  await ask('hello')
  await ask(`remember that the locker code is ${values['open fact']}`)
  await ask('what do you know about the locker code')
  await ask('what do you know about the alarm code')
  await ask('when am I free tomorrow?')
  await ask('check my email')
  await ask(`read ${world.origin}/page`)
  await ask(`my colleague says ${values['open words']}`)
  await ask(`book "Dinner" tomorrow from 19:00 to 20:00`)
  await fetch(`${edgeOrigin(folder)}/fake/visitor`, {
    method: 'POST',
    body: JSON.stringify({ id: 'visit', text: `Hello, this is ${values.stranger}.` }),
  })
  await until(() => world.seen.some(({ line }) => line === 'POST /chat'), SOON)
  // What the edge remembers of its owner is told home, which answers with it.
  await until(
    async () => JSON.stringify(await askedOf(folder, 'memory.list')).includes(values['open fact']),
    SOON,
  )
  await say('what do you know about the locker code')
}

async function askedOf(folder: string, operation: string): Promise<Message> {
  const client = await connectClient(join(folder, 'home.sock'))
  const answer = await client.ask('operation', { operation })
  client.socket.destroy()
  return answer
}

/** A copy of all that home holds, as the clock would have it made some minutes later. */
async function copyToEdge(folder: string): Promise<void> {
  const made = await askedOf(folder, 'copies.make')
  if (made['result'] === undefined) throw new Error(`no copy: ${JSON.stringify(made)}`)
}

/** Home and then the edge killed while home asks a service; a stop, and one thing more that is remembered. */
async function crashes(hours: Hours, killHome: () => Promise<void>): Promise<void> {
  const { own, open, world, values, folder } = hours
  const places = placesOf(folder)
  const hang = async (line: Line, text: string): Promise<string> => {
    const before = world.seen.length
    world.hold()
    const task = await line.say(text)
    await until(() => world.seen.length > before, SOON)
    return task
  }
  const reading = await hang(own, 'check my email')
  await killHome()
  world.release()
  await until(() => own.isAnswered(reading), SOON)
  const free = await hang(open, 'when am I free tomorrow?')
  const killed = [places.edge(), places.workerd()]
  killAll(killed)
  world.release()
  await until(
    async () => (await open.link((link) => link.status())).ok && !killed.includes(places.workerd()),
    SOON,
  )
  await until(() => open.isAnswered(free), SOON)
  const stopped = await hang(own, 'read the first one')
  await own.link((link) => link.stop(stopped))
  world.release()
  await answered(own, `remember that the safe code is ${values['late fact']}`, hours.shown)
}

/** What a taken-over edge would ask of home; each is answered, one way or the other. */
async function takeover({ folder, frames }: Hours): Promise<void> {
  const edge = edgeOrigin(folder)
  const span = { from: new Date().toISOString(), to: new Date(Date.now() + 2 * 86_400_000).toISOString() }
  const calls = ['owner_private', 'owner_open'].flatMap((template) => [
    { template, tool: 'email.list', args: {} },
    { template, tool: 'email.read', args: { id: 'm1' } },
    { template, tool: 'calendar.list_events', args: span },
    { template, tool: 'calendar.freebusy', args: span },
    { template, tool: 'memory.search', args: { query: 'alarm code' } },
  ])
  const words = { origin: 'sink:place:edge', field: 'text', level: 'public', compartment: null }
  const taint = { level: 'clean', origins: [words.origin], touchedBy: [] }
  const common = {
    ...{ task: 'taken', step: 0, trace: 'taken', principal: OWNER_PRINCIPAL },
    ...{ provenance: { label: { atoms: [words] }, taint }, deadline: Date.now() + SOON },
  }
  for (const [n, call] of calls.entries()) {
    const id = `taken:${n}`
    const body = JSON.stringify({ ...common, ...call, id })
    const asked = (await (await fetch(`${edge}/ask-home`, { method: 'POST', body })).json()) as {
      ok: boolean
    }
    if (!asked.ok) throw new Error(`the edge could not ask: ${JSON.stringify(asked)}`)
    await until(() => frames.some(({ way, text }) => way === 'to edge' && text.includes(id)), SOON)
  }
}

/** Says it, and waits until it has been answered. */
async function answered(line: Line, text: string, into: LineDelivery[]): Promise<string> {
  const task = await line.say(text)
  await collect(line, into, (rows) => rows.some((row) => row.task === task))
  return task
}

async function decide(hours: Hours, text: string, decision: 'approve' | 'deny'): Promise<void> {
  const { own, shown } = hours
  const task = await own.say(text)
  const isCard = (row: LineDelivery): boolean => row.task === task && row.approval !== null
  await collect(own, shown, (rows) => rows.some(isCard))
  const approval = shown.find(isCard)?.approval ?? ''
  await own.link((link) => decideOn(link, approval, decision))
  await collect(own, shown, (rows) => rows.some((row) => row.task === task && row.kind !== 'card'))
}

async function collect(
  line: Line,
  into: LineDelivery[],
  isEnough: (rows: readonly LineDelivery[]) => boolean,
): Promise<void> {
  await until(async () => {
    const found = await line.link((link) => link.deliveries(into.at(-1)?.seq ?? 0, 0))
    if (found.ok) into.push(...found.value)
    return isEnough(into)
  }, SOON)
}

/** The master key and what is made of it, every data key that lies wrapped under it, and the key that signs for this device. */
function keysOfHome(folder: string, master: Uint8Array): readonly Canary[] {
  const { d = '' } = createPrivateKey(readFileSync(join(folder, 'device.key'), 'utf8')).export({
    format: 'jwk',
  })
  const device = canaryOf('device key', Buffer.from(d, 'base64url'))
  const copies = canaryOf('key of the copies', storeKey(master, 'replica'))
  const recovery = canaryOf('recovery seed', recoverySeed(master))
  return [canaryOf('master key', master), copies, recovery, device, ...dataKeysOf(folder, master)]
}

function dataKeysOf(folder: string, master: Uint8Array): readonly Canary[] {
  const database = new DatabaseSync(join(folder, 'keys.sqlite'), { readOnly: true })
  try {
    const rows = database.prepare('select store, principal, generation, wrapped from data_keys').all()
    return rows.map((row) => {
      const address = { ...row, wrapped: undefined } as unknown as KeyAddress
      const key = unwrapKey(master, address, row['wrapped'] as Uint8Array)
      if (key === null) throw new Error('a data key does not unwrap')
      return canaryOf(`data key ${address.store} ${address.principal}`, key)
    })
  } finally {
    database.close()
  }
}

function keysOfEdge(folder: string): readonly Canary[] {
  const record = readEdgeRecord(statePaths({ PFAR_HOME: folder }).edgeFile)
  const keys = record.ok && record.value !== null ? Object.entries(record.value.keys) : []
  return keys.map(([name, key]) => canaryOf(`edge key ${name}`, Buffer.from(key, 'base64url')))
}

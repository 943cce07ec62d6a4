/**
 * Where the edge's processor time for the owner's "hello" goes, by function and file: a profile of an unminified bundle in
 * workerd by V8's inspector. Counts samples rather than their times, because on a loaded machine a sample may include a pause.
 * Called by bench/main.ts.
 */
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { botMessage, edgeBindings, OWNER } from './path.ts'
import { startPathWorld } from './path-world.ts'
import { bundle, start, type WorkerSource } from './runtime.ts'

const EDGE: WorkerSource = { config: 'wrangler.toml', entry: 'worker/index.ts', readable: true }
const WARM_UP = 60
const MESSAGES = 300
/** Sampling interval, in µs. */
const INTERVAL = 100
/** Maximum rows of each list. */
const SHOWN = 25

interface Node {
  readonly id: number
  readonly callFrame: { readonly functionName: string; readonly lineNumber: number }
  readonly children?: readonly number[]
}

interface Profile {
  readonly nodes: readonly Node[]
  readonly samples: readonly number[]
}

/** Two lists, in percent: functions by their own samples, and by the samples including the functions they called. */
export async function profileHello(): Promise<string> {
  const [world, made, port] = await Promise.all([startPathWorld(), bundle(EDGE), freePort()])
  const secret = randomBytes(32).toString('hex')
  const token = `4242:${randomBytes(20).toString('hex')}`
  const runtime = await start(EDGE, made, edgeBindings(world, { secret, token }), {
    unlimited: true,
    inspectorPort: port,
  })
  const say = async (times: number): Promise<void> => {
    for (let said = 0; said < times; said += 1)
      await botMessage(world, { runtime, secret }, { from: OWNER, path: '/telegram/open' })
  }
  try {
    await say(WARM_UP)
    const inspector = await inspectorAt(port)
    await inspector.ask('Profiler.enable')
    await inspector.ask('Profiler.setSamplingInterval', { interval: INTERVAL })
    await inspector.ask('Profiler.start')
    await say(MESSAGES)
    const { profile } = (await inspector.ask('Profiler.stop')) as { readonly profile: Profile }
    return listsOf(profile, filesOf(made.folder))
  } finally {
    await Promise.all([runtime.stop(), world.close()])
    made.remove()
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no port is free')
  return address.port
}

async function inspectorAt(port: number) {
  const list = await (await fetch(`http://127.0.0.1:${port}/json`)).json()
  const targets = list as readonly { readonly webSocketDebuggerUrl: string }[]
  const own = targets.find(({ webSocketDebuggerUrl: url }) => url.includes('bench-0'))
  if (own === undefined) throw new Error('the Worker has no inspector')
  const socket = new WebSocket(own.webSocketDebuggerUrl)
  const waiting = new Map<number, (result: unknown) => void>()
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(String(data)) as { readonly id?: number; readonly result?: unknown }
    if (id !== undefined) waiting.get(id)?.(result)
  })
  await new Promise((resolve) => socket.addEventListener('open', resolve, { once: true }))
  let asked = 0
  return {
    ask: (method: string, params: object = {}): Promise<unknown> => {
      asked += 1
      const id = asked
      return new Promise((resolve) => {
        waiting.set(id, resolve)
        socket.send(JSON.stringify({ id, method, params }))
      })
    },
  }
}

/** The source file of each line of the bundle, from the bundler's comments. */
function filesOf(folder: string): readonly string[] {
  const name = readdirSync(folder).find((file) => file.endsWith('.js')) ?? ''
  let file = ''
  return readFileSync(join(folder, name), 'utf8')
    .split('\n')
    .map((line) => {
      file = /^\/\/ (?:\.\.\/)*(?:\S*node_modules\/)?(\S+\.(?:ts|[cm]?js))$/.exec(line)?.[1] ?? file
      return file
    })
}

function listsOf({ nodes, samples }: Profile, files: readonly string[]): string {
  const nameOf = ({ callFrame: { functionName, lineNumber } }: Node): string =>
    `${functionName === '' ? '(no name)' : functionName} ${files[lineNumber] ?? ''}`.trim()
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const callers = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])))
  const [own, all] = [new Map<string, number>(), new Map<string, number>()]
  let count = 0
  for (const sample of samples) {
    const path: string[] = []
    for (let id: number | undefined = sample; id !== undefined; id = callers.get(id)) {
      const node = byId.get(id)
      if (node !== undefined) path.push(nameOf(node))
    }
    const [leaf = ''] = path
    if (leaf === '(idle)') continue
    count += 1
    own.set(leaf, (own.get(leaf) ?? 0) + 1)
    for (const name of new Set(path)) all.set(name, (all.get(name) ?? 0) + 1)
  }
  const list = (found: ReadonlyMap<string, number>): string =>
    [...found]
      .toSorted(([, one], [, other]) => other - one)
      .slice(0, SHOWN)
      .map(([name, times]) => `${((times * 100) / count).toFixed(1).padStart(6)} % ${name}`)
      .join('\n')
  return `${count} samples of ${MESSAGES} messages\n\nitself\n${list(own)}\n\nwith what it calls\n${list(all)}`
}

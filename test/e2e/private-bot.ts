/**
 * Both lines of the owner at Telegram, in real processes: the product's edge with its bot, a home with another that only it asks for
 * messages, and between the two a network that is listened to. What the owner reads by home's bot is full of canaries. Holds no
 * expectation. Called by telegram-private.test.ts.
 */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ScriptedTelegram, startTelegram } from '../fakes/telegram-server.ts'
import { BOT_TOKEN, PRIVATE_TOKEN } from '../fakes/telegram-token.ts'
import { OWNER_ID, SECRET } from '../fakes/telegram-updates.ts'
import { connectClient, type HomeProcess, type Message, spawnHome } from '../home/fixtures/process.ts'
import { until } from '../home/fixtures/wait.ts'
import { filesIn } from '../regression/files.ts'
import { install, setSecret } from './canary-install.ts'
import { makeValues, type Named } from './canary-values.ts'
import { type CanaryWorld, startCanaryWorld } from './canary-world.ts'
import { SOON } from './chaos-bench.ts'
import { bundleFakes, edgeOrigin, layBundle, pinAt } from './chaos-edge.ts'
import { startFaultProxy } from './chaos-proxy.ts'
import { createRandom } from './chaos-random.ts'
import { type Bench, createBench } from './terminal-bench.ts'

const CLI = fileURLToPath(new URL('../../sidecar/cli/main.js', import.meta.url))

export interface Connected {
  readonly code: number | null
  readonly said: string
}

export interface TwoLines {
  readonly folder: string
  readonly values: Named
  readonly world: CanaryWorld
  /** The edge's bot, and home's. */
  readonly open: ScriptedTelegram
  readonly mine: ScriptedTelegram
  /** What went through the network between home and the edge. */
  readonly passed: readonly Buffer[]
  /** `pfar telegram connect --private`, as the owner who sends the code it shows; nobody sends it where `sends` says so. */
  connect(token: string): Promise<Connected>
  startHome(): Promise<void>
  killHome(): Promise<void>
  stopHome(): Promise<number | string>
  ask(method: string, params?: Message): Promise<Message>
  /** What both processes printed so far. */
  printed(): string
  /** Everything that the edge holds on its disk, but its program. */
  edgeFiles(): readonly { readonly name: string; readonly bytes: Buffer }[]
  bench: Bench
  close(): Promise<void>
}

/** `env`: such as a test clock's, for both places. */
export async function startTwoLines(env: NodeJS.ProcessEnv = {}): Promise<TwoLines> {
  const values = makeValues()
  const [world, open, mine] = await Promise.all([
    startCanaryWorld(values),
    startTelegram(),
    startTelegram(PRIVATE_TOKEN),
  ])
  const bench = createBench({ env })
  const { folder } = bench
  const installed = install(folder, world.origin)
  const made = await bundleFakes({ entry: 'worker/index.ts' })
  const setting = JSON.stringify({ owner: OWNER_ID, api: open.origin })
  const bindings = { TELEGRAM: setting, TELEGRAM_TOKEN: BOT_TOKEN, TELEGRAM_SECRET: SECRET }
  layBundle({ folder, made, bindings })
  await bench.start('--no-demo', '--only', 'edge')
  open.messenger.webhook = { url: `${edgeOrigin(folder)}/telegram/open`, secret: SECRET }
  const passed: Buffer[] = []
  const proxy = await startFaultProxy({
    ...{ target: edgeOrigin(folder), random: createRandom(1) },
    onFrame: (_way, text) => void passed.push(Buffer.from(text)),
    onRequest: (bytes) => void passed.push(bytes),
  })
  pinAt(folder, proxy.origin)
  const environment = {
    ...{ ...installed.environment, ...env },
    ...{ PFAR_EDGE_URL: proxy.origin, PFAR_TELEGRAM_API: mine.origin },
  }
  let running: HomeProcess | null = null
  let printed = ''
  const end = async (signal: NodeJS.Signals): Promise<number | string> => {
    running?.child.kill(signal)
    const ended = (await running?.ended) ?? 0
    printed += `${running?.stdout() ?? ''}${running?.stderr() ?? ''}`
    running = null
    return ended
  }
  const socket = join(folder, 'home.sock')
  return {
    ...{ folder, values, world, open, mine, passed, bench },
    connect: (token) => connect({ folder, environment, mine, token }),
    async startHome() {
      running = spawnHome(folder, environment)
      let over = false
      void running.ended.then(() => {
        over = true
      })
      await until(() => over || running?.stdout().includes('home ready'), SOON)
      if (over) throw new Error(running?.stderr() ?? '')
    },
    killHome: async () => void (await end('SIGKILL')),
    stopHome: () => end('SIGTERM'),
    async ask(method, params = {}) {
      const client = await connectClient(socket)
      const answer = await client.ask(method, params)
      client.socket.destroy()
      return answer
    },
    printed: () => printed + bench.printed(),
    edgeFiles: () =>
      filesIn(folder)
        .filter((file) => /^edge\/|^logs\/edge/.test(file) && !file.startsWith('edge/bundle/'))
        .map((name) => ({ name, bytes: readFileSync(join(folder, name)) })),
    async close() {
      await end('SIGKILL')
      await proxy.close()
      await bench.stop()
      await bench.remove()
      await Promise.all([world.close(), open.close(), mine.close()])
      installed.remove()
    },
  }
}

export const storeCredential = ({ folder, values }: TwoLines): Promise<string> =>
  setSecret(folder, values.credential)

export async function connect(input: {
  readonly folder: string
  readonly environment: Readonly<Record<string, string>>
  readonly mine: ScriptedTelegram
  readonly token: string
}): Promise<Connected> {
  const { folder, environment, mine, token } = input
  const { PATH = '' } = process.env
  const child = spawn(process.execPath, [CLI, 'telegram', 'connect', '--private'], {
    env: { PATH, PFAR_HOME: folder, ...environment },
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      said += String(chunk)
    })
  child.stdin.end(`${token}\n`)
  let over = false
  const ended = new Promise<number | null>((resolve) =>
    child.on('close', (code) => {
      over = true
      resolve(code)
    }),
  )
  await until(() => over || said.includes('?start='), SOON)
  const code = /own account: (\S+)/.exec(said)?.[1]
  // A stranger who guesses a code is not taken for the owner.
  if (code !== undefined) {
    mine.write(66, 'AAAA-AAAA')
    mine.write(OWNER_ID, code)
  }
  return { code: await ended, said }
}

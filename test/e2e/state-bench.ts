/**
 * The frozen state (test/fixtures/state-v1) as a test opens it: unpacked into a folder of its own, with both places of
 * today's program started at the moment at which it was left. Only the model's address is written anew. Holds no
 * expectation. Called by state-v1.test.ts.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { vi } from 'vitest'
import { createTestClock } from '../clock/clock.ts'
import { placeOf } from '../fakes/telegram-methods.ts'
import { type ScriptedTelegram, startTelegram } from '../fakes/telegram-server.ts'
import { BOT_TOKEN, PRIVATE_TOKEN } from '../fakes/telegram-token.ts'
import { OWNER_ID, SECRET } from '../fakes/telegram-updates.ts'
import { spawnHome } from '../home/fixtures/process.ts'
import { until } from '../home/fixtures/wait.ts'
import { placesOf } from './chaos-bench.ts'
import { bundleFakes, edgeOrigin, layBundle } from './chaos-edge.ts'
import { type FrozenWorld, startFrozenWorld } from './state-world.ts'
import { type Bench, createBench } from './terminal-bench.ts'

const FIXTURES = new URL('../fixtures/state-v1/', import.meta.url)
const HOME = fileURLToPath(new URL('../../sidecar/main.js', import.meta.url))
/** Milliseconds for a place to come up on a busy machine. */
const READY = 120_000

export type Kind = 'development' | 'passphrase'

/** What the script that made it wrote down. */
export interface Manifest {
  /** Epoch milliseconds. */
  readonly moment: number
  readonly keyPassphrase?: string
  readonly words?: string
  readonly backupPassphrase: string
  readonly google: { readonly token: string }
  readonly rewritten: { readonly 'config.toml': { readonly modelUrl: string } }
  readonly telegram: { readonly friend: number; readonly second: number; readonly chats: readonly number[] }
  readonly standing: readonly {
    readonly chat: number
    readonly id: number
    readonly byBot: boolean
    readonly text: string
  }[]
  readonly card: {
    readonly task: string
    readonly approval: string
    readonly tool: string
    readonly card: string
    readonly digest: string
    readonly request: { readonly line: string; readonly body: string }
  }
  readonly tasks: { readonly each: string; readonly answered: string }
  readonly texts: { readonly factHome: string; readonly factEdge: string }
}

export function manifestOf(kind: Kind): Manifest {
  return JSON.parse(readFileSync(new URL(`${kind}.json`, FIXTURES), 'utf8')) as Manifest
}

export interface OpenedState {
  readonly folder: string
  readonly bench: Bench
  readonly world: FrozenWorld
  /** The edge's bot, and one that home may be given. */
  readonly bot: ScriptedTelegram
  readonly mine: ScriptedTelegram
  /** The edge's origin now, and what a process needs to be of the state's moment. */
  readonly edge: string
  readonly env: Variables
  /** A home in another folder, beside this one's; ends with the state. `linked`: it dials the edge. */
  startHome(folder: string, passphrase?: string, linked?: boolean): Promise<void>
  close(): Promise<void>
}

/** `only`: its home is not started. */
export async function openState(kind: Kind, manifest: Manifest, only?: 'edge'): Promise<OpenedState> {
  const world = await startFrozenWorld()
  const [bot, mine, made] = await Promise.all([
    startTelegram(),
    startTelegram(PRIVATE_TOKEN),
    bundleFakes({ entry: 'worker/index.ts' }),
  ])
  const clock = createTestClock({ at: manifest.moment })
  // What the test signs for the edge is of that moment, too.
  const own = vi.spyOn(Date, 'now').mockImplementation(clock.now)
  const bench = createBench({ env: clock.env })
  const { folder } = bench
  unpack(kind, folder)
  useModel(folder, manifest, world)
  const setting = JSON.stringify({ owner: OWNER_ID, api: bot.origin, strangers: 'silent' })
  const bindings = { TELEGRAM: setting, TELEGRAM_TOKEN: BOT_TOKEN, TELEGRAM_SECRET: SECRET }
  layBundle({ folder, made, bindings })
  bot.order({ chats: manifest.telegram.chats })
  for (const one of manifest.standing) {
    bot.messenger.messages.set(placeOf(one.chat, one.id), { ...one, entities: [], markup: undefined })
    bot.messenger.lastId = Math.max(bot.messenger.lastId, one.id)
  }
  const homes: { readonly folder: string; readonly child: ChildProcess }[] = []
  const startHome: OpenedState['startHome'] = async (where, passphrase, linked = where === folder) => {
    const edge = linked ? { PFAR_EDGE_URL: edgeOrigin(folder) } : {}
    const environment = { ...clock.env, ...edge, PFAR_TELEGRAM_API: mine.origin }
    const { child, said } =
      passphrase === undefined
        ? homeAlone(where, environment)
        : homeOnTerminal(where, environment, passphrase)
    homes.push({ folder: where, child })
    await until(() => said().includes('home ready') || child.exitCode !== null, READY)
    if (child.exitCode !== null) throw new Error(`home ended: ${said()}`)
  }
  await bench.start('--no-demo', '--only', 'edge')
  bot.messenger.webhook = { url: `${edgeOrigin(folder)}/telegram/open`, secret: SECRET }
  if (only !== 'edge') await startHome(folder, manifest.keyPassphrase)
  return {
    ...{ folder, bench, world, bot, mine, startHome, env: clock.env, edge: edgeOrigin(folder) },
    async close() {
      for (const { folder: where, child } of homes) {
        const pid = placesOf(where).home()
        if (pid !== null) process.kill(pid, 'SIGKILL')
        if (child.exitCode === null && child.signalCode === null) await once(child, 'close')
      }
      await bench.remove()
      await Promise.all([world.close(), bot.close(), mine.close()])
      own.mockRestore()
      clock.remove()
    },
  }
}

/** Whatever lies there is the state's, whoever runs the test. */
function unpack(kind: Kind, folder: string): void {
  const archive = fileURLToPath(new URL(`${kind}.tar.gz`, FIXTURES))
  const options = ['--strip-components=1', '--no-same-owner', '-p', '-C', folder]
  const done = spawnSync('tar', ['-xzf', archive, ...options], { encoding: 'utf8' })
  if (done.status !== 0) throw new Error(`tar: ${done.stderr}`)
}

export function useModel(folder: string, { rewritten }: Manifest, { model }: FrozenWorld): void {
  const file = join(folder, 'config.toml')
  const written = readFileSync(file, 'utf8')
  writeFileSync(file, written.replace(rewritten['config.toml'].modelUrl, model.url))
}

interface Home {
  readonly child: ChildProcess
  said(): string
}

type Variables = Readonly<Record<string, string>>

function homeAlone(folder: string, environment: Variables): Home {
  const { child, stdout, stderr } = spawnHome(folder, environment)
  return { child, said: () => stdout() + stderr() }
}

/** On a terminal of its own, at which its owner types the passphrase of the master key. */
function homeOnTerminal(folder: string, environment: Variables, passphrase: string): Home {
  const { PATH = '' } = process.env
  const child = spawn('script', ['-qefc', `${process.execPath} ${HOME}`, '/dev/null'], {
    env: { PATH, TERM: 'dumb', PFAR_HOME: folder, ...environment },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  let shown = ''
  let typed = false
  child.stdout.on('data', (chunk) => {
    shown += String(chunk)
    if (typed || !shown.includes('Passphrase of the master key:')) return
    typed = true
    child.stdin.write(`${passphrase}\r`)
  })
  return { child, said: () => shown }
}

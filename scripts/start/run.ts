/**
 * `npm start`: edge, home and a demo workspace on this machine, and a chat in this terminal (DESIGN §8, T-15). Runs the
 * code that is deployed; only the addresses are local. Must not hold data or decide anything. Run by scripts/start.js.
 */
import { once } from 'node:events'
import { chat } from '../../sidecar/cli/chat/chat.ts'
import { createScreen, type Screen } from '../../sidecar/cli/chat/screen.ts'
import type { ChatInput } from '../../sidecar/cli/chat/session.ts'
import { attach } from '../../sidecar/cli/line/attach.ts'
import { type StatePaths, statePaths } from '../../sidecar/cli/state-paths.ts'
import { loadConfig } from '../../sidecar/config/config.ts'
import { speakAsHome } from '../../sidecar/language/spoken-language.ts'
import { asTyped } from '../../sidecar/process/typed-commands.ts'
import type { StateFolder } from '../../sidecar/store/state-folder.ts'
import { diskRefusal } from '../../sidecar/store/storage-trouble.ts'
import { loadDeviceKey } from '../../sidecar/tunnel/device-key.ts'
import { parseArguments, type StartArguments } from './arguments.ts'
import { bringUp, type Run } from './bring-up.ts'
import type { KeptChild } from './child.ts'
import { done, type Outcome, trouble } from './outcome.ts'
import { claimState, notWritten, orFull, prepareState } from './state.ts'
import { watchSources } from './watch.ts'

/** Milliseconds between checks whether the parent process is alive. */
const PARENT_LOOK_MS = 1_000

async function main(): Promise<number> {
  const screen = createScreen({ out: process.stdout, err: process.stderr }, process.env, (text) =>
    asTyped(text, process.env),
  )
  const parsed = parseArguments(process.argv.slice(2), {
    out: (text) => screen.out(text.trimEnd()),
    err: (text) => screen.err(text.trimEnd()),
  })
  if (!parsed.ok) return parsed.exitCode
  const paths = statePaths(process.env)
  const state = prepareState(paths)
  const { only, leashed } = parsed.value
  const claim = state.ok ? claimState(paths, leashed ? null : only) : state
  if (!state.ok || !claim.ok) return tell(screen, claim)
  try {
    return await runAll(screen, parsed.value, { paths, folder: state.value })
  } finally {
    claim.value()
  }
}

interface State {
  readonly paths: StatePaths
  readonly folder: StateFolder
}

/** Runs until the owner leaves; then stops everything that was started, newest first. */
async function runAll(screen: Screen, options: StartArguments, state: State): Promise<number> {
  const own = ownSettings(state)
  if (!own.ok) return tell(screen, own)
  const stopping = new AbortController()
  const children: KeptChild[] = []
  // Output until the chat takes over the terminal; from then on the chat prints everything above the input line.
  let voice = (text: string) => screen.out(text)
  const say = (text: string) => (options.quiet ? undefined : voice(text))
  const onVoice = (chatVoice: typeof voice) => {
    voice = chatVoice
  }
  const run: Run = { options, ...state, ...own.value, say, signal: stopping.signal, children }
  const leave = leaving(options)
  let watching: Promise<void> | null = null
  try {
    const started = await Promise.race([bringUp(run), leave])
    if (started !== 'leave' && !started.ok) return tell(screen, orFull(state.paths.root, started))
    if (started !== 'leave' && options.watch)
      watching = watchSources({ places: started.value, say, signal: stopping.signal })
    if (started !== 'leave') await stay(run, { screen, onVoice }, leave)
    return 0
  } catch (error) {
    if (diskRefusal(error) === null) throw error
    return tell(screen, notWritten(state.paths.root, error))
  } finally {
    stopping.abort()
    await watching
    await Promise.all(children.toReversed().map((child) => child.stop()))
  }
}

/** The device key, created at the first start, and the owner's configuration. */
function ownSettings({ paths, folder }: State): Outcome<Pick<Run, 'device' | 'config'>> {
  const device = loadDeviceKey(folder)
  if (!device.ok) return trouble(`The device key cannot be used: ${device.reason.facts['problem']}.`)
  const config = loadConfig(process.env, paths.root)
  if (config.ok) return done({ device: device.value, config: config.value })
  const { key, problem } = config.reason.facts
  return trouble(`${paths.config}: ${key} ${problem}.`)
}

/** Runs the chat, or waits, until it is time to stop. */
async function stay(
  { options, paths }: Run,
  chatting: Pick<ChatInput, 'screen' | 'onVoice'>,
  leave: Promise<'leave'>,
): Promise<void> {
  const wanted = options.chat && !options.watch && process.stdin.isTTY === true
  const line = options.only === 'edge' ? 'open' : 'private'
  const attachment = wanted ? await attach({ line, environment: process.env, start: false }) : null
  if (!attachment?.ok) {
    await leave
    return
  }
  const terminal = process.stdout.isTTY === true
  const streams = { input: process.stdin, output: process.stdout, terminal }
  const speak = () => speakAsHome(paths.root)
  await Promise.race([chat({ attachment: attachment.value, ...chatting, ...streams, speak }), leave])
  await attachment.value.close()
}

/** Resolves at the first request to stop. A leashed start also stops when its parent is gone. */
function leaving({ leashed }: StartArguments): Promise<'leave'> {
  const requests: Promise<unknown>[] = ['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => once(process, signal))
  if (leashed) requests.push(once(process.stdin.resume(), 'end'))
  requests.push(orphaned())
  return Promise.race(requests).then(() => 'leave' as const)
}

/** npm does not forward SIGTERM to its child, so this start checks for its parent itself. */
function orphaned(): Promise<void> {
  const parent = process.ppid
  return new Promise((resolve) => {
    const look = setInterval(() => {
      if (process.ppid === parent) return
      clearInterval(look)
      resolve()
    }, PARENT_LOOK_MS)
    look.unref()
  })
}

function tell(screen: Screen, outcome: Outcome<unknown>): number {
  if (!outcome.ok) screen.err(outcome.sentence)
  return 1
}

void main().then((code) => process.exit(code))

/**
 * Starts what was asked for: bundle and demo concurrently, then edge and home concurrently. Must not stop anything: the
 * caller stops what is in `children`. Called by run.ts.
 */
import { join } from 'node:path'
import { isOwnAddress } from '../../integrations/models/provider-settings.ts'
import type { StatePaths } from '../../sidecar/cli/state-paths.ts'
import type { Config } from '../../sidecar/config/config.ts'
import type { AskPassphrase } from '../../sidecar/keys/custody.ts'
import { speakAsHome } from '../../sidecar/language/spoken-language.ts'
import { tell } from '../../sidecar/language/wording.ts'
import { refusalDetail } from '../../sidecar/process/start-sentence.ts'
import type { EdgeModelBindings } from '../../sidecar/secrets/edge-model-keys.ts'
import type { StateFolder } from '../../sidecar/store/state-folder.ts'
import type { DeviceKey } from '../../sidecar/tunnel/device-key.ts'
import { openEdgePins } from '../../sidecar/tunnel/pairing.ts'
import type { StartArguments } from './arguments.ts'
import { ensureBundle } from './bundle.ts'
import type { KeptChild } from './child.ts'
import { type Demo, startDemo } from './demo.ts'
import { renewDemoConfig, writeDemoConfig } from './demo-config.ts'
import { setDemoSecret } from './demo-secret.ts'
import { startEdge } from './edge.ts'
import { ensureEdgeRecord, type LocalEdge, publicKeyOf } from './edge-keys.ts'
import { askForHome, startHome } from './home.ts'
import { awaitLeftovers } from './leftovers.ts'
import { done, type Outcome, trouble } from './outcome.ts'
import { freePort } from './port.ts'

export interface Run {
  readonly options: StartArguments
  readonly paths: StatePaths
  readonly folder: StateFolder
  readonly device: DeviceKey
  readonly config: Config
  readonly say: (text: string) => void
  /** Aborts what is being started. */
  readonly signal: AbortSignal
  /** Appended in the order of the start. */
  readonly children: KeptChild[]
}

/** Restarts per place, from the present sources; null for a place that was not asked for. */
export interface Places {
  readonly edge: (() => Promise<Outcome<true>>) | null
  readonly home: (() => Promise<Outcome<true>>) | null
}

export async function bringUp(run: Run): Promise<Outcome<Places>> {
  const { options, paths, say, signal } = run
  await awaitLeftovers({ paths, only: options.only, say, signal })
  // Checked first, so that a port in use is reported before seconds of bundling.
  const port = options.only === 'home' ? done(null) : await freePort(options.port)
  if (!port.ok) return port
  const [bundle, demo] = await Promise.all([bringUpBundle(run), bringUpDemo(run)])
  if (!bundle.ok) return bundle
  if (!demo.ok) return demo
  const edge = port.value === null ? null : `http://127.0.0.1:${port.value}`
  const passphrase = once(() => askForHome(paths.root))
  // Before home takes its lock: while it runs, only home may open the vault.
  const models = port.value === null ? {} : await modelsForEdge(run, passphrase)
  const parts = { demo: demo.value, models, passphrase }
  const startsEdge =
    port.value === null ? null : placeOf(run, bringUpEdge(run, { ...parts, port: port.value }))
  const startsHome = options.only === 'edge' ? null : placeOf(run, bringUpHome(run, { ...parts, edge }))
  // Concurrently: home retries until the edge answers.
  const places = await Promise.all([startsEdge?.(bundle.value), startsHome?.('')])
  const failed = places.find((place) => place?.ok === false)
  if (failed !== undefined) return failed
  // Home has stored its language by now.
  await speakAsHome(paths.root)
  if (edge !== null) say(`edge   ${tell('terminal.start_edge', { url: edge })}`)
  if (options.only !== 'edge') say(`home   ${tell('terminal.start_home', { socket: paths.socket })}`)
  if (demo.value) {
    say(`demo   ${tell('terminal.start_demo', { page: demo.value.article })}`)
    say(`       ${tell('terminal.start_anew')}`)
    say(`       ${tell('terminal.start_own')}`)
  }
  const { timezone } = run.config.owner
  say(`zone   ${tell('terminal.start_zone', { timezone })}`)
  say(`state  ${paths.root}`)
  return done({
    edge: startsEdge === null ? null : () => bundledAgain(run, startsEdge),
    home: startsHome === null ? null : () => startsHome(''),
  })
}

type Starts = (bundle: string) => Promise<Outcome<true>>

/** Returns a function that stops the running child and starts the next. */
function placeOf({ children }: Run, start: (bundle: string) => Promise<Outcome<KeptChild>>): Starts {
  let child: KeptChild | null = null
  return async (bundle) => {
    if (child !== null) {
      await child.stop()
      children.splice(children.indexOf(child), 1)
      child = null
    }
    const started = await start(bundle)
    if (!started.ok) return started
    child = started.value
    children.push(child)
    return done(true)
  }
}

/** Bundles anew and restarts the edge; the running edge stays until the bundle is ready. */
async function bundledAgain(run: Run, starts: Starts): Promise<Outcome<true>> {
  const bundle = await bringUpBundle(run)
  return bundle.ok ? starts(bundle.value) : bundle
}

/** Empty if no edge is wanted. */
async function bringUpBundle({ options, paths, say, signal }: Run): Promise<Outcome<string>> {
  if (options.only === 'home') return done('')
  return ensureBundle({
    own: join(paths.edge, 'bundle'),
    onBuild: () => say('edge   bundling the Worker, once after each change'),
    signal,
  })
}

/** Null if the owner has configured an account or does not want the demo. */
async function bringUpDemo({ options, paths, say, config, children }: Run): Promise<Outcome<Demo | null>> {
  const { google, mail, calendarAccounts } = config
  const isGoogle = google.account !== null || google.baseUrl !== null
  const hasAccount = isGoogle || mail !== null || calendarAccounts.length > 0
  if (!options.demo || hasAccount) return done(null)
  const demo = await startDemo({ paths, timezone: config.owner.timezone, say })
  if (demo.ok) children.push(demo.value.child)
  return demo
}

interface EdgeParts {
  readonly port: number
  readonly demo: Demo | null
  readonly models: EdgeModelBindings
}

/**
 * Models that the owner marked for the edge. If they cannot be read, the edge answers by rules and a message says so.
 */
async function modelsForEdge(
  { paths, config, say }: Run,
  passphrase: Passphrase,
): Promise<EdgeModelBindings> {
  if (!config.models.providers.some(({ edge }) => edge)) return {}
  // Loaded on demand: a start without such a model opens no vault.
  const { edgeModelBindings } = await import('../../sidecar/secrets/edge-model-keys.ts')
  const env = { ...process.env, PFAR_HOME: paths.root, PFAR_CONFIG_PATH: paths.config }
  const made = await edgeModelBindings(config, { env, ask: async () => passphrase() })
  if (made.ok) return made.value
  say(`edge   without its models: ${refusalDetail(made.reason)}`)
  return {}
}

type Passphrase = () => Promise<string | null>

function once(ask: Passphrase): Passphrase {
  let asked: ReturnType<Passphrase> | null = null
  return () => {
    asked ??= ask()
    return asked
  }
}

/** The edge may read only the demo's site: mail and calendar belong to home. */
function bringUpEdge(run: Run, { port, demo, models }: EdgeParts) {
  return async (bundle: string): Promise<Outcome<KeptChild>> => {
    const { paths, device, config, say } = run
    const record = ensureEdgeRecord(paths.edgeFile, port)
    if (!record.ok) return record
    // Pins the local edge without a code: both sides of the pairing are under the owner's control on this machine.
    const pinned = pinLocalEdge(run, record.value)
    if (!pinned.ok) return pinned
    return startEdge({
      paths,
      record: record.value,
      bundle,
      device,
      timezone: config.owner.timezone,
      budget: config.budget,
      localOrigins: [...config.exemptOrigins, ...(demo === null ? [] : [demo.pages])],
      models: { ...models, MODEL_ORIGINS: JSON.stringify(ownOrigins(config)) },
      say,
    })
  }
}

/** Origins of local models, such as an emulator or a gateway. A deployed edge cannot reach them. */
function ownOrigins({ models }: Config): readonly string[] {
  return models.providers
    .filter(({ edge, baseUrl }) => edge && isOwnAddress(baseUrl))
    .map(({ baseUrl }) => new URL(baseUrl).origin)
}

function pinLocalEdge({ paths, folder }: Run, record: LocalEdge): Outcome<true> {
  const pins = openEdgePins(folder)
  const { url } = record
  const publicKey = publicKeyOf(record)
  const known = pins.pinOf(url)
  if (known?.publicKey === publicKey) return done(true)
  return pins.pin({ url, publicKey, version: 0 }).ok
    ? done(true)
    : trouble(`PFAR may not write in ${paths.root}. Give it another folder with PFAR_HOME.`)
}

interface HomeParts {
  readonly edge: string | null
  readonly demo: Demo | null
  readonly passphrase: Passphrase
}

function bringUpHome({ paths, say }: Run, { edge, demo, passphrase }: HomeParts) {
  return (): Promise<Outcome<KeptChild>> => {
    if (demo !== null) writeDemoConfig(paths.config, paths.demoConfig, demo)
    return startHome({
      ...{ paths, config: demo === null ? paths.config : paths.demoConfig, edge, say, passphrase },
      ...(demo === null
        ? {}
        : {
            // A chat that was connected meanwhile is in the owner's file, which the demo's file has to follow.
            beforeRestart: () => renewDemoConfig(paths.config, paths.demoConfig, demo),
            prepare: (ask: AskPassphrase) => setDemoSecret({ paths, google: demo.google, ask }),
          }),
    })
  }
}

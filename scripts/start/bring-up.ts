/**
 * Starts what was asked for: bundle and demo concurrently, then edge and home concurrently. Must not stop anything: the
 * caller stops what is in `children`. Called by scripts/start.ts.
 */
import { join } from 'node:path'
import { isOwnAddress } from '../../integrations/models/locality.ts'
import type { StatePaths } from '../../sidecar/cli/state-paths.ts'
import type { Config } from '../../sidecar/config/config.ts'
import type { AskPassphrase } from '../../sidecar/keys/custody.ts'
import { refusalDetail } from '../../sidecar/process/start-sentence.ts'
import type { EdgeModelBindings } from '../../sidecar/secrets/edge-model-keys.ts'
import type { StateFolder } from '../../sidecar/store/state-folder.ts'
import type { DeviceKey } from '../../sidecar/tunnel/device-key.ts'
import { openEdgePins } from '../../sidecar/tunnel/edge-pins.ts'
import type { StartArguments } from './arguments.ts'
import { ensureBundle } from './bundle.ts'
import type { KeptChild } from './child.ts'
import { type Demo, startDemo } from './demo.ts'
import { writeDemoConfig } from './demo-config.ts'
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

export async function bringUp(run: Run): Promise<Outcome<true>> {
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
  // Concurrently: home retries until the edge answers.
  const places = await Promise.all([
    port.value === null
      ? done(true)
      : bringUpEdge(run, { port: port.value, bundle: bundle.value, demo: demo.value, models }),
    options.only === 'edge' ? done(true) : bringUpHome(run, { edge, demo: demo.value, passphrase }),
  ])
  const failed = places.find((place) => !place.ok)
  if (failed !== undefined) return failed
  if (edge !== null) say(`edge   ${edge} (the open line)`)
  if (options.only !== 'edge') say(`home   ${paths.socket} (the private line)`)
  if (demo.value)
    say(`demo   no account is set up: demo mail and calendar. A page to read: ${demo.value.article}`)
  say(`state  ${paths.root}`)
  return done(true)
}

/** Empty if no edge is wanted. */
async function bringUpBundle({ options, paths, say, signal }: Run): Promise<Outcome<string>> {
  if (options.only === 'home') return done('')
  return ensureBundle({
    cache: join(paths.edge, 'bundle'),
    onBuild: () => say('edge   bundling the Worker, once after each change'),
    signal,
  })
}

/** Null if the owner has configured an account or does not want the demo. */
async function bringUpDemo({ options, paths, say, config, children }: Run): Promise<Outcome<Demo | null>> {
  const hasAccount = config.google.account !== null || config.google.baseUrl !== null
  if (!options.demo || hasAccount) return done(null)
  const demo = await startDemo({ paths, timezone: config.owner.timezone, say })
  if (demo.ok) children.push(demo.value.child)
  return demo
}

interface EdgeParts {
  readonly port: number
  readonly bundle: string
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
async function bringUpEdge(run: Run, { port, bundle, demo, models }: EdgeParts): Promise<Outcome<true>> {
  const { paths, device, config, say, children } = run
  const record = ensureEdgeRecord(paths.edgeFile, port)
  if (!record.ok) return record
  // Pins the local edge without a code: both sides of the pairing are under the owner's control on this machine.
  const pinned = pinLocalEdge(run, record.value)
  if (!pinned.ok) return pinned
  const started = await startEdge({
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
  if (!started.ok) return started
  children.push(started.value)
  return done(true)
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

async function bringUpHome(run: Run, { edge, demo, passphrase }: HomeParts): Promise<Outcome<true>> {
  const { paths, say, children } = run
  if (demo !== null) writeDemoConfig(paths.config, paths.demoConfig, demo)
  const home = await startHome({
    ...{ paths, config: demo === null ? paths.config : paths.demoConfig, edge, say, passphrase },
    ...(demo === null
      ? {}
      : { prepare: (ask: AskPassphrase) => setDemoSecret({ paths, google: demo.google, ask }) }),
  })
  if (!home.ok) return home
  children.push(home.value)
  return done(true)
}

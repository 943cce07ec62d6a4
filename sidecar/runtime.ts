/**
 * Home, wired: folder, lock, keys, database, powers, shell, socket, scheduler and tunnel, in the order in which each
 * needs the one before (DESIGN §5). Must not decide anything. Called by main.ts.
 */
import type { Transport } from '../integrations/http/transport.ts'
import { allowed, type ReasonCode, type Refusal, type Result, refused } from '../kernel/flow/verdict.ts'
import { type Notice, tellOwner } from '../kernel/pipeline/deliver.ts'
import { audit } from '../kernel/powers/audit.ts'
import type { Powers } from '../kernel/powers/ports.ts'
import { createDirectiveDesk } from '../kernel/runtime/directive-desk.ts'
import { seedDirectives } from '../kernel/runtime/directive-keeping.ts'
import { takeOpenMemory } from '../kernel/runtime/open-memory.ts'
import { serveHomeCall } from '../kernel/runtime/serve.ts'
import { createShell, type Shell } from '../kernel/runtime/shell.ts'
import { toldOf } from '../kernel/self/told.ts'
import { OWNER_PRINCIPAL } from '../kernel/task/principal.ts'
import { type ToldLink, toldLinks } from '../kernel/tunnel/told-links.ts'
import { wordsFor } from '../kernel/wording/words.ts'
import { type BackupJob, startBackupJob } from './backup/job.ts'
import { createRestoreMethods } from './backup/restore-methods.ts'
import { runBackupChild } from './backup/run-child.ts'
import { shelfOf } from './backup/stores.ts'
import { type Config, loadConfig } from './config.ts'
import { startCopies } from './copies/start-copies.ts'
import { createDeliveryFeed } from './delivery-feed.ts'
import { type DeviceKey, loadDeviceKey } from './device-key.ts'
import { readBrainTemplates } from './directives/brain-templates.ts'
import { createDirectiveMethods } from './directives/directive-methods.ts'
import { type EdgeLockAnswer, lockEdge } from './edge-lock.ts'
import { openEdgePins } from './edge-pins.ts'
import { type HomeDatabase, openHomeDatabase } from './home-database.ts'
import { createHomeMethods, TERMINAL_SINK } from './home-methods.ts'
import { homeStatus } from './home-status.ts'
import { vaultName } from './home-tools.ts'
import { acquireInstanceLock } from './instance-lock.ts'
import type { AskPassphrase } from './keys/custody.ts'
import { type HomeKeys, openHomeKeys, randomOfNode } from './keys/home-keys.ts'
import { buildHomePowers } from './powers.ts'
import { startScheduler } from './scheduler.ts'
import { sealOutbox } from './sealed-outbox.ts'
import type { OfferDesk } from './secrets/offer-desk.ts'
import { createSealingKey, type SealingKey } from './secrets/sealing-key.ts'
import { openSecretFile, type SecretFile } from './secrets/secret-file.ts'
import { createSecretMethods } from './secrets/secret-methods.ts'
import { createSecretVault, deskOf, offersOf, startRotation } from './secrets/secret-vault.ts'
import { createSelfNews } from './self.ts'
import { listen } from './socket.ts'
import { openStateFolder, type StateFolder, stateFolderPath } from './state-folder.ts'
import type { TunnelClient } from './tunnel-client.ts'

export interface HomeRuntime {
  readonly socket: string
  readonly edge: string | null
  /** Stops intake, lets what runs come to a durable point, closes. What is left over goes on at the next start. */
  stop(): Promise<void>
}

export interface RuntimeInput {
  readonly env: Readonly<Record<string, string | undefined>>
  /** For a master key that lies under a passphrase. */
  readonly ask: AskPassphrase
  /** The owner asked home to stop, over the socket. */
  readonly onShutdown: () => void
  /** Something that must not happen did; names the part, never data. */
  readonly onFault: (part: string) => void
}

/** Milliseconds that running tasks have to come to rest when home stops. */
const STOP_GRACE = 3_000

/** Refusals: storage_failed, config_malformed, record_malformed, key and template codes; each names what is wrong. */
export async function startHome(input: RuntimeInput): Promise<Result<HomeRuntime>> {
  const folder = openStateFolder(stateFolderPath(input.env))
  if (!folder.ok) return folder
  const config = loadConfig(input.env, folder.value.path)
  if (!config.ok) return config
  const lock = acquireInstanceLock(folder.value)
  if (!lock.ok) return lock
  const started = await startLocked({ ...input, folder: folder.value, config: config.value })
  if (!started.ok) lock.value.release()
  if (!started.ok) return started
  const { stop, ...rest } = started.value
  return allowed({ ...rest, stop: () => stop().finally(() => lock.value.release()) })
}

interface Locked extends RuntimeInput {
  readonly folder: StateFolder
  readonly config: Config
}

async function startLocked(input: Locked): Promise<Result<HomeRuntime>> {
  const key = loadDeviceKey(input.folder)
  if (!key.ok) return key
  const malformed = ({ table }: { readonly table: string }): void => input.onFault(`row of ${table}`)
  const database = openHomeDatabase(input.folder.file('home.sqlite'), malformed)
  if (!database.ok) return database
  const started = await startUnlocked({ ...input, key: key.value, database: database.value })
  if (!started.ok) database.value.close()
  return started
}

async function startUnlocked(input: Omit<Opened, 'keys' | 'secrets'>): Promise<Result<HomeRuntime>> {
  const secrets = openSecretFile(input.folder)
  if (!secrets.ok) return secrets
  const started = await startWithSecrets({ ...input, secrets: secrets.value })
  if (!started.ok) secrets.value.close()
  return started
}

async function startWithSecrets(input: Omit<Opened, 'keys'>): Promise<Result<HomeRuntime>> {
  const holdsRecords = input.database.holdsRecords() || input.secrets.rows().length > 0
  const keys = await openHomeKeys({ ...input, holdsRecords })
  if (!keys.ok) return keys
  const started = await startOpened({ ...input, keys: keys.value })
  if (!started.ok) keys.value.close()
  return started
}

interface Opened extends Locked {
  readonly key: DeviceKey
  readonly keys: HomeKeys
  readonly secrets: SecretFile
  readonly database: HomeDatabase
}

async function startOpened(input: Opened): Promise<Result<HomeRuntime>> {
  const { config, database, folder, keys } = input
  let wake = (): void => undefined
  let tell = (_notice: Telling): void => undefined
  let connections = (): Transport => NO_NETWORK
  let renewed = (): void => undefined
  let tunnel: Connected | null = null
  const vault = createSecretVault({
    ...{ config, file: input.secrets, ring: keys.ring, store: database.store, now: Date.now },
    transport: () => connections(),
    changed: () => renewed(),
    rejected: (name, version) =>
      tell({ id: `credential-rejected:${name}:${version}`, code: 'credential_rejected' }),
  })
  const { redactor, credentials, audited: store } = vault
  const onFault = (part: string): void => input.onFault(redactor.text('log', part))
  const parts = {
    config,
    folder: folder.path,
    ring: keys.ring,
    device: input.key.id,
    wake: () => wake(),
    // After the transaction that it is told in: the edge must not hear of what was undone.
    linksChanged: () => queueMicrotask(() => tunnel?.tellLinks()),
    fault: onFault,
  }
  const { directives } = database
  const degraded = (tool: string, at: number): void =>
    tell({ id: `tool-degraded:${tool}:${at}`, code: 'tool_degraded', about: tool })
  const built = buildHomePowers({ ...parts, store, directives, credentials, redactor, degraded })
  if (!built.ok) return built
  const { powers, tools, reload, modelStatus } = built.value
  await seedDirectives(powers, readBrainTemplates)
  connections = () => tools.transport
  const notify: Notify = (notice) => tellOwner(powers, notice)
  tell = (notice) => void notify(notice).catch(() => onFault('notice'))
  const shell = createShell(powers)
  const feed = createDeliveryFeed(shell.deliveries, TERMINAL_SINK)
  wake = () => feed.wake()

  const engine = startEngine(shell, powers, onFault)
  renewed = createSelfNews(powers.self, () => tunnel?.tellSelf())
  const desk = deskOf(vault, { config, custody: keys.custody, tools })
  const sealing = await createSealingKey(keys.ring)
  const offers = offersOf(vault, { file: input.secrets.offers, sealing, desk, tell })
  const rotation = startRotation(vault, {
    ...{ config, tools, tell: notify, expire: offers.expire },
    fault: () => onFault('rotation'),
  })
  const beat = (at: number): boolean => tunnel?.beat(at) ?? config.edge === null
  const backups = startBackups(input, powers, { tell: notify, beat })
  const copies = startCopies({
    ...{ folder, edge: config.edge, keys, now: powers.now, fault: () => onFault('copies') },
    note: (facts) => audit(powers, 'denial', null, facts),
  })
  const own = createHomeMethods({
    shell,
    feed,
    now: powers.now,
    drive: engine.drive,
    status: async () => ({
      ...homeStatus({
        ...{ powers, custody: keys.custody, edge: config.edge, tunnel: tunnel?.status() ?? null },
        ...{ secrets: vault.secrets.list(), nameOf: (credential) => vaultName(config, credential) },
      }),
      ...(await backups.status()),
      ...copies.status(),
      ...modelStatus(),
    }),
    stop: input.onShutdown,
    copyNow: copies.copyNow,
    reload,
    lock: async (locked) => (tunnel === null ? refused('remote_unavailable') : tunnel.lock(locked)),
  })
  const brain = createDirectiveMethods(createDirectiveDesk(powers))
  const restores = createRestoreMethods({ folder, edge: config.edge, device: input.key, sealing })
  const methods = new Map([...own, ...brain, ...createSecretMethods(desk, offers), ...restores])
  const redact = (line: string): string => redactor.text('terminal', line)
  const words = ({ code }: { readonly code: Parameters<typeof wordsFor>[0] }): string => wordsFor(code)
  const path = folder.file('home.sock')
  const server = await listen({
    path,
    methods,
    words,
    redact,
    fault: (method) => onFault(`method ${method}`),
  })
  if (!server.ok) {
    await Promise.all([backups.stop(), copies.stop(), rotation.stop()])
    return server
  }
  engine.start()
  if (config.edge !== null)
    tunnel = await connectEdge(
      { ...input, offers, sealing, tell, identities: shell.identities },
      powers,
      config.edge,
    )
  return allowed({
    socket: path,
    edge: config.edge,
    async stop() {
      await server.value.close()
      await Promise.all([tunnel?.stop(), engine.stop(), backups.stop(), copies.stop(), rotation.stop()])
      await built.value.close()
      keys.close()
      input.secrets.close()
      database.close()
    },
  })
}

/** Until the tools are there; nothing is called before. */
const NO_NETWORK: Transport = Object.freeze({ send: async () => refused('network_failed') })

interface Engine {
  /** Drives a principal's tasks, the owner's if none is named, without being waited for. */
  drive(principal?: string): void
  /** Picks up what a crash left behind, and begins to watch the clock. */
  start(): void
  stop(): Promise<void>
}

function startEngine(shell: Shell, powers: Powers, onFault: (part: string) => void): Engine {
  const running = new Set<Promise<void>>()
  let scheduler: ReturnType<typeof startScheduler> | null = null
  const track = (part: string, work: Promise<void>): void => {
    const settled = work
      .catch(() => onFault(part))
      .finally(() => {
        running.delete(settled)
        scheduler?.wake()
      })
    running.add(settled)
  }
  return {
    drive: (principal = OWNER_PRINCIPAL) => track('run', shell.run(principal)),
    start() {
      track('recover', shell.recover())
      scheduler = startScheduler({ tick: () => shell.tick(), now: powers.now, fault: () => onFault('tick') })
    },
    async stop() {
      await scheduler?.stop()
      await Promise.race([
        Promise.all(running),
        new Promise((resolve) => setTimeout(resolve, STOP_GRACE).unref()),
      ])
    },
  }
}

type Telling = Pick<Notice, 'id' | 'code' | 'about'>

/** Tells the owner on the private line. */
type Notify = (notice: Telling) => Promise<unknown>

/** The daily backup; it tells the owner on the private line. */
function startBackups(
  { folder, config, onFault }: Opened,
  powers: Powers,
  telling: { readonly tell: Notify; readonly beat: (at: number) => boolean },
): BackupJob {
  const { timezone } = config.owner
  const shelf = shelfOf(folder.path, config)
  const { now } = powers
  return startBackupJob({
    ...{ folder, shelf, timezone, now, fault: () => onFault('backup') },
    run: (signal) =>
      runBackupChild({ state: folder.path, shelf, timezone, now: now(), edge: config.edge }, signal),
    ...telling,
  })
}

type Connected = TunnelClient & {
  readonly lock: (locked: boolean) => Promise<Result<EdgeLockAnswer>>
  /** A backup was made at this time. */
  readonly beat: (at: number) => boolean
  /** What the assistant is has changed. */
  readonly tellSelf: () => void
  /** Identity links have changed. */
  readonly tellLinks: () => void
}

/** Loaded only when there is an edge: a home that works alone needs no WebSocket. */
async function connectEdge(
  input: Opened & {
    readonly offers: OfferDesk
    readonly sealing: SealingKey
    readonly identities: Shell['identities']
    readonly tell: (notice: { readonly id: string; readonly code: ReasonCode }) => void
  },
  powers: Powers,
  edge: string,
): Promise<Connected> {
  const [{ openTunnel }, { createTunnelInbox }] = await Promise.all([
    import('./tunnel-client.ts'),
    import('./tunnel-inbox.ts'),
  ])
  const channel = sealOutbox(input.database.channel, {
    key: input.keys.ring.ownKey('tunnel-outbox'),
    random: randomOfNode,
  })
  const refusedEdge = ({ code, facts }: Refusal): void =>
    audit(powers, 'denial', null, { ...facts, of: 'tunnel', code })
  const links = (): readonly ToldLink[] => toldLinks(powers.store.identityLinks().map(({ link }) => link))
  const inbox = createTunnelInbox({
    channel,
    store: powers.store,
    serve: (call) => serveHomeCall(powers, call),
    remember: (memory) => takeOpenMemory(powers, memory),
    takeSecret: input.offers.take,
    hearCode: (said) => input.identities.heardAtEdge(said),
    links,
    sealKey: input.sealing.publicKey,
    isWrite: (tool) => powers.registry.actions.get(tool)?.semantics !== 'read',
    timezone: input.config.owner.timezone,
    self: () => toldOf(powers.self.current()),
    now: powers.now,
    fault: () => input.onFault('tunnel'),
    lost: refusedEdge,
  })
  const client = openTunnel({
    edge,
    key: input.key,
    pins: openEdgePins(input.folder),
    inbox,
    refusedEdge,
    needsOwner: (code) => input.tell({ id: `link:${code}`, code }),
    now: powers.now,
    random: Math.random,
  })
  return {
    ...client,
    lock: (locked) => lockEdge({ inbox, channel }, locked),
    beat: (at) => inbox.tell({ type: 'backup', at }) > 0,
    tellLinks: () => void inbox.tell({ type: 'links', links: links() }),
    tellSelf: () => void inbox.tell({ type: 'self', self: toldOf(powers.self.current()) }),
  }
}

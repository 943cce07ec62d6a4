/**
 * Assembles the parts of home after phase A: vault, powers, shell, engine and the owner's services. Nothing runs and nothing
 * listens when this returns. Must not make decisions. Called by runtime.ts.
 */

import { CHANNEL_ADAPTERS, CHATS } from '../../integrations/channels/index.ts'
import type { FileReaders } from '../../integrations/channels/runtime/files.ts'
import type { HomeChannel, LinePorts } from '../../integrations/channels/runtime/home-package.ts'
import type { Transport } from '../../integrations/http/transport.ts'
import { HOST_KEYS } from '../../integrations/tools/http/setting.ts'
import { toldOf } from '../../kernel/features/audit/told.ts'
import { CHANNEL_FLOW } from '../../kernel/features/channels/channels.ts'
import { holdContacts } from '../../kernel/features/contacts/opened.ts'
import { connectedTitle } from '../../kernel/features/credentials/ask-credential.ts'
import {
  type DeliverPorts,
  deliverNotice,
  type Notice,
  tellOwner,
} from '../../kernel/features/deliveries/deliver.ts'
import { USUAL_HOURS, type WorkingHoursPort } from '../../kernel/features/hours/hours.ts'
import { standingTransport } from '../../kernel/features/places/both-lines.ts'
import { createTemplateSwitch } from '../../kernel/features/templates/template-switch.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { createOperations } from '../../kernel/operations/call.ts'
import type { CallOperation } from '../../kernel/operations/caller.ts'
import { decisionsPort, kernelPorts } from '../../kernel/operations/kernel-ports.ts'
import type { Actions, OwnerChats } from '../../kernel/powers/ports.ts'
import { createShell } from '../../kernel/runtime/shell.ts'
import type { Shell } from '../../kernel/runtime/shell-port.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import { isSentAlong, needFor, needsOf } from '../../kernel/tool/channel.ts'
import { DEFAULT_LANGUAGE } from '../../kernel/wording/languages.ts'
import { tell as sentence } from '../../kernel/wording/words.ts'
import { type ChannelService, createChannelService, withChannels } from '../channels/channel-service.ts'
import { openChannels } from '../channels/open-channels.ts'
import { type Config, loadOwnConfig, ownConfigPath } from '../config/config.ts'
import { createWebserviceKeeper } from '../config/webservices.ts'
import { createSandboxLook, type SandboxState } from '../confined/sandbox.ts'
import { createDocumentReader } from '../documents/document-reader.ts'
import { createEngine, type Engine } from '../jobs/scheduler.ts'
import { speakAt } from '../language/spoken-language.ts'
import { createDeliveryFeed, type DeliveryFeed } from '../line/delivery-feed.ts'
import { TERMINAL_SINK } from '../line/home-methods.ts'
import { createBothLinesPort, edgeHasBot, sharedRead } from '../line/home-operations.ts'
import { createPersonaPort } from '../persona/persona-port.ts'
import { createSelfNews } from '../persona/self.ts'
import { withLog } from '../process/decision-log.ts'
import { asTyped } from '../process/typed-commands.ts'
import { softwareVersion } from '../process/version.ts'
import { accountWorks } from '../secrets/accounts.ts'
import { secretsOf } from '../secrets/bound-credentials.ts'
import type { CredentialService } from '../secrets/credential-service.ts'
import type { OfferService } from '../secrets/offer-service.ts'
import { createRemovals, type Removals } from '../secrets/removals.ts'
import { createSealingKey, type SealingKey } from '../secrets/sealing-key.ts'
import type { SecretService } from '../secrets/secret-service.ts'
import {
  createSecretVault,
  credentialServiceOf,
  offersOf,
  type SecretVault,
  secretServiceOf,
  serviceCheckOf,
} from '../secrets/secret-vault.ts'
import { demoNote, demoTitle, ownAccountTitles } from '../secrets/vault-names.ts'
import type { Speech, SpeechInput } from '../speech/speech-reader.ts'
import { watchConfig } from '../status/config-changed.ts'
import { type PlaceFacts, placeLines } from '../status/place-lines.ts'
import type { HomeNotes } from '../store/home-notes.ts'
import type { EdgeConnection } from '../tunnel/edge-connection.ts'
import { createHandover, type Handover } from '../tunnel/handover.ts'
import type { Foundation } from './foundation.ts'
import { createHomePause, type HomePause } from './pause.ts'
import { buildHomePowers, type HomePowers } from './powers.ts'

type Telling = Pick<Notice, 'id' | 'code' | 'about' | 'words' | 'text'>

export interface Wired extends Foundation, Omit<HomePowers, 'close'> {
  readonly vault: SecretVault
  /** Readers for files that are not text. */
  readonly readers: FileReaders
  /** Whether this process can sandbox the parsers of files. */
  readonly sandbox: () => Promise<SandboxState>
  readonly shell: Shell
  readonly operations: CallOperation
  readonly feed: DeliveryFeed
  readonly engine: Engine
  readonly handover: Handover
  readonly pause: HomePause
  /** The owner's chats with home. They may connect and disconnect while home runs. */
  readonly chats: readonly HomeChannel[]
  readonly channels: ChannelService
  readonly secretService: SecretService
  /** Tests and stores the credentials that the owner gives for a service. */
  readonly connect: CredentialService
  readonly offers: OfferService
  readonly sealing: SealingKey
  /** The connection to the edge, and the function that sends a copy there. Each is null until it exists. */
  readonly link: {
    edge: EdgeConnection | null
    copies: (() => Promise<Result<{ readonly number: number }>>) | null
  }
  /** Notifies the owner on the private line. */
  readonly notify: (notice: Telling) => Promise<unknown>
  /** The same, in the background. */
  readonly tell: (notice: Telling) => void
  /** Call when the assistant's description has changed. */
  readonly renewed: ReturnType<typeof createSelfNews>
  readonly onFault: (part: string) => void
  /** Facts about home for a status. */
  readonly placeFacts: () => PlaceFacts
  /** Whether an account works, as far as is known; null for one that was never set up. */
  readonly works: (credential: string, account: string | null) => boolean | null
  readonly closeTools: () => Promise<void>
}

/** Refusals: those of the templates. */
export async function wireHome(
  input: Foundation,
  fault: (part: string) => void,
  onLine: (line: string) => void = () => undefined,
): Promise<Result<Wired>> {
  const { config, database, folder, keys } = input
  let feed: DeliveryFeed | null = null
  let tell: Wired['tell'] = () => undefined
  let connections = (): Transport => NO_NETWORK
  let inUse = (): Pick<Config, 'folders' | 'services' | 'certificates'> => config
  let renewed: Wired['renewed'] = () => undefined
  let connected = (): void => undefined
  let paused = (): void => undefined
  let credentials: CredentialService | null = null
  let removals: Removals | null = null
  let placeFacts: (() => PlaceFacts) | null = null
  const changedConfig = watchConfig({
    ...{ read: input.configNow, path: ownConfigPath(input.env, folder.path), now: Date.now },
    inUse: () => inUse(),
  })
  let checks: ReturnType<typeof serviceCheckOf> | null = null
  let channels: ChannelService | null = null
  let line: () => LinePorts = NOT_WIRED
  const link: Wired['link'] = { edge: null, copies: null }
  let operations: CallOperation = async () => err('tool_unavailable')
  const vault = createSecretVault({
    ...{ config, file: input.secrets, ring: keys.ring, now: Date.now },
    store: withLog(database.store, config.logLevel, onLine),
    transport: () => connections(),
    changed: () => {
      renewed()
      connected()
    },
    rejected: (name, version) =>
      tell({
        ...{ id: `credential-rejected:${name}:${version}`, code: 'credential_rejected' },
        // A host that the owner named is mentioned on the private lines only, so the notice gets no words with its name.
        ...(!name.startsWith(HOST_KEYS) && { words: sentence('wording.password_refused', { name }) }),
      }),
  })
  const { redactor, audited: store, secrets } = vault
  const onFault = (part: string): void => fault(redactor.text('log', part))
  const { directives, notes } = database
  const pause = createHomePause(notes, () => paused())
  const handover = createHandover(() => standingTransport({ store, now: Date.now }) !== null)
  const sandbox = createSandboxLook()
  const documents = createDocumentReader({
    ...{ withoutSandbox: config.documentsWithoutSandbox, sandbox, timezone: config.owner.timezone },
  })
  const transport: Transport = { send: (request) => connections().send(request) }
  const readers = {
    pdf: documents.read,
    document: documents.read,
    ...(await hearing(config, { transport, keys: vault.modelKeys })),
  }
  const chats = await openChannels({
    ...{ config, env: input.env, vault, transport, readers, line: () => line() },
    configPath: ownConfigPath(input.env, folder.path),
    database: database.channels,
    key: keys.ring.ownKey('capability'),
    feed: {
      wake: () => feed?.wake(),
      drafts: {
        watched: (sink) => sink === TERMINAL_SINK && feed?.watched() === true,
        show: (draft) => feed?.draft(draft),
      },
    },
  })
  const works = (credential: string, account: string | null): boolean | null =>
    accountWorks({ config, secrets }, credential, account)
  const built = buildHomePowers({
    ...{ config, notes, store, directives, redactor, credentials: vault.credentials },
    healthRows: database.health,
    feedItems: database.feedItems,
    given: {
      refusal: () => credentials?.refusal() ?? null,
      give: async (service, value) => credentials?.give(service, value) ?? err('tool_unavailable'),
      replace: async (service, value) => credentials?.replace(service, value) ?? err('tool_unavailable'),
      check: async (service) => (await checks?.(service)) ?? { works: null, says: '' },
      hasStored: (service) => secretsOf(config, service).some((name) => secrets.find(name) !== null),
      remove: (service, sink) => removals?.remove(service, sink),
      // For the key of a host that the owner named: whether it is stored. For other services the manifests say what they need.
      isConnected: (service) => {
        if (service.startsWith(HOST_KEYS)) return secrets.find(service) !== null
        // The tools of this service also run with other accounts, so a working tool does not show that this one is connected.
        return works(service, null) === null ? false : undefined
      },
      accounts: () => ownAccountTitles(config, works),
      titleOf: (service) => demoTitle(config, service),
      demoNote: (actions) => demoNote(config, actions),
    },
    ...{ folder: folder.path, ring: keys.ring, device: input.key.id, document: documents.read },
    works,
    chats,
    channels: {
      adapters: CHANNEL_ADAPTERS,
      flow: CHANNEL_FLOW,
      get home() {
        return channels ?? undefined
      },
    },
    webservices: (named) =>
      createWebserviceKeeper({
        ...named,
        ...{ notes, sealer: keys.ring.sealer, key: keys.ring.ownKey('capability') },
        path: ownConfigPath(input.env, folder.path),
        fault: () => onFault('web services'),
        configNow: () => loadOwnConfig(input.env, folder.path),
        changed: () => renewed(),
      }),
    handover,
    typed: (text) => asTyped(text, input.env),
    operations: (call) => operations(call),
    placeLines: () => (placeFacts === null ? [] : placeLines(placeFacts())),
    // After the transaction that made the change, so that a rollback is never announced to the edge.
    linksChanged: () => queueMicrotask(() => link.edge?.tellLinks()),
    grantsChanged: () => queueMicrotask(() => link.edge?.tellGrants()),
    profileChanged: () => {
      renewed('language')
      queueMicrotask(() => link.edge?.tellProfile())
    },
    peopleChanged: () => queueMicrotask(() => link.edge?.tellPeople()),
    pause,
    fault: onFault,
    degraded: (tool, at) => tell({ id: `tool-degraded:${tool}:${at}`, code: 'tool_degraded', about: tool }),
    modelNews: (model, code, at) => tell({ id: `${code}:${model}:${at}`, code, about: model }),
    modelKeys: vault.modelKeys,
  })
  if (!built.ok) return built
  const { close: closeTools, ...made } = built.value
  const { powers, tools } = made
  connections = () => tools.transport
  inUse = () => ({ ...tools.services.now(), folders: tools.folders.now() })
  await holdContacts(powers)
  await speakAt(folder.path, powers.profile().language ?? DEFAULT_LANGUAGE)
  const notify: Wired['notify'] = (notice) => tellOwner(powers, notice)
  tell = (notice) => void notify(notice).catch(() => onFault('notice'))
  const shell = createShell(powers)
  feed = createDeliveryFeed(shell.deliveries, TERMINAL_SINK)
  renewed = createSelfNews(powers.self, () => link.edge?.tellSelf())
  // After the audit row of the change.
  connected = () => queueMicrotask(() => void shell.connected().catch(() => onFault('credentials')))
  const { custody } = keys
  const secretService = secretServiceOf(vault, { config, custody, tools })
  const engine = createEngine(shell, powers, onFault)
  paused = () => {
    engine.wake()
    link.edge?.tellPause()
  }
  line = () => ({
    ...{ powers, shell, tell, fault: onFault, drive: () => engine.drive() },
    notify: (notice) => deliverNotice(powers, { ...notice, principal: OWNER_PRINCIPAL }),
  })
  operations = createOperations({
    powers,
    ports: {
      decisions: decisionsPort(
        () => shell,
        (principal) => engine.drive(principal),
      ),
      bothLines: createBothLinesPort({
        ...{ shell: () => shell, powers },
        hasBot: () => edgeHasBot(config.edge, input.key),
      }),
      freeBusy: sharedRead(powers.registry),
      health: made.health,
      hours: hoursPort(notes),
      persona: createPersonaPort({ config, notes, changed: () => renewed('persona') }),
      sender: made.sender,
      models: { views: made.modelViews, trouble: config.models.trouble },
      edgeLock: async (locked) => link.edge?.lock(locked) ?? err('remote_unavailable'),
      copies: async () => link.copies?.() ?? err('tool_unavailable'),
      prompts: made.reload,
      trail: { ...kernelPorts(powers).trail, told: (asking, lines) => toldOf(powers, asking, lines) },
      templateSwitch: createTemplateSwitch(powers, sharedRead(powers.registry).action),
      ownTemplates: () => ({ changed: made.templates.reload(), notices: made.templates.notices() }),
      drive: () => engine.drive(),
    },
  })
  channels = createChannelService({
    channels: chats.flatMap(({ activation }) => activation ?? []),
    ...{ notes, secretService, secrets, custody, learn: redactor.learn, fault: onFault },
    changed: () => renewed('channel'),
    given: () => connected(),
    tell: (words, sink) => void tellIn(powers, sink, words).catch(() => onFault('notice')),
  })
  credentials = withChannels(
    credentialServiceOf(vault, {
      ...{ config, custody, tools, secretService },
      transport: connections,
    }),
    channels,
  )
  const titleOf = (service: string): string => {
    const need = needFor(powers, service)
    const title = need === null ? service : connectedTitle(powers, need)
    return `${title.charAt(0).toUpperCase()}${title.slice(1)}`
  }
  placeFacts = () => ({
    ...{ version: softwareVersion(), edge: config.edge, tunnel: link.edge?.status() ?? null },
    ...{ chats: CHATS, chatStates: Object.assign({}, ...chats.map((chat) => chat.status())) },
    ...{ secrets: secrets.list(), titleOf: (secret) => titleOfSecret(powers, config, secret) },
    resting: tools.resting().map(({ tool, until }) => ({ title: tool.connect?.title ?? tool.name, until })),
    ...{ config: changedConfig(), timezone: powers.profile().timezone, now: powers.now() },
  })
  checks = serviceCheckOf(vault, { config, tools, titleOf })
  removals = createRemovals({
    ...{ notes, secretService, fault: onFault, titleOf },
    storedFor: (service) => secretsOf(config, service).filter((name) => secrets.find(name) !== null),
    notify: (words, sink) => void tellIn(powers, sink, words).catch(() => onFault('notice')),
  })
  removals.resume()
  const sealing = await createSealingKey(keys.ring)
  return ok({
    ...input,
    ...made,
    ...{ vault, readers, sandbox, shell, operations, feed, sealing, link },
    ...{ secretService, connect: credentials },
    ...{ works, notify, tell, renewed, onFault, chats, channels, handover, pause, engine, placeFacts },
    offers: offersOf(vault, {
      ...{ file: input.secrets.offers, sealing, tell, look: credentials.look },
      secretService: { ...secretService, ...channels.accepting },
    }),
    closeTools: async () => {
      documents.close()
      await closeTools()
    },
  })
}

/** Null for a secret that connects no service, and for the keys of hosts, which are not shown here. */
function titleOfSecret({ registry }: Actions, config: Foundation['config'], secret: string): string | null {
  const needs = needsOf(registry).filter(({ service }) => !isSentAlong(registry, service))
  return needs.find(({ service }) => secretsOf(config, service).includes(secret))?.title ?? null
}

function hoursPort(notes: HomeNotes): WorkingHoursPort {
  return {
    read: () => notes.read('workingHours') ?? USUAL_HOURS,
    set: ({ from, to }) => notes.write('workingHours', { from, to }),
  }
}

async function hearing(
  { speech }: Foundation['config'],
  ways: Omit<SpeechInput, 'config'>,
): Promise<{ readonly sound?: Speech }> {
  if (speech === null) return {}
  const { createSpeech } = await import('../speech/speech-reader.ts')
  return { sound: createSpeech({ config: speech, ...ways }) }
}

/** Sends to that chat, or to another if it no longer accepts messages. */
async function tellIn(powers: DeliverPorts & OwnerChats, sink: string, words: string): Promise<void> {
  const notice = { id: `channel:${powers.newId()}`, code: 'credential_missing', words } as const
  const there = { ...notice, sink, principal: OWNER_PRINCIPAL, patience: 'once' } as const
  const told = await deliverNotice(powers, there)
  if (!told.ok) await tellOwner(powers, notice)
}

function NOT_WIRED(): never {
  throw new Error('home is not wired')
}

/** Placeholder until the tools exist; it is never called before that. */
const NO_NETWORK: Transport = Object.freeze({ send: async () => err('network_failed') })

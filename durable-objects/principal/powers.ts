/**
 * The `Powers` of the edge, made from the parts of a deployment (DESIGN §5). Models, sinks, templates and senders come in as
 * `EdgeParts`, so that tests can add their own without test code in production. Must not make decisions. Called by
 * PrincipalObject.
 */
import { CHANNEL_ADAPTERS, CHATS, EDGE_CHAT } from '../../integrations/channels/index.ts'
import { createMessageExtractor } from '../../integrations/extractors/message/message.ts'
import { createRulesModel } from '../../integrations/models/rules/model.ts'
import { createToolBreaker } from '../../integrations/tools/breaker.ts'
import { NO_CREDENTIALS } from '../../integrations/tools/credentials.ts'
import { EDGE_RUNNERS } from '../../integrations/tools/edge.ts'
import { createToolPort } from '../../integrations/tools/port.ts'
import { createTool, TOOL_MANIFESTS } from '../../integrations/tools/registered.ts'
import type { DraftPort } from '../../kernel/features/deliveries/work-port.ts'
import { withGrants } from '../../kernel/features/grants/grants.ts'
import type { PausePort } from '../../kernel/features/pause/pause-port.ts'
import type { HomeLink } from '../../kernel/features/places/home-port.ts'
import type { Policy } from '../../kernel/flow/policy.ts'
import type { Sink } from '../../kernel/flow/sink.ts'
import { err, ok } from '../../kernel/flow/verdict.ts'
import type { ModelProvider } from '../../kernel/inference/provider.ts'
import { PROMPT_TIER } from '../../kernel/model-call/prompt-tier.ts'
import { createOperations } from '../../kernel/operations/call.ts'
import { decisionsPort } from '../../kernel/operations/kernel-ports.ts'
import { typedByNpm } from '../../kernel/operations/typed-commands.ts'
import { PLAN_DRAFTING } from '../../kernel/pipeline/drafting.ts'
import type { Powers, Store } from '../../kernel/powers/all-powers.ts'
import type { SenderPort, Tools } from '../../kernel/powers/ports.ts'
import { DocumentCache } from '../../kernel/prompt/document/document.ts'
import { NO_FILES } from '../../kernel/prompt/document/parse.ts'
import type { Deciding } from '../../kernel/runtime/shell-port.ts'
import { APPROVAL_TIMEOUT } from '../../kernel/task/approval.ts'
import { checkCapability } from '../../kernel/task/capability.ts'
import { type Directory, OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import { createRegistry, type Registry } from '../../kernel/tool/registry.ts'
import type { Sealer } from '../../kernel/vault/sealer.ts'
import { createDayShare } from '../day-share.ts'
import { edgeDirectory, edgeSinks, noticeSinks } from '../directory.ts'
import type { Meter } from '../meter.ts'
import { edgeModelOf, edgePatience, edgeProviders, withRemoteModels } from '../models.ts'
import { KERNEL_NAME, objectName, TUNNEL_NAME } from '../names.ts'
import type { EdgeEnv, EdgeSettings, KernelCalls } from '../platform/env.ts'
import { createFetchTransport } from '../platform/fetch-transport.ts'
import { createPageReader } from '../platform/page-reader.ts'
import { edgeCredentials } from './credentials.ts'
import type { Drafts } from './deliveries.ts'
import { edgeRedact, edgeSecrets } from './known-secrets.ts'
import type { OwnerChat } from './owner-chat.ts'
import type { OwnerService } from './owner-service.ts'
import { edgeLines } from './place-lines.ts'
import { createHomeReaders, createRemoteModels } from './remote-models.ts'
import type { EdgeSelf } from './self.ts'
import { loadEdgeTemplates, PROMPT_TEXTS, TASK_TEMPLATES } from './texts.ts'

/** What may differ between deployments of the same pipeline. */
export interface EdgeParts {
  readonly directory: Directory
  readonly sinks: readonly Sink[]
  /** Decoded task templates. */
  readonly templates: readonly unknown[]
  /** In order of preference; `rules` is always last. */
  readonly models: readonly ModelProvider[]
  /** Sender for sinks that are pushed to; null for a sink that its reader polls. */
  readonly senderOf: (sink: string) => SenderPort | null
}

export interface PowersInput {
  readonly settings: EdgeSettings
  readonly parts: EdgeParts
  readonly store: Store
  readonly sealer: Sealer
  readonly tunnel: EdgeEnv['TUNNEL']
  readonly principals: EdgeEnv['PRINCIPALS']
  readonly kernel: KernelCalls<
    | 'enterModel'
    | 'leaveModel'
    | 'spentOnPlan'
    | 'liveLinks'
    | 'endLink'
    | 'reserveSpend'
    | 'sealKeyFor'
    | 'syncedFor'
  >
  readonly kv: SyncKvStorage
  readonly timezone: () => string
  /** Principal of this object; undefined until it is known. */
  readonly principal: () => string | undefined
  /** Name of this object, for its share of the daily cap. */
  readonly name: () => string
  readonly self: EdgeSelf
  readonly ownerService: OwnerService
  readonly chat: OwnerChat
  readonly pause: PausePort
  /** What this object counted since the last call. */
  readonly metered: Meter['take']
  readonly home: HomeLink
  /** Available once the object is built. */
  readonly shell: () => Deciding
  /** Notifies waiting readers that an outbox has a new row. */
  readonly wake: () => void
  /** Drafts that readers see before the answer. */
  readonly drafts: DraftPort & Pick<Drafts, 'end'>
}

/** The production parts: the open line, the owner's bot where there is one, and the rules model. */
export function standardParts(settings: EdgeSettings, kv: SyncKvStorage): EdgeParts {
  const { channel } = settings.bot
  return {
    directory: edgeDirectory(channel),
    sinks: edgeSinks(channel),
    templates: TASK_TEMPLATES,
    models: [],
    senderOf: channel?.senderOf(kv, settings.tokenKey) ?? (() => null),
  }
}

export function buildPowers(input: PowersInput): Powers {
  const { settings, parts, store } = input
  const bot = settings.bot.channel
  const policy = policyOf(parts)
  const { home } = input
  const own = edgeProviders(settings)
  const ways = { door: () => input.tunnel.getByName(TUNNEL_NAME), newId: () => crypto.randomUUID() }
  const remoteModels = createRemoteModels({
    ...ways,
    principal: input.principal,
    offered: input.self.remoteModels,
  })
  const powers: Powers = {
    place: 'edge',
    now: () => Date.now(),
    newId: () => crypto.randomUUID().replaceAll('-', ''),
    policy: () => withGrants(policy, { home, store }),
    directory: () => parts.directory,
    profile: () => ({ timezone: input.timezone(), contacts: [] }),
    registry: REGISTRY,
    chats: CHATS,
    templates: loadEdgeTemplates(parts.templates, REGISTRY),
    texts: PROMPT_TEXTS,
    documents: DOCUMENTS,
    ...(bot !== null && { commands: bot.commands, files: bot.files(createHomeReaders(ways)) }),
    drafting: PLAN_DRAFTING,
    tier: PROMPT_TIER,
    self: input.self.keeper,
    strict: false,
    // Read at each use: the models that home offers change with each sync.
    get models() {
      return [...parts.models, ...withRemoteModels(own, remoteModels().models, settings.models), RULES]
    },
    get sees() {
      return remoteModels().sees
    },
    modelOf: edgeModelOf(settings),
    patience: edgePatience(() => input.kernel.getByName(KERNEL_NAME), Date.now),
    // One shared instance: it caches a message for its second reader.
    extractor: createMessageExtractor(),
    tools: toolPort(settings, store, (tool, at) => void tellDegraded(input, tool, at).catch(() => undefined)),
    sender: senderFor(input),
    home,
    store,
    linked: async (principal, asker) => {
      const object = input.principals.getByName(objectName(settings.nameKey, principal))
      const lines = await object.linkedLines(principal, asker).catch(() => null)
      return lines?.ok === true ? lines.value : []
    },
    sealer: input.sealer,
    credentials: edgeCredentials({ ...input, has: input.self.has }),
    channels: { adapters: CHANNEL_ADAPTERS },
    tokenKey: settings.tokenKey,
    redact: edgeRedact(settings),
    known: edgeSecrets(settings),
    // A stranger's object has no chat with the owner, so its questions do not appear in one.
    get adminSinks() {
      return input.principal() === OWNER_PRINCIPAL ? noticeSinks(settings.bot.channel) : []
    },
    hears: input.chat.receives,
    placeLines: () => edgeLines(input.chat, noticeSinks(bot)),
    // A stranger's object sends its questions to the owner's object.
    get ownerService() {
      return input.principal() === OWNER_PRINCIPAL ? null : input.ownerService
    },
    queueAnswer: input.ownerService.queueAnswer,
    approvalTimeout: APPROVAL_TIMEOUT,
    history: settings.history,
    pause: input.pause,
    links: {
      live: () => input.kernel.getByName(KERNEL_NAME).liveLinks(),
      end: (id) => input.kernel.getByName(KERNEL_NAME).endLink(id),
    },
    budget: settings.budget,
    metered: input.metered,
    plan: () =>
      input.kernel
        .getByName(KERNEL_NAME)
        .spentOnPlan()
        .catch(() => null),
    dayShare: createDayShare((day, need) =>
      input.kernel.getByName(KERNEL_NAME).reserveSpend(input.name(), day, need),
    ),
    operations: (call) => operations(call),
  }
  // The object drives after each operation, whatever it was.
  const operations = createOperations({
    powers,
    ports: { decisions: decisionsPort(input.shell, () => undefined), drive: () => undefined },
  })
  return powers
}

/** All tools are known here, so that a plan may call home; only those that run at the edge have code here. */
const REGISTRY: Registry = createRegistry(TOOL_MANIFESTS)
/** The owner's own prompt files are private, and stay at home. */
const DOCUMENTS = [new DocumentCache({ bundled: PROMPT_TEXTS.document, files: NO_FILES })]
const RULES = createRulesModel({ place: 'edge' })

function policyOf({ sinks }: EdgeParts): Policy {
  return { owner: OWNER_PRINCIPAL, sinks, allowLists: [], flowGrants: [], writeGrants: [], linkedChats: [] }
}

/** The owner is notified of a tool whose breaker opened, whichever principal used it. */
async function tellDegraded({ principals, settings }: PowersInput, tool: string, at: number): Promise<void> {
  const owner = principals.getByName(objectName(settings.nameKey, OWNER_PRINCIPAL))
  const id = `tool-degraded:${tool}:${at}`
  await owner.notify(OWNER_PRINCIPAL, { id, code: 'tool_degraded', about: tool })
}

/** The edge holds no integration credential (DESIGN §6): a tool that needs one runs at home. */
function toolPort(
  settings: EdgeSettings,
  store: Store,
  degraded: (tool: string, at: number) => void,
): Tools['tools'] {
  const reader = createPageReader()
  const tools = EDGE_RUNNERS.map((runner) => createTool(runner, { reader }))
  return createToolPort({
    place: 'edge',
    tools,
    transport: createFetchTransport(),
    exemptOrigins: settings.localOrigins,
    checkToken: (token, action, args) => {
      const { id, task, step, scope } = token.claims
      // The kernel has counted this use before the call; the check compares with the uses before it.
      const used = Math.max(0, store.uses(id) - 1)
      const use = { place: 'edge', task, step, tool: action, args, scope, now: Date.now(), used } as const
      return checkCapability(token, use, settings.tokenKey)
    },
    credentials: NO_CREDENTIALS,
    redact: (value) => value,
    breaker: createToolBreaker(Date.now, degraded),
  })
}

/** A polled sink needs no sending: its row is written, and waiting readers are woken. */
function senderFor(input: PowersInput): SenderPort {
  const { parts, wake, drafts, chat, settings } = input
  return {
    drafts,
    async send(delivery) {
      // The answer replaces its draft.
      drafts.end(delivery.sink)
      const sender = parts.senderOf(delivery.sink)
      if (sender === null) {
        wake()
        if (delivery.kind === 'card') tellHome(input)
        return ok(true)
      }
      // Everything else is sent exactly as it was approved or written.
      const isTyped = delivery.own && settings.byNpm
      const sent = await sender.send(isTyped ? { ...delivery, text: typedByNpm(delivery.text) } : delivery)
      chat.recordResult(delivery.sink, sent)
      return sent
    },
    work: {
      working: (work) => parts.senderOf(work.sink)?.work?.working(work),
      rests: async (work) => parts.senderOf(work.sink)?.work?.rests(work),
      elsewhere: async (work) =>
        (await parts.senderOf(work.sink)?.work?.elsewhere?.(work)) ?? err('sink_unknown'),
    },
    acknowledges: (sink) => parts.senderOf(sink) !== null,
    retract: async (message) =>
      (await parts.senderOf(message.sink)?.retract?.(message)) ?? err('sink_unknown'),
  }
}

/**
 * Called when a question could not be shown in the owner's bot chat: if home is connected, home reports it on the private line.
 */
function tellHome({ chat, tunnel, settings }: PowersInput): void {
  if (settings.bot.channel === null || chat.receives(EDGE_CHAT.sink)) return
  void tunnel
    .getByName(TUNNEL_NAME)
    .cardWaits()
    .catch(() => undefined)
}

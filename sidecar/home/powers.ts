/**
 * The powers of home: what its pipeline may do, built once at start from configuration, keys, database and tools (DESIGN §5).
 * Must not make decisions. Called by wiring.ts.
 */

import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { CHATS } from '../../integrations/channels/index.ts'
import type { HomeChannel } from '../../integrations/channels/runtime/home-package.ts'
import { likelyTools } from '../../integrations/extractors/learned/likely-tools.ts'
import { createMessageExtractor } from '../../integrations/extractors/message/message.ts'
import { readAtHome } from '../../integrations/extractors/message/message-at-home.ts'
import { backIn } from '../../integrations/extractors/message/message-back.ts'
import { spelled } from '../../integrations/extractors/message/message-spelling.ts'
import { completed } from '../../integrations/models/rules/completed.ts'
import { HOME_RULES, sayPlainly } from '../../integrations/models/rules/home.ts'
import { createRulesModel } from '../../integrations/models/rules/model.ts'
import type { CredentialSource } from '../../integrations/tools/credentials.ts'
import { recogniseElse } from '../../kernel/features/approvals/answers/else-answer.ts'
import type { ChannelPort } from '../../kernel/features/channels/channel-port.ts'
import { homeTalk } from '../../kernel/features/commands/home-talk.ts'
import { statusAnswer } from '../../kernel/features/commands/status.ts'
import { bookOf } from '../../kernel/features/contacts/opened.ts'
import type { CredentialPort } from '../../kernel/features/credentials/credential-port.ts'
import type { DirectiveStore } from '../../kernel/features/directives/port.ts'
import { withGrants } from '../../kernel/features/grants/grants.ts'
import { USUAL_HOURS } from '../../kernel/features/hours/hours.ts'
import { linkServiceOf } from '../../kernel/features/identities/identity-links.ts'
import { activeJobs } from '../../kernel/features/jobs/status.ts'
import type { ModelView } from '../../kernel/features/models/port.ts'
import type { PausePort } from '../../kernel/features/pause/pause-port.ts'
import { standingTransport, withOwnerThere, withTransport } from '../../kernel/features/places/both-lines.ts'
import type { SenderPort } from '../../kernel/features/sender/sender.ts'
import { profileNow } from '../../kernel/features/zone/zone.ts'
import { withCompartments } from '../../kernel/flow/compartments.ts'
import type { Grant } from '../../kernel/flow/grant.ts'
import { ok, type Result } from '../../kernel/flow/verdict.ts'
import { MODEL_BREAKERS, MODEL_NEWS } from '../../kernel/inference/attempt.ts'
import type { TextModel } from '../../kernel/inference/provider.ts'
import { PROMPT_TIER } from '../../kernel/model-call/prompt-tier.ts'
import { readFirst } from '../../kernel/model-call/reader-pass.ts'
import type { CallOperation } from '../../kernel/operations/caller.ts'
import { correctNames } from '../../kernel/pipeline/correct-names.ts'
import { PLAN_DRAFTING } from '../../kernel/pipeline/drafting.ts'
import { WORDED_JOBS } from '../../kernel/pipeline/worded-jobs.ts'
import type { Powers, Store } from '../../kernel/powers/all-powers.ts'
import { createBreakers } from '../../kernel/powers/breaker.ts'
import type { OwnerProfile } from '../../kernel/powers/ports.ts'
import type { ReasonCode } from '../../kernel/reasons.ts'
import { createSelfKeeper } from '../../kernel/self/keeper.ts'
import { createLiveRegistry, type Registry } from '../../kernel/tool/registry.ts'
import { connectedServices } from '../../kernel/tool/service-names.ts'
import type { KeyRing } from '../../kernel/vault/key-ring.ts'
import { DEFAULT_LANGUAGE } from '../../kernel/wording/languages.ts'
import { chatOf, type HomeChats, homeSender, liveFiles, sinksOf } from '../channels/home-sender.ts'
import type { Config } from '../config/config.ts'
import { openPromptFiles, type PromptFiles, readPromptTexts, readTemplates } from '../config/home-texts.ts'
import { openTemplates, type TaskTemplates } from '../config/own-templates.ts'
import type { NamedWebservices } from '../config/webservices.ts'
import { createHealthStore, type HealthStore } from '../health/health-store.ts'
import { speakAt } from '../language/spoken-language.ts'
import { defaultAddress } from '../mail/mail-accounts.ts'
import { createSenderStore } from '../mail/sender-store.ts'
import { createHomeModels, modelFor, viewsOf } from '../models/home-models.ts'
import type { WarmModel } from '../models/keep-warm.ts'
import { createModelLedger, type ModelLedger } from '../models/model-ledger.ts'
import { homeSelf } from '../persona/self.ts'
import type { Redactor } from '../secrets/redactor.ts'
import type { ModelKeys } from '../secrets/service-tokens.ts'
import { serviceTitle } from '../secrets/vault-names.ts'
import type { HealthRows } from '../store/health-rows.ts'
import type { HomeNotes } from '../store/home-notes.ts'
import { HOME_POLICY, homeDirectory } from './home-policy.ts'
import { createHomeTools, type HomeTools, type HomeToolsInput } from './home-tools.ts'

export interface PowersInput extends Omit<HomeChats, 'chats'> {
  readonly chats: readonly HomeChannel[]
  readonly config: Config
  /** Absolute path of the state folder. */
  readonly folder: string
  readonly store: Store
  readonly directives: DirectiveStore
  readonly ring: KeyRing
  readonly credentials: CredentialSource
  /** Stores a credential that the owner gives in a chat. */
  readonly given: CredentialPort
  readonly notes: Pick<HomeNotes, 'read' | 'write'>
  readonly healthRows: HealthRows
  readonly feedItems: HomeToolsInput['feedItems']
  /** Whether a service accepted the credential of this manifest name when it was last used. */
  readonly works: (credential: string, account: string | null) => boolean | null
  readonly redactor: Pick<Redactor, 'text' | 'data' | 'known'>
  /** Fingerprint of the device key. */
  readonly device: string
  /** Called when the circuit breaker of a failing tool opens. */
  readonly degraded: (tool: string, at: number) => void
  /** Called when the circuit breaker of a model opens, or the model refuses its configuration. */
  readonly modelNews: (model: string, code: ReasonCode, at: number) => void
  readonly modelKeys: ModelKeys
  /** Reads a document, in a process of its own. */
  readonly document: HomeToolsInput['document']
  readonly channels: ChannelPort
  /** Creates the store of the web services that the owner may name; takes the tools, which are created here. */
  readonly webservices: (tools: HomeTools['webservices']) => NamedWebservices
  /** Called on each change of an identity link, before it is durable. */
  readonly linksChanged: () => void
  readonly grantsChanged: () => void
  readonly profileChanged: () => void
  readonly peopleChanged: () => void
  readonly pause: PausePort
  readonly operations: CallOperation
  readonly placeLines: NonNullable<Powers['placeLines']>
  /** Reports a part that failed, never with data. */
  readonly fault: (part: string) => void
}

export interface HomePowers {
  readonly powers: Powers
  readonly tools: Omit<HomeTools, 'port' | 'close'>
  readonly health: HealthStore
  readonly sender: SenderPort
  /** Reads the owner's prompt files again (P-05). */
  readonly reload: PromptFiles['reload']
  readonly templates: TaskTemplates
  readonly webservices: NamedWebservices
  /** Models of home that the edge may use. */
  readonly lent: readonly TextModel[]
  /** Model that describes pictures, also for the edge. */
  readonly sees: TextModel | null
  readonly warm: readonly WarmModel[]
  readonly modelViews: () => readonly ModelView[]
  readonly modelStatus: ModelLedger['status']
  close(): Promise<void>
}

const ID_BYTES = 16

/** Refusals: those of the templates. */
export function buildHomePowers(input: PowersInput): Result<HomePowers> {
  const { config, store, ring, credentials, redactor } = input
  const now = (): number => Date.now()
  const tokenKey = ring.ownKey('capability')
  const health = createHealthStore({
    ...{ rows: input.healthRows, sealer: ring.sealer, now, timezone: config.owner.timezone },
  })
  const sender = createSenderStore({
    ...{ notes: input.notes, sealer: ring.sealer, mail: config.mail, standard: defaultAddress(config) },
  })
  const tools = createHomeTools({
    health,
    sender: sender.read,
    workingHours: () => input.notes.read('workingHours') ?? USUAL_HOURS,
    zoneNow: () => profileNow({ store, now }, { timezone: config.owner.timezone, contacts: [] }).timezone,
    ...{ config, store, tokenKey, now, credentials, degraded: input.degraded, document: input.document },
    feedItems: input.feedItems,
    ownFolders: [input.folder, ...(config.backupFolder === null ? [] : [config.backupFolder])],
    redact: (value) => redactor.data('tool', value),
  })
  const webservices = input.webservices(tools.webservices)
  const registry = registryOf(tools)
  const shipped = readTemplates(registry)
  if (!shipped.ok) return shipped
  const templates = openTemplates(input.folder, shipped.value, registry)
  const { chats } = input
  const { timezone } = config.owner
  const language = config.owner.language ?? DEFAULT_LANGUAGE
  let profile: OwnerProfile = { timezone, language, contacts: config.contacts }
  const texts = readPromptTexts()
  const files = openPromptFiles(input.folder, texts.document)
  const ledger = createModelLedger()
  const ways = { transport: tools.transport, keys: input.modelKeys }
  const homeModels = createHomeModels({ config: config.models, ...ways })
  const sees = config.vision === null ? null : modelFor(config.vision, null, ways)
  const breakers = createBreakers({
    ...MODEL_BREAKERS,
    bounds: config.models.breaker,
    now,
    news: (model, news, at) => {
      const code = MODEL_NEWS[news]
      store.appendAudit({ ...NOBODY, at, place: 'home', kind: 'fault', facts: { code, model } })
      input.modelNews(model, code, at)
    },
  })
  const standing = (): readonly Grant[] => store.grants().map(({ grant }) => grant)
  const powers: Powers = {
    place: 'home',
    now,
    newId: () => randomBytes(ID_BYTES).toString('hex'),
    policy: () =>
      withTransport(withCompartments(withGrants(HOME_POLICY, { home: null, store }), standing(), now()), {
        ...{ store, now, templates: templates.now() },
      }),
    directory: () =>
      withOwnerThere(
        homeDirectory(
          input.device,
          chats.flatMap((chat) => chat.owner() ?? []),
        ),
        standingTransport({ store, now }),
      ),
    profile: () => profileNow({ store, now }, profile),
    contactBook: {
      configured: config.contacts,
      hold: (own) => {
        profile = { ...profile, contacts: bookOf(own, config.contacts) }
      },
    },
    registry,
    chats: CHATS,
    get templates() {
      return templates.now()
    },
    texts,
    documents: files.documents,
    commands: config.commands,
    drafting: PLAN_DRAFTING,
    worded: WORDED_JOBS,
    tier: {
      ...PROMPT_TIER,
      talk: homeTalk(sayPlainly, completed),
      correctNames,
      recogniseElse,
      ...(config.readerPass && { readFirst }),
    },
    self: createSelfKeeper({
      sources: homeSelf({
        ...{ config, registry, tools: tools.port, notes: input.notes, works: input.works },
        titleOf: (service, account) => serviceTitle(config, service, account),
        jobs: () => activeJobs({ store, registry, templates: templates.now() }),
        chats: () =>
          chats.flatMap(({ declaration, now: there }) => (there() === null ? [] : declaration.name)),
      }),
      now,
      fault: input.fault,
    }),
    strict: false,
    models: [...homeModels.models, createRulesModel({ place: 'home', home: HOME_RULES })],
    ...(sees !== null && { sees }),
    modelOf: homeModels.modelOf,
    patience: { pause, chance: Math.random, breakers },
    budget: config.budget,
    noteCost: ledger.note,
    extractor: createMessageExtractor(
      undefined,
      () => connectedServices(registry, tools.port),
      (text) => backIn(text) !== null,
      readAtHome,
      spelled,
      likelyTools,
    ),
    tools: tools.port,
    sender: homeSender(input),
    files: liveFiles(chats),
    linksChanged: input.linksChanged,
    grantsChanged: input.grantsChanged,
    profileChanged: input.profileChanged,
    language: {
      ...{ configured: language, named: config.owner.language !== null },
      speak: (one) => speakAt(input.folder, one),
    },
    peopleChanged: input.peopleChanged,
    home: null,
    store,
    directives: input.directives,
    sealer: ring.sealer,
    tokenKey,
    credentials: input.given,
    channels: input.channels,
    webservices,
    redact: (text) => redactor.text('prompt', text),
    known: redactor.known,
    get adminSinks() {
      return sinksOf(chats, config)
    },
    hears: (sink) => chatOf(chats, sink)?.line.isUnreachable !== true,
    choreTimes: { backup: config.backupTimes },
    approvalTimeout: config.approvalTimeout,
    modelTime: config.modelTime,
    history: config.history,
    pause: input.pause,
    operations: input.operations,
    ownStatus: (task) => statusAnswer(powers, task),
    placeLines: input.placeLines,
    links: linkServiceOf(() => powers),
  }
  const { reload } = files
  const modelViews = (): readonly ModelView[] => viewsOf(config.models, breakers, now())
  return ok({
    ...{
      powers,
      tools,
      health,
      sender,
      reload,
      templates,
      webservices,
      modelViews,
      sees,
      lent: homeModels.lent,
      warm: homeModels.warm,
    },
    modelStatus: ledger.status,
    close: () => tools.close(),
  })
}

function registryOf(tools: Pick<HomeTools, 'tools'>): Registry {
  let of = tools.tools
  let manifests = of.map(({ manifest }) => manifest)
  return createLiveRegistry(() => {
    if (of !== tools.tools) {
      of = tools.tools
      manifests = of.map(({ manifest }) => manifest)
    }
    return manifests
  })
}

const NOBODY = Object.freeze({ trace: null, task: null, principal: null })

/**
 * A place for pipeline tests: the real kernel, real SQLite, real sealing, the shipped templates and prompts; the
 * world outside (tools, models, channel, clock) is scripted. Must not stand in for any policy.
 */

import { randomBytes } from 'node:crypto'
import { CHATS } from '../../integrations/channels/index.ts'
import { likelyTools } from '../../integrations/extractors/learned/likely-tools.ts'
import { createMessageExtractor } from '../../integrations/extractors/message/message.ts'
import { readAtHome } from '../../integrations/extractors/message/message-at-home.ts'
import { spelled } from '../../integrations/extractors/message/message-spelling.ts'
import { completed } from '../../integrations/models/rules/completed.ts'
import { sayPlainly } from '../../integrations/models/rules/home.ts'
import { createRulesModel } from '../../integrations/models/rules/model.ts'
import { createStore } from '../../integrations/store/store.ts'
import { TOOL_MANIFESTS } from '../../integrations/tools/registered.ts'
import { recogniseElse } from '../../kernel/features/approvals/answers/else-answer.ts'
import { toldOf } from '../../kernel/features/audit/told.ts'
import { homeTalk } from '../../kernel/features/commands/home-talk.ts'
import { statusAnswer } from '../../kernel/features/commands/status.ts'
import { bookOf } from '../../kernel/features/contacts/opened.ts'
import type { DraftPort } from '../../kernel/features/deliveries/work-port.ts'
import type { DirectiveStore } from '../../kernel/features/directives/port.ts'
import { withGrants } from '../../kernel/features/grants/grants.ts'
import { DEFAULT_WINDOW, type HistoryWindow } from '../../kernel/features/history/history-window.ts'
import { linkServiceOf } from '../../kernel/features/identities/identity-links.ts'
import type { ModelView } from '../../kernel/features/models/port.ts'
import { standingTransport, withOwnerThere, withTransport } from '../../kernel/features/places/both-lines.ts'
import type { HomeCall, OpenMemory } from '../../kernel/features/places/home-port.ts'
import { createTemplateSwitch } from '../../kernel/features/templates/template-switch.ts'
import { isSwitchedOff, switchedOff } from '../../kernel/features/tools/switched.ts'
import { profileNow } from '../../kernel/features/zone/zone.ts'
import { withCompartments } from '../../kernel/flow/compartments.ts'
import type { FieldGrant } from '../../kernel/flow/grant.ts'
import type { Place } from '../../kernel/flow/place.ts'
import type { Policy } from '../../kernel/flow/policy.ts'
import type { Result } from '../../kernel/flow/verdict.ts'
import type { ModelProvider } from '../../kernel/inference/provider.ts'
import { PROMPT_TIER } from '../../kernel/model-call/prompt-tier.ts'
import { readFirst } from '../../kernel/model-call/reader-pass.ts'
import { createOperations } from '../../kernel/operations/call.ts'
import { decisionsPort, type KernelPorts, kernelPorts } from '../../kernel/operations/kernel-ports.ts'
import type { OperationPorts } from '../../kernel/operations/ports.ts'
import { correctNames } from '../../kernel/pipeline/correct-names.ts'
import { PLAN_DRAFTING } from '../../kernel/pipeline/drafting.ts'
import { WORDED_JOBS } from '../../kernel/pipeline/worded-jobs.ts'
import type { Powers, Store } from '../../kernel/powers/all-powers.ts'
import { EFFECT_IDS } from '../../kernel/powers/effects.ts'
import type { Contact, Delivery } from '../../kernel/powers/ports.ts'
import type { AuditEvent } from '../../kernel/powers/stores.ts'
import type { FinalPrompt } from '../../kernel/prompt/finalize.ts'
import { createShell } from '../../kernel/runtime/shell.ts'
import type { Shell } from '../../kernel/runtime/shell-port.ts'
import type { SelfSources } from '../../kernel/self/snapshot.ts'
import { NEVER_PAUSED, type PauseState } from '../../kernel/task/pause.ts'
import type { Task } from '../../kernel/task/task.ts'
import { loadTemplates } from '../../kernel/template/load.ts'
import type { Template } from '../../kernel/template/template.ts'
import type { ToolManifest, ToolOutcome } from '../../kernel/tool/manifest.ts'
import { createRegistry, type Registry } from '../../kernel/tool/registry.ts'
import { connectedServices } from '../../kernel/tool/service-names.ts'
import type { CodeUse } from '../../kernel/tunnel/synced.ts'
import { DIRECTIVES_MIGRATIONS } from '../../migrations/directives.ts'
import { STORE_MIGRATIONS } from '../../migrations/store.ts'
import { readPromptTexts, readTemplates } from '../../sidecar/config/home-texts.ts'
import { HOME_POLICY } from '../../sidecar/home/home-policy.ts'
import { createDirectiveStore } from '../../sidecar/store/directive-store.ts'
import { testPatience } from '../fakes/patience.ts'
import { NO_SECRETS } from '../fakes/secrets.ts'
import { testDocuments, testSelf } from '../fakes/self.ts'
import { openMigrated } from '../kit/database.ts'
import { type MemoryRing, memoryRing } from '../vault/memory-ring.ts'
import { tellOnFailure } from './told-on-failure.ts'

export const FRIDAY_NOON = Date.parse('2026-11-20T11:00:00Z')

export type ScriptedTool = (args: Readonly<Record<string, unknown>>) => ToolOutcome | Promise<ToolOutcome>

export interface WorldOptions {
  readonly place?: Place
  readonly tools?: Readonly<Record<string, ScriptedTool>>
  /** Extra models, before `rules`. */
  readonly models?: readonly ModelProvider[]
  readonly modelOf?: Powers['modelOf']
  readonly patience?: Powers['patience']
  /** Tools beside the shipped ones, or in the place of one, which the owner's templates allow. */
  readonly manifests?: readonly ToolManifest[]
  /** Decoded TOML of templates beside the shipped ones. */
  readonly templates?: readonly unknown[]
  readonly contacts?: readonly Contact[]
  readonly policy?: (policy: Policy) => Policy
  /** Owner ids beside the terminal's. */
  readonly owner?: readonly string[]
  /** The owner's chats for questions, in order. */
  readonly adminSinks?: readonly string[]
  /** Where other people's questions for the owner go. */
  readonly ownerService?: NonNullable<Powers['ownerService']>
  /** Principals that are paired. */
  readonly paired?: readonly string[]
  /** State of an earlier world: the same disk after a crash. */
  readonly disk?: Disk
  /** Commands of the owner's making. */
  readonly commands?: Powers['commands']
  /** What fetches attachments. */
  readonly files?: Powers['files']
  /** What looks at pictures. */
  readonly sees?: Powers['sees']
  readonly history?: Partial<HistoryWindow>
  readonly noteCost?: Powers['noteCost']
  readonly budget?: Powers['budget']
  readonly redact?: Powers['redact']
  readonly dayShare?: Powers['dayShare']
  /** The owner's health data, for operations. */
  readonly health?: OperationPorts['health']
  /** As whom the owner writes mail, for operations. */
  readonly sender?: OperationPorts['sender']
  readonly known?: Powers['known']
  /** Where a credential goes that the owner gives; while `lacking` names a tool, its actions lack one. */
  readonly credentials?: Powers['credentials'] & { readonly lacking: ReadonlySet<string> }
  /** Tools for which the owner has set nothing up that they could work on. */
  readonly idle?: readonly string[]
  /** Chats that the owner may activate. */
  readonly channels?: Powers['channels']
  /** What the assistant is told of itself beside the least. */
  readonly self?: Partial<SelfSources>
  readonly send?: (delivery: Delivery) => Awaited<ReturnType<Powers['sender']['send']>>
  /** Where the owner is; Madrid unless given. */
  readonly timezone?: string
  /** The channel shows answers while they are written. */
  readonly drafts?: DraftPort
  /** As `[reader] pass` sets it. */
  readonly readerPass?: boolean
  /** The channel has what was sent to it, as a messenger does: nobody has to ask for it. */
  readonly pushes?: true
  /** What a status says of its place besides. */
  readonly placeLines?: Powers['placeLines']
  /** The channel deletes messages, too. */
  readonly retract?: (message: { readonly sink: string; readonly message: string }) => Result<true>
}

export interface Disk {
  readonly store: Store
  readonly directives: DirectiveStore
  readonly keys: MemoryRing
  readonly pause?: { state: PauseState }
}

export interface World {
  readonly shell: Shell
  /** Operations that a door let in, whatever came of them. */
  readonly operated: string[]
  /** What operations are given of the kernel's. */
  readonly ports: KernelPorts
  readonly powers: Powers
  readonly disk: Disk
  readonly clock: { now: number }
  readonly sent: Delivery[]
  readonly calls: { readonly tool: string; readonly args: Readonly<Record<string, unknown>> }[]
  readonly prompts: FinalPrompt[]
  readonly homeCalls: HomeCall[]
  /** What the edge told home. */
  readonly told: OpenMemory[]
  /** Codes that the edge handed on. */
  readonly codes: CodeUse[]
  /** What home has told the edge of its grants. */
  readonly granted: FieldGrant[]
  /** Audit lines of this world, in order. */
  readonly audited: AuditEvent[]
  /** Whether home is connected, as the edge sees it. */
  readonly link: { up: boolean }
  /** Sends words as the owner at the terminal and waits until the place is idle. Returns the task's id. */
  say(text: string, id?: string, quoted?: readonly string[]): Promise<string>
  /** Text of the last delivery. */
  heard(): string
}

export function createDisk(): Disk {
  const db = openMigrated(STORE_MIGRATIONS, DIRECTIVES_MIGRATIONS)
  return {
    store: createStore(db),
    directives: createDirectiveStore(db),
    keys: memoryRing(new Uint8Array(randomBytes(32))),
    pause: { state: NEVER_PAUSED },
  }
}

/** Reads that are made for a card alone. */
const REMARKS = new Set(
  TOOL_MANIFESTS.flatMap(({ actions }) => actions.map(({ remarks }) => remarks?.by ?? '')),
)

export function createWorld(options: WorldOptions = {}): World {
  const disk = options.disk ?? createDisk()
  const pause = disk.pause ?? { state: NEVER_PAUSED }
  const clock = { now: FRIDAY_NOON }
  const sent: Delivery[] = []
  const calls: World['calls'] = []
  const prompts: FinalPrompt[] = []
  const homeCalls: HomeCall[] = []
  const told: OpenMemory[] = []
  const codes: CodeUse[] = []
  const granted: FieldGrant[] = []
  const audited: AuditEvent[] = []
  tellOnFailure(audited)
  const link = { up: true }
  const place = options.place ?? 'home'
  const own = new Set((options.manifests ?? []).map(({ name }) => name))
  const registry =
    options.manifests === undefined
      ? shippedRegistry()
      : createRegistry([...TOOL_MANIFESTS.filter(({ name }) => !own.has(name)), ...options.manifests])
  const more = (options.manifests ?? []).flatMap(({ actions }) => actions.map(({ id }) => id))
  const policy = (options.policy ?? ((same) => same))(HOME_POLICY)
  const rules = createRulesModel({ place })
  const operated: string[] = []
  let book: readonly Contact[] = []
  let listed: ToolOutcome | null = null
  const powers: Powers = {
    place,
    now: () => clock.now,
    newId: () => randomBytes(12).toString('hex'),
    policy: () => {
      const own = withGrants(policy, {
        home: place === 'home' ? null : { granted: () => granted },
        store: disk.store,
      })
      if (place !== 'home') return own
      const grants = disk.store.grants().map(({ grant }) => grant)
      return withTransport(withCompartments(own, grants, clock.now), powers)
    },
    directory: () =>
      withOwnerThere(
        {
          owner: ['terminal:local', 'openline:local', ...(options.owner ?? [])],
          paired: options.paired ?? [],
        },
        place === 'home' ? standingTransport(powers) : null,
      ),
    profile: () =>
      profileNow(
        { store: disk.store, now: () => clock.now },
        { timezone: options.timezone ?? 'Europe/Madrid', contacts: bookOf(book, options.contacts ?? []) },
      ),
    ...(place === 'home' && {
      contactBook: {
        configured: options.contacts ?? [],
        hold: (own) => {
          book = own
        },
      },
    }),
    registry,
    chats: CHATS,
    templates: [
      ...shippedTemplates(registry).map((template) =>
        template.principalClass === 'owner' ? { ...template, tools: [...template.tools, ...more] } : template,
      ),
      ...extraTemplates(registry, options.templates ?? []),
    ],
    texts: shippedTexts(),
    documents: testDocuments(),
    ...(options.commands && { commands: options.commands }),
    ...(options.files && { files: options.files }),
    ...(options.sees && { sees: recording(options.sees, prompts) }),
    drafting: PLAN_DRAFTING,
    ...(place === 'home' && { worded: WORDED_JOBS }),
    tier: {
      ...PROMPT_TIER,
      talk: homeTalk(sayPlainly, completed),
      correctNames,
      recogniseElse,
      ...(options.readerPass === true && { readFirst }),
    },
    self: testSelf(() => clock.now, options.self),
    strict: true,
    models: [...(options.models ?? []), rules].map((model) => recording(model, prompts)),
    patience: options.patience ?? testPatience(),
    ...(options.modelOf && { modelOf: options.modelOf }),
    extractor: createMessageExtractor(
      undefined,
      () => connectedServices(registry, powers.tools),
      undefined,
      place === 'home' ? readAtHome : undefined,
      place === 'home' ? spelled : undefined,
      place === 'home' ? likelyTools : undefined,
    ),
    tools: {
      isIdle: ({ id }) => options.idle?.includes(id.split('.')[0] ?? '') === true,
      availability: ({ id }) => {
        if (options.credentials?.lacking.has(id.split('.')[0] ?? '') === true) return 'credential'
        const scripted = options.tools ?? {}
        if (!(id in scripted) && !(id === DIGEST && 'email.list' in scripted)) return 'elsewhere'
        const tool = registry.actions.get(id)?.tool
        return tool !== undefined && isSwitchedOff(switchedOff(disk), tool) ? 'off' : 'here'
      },
      run: async ({ action, args }) => {
        const tool =
          options.tools?.[action] ??
          (action === DIGEST && 'email.list' in (options.tools ?? {}) ? noDigest : undefined)
        // A lookup for a card that no test has scripted is not what the test is about.
        if (tool !== noDigest && (tool !== undefined || !REMARKS.has(action)))
          calls.push({ tool: action, args })
        if (tool === noDigest && listed?.ok === false) return listed
        const done = (await tool?.(args)) ?? { ok: false, reason: { code: 'tool_unavailable', facts: {} } }
        if (action === 'email.list') listed = done
        return done
      },
    },
    sender: {
      send: async (delivery) => {
        const answer = options.send?.(delivery) ?? { ok: true, value: true }
        if (answer.ok) sent.push(delivery)
        return answer
      },
      ...(options.drafts && { drafts: options.drafts }),
      ...(options.pushes && { acknowledges: () => true }),
      ...(options.retract && {
        retract: async (message) => options.retract?.(message) ?? { ok: true, value: true },
      }),
    },
    home:
      place === 'home'
        ? null
        : {
            ask: async (call) => {
              homeCalls.push(call)
              return { ok: true, value: true }
            },
            tell: async (memory) => {
              told.push(memory)
              return { ok: true, value: true }
            },
            tellTurns: async (turns) => {
              told.push(...turns)
              return turns.map(() => ({ ok: true, value: true }))
            },
            tellCode: async (said) => {
              codes.push(said)
              return { ok: true, value: true }
            },
            up: async () => link.up,
            granted: () => granted,
          },
    store: {
      ...disk.store,
      appendAudit: (line) => {
        audited.push(line)
        disk.store.appendAudit(line)
      },
    },
    ...(place === 'home' && { directives: disk.directives }),
    // Its own: a test may break the cipher of one world, and what lies on the disk is opened by the next.
    sealer: { ...disk.keys.ring.sealer },
    tokenKey: disk.keys.ring.ownKey('capability'),
    ...(options.noteCost && { noteCost: options.noteCost }),
    ...(options.budget && { budget: options.budget }),
    ...(options.dayShare && { dayShare: options.dayShare }),
    ...(options.credentials && { credentials: options.credentials }),
    ...(options.placeLines && { placeLines: options.placeLines }),
    ...(options.channels && { channels: options.channels }),
    redact: options.redact ?? ((text) => text),
    known: options.known ?? NO_SECRETS,
    adminSinks: options.adminSinks ?? (place === 'home' ? ['sink:terminal:owner'] : []),
    ...(options.ownerService && { ownerService: options.ownerService }),
    approvalTimeout: 300_000,
    history: { ...DEFAULT_WINDOW, ...options.history },
    ...(place === 'home' && { links: linkServiceOf(() => powers) }),
    ...(place === 'home' && { ownStatus: (task: Task) => statusAnswer(powers, task) }),
    async operations(call) {
      const done = await operations(call)
      if (done.ok || !TURNED_AWAY.includes(done.reason.code)) operated.push(call.operation)
      return done
    },
    pause: {
      read: () => pause.state,
      write: (state) => {
        pause.state = state
      },
    },
  }
  const shell = createShell(powers)
  const ports = {
    ...HOME_PORTS,
    trail: {
      ...kernelPorts(powers).trail,
      told: (...[asking, lines]: Told) => toldOf(powers, asking, lines),
    },
    decisions: decisionsPort(
      () => shell,
      (principal) => void shell.run(principal),
    ),
    templateSwitch: createTemplateSwitch(powers, 'calendar.freebusy'),
    ownTemplates: () => ({ changed: false, notices: [] }),
    models: { views: () => (options.models ?? []).map(modelView), trouble: null },
    ...(options.health && { health: options.health }),
    ...(options.sender && { sender: options.sender }),
  }
  const operations = createOperations({ powers, ports: place === 'home' ? ports : EDGE_PORTS })
  const say: World['say'] = async (text, id = randomBytes(6).toString('hex'), quoted = []) => {
    const received = await shell.receive({ ...message(text, { id, place, at: clock.now }), quoted })
    if (!received.ok) throw new Error(`not received: ${received.reason.code}`)
    await shell.run(received.value.principal)
    return received.value.task
  }
  return {
    shell,
    ports: kernelPorts(powers),
    operated,
    powers,
    disk,
    clock,
    sent,
    calls,
    prompts,
    homeCalls,
    told,
    codes,
    granted,
    audited,
    link,
    say,
    heard: () => sent.at(-1)?.text ?? '',
  }
}

/** A mailbox that a test has scripted asks for nothing, and is away when its list is, unless the test says otherwise. */
const DIGEST = 'email.digest'
const noDigest: ScriptedTool = () => ({ ok: true, output: { emails: [], unread: 0, more: false } })

type Told = Parameters<NonNullable<OperationPorts['trail']['told']>>

/** What a door says. */
const TURNED_AWAY: readonly string[] = [
  'operation_unknown',
  'principal_not_allowed',
  'approval_place_too_low',
]

const EDGE_PORTS = { drive: () => undefined }
const HOME_PORTS: Partial<OperationPorts> = {
  ...EDGE_PORTS,
  freeBusy: { action: 'calendar.freebusy', fields: ['slots[].busy', 'slots[].from', 'slots[].to'] },
  edgeLock: async () => ({ ok: true, value: { done: true } }),
  copies: async () => ({ ok: true, value: { number: 1 } }),
  prompts: () => ({ changed: false, tokens: 300, notices: [] }),
}

/** What the terminal's adapter builds of a line typed by the owner; `openline` at the edge. */
export function message(
  text: string,
  {
    id,
    place = 'home',
    at = FRIDAY_NOON,
  }: { readonly id: string; readonly place?: Place; readonly at?: number },
): Record<string, unknown> {
  const adapter = place === 'home' ? 'terminal' : 'openline'
  return {
    ...{ id, at, kind: 'message', text, quoted: [], attachments: [], replyTo: null, place },
    source: { adapter, user: 'local', chat: 'owner', group: false },
  }
}

/** As the configuration of a home would show it. */
function modelView({ reader: { id, locality } }: ModelProvider, at: number): ModelView {
  return {
    ...{ name: id, kind: 'openai', model: `${id}-1`, locality: locality === 'cloud' ? 'cloud' : 'home' },
    ...{ clearance: 'regulated', place: at + 1, state: 'works', host: `${id}.example` },
  }
}

export function scriptedModel(
  id: string,
  answer: (prompt: FinalPrompt) => string,
  locality: 'home' | 'cloud' = 'home',
): ModelProvider {
  const level = locality === 'home' ? 'regulated' : 'sensitive'
  return {
    reader: { id, locality, level, compartments: locality === 'home' ? 'all' : [] },
    complete: async (prompt) => ({
      ok: true,
      value: { text: answer(prompt), cut: false, tokens: { input: 0, output: 0 } },
    }),
  }
}

function recording(model: ModelProvider, prompts: FinalPrompt[]): ModelProvider {
  return {
    reader: model.reader,
    ...(model.cacheMinimum !== undefined && { cacheMinimum: model.cacheMinimum }),
    ...(model.version !== undefined && { version: model.version }),
    ...(model.window !== undefined && { window: model.window }),
    ...(model.reads !== undefined && { reads: model.reads }),
    complete: (prompt, limits, live) => {
      prompts.push(prompt)
      return model.complete(prompt, limits, live)
    },
  }
}

/** What is shipped is read once: it is frozen, or only read, and a suite makes thousands of worlds. */
function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
const shippedRegistry = once(() => createRegistry(TOOL_MANIFESTS))
const shippedTexts = once(readPromptTexts)
const ofShippedRegistry = once(() => templatesOf(shippedRegistry()))

function shippedTemplates(registry: Registry): readonly Template[] {
  return registry === shippedRegistry() ? ofShippedRegistry() : templatesOf(registry)
}

function templatesOf(registry: Registry): readonly Template[] {
  const loaded = readTemplates(registry)
  if (!loaded.ok) throw new Error(`shipped templates: ${loaded.reason.code}`)
  return loaded.value
}

function extraTemplates(registry: Registry, inputs: readonly unknown[]): readonly Template[] {
  const loaded = loadTemplates(inputs, registry, EFFECT_IDS)
  if (!loaded.ok)
    throw new Error(`extra templates: ${loaded.reason.code} ${JSON.stringify(loaded.reason.facts)}`)
  return loaded.value.templates
}

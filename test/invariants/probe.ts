/**
 * A pipeline over tools and one template of the test's own choosing, planned by script: the real kernel, store and
 * sealing of test/pipeline/world.ts with another registry. Must not stand in for any policy.
 */
import type { Level } from '../../kernel/flow/level.ts'
import type { Policy } from '../../kernel/flow/policy.ts'
import type { Refusal } from '../../kernel/flow/verdict.ts'
import type { Powers } from '../../kernel/powers/all-powers.ts'
import { EFFECT_IDS } from '../../kernel/powers/effects.ts'
import type { Contact } from '../../kernel/powers/ports.ts'
import type { TaskReport } from '../../kernel/runtime/report.ts'
import { createShell } from '../../kernel/runtime/shell.ts'
import { loadTemplates } from '../../kernel/template/load.ts'
import type { ActionManifest, ToolManifest } from '../../kernel/tool/manifest.ts'
import { createRegistry } from '../../kernel/tool/registry.ts'
import { createWorld, message, type ScriptedTool, scriptedModel, type World } from '../pipeline/world.ts'

/** No rule knows these words, so the scripted planner is asked. */
export const WORDS = 'please do the unusual thing'
const ADAPTER = 'probe'
const CHAT = 'sink:probe:owner'

export interface Probe {
  readonly actions: readonly ActionManifest[]
  /** What there was when the template was loaded; all of them unless said. */
  readonly loadedFrom?: readonly ActionManifest[]
  readonly tools: Readonly<Record<string, ScriptedTool>>
  /** Fields of the template that the test cares for. */
  readonly template: Readonly<Record<string, unknown>>
  readonly steps: readonly unknown[]
  readonly words?: string
  readonly contacts?: readonly Contact[]
  /** The level that the owner's chat, and so each message in it, is cleared for. */
  readonly line?: Level
}

export interface Probed {
  readonly report: TaskReport
  /** Tools that ran, in order. */
  readonly ran: readonly string[]
  /** Why the owner was asked; empty if nothing was asked. */
  readonly asked: readonly unknown[]
  readonly denied: readonly unknown[]
  readonly world: World
}

export const action = (id: string, rest: Partial<ActionManifest>): ActionManifest => ({
  ...{
    id,
    description: id,
    semantics: 'read',
    ceiling: 'internal',
    compartment: null,
    reaches: 'sensitive',
    sink: null,
  },
  args: { kind: 'record', fields: {} },
  output: { kind: 'record', fields: { ok: { kind: 'boolean' } } },
  ...rest,
})

/** What the set of templates is refused with, or null. */
export function templateRefusal(
  actions: readonly ActionManifest[],
  template: Probe['template'],
): Refusal | null {
  const loaded = loadTemplates([whole(template)], createRegistry([manifestOf(actions)]), EFFECT_IDS)
  return loaded.ok ? null : loaded.reason
}

export async function probe(input: Probe): Promise<Probed> {
  const planner = scriptedModel('scripted', ({ parts }) =>
    parts.purpose === 'plan' ? JSON.stringify({ steps: input.steps, explanation: '' }) : 'done as told',
  )
  const { tools, contacts = [], line = 'sensitive' } = input
  const policy = (shipped: Policy) => withChat(shipped, line)
  const world = createWorld({ tools, contacts, policy, models: [planner], owner: [`${ADAPTER}:local`] })
  const registry = createRegistry([manifestOf(input.actions)])
  const known = input.loadedFrom === undefined ? registry : createRegistry([manifestOf(input.loadedFrom)])
  const loaded = loadTemplates([whole(input.template)], known, EFFECT_IDS)
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.reason))
  const powers: Powers = { ...world.powers, registry, templates: loaded.value.templates }
  const shell = createShell(powers)
  const source = { adapter: ADAPTER, user: 'local', chat: 'owner', group: false }
  const received = await shell.receive({ ...message(input.words ?? WORDS, { id: 'p1' }), source })
  if (!received.ok) throw new Error(received.reason.code)
  await shell.run(received.value.principal)
  const report = await shell.report(received.value.task)
  if (report === null) throw new Error('no report')
  const audit = world.disk.store.auditOf(received.value.task)
  const factsOf = (kind: string) => audit.filter((row) => row.kind === kind).map(({ facts }) => facts)
  return {
    report,
    world,
    ran: world.calls.map(({ tool }) => tool),
    asked: factsOf('approval_asked').map(({ reason }) => reason),
    denied: factsOf('denial').map(({ code }) => code),
  }
}

function withChat(policy: Policy, level: Level): Policy {
  const rest = { place: 'home', compartments: [], principal: policy.owner, audience: 'sole' } as const
  const allowLists = policy.allowLists.map(({ guard, patterns }) => ({
    guard,
    patterns: [...patterns, CHAT],
  }))
  return { ...policy, sinks: [...policy.sinks, { id: CHAT, level, ...rest }], allowLists }
}

function manifestOf(actions: readonly ActionManifest[]): ToolManifest {
  const rest = { version: '1', ownerOnly: true, places: ['home'], network: [], credential: null } as const
  return { name: 'probe', ...rest, actions }
}

function whole(template: Probe['template']): unknown {
  return {
    template_id: 'probe_owner',
    triggers: [`adapter:${ADAPTER}:*:owner`],
    principal_class: 'owner',
    description: 'A probe',
    allowed_tools: ['probe.*'],
    max_tool_calls: 8,
    max_tokens_plan: 500,
    max_tokens_synthesize: 500,
    output_sinks: ['reply_to_sender'],
    data_ceiling: 'sensitive',
    ...template,
  }
}

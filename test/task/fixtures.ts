/**
 * Records and plans that the tests of `kernel/task` share. Holds no expectation. Called by `test/task/*.test.ts`.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { parse } from 'smol-toml'
import { labelOf } from '../../kernel/flow/label.ts'
import { taintOf } from '../../kernel/flow/taint.ts'
import type { Result } from '../../kernel/flow/verdict.ts'
import { advance, type NewTask, startTask } from '../../kernel/machine/machine.ts'
import type { Transition } from '../../kernel/machine/step.ts'
import type { Capability, CapabilityToken } from '../../kernel/task/capability.ts'
import type { Outcome } from '../../kernel/task/outcome.ts'
import type { Plan, Step } from '../../kernel/task/plan.ts'
import type { SealedRef, Task } from '../../kernel/task/task.ts'
import type { ActionManifest, ToolManifest } from '../../kernel/tool/manifest.ts'
import { createRegistry } from '../../kernel/tool/registry.ts'

export const NOW = 1_700_000_000_000

/** The reason of a refusal, or `ok`. */
export function codeOf(result: Result<unknown>): string {
  return result.ok ? 'ok' : result.reason.code
}

export function ref(id: string): SealedRef {
  const label = labelOf([{ origin: 'tool:x', field: '*', level: 'sensitive', compartment: null }])
  return { id, version: 1, label, taint: taintOf('raw', 'tool:x'), holds: { what: 'text' } }
}

export const NEW_TASK: NewTask = {
  id: 't1',
  trace: 'trace1',
  template: 'owner_private',
  principal: 'principal:owner',
  event: 'e1',
  place: 'edge',
  turn: 1,
  ceiling: { level: 'sensitive', compartments: [] },
  tools: ['email.list', 'calendar.create_event'],
  maxToolCalls: 3,
  sink: 'sink:terminal:owner',
  words: ref('words'),
  memory: {},
  createdAt: NOW,
}

export function toolStep(n: number, rest: Partial<Step> = {}): Step {
  return { id: `s${n}`, do: 'tool', tool: 'email.list', args: {}, ...rest } as Step
}

export function planOf(...steps: readonly Step[]): Plan {
  return { steps, explanation: '' }
}

export const PROVENANCE = { label: labelOf([]), taint: taintOf('clean', 'owner') }

export const EXTRACTED: Outcome = { got: 'extracted', said: ref('said'), needsTools: true }

export function planned(plan: Plan, round = 1): Outcome {
  return { got: 'planned', round, plan, planner: 'rules', provenance: PROVENANCE }
}

export function claimsFor(task: Task, step: number): Capability {
  const at = task.plan?.steps[step]
  return {
    id: `cap-${step}`,
    place: task.place,
    task: task.id,
    template: task.template,
    principal: task.principal,
    step: at?.id ?? '',
    tool: at !== undefined && 'tool' in at ? at.tool : '',
    scope: '',
    argsDigest: '0'.repeat(64),
    argsTaint: taintOf('clean', 'owner'),
    approval: null,
    issuedAt: NOW,
    expiresAt: NOW + 1_000,
    maxInvocations: 1,
  }
}

export function tokenFor(task: Task, step: number): CapabilityToken {
  return { claims: claimsFor(task, step), mac: 'f'.repeat(64) }
}

export function authorized(task: Task, step: number, semantics: 'read' | 'write' = 'write'): Outcome {
  return { got: 'authorized', step, token: tokenFor(task, step), semantics }
}

export function resultOf(step: number): Outcome {
  return { got: 'result', step, result: { kind: 'sealed', ref: ref(`r${step}`) }, label: 'sensitive' }
}

/** Runs outcomes from the very start; each may depend on the task as it then is. */
export function drive(
  outcomes: readonly (Outcome | ((task: Task) => Outcome))[],
  start: Partial<NewTask> = {},
): Transition {
  return outcomes.reduce<Transition>(
    ({ task }, outcome) => advance(task, typeof outcome === 'function' ? outcome(task) : outcome),
    startTask({ ...NEW_TASK, ...start }),
  )
}

function action(id: string, rest: Partial<ActionManifest> = {}): ActionManifest {
  return {
    id,
    description: id,
    semantics: 'read',
    args: { kind: 'record', fields: {} },
    output: { kind: 'record', fields: { at: { kind: 'date' } } },
    ceiling: 'sensitive',
    compartment: null,
    reaches: 'sensitive',
    sink: null,
    ...rest,
  }
}

function manifest(name: string, ownerOnly: boolean, actions: readonly ActionManifest[]): ToolManifest {
  return { name, version: '1', ownerOnly, places: ['home'], network: [], credential: null, actions }
}

/** The same families and classes as the tools that ship, so the shipped templates can be loaded. */
export const REGISTRY = createRegistry([
  manifest('email', true, [action('email.list'), action('email.read')]),
  manifest('calendar', true, [
    action('calendar.freebusy', {
      output: { kind: 'record', fields: { at: { kind: 'date', level: 'internal' } } },
    }),
    action('calendar.list_events'),
    action('calendar.create_event', { semantics: 'write', ceiling: 'internal', sink: 'sink:calendar:owner' }),
  ]),
  manifest('web', false, [action('web.read'), action('web.post', { semantics: 'write' })]),
])

export const EFFECT_IDS = ['memory.save', 'memory.search', 'brain.load', 'message.reply']

const FOLDER = new URL('../../templates/tasks/', import.meta.url)

/** Every template that ships, decoded, by file name. */
export function shippedTemplates(): ReadonlyMap<string, unknown> {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.toml'))
  return new Map(files.sort().map((file) => [file, parse(readFileSync(new URL(file, FOLDER), 'utf8'))]))
}

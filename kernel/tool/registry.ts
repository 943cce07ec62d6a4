/**
 * The existing actions, by id. Built by each place from its tools; what is registered is immutable. Must not execute anything.
 * Called by templates, plan, resolve, authorize and invoke.
 */
import { leavesOf } from '../flow/field.ts'
import { err, ok, type Result } from '../flow/verdict.ts'
import { addsFault } from './adds.ts'
import { laterFault } from './later.ts'
import type { ActionManifest, ToolManifest } from './manifest.ts'
import { pagesFault } from './pages.ts'
import { remarksFault } from './remarks.ts'
import { targetFault } from './target.ts'

export interface RegisteredAction extends ActionManifest {
  readonly tool: ToolManifest
}

export interface Registry {
  readonly actions: ReadonlyMap<string, RegisteredAction>
}

export function createRegistry(manifests: readonly ToolManifest[]): Registry {
  const actions = new Map<string, RegisteredAction>()
  for (const tool of manifests.map(asDeclared)) {
    for (const action of tool.actions) {
      if (actions.has(action.id)) throw new Error(`two tools declare ${action.id}`)
      const argument = undisclosableArgument(tool, action)
      if (argument !== null) throw new Error(`${action.id}: ${argument} cannot be disclosed`)
      const target = targetFault(tool, action)
      if (target !== null) throw new Error(`${action.id}: ${target}`)
      const remarks = remarksFault(tool, action)
      if (remarks !== null) throw new Error(`${action.id}: ${remarks}`)
      const adds = addsFault(action)
      if (adds !== null) throw new Error(`${action.id}: ${adds}`)
      const later = laterFault(tool, action)
      if (later !== null) throw new Error(`${action.id}: ${later}`)
      const pages = pagesFault(action)
      if (pages !== null) throw new Error(`${action.id}: ${pages}`)
      if (!opensLawfully(action)) throw new Error(`${action.id}: a yes to it cannot cover that`)
      const claimed = action.capability ?? ''
      if (claimed === PUBLIC_READ || isOwn(claimed))
        throw new Error(`${action.id}: ${claimed} is not its to say`)
      actions.set(action.id, Object.freeze({ ...action, tool }))
    }
  }
  return Object.freeze({ actions })
}

/** Registry of a place where the owner adds services while it runs: rebuilt entirely whenever the list is another one. */
export function createLiveRegistry(manifests: () => readonly ToolManifest[]): Registry {
  let known = manifests()
  let registry = createRegistry(known)
  return Object.freeze({
    get actions() {
      const now = manifests()
      if (now !== known) {
        registry = createRegistry(now)
        known = now
      }
      return registry.actions
    },
  })
}

/**
 * Capability of a tool without a key that has named hosts, sends only disclosed words or public values, and returns public
 * data.
 */
export const PUBLIC_READ = 'public:read'

/**
 * Capabilities for every read, or every write, of tools that declare a capability or are public reads, without a compartment:
 * what the owner may do on a private line. The template's ceiling and the cards apply as if each action were named.
 */
const OWN = { 'own:read': 'read', 'own:write': 'write' } as const

export function isOwn(capability: string): capability is keyof typeof OWN {
  return Object.hasOwn(OWN, capability)
}

/** Whether a template with this capability selects the action. Derived capabilities are never claimed by a declaration. */
export function hasCapability(action: RegisteredAction, capability: string): boolean {
  if (capability === PUBLIC_READ) return isPublicRead(action)
  if (!isOwn(capability)) return action.capability === capability
  const isOffered = action.capability !== undefined || isPublicRead(action)
  return isOffered && action.semantics === OWN[capability] && action.compartment === null
}

/** Whether the action changes something: a write, or a read that creates a card for a change. */
export function changesSomething({
  semantics,
  widens,
}: Pick<RegisteredAction, 'semantics' | 'widens'>): boolean {
  return semantics === 'write' || widens === true
}

function isPublicRead({ semantics, reaches, ceiling, args, output, tool }: RegisteredAction): boolean {
  const keyless = tool.credential === null && !tool.network.includes('*')
  const disclosesOnlyDeclared = leavesOf(args).every(
    ([, leaf]) => leaf.disclosed === true || leaf.level === 'public',
  )
  const returnsOnlyPublic = leavesOf(output).every(([, leaf]) => (leaf.level ?? ceiling) === 'public')
  return keyless && semantics === 'read' && reaches === 'public' && disclosesOnlyDeclared && returnsOnlyPublic
}

/**
 * Disclosed arguments must be text fields of their own, sent to hosts that a card can name. Returns the name of an argument
 * that violates this; null if none does.
 */
function undisclosableArgument({ network }: ToolManifest, { args }: ActionManifest): string | null {
  const named = network.length > 0 && !network.includes('*')
  const undisclosable = Object.entries(args.fields).find(([, spec]) =>
    leavesOf(spec).some(
      ([, leaf]) =>
        leaf.disclosed === true &&
        !(named && spec.kind === 'text' && leaf.destination !== true && leaf.scope !== true),
    ),
  )
  return undisclosable?.[0] ?? null
}

/**
 * Only a call that always asks, because it discloses the owner's words to a service,
 * has an approval that could cover further reads.
 */
function opensLawfully({ opens, semantics, args, output }: ActionManifest): boolean {
  if (opens === undefined) return true
  const tells = leavesOf(args).some(([, leaf]) => leaf.disclosed === true)
  const found = leavesOf(output).find(([path]) => path === `${opens.list}[].${opens.field}`)
  return semantics === 'read' && tells && found?.[1].kind === 'url'
}

/** A deeply frozen copy: a tool that changes its manifest later changes neither its guard nor what a planner reads. */
export function asDeclared(manifest: ToolManifest): ToolManifest {
  const copy: ToolManifest = JSON.parse(JSON.stringify(manifest))
  freeze(copy)
  return copy
}

function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  for (const inner of Object.values(value)) freeze(inner)
  Object.freeze(value)
}

/** Looks up own entries only: a plan that names `constructor` finds nothing. */
export function findAction(registry: Registry, id: string): Result<RegisteredAction> {
  const action = registry.actions.get(id)
  return action === undefined ? err('tool_unknown') : ok(action)
}

/** Expands `admin.*` to every registered id of that family, once, at load (B-35). */
export function expandPattern(registry: Registry, pattern: string): readonly string[] {
  if (!pattern.endsWith('.*')) return registry.actions.has(pattern) ? [pattern] : []
  return [...registry.actions.keys()].filter((id) => id.startsWith(pattern.slice(0, -1))).sort()
}

/** Whether a pattern is this id, or its family: `calendar.*`. */
export function isCovered(pattern: string, id: string): boolean {
  return pattern.endsWith('.*') ? id.startsWith(pattern.slice(0, -1)) : pattern === id
}

/**
 * The tools of a template: allowed by name or capability, minus denied by name, expanded once against what exists (B-34, B-35,
 * X-04) and limited by the principal's class (B-39). Called by the loader of templates.
 */
import { leavesOf, type ScalarSpec } from '../flow/field.ts'
import { compareLevels, type Level } from '../flow/level.ts'
import { err, ok, type Result } from '../flow/verdict.ts'
import type { ClassCapabilities } from '../task/principal.ts'
import type { ActionManifest } from '../tool/manifest.ts'
import { expandPattern, findAction, hasCapability, isCovered, type Registry } from '../tool/registry.ts'

/** What exists at this place. */
export interface Available {
  readonly registry: Registry
  /** Ids of kernel effects, such as `message.reply`. */
  readonly effects: readonly string[]
}

export interface ToolLists {
  readonly allowed: readonly string[]
  readonly denied: readonly string[]
}

export interface ExpandedTools {
  /** The expanded ids, sorted. */
  readonly tools: readonly string[]
  /** Allowed by name, but not available at this place. A capability without any tool is not an error. */
  readonly missing: readonly string[]
}

/** Only in `denied_tools`: documents that everything else is denied, which is the default anyway. */
export const DENY_ALL = '*'

/** Highest level that an owner-only tool may give to anyone but the owner. */
const MOST_SHARED: Level = 'internal'

export function expandTools(lists: ToolLists, available: Available): ExpandedTools {
  const found = lists.allowed.map((pattern) => ({ pattern, ids: idsOf(pattern, available) }))
  const tools = [...new Set(found.flatMap(({ ids }) => ids))].filter((id) => !isDenied(id, lists)).sort()
  const missing = found.filter(
    ({ pattern, ids }) => ids.length === 0 && !isCapability(pattern) && !isDenied(pattern, lists),
  )
  return { tools, missing: missing.map(({ pattern }) => pattern) }
}

/**
 * Whether the file allows a tool by name, family or capability, at this place or another. A tool that this place lacks may have
 * any capability.
 */
export function isDeclared(id: string, lists: ToolLists, { registry }: Available): boolean {
  const action = registry.actions.get(id)
  const covers = (pattern: string): boolean =>
    isCapability(pattern) ? action === undefined || hasCapability(action, pattern) : isCovered(pattern, id)
  return lists.allowed.some(covers) && !isDenied(id, lists)
}

/** `mail:read`; tool ids contain a dot instead. */
function isCapability(pattern: string): boolean {
  return pattern.includes(':')
}

/** Refusal: template_class_mismatch, naming a tool that this class may not have. */
export function checkToolsOfClass(
  tools: readonly string[],
  capabilities: ClassCapabilities,
  available: Available,
): Result<true> {
  const excess = tools.find((id) => !mayHave(id, capabilities, available))
  return excess === undefined ? ok(true) : err('template_class_mismatch', { tool: excess })
}

function mayHave(id: string, capabilities: ClassCapabilities, { registry, effects }: Available): boolean {
  if (effects.includes(id))
    return capabilities.effects.some((pattern) => pattern === '*' || isCovered(pattern, id))
  const action = findAction(registry, id)
  if (!action.ok) return false
  const { semantics, tool } = action.value
  const isOwners = tool.ownerOnly && !isShareable(action.value)
  return (capabilities.ownerOnlyTools || !isOwners) && (capabilities.writes || semantics === 'read')
}

/**
 * Others may get a read of an owner-only tool only if its every field is declared `internal` or lower, such as free/busy times
 * (X-05, S001 §18.3). What may leave is still decided atom by atom.
 */
function isShareable(action: ActionManifest): boolean {
  const lowEnough = ([, field]: readonly [string, ScalarSpec]) =>
    compareLevels(field.level ?? action.ceiling, MOST_SHARED) <= 0 &&
    (field.compartment ?? action.compartment) === null
  return action.semantics === 'read' && leavesOf(action.output).every(lowEnough)
}

function idsOf(pattern: string, { registry, effects }: Available): readonly string[] {
  if (isCapability(pattern))
    return [...registry.actions.values()]
      .filter((action) => hasCapability(action, pattern))
      .map(({ id }) => id)
  return [...expandPattern(registry, pattern), ...effects.filter((id) => isCovered(pattern, id))]
}

function isDenied(id: string, { denied }: ToolLists): boolean {
  return denied.some((pattern) => pattern !== DENY_ALL && isCovered(pattern, id))
}

/**
 * What the tools of a job's plan may reach, as approved, and what has widened since (DESIGN §9): hosts,
 * labels, readers, sink, or the saved request behind a name. Ignores any other change. Pure. Called where a
 * job is proposed and run.
 */
import { leavesOf } from '../../flow/field.ts'
import { compareLevels, type Level } from '../../flow/level.ts'
import type { Plan } from '../../task/plan.ts'
import { findAction, type RegisteredAction, type Registry } from '../../tool/registry.ts'

/** Reach of one action, from its manifest. */
export interface ActionReach {
  readonly hosts: readonly string[]
  readonly ceiling: Level
  readonly compartment: string | null
  readonly reaches: Level
  readonly sink: string | null
  readonly semantics: 'read' | 'write'
  /** Of each field of its output, by path. */
  readonly levels: Readonly<Record<string, Level>>
  /**
   * The saved request behind each name that the plan calls; absent for actions without names, and for older
   * records.
   */
  readonly called?: Readonly<Record<string, string>>
}

/** By the id of the action. */
export type JobReach = Readonly<Record<string, ActionReach>>

export function reachOf(registry: Registry, { steps }: Plan): JobReach {
  const actions = steps.flatMap((step) => {
    const action = 'tool' in step ? findAction(registry, step.tool) : null
    return action?.ok === true && 'args' in step ? [{ action: action.value, args: step.args }] : []
  })
  const reach = new Map<string, ActionReach>()
  for (const { action, args } of actions) {
    const named = { ...reach.get(action.id)?.called, ...calledBy(action, args) }
    const called = action.called?.versions === undefined ? {} : { called: named }
    reach.set(action.id, { ...reachOfAction(action), ...called })
  }
  return Object.fromEntries(reach)
}

/** The saved request behind the called name; all names if the plan does not say which. */
function calledBy(
  { called }: RegisteredAction,
  args: Readonly<Record<string, unknown>>,
): Readonly<Record<string, string>> {
  const versions = Object.entries(called?.versions ?? {})
  const said = args[called?.argument ?? '']
  const isSaid = (one: string): boolean => typeof said !== 'string' || plain(one) === plain(said)
  return Object.fromEntries(versions.filter(([one]) => isSaid(one)))
}

/** As the owner may type it: `office-temp` and `Office temp` are one name. */
function plain(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ')
}

/** Reach of the plan, and of the write to its page. */
export function reachOfJob(
  registry: Registry,
  {
    frozen,
    page,
  }: { readonly frozen: { readonly plan: Plan }; readonly page: { readonly tool: string } | null },
): JobReach {
  const writes = page === null ? null : findAction(registry, page.tool)
  const reads = reachOf(registry, frozen.plan)
  return writes?.ok === true ? { ...reads, [writes.value.id]: reachOfAction(writes.value) } : reads
}

function reachOfAction(action: RegisteredAction): ActionReach {
  const { ceiling, compartment, reaches, sink, semantics, output, tool } = action
  const levels = leavesOf(output).map(([path, { level = ceiling }]) => [path, level] as const)
  return {
    ...{ hosts: hostsOf(tool.network), ceiling, compartment, reaches, sink, semantics },
    levels: Object.fromEntries(levels),
  }
}

/**
 * If any host is allowed, hosts that the owner named with a port widen nothing that an approved plan calls.
 */
function hostsOf(network: readonly string[]): readonly string[] {
  return network.includes('*') ? ['*'] : [...network].sort()
}

export interface Widening {
  readonly action: string
  readonly what: 'hosts' | 'label' | 'readers' | 'sink' | 'called' | 'model'
  /** New hosts, the new sink or the new model; else empty. */
  readonly to: string
}

/** A removed action widens nothing: its step fails. A new action is not part of the approved plan. */
export function wideningsOf(before: JobReach, now: JobReach): readonly Widening[] {
  return Object.entries(now).flatMap(([action, is]) => {
    const was = before[action]
    if (was === undefined) return [{ action, what: 'sink', to: is.sink ?? '' } as const]
    const hosts = is.hosts.filter((host) => !was.hosts.includes(host))
    const found: Widening[] = []
    if (hosts.length > 0) found.push({ action, what: 'hosts', to: hosts.join(', ') })
    if (isOtherLabel(was, is)) found.push({ action, what: 'label', to: '' })
    if (compareLevels(is.reaches, was.reaches) < 0) found.push({ action, what: 'readers', to: '' })
    if (is.sink !== was.sink || is.semantics !== was.semantics)
      found.push({ action, what: 'sink', to: is.sink ?? '' })
    if (isOtherCall(was, is)) found.push({ action, what: 'called', to: '' })
    return found
  })
}

/** A name refers to another request than the approved one, or to one where there was none. */
function isOtherCall({ called: was }: ActionReach, { called: is = {} }: ActionReach): boolean {
  return was !== undefined && Object.entries(is).some(([name, version]) => was[name] !== version)
}

/** Adds facts that were not recorded at the approval, so that they are compared from now on. */
export function withCalled(before: JobReach, now: JobReach): JobReach {
  return Object.fromEntries(
    Object.entries(before).map(([id, was]) => {
      const called = was.called ?? now[id]?.called
      return [id, { ...was, ...(called !== undefined && { called }) }]
    }),
  )
}

/** The action may read more private data, or labels its results as less private. */
function isOtherLabel(was: ActionReach, is: ActionReach): boolean {
  if (compareLevels(is.ceiling, was.ceiling) > 0 || is.compartment !== was.compartment) return true
  return Object.entries(is.levels).some(
    ([path, level]) => compareLevels(level, was.levels[path] ?? level) < 0,
  )
}

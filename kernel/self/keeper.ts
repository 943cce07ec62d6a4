/**
 * The current self-description snapshot of a place: rebuilt on demand after a change, at most every five seconds (M-19 –
 * M-22), and at once after a change of the language or the assistant's name. Needs no timer, so a hibernating object stays
 * asleep. A task keeps its first version (M-18). Called by view.ts through `Powers.self`, and by the places on each change.
 */

import type { RegisteredAction, Registry } from '../tool/registry.ts'
import { type Integration, OWN_TOOLS } from './section.ts'
import { type SelfSnapshot, type SelfSources, takeSnapshot } from './snapshot.ts'

/** Minimum milliseconds between two rebuilds: many changes cost one rebuild (M-21). */
export const LEAST_BETWEEN = 5_000
/** Maximum tasks with a pinned version. The oldest is dropped and would read the newest version. */
const MOST_PINNED = 500

/** Events that make the snapshot outdated (M-19). There are no skills, MCP servers or flows yet. */
export const SELF_TRIGGERS = Object.freeze([
  'startup',
  'integration',
  'persona',
  'channel',
  'job',
  'memory',
  'home',
  'language',
] as const)
export type SelfTrigger = (typeof SELF_TRIGGERS)[number]

export interface SelfKeeper {
  /** The snapshot for prompts of this task; the same for every call of the task. */
  of(task: string): SelfSnapshot
  /** The newest snapshot, for display to the owner. */
  current(): SelfSnapshot
  /** Marks the snapshot as outdated. It is rebuilt on the next request. */
  touch(trigger: SelfTrigger): void
  /** How many snapshots were built, and how many of them retained a section of an earlier one (M-14). */
  readonly counts: () => { readonly rebuilt: number; readonly failed: number }
}

interface KeeperInput {
  readonly sources: SelfSources
  readonly now: () => number
  /** Called when a section could not be read. Names the section, never data. */
  readonly fault: (part: string) => void
}

export function createSelfKeeper({ sources, now, fault }: KeeperInput): SelfKeeper {
  let newest: SelfSnapshot | null = null
  let dirty = true
  let isNamed = true
  const counts = { rebuilt: 0, failed: 0 }
  const pinned = new Map<string, SelfSnapshot>()

  const current = (): SelfSnapshot => {
    const at = now()
    // A clock that was set back must not keep the old snapshot for ever.
    const rested = newest === null || at - newest.at >= LEAST_BETWEEN || at < newest.at
    if (newest !== null && !(dirty && (rested || !isNamed))) return newest
    dirty = false
    isNamed = true
    newest = takeSnapshot(sources, newest, at)
    counts.rebuilt += 1
    if (newest.failed.length > 0) {
      counts.failed += 1
      // A failed source is read again by the next prompt after the pause.
      dirty = true
      fault(`self: ${newest.failed.join(', ')}`)
    }
    return newest
  }

  return {
    current,
    of(task) {
      const known = pinned.get(task)
      if (known !== undefined) return known
      const snapshot = current()
      if (pinned.size >= MOST_PINNED) {
        const [oldest] = pinned.keys()
        if (oldest !== undefined) pinned.delete(oldest)
      }
      pinned.set(task, snapshot)
      return snapshot
    },
    touch(trigger) {
      dirty = true
      // The assistant's name, or all names in another language, change from the next prompt on.
      if (trigger === 'language' || trigger === 'persona') isNamed = false
    },
    counts: () => ({ ...counts }),
  }
}

/** A service through which an action can be executed: its name and state. */
export type ServiceState = Pick<Integration, 'name' | 'state'>

/**
 * `servicesOf` returns none for an action that cannot be executed from this place,
 * which is then omitted, and several if a tool opens several accounts.
 */
export function integrationsOf(
  registry: Registry,
  servicesOf: (action: RegisteredAction) => readonly ServiceState[],
): readonly Integration[] {
  const services = new Map<string, Integration>()
  for (const action of registry.actions.values()) {
    // Two accounts of a kind are one service, unless one of them does not work.
    const ways = new Map(servicesOf(action).map((one) => [`${one.state} ${one.name}`, one]))
    for (const [key, { name, state }] of ways) {
      const known = services.get(key) ?? { name, tools: 0, categories: [], state }
      const categories = [...new Set([...known.categories, action.tool.name])]
      services.set(key, { ...known, tools: known.tools + 1, categories })
    }
  }
  return [...services.values()]
}

/** Service name under which an action without accounts of its own is counted. */
export function serviceOf({ tool }: RegisteredAction): string {
  return tool.credential ?? OWN_TOOLS
}

/**
 * Principals: exactly one per event, derived from authenticated ids, never from content (B-01 – B-09, B-11).
 * Must not see a message. Called by route; the loader of templates reads the table of classes.
 */
import type { EventSource } from './event.ts'
import { formatPrincipalId, nameOf } from './principal-id.ts'

export const PRINCIPAL_CLASSES = Object.freeze(['owner', 'paired', 'third_party', 'webhook', 'cron'] as const)
export type PrincipalClass = (typeof PRINCIPAL_CLASSES)[number]

export interface Principal {
  /** Canonical: `principal:owner`, `principal:<adapter>:peer:12345`, `principal:<adapter>:W1:C1:U1`, … */
  readonly id: string
  readonly class: PrincipalClass
}

/** Who the owner is and who is paired, from configuration and pairing records, never from messages (B-08). */
export interface Directory {
  /** The owner's `adapter:user` ids. */
  readonly owner: readonly string[]
  /** Ids of principals with a live pairing. */
  readonly paired: readonly string[]
}

export type PrincipalSource = Pick<EventSource, 'adapter' | 'user' | 'chat' | 'group'>

/** The one owner's id (B-08). */
export const OWNER_PRINCIPAL: string = formatPrincipalId({ kind: 'owner' })

/** The maximum rights of a class. A template can only narrow them (S001 §4.1). */
export interface ClassCapabilities {
  /** Tools that use the owner's credentials on private data. */
  readonly ownerOnlyTools: boolean
  /** Tool actions with outside effects. */
  readonly writes: boolean
  /** Kernel effects, as ids or `family.*`; `*` means all. */
  readonly effects: readonly string[]
  /** `sender`: answers go only to the chat of the request. */
  readonly sinks: 'any' | 'sender'
  /** False: a task runs only its template's canned plans (B-06). */
  readonly plansFreely: boolean
}

/**
 * Data: tools and sinks. Readers: the five classes. Rationale: B-03 – B-07. `cron` runs as the owner but never administers
 * . A webhook cannot choose what is done, so its template carries the plan.
 */
export const CLASS_CAPABILITIES: Readonly<Record<PrincipalClass, ClassCapabilities>> = Object.freeze({
  owner: { ownerOnlyTools: true, writes: true, effects: ['*'], sinks: 'any', plansFreely: true },
  paired: {
    ownerOnlyTools: false,
    writes: false,
    effects: ['message.reply', 'owner.ask'],
    sinks: 'any',
    plansFreely: true,
  },
  third_party: {
    ownerOnlyTools: false,
    writes: false,
    effects: ['message.reply', 'owner.ask'],
    sinks: 'sender',
    plansFreely: true,
  },
  webhook: {
    ownerOnlyTools: false,
    writes: true,
    effects: ['message.*'],
    sinks: 'any',
    plansFreely: false,
  },
  cron: {
    ownerOnlyTools: true,
    writes: true,
    effects: ['message.*', 'memory.*', 'brain.*', 'tools.*'],
    sinks: 'any',
    plansFreely: true,
  },
})

/**
 * The principal of an event; never fails. An unconfigured sender is a third party. The owner is recognised only by a configured
 * `adapter:user`, and never in a group, which has other readers and is a principal of its own (B-11). Only a pairing record
 * makes a principal `paired`.
 */
export function principalOf(source: PrincipalSource, directory: Directory): Principal {
  const name = nameOf(source)
  if (name.kind === 'webhook' || name.kind === 'cron')
    return { id: formatPrincipalId(name), class: name.kind }
  if (!source.group && directory.owner.includes(`${source.adapter}:${source.user}`))
    return { id: OWNER_PRINCIPAL, class: 'owner' }
  const id = formatPrincipalId(name)
  return { id, class: classOf(id, directory) }
}

/** Class of a person, by principal id. Jobs and webhooks have classes of their own. */
export function classOf(id: string, { paired }: Pick<Directory, 'paired'>): PrincipalClass {
  if (id === OWNER_PRINCIPAL) return 'owner'
  return paired.includes(id) ? 'paired' : 'third_party'
}

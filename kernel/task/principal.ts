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

/** Who the owner is and who is paired: configuration and pairing records, never message content (B-08). */
export interface Directory {
  /** `adapter:user` ids that are the owner. */
  readonly owner: readonly string[]
  /** Principal ids with a live pairing. */
  readonly paired: readonly string[]
}

export type PrincipalSource = Pick<EventSource, 'adapter' | 'user' | 'chat' | 'group'>

/** The one owner's id (B-08). */
export const OWNER_PRINCIPAL: string = formatPrincipalId({ kind: 'owner' })

/** What a class may have at most; a template only narrows it (S001 §4.1). */
export interface ClassCapabilities {
  /** Tools that act with the owner's credentials on private data. */
  readonly ownerOnlyTools: boolean
  /** Tool actions that change something outside. */
  readonly writes: boolean
  /** Kernel effects, as ids or `family.*`; `*` is all. */
  readonly effects: readonly string[]
  /** `sender`: answers go back to the chat they came from, nowhere else. */
  readonly sinks: 'any' | 'sender'
  /** False: a task does only what its template's canned plans say (B-06). */
  readonly plansFreely: boolean
}

/**
 * Data: tools and sinks. Readers: the five classes. Rationale: B-03 – B-07; `cron` runs as the owner but never
 * administers; a webhook has no say in what is done, so its template carries the plan.
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
 * The principal of an event. Total: a sender that nobody configured is a third party. The owner is known by his
 * configured `adapter:user` alone and never in a group, where others read along and a group is a principal of its
 * own (B-11); nothing but a pairing record makes anyone `paired`.
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

/** Of a person, by his principal's id; jobs and webhooks have a class of their own. */
export function classOf(id: string, { paired }: Pick<Directory, 'paired'>): PrincipalClass {
  if (id === OWNER_PRINCIPAL) return 'owner'
  return paired.includes(id) ? 'paired' : 'third_party'
}

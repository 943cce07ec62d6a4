/**
 * Principals: exactly one per event, derived from authenticated ids, never from content (B-01 – B-09, B-11), and the form of
 * their ids. Must not see a message. Called by route; the loader of templates reads the table of classes.
 */
import { err, ok, type Result } from '../flow/verdict.ts'
import type { EventSource } from './event.ts'

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
    effects: ['message.*', 'memory.*', 'brain.*', 'tools.*', 'reminder.list', 'task.list'],
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

export type PrincipalName =
  | { readonly kind: 'owner' }
  /** A person on an adapter whose user ids are the same in every chat. */
  | { readonly kind: 'peer'; readonly adapter: string; readonly user: string }
  /** A chat with several readers. Its history belongs to none of them (B-11). */
  | { readonly kind: 'group'; readonly adapter: string; readonly chat: string }
  /** A member of a workspace, in one of its channels. */
  | {
      readonly kind: 'member'
      readonly adapter: string
      readonly workspace: string
      readonly channel: string
      readonly user: string
    }
  /** A telephone number. */
  | { readonly kind: 'number'; readonly adapter: string; readonly number: string }
  | { readonly kind: 'webhook'; readonly source: string }
  | { readonly kind: 'cron'; readonly job: string }

/** Maximum length, UTF-16 units: two escaped ids of an event fit. */
const MAX_ID = 4_000
const PREFIX = 'principal'
const NOT_PLAIN = /[^A-Za-z0-9_.@+-]/g
const ESCAPED = /^(?:[A-Za-z0-9_.@+-]|%[0-9a-f]{4})+$/
const NUMBER = /^\+[1-9][0-9]{4,14}$/
/** Id of a workspace, and of a channel or a member in it. */
const WORKSPACE_ID = /^[A-Z][A-Z0-9]{0,20}$/
const ADAPTER = /^[a-z][a-z0-9_]{0,31}$/
/** Adapter names that would collide with a kind of principal: `principal:cron:peer` must have one meaning. */
const RESERVED: readonly string[] = Object.freeze(['owner', 'webhook', 'cron'])

/** The one owner's id (B-08). */
export const OWNER_PRINCIPAL: string = formatPrincipalId({ kind: 'owner' })

/**
 * The principal of a source, by the form of its ids: `<workspace>:<channel>` with `<workspace>:<user>`, or an E.164 number;
 * otherwise the general form. No two senders get the same id.
 */
export function nameOf(source: Pick<EventSource, 'adapter' | 'user' | 'chat' | 'group'>): PrincipalName {
  const { adapter, user, chat, group } = source
  if (adapter === 'webhook') return { kind: 'webhook', source: user }
  if (adapter === 'cron') return { kind: 'cron', job: user }
  if (group) return { kind: 'group', adapter, chat }
  if (NUMBER.test(user)) return { kind: 'number', adapter, number: user }
  return memberName(adapter, user, chat) ?? { kind: 'peer', adapter, user }
}

export function formatPrincipalId(name: PrincipalName): string {
  return [PREFIX, ...partsOf(name)].join(':')
}

/**
 * A principal as typed: `owner`, an adapter with an account name, or its canonical id with or without `principal:`. Existence
 * is checked where it is used.
 */
export function principalTyped(typed: string): string {
  const parts = typed
    .trim()
    .replace(/^principal:/, '')
    .split(':')
  const [adapter = '', user = ''] = parts
  const whole = `principal:${parts.join(':')}`
  // For kinds with a form of their own, two parts can be a complete id.
  const isPerson = parts.length === 2 && !parsePrincipalId(whole).ok
  return isPerson ? formatPrincipalId({ kind: 'peer', adapter, user }) : whole
}

/** Refusal: principal_malformed. `formatPrincipalId` of the result gives the input again. */
export function parsePrincipalId(input: unknown): Result<PrincipalName> {
  if (typeof input !== 'string' || input.length > MAX_ID) return err('principal_malformed')
  const [prefix, ...parts] = input.split(':')
  const name = prefix === PREFIX && parts.every((part) => ESCAPED.test(part)) ? nameFrom(parts) : undefined
  return name !== undefined && formatPrincipalId(name) === input ? ok(name) : err('principal_malformed')
}

function partsOf(name: PrincipalName): readonly string[] {
  switch (name.kind) {
    case 'owner':
      return ['owner']
    case 'peer':
      return [name.adapter, 'peer', toSafe(name.user)]
    case 'group':
      return [name.adapter, 'group', toSafe(name.chat)]
    case 'member':
      return [name.adapter, name.workspace, name.channel, name.user]
    case 'number':
      return [name.adapter, name.number]
    case 'webhook':
      return ['webhook', toSafe(name.source)]
    case 'cron':
      return ['cron', toSafe(name.job)]
  }
}

function nameFrom(parts: readonly string[]): PrincipalName | undefined {
  const [first = '', second = '', third = '', fourth = ''] = parts
  switch (parts.length) {
    case 1:
      return first === 'owner' ? { kind: 'owner' } : undefined
    case 2:
      return pairName(first, second)
    case 3:
      return chatName(first, second, fromSafe(third))
    case 4:
      return isAdapter(first) ? memberName(first, `${second}:${fourth}`, `${second}:${third}`) : undefined
    default:
      return undefined
  }
}

function pairName(first: string, second: string): PrincipalName | undefined {
  if (first === 'webhook') return { kind: 'webhook', source: fromSafe(second) }
  if (first === 'cron') return { kind: 'cron', job: fromSafe(second) }
  return isAdapter(first) && NUMBER.test(second)
    ? { kind: 'number', adapter: first, number: second }
    : undefined
}

function chatName(adapter: string, form: string, id: string): PrincipalName | undefined {
  if (!isAdapter(adapter)) return undefined
  if (form === 'peer') return { kind: 'peer', adapter, user: id }
  return form === 'group' ? { kind: 'group', adapter, chat: id } : undefined
}

function isAdapter(name: string): boolean {
  return ADAPTER.test(name) && !RESERVED.includes(name)
}

function memberName(adapter: string, user: string, chat: string): PrincipalName | undefined {
  const [workspace = '', member = '', ...more] = user.split(':')
  const [sameWorkspace = '', channel = '', ...rest] = chat.split(':')
  const shaped = [workspace, member, channel].every((part) => WORKSPACE_ID.test(part))
  if (!shaped || workspace !== sameWorkspace || more.length + rest.length > 0) return undefined
  return { kind: 'member', adapter, workspace, channel, user: member }
}

/** Reversible and injective for any text: `%` and four hex digits per UTF-16 unit. */
function toSafe(text: string): string {
  // Without the `u` flag a pattern matches UTF-16 units, so each half of a surrogate pair is escaped.
  return text.replace(NOT_PLAIN, (unit) => `%${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

function fromSafe(text: string): string {
  return text.replace(/%([0-9a-f]{4})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}

/** The principal that a task talks to. A job of the owner's talks to the owner, in the one chat that its row names. */
export function readerOf(principal: string): string {
  const name = parsePrincipalId(principal)
  return name.ok && name.value.kind === 'cron' ? OWNER_PRINCIPAL : principal
}

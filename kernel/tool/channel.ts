/**
 * Channels as data (H-13): the credentials that each needs, the texts for the owner, the words by which the
 * owner names one, and what a tool or channel asks for when it is connected. An adapter is one entry of a
 * place's list. Pure; must not know whether one is active. Called by the pipeline, the runtime and both places.
 */
import { bareSentence } from '../wording/typed.ts'
import type { AccountSpec, ConnectSpec, ToolManifest } from './manifest.ts'
import type { RegisteredAction, Registry } from './registry.ts'

/** One credential of a channel: its name in the vault, and the texts for the owner. */
interface ChannelNeed extends ConnectSpec {
  readonly service: string
}

export interface ChannelAdapter {
  /** As the owner types it, in lower case. */
  readonly name: string
  readonly title: string
  /** Credentials, in the order in which they are asked for. The account that they open becomes the channel's. */
  readonly needs: readonly ChannelNeed[]
  /** How the owner proves the account there: a sentence followed by `account` and the code. */
  readonly prove: string
}

/** What the kernel knows of a chat service: its title, and whether its files can be fetched. */
interface ChatFacts {
  readonly title: string
  readonly fetches: boolean
}

/** By adapter name. A name may be listed without an adapter: it is recognised, and the owner is told that it is not available. */
export type Chats = Readonly<Record<string, ChatFacts>>

/** The title; null for a service that is not listed. */
export function chatTitleOf(chats: Chats, adapter: string): string | null {
  return (Object.hasOwn(chats, adapter) ? chats[adapter]?.title : undefined) ?? null
}

const MENTION = '(?:my |the )?([a-z0-9_-]{1,32})(?: (?:bot|channel|chat|line))?'
const WAYS = [
  [true, `(?:connect|activate|set up) ${MENTION}`] as const,
  [false, `disconnect ${MENTION}`] as const,
  ...turns(MENTION),
].map(([on, way]) => [on, new RegExp(`^(?:/(?=(?:dis)?connect )|(?:please )?)${way}$`)] as const)

/** Pattern sources for turning the thing that `name` matches on or off. */
export function turns(name: string): readonly (readonly [on: boolean, way: string])[] {
  return [
    [false, `(?:(?:turn|switch) off|deactivate|disable) ${name}`],
    [false, `(?:turn|switch) ${name} off`],
    [true, `(?:(?:turn|switch)(?: back)? on|reactivate|enable) ${name}`],
    [true, `(?:turn|switch) ${name}(?: back)? on`],
  ]
}

/** A whole message that only names one of these chats. Any other message is an ordinary request. */
export function channelInText(
  words: string,
  chats: Chats,
): { readonly name: string; readonly on: boolean } | null {
  const said = channelIn(words)
  return said !== null && Object.hasOwn(chats, said.name) ? said : null
}

function channelIn(words: string): { readonly name: string; readonly on: boolean } | null {
  // A question is not a command.
  const text = words.trimEnd().endsWith('?') ? '' : bareSentence(words)
  for (const [on, way] of WAYS) {
    const name = way.exec(text)?.[1]
    if (name !== undefined) return { name, on }
  }
  return null
}

export interface CredentialNeed extends ConnectSpec {
  /** Name of the credential in the manifests: `google`. */
  readonly service: string
}

/** Null if no installed tool needs it. */
function needOf(registry: Registry, service: string): CredentialNeed | null {
  const specs = actionsOf(registry, service).map(
    ({ tool }) => accountOf(tool, service)?.connect ?? tool.connect,
  )
  const spec = specs.find((one) => one !== undefined)
  return spec === undefined ? null : { ...spec, service }
}

/** Like `needOf`, and also for chats that may be activated (H-13). */
export function needFor(
  { registry, channels }: { readonly registry: Registry; readonly channels?: Adapters },
  service: string,
): CredentialNeed | null {
  return needOf(registry, service) ?? channelNeed(channels, service)?.need ?? null
}

interface Adapters {
  readonly adapters: readonly ChannelAdapter[]
}

/** Null if no chat needs it. */
export function channelNeed(
  channels: Adapters | undefined,
  service: string,
): { readonly adapter: ChannelAdapter; readonly need: CredentialNeed } | null {
  for (const adapter of channels?.adapters ?? []) {
    const need = adapter.needs.find((one) => one.service === service)
    if (need !== undefined) return { adapter, need }
  }
  return null
}

/** All needs that `needFor` can return: tools by name, then chats. */
export function allNeeds(powers: {
  readonly registry: Registry
  readonly channels?: Adapters
}): readonly CredentialNeed[] {
  return [
    ...needsOf(powers.registry),
    ...(powers.channels?.adapters ?? []).flatMap((adapter) => adapter.needs),
  ]
}

/** Cache, because every message is compared with the names of the services that are declared now. */
const needsIn = new WeakMap<Registry['actions'], readonly CredentialNeed[]>()

/** All needs of tools, by name. */
export function needsOf(registry: Registry): readonly CredentialNeed[] {
  const { actions } = registry
  const known = needsIn.get(actions)
  if (known !== undefined) return known
  const services = new Set([...actions.values()].flatMap(({ tool }) => [...askedFor(tool)]))
  const needs = [...services].sort().flatMap((service) => needOf(registry, service) ?? [])
  needsIn.set(actions, needs)
  return needs
}

export function actionsOf(registry: Registry, service: string): readonly RegisteredAction[] {
  return [...registry.actions.values()].filter(({ tool }) => askedFor(tool).includes(service))
}

/** The account with a key of its own, which other calls of its tool do not need; null for any other credential. */
export function accountOf({ accounts = [] }: ToolManifest, service: string): AccountSpec | null {
  return accounts.find(({ credential, connect }) => connect !== undefined && credential === service) ?? null
}

/** Whether the owner chose the address that the key is sent to. Its format then does not identify a service. */
export function isSentAlong(registry: Registry, service: string): boolean {
  return actionsOf(registry, service).some(({ tool }) => accountOf(tool, service)?.sends !== undefined)
}

function askedFor({ credential, accounts = [] }: ToolManifest): readonly string[] {
  const own = accounts.flatMap((one) => (one.connect === undefined ? [] : one.credential))
  return credential === null ? own : [credential, ...own]
}

/** Whether the whole message has the form of the requested credential. */
export function fitsShape({ shape }: ConnectSpec, text: string): boolean {
  return new RegExp(`^(?:${shape})$`).test(text.trim())
}

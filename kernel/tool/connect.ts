/**
 * The credentials that installed tools need (L-11, L-12), taken only from manifests, so that nothing else can be asked of the
 * owner. Pure. Called by ask-credential.ts, own-commands.ts, channels.ts and runtime/.
 */
import type { ChannelAdapter } from './channel.ts'
import type { ConnectSpec } from './manifest.ts'
import type { RegisteredAction, Registry } from './registry.ts'

export interface CredentialNeed extends ConnectSpec {
  /** Name of the credential in the manifests: `google`. */
  readonly service: string
}

/** Null if no installed tool needs it. */
export function needOf(registry: Registry, service: string): CredentialNeed | null {
  const spec = actionsOf(registry, service).find(({ tool }) => tool.connect !== undefined)?.tool.connect
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

/** All needs of tools, by name. */
export function needsOf(registry: Registry): readonly CredentialNeed[] {
  const services = new Set([...registry.actions.values()].flatMap(({ tool }) => tool.credential ?? []))
  return [...services].sort().flatMap((service) => needOf(registry, service) ?? [])
}

export function actionsOf(registry: Registry, service: string): readonly RegisteredAction[] {
  return [...registry.actions.values()].filter(({ tool }) => tool.credential === service)
}

/** Whether the whole message has the form of the requested credential. */
export function fitsShape({ shape }: ConnectSpec, text: string): boolean {
  return new RegExp(`^(?:${shape})$`).test(text.trim())
}

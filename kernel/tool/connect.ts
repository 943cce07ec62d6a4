/**
 * What the installed tools say of the credentials that they need (L-11, L-12): by the manifests alone, so that nobody can have
 * the owner asked for anything else. Pure. Called by ask-credential.ts, own-commands.ts, channels.ts and runtime/.
 */
import type { ChannelAdapter } from './channel.ts'
import type { ConnectSpec } from './manifest.ts'
import type { RegisteredAction, Registry } from './registry.ts'

export interface CredentialNeed extends ConnectSpec {
  /** What the manifests call the credential: `google`. */
  readonly service: string
}

/** Null for what no installed tool asks for. */
export function needOf(registry: Registry, service: string): CredentialNeed | null {
  const spec = actionsOf(registry, service).find(({ tool }) => tool.connect !== undefined)?.tool.connect
  return spec === undefined ? null : { ...spec, service }
}

/** The same, or what a chat asks for that may be activated (H-13). */
export function needFor(
  { registry, channels }: { readonly registry: Registry; readonly channels?: Adapters },
  service: string,
): CredentialNeed | null {
  return needOf(registry, service) ?? channelNeed(channels, service)?.need ?? null
}

interface Adapters {
  readonly adapters: readonly ChannelAdapter[]
}

/** Null for what no chat asks for. */
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

/** All that `needFor` finds: those of tools by name, then those of chats. */
export function allNeeds(powers: {
  readonly registry: Registry
  readonly channels?: Adapters
}): readonly CredentialNeed[] {
  return [
    ...needsOf(powers.registry),
    ...(powers.channels?.adapters ?? []).flatMap((adapter) => adapter.needs),
  ]
}

/** All that tools ask for, by name. */
export function needsOf(registry: Registry): readonly CredentialNeed[] {
  const services = new Set([...registry.actions.values()].flatMap(({ tool }) => tool.credential ?? []))
  return [...services].sort().flatMap((service) => needOf(registry, service) ?? [])
}

export function actionsOf(registry: Registry, service: string): readonly RegisteredAction[] {
  return [...registry.actions.values()].filter(({ tool }) => tool.credential === service)
}

/** Whether a whole message looks like what is asked for. */
export function fitsShape({ shape }: ConnectSpec, text: string): boolean {
  return new RegExp(`^(?:${shape})$`).test(text.trim())
}

/**
 * Opens home's channel packages with what each declares to need (DESIGN §9): address of its service, credentials, table
 * in `config.toml`. Must not name a channel or decide anything. Called by wiring.ts.
 */
import { HOME_PACKAGES } from '../../integrations/channels/home.ts'
import { type ChannelDeclaration, originVariable } from '../../integrations/channels/runtime/declaration.ts'
import type { HomeChannel, HomeChannelPorts } from '../../integrations/channels/runtime/home-package.ts'
import { isPassing } from '../../kernel/features/deliveries/waiting-line.ts'
import type { Config } from '../config/config.ts'
import { tableFile } from '../config/config-edit.ts'
import { pinnedLookup } from '../pages/pinned-transport.ts'
import type { SecretVault } from '../secrets/secret-vault.ts'
import { diskRefusal } from '../store/storage-trouble.ts'

export interface OpenInput
  extends Pick<HomeChannelPorts, 'transport' | 'database' | 'key' | 'readers' | 'feed' | 'line'> {
  readonly config: Pick<Config, 'channels'>
  readonly env: Readonly<Record<string, string | undefined>>
  readonly configPath: string
  readonly vault: Pick<SecretVault, 'channelToken'>
}

/** In the order in which they are offered. */
export function openChannels(input: OpenInput): Promise<readonly HomeChannel[]> {
  const { config, env, configPath, vault, ...ways } = input
  const { channels } = config
  return Promise.all(
    HOME_PACKAGES.map(({ declaration, open }) =>
      open(
        {
          ...ways,
          ...{ isPassing, diskRefusal, lookup: () => pinnedLookup(), now: Date.now },
          origin: channels[declaration.name]?.api ?? originOf(declaration, env),
          token: (service) => vault.channelToken(declaration, service),
          table: tableFile(declaration, configPath),
        },
        channels[declaration.name] ?? null,
      ),
    ),
  )
}

/** Origin of the channel's service, for one that can be connected; otherwise empty. */
export function originOf(channel: ChannelDeclaration, env: OpenInput['env']): string {
  return channel.origin === null ? '' : new URL(env[originVariable(channel)] || channel.origin).origin
}

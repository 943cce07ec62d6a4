/**
 * Methods of the private line for channels: applies a channel's table in `config.toml` without a restart. Whoever can
 * open the socket is the owner; no parameter names the sender. Called by doors.ts.
 */
import * as z from 'zod/mini'
import type { HomeChannel } from '../../integrations/channels/runtime/home-package.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import type { Config } from '../config/config.ts'
import { type Methods, method } from '../line/method.ts'

export interface ReloadDesk {
  /** `listens`: whether the channel is connected now. Refusals: sink_unknown, config_malformed. */
  reload(channel: string): Promise<Result<{ readonly listens: boolean }>>
}

export interface ReloadInput {
  readonly channels: readonly Pick<HomeChannel, 'declaration' | 'set' | 'activation'>[]
  /** Reads the configuration file again. */
  readonly configNow: () => Result<Config>
  /** The connected chats have changed, so the assistant's description is out of date (H-14). */
  readonly changed: () => void
}

export function createReloadDesk({ channels, configNow, changed }: ReloadInput): ReloadDesk {
  return {
    async reload(name) {
      const channel = channels.find(({ declaration }) => declaration.name === name)
      if (channel === undefined || channel.activation === null) return err('sink_unknown')
      const config = configNow()
      if (!config.ok) return config
      const table = config.value.channels[name] ?? null
      await channel.set(table)
      changed()
      return ok({ listens: table !== null })
    },
  }
}

const params = z.strictObject({ channel: z.string().check(z.maxLength(32)) })

export function createChannelMethods(desk: ReloadDesk): Methods {
  return { channel_reload: method(params, ({ channel }) => desk.reload(channel)) }
}

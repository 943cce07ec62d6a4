/**
 * What the owner's terminal may ask of home about his line at Slack: to do now what `config.toml` says of it, without a restart. Whoever
 * can open the socket is the owner; no parameter says whose line it is. Called by doors.ts.
 */
import * as z from 'zod/mini'
import { ok, type Result } from '../../kernel/flow/verdict.ts'
import type { Config } from '../config.ts'
import type { Method } from '../socket.ts'
import { method } from '../socket-method.ts'
import type { LiveSlack } from './slack-channel.ts'

export interface SlackDesk {
  /** `listens`: whether there is a line now. Refusals: config_malformed. */
  reload(): Promise<Result<{ readonly listens: boolean }>>
}

export interface SlackDeskInput {
  readonly slack: LiveSlack
  /** What the file says now. */
  readonly configNow: () => Result<Config>
  /** What is listened to has changed: the picture of the assistant is old (H-14). */
  readonly changed: () => void
}

export function createSlackDesk({ slack, configNow, changed }: SlackDeskInput): SlackDesk {
  return {
    async reload() {
      const config = configNow()
      if (!config.ok) return config
      await slack.set(config.value.slack)
      changed()
      return ok({ listens: config.value.slack !== null })
    },
  }
}

export function createSlackMethods(desk: SlackDesk): ReadonlyMap<string, Method> {
  return new Map<string, Method>([['slack_reload', method(z.strictObject({}), () => desk.reload())]])
}

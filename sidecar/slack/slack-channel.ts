/**
 * The owner's app at Slack as a chat that he activates by saying so (H-05, H-13): its two tokens are tried, he is who sends the code, and
 * home listens by Socket Mode from then on. `config.toml` says whose line it is. Must not take anybody else for him. Called by
 * channel-desk.ts.
 */
import { SLACK_ADAPTER, SLACK_APP } from '../../integrations/channels/slack/adapter.ts'
import {
  createSlackApi,
  identityOf,
  openSocket,
  type SlackIdentity,
} from '../../integrations/channels/slack/api.ts'
import { appOf } from '../../integrations/channels/slack/token.ts'
import type { Transport } from '../../integrations/http/transport.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import type { HomeChannel } from '../channels/home-channel.ts'
import type { LiveChat } from '../channels/live-chat.ts'
import { removeSlackSetting, slackLines, writeSlackSetting } from '../deploy/slack-setting.ts'
import { SLACK_TOOL, type SlackTokens } from '../secrets/slack-tokens.ts'
import { createHomeSlack } from './slack-app.ts'
import type { SlackBot } from './slack-bot.ts'
import { SLACK_PRIVATE, type SlackConfig } from './slack-config.ts'
import { hearSlackCode } from './slack-owner.ts'
import type { SlackStore } from './slack-store.ts'
import { isSetUpWrongly, slackTroubleWords } from './trouble.ts'

export type LiveSlack = LiveChat<SlackConfig, SlackBot>

export interface SlackChannelInput {
  /** Origin of the Web API. */
  readonly origin: string
  readonly transport: Transport
  readonly tokens: SlackTokens
  readonly live: LiveSlack
  readonly store: Pick<SlackStore, 'startOver'>
  /** Of `config.toml`. */
  readonly configPath: string
}

interface Stored {
  readonly config: SlackConfig
  readonly whose: SlackIdentity
}

export function createSlackChannel(input: SlackChannelInput): HomeChannel {
  const { origin, transport, tokens, live } = input
  const stored = async (): Promise<Result<Stored>> => {
    const app = await tokens.whose()
    if (!app.ok) return app
    const config = { app: app.value, team: '', owner: '', chat: '', api: origin }
    const whose = await identityOf(createHomeSlack({ config, tokens, transport }, 'bot'))
    return whose.ok ? ok({ config: { ...config, team: whose.value.team }, whose: whose.value }) : whose
  }
  return {
    adapter: SLACK_ADAPTER,
    sink: SLACK_PRIVATE.sink,
    scope: { tools: [SLACK_TOOL], hosts: [new URL(origin).host] },
    isActive: () => live.now() !== null,
    async check(service, value) {
      const api = createSlackApi({ token: value, origin, transport })
      const known = live.now()?.input.config
      if (service === SLACK_APP) {
        // What stands in his chat is another app's: a configuration that names one takes that one's tokens alone.
        if (known !== undefined && appOf(value) !== known.app)
          return err('credential_mismatch', { rule: 'app' })
        const opened = await openSocket(api, origin)
        return opened.ok ? ok(null) : opened
      }
      const whose = await identityOf(api)
      if (!whose.ok) return whose
      if (known !== undefined && whose.value.team !== known.team)
        return err('credential_mismatch', { rule: 'team' })
      return ok(nameOf(whose.value))
    },
    async account() {
      const found = await stored()
      return found.ok ? ok(nameOf(found.value.whose)) : found
    },
    async find(code, signal) {
      const known = await stored()
      if (!known.ok) return known
      const { config } = known.value
      const opener = createHomeSlack({ config, tokens, transport }, 'app', signal)
      const found = await hearSlackCode({ opener, origin, app: config.app, team: config.team, code, signal })
      if (!found.ok || found.value === null) return found.ok ? ok(false) : found
      const slack = { ...config, ...found.value }
      if (!writeSlackSetting(input.configPath, slack)) return err('config_malformed', { key: 'slack' })
      // What was remembered of another app's chat is nothing here.
      input.store.startOver()
      await live.set(slack)
      return ok(true)
    },
    async leave() {
      const config = live.now()?.input.config
      await live.set(null)
      return config === undefined || removeSlackSetting(input.configPath, config)
        ? null
        : `take these lines out of config.toml: ${slackLines(config).replaceAll('\n', ' ')}`
    },
    trouble: (refusal) => (isSetUpWrongly(refusal) ? slackTroubleWords(refusal) : null),
  }
}

function nameOf({ name }: SlackIdentity): string {
  return `@${name}`
}

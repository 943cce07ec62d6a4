/**
 * The owner's Slack app as a chat that is activated by conversation (H-05, H-13): its two tokens are checked, whoever sends the
 * code is the owner, and home receives by Socket Mode from then on. `config.toml` names the owner. Must not accept anybody else.
 * Listed in ../home.ts.
 */
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import type { Transport } from '../../http/transport.ts'
import { byHand, type TableFile, toolOf } from '../runtime/declaration.ts'
import type { Activatable, HomePackage, HomeWays } from '../runtime/home-package.ts'
import { createLiveChat, type LiveChat } from '../runtime/live-chat.ts'
import { createSlackApi, identityOf, openSocket, type SlackIdentity } from './api.ts'
import {
  SLACK,
  SLACK_APP,
  SLACK_CHANNEL,
  SLACK_PRIVATE,
  type SlackConfig,
  slackConfig,
  slackOwner,
} from './channel.ts'
import { createHomeSlack } from './home-app.ts'
import type { SlackBot } from './home-chat.ts'
import { hearSlackCode } from './home-owner.ts'
import { createSlackStore, type SlackStore } from './home-store.ts'
import { createSlackTokens, type SlackTokens } from './home-tokens.ts'
import { isSetUpWrongly, slackTroubleWords } from './home-trouble.ts'
import { appOf } from './token.ts'

export const SLACK_HOME: HomePackage = Object.freeze({
  declaration: SLACK_CHANNEL,
  setup: async () => (await import('./setup.ts')).SETUP,
  async open(ways: HomeWays, table: Parameters<HomePackage['open']>[1]) {
    const { transport, database, key, lookup } = ways
    const tokens = createSlackTokens(ways.token)
    const store = createSlackStore(database)
    // A chat's code is loaded only when it is configured.
    const make = async (config: SlackConfig): Promise<SlackBot> => {
      const { createSlackBot } = await import('./home-chat.ts')
      return createSlackBot({ config, tokens, transport }, { kept: store, key })
    }
    const start = async (bot: SlackBot) => {
      const { startSlackLine } = await import('./home-line.ts')
      return startSlackLine({ ...ways.line(), bot, lookup })
    }
    const live = await createLiveChat(
      { name: SLACK, make, start },
      table === null ? null : slackConfig(table),
    )
    return {
      ...live,
      declaration: SLACK_CHANNEL,
      owner() {
        const app = live.now()
        return app === null ? null : slackOwner(app.input.config)
      },
      set: (next) => live.set(next === null ? null : slackConfig(next)),
      activation: createSlackChannel({
        ...{ origin: ways.origin, transport, tokens, live, store, table: ways.table, lookup },
      }),
    }
  },
} satisfies HomePackage)

export type LiveSlack = LiveChat<SlackConfig, SlackBot>

export interface SlackChannelInput {
  /** Origin of the Web API. */
  readonly origin: string
  readonly transport: Transport
  readonly tokens: SlackTokens
  readonly live: LiveSlack
  readonly store: Pick<SlackStore, 'startOver'>
  readonly table: TableFile
  readonly lookup: HomeWays['lookup']
}

interface Stored {
  readonly config: SlackConfig
  readonly whose: SlackIdentity
}

export function createSlackChannel(input: SlackChannelInput): Activatable {
  const { origin, transport, tokens, live, table, lookup } = input
  const stored = async (): Promise<Result<Stored>> => {
    const app = await tokens.whose()
    if (!app.ok) return app
    const config = { app: app.value, team: '', owner: '', chat: '', api: origin }
    const whose = await identityOf(createHomeSlack({ config, tokens, transport }, 'bot'))
    return whose.ok ? ok({ config: { ...config, team: whose.value.team }, whose: whose.value }) : whose
  }
  return {
    adapter: SLACK_CHANNEL,
    sink: SLACK_PRIVATE.sink,
    scope: { tools: [toolOf(SLACK_CHANNEL)], hosts: [new URL(origin).host] },
    isActive: () => live.now() !== null,
    async check(service, value) {
      const api = createSlackApi({ token: value, origin, transport })
      const known = live.now()?.input.config
      if (service === SLACK_APP) {
        // The stored state belongs to another app: a configured app accepts only its own tokens.
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
      const found = await hearSlackCode({
        ...{ opener, origin, app: config.app, team: config.team, code, signal, lookup },
      })
      if (!found.ok || found.value === null) return found.ok ? ok(false) : found
      const slack = { ...config, ...found.value }
      if (!table.write({ ...slack })) return err('config_malformed', { key: SLACK })
      // State stored for another app's chat is invalid here.
      input.store.startOver()
      await live.set(slack)
      return ok(true)
    },
    async leave() {
      const config = live.now()?.input.config
      await live.set(null)
      return config === undefined || table.remove({ ...config }) ? null : byHand(SLACK_CHANNEL, { ...config })
    },
    trouble: (refusal) => (isSetUpWrongly(refusal) ? slackTroubleWords(refusal) : null),
  }
}

function nameOf({ name }: SlackIdentity): string {
  return `@${name}`
}

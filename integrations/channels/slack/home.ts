/**
 * The owner's Slack app as a chat that is activated by conversation (H-05, H-13): its two tokens are checked, whoever sends the
 * code is the owner, and home receives by Socket Mode from then on. `config.toml` names the owner. Must not accept anybody else.
 * Listed in ../home.ts.
 */
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import type { Transport } from '../../http/transport.ts'
import type { TableFile } from '../runtime/declaration.ts'
import { type HomeChannelInput, type LiveChat, openHomeChannel } from '../runtime/home-line.ts'
import type { HomeChannelPorts, HomePackage } from '../runtime/home-package.ts'
import { createKeptStore, type KeptStore } from '../runtime/home-store.ts'
import { createSlackApi, identityOf, openSocket, type SlackIdentity } from './api.ts'
import {
  appOf,
  SLACK,
  SLACK_APP,
  SLACK_BOT,
  SLACK_CHANNEL,
  type SlackConfig,
  slackConfig,
  slackOwner,
} from './channel.ts'
import { createHomeSlack, isSetUpWrongly, type SlackTokens, slackTroubleWords } from './home-app.ts'
import type { SlackBot } from './home-line.ts'
import { waitForSlackCode } from './home-owner.ts'
import { slackState } from './home-schema.ts'

export const SLACK_HOME: HomePackage = Object.freeze({
  declaration: SLACK_CHANNEL,
  setup: async () => (await import('./setup.ts')).SETUP,
  open(ports: HomeChannelPorts, table: Parameters<HomePackage['open']>[1]) {
    const { origin, transport, database, key, lookup } = ports
    const tokens = { app: ports.token(SLACK_APP), bot: ports.token(SLACK_BOT) }
    const store = createKeptStore(database, slackState)
    return openHomeChannel<SlackConfig, SlackBot>({
      declaration: SLACK_CHANNEL,
      ports,
      table,
      parse: slackConfig,
      ownerOf: slackOwner,
      // A chat's code is loaded only when it is configured.
      async make(config) {
        const { createSlackBot } = await import('./home-line.ts')
        return createSlackBot({ config, tokens, transport }, { kept: store, key })
      },
      async start(bot) {
        const { startSlackLine } = await import('./home-line.ts')
        return startSlackLine({ ...ports.line(), bot, lookup })
      },
      activation: (live) =>
        createSlackChannel({ origin, transport, tokens, live, store, table: ports.table, lookup }),
    })
  },
} satisfies HomePackage)

interface SlackChannelInput {
  /** Origin of the Web API. */
  readonly origin: string
  readonly transport: Transport
  readonly tokens: SlackTokens
  readonly live: LiveChat<SlackConfig>
  readonly store: Pick<KeptStore, 'startOver'>
  readonly table: TableFile
  readonly lookup: HomeChannelPorts['lookup']
}

interface Stored {
  readonly config: SlackConfig
  readonly whose: SlackIdentity
}

function createSlackChannel(
  input: SlackChannelInput,
): ReturnType<HomeChannelInput<SlackConfig, SlackBot>['activation']> {
  const { origin, transport, tokens, live, table, lookup } = input
  const stored = async (): Promise<Result<Stored>> => {
    const app = await tokens.app.whose(appOf, 'app')
    if (!app.ok) return app
    const config = { app: app.value, team: '', owner: '', chat: '', api: origin }
    const whose = await identityOf(createHomeSlack({ config, tokens, transport }, 'bot'))
    return whose.ok ? ok({ config: { ...config, team: whose.value.team }, whose: whose.value }) : whose
  }
  return {
    async check(service, value) {
      const api = createSlackApi({ token: value, origin, transport })
      const known = live.config()
      if (service === SLACK_APP) {
        // The stored state belongs to another app: a configured app accepts only its own tokens.
        if (known !== null && appOf(value) !== known.app) return err('credential_mismatch', { rule: 'app' })
        const opened = await openSocket(api, origin)
        return opened.ok ? ok(null) : opened
      }
      const whose = await identityOf(api)
      if (!whose.ok) return whose
      if (known !== null && whose.value.team !== known.team)
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
      const found = await waitForSlackCode({
        ...{ opener, origin, app: config.app, team: config.team, code, signal, lookup },
      })
      if (!found.ok || found.value === null) return found.ok ? ok(false) : found
      const slack = { ...config, ...found.value }
      if (!table.write(slack)) return err('config_malformed', { key: SLACK })
      // State stored for another app's chat is invalid here.
      input.store.startOver()
      await live.set(slack)
      return ok(true)
    },
    trouble: (refusal) => (isSetUpWrongly(refusal) ? slackTroubleWords(refusal) : null),
  }
}

function nameOf({ name }: SlackIdentity): string {
  return `@${name}`
}

/**
 * `pfar slack connect` and `disconnect`: an app of the owner's at Slack as his private line at home. Its two tokens are asked for
 * without an echo, or read from stdin; no option takes one, and nothing shows it. A home that runs listens at once. Called by
 * slack-program.ts.
 */
import { text } from 'node:stream/consumers'
import { SLACK_ORIGIN } from '../../integrations/channels/slack/names.ts'
import type { Result } from '../../kernel/flow/verdict.ts'
import { loadConfig } from '../config.ts'
import { removeSlackSetting, slackLines, writeSlackSetting } from '../deploy/slack-setting.ts'
import { connectSlack, pairIn, type SlackPair } from '../deploy/slack-setup.ts'
import { createPinnedTransport } from '../pinned-transport.ts'
import { SLACK_SECRETS, SLACK_TOOL } from '../secrets/slack-tokens.ts'
import { isSetUpWrongly, slackTroubleWords } from '../slack/trouble.ts'
import { chatTrouble } from './chat-trouble.ts'
import { type CommandContext, type ExitCode, fail } from './command.ts'
import { createPassphrasePrompt } from './passphrase.ts'
import { checkCustody, secretSentence, sendToDesk } from './secret-command.ts'
import { createSocketClient } from './socket-client.ts'
import { statePaths } from './state-paths.ts'

export interface SlackOptions {
  readonly allowDevelopmentKey: boolean
}

const NOBODY = 'Nobody sent the code within five minutes. Run this again when you have Slack open.'
const THERE = 'There is a line at Slack already. `pfar slack disconnect` ends it; then connect anew.'
const ANOTHER_FILE = 'The home that runs reads another configuration file. Restart it, and it does so.'
const NOT_A_PAIR =
  'Those are not the two tokens of an app: xapp-… is the app’s own, from “Basic Information”, and xoxb-… its bot’s, from “OAuth & Permissions”.'

export async function slackConnect(context: CommandContext, options: SlackOptions): Promise<ExitCode> {
  const { screen, environment } = context
  const paths = statePaths(environment)
  const config = loadConfig(environment, paths.root)
  if (!config.ok) return fail(context, config)
  if (config.value.slack !== null) {
    screen.err(THERE)
    return 1
  }
  const early = checkCustody(context, options)
  if (!early.ok) {
    screen.err(secretSentence(early.reason))
    return 1
  }
  const pair = await readPair()
  if (pair === null) {
    screen.err(NOT_A_PAIR)
    return 1
  }
  const { origin, host } = new URL(environment['PFAR_SLACK_API'] || SLACK_ORIGIN)
  const transport = createPinnedTransport()
  const done = await connectSlack({
    ...{ pair, origin, transport },
    keep(which, value) {
      const name = SLACK_SECRETS[which]
      const { allowDevelopmentKey } = options
      const params = {
        name,
        value,
        kind: 'token',
        tools: [SLACK_TOOL],
        actions: [],
        hosts: [host],
        allowDevelopmentKey,
      }
      return sendToDesk(context, { method: 'secret_set', params })
    },
    write(slack) {
      const isWritten = writeSlackSetting(paths.config, slack)
      if (!isWritten) screen.err(`config.toml says something else. Put this there:\n${slackLines(slack)}`)
      return isWritten
    },
    tell: (words) => screen.out(words),
  })
  await transport.close()
  if (!done.ok) {
    const { reason } = done
    if (reason.code === 'pairing_refused') screen.err(NOBODY)
    else if (isSetUpWrongly(reason)) screen.err(slackTroubleWords(reason))
    else screen.err(chatTrouble('Slack', reason) ?? secretSentence(reason))
    return 1
  }
  screen.out('The tokens lie in the vault of your home.')
  return done.value.written ? takeUp(context, 'Write to your app: that chat is your private line.', true) : 1
}

export async function slackDisconnect(context: CommandContext): Promise<ExitCode> {
  const { screen, environment } = context
  const paths = statePaths(environment)
  const config = loadConfig(environment, paths.root)
  if (!config.ok) return fail(context, config)
  const { slack } = config.value
  if (slack === null) {
    screen.err('There is no line at Slack.')
    return 1
  }
  if (!removeSlackSetting(paths.config, slack)) {
    screen.err('Its lines in config.toml are not as I wrote them. Take [slack] out there, then restart home.')
    return 1
  }
  const done = await takeUp(context, 'It listens to Slack no more.', false)
  for (const name of Object.values(SLACK_SECRETS)) {
    const gone = await forget(context, name)
    if (gone.ok || gone.reason.code === 'credential_missing') continue
    screen.err(
      `${secretSentence(gone.reason)} Its token still lies in the vault: \`pfar secret delete ${name}\`.`,
    )
    return 1
  }
  screen.out('Its tokens are gone from the vault of your home. Slack takes them until you revoke them there.')
  return done
}

/** He asked for it by the command: what the vault asks back is answered. */
async function forget(context: CommandContext, name: string): Promise<Result<unknown>> {
  const method = 'secret_delete'
  const asked = await sendToDesk(context, { method, params: { name } })
  if (!asked.ok) return asked
  const { check } = asked.value as { readonly check?: string }
  return check === undefined ? asked : sendToDesk(context, { method, params: { name, check } })
}

/** A home that runs does now what the configuration says; one that does not, when it starts. */
async function takeUp(context: CommandContext, words: string, listens: boolean): Promise<ExitCode> {
  const { screen, environment } = context
  const client = createSocketClient(statePaths(environment).socket)
  const told: Result<unknown> = await client.request('slack_reload', {})
  client.close()
  if (!told.ok && told.reason.code !== 'home_offline') return fail(context, told)
  if (!told.ok) screen.out('Home does not run; it does so when it starts.')
  else if ((told.value as { readonly listens?: boolean }).listens === listens) screen.out(words)
  // A home that was started with a configuration of its own does not read this one.
  else screen.out(ANOTHER_FILE)
  return 0
}

/** Hidden at a terminal; otherwise all of stdin. */
async function readPair(): Promise<SlackPair | null> {
  if (process.stdin.isTTY !== true) return pairIn(await text(process.stdin))
  const prompt = createPassphrasePrompt({ input: process.stdin, output: process.stderr })
  try {
    const app = await prompt.ask('Token of the app itself, xapp-…: ')
    const bot = await prompt.ask('Token of its bot, xoxb-…: ')
    return pairIn(`${app ?? ''} ${bot ?? ''}`)
  } finally {
    prompt.close()
  }
}

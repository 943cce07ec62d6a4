/**
 * `pfar telegram connect`: a bot of the owner's as his line at the edge, or with `--private` as his line at home. The token is asked for
 * without an echo, or read from stdin; no option takes it, and nothing shows it. Called by program.ts.
 */
import { text } from 'node:stream/consumers'
import { createBotApi } from '../../integrations/channels/telegram/api.ts'
import { TELEGRAM_ORIGIN } from '../../integrations/channels/telegram/names.ts'
import { botOf, isBotToken } from '../../integrations/channels/telegram/token.ts'
import { createScopedHttp } from '../../integrations/http/scoped-client.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { takenNames } from '../../kernel/operations/commands.ts'
import { COMMAND_BOUNDS, type OwnCommandEntry } from '../../kernel/task/command.ts'
import { loadConfig } from '../config.ts'
import { connectBot } from '../deploy/bot-setup.ts'
import { connectPrivateBot } from '../deploy/private-bot-setup.ts'
import { telegramLines, writeTelegramSetting } from '../deploy/telegram-setting.ts'
import { createWrangler } from '../deploy/wrangler.ts'
import { createPinnedTransport } from '../pinned-transport.ts'
import { BOT_SECRET, BOT_TOOL } from '../secrets/bot-token.ts'
import { isConflict, troubleWords } from '../telegram/trouble.ts'
import { chatTrouble } from './chat-trouble.ts'
import { type CommandContext, type ExitCode, fail } from './command.ts'
import { edgeOrigin } from './edge-origin.ts'
import { configuredEdge } from './own-device.ts'
import { createPassphrasePrompt } from './passphrase.ts'
import { checkCustody, secretSentence, sendToDesk } from './secret-command.ts'
import { statePaths } from './state-paths.ts'
import { terminalText } from './terminal-text.ts'

export interface TelegramOptions {
  readonly private?: boolean
  readonly allowDevelopmentKey?: boolean
  readonly name?: string
  readonly edge?: string
}

const LIMITS = { timeoutMs: 10_000, maxBytes: 100_000, maxRedirects: 0 } as const

export function telegramCommand(context: CommandContext, options: TelegramOptions): Promise<ExitCode> {
  return options.private === true ? connectAtHome(context, options) : connectAtEdge(context, options)
}

async function connectAtHome(
  context: CommandContext,
  { allowDevelopmentKey = false }: TelegramOptions,
): Promise<ExitCode> {
  const { screen, environment } = context
  const { config: configPath, root } = statePaths(environment)
  const config = loadConfig(environment, root)
  if (!config.ok) return fail(context, config)
  const early = checkCustody(context, { allowDevelopmentKey })
  if (!early.ok) {
    screen.err(secretSentence(early.reason))
    return 1
  }
  const token = await tokenOf(context)
  if (token === null) return 1
  const { telegram: there } = config.value
  // What is in the vault is another bot's, which works: it is not put out of it by the way.
  if (there !== null && String(there.bot) !== botOf(token)) {
    screen.err(ANOTHER)
    return 1
  }
  const origin = new URL(environment['PFAR_TELEGRAM_API'] || TELEGRAM_ORIGIN).origin
  const transport = createPinnedTransport()
  const secret = { name: BOT_SECRET, kind: 'token', value: token, tools: [BOT_TOOL], actions: [] }
  const done = await connectPrivateBot({
    ...{ api: createBotApi({ token, origin, transport }), origin },
    keep: () => {
      const params = { ...secret, hosts: [new URL(origin).host], allowDevelopmentKey }
      return sendToDesk(context, { method: 'secret_set', params })
    },
    write: (telegram) => {
      const isWritten = writeTelegramSetting(configPath, telegram)
      if (!isWritten)
        screen.err(`config.toml says something else. Put this there:\n${telegramLines(telegram)}`)
      return isWritten
    },
    tell: (words) => screen.out(words),
  })
  await transport.close()
  if (done.ok) {
    screen.out('The token lies in the vault of your home. Start home again, and write to your bot:')
    screen.out('that chat is your private line, and may show you what the edge may not know.')
    return done.value.written ? 0 : 1
  }
  const { reason } = done
  if (reason.code === 'pairing_refused') screen.err(NOBODY)
  else if (isConflict(reason)) screen.err(troubleWords(reason))
  else screen.err(chatTrouble('Telegram', reason) ?? secretSentence(reason))
  return 1
}

const ANOTHER =
  'Another bot is your private line already. Say "disconnect telegram" in a chat at home to leave it, then connect this one.'
const NOBODY = 'Nobody sent the code within five minutes. Run this again when you have your phone.'

const NO_EDGE =
  'There is no edge that Telegram could reach: `pfar deploy` makes one. By your home alone, without an edge: `pfar telegram connect --private`.'

/** Null, and said, where it is none. */
async function tokenOf({ screen }: CommandContext): Promise<string | null> {
  const token = await readToken()
  if (isBotToken(token)) return token
  screen.err('That is no token of a bot. @BotFather gives you one: digits, a colon, and letters.')
  return null
}

async function connectAtEdge(context: CommandContext, options: TelegramOptions): Promise<ExitCode> {
  const { screen, environment } = context
  const configured = configuredEdge(environment, statePaths(environment))
  const named = options.edge ?? (configured.ok ? configured.value : null)
  if (named === null) {
    screen.err(NO_EDGE)
    return 1
  }
  const edge = edgeOrigin(named)
  if (!edge.ok) return fail(context, edge)
  const own = openCommands(environment, statePaths(environment).root)
  if (!own.ok) return fail(context, own)
  const token = await tokenOf(context)
  if (token === null) return 1
  const apiOrigin = environment['PFAR_TELEGRAM_API'] || TELEGRAM_ORIGIN
  const transport = createPinnedTransport()
  const { host, protocol, origin } = new URL(edge.value)
  const http = createScopedHttp({
    ...{ transport, limits: LIMITS, hosts: [host] },
    exemptOrigins: protocol === 'http:' ? [origin] : [],
  })
  const done = await connectBot({
    ...{ api: createBotApi({ token, origin: apiOrigin, transport }), apiOrigin, token },
    ...{ edge: edge.value, http, wrangler: createWrangler(environment), name: options.name ?? null },
    commands: own.value,
    tell: (words) => screen.out(words),
  })
  await transport.close()
  if ('step' in done) {
    screen.err(`The edge could not be told. wrangler says: ${terminalText(done.why).trim() || 'nothing'}`)
    return 1
  }
  if (!done.ok && done.reason.code === 'pairing_refused') {
    screen.err(NOBODY)
    return 1
  }
  if (!done.ok) {
    const own = isConflict(done.reason) ? troubleWords(done.reason) : chatTrouble('Telegram', done.reason)
    if (own === null || done.reason.facts['of'] === 'edge') return fail(context, done)
    screen.err(own)
    return 1
  }
  screen.out('Telegram brings what you write there to the edge from now on. Write to your bot.')
  return 0
}

/** Those of config.toml that the edge may know. Refusals: config_malformed. */
function openCommands(
  environment: CommandContext['environment'],
  folder: string,
): Result<readonly OwnCommandEntry[]> {
  const config = loadConfig(environment, folder)
  if (!config.ok) return config
  const taken = takenNames(config.value.commands)
  const open = config.value.commands.filter((one) => one.open && !taken.includes(one.name))
  // What a Worker takes for one secret is bounded, and it is all or nothing.
  return JSON.stringify(open).length <= COMMAND_BOUNDS.atEdge
    ? ok(open)
    : err('config_malformed', {
        key: 'commands',
        problem: 'has more that is open than the edge can keep',
      })
}

/** Hidden at a terminal; otherwise all of stdin. */
async function readToken(): Promise<string> {
  if (process.stdin.isTTY !== true) return (await text(process.stdin)).trim()
  const prompt = createPassphrasePrompt({ input: process.stdin, output: process.stderr })
  try {
    return ((await prompt.ask('Token of your bot, from @BotFather: ')) ?? '').trim()
  } finally {
    prompt.close()
  }
}

/**
 * `pfar channel connect` and `disconnect`: connects a chat at the edge or at home, as its package declares. Tokens are
 * typed without echo or read from stdin, never passed as options or shown. A running home applies the change at once.
 * Called by local/channel.ts and by `pfar init`.
 */

import { randomBytes } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { HOME_PACKAGES } from '../../../integrations/channels/home.ts'
import { tableLines, toolOf } from '../../../integrations/channels/runtime/declaration.ts'
import type {
  ChannelSetup,
  HomePackage,
  Tokens,
} from '../../../integrations/channels/runtime/home-package.ts'
import { createScopedHttp } from '../../../integrations/http/scoped-client.ts'
import { err, ok, type Refusal, type Result } from '../../../kernel/flow/verdict.ts'
import { takenNames } from '../../../kernel/operations/commands.ts'
import { COMMAND_BOUNDS, type OwnCommandEntry } from '../../../kernel/task/command.ts'
import { CODE_LENGTH, codeFrom } from '../../../kernel/tunnel/pairing.ts'
import { originOf } from '../../channels/open-channels.ts'
import { loadConfig } from '../../config/config.ts'
import { tableFile } from '../../config/config-edit.ts'
import { createWrangler } from '../../deploy/wrangler.ts'
import { createPinnedTransport, pinnedLookup } from '../../pages/pinned-transport.ts'
import { terminalText } from '../chat/terminal-text.ts'
import { askSocket, type CommandContext, type ExitCode, fail } from '../command.ts'
import { askHidden } from '../hidden-input.ts'
import { configuredEdge, edgeOrigin } from '../line/own-edge.ts'
import { statePaths } from '../state-paths.ts'
import { checkCustody, secretSentence, sendToService } from './secret-command.ts'

export interface ConnectOptions {
  /** Connect it at home, even if it could run at the edge. */
  readonly private?: boolean
  readonly allowDevelopmentKey?: boolean
  /** Name of the Worker, and the edge if it is not the configured one. */
  readonly name?: string
  readonly edge?: string
}

const LIMITS = { timeoutMs: 10_000, maxBytes: 100_000, maxRedirects: 0 } as const
const ANOTHER_FILE = 'The home that runs reads another configuration file. Restart it, and it does so.'

export async function connectCommand(
  context: CommandContext,
  channel: string,
  options: ConnectOptions,
): Promise<ExitCode> {
  const known = HOME_PACKAGES.find(({ declaration }) => declaration.name === channel)
  if (known === undefined || (known.setup ?? known.edgeSetup) === undefined) {
    context.screen.err(unknown())
    return 1
  }
  return known.edgeSetup !== undefined && options.private !== true
    ? connectAtEdge(context, known, options)
    : connectAtHome(context, known, options)
}

export async function disconnectCommand(context: CommandContext, channel: string): Promise<ExitCode> {
  const { screen, environment } = context
  const known = HOME_PACKAGES.find(({ declaration }) => declaration.name === channel)
  if (known?.setup === undefined) {
    screen.err(unknown())
    return 1
  }
  const { declaration } = known
  const { name, title } = declaration
  const paths = statePaths(environment)
  const config = loadConfig(environment, paths.root)
  if (!config.ok) return fail(context, config)
  const table = config.value.channels[name]
  if (table === undefined) {
    screen.err(`There is no line at ${title}.`)
    return 1
  }
  if (!tableFile(declaration, paths.config).remove(table)) {
    screen.err(
      `Its lines in config.toml are not as I wrote them. Take [${name}] out there, then restart home.`,
    )
    return 1
  }
  const done = await takeUp(context, { channel, words: `It listens to ${title} no more.`, listens: false })
  for (const { service } of declaration.needs) {
    const gone = await forget(context, service)
    if (gone.ok || gone.reason.code === 'credential_missing') continue
    screen.err(
      `${secretSentence(gone.reason)} Its token still lies in the vault: \`pfar secret delete ${service}\`.`,
    )
    return 1
  }
  screen.out(
    `What it needed is gone from the vault of your home. ${title} takes it until you revoke it there.`,
  )
  return done
}

/** Message for an unknown channel: lists the channels that can be connected. */
function unknown(): string {
  const names = HOME_PACKAGES.flatMap(({ declaration, setup }) =>
    setup === undefined ? [] : declaration.name,
  )
  return `I can be reached at ${names.join(' and at ')}: say one of these names.`
}

async function connectAtHome(
  context: CommandContext,
  { declaration, setup }: HomePackage,
  { allowDevelopmentKey = false }: ConnectOptions,
): Promise<ExitCode> {
  const { screen, environment } = context
  const paths = statePaths(environment)
  const config = loadConfig(environment, paths.root)
  if (!config.ok) return fail(context, config)
  const chosen = await setup?.()
  if (chosen === undefined) return 1
  const table = config.value.channels[declaration.name]
  const refused = (tokens: Tokens | null): boolean => {
    const why = table === undefined ? null : chosen.taken(table, tokens)
    if (why !== null) screen.err(why)
    return why !== null
  }
  if (refused(null)) return 1
  const early = checkCustody(context, { allowDevelopmentKey })
  if (!early.ok) {
    screen.err(secretSentence(early.reason))
    return 1
  }
  const tokens = await tokensOf(context, chosen)
  if (tokens === null || refused(tokens)) return 1
  const origin = originOf(declaration, environment)
  const file = tableFile(declaration, paths.config)
  const transport = createPinnedTransport()
  const done = await chosen.connect({
    ...{ origin, transport, tokens, code: newCode(), tell: screen.out, lookup: () => pinnedLookup() },
    keep(name, value) {
      const scope = { tools: [toolOf(declaration)], actions: [], hosts: [new URL(origin).host] }
      const params = { name, value, kind: 'token', ...scope, allowDevelopmentKey }
      return sendToService(context, { method: 'secret_set', params })
    },
    write(written) {
      const isWritten = file.write(written)
      if (!isWritten)
        screen.err(`config.toml says something else. Put this there:\n${tableLines(declaration, written)}`)
      return isWritten
    },
  })
  await transport.close()
  if (!done.ok) {
    const said = failure(chosen, declaration.title, done.reason)
    screen.err(said ?? secretSentence(done.reason))
    return 1
  }
  screen.out('What it needs lies in the vault of your home.')
  if (!done.value.written) return 1
  return takeUp(context, { channel: declaration.name, words: chosen.words.done, listens: true })
}

async function connectAtEdge(
  context: CommandContext,
  { declaration, edgeSetup }: HomePackage,
  options: ConnectOptions,
): Promise<ExitCode> {
  const { screen, environment } = context
  const { name: channel, title } = declaration
  const configured = configuredEdge(environment, statePaths(environment))
  const named = options.edge ?? (configured.ok ? configured.value : null)
  if (named === null) {
    screen.err(
      `There is no edge that ${title} could reach: \`pfar deploy\` makes one. By your home alone, without an edge: \`pfar channel connect ${channel} --private\`.`,
    )
    return 1
  }
  const edge = edgeOrigin(named)
  if (!edge.ok) return fail(context, edge)
  const own = openCommands(environment, statePaths(environment).root)
  if (!own.ok) return fail(context, own)
  const chosen = await edgeSetup?.()
  const tokens = chosen === undefined ? null : await tokensOf(context, chosen)
  if (chosen === undefined || tokens === null) return 1
  const transport = createPinnedTransport()
  const { host, protocol, origin } = new URL(edge.value)
  const wrangler = createWrangler(environment)
  const worker = options.name === undefined ? [] : ['--name', options.name]
  const done = await chosen.connect({
    ...{ origin: originOf(declaration, environment), transport, tokens, code: newCode(), tell: screen.out },
    ...{ edge: edge.value, commands: own.value },
    http: createScopedHttp({
      ...{ transport, limits: LIMITS, hosts: [host] },
      exemptOrigins: protocol === 'http:' ? [origin] : [],
    }),
    give: (values) => wrangler(['secret', 'bulk', ...worker], JSON.stringify(values)),
  })
  await transport.close()
  if ('why' in done) {
    screen.err(`The edge could not be told. wrangler says: ${terminalText(done.why).trim() || 'nothing'}`)
    return 1
  }
  if (!done.ok) {
    const said = failure(chosen, title, done.reason)
    if (said === null || done.reason.facts['of'] === 'edge') return fail(context, done)
    screen.err(said)
    return 1
  }
  screen.out(chosen.words.done)
  return 0
}

function newCode(): string {
  return codeFrom(randomBytes(CODE_LENGTH))
}

/** Null if the refusal is not from the service. */
function failure({ words, trouble }: ChannelSetup, title: string, reason: Refusal): string | null {
  if (reason.code === 'pairing_refused')
    return `Nobody sent the code within five minutes. Run this again when you have ${words.device}.`
  return trouble(reason) ?? chatTrouble({ title, tokenHint: words.tokenHint }, reason)
}

/** Null, after an error message, if they are malformed. Hidden at a terminal; otherwise all of stdin. */
async function tokensOf(
  { screen }: CommandContext,
  { words, tokensIn }: ChannelSetup,
): Promise<Tokens | null> {
  const said =
    process.stdin.isTTY === true
      ? ((await askHidden(words.prompts))?.join(' ') ?? '')
      : await text(process.stdin)
  const tokens = tokensIn(said)
  if (tokens === null) screen.err(words.notTokens)
  return tokens
}

/** The owner's own commands that the edge may know. Refusals: config_malformed. */
function openCommands(
  environment: CommandContext['environment'],
  folder: string,
): Result<readonly OwnCommandEntry[]> {
  const config = loadConfig(environment, folder)
  if (!config.ok) return config
  const taken = takenNames(config.value.commands)
  const open = config.value.commands.filter((one) => one.open && !taken.includes(one.name))
  // A Worker's secret has a size limit, and a truncated list would be invalid.
  return JSON.stringify(open).length <= COMMAND_BOUNDS.atEdge
    ? ok(open)
    : err('config_malformed', {
        key: 'commands',
        problem: 'has more that is open than the edge can keep',
      })
}

/** The command itself is the confirmation, so the vault's check word is returned automatically. */
async function forget(context: CommandContext, name: string): Promise<Result<unknown>> {
  const method = 'secret_delete'
  const asked = await sendToService(context, { method, params: { name } })
  if (!asked.ok) return asked
  const { check } = asked.value as { readonly check?: string }
  return check === undefined ? asked : sendToService(context, { method, params: { name, check } })
}

/** A running home applies the configuration now; otherwise the next start does. */
async function takeUp(
  context: CommandContext,
  {
    channel,
    words,
    listens,
  }: { readonly channel: string; readonly words: string; readonly listens: boolean },
): Promise<ExitCode> {
  const { screen } = context
  const told = await askSocket(context, { method: 'channel_reload', params: { channel } })
  if (!told.ok && told.reason.code !== 'home_offline') return fail(context, told)
  if (!told.ok) screen.out('Home does not run; it does so when it starts.')
  else if ((told.value as { readonly listens?: boolean }).listens === listens) screen.out(words)
  // A home that was started with another configuration file does not read this one.
  else screen.out(ANOTHER_FILE)
  return 0
}

/** Name of the service, and what to check if the token is the cause. */
interface TokenHint {
  readonly title: string
  readonly tokenHint: string
}

/** Null if the refusal is not from the service. */
export function chatTrouble({ title: service, tokenHint }: TokenHint, { code }: Refusal): string | null {
  switch (code) {
    case 'credential_rejected':
      return `${service} did not accept that, so nothing was stored. ${tokenHint}`
    case 'network_failed':
    case 'response_timeout':
    case 'remote_unavailable':
      return `${service} could not be reached. Run this again when this machine is online.`
    case 'remote_rate_limited':
      return `${service} asks to slow down. Run this again in a few minutes.`
    case 'remote_rejected':
      return `${service} refused that, and does not say why. Run this again; if it stays so, make the token anew there.`
    default:
      return null
  }
}

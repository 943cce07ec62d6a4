/**
 * Questions of `pfar init` whose answers are commands: master key, edge, bot, access for cloud models, service. Each command
 * prompts for its own input; no answer that is typed here is a secret. What gives more readers access only creates a card,
 * which needs a separate yes (F-17). Called by init-command.ts.
 */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { CHANNELS } from '../../integrations/channels/index.ts'
import type { ChannelDeclaration } from '../../integrations/channels/runtime/declaration.ts'
import type { OAuthService } from '../../integrations/tools/oauth-service.ts'
import { OAUTH_SERVICES } from '../../integrations/tools/oauth-services.ts'
import { acknowledgeCloud } from '../../kernel/features/models/operations/acknowledge.ts'
import { listModels } from '../../kernel/features/models/operations/list.ts'
import { acknowledgeBot } from '../../kernel/features/places/operations/acknowledge.ts'
import type { TemplateView } from '../../kernel/features/templates/port.ts'
import { ok } from '../../kernel/flow/verdict.ts'
import type { Config } from '../config/config.ts'
import { again, type Look, type Step, type Told, taken, yesIn } from '../init/wizard.ts'
import { readCustodyRecord } from '../keys/custody.ts'
import { custodySentence } from '../keys/key-status.ts'
import { hasEdgeProgram, isOnPath, startCommand } from '../process/installed-parts.ts'
import { UNIT_NAME } from '../service/service.ts'
import type { StateFolder } from '../store/state-folder.ts'
import { agree } from './agree.ts'
import type { TerminalAsker } from './chat/asker.ts'
import { terminalLine } from './chat/terminal-text.ts'
import { type CommandContext, type ExitCode, onLine } from './command.ts'
import type { ConnectOptions } from './commands/channel-command.ts'
import { CUSTODIES } from './commands/custody-question.ts'
import { deployCommand } from './commands/deploy-command.ts'
import { serviceCommand, unitsOf } from './commands/service-command.ts'

export interface ActionInput {
  readonly context: CommandContext
  readonly folder: StateFolder
  readonly config: () => Config
  /** Releases the terminal for a command that prompts itself. */
  readonly letGo: () => void
  /** Name of the Worker, and its address, if given. */
  readonly name?: string
  readonly address?: string
}

/** For a command that asks on this terminal itself. */
export interface AskingInput extends ActionInput {
  readonly asker: TerminalAsker
}

const LATER = 'later'
const YES_OR_LATER = 'Please say yes or later.'
const FAILED = 'That did not work. Say it again to try once more, or later.'

/** May be postponed without loss: the new key takes over all existing records. */
export function keyStep({ context, folder, letGo }: ActionInput): Step {
  return {
    ...{ name: 'key', title: 'key' },
    async look() {
      const record = readCustodyRecord(folder)
      if (!record.ok || record.value.kind === 'development')
        return {
          state: 'due',
          question: `What shall keep my master key? You get 24 words for it, to write on paper.\n(${CUSTODIES.join(', ')}, or ${LATER}: until then it lies in this folder in plain)`,
          usual: LATER,
        }
      return { state: 'done', says: `it is kept ${custodySentence(record.value.kind)}` }
    },
    async take(answer) {
      if (yesIn(answer) === false) return taken('later: `pfar key init`; secrets of services wait for it')
      const custody = CUSTODIES.find((one) => one === answer.toLowerCase())
      if (custody === undefined) return again(`Please say ${CUSTODIES.join(', ')} or ${LATER}.`)
      letGo()
      // Loaded on demand: it brings a database and a word list.
      const { keyCommand } = await import('./commands/key-command.ts')
      const code = await keyCommand(context, { what: 'init', custody, json: false })
      return code === 0 ? taken(`it is kept ${custodySentence(custody)}`) : again(FAILED)
    },
  }
}

/** For a model that is no Ollama of this machine. */
export async function addModelStep(
  { context, letGo, asker }: AskingInput,
  service: string,
): Promise<boolean> {
  const { addModel } = await import('./commands/model-command.ts')
  letGo()
  return (await addModel(context, { service, allowDevelopmentKey: false }, asker)) === 0
}

export function mailStep({ context, config, letGo, asker }: AskingInput): Step {
  return {
    ...{ name: 'mail', title: 'mail' },
    async look() {
      const { mail } = config()
      const question =
        'Which mail address is yours? I read it and answer for you, once you have given me a password for it. (an address, or later)'
      return mail === null
        ? { state: 'due', question, usual: LATER }
        : { state: 'done', says: `${mail.address}, as config.toml says` }
    },
    async take(answer) {
      if (yesIn(answer) === false)
        return taken('later: `pfar connect mail you@example.com`; until then a demo')
      const { connectMail } = await import('./commands/mail-command.ts')
      letGo()
      const code = await connectMail(context, { address: answer, allowDevelopmentKey: false, asker })
      return code === 0 ? taken(answer) : again('Say it once more, or later.')
    },
  }
}

/** A service at which the owner signs in with a browser. */
export function signInSteps(input: AskingInput): readonly Step[] {
  return OAUTH_SERVICES.map((service) => signInStep(input, service))
}

function signInStep({ context, config, letGo, asker }: AskingInput, service: OAuthService): Step {
  return {
    ...{ name: service.service, title: service.title.toLowerCase() },
    async look() {
      const { account } = config().google
      const question = `Have you a calendar at ${service.title} that I shall keep? You sign in with your browser. (yes, later)`
      return account === null
        ? { state: 'due', question, usual: LATER }
        : { state: 'done', says: `${account}, as config.toml says` }
    },
    take: (answer) =>
      yesOrLater(answer, {
        later: `later: \`pfar connect ${service.service}\``,
        async run() {
          const { connectByBrowser } = await import('./commands/oauth-command.ts')
          letGo()
          return connectByBrowser(context, service, { allowDevelopmentKey: false, asker })
        },
        done: () => config().google.account ?? 'connected',
      }),
  }
}

export function edgeStep({ context, config, letGo, name, address }: ActionInput): Step {
  const options = { ...(name !== undefined && { name }), ...(address !== undefined && { address }) }
  return {
    ...{ name: 'edge', title: 'edge' },
    async look() {
      const { edge } = config()
      if (edge === null && !hasEdgeProgram()) return { state: 'absent', says: ELSEWHERE }
      const question =
        'Shall I put the edge on Cloudflare now? It answers while this machine is off, by a bot of yours too. (yes, later)'
      return edge === null ? { state: 'due', question, usual: LATER } : { state: 'done', says: edge }
    },
    take: (answer) =>
      yesOrLater(answer, {
        later: 'later: `pfar deploy`',
        run: () => {
          letGo()
          return deployCommand(context, { ...options, dryRun: false })
        },
        done: () => config().edge ?? 'it runs; its address is not in config.toml',
      }),
  }
}

const ELSEWHERE = 'made in a checkout of PFAR by `pfar deploy`; `pfar pair` here joins the two'

interface ChannelStepInput extends ActionInput {
  readonly ask: (question: string) => Promise<string | null>
  readonly channel: ChannelDeclaration
}

/** A bot for what the edge may know, home's answers through it after an acknowledgement, or a bot at home alone. */
function edgeChatStep({ context, config, letGo, name, ask, channel }: ChannelStepInput): Step {
  const connect = async (options: ConnectOptions): Promise<ExitCode> => {
    letGo()
    const { connectCommand } = await import('./commands/channel-command.ts')
    return connectCommand(context, channel.name, { ...options, ...(name !== undefined && { name }) })
  }
  const byEdge = `by an edge: \`pfar channel connect ${channel.name}\``
  return {
    ...{ name: channel.name, title: channel.name },
    async look() {
      const { edge, channels } = config()
      if (edge !== null) return { state: 'due', question: questionOf(channel), usual: LATER }
      return channels[channel.name] === undefined
        ? {
            state: 'absent',
            says: `${byEdge}; by home alone: \`pfar channel connect ${channel.name} --private\``,
          }
        : { state: 'done', says: `${channel.means} is your private line; another, ${byEdge}` }
    },
    async take(answer) {
      const said = answer.trim().toLowerCase()
      if (said === 'private')
        return (await connect({ private: true })) === 0
          ? taken('your private line is connected')
          : again(FAILED)
      if (said === 'both') {
        if ((await connect({})) !== 0) return again(FAILED)
        const given = await agree(context, (link) => link.call(acknowledgeBot, {}), ask)
        return taken(`your bot is connected; ${given ? 'home may answer there, for a year' : NOT_BOTH}`)
      }
      return yesOrLater(answer, {
        later: `later: \`pfar channel connect ${channel.name}\``,
        run: () => connect({}),
        done: () => `your bot is connected; ${NOT_BOTH}`,
      })
    },
  }
}

function questionOf({ offer = '' }: ChannelDeclaration): string {
  return `${offer}
  yes      through your edge, without private data
  both     the same, and home answers there with private data once you agree to a card that says who can read it
  private  by your home alone, and not through the edge
(yes, both, private, later)`
}

const NOT_BOTH = 'nothing private is said there'

/** A channel that runs at home only is mentioned, not asked about: setting it up needs steps at its service first. */
export function channelSteps(input: Omit<ChannelStepInput, 'channel'>): readonly (Step | Told)[] {
  return CHANNELS.filter(({ needs }) => needs.length > 0).map((channel) =>
    channel.edge === null ? homeChatNotice(input, channel) : edgeChatStep({ ...input, channel }),
  )
}

function homeChatNotice({ config }: Pick<ActionInput, 'config'>, { name, means }: ChannelDeclaration): Told {
  return {
    title: name,
    look: async () =>
      config().channels[name] === undefined
        ? { state: 'absent', says: `by home alone: \`pfar channel connect ${name}\`` }
        : { state: 'done', says: `${means} is your private line` },
  }
}

export function serviceStep({ context, folder, letGo }: ActionInput): Step {
  return {
    ...{ name: 'service', title: 'service' },
    async look(): Promise<Look> {
      const { units } = unitsOf(context.environment)
      if (existsSync(join(units, UNIT_NAME))) return { state: 'done', says: 'home starts with this machine' }
      if (!isOnPath('systemctl', context.environment))
        return { state: 'absent', says: `no systemd here; home runs while \`${startCommand()}\` does` }
      const record = readCustodyRecord(folder)
      if (record.ok && record.value.kind === 'passphrase')
        return { state: 'absent', says: 'a service could not be asked for the passphrase' }
      const question = 'Shall home start with this machine, as a service? (yes, later)'
      return { state: 'due', question, usual: LATER }
    },
    take: (answer) =>
      yesOrLater(answer, {
        later: 'later: `pfar service install`',
        run: () => {
          letGo()
          return serviceCommand(context, 'install')
        },
        done: () => 'home starts with this machine',
      }),
  }
}

interface Choice {
  readonly later: string
  readonly run: () => Promise<ExitCode>
  readonly done: () => string
}

async function yesOrLater(answer: string, { later, run, done }: Choice): ReturnType<Step['take']> {
  const said = yesIn(answer)
  if (said === null) return again(YES_OR_LATER)
  if (!said) return taken(later)
  return (await run()) === 0 ? taken(done()) : again(FAILED)
}

interface CloudStepInput extends Pick<ActionInput, 'context' | 'config'> {
  readonly ask: (question: string) => Promise<string | null>
}

const NONE = 'none'

export function cloudStep({ context, config, ask }: CloudStepInput): Step {
  const clouds = (): readonly string[] =>
    config().models.providers.flatMap(({ locality, name }) => (locality === 'cloud' ? [name] : []))
  return {
    ...{ name: 'cloud', title: 'cloud' },
    async look() {
      const names = clouds()
      if (names.length === 0) return { state: 'absent', says: 'no model of another company is set up' }
      const templates = await privateTemplates(context)
      if (templates.length === 0) return { state: 'absent', says: 'nothing private could go to a cloud' }
      const listed = templates.map(({ id, description }) => `  ${terminalLine(`${id}: ${description}`)}`)
      return {
        state: 'due',
        question: `${names.join(', ')}: these companies would read your prompts. Which conversations may they read, private data\nincluded? Without a yes they get none of it. Name one:\n${listed.join('\n')}\n(its name, or ${NONE})`,
        usual: NONE,
      }
    },
    async take(answer) {
      if (answer.toLowerCase() === NONE) return taken('no cloud reads what is private')
      const templates = await privateTemplates(context)
      const wanted = templates.find(({ id }) => id === answer)
      if (wanted === undefined) return again('That is none of them.')
      const asked = { template: wanted.id }
      const given = await agree(context, (link) => link.call(acknowledgeCloud, asked), ask)
      const more = 'more of them: `pfar models acknowledge`'
      return given ? taken(`clouds may read ${wanted.id} for a year; ${more}`) : again('Nothing was allowed.')
    },
  }
}

/** Templates that read data above `internal` and that no cloud model may read yet. */
async function privateTemplates(
  context: CommandContext,
): Promise<readonly Pick<TemplateView, 'id' | 'description'>[]> {
  let found: readonly Pick<TemplateView, 'id' | 'description'>[] = []
  await onLine(context, { line: 'private', start: true }, async (link) => {
    const view = await link.call(listModels, {})
    if (!view.ok) return view
    found = view.value.templates.filter(
      ({ ceiling, acknowledgedUntil }) => ceiling === 'sensitive' && acknowledgedUntil === null,
    )
    return ok(0)
  })
  return found
}

/**
 * Questions of `pfar init` whose answers are commands: master key, edge, bot, access for cloud models, service. Each command
 * prompts for its own input; no answer that is typed here is a secret. What gives more readers access only creates a card,
 * which needs a separate yes (F-17). Called by init-command.ts.
 */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { CHANNELS } from '../../integrations/channels/index.ts'
import type { ChannelDeclaration } from '../../integrations/channels/runtime/declaration.ts'
import { acknowledgeCloud } from '../../kernel/features/models/operations/acknowledge.ts'
import { listModels } from '../../kernel/features/models/operations/list.ts'
import { acknowledgeBot } from '../../kernel/features/places/operations/acknowledge.ts'
import type { TemplateView } from '../../kernel/features/templates/port.ts'
import { ok } from '../../kernel/flow/verdict.ts'
import { KEY_FILE } from '../backup/backup-key.ts'
import type { Config } from '../config/config.ts'
import { yesIn } from '../init/answers.ts'
import { again, type Look, type Step, type Told, taken } from '../init/wizard.ts'
import { readCustodyRecord } from '../keys/custody.ts'
import { custodySentence } from '../keys/key-status.ts'
import { tell } from '../language/wording.ts'
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

/** Input for steps whose command asks on this terminal itself. */
export interface AskingInput extends ActionInput {
  readonly asker: TerminalAsker
}

const later = (): string => tell('init.later')
const failed = (): string => tell('init.failed')

/** May be postponed without loss: the new key takes over all existing records. */
export function keyStep({ context, folder, letGo }: ActionInput): Step {
  return {
    ...{ name: 'key', title: tell('init.title_key') },
    async look() {
      const record = readCustodyRecord(folder)
      if (!record.ok || record.value.kind === 'development')
        return {
          state: 'due',
          question: tell('init.key', { custodies: CUSTODIES.join(', '), later: later() }),
          usual: later(),
        }
      return { state: 'done', says: tell('init.key_kept', { how: custodySentence(record.value.kind) }) }
    },
    async take(answer) {
      if (yesIn(answer) === false) return taken(tell('init.key_later'))
      const custody = CUSTODIES.find((one) => one === answer.toLowerCase())
      if (custody === undefined)
        return again(tell('init.key_wrong', { custodies: CUSTODIES.join(', '), later: later() }))
      letGo()
      // Loaded on demand: it brings a database and a word list.
      const { keyCommand } = await import('./commands/key-command.ts')
      const code = await keyCommand(context, { what: 'init', custody, json: false })
      return code === 0 ? taken(tell('init.key_kept', { how: custodySentence(custody) })) : again(failed())
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

export function edgeStep({ context, config, letGo, name, address }: ActionInput): Step {
  const options = { ...(name !== undefined && { name }), ...(address !== undefined && { address }) }
  return {
    ...{ name: 'edge', title: tell('init.title_edge') },
    async look() {
      const { edge } = config()
      if (edge === null && !hasEdgeProgram()) return { state: 'absent', says: tell('init.edge_elsewhere') }
      const question = tell('init.edge')
      return edge === null ? { state: 'due', question, usual: later() } : { state: 'done', says: edge }
    },
    take: (answer) =>
      yesOrLater(answer, {
        later: tell('init.edge_later'),
        run: () => {
          letGo()
          return deployCommand(context, { ...options, dryRun: false })
        },
        done: () => config().edge ?? tell('init.edge_done'),
      }),
  }
}

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
  const byEdge = tell('init.chat_by_edge', { name: channel.name })
  return {
    ...{ name: channel.name, title: channel.name },
    async look() {
      const { edge, channels } = config()
      if (edge !== null) return { state: 'due', question: questionOf(channel), usual: later() }
      return channels[channel.name] === undefined
        ? {
            state: 'absent',
            says: tell('init.chat_either', { edge: byEdge, name: channel.name }),
          }
        : { state: 'done', says: tell('init.chat_another', { line: lineOf(channel), edge: byEdge }) }
    },
    async take(answer) {
      const said = answer.trim().toLowerCase()
      if (said === 'private' || said === 'privat')
        return (await connect({ private: true })) === 0 ? taken(tell('init.chat_private')) : again(failed())
      if (said === 'both' || said === 'beides') {
        if ((await connect({})) !== 0) return again(failed())
        const given = await agree(context, (link) => link.call(acknowledgeBot, {}), ask)
        return taken(connected(given ? tell('init.chat_both') : tell('init.chat_not_both')))
      }
      return yesOrLater(answer, {
        later: tell('init.chat_later', { name: channel.name }),
        run: () => connect({}),
        done: () => connected(tell('init.chat_not_both')),
      })
    },
  }
}

function questionOf({ offer = '' }: ChannelDeclaration): string {
  return tell('init.chat', { offer })
}

function connected(how: string): string {
  return tell('init.chat_connected', { private: how })
}

function lineOf({ means }: Pick<ChannelDeclaration, 'means'>): string {
  return tell('init.chat_is_line', { means })
}

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
        ? { state: 'absent', says: tell('init.chat_by_home', { name }) }
        : { state: 'done', says: lineOf({ means }) },
  }
}

export function serviceStep({ context, folder, letGo }: ActionInput): Step {
  return {
    ...{ name: 'service', title: tell('init.title_service') },
    async look(): Promise<Look> {
      const { units } = unitsOf(context.environment)
      if (existsSync(join(units, UNIT_NAME))) return { state: 'done', says: tell('init.service_done') }
      if (!isOnPath('systemctl', context.environment))
        return { state: 'absent', says: tell('init.service_absent', { start: startCommand() }) }
      const record = readCustodyRecord(folder)
      if (record.ok && record.value.kind === 'passphrase')
        return { state: 'absent', says: tell('init.service_passphrase') }
      const question = tell('init.service')
      return { state: 'due', question, usual: later() }
    },
    take: (answer) =>
      yesOrLater(answer, {
        later: tell('init.service_later'),
        run: () => {
          letGo()
          return serviceCommand(context, 'install')
        },
        done: () => tell('init.service_done'),
      }),
  }
}

/** A backup opens on another machine only with the recovery phrase, so a real master key must exist first. */
export function backupStep({ context, folder, letGo }: ActionInput): Step {
  return {
    ...{ name: 'backup', title: tell('init.title_backup') },
    async look(): Promise<Look> {
      if (existsSync(folder.file(KEY_FILE))) return { state: 'done', says: tell('init.backup_done') }
      const record = readCustodyRecord(folder)
      if (!record.ok || record.value.kind === 'development')
        return { state: 'absent', says: tell('init.backup_absent') }
      return { state: 'due', question: tell('init.backup'), usual: later() }
    },
    take: (answer) =>
      yesOrLater(answer, {
        later: tell('init.backup_later'),
        async run() {
          letGo()
          const { backupInit } = await import('./commands/backup/backup-command.ts')
          return backupInit(context, false)
        },
        done: () => tell('init.backup_done'),
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
  if (said === null) return again(tell('init.yes_or_later'))
  if (!said) return taken(later)
  return (await run()) === 0 ? taken(done()) : again(failed())
}

interface CloudStepInput extends Pick<ActionInput, 'context' | 'config'> {
  readonly ask: (question: string) => Promise<string | null>
}

/** Answers that grant nothing. */
const NONE = /^(?:none|keine)$/i

export function cloudStep({ context, config, ask }: CloudStepInput): Step {
  const clouds = (): readonly string[] =>
    config().models.providers.flatMap(({ locality, name }) => (locality === 'cloud' ? [name] : []))
  return {
    ...{ name: 'cloud', title: tell('init.title_cloud') },
    async look() {
      const names = clouds()
      if (names.length === 0) return { state: 'absent', says: tell('init.cloud_absent') }
      const templates = await privateTemplates(context)
      if (templates.length === 0) return { state: 'absent', says: tell('init.cloud_nothing') }
      const listed = templates.map(({ id, description }) => `  ${terminalLine(`${id}: ${description}`)}`)
      return {
        state: 'due',
        question: tell('init.cloud', {
          names: names.join(', '),
          list: listed.join('\n'),
          none: tell('init.none'),
        }),
        usual: tell('init.none'),
      }
    },
    async take(answer) {
      if (NONE.test(answer) || yesIn(answer) === false) return taken(tell('init.cloud_none'))
      const templates = await privateTemplates(context)
      const wanted = templates.find(({ id }) => id === answer)
      if (wanted === undefined) return again(tell('init.cloud_unknown'))
      const asked = { template: wanted.id }
      const given = await agree(context, (link) => link.call(acknowledgeCloud, asked), ask)
      return given ? taken(tell('init.cloud_done', asked)) : again(tell('init.cloud_refused'))
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

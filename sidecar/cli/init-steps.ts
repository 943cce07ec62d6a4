/**
 * The questions of `pfar init` whose answers are commands: the master key, the edge, a bot, what a cloud may read, a service. Each asks
 * for itself what it needs; no answer that is typed here is a secret. Called by init-command.ts.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { yesIn } from '../init/answers.ts'
import { again, type Look, type Step, type Told, taken } from '../init/step.ts'
import { hasEdgeProgram, startCommand } from '../installed-parts.ts'
import type { ChosenCustody } from '../keys/change-key.ts'
import { readCustodyRecord } from '../keys/custody-record.ts'
import { custodySentence } from '../keys/key-status.ts'
import { isOnPath } from '../on-path.ts'
import { UNIT_NAME } from '../service/unit.ts'
import type { StateFolder } from '../state-folder.ts'
import { agree } from './agree.ts'
import { newMessage } from './approvals-command.ts'
import type { CommandContext, ExitCode } from './command.ts'
import { deployCommand } from './deploy-command.ts'
import { serviceCommand, unitsOf } from './service-command.ts'
import { type TelegramOptions, telegramCommand } from './telegram-command.ts'

export interface ActionInput {
  readonly context: CommandContext
  readonly folder: StateFolder
  readonly config: () => Config
  /** Gives the terminal to a command that asks for itself. */
  readonly letGo: () => void
  /** Of the Worker, and where it will answer, if its owner said so. */
  readonly name?: string
  readonly address?: string
}

const LATER = 'later'
const CUSTODIES: readonly ChosenCustody[] = ['keychain', 'passphrase', 'systemd']
const YES_OR_LATER = 'Please say yes or later.'
const FAILED = 'That did not work. Say it again to try once more, or later.'

/** Nothing is lost by doing it later: the new key takes over all that is there. */
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
      // Loaded when it is wanted: it brings a database and a word list.
      const { keyCommand } = await import('./key-command.ts')
      const code = await keyCommand(context, { what: 'init', custody, json: false })
      return code === 0 ? taken(`it is kept ${custodySentence(custody)}`) : again(FAILED)
    },
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
        'Shall I put the edge on Cloudflare now? It answers while this machine is off, by a bot at Telegram too. (yes, later)'
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

export interface TelegramStepInput extends ActionInput {
  readonly ask: (question: string) => Promise<string | null>
}

/** A bot for what the edge may know; one for both lines, by his acknowledgement; or one at home, for what the edge may not. */
export function telegramStep({ context, config, letGo, name, ask }: TelegramStepInput): Step {
  const connect = (options: TelegramOptions): Promise<ExitCode> => {
    letGo()
    return telegramCommand(context, { ...options, ...(name !== undefined && { name }) })
  }
  return {
    ...{ name: 'telegram', title: 'telegram' },
    async look() {
      const { edge, telegram } = config()
      if (edge !== null) return { state: 'due', question: TELEGRAM_QUESTION, usual: LATER }
      return telegram === null
        ? { state: 'absent', says: `${BY_AN_EDGE}; ${BY_HOME}` }
        : { state: 'done', says: `a bot of yours is your private line; another, ${BY_AN_EDGE}` }
    },
    async take(answer) {
      const said = answer.trim().toLowerCase()
      if (said === 'private')
        return (await connect({ private: true })) === 0
          ? taken('your private line is connected')
          : again(FAILED)
      if (said === 'both') {
        if ((await connect({})) !== 0) return again(FAILED)
        const given = await agree(context, (link) => link.transport.acknowledge(newMessage()), ask)
        return taken(`your bot is connected; ${given ? 'home may answer there, for a year' : NOT_BOTH}`)
      }
      return yesOrLater(answer, {
        later: 'later: `pfar telegram connect`',
        run: () => connect({}),
        done: () => `your bot is connected; ${NOT_BOTH}`,
      })
    },
  }
}

const BY_AN_EDGE = 'by an edge: `pfar telegram connect`'
const BY_HOME = 'by home alone: `pfar telegram connect --private`'

const TELEGRAM_QUESTION = `Shall a bot of yours at Telegram bring what you write? @BotFather makes one and gives you its token.
  yes      through your edge, without private data
  both     the same, and home answers there with private data once you agree to a card that says who can read it
  private  by your home alone, and not through the edge
(yes, both, private, later)`

const NOT_BOTH = 'nothing private is said there'

/** Told of, and not asked: whoever wants it makes an app first, with a page of Slack's beside him. */
export function slackStep({ config }: Pick<ActionInput, 'config'>): Told {
  return {
    title: 'slack',
    look: async () =>
      config().slack === null
        ? { state: 'absent', says: 'by home alone: `pfar slack connect`' }
        : { state: 'done', says: 'an app of yours is your private line' },
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

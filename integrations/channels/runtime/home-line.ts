/**
 * Shared parts of home's channels (F-18, H-03, H-05, H-13): the chat that can be activated, replaced and left while home runs; its
 * token, unsealed for one request; whether it receives messages, and the notices about it. Must not open a connection or
 * authenticate anybody: the packages do. Called by home.ts and home-line.ts of the packages.
 */
import { putElsewhere } from '../../../kernel/features/approvals/asking.ts'
import type { Refusal, Result } from '../../../kernel/flow/verdict.ts'
import { settleTap } from './cards.ts'
import type { ChannelState } from './channel-state.ts'
import { byHand, type ChannelDeclaration, type ChannelTable, toolOf } from './declaration.ts'
import type {
  Activatable,
  BotLine,
  HomeChannel,
  HomeChannelPorts,
  HomeChat,
  LinePorts,
  TokenAsked,
  TokenCustodian,
} from './home-package.ts'
import type { InboxPorts } from './inbox.ts'

/** A line of the owner while it receives messages. */
export interface ListeningLine {
  status(): Readonly<Record<string, unknown>>
  /** Stops receiving; unprocessed messages go to the next line. */
  stop(): Promise<void>
}

/** The chat that is configured now. */
export interface LiveChat<Config> {
  config(): Config | null
  /** Replaces it: when it resolves, the former one no longer receives and this one does; null for none. */
  set(config: Config | null): Promise<void>
}

export interface HomeChannelInput<Config extends ChannelTable, Bot extends HomeChat> {
  readonly declaration: ChannelDeclaration
  readonly ports: Pick<HomeChannelPorts, 'origin' | 'table'>
  /** As `config.toml` has it at the start. */
  readonly table: ChannelTable | null
  readonly parse: (table: ChannelTable) => Config
  /** The owner, as event sources name them. */
  readonly ownerOf: (config: Config) => string
  readonly make: (config: Config) => Promise<Bot>
  readonly start: (bot: Bot) => Promise<ListeningLine>
  readonly activation: (live: LiveChat<Config>) => Pick<Activatable, 'check' | 'account' | 'find' | 'trouble'>
}

export async function openHomeChannel<Config extends ChannelTable, Bot extends HomeChat>(
  input: HomeChannelInput<Config, Bot>,
): Promise<HomeChannel> {
  const { declaration, ports, parse, ownerOf, make, start } = input
  let config = input.table === null ? null : parse(input.table)
  let bot = config === null ? null : await make(config)
  let line: ListeningLine | null = null
  const stop = async (): Promise<void> => {
    const former = line
    line = null
    await former?.stop()
  }
  const listen = async (): Promise<void> => {
    if (bot !== null && line === null) line = await start(bot)
  }
  const set = async (next: Config | null): Promise<void> => {
    await stop()
    bot = next === null ? null : await make(next)
    config = next
    await listen()
  }
  return {
    declaration,
    now: () => bot,
    owner: () => (config === null ? null : ownerOf(config)),
    listen,
    set: (table) => set(table === null ? null : parse(table)),
    status: () => line?.status() ?? (bot === null ? {} : { [declaration.name]: 'connects' }),
    stop,
    activation: {
      ...input.activation({ config: () => config, set }),
      adapter: declaration,
      sink: declaration.home?.sink ?? '',
      scope: { tools: [toolOf(declaration)], hosts: [new URL(ports.origin).host] },
      isActive: () => config !== null,
      async leave() {
        const former = config
        await set(null)
        return former === null || ports.table.remove(former) ? null : byHand(declaration, former)
      },
    },
  }
}

/** Unseals a token for one request and reports whether the service accepted it. Refusals: those of the custodian and of `ask`. */
export async function withToken<T>(
  custodian: Pick<TokenCustodian, 'issue' | 'settle'>,
  asked: TokenAsked,
  ask: (token: string) => Promise<Result<T>>,
): Promise<Result<T>> {
  const issued = await custodian.issue(asked)
  if (!issued.ok) return issued
  const { value, version } = issued.value
  const answer = await ask(value)
  if (answer.ok) custodian.settle(version, 'accepted')
  else if (answer.reason.code === 'credential_rejected') custodian.settle(version, 'rejected')
  return answer
}

/** Receives messages, and has called nothing yet. */
export function createBotLine(): BotLine {
  return { isUnreachable: false, onResult: () => undefined }
}

export interface ReceptionInput {
  readonly channel: string
  readonly sink: string
  readonly line: BotLine
  readonly ports: Pick<LinePorts, 'powers' | 'tell' | 'drive'>
  /** Whether the fault needs the owner. A refused token is reported by its custodian instead. */
  readonly isSetUpWrongly: (trouble: Refusal) => boolean
  /** The fault in a sentence for the owner. */
  readonly words: (trouble: Refusal) => string
}

export interface Reception {
  /** Called whenever the fault changes; null once messages arrive. */
  setTrouble(trouble: Refusal | null): void
  /** `asked`: whether a request to the service has been answered since the start. */
  status(asked: boolean): Readonly<Record<string, unknown>>
}

/** A revoked token shows at the first refused call, which may be a sent answer long before the next poll. */
export function createReception(input: ReceptionInput): Reception {
  const { channel, sink, line, ports, isSetUpWrongly, words } = input
  let trouble: Refusal | null = null
  /** The token's refusal by the last conclusive call; null when it was accepted. */
  let refused: Refusal | null = null
  const now = (): Refusal | null => trouble ?? refused
  const judge = (): void => {
    const standing = now()
    line.isUnreachable =
      standing !== null && (isSetUpWrongly(standing) || standing.code === 'credential_rejected')
    if (!line.isUnreachable) return
    putElsewhere(ports.powers, sink)
    ports.drive()
  }
  line.onResult = (answer) => {
    if (!answer.ok && answer.reason.code !== 'credential_rejected') return
    const next = answer.ok ? null : answer.reason
    if (next?.code === refused?.code) return
    refused = next
    judge()
  }
  return {
    setTrouble(current) {
      trouble = current
      judge()
      if (current !== null && isSetUpWrongly(current))
        ports.tell({ id: `${channel}:${ports.powers.now()}`, code: 'credential_mismatch', about: channel })
    },
    status(asked) {
      if (!asked) return { [channel]: 'connects' }
      const standing = now()
      return { [channel]: standing === null ? 'listens' : `does not hear: ${words(standing)}` }
    },
  }
}

/** Inbox dependencies for the owner's chat at `sink`. */
export function inboxOf(
  { powers, shell, notify }: Pick<LinePorts, 'powers' | 'shell' | 'notify'>,
  { channel, sink, kept }: { readonly channel: string; readonly sink: string; readonly kept: ChannelState },
): InboxPorts {
  return {
    receive: (event) => shell.receive(event),
    refuse: (notice) => notify({ ...notice, sink }),
    settle: (tap) => settleTap({ kept, channel }, { powers, shell }, tap),
  }
}

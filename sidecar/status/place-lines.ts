/**
 * Lines of the status that only home has (L-08, Q-11, S-15): the edge, chats, services that do not work, the version, and a
 * configuration that is not in use yet. Each says in words what to do. Names no account and no host of the owner's own. Called by
 * wiring.ts.
 */
import { HOST_KEYS } from '../../integrations/tools/http/setting.ts'
import { type Chats, chatTitleOf } from '../../kernel/tool/channel.ts'
import { namedMoment } from '../../kernel/wording/output.ts'
import { wordsFor } from '../../kernel/wording/words.ts'
import { tell } from '../language/wording.ts'
import type { SecretInfo } from '../secrets/secret.ts'
import type { TunnelStatus } from '../tunnel/tunnel-client.ts'
import type { ConfigChange } from './config-changed.ts'

export interface PlaceFacts {
  readonly version: string
  /** Origin of the edge; null without one. */
  readonly edge: string | null
  readonly tunnel: Pick<TunnelStatus, 'state' | 'trouble'> | null
  /** State of reception of each configured chat, as its package reports it. */
  readonly chatStates: Readonly<Record<string, unknown>>
  readonly chats: Chats
  readonly secrets: readonly Pick<SecretInfo, 'name' | 'state' | 'former'>[]
  /** Name of the service of a secret, as shown to the owner; null for one that cannot be given in a chat. */
  readonly titleOf: (secret: string) => string | null
  /** Services whose circuit breaker is open, and when each may be called again, epoch milliseconds. */
  readonly resting: readonly { readonly title: string; readonly until: number }[]
  readonly config: ConfigChange | null
  readonly timezone: string
  readonly now: number
}

/** Faults come first. */
export function placeLines(facts: PlaceFacts): readonly string[] {
  const { working, silent } = chatsOf(facts)
  return [
    ...troubleLines(facts),
    ...configLine(facts),
    edgeLine(facts),
    tell('status.chats', { chats: [tell('status.terminal'), ...working].join(', ') }),
    ...silent,
    tell('status.version', { version: facts.version }),
  ]
}

/** The same facts for `pfar status`, except those that it prints on lines of its own. Empty parts are omitted. */
export function placeStatus(facts: PlaceFacts): Readonly<Record<string, unknown>> {
  const troubles = troubleLines(facts)
  const [configChanged] = configLine(facts)
  return {
    software: facts.version,
    ...(troubles.length > 0 && { troubles }),
    ...(configChanged !== undefined && { configChanged }),
  }
}

/** Services that do not work now. */
function troubleLines({ secrets, titleOf, resting, timezone, now }: PlaceFacts): readonly string[] {
  const refused = secrets
    .filter(({ state, former }) => state === 'rejected' && !former)
    .map(({ name }) => {
      const title = titleOf(name)
      if (title !== null) return tell('status.refused', { title })
      return name.startsWith(HOST_KEYS) ? tell('status.refused_host') : tell('status.refused_own', { name })
    })
  const silent = resting.map(({ title, until }) =>
    tell('status.silent', { title, until: namedMoment(until, timezone, now) }),
  )
  return [...new Set([...refused, ...silent])]
}

/** Empty if the configuration in the file is the one in use. */
function configLine({
  config,
  timezone,
  now,
}: Pick<PlaceFacts, 'config' | 'timezone' | 'now'>): readonly string[] {
  if (config === null) return []
  const at = namedMoment(config.at, timezone, now)
  if (config.trouble === null) return [tell('status.config', { at })]
  const { key = 'config.toml', problem = '' } = config.trouble.facts
  return [tell('status.config_malformed', { at, key: String(key), problem: String(problem) })]
}

function edgeLine({ edge, tunnel }: PlaceFacts): string {
  if (edge === null) return tell('status.no_edge')
  if (tunnel?.state === 'up') return tell('status.edge_up')
  return tell('status.edge_down', { why: tunnel?.trouble ? `${wordsFor(tunnel.trouble)} ` : '' })
}

const LISTENS = 'listens'
const CONNECTS = 'connects'
const NOT_RECEIVING = 'does not hear: '

function chatsOf({ chatStates: heard, chats }: PlaceFacts) {
  const all = Object.entries(heard).map(([name, says]) => ({
    title: chatTitleOf(chats, name) ?? name,
    says: String(says),
  }))
  const silent = all
    .filter(({ says }) => says !== LISTENS)
    .map(({ title, says }) =>
      says === CONNECTS
        ? tell('status.chat_connects', { title })
        : tell('status.chat_deaf', { title, why: says.replace(NOT_RECEIVING, '') }),
    )
  return { working: all.filter(({ says }) => says === LISTENS).map(({ title }) => title), silent }
}

/** Status report of home: counts and names, never content (H-10, T-06). Must not change anything. Called by doors.ts. */

import { HOST_KEYS } from '../../integrations/tools/http/setting.ts'
import { waitingView } from '../../kernel/features/deliveries/resend.ts'
import type { WaitingStore } from '../../kernel/features/deliveries/waiting-port.ts'
import type { JobStore } from '../../kernel/features/jobs/port.ts'
import { jobLines } from '../../kernel/features/jobs/status.ts'
import { pausedNow } from '../../kernel/features/pause/pause.ts'
import { pauseStands } from '../../kernel/features/pause/pause-words.ts'
import { standingTransport } from '../../kernel/features/places/both-lines.ts'
import type { SettingStore } from '../../kernel/features/quiet/port.ts'
import { switchedOff } from '../../kernel/features/tools/switched.ts'
import type {
  Actions,
  ChatServices,
  Clock,
  OwnerFacts,
  Pausing,
  Templates,
  Tools,
} from '../../kernel/powers/ports.ts'
import type { ApprovalStore, GrantStore, StoreOf, TaskStore } from '../../kernel/powers/stores.ts'
import type { RegisteredAction } from '../../kernel/tool/registry.ts'
import { PROTOCOL_VERSION } from '../../kernel/tunnel/frame.ts'
import { sealKeyGroups } from '../../kernel/vault/secret-offer.ts'
import { wordsFor } from '../../kernel/wording/words.ts'
import type { CustodyKind } from '../keys/custody.ts'
import { custodySentence } from '../keys/key-status.ts'
import { REDACTED, type SecretInfo } from '../secrets/secret.ts'
import { MAIL } from '../secrets/vault-names.ts'
import type { TunnelStatus } from '../tunnel/tunnel-client.ts'

export interface StatusInput {
  readonly powers: Clock &
    Actions &
    Tools &
    Pausing &
    OwnerFacts &
    ChatServices &
    Templates &
    StoreOf<TaskStore & ApprovalStore & GrantStore & WaitingStore & JobStore & SettingStore>
  readonly custody: CustodyKind
  /** Public key that the edge seals secrets to, base64url. */
  readonly sealKey: string
  readonly secrets: readonly SecretInfo[]
  /** Vault name for the credential name of a manifest. */
  readonly nameOf: (credential: string) => string
  readonly edge: string | null
  /** Null when no edge is configured. */
  readonly tunnel: TunnelStatus | null
}

/** Value of `startedBy` for a home that runs as a service. */
export const STARTED_BY_SERVICE = 'systemd'

const MEGABYTE = 1_048_576

export function homeStatus({
  powers,
  custody,
  sealKey,
  secrets,
  nameOf,
  edge,
  tunnel,
}: StatusInput): Readonly<Record<string, unknown>> {
  const { registry, store, tools, now } = powers
  const lacking = [...registry.actions.values()].filter(
    (action) => tools.availability(action) === 'credential',
  )
  const usable = [...registry.actions.values()].filter((action) => tools.availability(action) === 'here')
  const tasks = store.activePrincipals().flatMap((principal) => store.activeTasks(principal))
  return {
    place: 'home',
    version: PROTOCOL_VERSION,
    tunnel: tunnel?.state ?? 'down',
    tunnelTrouble: tunnel?.trouble ?? null,
    ...(tunnel?.trouble ? { tunnelSays: wordsFor(tunnel.trouble) } : {}),
    rttMs: tunnel?.rtt ?? null,
    edge,
    masterKey: custodySentence(custody),
    // Shown on the one-time page and in its chat as well, so that the owner can compare (L-15).
    homeKey: sealKeyGroups(Buffer.from(sealKey, 'base64url')),
    tools: usable.map(({ id }) => id).sort(),
    secrets: secrets.map(
      ({ name, version, state }) => `${isOfHost(name) ? NAMELESS : name} ${REDACTED} v${version} ${state}`,
    ),
    missing: [
      ...missingSecrets(
        lacking.filter((action) => isOfEveryDay(action) && !isUnread(action, secrets)),
        nameOf,
      ),
      ...unreadAccounts(lacking, secrets),
    ],
    // A missing service that mail needs is reported once, and not again for its address book.
    ...unconnected(
      lacking.filter(
        (action) =>
          !isUnread(action, secrets) &&
          !lacking.some((one) => isOfEveryDay(one) && one.tool.credential === action.tool.credential),
      ),
      nameOf,
    ),
    ...switched(powers),
    tasks: tasks.length,
    approvals: store.pendingApprovals(null).length,
    waiting: waitingView(powers),
    approvalsPerDay: store
      .askedSince(now() - DAY)
      .map(({ reason, count }) => `${count} × ${reason.replaceAll('_', ' ')}`),
    ...jobs(powers),
    ...paused(powers),
    ...bothLines(powers),
    memoryMb: Math.round(process.memoryUsage.rss() / MEGABYTE),
  }
}

/** Each job with its last and next run. Empty if there is none. */
function jobs(powers: StatusInput['powers']): { readonly jobs?: readonly string[] } {
  const lines = jobLines(powers)
  return lines.length === 0 ? {} : { jobs: lines }
}

/** Names of services that the owner switched off. Empty if there is none. */
function switched(powers: StatusInput['powers']): { readonly switchedOff?: string } {
  const off = switchedOff(powers).filter((service) => !isOfHost(service))
  return off.length === 0 ? {} : { switchedOff: `${off.join(', ')} (\`pfar tools on\`)` }
}

/**
 * Keys of hosts that the owner named, now or earlier, are reported by `tools.list` and `webservices.list` on private lines only.
 */
function isOfHost(name: string): boolean {
  return name.startsWith(HOST_KEYS)
}

const NAMELESS = `${HOST_KEYS}…`

/** Start of the pause, and the chat and place that it was ordered from. Empty if not paused. */
function paused(powers: StatusInput['powers']): { readonly paused?: string } {
  const pause = pausedNow(powers)
  return pause === null
    ? {}
    : { paused: pauseStands(pause, { timezone: powers.profile().timezone, chats: powers.chats }) }
}

/** Period in which home may answer through the edge's bot. Empty if it may not. */
function bothLines(powers: StatusInput['powers']): { readonly bothLines?: string } {
  const live = standingTransport(powers)
  if (live === null) return {}
  const day = (at: number): string => new Date(at).toISOString().slice(0, 10)
  const [, channel] = live.sink.split(':')
  return { bothLines: `${channel}, acknowledged ${day(live.createdAt)}, until ${day(live.expiresAt)}` }
}

const DAY = 86_400_000

/** Whether the tool is part of everyday use, such as mail, so that a missing secret is a fault. Other services are optional. */
function isOfEveryDay({ tool }: RegisteredAction): boolean {
  return tool.actions.some(({ core }) => core === true)
}

/** Whether an account was stored after this home started, so that it does not know the account yet. */
function isUnread({ tool }: RegisteredAction, secrets: readonly SecretInfo[]): boolean {
  return secrets.some(
    ({ name, scope }) =>
      (name === MAIL || name.startsWith(`${tool.name}-`)) && scope.tools.includes(tool.name),
  )
}

function unreadAccounts(
  lacking: readonly RegisteredAction[],
  secrets: readonly SecretInfo[],
): readonly string[] {
  const tools = new Set(lacking.filter((action) => isUnread(action, secrets)).map(({ tool }) => tool.name))
  return [...tools].map((tool) => `nothing for ${tool}: an account is stored; start home again to use it`)
}

/** Services that could be connected, in one line. Empty if there is none. */
function unconnected(
  lacking: readonly RegisteredAction[],
  nameOf: (credential: string) => string,
): { readonly notConnected?: string } {
  const names = [...new Set(lacking.map(({ tool }) => nameOf(tool.credential ?? '')))].sort()
  return names.length === 0 ? {} : { notConnected: `${names.join(', ')} (\`pfar connect\`)` }
}

/** One sentence per missing secret: the tools that need it, and the command that sets it (S-14). */
function missingSecrets(
  lacking: readonly RegisteredAction[],
  nameOf: (credential: string) => string,
): readonly string[] {
  const tools = new Map<string, string[]>()
  for (const { id, tool } of lacking) {
    const name = nameOf(tool.credential ?? '')
    tools.set(name, [...(tools.get(name) ?? []), id])
  }
  return [...tools].map(
    ([name, ids]) => `vault:${name} for ${ids.sort().join(', ')}: pfar secret set ${name}`,
  )
}

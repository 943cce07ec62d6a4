/**
 * What home says of itself when the owner asks: counts and names, never content (H-10, T-06). Must not change
 * anything. Called by runtime.ts.
 */
import type { Actions, ChatServices, Clock, OwnerFacts, Pausing, Tools } from '../kernel/powers/ports.ts'
import type { ApprovalStore, GrantStore, StoreOf, TaskStore } from '../kernel/powers/stores.ts'
import type { WaitingStore } from '../kernel/powers/waiting-port.ts'
import { standingTransport } from '../kernel/runtime/both-lines.ts'
import { pausedNow } from '../kernel/runtime/pause.ts'
import { waitingView } from '../kernel/runtime/resend.ts'
import { PROTOCOL_VERSION } from '../kernel/tunnel/frame.ts'
import { sealKeyGroups } from '../kernel/vault/secret-offer.ts'
import { pauseStands } from '../kernel/wording/pause.ts'
import { wordsFor } from '../kernel/wording/words.ts'
import type { CustodyKind } from './keys/custody.ts'
import { custodySentence } from './keys/key-status.ts'
import { REDACTED, type SecretInfo } from './secrets/secret.ts'
import type { TunnelStatus } from './tunnel-client.ts'

export interface StatusInput {
  readonly powers: Clock &
    Actions &
    Tools &
    Pausing &
    OwnerFacts &
    ChatServices &
    StoreOf<TaskStore & ApprovalStore & GrantStore & WaitingStore>
  readonly custody: CustodyKind
  /** The public key that the edge closes secrets for, base64url. */
  readonly sealKey: string
  readonly secrets: readonly SecretInfo[]
  /** Name in the vault of what a manifest calls its credential. */
  readonly nameOf: (credential: string) => string
  readonly edge: string | null
  /** Null when no edge is configured. */
  readonly tunnel: TunnelStatus | null
}

/** What `startedBy` says of a home that runs as a service. */
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
  const lacking = [...registry.actions.values()].flatMap((action) =>
    tools.availability(action) === 'credential'
      ? [{ id: action.id, credential: action.tool.credential }]
      : [],
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
    // What a one-time page and its chat must show (L-15).
    homeKey: sealKeyGroups(Buffer.from(sealKey, 'base64url')),
    tools: usable.map(({ id }) => id).sort(),
    secrets: secrets.map(({ name, version, state }) => `${name} ${REDACTED} v${version} ${state}`),
    missing: missingSecrets(lacking, nameOf),
    tasks: tasks.length,
    approvals: store.pendingApprovals(null).length,
    waiting: waitingView(powers),
    approvalsPerDay: askedToday(store, now()),
    ...paused(powers),
    ...bothLines(powers),
    memoryMb: Math.round(process.memoryUsage.rss() / MEGABYTE),
  }
}

/** Since when, and by which chat of which place; nothing while work goes on. */
function paused(powers: StatusInput['powers']): { readonly paused?: string } {
  const pause = pausedNow(powers)
  return pause === null
    ? {}
    : { paused: pauseStands(pause, { timezone: powers.profile().timezone, chats: powers.chats }) }
}

/** Since when and until when home may answer through the edge's bot; nothing where it may not. */
function bothLines(powers: StatusInput['powers']): { readonly bothLines?: string } {
  const live = standingTransport(powers)
  if (live === null) return {}
  const day = (at: number): string => new Date(at).toISOString().slice(0, 10)
  const [, channel] = live.sink.split(':')
  return { bothLines: `${channel}, acknowledged ${day(live.createdAt)}, until ${day(live.expiresAt)}` }
}

/** Milliseconds. */
const DAY = 86_400_000

/** What was asked of the owner in the last day, by reason: more than ten a day are no longer read. */
function askedToday(store: ApprovalStore, now: number): readonly string[] {
  return store.askedSince(now - DAY).map(({ reason, count }) => `${count} × ${reason.replaceAll('_', ' ')}`)
}

/** In words: which tools wait for which secret, and what to do (S-14). */
function missingSecrets(
  lacking: readonly { readonly id: string; readonly credential: string | null }[],
  nameOf: (credential: string) => string,
): readonly string[] {
  const tools = new Map<string, string[]>()
  for (const { id, credential } of lacking) {
    const name = nameOf(credential ?? '')
    tools.set(name, [...(tools.get(name) ?? []), id])
  }
  return [...tools].map(
    ([name, ids]) => `vault:${name} for ${ids.sort().join(', ')}: pfar secret set ${name}`,
  )
}

/**
 * What home says of itself when the owner asks: counts and names, never content (H-10, T-06). Must not change
 * anything. Called by runtime.ts.
 */
import type { Powers } from '../kernel/powers/ports.ts'
import { PROTOCOL_VERSION } from '../kernel/tunnel/frame.ts'
import { wordsFor } from '../kernel/wording/words.ts'
import type { CustodyKind } from './keys/custody.ts'
import { custodySentence } from './keys/key-status.ts'
import type { TunnelStatus } from './tunnel-client.ts'

export interface StatusInput {
  readonly powers: Pick<Powers, 'registry' | 'store' | 'tools'>
  readonly custody: CustodyKind
  readonly edge: string | null
  /** Null when no edge is configured. */
  readonly tunnel: TunnelStatus | null
}

const MEGABYTE = 1_048_576

export function homeStatus({
  powers,
  custody,
  edge,
  tunnel,
}: StatusInput): Readonly<Record<string, unknown>> {
  const { registry, store, tools } = powers
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
    tools: usable.map(({ id }) => id).sort(),
    tasks: tasks.length,
    approvals: store.pendingApprovals(null).length,
    memoryMb: Math.round(process.memoryUsage.rss() / MEGABYTE),
  }
}

/**
 * Leaves a tool alone that keeps failing (I-07, S001 §14.2): after some failures it is degraded for a while, then one call
 * may try it. Counts for all principals of its place, as the trouble is the service's; in memory, as a restart is a try of
 * its own. Must not run or judge a call. Called by port.ts.
 */
import { err, type Result } from '../../kernel/flow/verdict.ts'
import type { ReasonCode } from '../../kernel/reasons.ts'
import type { ToolManifest, ToolOutcome } from '../../kernel/tool/manifest.ts'

/** So many failures within the window, and the tool is left alone: a service in trouble is not made worse. */
export const BREAKER = Object.freeze({
  failures: 5,
  /** Milliseconds in which they count. */
  window: 600_000,
  /** Milliseconds without a call. */
  degraded: 1_800_000,
})

/** What says that a tool or its service is in trouble. Wrong settings, credentials, arguments and denials do not. */
const FAILURES: readonly ReasonCode[] = [
  'tool_failed',
  'tool_timeout',
  'network_failed',
  'response_timeout',
  'remote_unavailable',
  'remote_rate_limited',
]
/** Of a tool that may ask any host, one that does not answer says nothing. */
const OWN_FAILURES: readonly ReasonCode[] = ['tool_failed']
/** Answers of a service that works. */
const ANSWERS: readonly ReasonCode[] = ['remote_rejected', 'remote_not_found', 'remote_unauthorized']

type Named = Pick<ToolManifest, 'name' | 'network'>

export interface ToolBreaker {
  /** Before a call. Refusal: tool_degraded. Who may go on must `leave`, whatever comes of it. */
  enter(tool: Named): Result<true>
  leave(tool: Named, outcome: ToolOutcome): void
}

export interface ToolBreakerOptions {
  /** Epoch milliseconds. */
  readonly now: () => number
  /** Told once when a tool becomes degraded, and not again before it has worked. */
  readonly opened: (tool: string, at: number) => void
}

interface Health {
  /** Moments of failures, the oldest first. */
  failed: readonly number[]
  /** Since when nothing is asked; null while it is in order. */
  since: number | null
  /** One call is trying whether it works again. */
  probing: boolean
}

export function createToolBreaker({ now, opened }: ToolBreakerOptions): ToolBreaker {
  const all = new Map<string, Health>()
  const of = (name: string): Health => {
    const health = all.get(name) ?? { failed: [], since: null, probing: false }
    all.set(name, health)
    return health
  }
  return {
    enter: ({ name }) => {
      const health = of(name)
      if (health.since === null) return { ok: true, value: true }
      if (health.probing || now() < health.since + BREAKER.degraded)
        return err('tool_degraded', { tool: name })
      health.probing = true
      return { ok: true, value: true }
    },
    leave: (tool, outcome) => {
      const health = of(tool.name)
      const meaning = meaningOf(tool, outcome)
      health.probing = false
      if (meaning === 'works' && health.since !== null) all.delete(tool.name)
      if (meaning === 'fails') fail(health, now(), () => opened(tool.name, now()))
    },
  }
}

function fail(health: Health, at: number, opened: () => void): void {
  const wasOpen = health.since !== null
  health.failed = [...health.failed, at].filter((moment) => moment > at - BREAKER.window)
  if (!wasOpen && health.failed.length < BREAKER.failures) return
  health.since = at
  if (!wasOpen) opened()
}

function meaningOf({ network }: Named, outcome: ToolOutcome): 'works' | 'fails' | 'neither' {
  if (outcome.ok) return 'works'
  const { code } = outcome.reason
  if ((network.includes('*') ? OWN_FAILURES : FAILURES).includes(code)) return 'fails'
  return ANSWERS.includes(code) ? 'works' : 'neither'
}

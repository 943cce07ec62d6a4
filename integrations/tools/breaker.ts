/**
 * A circuit breaker per tool (I-07, S001 §14.2): after several failures no call is made for a while, then one trial call.
 * Shared by all principals of its place, since the fault is the service's; in memory, since a restart may try again. Must not
 * run or judge a call. Called by port.ts.
 */
import { err, type Result } from '../../kernel/flow/verdict.ts'
import type { ReasonCode } from '../../kernel/reasons.ts'
import type { ToolManifest, ToolOutcome } from '../../kernel/tool/manifest.ts'

/** Number of failures within the window that opens the breaker, so that a failing service gets no more load. */
export const BREAKER = Object.freeze({
  failures: 5,
  /** Milliseconds in which failures count. */
  window: 600_000,
  /** Milliseconds during which no call is made. */
  degraded: 1_800_000,
})

/** Failures of the tool or its service. Wrong settings, credentials, arguments and denials are none. */
const FAILURES: readonly ReasonCode[] = [
  'tool_failed',
  'tool_timeout',
  'network_failed',
  'response_timeout',
  'remote_unavailable',
  'remote_rate_limited',
]
/** For a tool that may call any host: one unresponsive host says nothing about the tool. */
const OWN_FAILURES: readonly ReasonCode[] = ['tool_failed']
/** Responses of a working service. */
const ANSWERS: readonly ReasonCode[] = ['remote_rejected', 'remote_not_found', 'remote_unauthorized']

type Named = Pick<ToolManifest, 'name' | 'network'>

export interface ToolBreaker {
  /** Call before a tool call. Refusal: tool_degraded. After `ok` the caller must call `leave`, whatever the result. */
  enter(tool: Named): Result<true>
  leave(tool: Named, outcome: ToolOutcome): void
}

export interface ToolBreakerOptions {
  /** Epoch milliseconds. */
  readonly now: () => number
  /** Called once when a tool becomes degraded, and not again before it has worked. */
  readonly opened: (tool: string, at: number) => void
}

interface Health {
  /** Times of failures, oldest first. */
  failed: readonly number[]
  /** When the breaker opened; null while it is closed. */
  since: number | null
  /** True while a trial call is running. */
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

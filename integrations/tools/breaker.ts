/**
 * What a tool's result means for its circuit breaker (I-07, S001 §14.2), and the breaker's bounds. In memory, since a restart may
 * try again. Must not run or judge a call. Called by both places' wiring and by port.ts.
 */
import { err } from '../../kernel/flow/verdict.ts'
import {
  type BreakerBounds,
  type Breakers,
  createBreakers,
  type Meaning,
} from '../../kernel/powers/breaker.ts'
import type { ReasonCode } from '../../kernel/reasons.ts'
import type { ToolManifest, ToolOutcome } from '../../kernel/tool/manifest.ts'

/** A failing service is not called for half an hour. */
export const TOOL_BREAKER: BreakerBounds = Object.freeze({ failures: 5, window: 600_000, rest: 1_800_000 })

/** Failures of the tool or its service. Wrong settings, credentials, arguments and denials are none. */
const FAILURES: readonly ReasonCode[] = [
  'tool_failed',
  'tool_timeout',
  'network_failed',
  'response_timeout',
  'remote_unavailable',
  'remote_rate_limited',
  'remote_blocked',
]
/** For a tool that may call any host: one unresponsive host says nothing about the tool. */
const OWN_FAILURES: readonly ReasonCode[] = ['tool_failed']
/** Responses of a working service. */
const ANSWERS: readonly ReasonCode[] = ['remote_rejected', 'remote_not_found', 'remote_unauthorized']

export interface ToolBreaker extends Breakers {
  /** The service asked not to be called for this many seconds: until then calls are refused. */
  wait(tool: string, seconds: number): void
}

/**
 * `opened`: called once when a tool becomes degraded, and not again before it has worked. Refusals of a call: tool_degraded;
 * remote_rate_limited during a `wait`.
 */
export function createToolBreaker(
  now: () => number,
  opened: (tool: string, at: number) => void,
): ToolBreaker {
  const waits = new Map<string, number>()
  const breakers = createBreakers({
    bounds: TOOL_BREAKER,
    successClears: false,
    now,
    resting: (tool) => err('tool_degraded', { tool }),
    news: (tool, _news, at) => opened(tool, at),
  })
  return {
    ...breakers,
    enter: (tool) =>
      now() < (waits.get(tool) ?? 0) ? err('remote_rate_limited', { tool }) : breakers.enter(tool),
    wait: (tool, seconds) => void waits.set(tool, now() + seconds * 1_000),
  }
}

export function meaningOf({ network }: Pick<ToolManifest, 'network'>, outcome: ToolOutcome): Meaning {
  if (outcome.ok) return 'works'
  const { code } = outcome.reason
  if ((network.includes('*') ? OWN_FAILURES : FAILURES).includes(code)) return 'fails'
  return ANSWERS.includes(code) ? 'works' : 'neither'
}

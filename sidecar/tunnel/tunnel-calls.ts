/**
 * Runs the calls of the edge at home: each is answered at most once, also across crashes, and few run at a time (DESIGN
 * §7, T-04, T-13). Must not check what a call may do: `serveHomeCall` does. Called by tunnel-inbox.ts.
 */

import type { HomeAnswer, HomeCall } from '../../kernel/features/places/home-port.ts'
import type { Store } from '../../kernel/powers/all-powers.ts'
import type { ReasonCode } from '../../kernel/reasons.ts'
import { type Body, checkBody, type Frame } from '../../kernel/tunnel/frame.ts'

export interface CallPowers {
  /** In the same database as the outbox, so that an answer and its marker are one transaction. */
  readonly store: Pick<Store, 'transaction' | 'countUse' | 'uses'>
  readonly serve: (call: HomeCall) => Promise<HomeAnswer>
  /** True unless the tool is known to be a read. A call that may have changed something never runs twice. */
  readonly isWrite: (tool: string) => boolean
}

/** Stores a body and returns the frames that may be sent. */
type Put = (body: Body) => readonly Frame[]

/** Most calls that run at once: each may hold a response of megabytes in memory. */
const MAX_RUNNING = 8

/**
 * Runs a call and answers it at most once. Two markers ensure that across crashes: `started` is durable before a write
 * runs, `answered` is in one transaction with the answer in the outbox. Resolves to the frames to send, none if an
 * earlier run has answered. An unanswered read runs again; an unanswered write is reported as unknown (DESIGN §3).
 */
export function createCallRunner(
  powers: CallPowers,
): (call: HomeCall, put: Put) => Promise<readonly Frame[]> {
  const { store, isWrite, serve } = powers
  const running = new Map<string, Promise<readonly Frame[]>>()
  const gate = createGate(MAX_RUNNING)

  const answer = async (call: HomeCall): Promise<HomeAnswer> => {
    const first = !isWrite(call.tool) || store.transaction(() => store.countUse(marker(call, 'started'), 1))
    if (!first) return failed(call, 'write_outcome_unknown')
    const given = await serve(call).catch(() => failed(call, 'internal_fault'))
    return checkBody({ type: 'home_answer', answer: given }).ok ? given : failed(call, 'response_too_large')
  }

  const run = async (call: HomeCall, put: Put): Promise<readonly Frame[]> => {
    if (store.uses(marker(call, 'answered')) > 0) return []
    const given = await gate(() => answer(call))
    return store.transaction(() =>
      store.countUse(marker(call, 'answered'), 1) ? put({ type: 'home_answer', answer: given }) : [],
    )
  }

  return (call, put) => {
    const already = running.get(call.id)
    if (already !== undefined) return already.then(() => [])
    const work = run(call, put).finally(() => running.delete(call.id))
    running.set(call.id, work)
    return work
  }
}

/** Converts the deadline from the edge's clock (T-14): the time that was left when it sent the call is left now. */
export function onOwnClock(
  call: HomeCall,
  { sent, now }: { readonly sent: number | undefined; readonly now: number },
): HomeCall {
  return sent === undefined ? call : { ...call, deadline: now + (call.deadline - sent) }
}

function marker(call: HomeCall, what: 'started' | 'answered'): string {
  return `home_call:${call.id}:${what}`
}

function failed({ id, task, step }: HomeCall, reason: ReasonCode): HomeAnswer {
  return { id, task, step, ok: false, reason }
}

/** Runs at most `limit` at once; the others wait in order. */
function createGate(limit: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let busy = 0
  return async (work) => {
    if (busy >= limit) await new Promise<void>((resolve) => waiting.push(resolve))
    else busy += 1
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) busy -= 1
      else next()
    }
  }
}

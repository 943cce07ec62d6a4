/**
 * Home's way to the owner's chat with the edge's bot (DESIGN §1): a text goes over the tunnel in a frame that touches no disk, and the
 * edge says how its channel took it. What it does not answer is tried again by the machine, under the same id. Must not decide what may
 * go: the egress step has, and it holds no text itself. Called by powers.ts and tunnel-inbox.ts.
 */
import { EDGE_CHAT } from '../integrations/channels/index.ts'
import { err, ok, type Result } from '../kernel/flow/verdict.ts'
import type { Handed, HandedBack } from '../kernel/powers/handover-port.ts'
import type { HomeCall } from '../kernel/powers/home-port.ts'
import type { Delivery } from '../kernel/powers/ports.ts'
import type { HowFar, WorkPort } from '../kernel/powers/work-port.ts'
import { isReasonCode } from '../kernel/reasons.ts'
import type { EphemeralBody } from '../kernel/tunnel/frame.ts'
import { MOST_HANDED } from '../kernel/tunnel/handed.ts'
import { ASKED_AT_HOME } from '../kernel/wording/card.ts'
import { createWorkPulse } from './work-pulse.ts'

/** Milliseconds for the edge and its channel: a long answer is several messages. */
export const HANDED_WITHIN = 30_000

export interface Handover {
  holds(sink: string): boolean
  /** Refusals: grant_missing, network_failed (no edge, or no word of it), approval_place_too_low (a question), those of the edge. */
  send(delivery: Delivery): Promise<Result<true>>
  /** How far home is with what he wrote there. */
  readonly work: WorkPort
  /** Runs what a call of the edge's asks for, and tells the edge meanwhile that it runs. */
  during<T>(call: Pick<HomeCall, 'id' | 'task'>, run: () => Promise<T>): Promise<T>
  /** A connection is up. */
  attach(send: (body: EphemeralBody) => void): void
  /** What was handed over it may have arrived, or not. */
  detach(): void
  /** What the edge says of one; of no other it is nothing. */
  take(told: HandedBack): void
}

/** `isLive`: whether the owner's acknowledgement stands at this moment. */
export function createHandover(isLive: () => boolean, within = HANDED_WITHIN): Handover {
  const waiting = new Map<string, (told: Result<true>) => void>()
  const pulse = createWorkPulse()
  /** By task that is worked on: the message of his that it comes of. */
  const saidBy = new Map<string, string>()
  let out: ((body: EphemeralBody) => void) | null = null
  const hand = (handed: Handed): Promise<Result<true>> => {
    const send = out
    if (!isLive()) return Promise.resolve(err('grant_missing'))
    if (send === null) return Promise.resolve(err('network_failed'))
    if (handed.text.length > MOST_HANDED) return Promise.resolve(err('frame_too_large', { max: MOST_HANDED }))
    waiting.get(handed.id)?.(err('network_failed'))
    return new Promise((resolve) => {
      const timer = setTimeout(() => end(err('network_failed')), within)
      const end = (told: Result<true>): void => {
        clearTimeout(timer)
        if (waiting.get(handed.id) === end) waiting.delete(handed.id)
        resolve(told)
      }
      waiting.set(handed.id, end)
      send({ type: 'deliver', handed })
    })
  }
  const holds = (sink: string): boolean => sink === EDGE_CHAT.sink
  return {
    holds,
    async send({ id, kind, text, label, task }) {
      const said = saidBy.get(task ?? '')
      const of = said === undefined ? {} : { said }
      if (kind !== 'card') return hand({ id, kind, text, label, ...of })
      // A yes is worth no more than the place it came through: the question goes to a chat of home's, and he hears of it here.
      await hand({ id: `${id}:there`, kind: 'notice', text: ASKED_AT_HOME, label: 'public', ...of })
      return err('approval_place_too_low')
    },
    work: {
      working({ sink, task, event, how }) {
        if (!holds(sink)) return
        saidBy.set(task, event)
        if (isLive()) pulse.at({ on: 'said', id: event, how: how && told(how) })
      },
      async rests({ task, back }) {
        const said = saidBy.get(task)
        saidBy.delete(task)
        if (said !== undefined) pulse.over(said, !back)
      },
    },
    async during({ id, task }, run) {
      pulse.at({ on: 'call', id, task })
      try {
        return await run()
      } finally {
        pulse.over(id, false)
      }
    },
    attach: (send) => {
      out = send
      pulse.attach(send)
    },
    detach() {
      out = null
      pulse.detach()
      for (const end of [...waiting.values()]) end(err('network_failed'))
    },
    take: (told) => waiting.get(told.id)?.(told.ok ? ok(true) : refusalOf(told)),
  }
}

/** The edge's word is believed as far as it is a reason that there is. */
function refusalOf({ reason, after }: Extract<HandedBack, { readonly ok: false }>): Result<true> {
  const code = isReasonCode(reason) ? reason : 'remote_rejected'
  return err(code, after === undefined ? {} : { retryAfter: after })
}

/** Words are each place's own: a frame holds those of the closed list. */
function told({ words: _, ...how }: HowFar): HowFar {
  return how
}

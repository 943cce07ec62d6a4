/**
 * Delivers home's answers to the owner's chat with the edge's bot (DESIGN §1), in tunnel frames that are never written to disk;
 * the edge reports the result. Unreported deliveries are retried under the same id. Must not decide what may go (the egress step
 * does) or keep text. Called by wiring.ts, home-sender.ts and tunnel-inbox.ts.
 */

import { EDGE_CHAT } from '../../integrations/channels/index.ts'
import type { WorkPort, WorkProgress } from '../../kernel/features/deliveries/work-port.ts'
import type { DeliveredText, HandoverResult, HomeWork } from '../../kernel/features/places/handover-port.ts'
import type { HomeCall } from '../../kernel/features/places/home-port.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import type { Delivery } from '../../kernel/powers/ports.ts'
import { isReasonCode } from '../../kernel/reasons.ts'
import type { EphemeralBody } from '../../kernel/tunnel/frame.ts'
import { MOST_DELIVERED } from '../../kernel/tunnel/queued-message.ts'
import { tell as sentence } from '../../kernel/wording/words.ts'

/** Milliseconds to wait for the edge's report. A long answer takes several messages. */
const HANDOVER_WITHIN = 30_000

export interface Handover {
  holds(sink: string): boolean
  /**
   * Refusals: grant_missing, network_failed (no connection, or no report in time), approval_place_too_low (an approval
   * card), those of the edge.
   */
  send(delivery: Delivery): Promise<Result<true>>
  /** Reports progress on messages that came from that chat. */
  readonly work: WorkPort
  /** Runs a call of the edge and reports to the edge meanwhile that it is running. */
  during<T>(call: Pick<HomeCall, 'id' | 'task'>, run: () => Promise<T>): Promise<T>
  /** Call when a connection is up. */
  attach(send: (body: EphemeralBody) => void): void
  /** Call when the connection is lost. Deliveries in flight may or may not have arrived. */
  detach(): void
  /** Takes the edge's report on one delivery. Ignored if that delivery is not pending. */
  take(told: HandoverResult): void
}

/** `isLive`: whether the owner's acknowledgement is in force now. */
export function createHandover(isLive: () => boolean, within = HANDOVER_WITHIN): Handover {
  const waiting = new Map<string, (told: Result<true>) => void>()
  const pulse = createWorkPulse()
  /** Task id → id of the owner's message that it answers. */
  const saidBy = new Map<string, string>()
  let out: ((body: EphemeralBody) => void) | null = null
  const hand = (handed: DeliveredText): Promise<Result<true>> => {
    const send = out
    if (!isLive()) return Promise.resolve(err('grant_missing'))
    if (send === null) return Promise.resolve(err('network_failed'))
    if (handed.text.length > MOST_DELIVERED)
      return Promise.resolve(err('frame_too_large', { max: MOST_DELIVERED }))
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
      // Approval cards are never shown in this chat, because an approval counts no more than the place it came
      // through. The card goes to a chat of home's; this chat gets a notice.
      await hand({
        id: `${id}:there`,
        kind: 'notice',
        text: sentence('approvals.asked_at_home'),
        label: 'public',
        ...of,
      })
      return err('approval_place_too_low')
    },
    work: {
      working({ sink, task, event, how }) {
        if (!holds(sink)) return
        saidBy.set(task, event)
        if (isLive()) pulse.at({ on: 'said', id: event, how: how && withoutWords(how) })
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

/** Accepts the edge's reason only if it is a known reason code. */
function refusalOf({ reason, after }: Extract<HandoverResult, { readonly ok: false }>): Result<true> {
  const code = isReasonCode(reason) ? reason : 'remote_rejected'
  return err(code, after === undefined ? {} : { retryAfter: after })
}

/** Removes the words: the frame carries progress as a code, and each place has its own words. */
function withoutWords({ words: _, ...how }: WorkProgress): WorkProgress {
  return how
}

/** Milliseconds of one beat. */
const BEAT = 1_000
/** Beats before the first report of a task, and between two: a chat shows the typing indicator for five seconds. */
const FIRST = 2
const AGAIN = 4
/** Beats between two frames: the edge disconnects a home that sends more than sixty a minute. */
const APART = 2

interface Pulsing {
  work: HomeWork
  /** Beats until the next report. */
  due: number
  isReported: boolean
}

function createWorkPulse() {
  const going = new Map<string, Pulsing>()
  let out: ((body: EphemeralBody) => void) | null = null
  let timer: ReturnType<typeof setInterval> | null = null
  let rest = 0

  const tell = (work: HomeWork): void => out?.({ type: 'work', work })
  const beat = (): void => {
    rest -= 1
    for (const one of going.values()) one.due -= 1
    const next = [...going].find(([, { due }]) => due <= 0)
    if (next === undefined || rest > 0 || out === null) return
    const [id, one] = next
    // Moved to the end, so that a long task does not block the reports of others.
    going.delete(id)
    going.set(id, { ...one, due: AGAIN, isReported: true })
    rest = APART
    tell(one.work)
  }
  const look = (): void => {
    if (going.size > 0) timer ??= setInterval(beat, BEAT).unref()
    else if (timer !== null) {
      clearInterval(timer)
      timer = null
    }
  }

  return {
    /** The task is running, as of now. */
    at(work: Exclude<HomeWork, { readonly on: 'rest' }>): void {
      const known = going.get(work.id)
      if (known === undefined) going.set(work.id, { work, due: FIRST, isReported: false })
      else known.work = work
      look()
    },
    /** The task has ended. `untold`: no message follows that would replace the typing indicator. */
    over(id: string, untold: boolean): void {
      const told = going.get(id)?.isReported === true
      going.delete(id)
      look()
      if (told && untold) tell({ on: 'rest', id })
    },
    attach(send: (body: EphemeralBody) => void): void {
      out = send
    },
    detach(): void {
      out = null
    },
  }
}

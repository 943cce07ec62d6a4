/**
 * The open line: the edge's HTTP API, with every request signed by this device (B-09). Must not send unsigned requests
 * or follow redirects. Called by attach.ts.
 */

import * as z from 'zod/mini'
import { CHATS } from '../../../integrations/channels/index.ts'
import { pauseStands } from '../../../kernel/features/pause/pause-words.ts'
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import { isReasonCode, type ReasonCode } from '../../../kernel/reasons.ts'
import { machineTimezone } from '../../config/config.ts'
import type { DeviceKey } from '../../tunnel/device-key.ts'
import { signRequest } from '../../tunnel/edge-call.ts'
import type { LineDelivery, LineDraft, Link, PlaceStatus } from './link.ts'
import {
  type Reader,
  readAccepted,
  readDeliveries,
  readNumberedDraft,
  readPaused,
  readReport,
  readWaiting,
  typed,
} from './wire.ts'

/** Longest time that the edge holds a poll, milliseconds. */
const EDGE_POLL_MS = 20_000

/** Timeout of a request, milliseconds. */
const ANSWER_TIMEOUT_MS = 10_000

const errorBody = z.object({ error: z.object({ code: z.string() }) })
const health = z.object({ ok: z.boolean() })

const JSON_BODY = { 'content-type': 'application/json' } as const

interface PlainRequest {
  readonly method: 'GET' | 'POST'
  /** Path and query. */
  readonly path: string
  readonly body: string | null
  /** Timeout of this request, milliseconds. */
  readonly timeoutMs: number
}

export interface OpenLineInput {
  /** Origin of the edge, without a trailing slash. */
  readonly edge: string
  readonly device: DeviceKey
}

export function createOpenLink({ edge, device }: OpenLineInput): Link {
  const closing = new AbortController()

  const call = async <T>(
    { method, path, body, timeoutMs }: PlainRequest,
    read: Reader<T>,
  ): Promise<Result<T>> => {
    const url = `${edge}${path}`
    const headers = { ...signRequest(device, { method, url, body, now: Date.now() }), ...JSON_BODY }
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(timeoutMs)])
    const answer = await exchange(url, { method, headers, body, signal })
    return answer.ok ? read(answer.value) : answer
  }
  const get = <T>(path: string, read: Reader<T>, timeoutMs = ANSWER_TIMEOUT_MS) =>
    call({ method: 'GET', path, body: null, timeoutMs }, read)
  const post = <T>(path: string, body: unknown, read: Reader<T>) =>
    call({ method: 'POST', path, body: JSON.stringify(body), timeoutMs: ANSWER_TIMEOUT_MS }, read)

  /** The newest draft arrives with the rows, as one request waits for both. */
  let draft: (LineDraft & { readonly number: number }) | null = null
  const keepDraft: Reader<readonly LineDelivery[]> = (input) => {
    const read = readNumberedDraft(memberOf(input, 'draft'))
    if (read.ok) draft = read.value
    return rowsOf(input)
  }

  return {
    line: 'open',
    send: (message) => post('/line/messages', message, readAccepted),
    deliveries(after, waitMs, drafts) {
      const wait = Math.min(waitMs, EDGE_POLL_MS)
      const seen = drafts === undefined ? '' : `&draft=${draft?.number ?? 0}`
      const path = `/line/deliveries?after=${after}&wait=${wait}${seen}`
      return get(path, (input) => keepDraft(input), wait + ANSWER_TIMEOUT_MS)
    },
    draft: () => draft,
    report: (task) => get(`/line/tasks/${encodeURIComponent(task)}`, readReport),
    doctor: atHome,
    async call(operation, args) {
      if (operation.from !== 'open' || operation.place === 'home') return atHome()
      const path = `/line/operations/${operation.name}`
      const timeoutMs = operation.within ?? ANSWER_TIMEOUT_MS
      const body = JSON.stringify(args)
      return call({ method: 'POST', path, body, timeoutMs }, (input) => typed(operation, input))
    },
    stop: (task) => post(`/line/tasks/${encodeURIComponent(task)}/stop`, {}, readAccepted),
    questions: { state: atHome, done: atHome },
    async status() {
      // A device that is not enrolled, or an older edge, gets no such report as the second.
      const [found, held] = await Promise.all([
        get('/healthz', (input) => statusOf(edge, input)),
        get('/line/waiting', heldOf),
      ])
      return found.ok && held.ok ? ok({ ...found.value, ...held.value }) : found
    },
    close: () => closing.abort(),
  }
}

/** Standing permissions are decided at home (DESIGN §1), and directive files exist only there. */
async function atHome(): Promise<Result<never>> {
  return err('approval_place_too_low')
}

const rowsOf: Reader<readonly LineDelivery[]> = (input) => readDeliveries(memberOf(input, 'deliveries'))

/** Deliveries that wait for a chat, and the start of a pause; nothing about a pause if there is none. */
const heldOf: Reader<Omit<PlaceStatus, 'place'>> = (input) => {
  const waiting = readWaiting(memberOf(input, 'waiting'))
  const paused = readPaused(memberOf(input, 'paused'))
  if (!waiting.ok || !paused.ok) return waiting.ok ? err('frame_malformed') : waiting
  const pause = paused.value ?? null
  const says =
    pause === null ? {} : { paused: pauseStands(pause, { timezone: machineTimezone(), chats: CHATS }) }
  return ok({ waiting: waiting.value, ...says })
}

function memberOf(input: unknown, name: string): unknown {
  return typeof input === 'object' && input !== null ? Reflect.get(input, name) : undefined
}

/** Whether the edge is configured, in the form of home's status. */
function statusOf(edge: string, input: unknown): Result<PlaceStatus> {
  const parsed = health.safeParse(input)
  if (!parsed.success) return err('frame_malformed')
  return parsed.data.ok ? ok({ place: 'edge', url: edge }) : err('config_malformed')
}

async function exchange(url: string, init: RequestInit): Promise<Result<unknown>> {
  try {
    const response = await fetch(url, { ...init, redirect: 'error' })
    const body: unknown = await response.json().catch(() => null)
    return response.ok ? ok(body) : err(codeOf(body))
  } catch (error) {
    return err(
      error instanceof Error && error.name === 'TimeoutError' ? 'response_timeout' : 'remote_unavailable',
    )
  }
}

function codeOf(body: unknown): ReasonCode {
  const parsed = errorBody.safeParse(body)
  return parsed.success && isReasonCode(parsed.data.error.code) ? parsed.data.error.code : 'remote_rejected'
}

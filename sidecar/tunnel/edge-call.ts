/**
 * Sends one request to the edge and validates the response; signs it if a device key is given. Must not follow
 * redirects or retry. Called by pairing.ts, the copies and the command line.
 */
import * as z from 'zod/mini'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { isReasonCode } from '../../kernel/reasons.ts'
import type { DeviceKey } from './device-key.ts'
import { signRequest } from './request-signature.ts'

/** Timeout of a request, milliseconds. */
const TIMEOUT = 10_000
/** Longest response, bytes. The largest is a list of a copy's chunks. */
const MAX_ANSWER = 524_288

export interface EdgeCall {
  readonly url: string
  /** Body of a POST (JSON text), or of `method`. Null: a GET. */
  readonly body: string | Uint8Array | null
  readonly method?: 'PUT'
  readonly device?: DeviceKey
}

const failure = z.object({ error: z.object({ code: z.string() }) })

/** Refusals: the edge's own, remote_unavailable, remote_rejected, frame_malformed, response_too_large. */
export async function callEdge<T>(call: EdgeCall, schema: z.ZodMiniType<T>): Promise<Result<T>> {
  const answer = await fetchEdge(call, MAX_ANSWER)
  if (!answer.ok) return answer
  const parsed = z.safeParse(schema, decoded(answer.value))
  return parsed.success ? ok(parsed.data) : err('frame_malformed')
}

/** Returns the response as bytes, at most `most`. Refusals: as for `callEdge`, except frame_malformed. */
export async function fetchEdge(call: EdgeCall, most: number): Promise<Result<Uint8Array>> {
  const { url, body, device } = call
  const method = call.method ?? (body === null ? 'GET' : 'POST')
  const signature = device === undefined ? {} : signRequest(device, { method, url, body, now: Date.now() })
  const type = body instanceof Uint8Array ? 'application/octet-stream' : 'application/json'
  try {
    const response = await fetch(url, {
      method,
      headers: { 'content-type': type, ...signature },
      body: body instanceof Uint8Array ? new Uint8Array(body) : body,
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT),
    })
    const bytes = await readBounded(response, most)
    if (bytes === null) return err('response_too_large')
    return response.ok ? ok(bytes) : err(codeOf(decoded(bytes)))
  } catch {
    return err('remote_unavailable')
  }
}

/** Null if there are more than `most` bytes: a compromised edge must not fill memory. */
async function readBounded(response: Response, most: number): Promise<Uint8Array | null> {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of response.body ?? []) {
    size += piece.byteLength
    if (size > most) return null
    pieces.push(piece)
  }
  return new Uint8Array(Buffer.concat(pieces))
}

function decoded(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString())
  } catch {
    return null
  }
}

function codeOf(answer: unknown) {
  const parsed = z.safeParse(failure, answer)
  const code = parsed.success ? parsed.data.error.code : ''
  return isReasonCode(code) ? code : 'remote_rejected'
}

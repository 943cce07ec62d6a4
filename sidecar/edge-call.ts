/**
 * One request to the edge and its answer, checked on arrival. Signed where a device is given. Must not follow redirects
 * or repeat itself. Called by pairing.ts and by the command line.
 */
import * as z from 'zod/mini'
import { allowed, isReasonCode, type Result, refused } from '../kernel/flow/verdict.ts'
import type { DeviceKey } from './device-key.ts'
import { signRequest } from './request-signature.ts'

/** Milliseconds for an answer. */
const TIMEOUT = 10_000

export interface EdgeCall {
  readonly url: string
  /** JSON text of a POST, or of a PUT where that is said; null for a GET. */
  readonly body: string | null
  readonly method?: 'PUT'
  readonly device?: DeviceKey
}

const failure = z.object({ error: z.object({ code: z.string() }) })

/** Refusals: the edge's own, remote_unavailable, remote_rejected, frame_malformed. */
export async function callEdge<T>(
  { url, body, device, ...of }: EdgeCall,
  schema: z.ZodMiniType<T>,
): Promise<Result<T>> {
  const method = of.method ?? (body === null ? 'GET' : 'POST')
  const signature = device === undefined ? {} : signRequest(device, { method, url, body, now: Date.now() })
  try {
    const response = await fetch(url, {
      method,
      headers: { 'content-type': 'application/json', ...signature },
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT),
    })
    const answer: unknown = await response.json().catch(() => null)
    if (!response.ok) return refused(codeOf(answer))
    const parsed = z.safeParse(schema, answer)
    return parsed.success ? allowed(parsed.data) : refused('frame_malformed')
  } catch {
    return refused('remote_unavailable')
  }
}

function codeOf(answer: unknown) {
  const parsed = z.safeParse(failure, answer)
  const code = parsed.success ? parsed.data.error.code : ''
  return isReasonCode(code) ? code : 'remote_rejected'
}

/**
 * Requests to the edge, signed with the device key: HTTP Message Signatures (RFC 9421; DESIGN §7, T-02) over date, nonce and
 * the body's digest (RFC 9530), so a recorded request is stale or a replay. Validates the response. Must not follow redirects,
 * retry, or put a secret into a URL. Called by the tunnel, the copies and the command line.
 */

import { createHash, randomBytes } from 'node:crypto'
import { createSignatureSync } from 'http-message-sig'
import * as z from 'zod/mini'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { isReasonCode, type ReasonCode } from '../../kernel/reasons.ts'
import { readJson } from '../store/json.ts'
import type { DeviceKey } from './device-key.ts'

interface RequestToSign {
  readonly method: string
  /** Absolute `http:` or `https:` address, exactly as it will be requested. */
  readonly url: string
  /** Bytes that will be sent, or null for none. */
  readonly body: string | Uint8Array | null
  /** Epoch milliseconds. */
  readonly now: number
  /** Given if the response must be bound to this request; random otherwise. */
  readonly nonce?: string
}

/** Components that every signature covers; with a body, its digest as well. */
const SIGNED_COMPONENTS: readonly string[] = Object.freeze(['@method', '@authority', '@path', '@query'])
const NONCE_BYTES = 18

/** Header fields to add to the request: signature, its input and, with a body, its digest. */
export function signRequest(key: DeviceKey, request: RequestToSign): Readonly<Record<string, string>> {
  const digest: Record<string, string> =
    request.body === null ? {} : { 'content-digest': contentDigest(request.body) }
  const { signature, signatureInput } = createSignatureSync(
    {
      kind: 'request',
      method: request.method,
      targetUri: request.url,
      fields: Object.entries(digest).map(([name, value]) => ({ name, value })),
    },
    {
      components: [...SIGNED_COMPONENTS, ...Object.keys(digest)],
      parameters: {
        created: Math.floor(request.now / 1_000),
        nonce: request.nonce ?? newNonce(),
        keyid: key.id,
        alg: 'ed25519',
      },
      signer: { algorithm: 'ed25519', sign: (data) => key.sign(data) },
    },
  )
  return { ...digest, signature, 'signature-input': signatureInput }
}

export function newNonce(): string {
  return randomBytes(NONCE_BYTES).toString('base64url')
}

function contentDigest(body: string | Uint8Array): string {
  return `sha-256=:${createHash('sha256').update(body).digest('base64')}:`
}

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
  const read = readJson(schema, answer.value)
  return read === null ? err('frame_malformed') : ok(read)
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
    return response.ok ? ok(bytes) : err(codeOf(bytes))
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

function codeOf(answer: Uint8Array): ReasonCode {
  const code = readJson(failure, answer)?.error.code
  return isReasonCode(code) ? code : 'remote_rejected'
}

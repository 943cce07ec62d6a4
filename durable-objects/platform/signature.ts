/**
 * Device authentication at the edge: HTTP Message Signatures (RFC 9421, Ed25519) over method, authority, path, query, date and
 * nonce, and a digest of the body (RFC 9530), checked before any object wakes (DESIGN §7, T-02, B-09). Must not read a body before
 * its signature is checked. Called by every route that a device signs.
 */
import { concatBytes } from '@noble/hashes/utils.js'
import { type Verifier, verifySignature, webcrypto } from 'http-message-sig'
import * as z from 'zod/mini'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'

/** Seconds that a signature's date may differ from now, either way: how long a recorded request stays valid. */
export const SIGNATURE_SKEW = 300

/** Bytes of a request body: enough for a message of text; more would only cost memory. */
export const MAX_BODY_BYTES = 262_144

/** Longest nonce, in characters: it is stored to refuse replays. */
const MAX_NONCE = 128

/** An enrolled device of the owner. */
export interface DeviceKey {
  readonly id: string
  /** 32 raw bytes, Ed25519. */
  readonly publicKey: Uint8Array
}

export interface SignedBy {
  readonly device: string
  readonly nonce: string
  /** Seconds since the epoch: the signature's date. The nonce is stored until that date is too old. */
  readonly created: number
}

const COMPONENTS = ['@method', '@authority', '@path', '@query']
const PARAMETERS = ['created', 'nonce', 'keyid', 'alg']
const imported = new Map<string, Promise<Verifier>>()

/**
 * Refusal: signature_invalid for any fault; the facts name which one, for tests and the log. `now` in epoch milliseconds. A request
 * with a body must have its digest signed; `readSigned` compares it.
 */
export async function checkSignature(
  request: Request,
  devices: readonly DeviceKey[],
  now: number,
): Promise<Result<SignedBy>> {
  if (!request.headers.has('signature-input')) return err('signature_invalid', { why: 'missing' })
  try {
    const { parameters } = await verifySignature(request, {
      policy: {
        algorithms: ['ed25519'],
        requiredComponents: hasBody(request) ? [...COMPONENTS, 'content-digest'] : COMPONENTS,
        requiredParameters: PARAMETERS,
        now: Math.floor(now / 1_000),
        maxAge: 0,
        clockSkew: SIGNATURE_SKEW,
      },
      resolveVerifier: ({ parameters: { keyid } }) => verifierOf(devices, keyid),
    })
    const { keyid = '', nonce = '', created } = parameters
    if (nonce === '' || nonce.length > MAX_NONCE) return err('signature_invalid', { why: 'nonce' })
    return ok({ device: keyid, nonce, created: Number(created) })
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? String(error.code) : 'failed'
    return err('signature_invalid', { why })
  }
}

/** Text of a body that the signature covers, at most `most` bytes. Refusals: event_too_large, signature_invalid (another body). */
export async function readSigned(request: Request, most = MAX_BODY_BYTES): Promise<Result<string>> {
  const body = await readSignedBytes(request, most)
  return body.ok ? ok(new TextDecoder().decode(body.value)) : body
}

/** As `readSigned`, for a body that is not text. */
export async function readSignedBytes(request: Request, most = MAX_BODY_BYTES): Promise<Result<Uint8Array>> {
  const body = await readBounded(request, most)
  if (!body.ok) return body
  const digest = await crypto.subtle.digest('SHA-256', body.value)
  const expected = `sha-256=:${btoa(String.fromCharCode(...new Uint8Array(digest)))}:`
  return request.headers.get('content-digest') === expected
    ? body
    : err('signature_invalid', { why: 'digest' })
}

/** Unchecked bytes of a body. Stops reading at the limit, whatever length the request declares. */
export async function readBounded(request: Request, most = MAX_BODY_BYTES): Promise<Result<Uint8Array>> {
  if (Number(request.headers.get('content-length') ?? 0) > most) return err('event_too_large')
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength
    if (size > most) return err('event_too_large')
    chunks.push(chunk)
  }
  return ok(concatBytes(...chunks))
}

function hasBody({ method }: Request): boolean {
  return method !== 'GET' && method !== 'HEAD'
}

/** Throws for a device that is not enrolled. The key is imported once per isolate. */
function verifierOf(devices: readonly DeviceKey[], id: string | undefined): Promise<Verifier> {
  const device = devices.find((candidate) => candidate.id === id)
  if (device === undefined) throw new Error('no such device')
  const name = `${device.id}:${device.publicKey.join()}`
  const known = imported.get(name)
  if (known !== undefined) return known
  const verifier = crypto.subtle
    .importKey('raw', device.publicKey, { name: 'Ed25519' }, false, ['verify'])
    .then((key) => webcrypto.verifier(key))
  imported.set(name, verifier)
  return verifier
}

/** A JSON body that the signature covers; `undefined` for an empty one. Refusals: those of `readSigned`, event_malformed. */
export async function readSignedJson<T>(
  request: Request,
  schema: z.ZodMiniType<T>,
  most = MAX_BODY_BYTES,
): Promise<Result<T>> {
  const text = await readSigned(request, most)
  return text.ok ? parseText(schema, text.value) : text
}

/** Refusal: event_malformed. */
export function parseText<T>(schema: z.ZodMiniType<T>, text: string): Result<T> {
  try {
    const parsed = z.safeParse(schema, text === '' ? undefined : JSON.parse(text))
    return parsed.success ? ok(parsed.data) : err('event_malformed')
  } catch {
    return err('event_malformed')
  }
}

/**
 * Signs requests to the edge with the device key: HTTP Message Signatures (RFC 9421; DESIGN §7, T-02). Date and nonce
 * are signed, so a recorded request is stale or a replay; a digest covers the body (RFC 9530). No URL holds a secret.
 * Called by tunnel-client.ts, edge-call.ts and the terminal's open line.
 */
import { createHash, randomBytes } from 'node:crypto'
import { createSignatureSync } from 'http-message-sig'
import type { DeviceKey } from './device-key.ts'

export interface RequestToSign {
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
export const SIGNED_COMPONENTS: readonly string[] = Object.freeze([
  '@method',
  '@authority',
  '@path',
  '@query',
])
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

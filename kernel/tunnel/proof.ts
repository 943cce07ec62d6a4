/**
 * The bytes that the edge signs to prove its identity to home: everything both ends know of this one connection, so that the
 * proof is useless on another (DESIGN §7, T-02). Must not sign or verify: each place has its own cryptography. Called by
 * TunnelObject, which signs, and by home's tunnel client, which verifies.
 */
import * as z from 'zod/mini'
import { canonicalJson } from '../flow/json.ts'
import { encodeText } from '../vault/text.ts'

/** The edge's part of a hello: its nonce, and an Ed25519 signature over `proofBytes`. Both base64url. */
export interface EdgeProof {
  readonly nonce: string
  readonly signature: string
}

/** 16 to 48 bytes, base64url. The maximum limits memory. */
const nonce = z.string().check(z.regex(/^[A-Za-z0-9_-]{22,64}$/))
/** 64 bytes, base64url. */
const signature = z.string().check(z.regex(/^[A-Za-z0-9_-]{86}$/))

export const proofSchema = z.strictObject({ nonce, signature })

export interface ProofClaims {
  /** Nonce of the signature with which home opened the connection. */
  readonly homeNonce: string
  readonly edgeNonce: string
  /** Id of the device that opened the connection. */
  readonly device: string
  /** The hello that carries the proof. Its numbers decide what is resent and what is dropped. */
  readonly hello: {
    readonly version: number
    readonly epoch: number
    readonly received: number
    readonly base: number
    readonly last: number
  }
}

/** Domain separation from any other signature by the same key. */
const PURPOSE = 'pfar/tunnel/edge-proof/1'

export function proofBytes({ homeNonce, edgeNonce, device, hello }: ProofClaims): Uint8Array {
  const { version, epoch, received, base, last } = hello
  return encodeText(
    canonicalJson([PURPOSE, homeNonce, edgeNonce, device, version, epoch, received, base, last]),
  )
}

/**
 * What the edge signs to prove itself to home: everything both ends know of this one connection, so that a proof is
 * worth nothing on another (DESIGN §7, T-02). Bytes only; must not sign or verify, since each place has its own
 * cryptography. Called by TunnelObject, which signs, and by home's tunnel client, which checks.
 */
import * as z from 'zod/mini'
import { canonicalJson } from '../flow/json.ts'
import { encodeText } from '../vault/text.ts'

/** The edge's half of a hello: its own nonce, and an Ed25519 signature over `proofBytes`. Both base64url. */
export interface EdgeProof {
  readonly nonce: string
  readonly signature: string
}

/** 16 to 48 bytes, base64url: a nonce that is longer would only cost memory. */
const nonce = z.string().check(z.regex(/^[A-Za-z0-9_-]{22,64}$/))
/** 64 bytes, base64url. */
const signature = z.string().check(z.regex(/^[A-Za-z0-9_-]{86}$/))

export const proofSchema = z.strictObject({ nonce, signature })

export interface ProofClaims {
  /** Nonce of the signature by which home opened the connection. */
  readonly homeNonce: string
  readonly edgeNonce: string
  /** Id of the device that opened it. */
  readonly device: string
  /** The hello that carries the proof: its numbers decide what is sent and what is forgotten. */
  readonly hello: {
    readonly version: number
    readonly epoch: number
    readonly received: number
    readonly base: number
    readonly last: number
  }
}

/** Separates these signatures from any other that the same key may make. */
const PURPOSE = 'pfar/tunnel/edge-proof/1'

export function proofBytes({ homeNonce, edgeNonce, device, hello }: ProofClaims): Uint8Array {
  const { version, epoch, received, base, last } = hello
  return encodeText(
    canonicalJson([PURPOSE, homeNonce, edgeNonce, device, version, epoch, received, base, last]),
  )
}

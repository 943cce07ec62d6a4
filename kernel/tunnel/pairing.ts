/**
 * The cryptography of pairing (T-02): a one-time code, read by the owner on one screen and typed at the other, proves to each
 * side that the other's public key was not replaced; and the edge's proof of its identity. Pure; must not count attempts or read
 * clocks: the edge's `Pairing` does. Called by KernelObject, both ends of the tunnel and `pfar pair`.
 */
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import * as z from 'zod/mini'
import { canonicalJson, type DeepReadonly } from '../flow/json.ts'
import { encodeText } from '../vault/text.ts'

/** Crockford's base 32: no letter that can be read as a digit. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
/** Characters of a code: 60 bits, so that an eavesdropper cannot search for the code. */
export const CODE_LENGTH = 12

/** 32 bytes, base64url. */
const key = z.string().check(z.regex(/^[A-Za-z0-9_-]{43}$/))
/** HMAC-SHA-256, hex. */
const mac = z.string().check(z.regex(/^[0-9a-f]{64}$/))

/** What home sends: its public key, and a MAC that needs the code. */
export const pairRequestSchema = z.strictObject({
  publicKey: key,
  nonce: z.string().check(z.regex(/^[A-Za-z0-9_-]{22,64}$/)),
  mac,
})
/** The edge's answer: a MAC that proves that it knows the code as well. */
export const pairAnswerSchema = z.strictObject({ mac })

interface PairClaims {
  /** The side that makes the MAC, so that one side's MAC cannot be sent back as the other's. */
  readonly side: 'home' | 'edge'
  /** Host and port of the edge as each side knows it. A code typed for one edge is useless at another. */
  readonly host: string
  /** Base64url of 32 bytes each. */
  readonly edgeKey: string
  readonly deviceKey: string
  readonly nonce: string
}

/** A code from `CODE_LENGTH` random bytes, grouped for reading. */
export function codeFrom(random: Uint8Array): string {
  const letters = [...random.subarray(0, CODE_LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length] ?? '')
  return [0, 4, 8].map((at) => letters.slice(at, at + 4).join('')).join('-')
}

/** The edge's MAC key, derived from a code. Null for a text that cannot be a code. */
export function codeKey(code: string): Uint8Array | null {
  const plain = code.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll(/[IL]/g, '1').replaceAll('O', '0')
  if (plain.length !== CODE_LENGTH || [...plain].some((letter) => !ALPHABET.includes(letter))) return null
  return sha256(encodeText(`pfar/pair/1:${plain}`))
}

export function pairMac(
  codesKey: Uint8Array,
  { side, host, edgeKey, deviceKey, nonce }: PairClaims,
): Uint8Array {
  return hmac(sha256, codesKey, encodeText(canonicalJson([side, host, edgeKey, deviceKey, nonce])))
}

/** Compares in constant time: the duration must not reveal how much of a guess was right. */
export function sameMac(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false
  let difference = 0
  for (const [index, byte] of a.entries()) difference |= byte ^ (b[index] ?? 0)
  return difference === 0
}

/** 16 to 48 bytes, base64url. The maximum limits memory. */
const nonce = z.string().check(z.regex(/^[A-Za-z0-9_-]{22,64}$/))
/** 64 bytes, base64url. */
const signature = z.string().check(z.regex(/^[A-Za-z0-9_-]{86}$/))

/** The edge's part of a hello: its nonce, and an Ed25519 signature over `proofBytes`. */
export const proofSchema = z.strictObject({ nonce, signature })
export type EdgeProof = DeepReadonly<z.output<typeof proofSchema>>

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

/**
 * A credential that was typed at the edge, on its way home (DESIGN §1 "Custody is not clearance", E-02, L-12): a box sealed to
 * home's key, and the data it is bound to. Only an offer: home stores it as a secret after the owner confirmed it there. Pure;
 * must not close or open a box. Called by both ends of the tunnel, the Worker and home.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import * as z from 'zod/mini'
import { canonicalJson, type DeepReadonly } from '../flow/json.ts'
import { encodeText } from './text.ts'

/** Maximum UTF-16 units of a value. A key in PEM fits; a longer text was pasted by mistake. */
export const MAX_SECRET = 8_192

/** Milliseconds after typing. Both ends delete a box that was not fetched by then. */
export const OFFER_LIFETIME = 7 * 86_400_000

/** Purpose of these boxes: they do not open as any other kind. */
export const OFFER_PURPOSE = 'pfar/secret-offer/1'

/** Bytes of a key's fingerprint. */
const FINGERPRINT = 16
/** Maximum base64url characters of a box: a value of `MAX_SECRET` in UTF-8 with key and tag. */
const MAX_BOX = 33_000

const id = z.string().check(z.regex(/^[A-Za-z0-9_-]{1,64}$/))

/** Name of a secret. Used in paths, rows and audit lines. */
export const secretName = z.string().check(z.regex(/^[a-z0-9][a-z0-9_./-]{0,99}$/))

/** Home's public key: 32 bytes, base64url. */
export const sealKeySchema = z.string().check(z.regex(/^[A-Za-z0-9_-]{43}$/))

/** A box in transit, of at most `most` characters. */
export const boxOf = (most: number) => z.string().check(z.regex(/^[A-Za-z0-9_-]{64,}$/), z.maxLength(most))

/** A box of a secret. */
export const secretBox = boxOf(MAX_BOX)

export const offerSchema = z.strictObject({
  id,
  /** Principal that typed it. */
  principal: z.string().check(z.minLength(1), z.maxLength(200)),
  name: secretName,
  /** `sealKeyId` of the key that the box is sealed to. */
  key: z.string().check(z.regex(/^[0-9a-f]{32}$/)),
  /** When it was typed, epoch milliseconds by the edge's clock. */
  at: z.int().check(z.nonnegative()),
  /** Base64url; null once the edge deleted it because it was not fetched in time. */
  box: z.nullable(secretBox),
})
export type SecretOffer = DeepReadonly<z.output<typeof offerSchema>>

/** Id of a public key of home (32 raw bytes). */
export function sealKeyId(publicKey: Uint8Array): string {
  return bytesToHex(sha256(publicKey).subarray(0, FINGERPRINT))
}

/** The same id in groups of four digits, for people to compare. */
export function sealKeyGroups(publicKey: Uint8Array): string {
  return sealKeyId(publicKey).replaceAll(/.{4}(?=.)/g, '$& ')
}

/** Additional data of the box. A box moved to another name, principal, key or time does not open. */
export function offerBound({ id, principal, name, key, at }: Omit<SecretOffer, 'box'>): Uint8Array {
  return encodeText(canonicalJson(['secret-offer', 1, id, principal, name, key, at]))
}

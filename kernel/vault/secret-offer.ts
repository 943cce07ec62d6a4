/**
 * A credential that was typed at the edge, on its way home (DESIGN §1 "Custody is not clearance", E-02, L-12): a box that
 * home alone can open, and what it is bound to. The edge's word only: nothing here is a secret of home's until its owner
 * says so there. Pure; must not close or open a box. Called by both ends of the tunnel, the Worker and home's desk.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import * as z from 'zod/mini'
import { canonicalJson } from '../flow/json.ts'
import { encodeText } from './text.ts'

/** UTF-16 units of a value: a key in PEM fits; more is a paste accident. */
export const MAX_SECRET = 8_192

/** Milliseconds from when it was typed: longer, neither end keeps a box that nobody came for. */
export const OFFER_LIFETIME = 7 * 86_400_000

/** Boxes made for this do not open as anything else. */
export const OFFER_PURPOSE = 'pfar/secret-offer/1'

/** Bytes of a key's fingerprint. */
const FINGERPRINT = 16
/** Characters of a box, base64url: a value of `MAX_SECRET` in UTF-8 with key and tag. */
const MAX_BOX = 33_000

const id = z.string().check(z.regex(/^[A-Za-z0-9_-]{1,64}$/))

/** Name of a secret: it stands in paths, rows and audit lines. */
export const secretName = z.string().check(z.regex(/^[a-z0-9][a-z0-9_./-]{0,99}$/))

/** 32 bytes, base64url: home's public key. */
export const sealKeySchema = z.string().check(z.regex(/^[A-Za-z0-9_-]{43}$/))

/** A box as it travels, of at most so many characters. */
export const boxOf = (most: number) => z.string().check(z.regex(/^[A-Za-z0-9_-]{64,}$/), z.maxLength(most))

/** One of a secret. */
export const secretBox = boxOf(MAX_BOX)

export const offerSchema = z.strictObject({
  id,
  principal: z.string().check(z.minLength(1), z.maxLength(200)),
  name: secretName,
  key: z.string().check(z.regex(/^[0-9a-f]{32}$/)),
  at: z.int().check(z.nonnegative()),
  box: z.nullable(secretBox),
})

export interface SecretOffer {
  readonly id: string
  /** Who typed it. */
  readonly principal: string
  readonly name: string
  /** `sealKeyId` of the key that it was closed for. */
  readonly key: string
  /** When it was typed, epoch milliseconds of the edge. */
  readonly at: number
  /** Base64url; null once the edge threw it away, because nobody came for it in time. */
  readonly box: string | null
}

/** Names a public key (32 raw bytes) of home. */
export function sealKeyId(publicKey: Uint8Array): string {
  return bytesToHex(sha256(publicKey).subarray(0, FINGERPRINT))
}

/** The same name in groups of four digits, for people to compare. */
export function sealKeyGroups(publicKey: Uint8Array): string {
  return sealKeyId(publicKey).replaceAll(/.{4}(?=.)/g, '$& ')
}

/** Additional data of the box: moved to another name, person, key or time it does not open. */
export function offerBound({ id, principal, name, key, at }: Omit<SecretOffer, 'box'>): Uint8Array {
  return encodeText(canonicalJson(['secret-offer', 1, id, principal, name, key, at]))
}

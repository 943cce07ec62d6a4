/**
 * The mark of a removed record, by which it can be made again: an HMAC (RFC 2104) under the token that removed it. Whoever plans can carry it, and cannot make
 * one, so that nothing goes into DNS by "undo" but what stood there before. Pure. Must not keep the token. Called by remove.ts and make.ts.
 */
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { canonicalJson, type Json } from '../../../kernel/flow/json.ts'
import type { Credential } from '../../../kernel/tool/manifest.ts'

/** A record as it is carried; what it does not have is left out. */
export interface Marked {
  readonly name: Json | undefined
  readonly kind: Json | undefined
  readonly content: Json | undefined
  readonly proxied: Json | undefined
  readonly ttl: Json | undefined
}

/** Separates this use of the token from every other. */
const USE = 'pfar.cloudflare.removed.v1'

/** Null without a token. */
export function markOf(
  { name, kind, content, proxied, ttl }: Marked,
  credential: Credential | null,
): string | null {
  if (credential === null) return null
  const row = [name, kind, content, proxied ?? null, ttl ?? null] as Json
  return bytesToHex(hmac(sha256, utf8ToBytes(credential.value), utf8ToBytes(canonicalJson([USE, row]))))
}

/** A guess is worth nothing without a card, so the comparison need not take the same time for each. */
export function isMarked(row: Marked, mark: string, credential: Credential | null): boolean {
  return markOf(row, credential) === mark
}

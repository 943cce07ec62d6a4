/**
 * The mark of a removed record, with which it can be restored: an HMAC (RFC 2104) keyed with the token that removed it. A planner
 * can pass it on but not forge it, so "undo" writes only what was in DNS before. Pure. Must not keep the token. Called by
 * remove.ts and make.ts.
 */
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { canonicalJson, type Json } from '../../../kernel/flow/json.ts'
import type { Credential } from '../../../kernel/tool/manifest.ts'

/** The record that the mark covers; absent fields are omitted. */
export interface Marked {
  readonly name: Json | undefined
  readonly kind: Json | undefined
  readonly content: Json | undefined
  readonly proxied: Json | undefined
  readonly ttl: Json | undefined
}

/** Domain separation from every other use of the token. */
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

/** Constant-time comparison is not needed: a guess has no effect without an approval. */
export function isMarked(row: Marked, mark: string, credential: Credential | null): boolean {
  return markOf(row, credential) === mark
}

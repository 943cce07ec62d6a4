/**
 * Boundaries of data blocks (N-21): new for each call. The line of an earlier answer, which may quote outside text, has a keyed
 * digest: equal in every later call, so the conversation's bytes stay the same (P-26), and unpredictable without the key. A
 * learned boundary is useless elsewhere: every line has its own. Called by pipeline/model-call.ts.
 */
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { canonicalJson } from '../flow/json.ts'

/**
 * Hexadecimal digits of a line's boundary and of a call's. An attacker has one guess per text and no feedback; a call's
 * boundary protects everything that the call reads. Each digit costs tokens in every block.
 */
const DIGITS = Object.freeze({ line: 8, call: 12 })

/**
 * Maximum number of cached line boundaries. A conversation's lines recur in each of its prompts, and computing a digest costs
 * more than a look-up.
 */
const KEPT_LINES = 512
const known = new WeakMap<Uint8Array, Map<string, string>>()

/** `key`: the place's token key. Nothing that it signs has the same form. */
export function lineBoundary(key: Uint8Array, line: string): string {
  const lines = known.get(key) ?? new Map<string, string>()
  const before = lines.get(line)
  if (before !== undefined) return before
  const made = digest(key, ['history line', line]).slice(0, DIGITS.line)
  if (lines.size >= KEPT_LINES) lines.clear()
  known.set(key, lines.set(line, made))
  return made
}

/** Boundary for the data of one call. `id`: any id made for this call only; it may be guessable. */
export function callBoundary(key: Uint8Array, id: string): string {
  return digest(key, ['data of a call', id]).slice(0, DIGITS.call)
}

function digest(key: Uint8Array, of: readonly string[]): string {
  return bytesToHex(hmac(sha256, key, utf8ToBytes(canonicalJson(of))))
}

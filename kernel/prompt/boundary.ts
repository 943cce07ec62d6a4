/**
 * The boundaries of data blocks (N-21). A call's is made anew each time. One line of a conversation has its own, which an
 * answer of an earlier turn, as it may quote strangers, stands in: a keyed digest of the line: the same in every later call, so that the conversation's bytes never change (P-26), and
 * unknown to whoever wrote the line, who lacks the key. Who learned it later gains nothing: another line has another
 * boundary, and this one was written before it had any. Called by pipeline/model-call.ts.
 */
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { canonicalJson } from '../flow/json.ts'

/**
 * Hexadecimal digits of a line's boundary and of a call's. A text has one try and learns nothing from it; a call's stands
 * for all that it reads. Each digit more is paid for in tokens with every block.
 */
const DIGITS = Object.freeze({ line: 8, call: 12 })

/** Lines whose boundary is kept: a conversation's lines stand in each of its prompts, and a digest costs more than a line. */
const KEPT_LINES = 512
const known = new WeakMap<Uint8Array, Map<string, string>>()

/** `key`: the place's own, for tokens; nothing that it signs has this form. */
export function lineBoundary(key: Uint8Array, line: string): string {
  const lines = known.get(key) ?? new Map<string, string>()
  const before = lines.get(line)
  if (before !== undefined) return before
  const made = digest(key, ['history line', line]).slice(0, DIGITS.line)
  if (lines.size >= KEPT_LINES) lines.clear()
  known.set(key, lines.set(line, made))
  return made
}

/** For the data of one call; `id` is any id that was made for this call alone, and may be guessable. */
export function callBoundary(key: Uint8Array, id: string): string {
  return digest(key, ['data of a call', id]).slice(0, DIGITS.call)
}

function digest(key: Uint8Array, of: readonly string[]): string {
  return bytesToHex(hmac(sha256, key, utf8ToBytes(canonicalJson(of))))
}

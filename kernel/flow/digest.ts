/**
 * Digest of plain data, for comparing two values without storing them. Pure; must not take a key:
 * macOf does. Called wherever approved, seen or requested data is compared with current data.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { canonicalJson, type Json } from './json.ts'

/** SHA-256 over canonical JSON, lower-case hex. Throws on anything that is not plain data. */
export function digestOf(json: Json): string {
  return bytesToHex(sha256(utf8ToBytes(canonicalJson(json))))
}

/**
 * The digest of plain data, by which two values are compared without keeping them. Pure; must not take a key: macOf does. Called wherever what was
 * approved, seen or asked is compared with what is there.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { canonicalJson, type Json } from './json.ts'

/** SHA-256 over canonical JSON, lower-case hex. Throws on anything that is not plain data. */
export function digestOf(json: Json): string {
  return bytesToHex(sha256(utf8ToBytes(canonicalJson(json))))
}

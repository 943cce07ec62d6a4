/**
 * The development master key: 32 random bytes in `dev.key`. It stands where the key ring of DESIGN §6 will; every
 * other key of home is derived from it by purpose. Must not be used to seal anything itself. Called by main.ts.
 */
import { randomBytes } from 'node:crypto'
import { hkdf } from '@noble/hashes/hkdf.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { allowed, type Result, refused } from '../kernel/flow/verdict.ts'
import { readKeyFile, type StateFolder } from './state-folder.ts'

const FILE = 'dev.key'
/** Bytes of every key: 256 bits. */
export const KEY_BYTES = 32
const ENCODED = /^[A-Za-z0-9_-]{43}\s*$/

/** Refusals: storage_failed (mode, owner, unreadable), record_malformed (not 32 bytes in base64url). */
export function loadDevelopmentKey(folder: StateFolder): Result<Uint8Array> {
  const text = readKeyFile(folder, FILE, () => randomBytes(KEY_BYTES).toString('base64url'))
  if (!text.ok) return text
  return ENCODED.test(text.value)
    ? allowed(new Uint8Array(Buffer.from(text.value.trim(), 'base64url')))
    : refused('record_malformed', { file: FILE, problem: 'it is not 32 bytes in base64url' })
}

/** HKDF-SHA-256 (RFC 5869) for one purpose; two purposes never share a key. */
export function deriveKey(master: Uint8Array, purpose: string): Uint8Array {
  return hkdf(sha256, master, undefined, new TextEncoder().encode(`pfar/1/${purpose}`), KEY_BYTES)
}

/**
 * What keeps the master key (DESIGN §6, E-03), and what a custody holds: one key, or two while a rotation is on its
 * way, the wanted one last. Must not know any single custody. Called by unlock.ts and by `pfar key`.
 */
import type { Result } from '../../kernel/flow/verdict.ts'
import { KEY_BYTES } from '../../kernel/vault/cipher.ts'

export const CUSTODY_KINDS = ['keychain', 'systemd', 'passphrase', 'development'] as const
export type CustodyKind = (typeof CUSTODY_KINDS)[number]

/** The keys of one state folder in one place. Each call is durable when it resolves. */
export interface Custody {
  readonly kind: CustodyKind
  /** Refusals: key_unavailable (what to do stands in `problem`), storage_failed, record_malformed. */
  read(): Promise<Result<HeldKeys>>
  /** Replaces what is there, all at once, and has read it back when it resolves. */
  write(keys: HeldKeys): Promise<Result<null>>
  /** Whether nothing was there does not matter. */
  remove(): Promise<Result<null>>
}

/** Oldest first. The last is the one that should be in force. */
export type HeldKeys = readonly [Uint8Array] | readonly [Uint8Array, Uint8Array]

/** Asks the owner for the passphrase in force, or for a new one; null when there is nobody to ask. */
export type AskPassphrase = (which: 'present' | 'new') => Promise<string | null>

export function packKeys(keys: HeldKeys): Uint8Array {
  return new Uint8Array(Buffer.concat(keys))
}

/** Null for what is neither one key nor two. */
export function unpackKeys(bytes: Uint8Array): HeldKeys | null {
  if (bytes.length === KEY_BYTES) return [bytes.slice()]
  return bytes.length === 2 * KEY_BYTES ? [bytes.slice(0, KEY_BYTES), bytes.slice(KEY_BYTES)] : null
}

/**
 * Port of a custody, which stores the master key (DESIGN §6, E-03). It holds one key, or two during a rotation, the new
 * one last. Must not know any particular custody. Called by unlock.ts and by `pfar key`.
 */
import type { Result } from '../../kernel/flow/verdict.ts'
import { KEY_BYTES } from '../../kernel/vault/cipher.ts'

export const CUSTODY_KINDS = ['keychain', 'systemd', 'passphrase', 'development'] as const
export type CustodyKind = (typeof CUSTODY_KINDS)[number]

/** Stores the master keys of one state folder. Each call is durable when it resolves. */
export interface Custody {
  readonly kind: CustodyKind
  /** Refusals: key_unavailable (`problem` says what to do), storage_failed, record_malformed. */
  read(): Promise<Result<HeldKeys>>
  /** Replaces the content atomically. Has read it back when it resolves. */
  write(keys: HeldKeys): Promise<Result<null>>
  /** Succeeds also if there was nothing to remove. */
  remove(): Promise<Result<null>>
}

/** Oldest first. The last is the one that is to be in force. */
export type HeldKeys = readonly [Uint8Array] | readonly [Uint8Array, Uint8Array]

/** Asks the owner for the current passphrase or a new one; null if nobody can be asked. */
export type AskPassphrase = (which: 'present' | 'new') => Promise<string | null>

export function packKeys(keys: HeldKeys): Uint8Array {
  return new Uint8Array(Buffer.concat(keys))
}

/** Null unless the bytes are one or two keys. */
export function unpackKeys(bytes: Uint8Array): HeldKeys | null {
  if (bytes.length === KEY_BYTES) return [bytes.slice()]
  return bytes.length === 2 * KEY_BYTES ? [bytes.slice(0, KEY_BYTES), bytes.slice(KEY_BYTES)] : null
}

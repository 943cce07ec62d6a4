/**
 * Port of a custody, which stores the master key (DESIGN §6, E-03), and `custody.json`, which names the custody of a folder
 * and holds no secret. Must not know any particular custody. Called by home-keys.ts and by `pfar key`.
 */

import * as z from 'zod/mini'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { KEY_BYTES } from '../../kernel/vault/cipher.ts'
import { tell } from '../language/wording.ts'
import { readJson } from '../store/json.ts'
import { readPrivateFile, replacePrivateFile, type StateFolder } from '../store/state-folder.ts'

const CUSTODY_KINDS = ['keychain', 'systemd', 'passphrase', 'development'] as const
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

const CUSTODY_FILE = 'custody.json'

const kind = z.enum(CUSTODY_KINDS)

const schema = z.strictObject({
  version: z.literal(1),
  kind,
  /** Random; distinguishes the entries of two folders in one keychain. */
  id: z.string().check(z.regex(/^[0-9a-f]{16}$/)),
  /** The former custody, until its keys have been removed. */
  from: z.optional(z.strictObject({ kind, id: z.string() })),
})

export type CustodyRecord = z.output<typeof schema>

const DEVELOPMENT: CustodyRecord = { version: 1, kind: 'development', id: '0'.repeat(16) }

/** Refusals: storage_failed (mode, owner), record_malformed. */
export function readCustodyRecord(folder: StateFolder): Result<CustodyRecord> {
  const text = readPrivateFile(folder, CUSTODY_FILE)
  if (text === null) return ok(DEVELOPMENT)
  if (!text.ok) return text
  const record = readJson(schema, text.value)
  if (record !== null) return ok(record)
  const problem = tell('key_setup.record_damaged')
  return err('record_malformed', { file: CUSTODY_FILE, problem })
}

export function writeCustodyRecord(folder: StateFolder, record: CustodyRecord): Result<null> {
  return replacePrivateFile(folder, CUSTODY_FILE, `${JSON.stringify(record)}\n`)
}

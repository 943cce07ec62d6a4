/**
 * What is known of the master key without any secret (E-08, E-14): its number and custody, whether it fits, whether home can
 * start unattended. Must not change anything or ask anyone. Called by the backups, `pfar doctor`, `pfar key` and home.
 */

import { existsSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { ok, type Result } from '../../kernel/flow/verdict.ts'
import { tell } from '../language/wording.ts'
import { hasTable, withDatabase } from '../store/sqlite.ts'
import type { StateFolder } from '../store/state-folder.ts'
import { type CustodyKind, type CustodyRecord, readCustodyRecord } from './custody.ts'
import { KEY_STORE_FILE, type KeyStore, withKeyStore } from './key-store.ts'
import { custodyOpener } from './open-custody.ts'

export interface MasterNote {
  /** Number of the master key, from 1; 0 before the first start. */
  readonly number: number
  readonly development: boolean
}

/** Milliseconds that home may hold the file during a commit. */
const BUSY_TIMEOUT = 5_000

/**
 * The first master key of a folder is a development key unless a custody was chosen; no later one is. A folder without
 * a key store will start with a development key. Refusals: those of `custody.json`. Throws SQLite's errors.
 */
export function masterNote(folder: StateFolder): Result<MasterNote> {
  const record = readCustodyRecord(folder)
  if (!record.ok) return record
  const { kind, from } = record.value
  const number = masterNumberIn(folder.file(KEY_STORE_FILE))
  return ok({ number, development: number <= 1 && [kind, from?.kind].includes('development') })
}

/** 0 if there is no store, or no key in it. */
export function masterNumberIn(path: string): number {
  if (!existsSync(path)) return 0
  const epochIn = (database: DatabaseSync): number =>
    hasTable(database, 'masters')
      ? Number(database.prepare('select epoch from masters').get()?.['epoch'] ?? 0)
      : 0
  return withDatabase(path, epochIn, { timeout: BUSY_TIMEOUT })
}

/** One sentence for a status page. */
export function custodySentence(kind: CustodyKind): string {
  return tell(`key_setup.kept_${kind}`)
}

interface KeyStatus extends Readonly<Record<string, unknown>> {
  readonly custody: CustodyKind
  readonly kept: string
  readonly unattended: boolean
  /** Number of master keys so far, this one included; 0 before the first start. */
  readonly masterKey: number
  readonly keys: number
  readonly destroyed: number
  /** Null if only a passphrase could tell, or nothing was sealed yet. */
  readonly fits: boolean | null
  /** A key change was interrupted by a crash. The next start finishes it. */
  readonly changing: boolean
  readonly trouble: string | null
}

/** Refusals: those of `custody.json` and of the key store. */
export async function keyStatus(
  folder: StateFolder,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Result<KeyStatus>> {
  const record = readCustodyRecord(folder)
  if (!record.ok) return record
  if (!existsSync(folder.file(KEY_STORE_FILE)))
    return ok({ ...kept(record.value), masterKey: 0, keys: 0, destroyed: 0, ...UNKNOWN })
  return withKeyStore(folder, async (store) => {
    const looked = await look({ folder, env, record: record.value, store })
    return ok({ ...kept(record.value), masterKey: store.epoch(), ...store.counts(), ...looked })
  })
}

type Looked = Pick<KeyStatus, 'fits' | 'changing' | 'trouble'>
const UNKNOWN: Looked = { fits: null, changing: false, trouble: null }

function kept({ kind }: CustodyRecord): Pick<KeyStatus, 'custody' | 'kept' | 'unattended'> {
  return { custody: kind, kept: custodySentence(kind), unattended: kind !== 'passphrase' }
}

interface LookInput {
  readonly folder: StateFolder
  readonly env: Readonly<Record<string, string | undefined>>
  readonly record: CustodyRecord
  readonly store: KeyStore
}

async function look({ folder, env, record, store }: LookInput): Promise<Looked> {
  if (record.kind === 'passphrase') return UNKNOWN
  const openCustody = custodyOpener({
    folder,
    env,
    ask: async () => null,
    mayCreate: false,
    epoch: store.epoch(),
  })
  const held = await openCustody(record).read()
  if (!held.ok) return { ...UNKNOWN, trouble: String(held.reason.facts['problem'] ?? held.reason.code) }
  const fits = held.value.some((key) => store.fits(key))
  return { fits, changing: held.value.length > 1 || record.from !== undefined, trouble: null }
}

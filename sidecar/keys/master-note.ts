/**
 * Which master key a key store uses, and whether it is a development key, which no phrase can restore (E-14). Needs no
 * key. Must not migrate or change the store, because it also reads a backup's copy. Called by the backups, `pfar
 * doctor` and `pfar key`.
 */
import { existsSync } from 'node:fs'
import { ok, type Result } from '../../kernel/flow/verdict.ts'
import { loadSqlite } from '../store/sqlite.ts'
import type { StateFolder } from '../store/state-folder.ts'
import { readCustodyRecord } from './custody-record.ts'
import { KEY_STORE_FILE } from './key-store.ts'

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
  const database = new (loadSqlite().DatabaseSync)(path, { timeout: BUSY_TIMEOUT })
  try {
    const has = database.prepare("select 1 from sqlite_schema where name = 'masters'").get()
    return has === undefined ? 0 : Number(database.prepare('select epoch from masters').get()?.['epoch'] ?? 0)
  } finally {
    database.close()
  }
}

/**
 * Opens home's keys at start: key store, custody, key ring; finishes a key change that a crash interrupted (DESIGN §6). During a
 * change the custody holds two keys; the new one is last, and its recovery phrase was confirmed before it was written, so
 * finishing is always right. Must not choose the custody. Called by foundation.ts and by `pfar key`.
 *
 * States that a crash can leave:
 * 1 custody [old, new], keys under old: rewrap the keys
 * 2 custody [old, new], keys under new: write [new]
 * 3 custody [new], former custody not removed: remove it
 */

import { randomBytes } from 'node:crypto'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import type { Random } from '../../kernel/vault/cipher.ts'
import { createKeyRing, type KeyRing } from '../../kernel/vault/key-ring.ts'
import { tell } from '../language/wording.ts'
import type { StateFolder } from '../store/state-folder.ts'
import {
  type AskPassphrase,
  type Custody,
  type CustodyKind,
  type CustodyRecord,
  readCustodyRecord,
  writeCustodyRecord,
} from './custody.ts'
import { KEY_STORE_FILE, type KeyStore, openKeyStore } from './key-store.ts'
import { custodyOpener, type OpenCustody } from './open-custody.ts'

export interface UnlockInput {
  readonly folder: StateFolder
  readonly store: KeyStore
  readonly openCustody: OpenCustody
  readonly random: Random
}

export interface Unlocked {
  readonly master: Uint8Array
  readonly custody: Custody
  readonly record: CustodyRecord
  /** A cleanup that failed and will be retried: a key that is no longer needed still exists. */
  readonly unfinished: string | null
  /** Data keys that were already damaged and could not be rewrapped. Their records no longer open. */
  readonly damaged: number
}

/** Refusals: key_wrong, and those of the custody. */
export async function unlock(input: UnlockInput): Promise<Result<Unlocked>> {
  const { store, folder, openCustody, random } = input
  const record = readCustodyRecord(folder)
  if (!record.ok) return record
  const custody = openCustody(record.value)
  const held = await custody.read()
  if (!held.ok) return held
  const [first, last = first] = held.value
  if (store.epoch() === 0) store.begin(last)
  const master = [last, first].find((key) => store.fits(key))
  if (master === undefined) return wrongKey(custody)
  const damaged = master === last ? 0 : store.rewrap({ from: master, to: last, random })
  const settled = held.value.length === 1 ? ok(null) : await custody.write([last])
  const done = settled.ok ? await leaveFormer(input, record.value) : settled
  const unfinished = done.ok ? null : String(done.reason.facts['problem'] ?? done.reason.code)
  return ok({ master: last, custody, record: record.value, unfinished, damaged })
}

/** Removes the keys of the former custody after this one has returned a key that fits. */
async function leaveFormer(
  { folder, openCustody }: UnlockInput,
  record: CustodyRecord,
): Promise<Result<null>> {
  if (record.from === undefined) return ok(null)
  const removed = await openCustody(record.from).remove()
  if (!removed.ok) return removed
  const { from: _, ...now } = record
  return writeCustodyRecord(folder, now)
}

function wrongKey({ kind }: Custody): Result<never> {
  const problem = tell('key_setup.unfit', { kind })
  return err('key_wrong', { file: KEY_STORE_FILE, problem })
}

interface HomeKeysInput {
  readonly folder: StateFolder
  readonly env: Readonly<Record<string, string | undefined>>
  readonly ask: AskPassphrase
  /** Whether home's database holds sealed rows. A new key store would then make them unreadable forever. */
  readonly holdsRecords: boolean
  /** Replaces the custody that the folder names: the trial start of a backup brings its own key. */
  readonly openCustody?: OpenCustody
}

export interface HomeKeys {
  readonly ring: KeyRing
  readonly custody: CustodyKind
  close(): void
}

export const randomOfNode: Random = (length) => new Uint8Array(randomBytes(length))

/** Refusals: storage_failed, record_malformed, key_unavailable, key_wrong; `problem` says what to do. */
export async function openHomeKeys(input: HomeKeysInput): Promise<Result<HomeKeys>> {
  const store = openKeyStore(input.folder)
  if (!store.ok) return store
  const keys = await openWith(input, store.value)
  if (!keys.ok) store.value.close()
  return keys
}

async function openWith(input: HomeKeysInput, store: KeyStore): Promise<Result<HomeKeys>> {
  const { folder, holdsRecords } = input
  const fresh = store.epoch() === 0
  if (fresh && holdsRecords) return noKeyStore()
  const named = (): OpenCustody => custodyOpener({ ...input, mayCreate: fresh, epoch: store.epoch() })
  const openCustody = input.openCustody ?? named()
  const unlocked = await unlock({ folder, store, openCustody, random: randomOfNode })
  if (!unlocked.ok) return unlocked
  const { master, record } = unlocked.value
  const ring = createKeyRing({ ...store, master, random: randomOfNode })
  return ok({ ring, custody: record.kind, close: () => store.close() })
}

/** Refusal to create new keys beside records that were sealed with others. */
export function noKeyStore(): Result<never> {
  const problem = tell('key_setup.store_missing')
  return err('storage_failed', { file: KEY_STORE_FILE, problem })
}

/**
 * Finds the master key that fits, and finishes a key change that a crash interrupted (DESIGN §6). During a change the custody holds two keys; the new one
 * is last, and its recovery phrase was confirmed before it was written, so finishing is always right. Must not create a key. Called at home's start and
 * by `pfar key`.
 *
 * States that a crash can leave:
 * 1 custody [old, new], keys under old: rewrap the keys
 * 2 custody [old, new], keys under new: write [new]
 * 3 custody [new], former custody not removed: remove it
 */
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import type { Random } from '../../kernel/vault/cipher.ts'
import type { StateFolder } from '../store/state-folder.ts'
import type { Custody } from './custody.ts'
import { type CustodyRecord, readCustodyRecord, writeCustodyRecord } from './custody-record.ts'
import { KEY_STORE_FILE, type KeyStore } from './key-store.ts'
import type { OpenCustody } from './open-custody.ts'

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
  const problem = `the master key of the ${kind} custody does not fit it: restore the key or this file from the same backup, or run \`pfar key recover\` with your 24 words`
  return err('key_wrong', { file: KEY_STORE_FILE, problem })
}

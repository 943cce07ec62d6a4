/**
 * Finds the master key that fits, and carries a change of it that a crash cut off to its end (DESIGN §6). A change is
 * on its way while a custody holds two keys; the wanted one is last and its recovery phrase was confirmed before it
 * was written, so going on is always right. Must not make a key. Called at home's start and by `pfar key`.
 *
 * The states that a crash can leave, and each is whole:
 *   1 custody [old, new], keys under old      go on: wrap anew
 *   2 custody [old, new], keys under new      go on: write [new]
 *   3 custody [new], former custody remains   go on: remove it
 */
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import type { Random } from '../../kernel/vault/cipher.ts'
import type { StateFolder } from '../state-folder.ts'
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
  /** What could not be finished now and will be tried again: a key that is no longer needed still lies somewhere. */
  readonly unfinished: string | null
  /** Data keys that were damaged before, so that they could not be taken along: what lies under them opens no more. */
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

/** Removes what the former custody held, now that this one has given back a key that fits. */
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

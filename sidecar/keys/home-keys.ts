/**
 * Opens home's keys at start: key store, custody, key ring. Must not choose the custody; `pfar key` does. Called by
 * foundation.ts and by tests.
 */
import { randomBytes } from 'node:crypto'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import type { Random } from '../../kernel/vault/cipher.ts'
import { createKeyRing, type KeyRing } from '../../kernel/vault/key-ring.ts'
import type { StateFolder } from '../store/state-folder.ts'
import type { AskPassphrase, CustodyKind } from './custody.ts'
import { KEY_STORE_FILE, type KeyStore, openKeyStore } from './key-store.ts'
import { custodyOpener, type OpenCustody } from './open-custody.ts'
import { unlock } from './unlock.ts'

export interface HomeKeysInput {
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
  const problem =
    'it is missing, and home.sqlite holds records that only its keys open: restore keys.sqlite from a backup, or move home.sqlite away to begin anew (also if home.sqlite is of a version before the key ring)'
  return err('storage_failed', { file: KEY_STORE_FILE, problem })
}

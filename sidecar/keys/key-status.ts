/**
 * Status of the master key without any secret: its custody, whether it fits, whether home can start unattended (E-08).
 * Must not change anything or ask anyone. Called by `pfar key status` and, in one line, by home.
 */
import { existsSync } from 'node:fs'
import { ok, type Result } from '../../kernel/flow/verdict.ts'
import type { StateFolder } from '../store/state-folder.ts'
import type { CustodyKind } from './custody.ts'
import { type CustodyRecord, readCustodyRecord } from './custody-record.ts'
import { KEY_STORE_FILE, type KeyStore, openKeyStore } from './key-store.ts'
import { custodyOpener } from './open-custody.ts'

const SENTENCES: Readonly<Record<CustodyKind, string>> = {
  development:
    'in plain in dev.key: whoever copies the folder reads all of it; `pfar key init` makes a real one',
  keychain: 'in the keychain of this account',
  systemd: 'in a systemd credential of this machine',
  passphrase: 'in master.key, under a passphrase: home cannot start unattended',
}

/** One sentence for a status page. */
export function custodySentence(kind: CustodyKind): string {
  return SENTENCES[kind]
}

export interface KeyStatus extends Readonly<Record<string, unknown>> {
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
  const store = openKeyStore(folder)
  if (!store.ok) return store
  try {
    const looked = await look({ folder, env, record: record.value, store: store.value })
    return ok({
      ...kept(record.value),
      masterKey: store.value.epoch(),
      ...store.value.counts(),
      ...looked,
    })
  } finally {
    store.value.close()
  }
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

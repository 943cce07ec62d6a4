/** Creates the custody that a record names. Must not read a key. Called by home-keys.ts and by `pfar key`. */
import type { StateFolder } from '../store/state-folder.ts'
import type { AskPassphrase, Custody } from './custody.ts'
import type { CustodyRecord } from './custody-record.ts'
import { developmentKey } from './development.ts'
import { keychain } from './keychain.ts'
import { passphraseFile } from './passphrase-file.ts'
import { systemdCredential } from './systemd-credential.ts'

/** What custodies need from their environment. */
export interface CustodyInput {
  readonly folder: StateFolder
  readonly env: Readonly<Record<string, string | undefined>>
  readonly ask: AskPassphrase
  /** Nothing was sealed yet, so a development key may be created. */
  readonly mayCreate: boolean
  /** Number of master keys so far (`KeyStore.epoch`). */
  readonly epoch: number
}

export type OpenCustody = (record: Pick<CustodyRecord, 'kind' | 'id'>) => Custody

export function custodyOpener({ folder, env, ask, mayCreate, epoch }: CustodyInput): OpenCustody {
  return ({ kind, id }) => {
    switch (kind) {
      case 'development':
        return developmentKey(folder, { mayCreate, hasWords: epoch > 1 })
      case 'passphrase':
        return passphraseFile(folder, { ask })
      case 'systemd':
        return systemdCredential(folder, env)
      case 'keychain':
        return keychain(id)
    }
  }
}

/**
 * Development custody: one key in plain in `dev.key`, so that a first `npm start` asks nothing. Whoever copies the
 * folder reads all of it; `pfar key init` replaces it. Must not hold a second key. Called by open-custody.ts.
 */
import { randomBytes } from 'node:crypto'
import { allowed, refused } from '../../kernel/flow/verdict.ts'
import { KEY_BYTES } from '../../kernel/vault/cipher.ts'
import { readKeyFile, readPrivateFile, type StateFolder } from '../state-folder.ts'
import type { Custody } from './custody.ts'
import { removePrivateFile } from './private-file.ts'

const FILE = 'dev.key'
const ENCODED = /^[A-Za-z0-9_-]{43}\s*$/

/** `mayCreate`: nothing was sealed yet. Otherwise a missing key is told, not replaced by one that fits nothing. */
export function developmentKey(folder: StateFolder, mayCreate: boolean): Custody {
  return {
    kind: 'development',
    async read() {
      const create = () => randomBytes(KEY_BYTES).toString('base64url')
      const text = mayCreate ? readKeyFile(folder, FILE, create) : readPrivateFile(folder, FILE)
      if (text === null)
        return refused('key_unavailable', {
          file: FILE,
          problem:
            'it is missing: put your copy back; if the key had a recovery phrase, `pfar key recover --custody …`',
        })
      if (!text.ok) return text
      const problem = 'it is not 32 bytes in base64url: restore it from a backup'
      return ENCODED.test(text.value)
        ? allowed([new Uint8Array(Buffer.from(text.value.trim(), 'base64url'))])
        : refused('record_malformed', { file: FILE, problem })
    },
    write: async () =>
      refused('key_unavailable', { file: FILE, problem: 'a development key is never written again' }),
    remove: async () => removePrivateFile(folder, FILE),
  }
}

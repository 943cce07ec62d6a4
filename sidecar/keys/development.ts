/**
 * Development custody: one unencrypted key in `dev.key`, so that the first `npm start` needs no setup. Whoever copies
 * the folder can read everything; `pfar key init` replaces it. Must not hold a second key. Called by open-custody.ts.
 */
import { randomBytes } from 'node:crypto'
import { err, ok } from '../../kernel/flow/verdict.ts'
import { KEY_BYTES } from '../../kernel/vault/cipher.ts'
import { readKeyFile, readPrivateFile, type StateFolder } from '../store/state-folder.ts'
import type { Custody } from './custody.ts'
import { removePrivateFile } from './private-file.ts'

const FILE = 'dev.key'
const ENCODED = /^[A-Za-z0-9_-]{43}\s*$/

export interface DevelopmentInput {
  /**
   * True if nothing was sealed yet. Otherwise a missing key is reported, and no new one is created that would open
   * nothing.
   */
  readonly mayCreate: boolean
  /**
   * True after the first master key, as only the first can be a development key: a restored folder has no custody
   * record.
   */
  readonly hasWords: boolean
}

export function developmentKey(folder: StateFolder, { mayCreate, hasWords }: DevelopmentInput): Custody {
  return {
    kind: 'development',
    async read() {
      const create = () => randomBytes(KEY_BYTES).toString('base64url')
      const text = mayCreate ? readKeyFile(folder, FILE, create) : readPrivateFile(folder, FILE)
      if (text === null) return hasWords ? needsWords() : needsFile(folder)
      if (!text.ok) return text
      const problem = 'it is not 32 bytes in base64url: put your own copy of it back'
      return ENCODED.test(text.value)
        ? ok([new Uint8Array(Buffer.from(text.value.trim(), 'base64url'))])
        : err('record_malformed', { file: FILE, problem })
    },
    write: async () =>
      err('key_unavailable', { file: FILE, problem: 'a development key is never written again' }),
    remove: async () => removePrivateFile(folder, FILE),
  }
}

function needsWords(): ReturnType<typeof err> {
  const problem =
    'it is not on this machine yet: `pfar key recover --custody passphrase` (or keychain, systemd) with its 24 words, then start again'
  return err('key_unavailable', { file: 'master key', problem })
}

function needsFile(folder: StateFolder): ReturnType<typeof err> {
  const problem = `it is missing. What is here lies under a development key: put the dev.key of the machine that it comes from into ${folder.path}, readable by you alone, and start again. If you have 24 words of that key: \`pfar key recover --custody passphrase\``
  return err('key_unavailable', { file: FILE, problem })
}

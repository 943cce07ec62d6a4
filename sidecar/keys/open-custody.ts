/**
 * Creates the custody that a record names; holds the two that need no code of their own size: the development key and the
 * systemd credential. Must not put a key on a command line or in the environment. Called by home-keys.ts and `pfar key`.
 */

import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { KEY_BYTES } from '../../kernel/vault/cipher.ts'
import { tell } from '../language/wording.ts'
import {
  readKeyFile,
  readPrivateFile,
  removePrivateFile,
  replacePrivateFile,
  type StateFolder,
} from '../store/state-folder.ts'
import {
  type AskPassphrase,
  type Custody,
  type CustodyRecord,
  type HeldKeys,
  packKeys,
  unpackKeys,
} from './custody.ts'
import { keychain } from './keychain.ts'
import { passphraseFile } from './passphrase-file.ts'

interface CustodyInput {
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

const FILE = 'dev.key'
const ENCODED = /^[A-Za-z0-9_-]{43}\s*$/

interface DevelopmentInput {
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
      const problem = tell('key_setup.dev_malformed')
      return ENCODED.test(text.value)
        ? ok([new Uint8Array(Buffer.from(text.value.trim(), 'base64url'))])
        : err('record_malformed', { file: FILE, problem })
    },
    write: async () => err('key_unavailable', { file: FILE, problem: tell('key_setup.dev_written') }),
    remove: async () => removePrivateFile(folder, FILE),
  }
}

function needsWords(): ReturnType<typeof err> {
  const problem = tell('key_setup.not_here')
  return err('key_unavailable', { file: 'master key', problem })
}

function needsFile(folder: StateFolder): ReturnType<typeof err> {
  const problem = tell('key_setup.dev_missing', { folder: folder.path })
  return err('key_unavailable', { file: FILE, problem })
}

const NAME = 'pfar-master'
const CREDENTIAL_FILE = `${NAME}.cred`
const TOOL = 'systemd-creds'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * In the unit, the decrypted credential is in `$CREDENTIALS_DIRECTORY`, in memory that is not swapped. Elsewhere, as
 * for `pfar key rotate`, systemd decrypts it only for root.
 */
function systemdCredential(folder: StateFolder, env: Environment): Custody {
  const read = async (): Promise<Result<HeldKeys>> => {
    const bytes = readLoaded(env) ?? (await decrypt(folder))
    if (bytes === null) return unavailable(tell('key_setup.credential_none'))
    return held(bytes)
  }
  return {
    kind: 'systemd',
    read,
    async write(keys) {
      const sealed = await run(['encrypt', `--name=${NAME}`, '-', '-'], packKeys(keys))
      if (sealed === null) return unavailable(tell('key_setup.credential_encrypt'))
      const written = replacePrivateFile(folder, CREDENTIAL_FILE, sealed)
      if (!written.ok) return written
      const back = await decrypt(folder)
      return back !== null && Buffer.from(back).equals(packKeys(keys))
        ? ok(null)
        : unavailable(tell('key_setup.credential_back'))
    },
    remove: async () => removePrivateFile(folder, CREDENTIAL_FILE),
  }
}

function held(bytes: Uint8Array): Result<HeldKeys> {
  const keys = unpackKeys(bytes)
  if (keys !== null) return ok(keys)
  const problem = tell('key_setup.credential_wrong')
  return err('record_malformed', { file: CREDENTIAL_FILE, problem })
}

function readLoaded(env: Environment): Uint8Array | null {
  const folder = env['CREDENTIALS_DIRECTORY']
  if (folder === undefined || folder === '') return null
  try {
    return new Uint8Array(readFileSync(join(folder, NAME)))
  } catch {
    return null
  }
}

function decrypt(folder: StateFolder): Promise<Uint8Array | null> {
  return run(['decrypt', `--name=${NAME}`, folder.file(CREDENTIAL_FILE), '-'], null)
}

/** Output of the tool; null if it failed or is missing. Drops its error text, which may name files. */
function run(args: readonly string[], input: Uint8Array | null): Promise<Uint8Array | null> {
  return new Promise((resolve) => {
    const child = spawn(TOOL, args, { stdio: ['pipe', 'pipe', 'ignore'] })
    const parts: Buffer[] = []
    child.on('error', () => resolve(null))
    child.stdin.on('error', () => undefined)
    child.stdout.on('data', (part: Buffer) => parts.push(part))
    child.on('close', (code) => resolve(code === 0 ? new Uint8Array(Buffer.concat(parts)) : null))
    child.stdin.end(input ?? '')
  })
}

function unavailable(what: string): Result<never> {
  const problem = tell('key_setup.credential', { what, name: NAME, file: CREDENTIAL_FILE })
  return err('key_unavailable', { file: CREDENTIAL_FILE, problem })
}

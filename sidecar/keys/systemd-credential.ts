/**
 * Custody in a systemd credential: `pfar-master.cred`, encrypted to this machine (TPM or host key) and loaded only by
 * home's unit (`LoadCredentialEncrypted=`). Must not put the key on a command line or in the environment: it passes
 * through pipes. Called by open-custody.ts.
 */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import type { StateFolder } from '../store/state-folder.ts'
import { type Custody, type HeldKeys, packKeys, unpackKeys } from './custody.ts'
import { removePrivateFile, replacePrivateFile } from './private-file.ts'

const NAME = 'pfar-master'
export const CREDENTIAL_FILE = `${NAME}.cred`
const TOOL = 'systemd-creds'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * In the unit, the decrypted credential is in `$CREDENTIALS_DIRECTORY`, in memory that is not swapped. Elsewhere, as
 * for `pfar key rotate`, systemd decrypts it only for root.
 */
export function systemdCredential(folder: StateFolder, env: Environment): Custody {
  const read = async (): Promise<Result<HeldKeys>> => {
    const bytes = readLoaded(env) ?? (await decrypt(folder))
    if (bytes === null) return unavailable('no credential was loaded, and it cannot be decrypted here')
    return held(bytes)
  }
  return {
    kind: 'systemd',
    read,
    async write(keys) {
      const sealed = await run(['encrypt', `--name=${NAME}`, '-', '-'], packKeys(keys))
      if (sealed === null) return unavailable('systemd cannot encrypt a credential here')
      const written = replacePrivateFile(folder, CREDENTIAL_FILE, sealed)
      if (!written.ok) return written
      const back = await decrypt(folder)
      return back !== null && Buffer.from(back).equals(packKeys(keys))
        ? ok(null)
        : unavailable('what systemd encrypted does not come back')
    },
    remove: async () => removePrivateFile(folder, CREDENTIAL_FILE),
  }
}

function held(bytes: Uint8Array): Result<HeldKeys> {
  const keys = unpackKeys(bytes)
  if (keys !== null) return ok(keys)
  const problem = 'it does not hold a master key: run `pfar key recover --custody systemd` with your 24 words'
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
  const problem = `${what}: start home from its unit with LoadCredentialEncrypted=${NAME}:<state folder>/${CREDENTIAL_FILE}, and run \`pfar key\` as root`
  return err('key_unavailable', { file: CREDENTIAL_FILE, problem })
}

/**
 * Custody in the OS keychain (DESIGN §6, E-03): Secret Service on Linux, Keychain on macOS; without one it refuses instead of
 * using the kernel's keyring, which is lost at reboot. A written key is trusted only after another process has read it back.
 * Must not fall back to another custody. Called by open-custody.ts and keychain-digest.ts.
 */

import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { tell } from '../language/wording.ts'
import { type Custody, type HeldKeys, packKeys, unpackKeys } from './custody.ts'

const SERVICE = 'pfar'
const PLATFORMS: readonly string[] = ['linux', 'darwin']

/** Milliseconds. A locked keychain first asks the user for a password. */
const PATIENCE = 120_000

interface KeychainEntry {
  get(): Promise<Uint8Array | null>
  set(bytes: Uint8Array): Promise<void>
  remove(): Promise<void>
}

/** Refusal: key_unavailable. The entry's methods reject if the keychain is locked or disappears. */
export async function openKeychainEntry(id: string): Promise<Result<KeychainEntry>> {
  if (!PLATFORMS.includes(process.platform)) return noKeychain()
  try {
    const { AsyncEntry } = await import('@napi-rs/keyring')
    const entry = new AsyncEntry(SERVICE, `master-${id}`, { linux: { store: 'secret-service' } })
    const patience = () => AbortSignal.timeout(PATIENCE)
    return ok({
      async get() {
        const bytes = await entry.getSecret(patience())
        return bytes === null ? null : Uint8Array.from(bytes)
      },
      set: (bytes) => entry.setSecret(bytes, patience()),
      remove: async () => void (await entry.deleteCredential(patience())),
    })
  } catch {
    return noKeychain()
  }
}

/** Drops the native error, which may quote addresses of the session bus. */
function noKeychain(): Result<never> {
  return err('key_unavailable', { file: 'keychain', problem: tell('key_setup.no_keychain') })
}

const DIGEST_SCRIPT = fileURLToPath(new URL('keychain-digest.ts', import.meta.url))

/** Access to the keychain; tests pass one that loses entries. */
export interface KeychainPort {
  open(id: string): Promise<Result<KeychainEntry>>
  /** SHA-256 of the entry as another process reads it, hex; empty if it finds none. */
  digestElsewhere(id: string): Promise<string>
}

const OS_KEYCHAIN: KeychainPort = { open: openKeychainEntry, digestElsewhere }

/** `id`: entry of this folder. */
export function keychain(id: string, port: KeychainPort = OS_KEYCHAIN): Custody {
  return {
    kind: 'keychain',
    read: () => using(port, id, async (entry) => held(await entry.get())),
    write: (keys) =>
      using(port, id, async (entry) => {
        const bytes = packKeys(keys)
        await entry.set(bytes)
        const wanted = createHash('sha256').update(bytes).digest('hex')
        return (await port.digestElsewhere(id)) === wanted ? ok(null) : notStored()
      }),
    remove: () =>
      using(port, id, async (entry) => {
        await entry.remove()
        return ok(null)
      }),
  }
}

async function using<T>(
  port: KeychainPort,
  id: string,
  work: (entry: KeychainEntry) => Promise<Result<T>>,
): Promise<Result<T>> {
  const entry = await port.open(id)
  if (!entry.ok) return entry
  try {
    return await work(entry.value)
  } catch {
    return noKeychain()
  }
}

function held(bytes: Uint8Array | null): Result<HeldKeys> {
  const file = 'keychain'
  const keys = bytes === null ? null : unpackKeys(bytes)
  if (keys !== null) return ok(keys)
  return bytes === null
    ? err('key_unavailable', { file, problem: tell('key_setup.keychain_empty') })
    : err('record_malformed', { file, problem: tell('key_setup.keychain_wrong') })
}

function notStored(): Result<never> {
  return err('key_unavailable', { file: 'keychain', problem: tell('key_setup.keychain_untrusted') })
}

function digestElsewhere(id: string): Promise<string> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ['--no-warnings', DIGEST_SCRIPT, id], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    let text = ''
    child.stdout.on('data', (part) => {
      text += String(part)
    })
    child.on('error', () => resolve(''))
    child.on('close', (code) => resolve(code === 0 ? text : ''))
  })
}

/**
 * Custody in the OS keychain (DESIGN §6, E-03). A written key is trusted only after another process has read it back.
 * Must not fall back to another custody. Called by open-custody.ts.
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { type Custody, type HeldKeys, packKeys, unpackKeys } from './custody.ts'
import { type KeychainEntry, noKeychain, openKeychainEntry } from './keychain-entry.ts'

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
        return (await port.digestElsewhere(id)) === wanted ? ok(null) : notKept()
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
  const recover = 'run `pfar key recover` with your 24 words'
  return bytes === null
    ? err('key_unavailable', { file, problem: `it holds no key of this folder: ${recover}` })
    : err('record_malformed', { file, problem: `its entry is not a master key: ${recover}` })
}

function notKept(): Result<never> {
  const problem =
    'it did not give back to another process what it was given, so it is not trusted: use `--custody passphrase` or `--custody systemd`'
  return err('key_unavailable', { file: 'keychain', problem })
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

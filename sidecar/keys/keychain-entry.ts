/**
 * One entry of the OS keychain: Secret Service on Linux, Keychain on macOS. Pinned to Secret Service, so that without
 * one it refuses instead of using the kernel's keyring, which is lost at reboot. Loads the native module on first use.
 * Called by keychain.ts and keychain-digest.ts.
 */
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'

const SERVICE = 'pfar'
const PLATFORMS: readonly string[] = ['linux', 'darwin']

/** Milliseconds. A locked keychain first asks the user for a password. */
const PATIENCE = 120_000

export interface KeychainEntry {
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
export function noKeychain(): Result<never> {
  const problem =
    'the keychain cannot be reached or is locked: log in to the desktop that holds it, or use `--custody passphrase` or `--custody systemd`'
  return err('key_unavailable', { file: 'keychain', problem })
}

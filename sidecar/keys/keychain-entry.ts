/**
 * One entry of the OS keychain: Secret Service on Linux, pinned, so that a machine without one is told and nothing falls
 * into the kernel's keyring, which forgets at reboot; the Keychain on macOS. The native module is loaded here, when
 * this custody is used and not before. Called by keychain.ts and keychain-digest.ts.
 */
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'

const SERVICE = 'pfar'
const PLATFORMS: readonly string[] = ['linux', 'darwin']

/** Milliseconds: a locked keychain asks its owner for a password first. */
const PATIENCE = 120_000

export interface KeychainEntry {
  get(): Promise<Uint8Array | null>
  set(bytes: Uint8Array): Promise<void>
  remove(): Promise<void>
}

/** Refusal: key_unavailable. The entry's own calls reject when the keychain is locked or goes away. */
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

/** The native error is dropped: it may quote addresses of the session bus. */
export function noKeychain(): Result<never> {
  const problem =
    'the keychain cannot be reached or is locked: log in to the desktop that holds it, or use `--custody passphrase` or `--custody systemd`'
  return err('key_unavailable', { file: 'keychain', problem })
}

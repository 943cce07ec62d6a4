/**
 * The owner's registry on its way into home's backup and back (E-13, E-16): which devices were paired, which were
 * revoked, his time zone. Codes, nonces and keys that home pushes at each connection are not in it. Must not decide who
 * may ask. Called by KernelObject.
 */
import { allowed, type Result, refused } from '../kernel/flow/verdict.ts'
import type { RegistryPart } from '../kernel/tunnel/edge-part.ts'
import { keyOf } from '../worker/env.ts'
import type { Devices } from './devices.ts'

export interface RegistryShelf {
  part(timezone: string | null): RegistryPart
  /**
   * Ids that were enrolled; none when this part is here already. `by`: the device that asks, which stays. Refusals:
   * edge_not_empty (others were paired or revoked here), event_malformed, pairing_refused.
   */
  restore(
    part: { readonly id: string; readonly registry: RegistryPart },
    by: string,
  ): Result<readonly string[]>
}

const DONE = 'import:done'

export function createRegistryShelf(kv: SyncKvStorage, devices: Devices): RegistryShelf {
  const current = (): Pick<RegistryPart, 'devices' | 'revoked'> => ({
    devices: devices.paired().map(({ id, publicKey }) => ({
      id,
      publicKey: publicKey.toBase64({ alphabet: 'base64url', omitPadding: true }),
    })),
    revoked: [...devices.revoked()],
  })
  return {
    part: (timezone) => ({ ...current(), timezone }),
    restore({ id, registry }, by) {
      if (kv.get(DONE) === id) return allowed([])
      const here = current()
      if (here.revoked.length > 0 || here.devices.some((device) => device.id !== by))
        return refused('edge_not_empty')
      const enrolled: string[] = []
      for (const device of registry.devices) {
        if (registry.revoked.includes(device.id)) continue
        const publicKey = keyOf(device.publicKey)
        const done = publicKey === null ? refused('event_malformed') : devices.enroll(publicKey)
        if (!done.ok) return done
        enrolled.push(done.value)
      }
      // Whoever asks has been enrolled anew since: the owner did that, and must not be locked out by his own past.
      for (const device of registry.revoked) if (device !== by) devices.markRevoked(device)
      kv.put(DONE, id)
      return allowed(enrolled)
    },
  }
}

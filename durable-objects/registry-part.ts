/**
 * The owner's registry on its way into home's backup and back (E-13, E-16): which objects there are, which devices were
 * paired, which were revoked, his time zone; with the audit of the link. Codes, nonces and keys that home pushes at each
 * connection are not in it. Must not decide who may ask. Called by KernelObject.
 */
import { err, ok, type Result } from '../kernel/flow/verdict.ts'
import type { Cursor, Page, PartHead, RegistryPart } from '../kernel/tunnel/edge-part.ts'
import { keyOf } from '../worker/env.ts'
import type { Devices } from './devices.ts'
import type { KernelAudit } from './kernel-audit.ts'
import type { ObjectRegister } from './object-register.ts'
import type { ProfileShelf } from './profile.ts'
import type { SealKey } from './seal-key.ts'

export interface EdgeStores {
  /** Names of all objects. */
  readonly objects: readonly string[]
  /** Home's public key, base64url. */
  readonly sealTo: string
}

export interface RegistryShelf {
  /** What there is for a backup; the audit says who asked (`by`). Refusals: edge_locked, seal_key_missing. */
  stores(by: string | null): Result<EdgeStores>
  /** The registry, and the audit of the link as its rows: lines are only added, so that each page holds whatever comes. */
  head(): PartHead
  page(cursor: Cursor | null): Result<Page>
  /**
   * Into a registry that knows of nobody but `by`, the device that asks, which stays. Refusals: edge_not_empty (others
   * were paired or revoked here), event_malformed, pairing_refused.
   */
  restore(part: { readonly id: string; readonly registry: RegistryPart }, by: string): Result<true>
}

export interface RegistryInput {
  readonly kv: SyncKvStorage
  readonly devices: Devices
  readonly audit: KernelAudit
  readonly profile: Pick<ProfileShelf, 'profile' | 'setProfile'>
  readonly register: Pick<ObjectRegister, 'names' | 'isLocked'>
  readonly sealKey: Pick<SealKey, 'current'>
}

const DONE = 'import:done'

export function createRegistryShelf(input: RegistryInput): RegistryShelf {
  const { kv, devices, audit, profile, register, sealKey } = input
  const current = (): Pick<RegistryPart, 'devices' | 'revoked'> => ({
    devices: devices.paired().map(({ id, publicKey }) => ({
      id,
      publicKey: publicKey.toBase64({ alphabet: 'base64url', omitPadding: true }),
    })),
    revoked: [...devices.revoked()],
  })
  /** Ids that were enrolled; none when this part is here already. */
  const enroll = (
    { id, registry }: { readonly id: string; readonly registry: RegistryPart },
    by: string,
  ): Result<readonly string[]> => {
    if (kv.get(DONE) === id) return ok([])
    const here = current()
    if (here.revoked.length > 0 || here.devices.some((device) => device.id !== by))
      return err('edge_not_empty')
    const enrolled: string[] = []
    for (const device of registry.devices) {
      if (registry.revoked.includes(device.id)) continue
      const publicKey = keyOf(device.publicKey)
      const done = publicKey === null ? err('event_malformed') : devices.enroll(publicKey)
      if (!done.ok) return done
      enrolled.push(done.value)
    }
    // Whoever asks has been enrolled anew since: the owner did that, and must not be locked out by his own past.
    for (const device of registry.revoked) if (device !== by) devices.markRevoked(device)
    kv.put(DONE, id)
    return ok(enrolled)
  }
  return {
    stores(by) {
      if (register.isLocked()) return err('edge_locked')
      const sealTo = sealKey.current()
      if (sealTo === null) return err('seal_key_missing')
      const objects = register.names()
      if (by !== null) audit.note('egress', { of: 'backup', to: by, stores: objects.length + 1 })
      return ok({ objects, sealTo })
    },
    head() {
      const id = crypto.randomUUID().replaceAll('-', '')
      const schema = [...audit.part().schema()]
      const registry = { ...current(), timezone: profile.profile()?.timezone ?? null }
      return { id, schema, registry, principal: null, moment: 'grows', sealed: null }
    },
    page: (cursor) => audit.part().page(cursor),
    restore(part, by) {
      const enrolled = enroll(part, by)
      if (!enrolled.ok) return enrolled
      for (const device of enrolled.value) audit.note('device_enrolled', { device, by: 'restore', with: by })
      const { timezone } = part.registry
      // What home has pushed meanwhile is newer.
      if (timezone !== null && profile.profile() === null) profile.setProfile({ timezone })
      return ok(true)
    },
  }
}

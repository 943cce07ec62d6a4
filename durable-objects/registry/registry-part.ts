/**
 * Export and import of the owner's registry for home's backup (E-13, E-16): names of objects, paired and revoked devices, and the
 * time zone; also the audit of the link. Leaves out codes, nonces and keys that home syncs at each connection. Must not decide
 * who may export or import. Called by KernelObject.
 */
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import type { Cursor, Page, PartHead, RegistryPart } from '../../kernel/tunnel/edge-part.ts'
import { keyOf } from '../platform/env.ts'
import type { KernelAudit } from './audit.ts'
import type { Devices } from './devices.ts'
import type { ObjectRegister } from './object-register.ts'
import type { ProfileStore, SealKey } from './profile.ts'

export interface EdgeStores {
  /** Names of all objects. */
  readonly objects: readonly string[]
  /** Home's public key, base64url. */
  readonly sealTo: string
}

export interface RegistryStore {
  /** What there is to back up; an audit line records the caller (`by`). Refusals: edge_locked, seal_key_missing. */
  stores(by: string | null): Result<EdgeStores>
  /** The registry, and the audit of the link as rows. Lines are only appended, so pages stay consistent while new ones arrive. */
  head(): PartHead
  page(cursor: Cursor | null): Result<Page>
  /**
   * Restores into a registry that knows only `by`, the calling device, which stays. Refusals: edge_not_empty (other devices were
   * paired or revoked here), event_malformed, pairing_refused.
   */
  restore(part: { readonly id: string; readonly registry: RegistryPart }, by: string): Result<true>
}

export interface RegistryInput {
  readonly kv: SyncKvStorage
  readonly devices: Devices
  readonly audit: KernelAudit
  readonly profile: Pick<ProfileStore, 'profile' | 'setProfile'>
  readonly register: Pick<ObjectRegister, 'names' | 'isLocked'>
  readonly sealKey: Pick<SealKey, 'current'>
}

const DONE = 'import:done'

export function createRegistryStore(input: RegistryInput): RegistryStore {
  const { kv, devices, audit, profile, register, sealKey } = input
  const current = (): Pick<RegistryPart, 'devices' | 'revoked'> => ({
    devices: devices.paired().map(({ id, publicKey }) => ({
      id,
      publicKey: publicKey.toBase64({ alphabet: 'base64url', omitPadding: true }),
    })),
    revoked: [...devices.revoked()],
  })
  /** Returns the ids that were enrolled; none when this part was imported before. */
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
    // The caller has been enrolled again since that backup: its former revocation must not lock the owner out.
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
      // A profile synced from home meanwhile is newer.
      if (timezone !== null && profile.profile() === null) profile.setProfile({ timezone })
      return ok(true)
    },
  }
}

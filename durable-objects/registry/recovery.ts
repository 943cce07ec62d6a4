/**
 * Which device writes the copies of home, and which key may read them and enrol a new home (DESIGN §6, E-16). The first device that
 * writes stays the only one until revoked: a stolen laptop must not replace the copies, nor plant a recovery key. Changes and
 * refusals are audited. Must not check a signature: the Worker has. Called by KernelObject.
 */
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import type { SignedBy } from '../platform/signature.ts'
import type { Denials } from './audit.ts'
import { type Devices, deviceId } from './devices.ts'
import type { KernelPorts } from './ports.ts'

/** The device enrolled as the new home, and the former one, if there was one. */
export interface ReplacedHome {
  readonly device: string
  readonly revoked: string | null
}

export interface Recovery {
  /** Makes the device the writer if no enrolled device is. Refusal: principal_not_allowed. */
  claim(device: string): Result<true>
  /** Base64url, or null before the first copy. */
  key(): string | null
  /** `by`: the device that writes the copies; the Worker has checked its signature. */
  setKey(key: string, by: string): void
  /** Accepts each signature of the recovery key once. `what` names the audit line to write; null for none. Refusal: event_stale. */
  admit(signed: SignedBy, what: 'copies' | null): Result<true>
  /** Revokes the former writer, closes its tunnel, and enrols the new device. Refusal: pairing_refused. */
  replaceHome(publicKey: Uint8Array): Promise<Result<ReplacedHome>>
}

interface RecoveryInput extends Pick<KernelPorts, 'kv' | 'note' | 'tell'>, Pick<Denials, 'deny'> {
  readonly devices: Devices
  /** Closes the tunnel of a device. */
  readonly disconnect: (device: string) => Promise<void>
}

const WRITER = 'copies-writer'
const RECOVERY_KEY = 'recovery-key'

export function createRecovery({ kv, devices, note, deny, disconnect, tell }: RecoveryInput): Recovery {
  const key = (): string | null => kv.get<string>(RECOVERY_KEY) ?? null
  const replace = (publicKey: Uint8Array): Result<ReplacedHome> => {
    const former = kv.get<string>(WRITER) ?? null
    const device = deviceId(publicKey)
    const revoked = former !== null && former !== device && devices.revoke(former) ? former : null
    const enrolled = devices.enroll(publicKey)
    if (!enrolled.ok) return enrolled
    kv.put(WRITER, device)
    return ok({ device, revoked })
  }
  return {
    claim(device) {
      const writer = kv.get<string>(WRITER)
      if (writer === device) return ok(true)
      if (devices.active().some(({ id }) => id === writer)) {
        deny('link', { code: 'principal_not_allowed', device, of: 'copies' })
        return err('principal_not_allowed')
      }
      kv.put(WRITER, device)
      return ok(true)
    },
    key,
    setKey(next, by) {
      if (key() === next) return
      kv.put(RECOVERY_KEY, next)
      note('credential_issued', { of: 'recovery', device: by })
    },
    admit(signed, what) {
      const spent = devices.spend(signed)
      if (!spent.ok) deny('pairing', { code: spent.reason.code, of: 'recovery' })
      else if (what !== null) note('egress', { of: what, to: 'recovery' })
      return spent
    },
    async replaceHome(publicKey) {
      const replaced = replace(publicKey)
      if (!replaced.ok) return replaced
      const { device, revoked } = replaced.value
      if (revoked !== null) note('device_revoked', { device: revoked, by: 'recovery' })
      note('device_enrolled', { device, by: 'recovery' })
      if (revoked !== null) await disconnect(revoked)
      await tell({ id: `home_replaced:${device}`, code: 'home_replaced' })
      return replaced
    },
  }
}

/**
 * Which device writes the copies of home, and which key may read them and enrol a new home (DESIGN §6, E-16). The first
 * device that writes is the only one until it is revoked: a stolen laptop must not replace the copies, nor plant a
 * recovery key. Must not check a signature: the Worker has. Called by KernelObject.
 */
import { allowed, type Result, refused } from '../kernel/flow/verdict.ts'
import { type Devices, deviceId } from './devices.ts'

export interface Recovery {
  /** Takes the device as the writer when there is none that is enrolled. Refusal: principal_not_allowed. */
  claim(device: string): Result<true>
  /** Base64url, or null before the first copy. */
  key(): string | null
  /** False when it was in force already. */
  setKey(key: string): boolean
  /** The former writer's signatures stop counting, and the new one's count. Refusal: pairing_refused. */
  replace(publicKey: Uint8Array): Result<{ readonly device: string; readonly revoked: string | null }>
}

const WRITER = 'copies-writer'
const RECOVERY_KEY = 'recovery-key'

export function createRecovery(kv: SyncKvStorage, devices: Devices): Recovery {
  const key = (): string | null => kv.get<string>(RECOVERY_KEY) ?? null
  return {
    claim(device) {
      const writer = kv.get<string>(WRITER)
      if (writer === device) return allowed(true)
      if (devices.active().some(({ id }) => id === writer)) return refused('principal_not_allowed')
      kv.put(WRITER, device)
      return allowed(true)
    },
    key,
    setKey(next) {
      if (key() === next) return false
      kv.put(RECOVERY_KEY, next)
      return true
    },
    replace(publicKey) {
      const former = kv.get<string>(WRITER) ?? null
      const device = deviceId(publicKey)
      const revoked = former !== null && former !== device && devices.revoke(former) ? former : null
      const enrolled = devices.enroll(publicKey)
      if (!enrolled.ok) return enrolled
      kv.put(WRITER, device)
      return allowed({ device, revoked })
    },
  }
}

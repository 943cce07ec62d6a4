/**
 * One-time pairing codes (T-02): one at a time, for one device, for ten minutes and five wrong tries. The first comes with the
 * deployment and ends with the first device; nobody could open a replacement, so only the rate of tries bounds it. Enrolled devices
 * open later ones. Must not make codes: it holds only the key derived from one. Called by KernelObject.
 */
import { hexToBytes } from '@noble/hashes/utils.js'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { pairMac, sameMac } from '../../kernel/tunnel/pairing.ts'
import { type Devices, deviceId } from './devices.ts'

export interface PairRequest {
  /** The device's public key: 32 bytes, then the same as base64url. */
  readonly publicKey: Uint8Array
  readonly deviceKey: string
  readonly edgeKey: string
  readonly host: string
  readonly nonce: string
  /** Hex. */
  readonly mac: string
}

export interface Pairing {
  /** Opens the code with this derived key, and voids an older one. */
  open(key: Uint8Array): void
  /**
   * The device's id and the edge's own MAC. The same device may retry, since the answer may have been lost. Refusal:
   * pairing_refused, whatever was wrong.
   */
  pair(request: PairRequest): Result<{ readonly device: string; readonly mac: Uint8Array }>
}

/** Milliseconds for which a code is valid. */
export const CODE_LIFE = 600_000
/** Wrong tries that void a code: five of 2^60 possible codes. */
export const MAX_TRIES = 5

interface Code {
  readonly key: Uint8Array
  readonly tries: number
  /** Epoch milliseconds; the first code of a deployment does not expire. */
  readonly expiresAt: number
  readonly usedBy: string | null
}

const CODE = 'code'
const FIRST_USED = 'first-code-used'

export interface PairingPowers {
  readonly devices: Devices
  /** Key derived from the code of the deployment; null when there is none. */
  readonly first: Uint8Array | null
  readonly now: () => number
}

export function createPairing(kv: SyncKvStorage, { devices, first, now }: PairingPowers): Pairing {
  const current = (): Code | null => {
    const stored = kv.get<Code>(CODE) ?? null
    const used = kv.get<Uint8Array>(FIRST_USED)
    const spent = used !== undefined && first !== null && sameMac(used, first)
    if (first !== null && !spent && devices.active().length === 0)
      return stored !== null && isFirst(stored) ? stored : fresh(first, Number.MAX_SAFE_INTEGER)
    // The first code, if unused, ended when another device was enrolled.
    if (stored === null || (isFirst(stored) && stored.usedBy === null)) return null
    return stored.expiresAt > now() ? stored : null
  }
  const isFirst = ({ key }: Code): boolean => first !== null && sameMac(key, first)
  const no = err('pairing_refused')
  return {
    open: (key) => void kv.put(CODE, fresh(key, now() + CODE_LIFE)),
    pair({ publicKey, mac, ...claims }) {
      const code = current()
      if (code === null || (code.tries >= MAX_TRIES && !isFirst(code))) return no
      const expected = pairMac(code.key, { side: 'home', ...claims })
      if (!sameMac(expected, hexToBytes(mac))) {
        kv.put(CODE, { ...code, tries: code.tries + 1 })
        return no
      }
      // A retry recovers a lost answer; it must not enrol again a device that was revoked meanwhile.
      const again = devices.active().some(({ id }) => id === code.usedBy)
      if (code.usedBy !== null && (code.usedBy !== deviceId(publicKey) || !again)) return no
      const device = devices.enroll(publicKey)
      if (!device.ok) return device
      const expiresAt = Math.min(code.expiresAt, now() + CODE_LIFE)
      kv.put(CODE, { ...code, expiresAt, usedBy: device.value })
      if (isFirst(code)) kv.put(FIRST_USED, code.key)
      return ok({ device: device.value, mac: pairMac(code.key, { side: 'edge', ...claims }) })
    },
  }
}

function fresh(key: Uint8Array, expiresAt: number): Code {
  return { key, tries: 0, expiresAt, usedBy: null }
}

/**
 * Registry of the owner's devices (configured and paired, minus revoked), the nonces of their signatures, and one-time pairing
 * codes, of which only derived keys are stored (T-02). The first code comes with the deployment and is protected only by the
 * limit on tries. Must not check a signature: the Worker has. Called by KernelObject.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { pairMac, sameMac } from '../../kernel/tunnel/pairing.ts'
import type { DeviceKey, SignedBy } from '../platform/signature.ts'

export interface Devices {
  /** Devices whose signatures are accepted, oldest first. */
  active(): readonly DeviceKey[]
  /** Returns the device's id, its key's fingerprint. Refusal: pairing_refused when there are too many. */
  enroll(publicKey: Uint8Array): Result<string>
  /** False when there is no such device. */
  revoke(id: string): boolean
  isRevoked(id: string): boolean
  /** Paired devices, without revoked ones. */
  paired(): readonly DeviceKey[]
  /** Ids of revoked devices. */
  revoked(): readonly string[]
  /** As `revoke`, also for an id that is not enrolled here. */
  markRevoked(id: string): void
  /** Accepts each signature once. Refusals: device_revoked, event_stale (this signature was used before). */
  admit(signed: SignedBy): Result<true>
  /** The same for a signer that is not a device, as the recovery key. Refusal: event_stale. */
  spend(signed: SignedBy): Result<true>
}

/** Most enrolled devices: enough for one person. More is a mistake, or somebody with one device who plants others. */
const MAX_DEVICES = 16
/** Seconds for which a nonce is stored: twice the allowed clock skew, because a signature's date may lie ahead. */
export const NONCE_LIFE = 600
/** Bytes of a fingerprint. */
const FINGERPRINT = 16

const DEVICE = 'device:'
const REVOKED = 'revoked:'
const NONCE = 'nonce:'

/** `now` in epoch milliseconds. */
export function createDevices(
  kv: SyncKvStorage,
  { configured, now }: { readonly configured: readonly DeviceKey[]; readonly now: () => number },
): Devices {
  const isActive = ({ id }: DeviceKey): boolean => kv.get(REVOKED + id) === undefined
  const paired = (): readonly DeviceKey[] =>
    [...kv.list<Uint8Array>({ prefix: DEVICE })]
      .map(([key, publicKey]) => ({ id: key.slice(DEVICE.length), publicKey }))
      .filter(isActive)
  const active = (): readonly DeviceKey[] => [...configured.filter(isActive), ...paired()]
  const markRevoked = (id: string): void => {
    kv.delete(DEVICE + id)
    kv.put(REVOKED + id, now())
  }
  return {
    active,
    enroll(publicKey) {
      const id = deviceId(publicKey)
      const others = active().filter((device) => device.id !== id)
      if (others.length >= MAX_DEVICES) return err('pairing_refused', { devices: MAX_DEVICES })
      kv.put(DEVICE + id, publicKey)
      kv.delete(REVOKED + id)
      return ok(id)
    },
    revoke(id) {
      if (!active().some((device) => device.id === id)) return false
      markRevoked(id)
      return true
    },
    paired,
    revoked: () => [...kv.list({ prefix: REVOKED })].map(([key]) => key.slice(REVOKED.length)),
    markRevoked,
    isRevoked: (id) => kv.get(REVOKED + id) !== undefined,
    admit: (signed) =>
      active().some(({ id }) => id === signed.device) ? spend(kv, signed, now()) : err('device_revoked'),
    spend: (signed) => spend(kv, signed, now()),
  }
}

function spend(kv: SyncKvStorage, { device, nonce, created }: SignedBy, now: number): Result<true> {
  forget(kv, now)
  // The date is part of what is signed, so a replay has the same date. The key begins with it so that old nonces are one range.
  const key = `${NONCE}${datePart(created)}:${device}:${nonce}`
  if (kv.get(key) !== undefined) return err('event_stale')
  kv.put(key, true)
  return ok(true)
}

/** Fingerprint of a public key; home computes the same one. */
export function deviceId(publicKey: Uint8Array): string {
  return bytesToHex(sha256(publicKey).subarray(0, FINGERPRINT))
}

/** Deletes nonces so old that their signatures are refused for their date. */
function forget(kv: SyncKvStorage, now: number): void {
  const end = NONCE + datePart(Math.floor(now / 1_000) - NONCE_LIFE)
  for (const [key] of [...kv.list({ start: NONCE, end })]) kv.delete(key)
}

/** Zero-padded, so that keys sort by time. */
function datePart(seconds: number): string {
  return String(Math.max(0, seconds)).padStart(12, '0')
}

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

interface PairingPowers {
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

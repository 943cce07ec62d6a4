/**
 * Registry of the owner's devices: configured and paired ones, minus the revoked; and the nonces their signatures have used (T-02).
 * Must not check a signature: the Worker has. Called by KernelObject.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import type { Result } from '../../kernel/flow/verdict.ts'
import { err, ok } from '../../kernel/flow/verdict.ts'
import type { DeviceKey, SignedBy } from '../../worker/signature.ts'

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

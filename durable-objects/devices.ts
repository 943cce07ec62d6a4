/**
 * The owner's devices as the edge knows them: configured ones, paired ones, less the revoked; and the nonces that their
 * signatures have used (T-02). Must not check a signature: the Worker has. Called by KernelObject.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import type { Result } from '../kernel/flow/verdict.ts'
import { err, ok } from '../kernel/flow/verdict.ts'
import type { DeviceKey, SignedBy } from '../worker/signature.ts'

export interface Devices {
  /** Those whose signatures count, oldest first. */
  active(): readonly DeviceKey[]
  /** Returns the device's id, its key's fingerprint. Refusal: pairing_refused when there are too many. */
  enroll(publicKey: Uint8Array): Result<string>
  /** False when there is no such device. */
  revoke(id: string): boolean
  isRevoked(id: string): boolean
  /** Those that were paired, revoked ones not among them. */
  paired(): readonly DeviceKey[]
  /** Ids whose signatures count no more. */
  revoked(): readonly string[]
  /** As `revoke`, for one that need not be here. */
  markRevoked(id: string): void
  /** Refusals: device_revoked, event_stale (this signature was used before). */
  admit(signed: SignedBy): Result<true>
  /** For a signer that is no device: each signature once. Refusal: event_stale. */
  spend(signed: SignedBy): Result<true>
}

/** Devices at once: one person's. More is a mistake, or someone who has a device already and plants others. */
const MAX_DEVICES = 16
/** Seconds that a nonce is kept: twice the skew that a signature's date may have, since it may lie ahead. */
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
  // The date is signed too, so a replay bears the same one, and old nonces lie together.
  const key = `${NONCE}${datePart(created)}:${device}:${nonce}`
  if (kv.get(key) !== undefined) return err('event_stale')
  kv.put(key, true)
  return ok(true)
}

/** Fingerprint of a public key, as home makes it. */
export function deviceId(publicKey: Uint8Array): string {
  return bytesToHex(sha256(publicKey).subarray(0, FINGERPRINT))
}

/** Nonces whose signatures are refused for their date anyway. */
function forget(kv: SyncKvStorage, now: number): void {
  const end = NONCE + datePart(Math.floor(now / 1_000) - NONCE_LIFE)
  for (const [key] of [...kv.list({ start: NONCE, end })]) kv.delete(key)
}

/** Sorts as text in the order of time. */
function datePart(seconds: number): string {
  return String(Math.max(0, seconds)).padStart(12, '0')
}

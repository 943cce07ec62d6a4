/**
 * Names of Durable Objects. A principal's is a keyed hash of its id, so that no phone number or chat id is ever an object name
 * (B-02). Called by the Worker and by the objects that call one another.
 */
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

/** There is one owner, hence one home, one tunnel and one KernelObject. */
export const TUNNEL_NAME = 'home'
export const KERNEL_NAME = 'owner'

/** Headers in which the Worker passes to TunnelObject the device and nonce of the signature that it checked. */
export const DEVICE_HEADER = 'pfar-device'
export const NONCE_HEADER = 'pfar-nonce'

/** Most names cached per key and isolate: computing one costs two hashes, and every message needs one. */
const REMEMBERED = 256
const remembered = new WeakMap<Uint8Array, Map<string, string>>()

export function objectName(nameKey: Uint8Array, principal: string): string {
  const names = remembered.get(nameKey) ?? new Map<string, string>()
  const known = names.get(principal)
  if (known !== undefined) return known
  // A sender of endless new principals only empties the cache.
  if (names.size >= REMEMBERED) names.clear()
  const name = bytesToHex(hmac(sha256, nameKey, utf8ToBytes(principal)))
  remembered.set(nameKey, names.set(principal, name))
  return name
}

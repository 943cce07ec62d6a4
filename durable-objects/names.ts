/**
 * Names of Durable Objects. A principal's is a keyed hash of its id, so that no phone number or chat id ever is an
 * object name (B-02). Called by the Worker and by the objects that call one another.
 */
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

/** There is one owner, hence one home, one tunnel and one registry cache. */
export const TUNNEL_NAME = 'home'
export const KERNEL_NAME = 'owner'

/** Headers by which the Worker tells the tunnel's object which checked signature a connection came with. */
export const DEVICE_HEADER = 'pfar-device'
export const NONCE_HEADER = 'pfar-nonce'

export function objectName(nameKey: Uint8Array, principal: string): string {
  return bytesToHex(hmac(sha256, nameKey, utf8ToBytes(principal)))
}

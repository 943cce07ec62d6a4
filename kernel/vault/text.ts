/** UTF-8 both ways without a platform global, so that the kernel stays portable. Called by vault/records.ts. */
import { bytesToUtf8, utf8ToBytes } from '@noble/ciphers/utils.js'

export function encodeText(text: string): Uint8Array {
  return utf8ToBytes(text)
}

export function decodeText(bytes: Uint8Array): string {
  return bytesToUtf8(bytes)
}

/**
 * The one cipher of everything that home seals: XChaCha20-Poly1305 with additional data (DESIGN §6,
 * draft-irtf-cfrg-xchacha-03). A box is nonce (24 bytes) | ciphertext | tag (16). Nonces are random: 192 bits
 * do not collide. Must not choose keys or nonces. Called by key-ring.ts and home's key files.
 */
import { xchacha20poly1305 } from '@noble/ciphers/chacha.js'

/** Bytes of every key (256 bits). */
export const KEY_BYTES = 32
export const NONCE_BYTES = 24
const TAG_BYTES = 16

/** Cryptographically random bytes, supplied by the place. */
export type Random = (length: number) => Uint8Array

export interface BoxInput {
  /** Fresh and random for every box under one key. */
  readonly nonce: Uint8Array
  /** Additional data. Opening requires the same bytes. */
  readonly bound: Uint8Array
}

export function sealBox(key: Uint8Array, { nonce, bound }: BoxInput, plaintext: Uint8Array): Uint8Array {
  const sealed = xchacha20poly1305(key, nonce, bound).encrypt(plaintext)
  const box = new Uint8Array(nonce.length + sealed.length)
  box.set(nonce)
  box.set(sealed, nonce.length)
  return box
}

/**
 * Null unless it is exactly what was sealed: fails for another key, other additional data, or any changed or
 * missing bit.
 */
export function openBox(key: Uint8Array, bound: Uint8Array, box: Uint8Array): Uint8Array | null {
  if (box.length < NONCE_BYTES + TAG_BYTES) return null
  try {
    return xchacha20poly1305(key, box.slice(0, NONCE_BYTES), bound).decrypt(box.slice(NONCE_BYTES))
  } catch {
    return null
  }
}

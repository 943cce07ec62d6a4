/**
 * The one cipher of everything that home seals: XChaCha20-Poly1305 with additional data (DESIGN §6,
 * draft-irtf-cfrg-xchacha-03). Must not choose keys or nonces: both are handed in. Called by key-ring.ts,
 * wrapped-key.ts and home's key files.
 *
 * A box is nonce (24 bytes) | ciphertext | tag (16). Nonces are random: 192 bits do not collide.
 */
import { xchacha20poly1305 } from '@noble/ciphers/chacha.js'

/** Bytes of every key: 256 bits. */
export const KEY_BYTES = 32
export const NONCE_BYTES = 24
const TAG_BYTES = 16

/** Cryptographically random bytes: a power of the place. */
export type Random = (length: number) => Uint8Array

export interface BoxInput {
  /** Fresh and random for every box under one key. */
  readonly nonce: Uint8Array
  /** Additional data: whatever opens the box must name the same. */
  readonly bound: Uint8Array
}

export function sealBox(key: Uint8Array, { nonce, bound }: BoxInput, plaintext: Uint8Array): Uint8Array {
  const sealed = xchacha20poly1305(key, nonce, bound).encrypt(plaintext)
  const box = new Uint8Array(nonce.length + sealed.length)
  box.set(nonce)
  box.set(sealed, nonce.length)
  return box
}

/** Null when it is not exactly what was sealed: another key, other additional data, any changed or missing bit. */
export function openBox(key: Uint8Array, bound: Uint8Array, box: Uint8Array): Uint8Array | null {
  if (box.length < NONCE_BYTES + TAG_BYTES) return null
  try {
    return xchacha20poly1305(key, box.slice(0, NONCE_BYTES), bound).decrypt(box.slice(NONCE_BYTES))
  } catch {
    return null
  }
}

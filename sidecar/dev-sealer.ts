/**
 * Sealed storage with XChaCha20-Poly1305 (DESIGN §6): one key per store and principal, and the record's whole
 * address as additional data, so that a moved, relabelled or rolled-back record does not open. Called by powers.ts.
 *
 * Layout: version (1 byte) | nonce (24) | ciphertext and tag. Nonces are random: 192 bits do not collide.
 */
import { xchacha20poly1305 } from '@noble/ciphers/chacha.js'
import { canonicalJson } from '../kernel/flow/json.ts'
import { allowed, refused } from '../kernel/flow/verdict.ts'
import type { SealAddress, Sealer } from '../kernel/vault/sealer.ts'
import { deriveKey } from './development-key.ts'

const LAYOUT = 1
const NONCE_BYTES = 24
const TAG_BYTES = 16
const OVERHEAD_BYTES = 1 + NONCE_BYTES + TAG_BYTES

export interface SealerKeys {
  readonly master: Uint8Array
  /** Cryptographically random bytes. */
  readonly random: (length: number) => Uint8Array
}

export function createDevSealer({ master, random }: SealerKeys): Sealer {
  const cipher = (address: SealAddress, nonce: Uint8Array) =>
    xchacha20poly1305(keyFor(master, address), nonce, additionalData(address))
  return {
    async seal(address, plaintext) {
      const nonce = random(NONCE_BYTES)
      const sealed = cipher(address, nonce).encrypt(plaintext)
      const record = new Uint8Array(1 + nonce.length + sealed.length)
      record[0] = LAYOUT
      record.set(nonce, 1)
      record.set(sealed, 1 + nonce.length)
      return record
    },
    async open(address, sealed) {
      if (sealed.length < OVERHEAD_BYTES || sealed[0] !== LAYOUT) return unreadable(address)
      try {
        const nonce = sealed.slice(1, 1 + NONCE_BYTES)
        return allowed(cipher(address, nonce).decrypt(sealed.slice(1 + NONCE_BYTES)))
      } catch {
        return unreadable(address)
      }
    },
  }
}

function keyFor(master: Uint8Array, { store, principal }: SealAddress): Uint8Array {
  return deriveKey(master, `seal/${canonicalJson([store, principal])}`)
}

/** The layout byte is covered too: a record must not be read as another layout's. */
function additionalData({ store, principal, record, label, version }: SealAddress): Uint8Array {
  return new TextEncoder().encode(canonicalJson([LAYOUT, store, principal, record, label, version]))
}

function unreadable(address: SealAddress): ReturnType<typeof refused> {
  return refused('record_unreadable', { record: address.record })
}

/**
 * Derives keys from the master key (DESIGN §6, E-01, E-04): HKDF gives one key per purpose; a random data key is stored wrapped
 * under the key of its store. Must not store a key. Called by key-ring.ts and by home's key store.
 */
import { hkdf } from '@noble/hashes/hkdf.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { canonicalJson } from '../flow/json.ts'
import { KEY_BYTES, NONCE_BYTES, openBox, type Random, sealBox } from './cipher.ts'
import type { SealAddress } from './sealer.ts'
import { encodeText } from './text.ts'

/** A store of sealed records, or `home`: home's own data (the tunnel's outbox, tokens). */
export type KeyedStore = SealAddress['store'] | 'home'

/** The owner of a data key. A principal that was forgotten and returns gets the next generation. */
export interface KeyAddress {
  readonly store: KeyedStore
  readonly principal: string
  /** From 1. */
  readonly generation: number
}

/** Stores sealed as a whole, under a key that the recovery phrase alone can restore. */
export type WholeStore = 'backup' | 'replica'

const LAYOUT = 1

/** The key of a whole store. It changes when the master key is rotated; what it sealed then needs the older phrase. */
export function storeKey(master: Uint8Array, store: WholeStore): Uint8Array {
  return derive(master, `store/${store}`)
}

/**
 * Seed of the Ed25519 key with which a new home proves possession of the recovery phrase to the edge. The edge has only the
 * public key. It changes with the master key.
 */
export function recoverySeed(master: Uint8Array): Uint8Array {
  return derive(master, 'recovery')
}

/**
 * A check value that tells whether a master key is the one a key store was made with. It reveals nothing else about the key, so
 * it may be stored next to the wrapped keys. Without it, a wrong key would only show as a thousand unreadable records.
 */
export function keyCheck(master: Uint8Array): Uint8Array {
  return derive(master, 'check')
}

export interface WrapInput {
  readonly master: Uint8Array
  readonly random: Random
}

/** Wraps a data key for exactly one address. A copy under another store, principal or generation does not open. */
export function wrapKey({ master, random }: WrapInput, address: KeyAddress, dataKey: Uint8Array): Uint8Array {
  const place = { nonce: random(NONCE_BYTES), bound: bound(address) }
  return sealBox(derive(master, `wrap/${address.store}`), place, dataKey)
}

/** Null when it was moved or altered, or wrapped under another master key. */
export function unwrapKey(master: Uint8Array, address: KeyAddress, wrapped: Uint8Array): Uint8Array | null {
  const key = openBox(derive(master, `wrap/${address.store}`), bound(address), wrapped)
  return key?.length === KEY_BYTES ? key : null
}

function bound({ store, principal, generation }: KeyAddress): Uint8Array {
  return encodeText(canonicalJson(['data-key', LAYOUT, store, principal, generation]))
}

/** HKDF-SHA-256 (RFC 5869) for one purpose; two purposes never share a key. */
function derive(master: Uint8Array, purpose: string): Uint8Array {
  return hkdf(sha256, master, undefined, encodeText(`pfar/2/${purpose}`), KEY_BYTES)
}

/**
 * From the master key to data keys (DESIGN §6, E-01, E-04): HKDF makes one key for each purpose, and a random data key
 * lies wrapped under the key of its store. Must not keep a key. Called by key-ring.ts and by home's key store.
 */
import { hkdf } from '@noble/hashes/hkdf.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { canonicalJson } from '../flow/json.ts'
import { KEY_BYTES, NONCE_BYTES, openBox, type Random, sealBox } from './cipher.ts'
import type { SealAddress } from './sealer.ts'
import { encodeText } from './text.ts'

/** A store of sealed records, or `home`: what home keeps for itself (the tunnel's outbox, tokens). */
export type KeyedStore = SealAddress['store'] | 'home'

/** What a data key belongs to. A principal that was forgotten and comes back gets the next generation. */
export interface KeyAddress {
  readonly store: KeyedStore
  readonly principal: string
  /** From 1. */
  readonly generation: number
}

/** Stores that are sealed as a whole, under a key that the recovery phrase alone gives back. */
export type WholeStore = 'backup' | 'replica'

const LAYOUT = 1

/** The key of a whole store. It changes when the master key is rotated: what it sealed needs the older phrase then. */
export function storeKey(master: Uint8Array, store: WholeStore): Uint8Array {
  return derive(master, `store/${store}`)
}

/**
 * Seed of the Ed25519 key by which a new home shows the edge that it has the recovery phrase. The edge knows the public
 * half alone. It changes with the master key.
 */
export function recoverySeed(master: Uint8Array): Uint8Array {
  return derive(master, 'recovery')
}

/**
 * A value that tells whether a master key is the one that a key store was made with. It says nothing else of the key,
 * so it may lie beside what the key opens; without it a wrong key would be a thousand unreadable records.
 */
export function keyCheck(master: Uint8Array): Uint8Array {
  return derive(master, 'check')
}

export interface WrapInput {
  readonly master: Uint8Array
  readonly random: Random
}

/** Wraps a data key for exactly one address: copied to another store, principal or generation it does not open. */
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

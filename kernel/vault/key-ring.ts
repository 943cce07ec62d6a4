/**
 * The key ring of home (DESIGN §6, E-01, E-04): a random data key per store and principal, unwrapped once and cached; records
 * bound to their address; versions that never go back; forgetting a principal by destroying its keys. Must not do I/O: keys and
 * versions are behind ports. Called by home's wiring.
 */

import { hkdf } from '@noble/hashes/hkdf.js'
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { canonicalJson } from '../flow/json.ts'
import { err, ok, type Result } from '../flow/verdict.ts'
import { KEY_BYTES, NONCE_BYTES, openBox, type Random, sealBox } from './cipher.ts'
import { blindNumber, blindPurpose, type SealAddress, type Sealer } from './sealer.ts'
import { encodeText } from './text.ts'

/** One generation of a principal's key in a store. `wrapped` is null once it was destroyed. */
export interface DataKeyRow {
  readonly store: KeyedStore
  readonly principal: string
  readonly generation: number
  readonly wrapped: Uint8Array | null
}

/** Storage of wrapped keys. Each call is durable when it returns. */
export interface WrappedKeyStore {
  /** Every generation, oldest first. */
  generations(store: KeyedStore, principal: string): readonly DataKeyRow[]
  add(row: DataKeyRow): void
  /** Destroys all keys of a principal in the record stores, so that its data is unreadable; returns their number. */
  destroy(principal: string): number
}

type RecordName = Pick<SealAddress, 'store' | 'record'>

/** Version of a record that was written more than once, or deleted. */
export interface RememberedVersion {
  readonly version: number
  readonly gone: boolean
}

/** Storage of versions above the first. Each call is durable when it returns. */
export interface VersionMemory {
  current(name: RecordName): RememberedVersion | null
  /** Never lowers a version and never restores a deleted record. */
  raise(name: RecordName, to: RememberedVersion): void
}

interface KeyRingInput {
  /** 32 bytes. In use until the ring is dropped. */
  readonly master: Uint8Array
  readonly wrappedKeys: WrappedKeyStore
  readonly versions: VersionMemory
  readonly random: Random
}

/** Home's own keys, one per purpose. `sealing`: the X25519 key to which the edge seals. */
type OwnPurpose = 'capability' | 'confirm' | 'tunnel-outbox' | typeof SEALING_PURPOSE

/** The only own key that a change of the master key renews. The former one still opens what was sealed to it. */
export const SEALING_PURPOSE = 'sealing'

export interface KeyRing {
  /**
   * `open` refuses with record_unreadable (altered, moved, relabelled, wrong key), record_stale (an older version, or a deleted
   * record) or principal_forgotten. `seal` throws when the principal's key is damaged: replacing it silently would lose
   * everything sealed with it.
   */
  readonly sealer: Sealer
  ownKey(purpose: OwnPurpose): Uint8Array
  /** This key and its predecessors that were not destroyed, newest first. */
  ownKeys(purpose: OwnPurpose): readonly Uint8Array[]
  /** The key of a store that is sealed as a whole. It can be derived again from the recovery phrase alone. */
  storeKey(store: WholeStore): Uint8Array
  /** Seed of the signing key that proves possession of the recovery phrase to the edge. */
  recoverySeed(): Uint8Array
  /**
   * Call after version n+1 of a record was stored, not before: from then on version n is refused. Records of `sessions` are
   * written once under random ids and are not tracked.
   */
  advance(name: RecordName, version: number): void
  /** Call after a record was deleted permanently: no version of it opens any more. */
  bury(name: RecordName): void
  /** The tracked version, or 1 if none above the first is tracked; null after `bury`. */
  versionOf(name: RecordName): number | null
  /** Destroys the keys of a principal in every store. If the principal returns, it gets new keys. Returns their number. */
  forget(principal: string): number
}

/** Maximum cached keys. Each outside sender causes a pair of them; without a limit they would fill the memory. */
const MAX_HELD = 4_096

const FIRST_VERSION = 1

/** A damaged or destroyed key is named, so that the refusal can say which it is. */
type HeldKey = Uint8Array | 'damaged' | 'destroyed'

export function createKeyRing(input: KeyRingInput): KeyRing {
  const { master, wrappedKeys, versions, random } = input
  const keys = createHeldKeys(input)
  const sealer: Sealer = {
    async seal(address, plaintext) {
      const { generation, key } = keys.newest(address.store, address.principal)
      const place = { nonce: random(NONCE_BYTES), bound: recordBound(address, generation) }
      return joinRecord({ generation, box: sealBox(key, place, plaintext) })
    },
    async open(address, sealed) {
      const remembered = address.store === 'sessions' ? null : versions.current(address)
      if (remembered !== null && (remembered.gone || address.version < remembered.version))
        return err('record_stale', { record: address.record })
      const plain = openRecord(keys, address, sealed)
      // Repairs the case that the program stopped after the record was stored and before its version was tracked.
      if (
        plain.ok &&
        address.store !== 'sessions' &&
        address.version > (remembered?.version ?? FIRST_VERSION)
      )
        versions.raise(address, { version: address.version, gone: false })
      return plain
    },
    async blind(scope, words) {
      const key = derive(keys.newest('memory', scope.principal).key, blindPurpose(scope))
      const hashes = words.map((word) => blindNumber(hmac(sha256, key, encodeText(word))))
      key.fill(0)
      return hashes
    },
  }
  return {
    sealer,
    ownKey: (purpose) => keys.newest('home', purpose).key.slice(),
    ownKeys(purpose) {
      const { generation } = keys.newest('home', purpose)
      const numbers = Array.from({ length: generation }, (_, at) => generation - at)
      const held = numbers.map((number) => keys.at('home', purpose, number))
      return held.flatMap((key) => (key instanceof Uint8Array ? [key.slice()] : []))
    },
    storeKey: (store) => storeKey(master, store),
    recoverySeed: () => recoverySeed(master),
    advance: (name, version) => versions.raise(name, { version, gone: false }),
    bury: (name) => versions.raise(name, { version: FIRST_VERSION, gone: true }),
    versionOf(name) {
      const remembered = versions.current(name)
      return remembered === null ? FIRST_VERSION : remembered.gone ? null : remembered.version
    },
    forget(principal) {
      const destroyed = wrappedKeys.destroy(principal)
      keys.drop(principal)
      return destroyed
    },
  }
}

function openRecord(keys: HeldKeys, address: SealAddress, sealed: Uint8Array): Result<Uint8Array> {
  const unreadable = err('record_unreadable', { record: address.record })
  const parts = splitRecord(sealed)
  if (parts === null) return unreadable
  const key = keys.at(address.store, address.principal, parts.generation)
  if (key === 'destroyed') return err('principal_forgotten', { record: address.record })
  if (key === null || key === 'damaged') return unreadable
  const plain = openBox(key, recordBound(address, parts.generation), parts.box)
  return plain === null ? unreadable : ok(plain)
}

interface HeldKeys {
  /** The key to seal with; created when no undestroyed one exists. Throws when the newest is damaged. */
  newest(store: KeyedStore, principal: string): { readonly generation: number; readonly key: Uint8Array }
  /** Null when that generation never existed. */
  at(store: KeyedStore, principal: string, generation: number): HeldKey | null
  drop(principal: string): void
}

/** Generations by number; the last one inserted is the newest. */
type Generations = Map<number, HeldKey>

function createHeldKeys({ master, wrappedKeys, random }: KeyRingInput): HeldKeys {
  const held = new Map<string, { readonly principal: string; readonly generations: Generations }>()

  const load = (store: KeyedStore, principal: string): Generations => {
    const name = canonicalJson([store, principal])
    const known = held.get(name)
    if (known !== undefined) return known.generations
    const generations: Generations = new Map()
    for (const row of wrappedKeys.generations(store, principal)) generations.set(row.generation, unwrap(row))
    if (held.size >= MAX_HELD) held.delete(held.keys().next().value ?? name)
    held.set(name, { principal, generations })
    return generations
  }
  const unwrap = (row: DataKeyRow): HeldKey =>
    row.wrapped === null ? 'destroyed' : (unwrapKey(master, row, row.wrapped) ?? 'damaged')

  return {
    newest(store, principal) {
      const generations = load(store, principal)
      const [generation, key] = [...generations].at(-1) ?? [0, 'destroyed']
      if (key === 'damaged') throw new Error(`the key of ${store}, generation ${generation}, is damaged`)
      if (key !== 'destroyed') return { generation, key }
      const address = { store, principal, generation: generation + 1 }
      const fresh = random(KEY_BYTES)
      wrappedKeys.add({ ...address, wrapped: wrapKey({ master, random }, address, fresh) })
      generations.set(address.generation, fresh)
      return { generation: address.generation, key: fresh }
    },
    at: (store, principal, generation) => load(store, principal).get(generation) ?? null,
    drop(principal) {
      for (const [name, entry] of held) {
        if (entry.principal !== principal) continue
        for (const key of entry.generations.values()) if (typeof key !== 'string') key.fill(0)
        held.delete(name)
      }
    },
  }
}

const RECORD_LAYOUT = 2
const HEADER_BYTES = 5

interface RecordParts {
  readonly generation: number
  readonly box: Uint8Array
}

export function joinRecord({ generation, box }: RecordParts): Uint8Array {
  const bytes = new Uint8Array(HEADER_BYTES + box.length)
  const view = new DataView(bytes.buffer)
  view.setUint8(0, RECORD_LAYOUT)
  view.setUint32(1, generation)
  bytes.set(box, HEADER_BYTES)
  return bytes
}

/** Null for another layout, or too few bytes. */
export function splitRecord(bytes: Uint8Array): RecordParts | null {
  if (bytes.length < HEADER_BYTES || bytes[0] !== RECORD_LAYOUT) return null
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return { generation: view.getUint32(1), box: bytes.subarray(HEADER_BYTES) }
}

/** Additional data of a record. Includes layout and generation, so that neither can be changed. */
export function recordBound(address: SealAddress, generation: number): Uint8Array {
  const { store, principal, record, label, version } = address
  return encodeText(canonicalJson([RECORD_LAYOUT, generation, store, principal, record, label, version]))
}

/** A store of sealed records, or `home`: home's own data (the tunnel's outbox, tokens). */
export type KeyedStore = SealAddress['store'] | 'home'

/** The owner of a data key. A principal that was forgotten and returns gets the next generation. */
export interface KeyAddress {
  readonly store: KeyedStore
  readonly principal: string
  /** Counts from 1. */
  readonly generation: number
}

/** Stores sealed as a whole, under a key that the recovery phrase alone can restore. */
type WholeStore = 'backup' | 'replica'

const LAYOUT = 1

/** The key of a whole store. It changes when the master key is rotated; data sealed before then needs the older phrase. */
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

interface WrapInput {
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

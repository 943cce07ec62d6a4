/**
 * The key ring of home (DESIGN §6, E-01, E-04): a random data key for each store and principal, unwrapped once and
 * held; records bound to their address; versions that do not go back; principals that are forgotten by destroying
 * their keys. Must not do I/O: keys and versions lie behind ports. Called by home's wiring.
 */
import { canonicalJson } from '../flow/json.ts'
import { err, ok, type Result } from '../flow/verdict.ts'
import { KEY_BYTES, NONCE_BYTES, openBox, type Random, sealBox } from './cipher.ts'
import { joinRecord, recordBound, splitRecord } from './record-layout.ts'
import type { SealAddress, Sealer } from './sealer.ts'
import {
  type KeyedStore,
  recoverySeed,
  storeKey,
  unwrapKey,
  type WholeStore,
  wrapKey,
} from './wrapped-key.ts'

/** One generation of a principal's key in a store; `wrapped` is null once it was destroyed. */
export interface DataKeyRow {
  readonly store: KeyedStore
  readonly principal: string
  readonly generation: number
  readonly wrapped: Uint8Array | null
}

/** Where wrapped keys lie. Each call is durable when it returns. */
export interface KeyShelf {
  /** Every generation, oldest first. */
  generations(store: KeyedStore, principal: string): readonly DataKeyRow[]
  add(row: DataKeyRow): void
  /** Destroys all keys of a principal in the stores of records, so that their bytes are gone; how many were. */
  destroy(principal: string): number
}

export type RecordName = Pick<SealAddress, 'store' | 'record'>

/** What is known of a record that was written more than once, or deleted. */
export interface RememberedVersion {
  readonly version: number
  readonly gone: boolean
}

/** Remembers versions above the first. Each call is durable when it returns. */
export interface VersionMemory {
  current(name: RecordName): RememberedVersion | null
  /** Never lowers a version and never brings a record back. */
  raise(name: RecordName, to: RememberedVersion): void
}

export interface KeyRingInput {
  /** 32 bytes. Used until the ring is dropped. */
  readonly master: Uint8Array
  readonly shelf: KeyShelf
  readonly versions: VersionMemory
  readonly random: Random
}

/** Keys that home needs for itself, each its own. `sealing`: the X25519 key to which the edge seals. */
export type OwnPurpose = 'capability' | 'confirm' | 'tunnel-outbox' | typeof SEALING_PURPOSE

/** The one of these that a change of the master key renews; its former one opens what was sealed before. */
export const SEALING_PURPOSE = 'sealing'

export interface KeyRing {
  /**
   * `open` refuses with record_unreadable (altered, moved, relabelled, wrong key), record_stale (an older version, or
   * a record that was deleted) or principal_forgotten. `seal` throws when the key of the principal is damaged:
   * it is never replaced, or what it sealed would be lost in silence.
   */
  readonly sealer: Sealer
  ownKey(purpose: OwnPurpose): Uint8Array
  /** The same and those before it that were not destroyed, newest first. */
  ownKeys(purpose: OwnPurpose): readonly Uint8Array[]
  /** The key of a store that is sealed as a whole; the recovery phrase alone gives it back. */
  storeKey(store: WholeStore): Uint8Array
  /** Seed of the signing key that proves to the edge that somebody has the recovery phrase. */
  recoverySeed(): Uint8Array
  /**
   * Call when version n+1 of a record has been stored, not before: n is refused from then on. Records of `sessions`
   * are written once under random ids and are never remembered.
   */
  advance(name: RecordName, version: number): void
  /** Call when a record has been deleted for good: no version of it opens any more. */
  bury(name: RecordName): void
  /** Current version where one above the first is remembered, else 1; null when it was buried. */
  versionOf(name: RecordName): number | null
  /** Destroys the keys of a principal in every store. Should he write again, he gets new ones. Returns how many. */
  forget(principal: string): number
}

/** Keys held at once. A stranger can cause one pair of them each; unbounded, they would fill the memory. */
const MAX_HELD = 4_096

const FIRST_VERSION = 1

/** A damaged or destroyed key says which, so that the refusal can. */
type HeldKey = Uint8Array | 'damaged' | 'destroyed'

export function createKeyRing(input: KeyRingInput): KeyRing {
  const { master, shelf, versions, random } = input
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
      // The record was stored and the program stopped before it could be remembered.
      if (
        plain.ok &&
        address.store !== 'sessions' &&
        address.version > (remembered?.version ?? FIRST_VERSION)
      )
        versions.raise(address, { version: address.version, gone: false })
      return plain
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
      const destroyed = shelf.destroy(principal)
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
  /** The key to seal with; made when there is none that was not destroyed. Throws when the newest is damaged. */
  newest(store: KeyedStore, principal: string): { readonly generation: number; readonly key: Uint8Array }
  /** Null when there never was such a generation. */
  at(store: KeyedStore, principal: string, generation: number): HeldKey | null
  drop(principal: string): void
}

/** Generations by number; the last one inserted is the newest. */
type Generations = Map<number, HeldKey>

function createHeldKeys({ master, shelf, random }: KeyRingInput): HeldKeys {
  const held = new Map<string, { readonly principal: string; readonly generations: Generations }>()

  const load = (store: KeyedStore, principal: string): Generations => {
    const name = canonicalJson([store, principal])
    const known = held.get(name)
    if (known !== undefined) return known.generations
    const generations: Generations = new Map()
    for (const row of shelf.generations(store, principal)) generations.set(row.generation, unwrap(row))
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
      shelf.add({ ...address, wrapped: wrapKey({ master, random }, address, fresh) })
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

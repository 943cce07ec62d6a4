/** A key ring over memory, with everything that lies behind it in reach: wrappedKeys, versions, and the calls they got. */
import {
  createKeyRing,
  type DataKeyRow,
  type KeyRing,
  type RememberedVersion,
  type VersionMemory,
  type WrappedKeyStore,
} from '../../kernel/vault/key-ring.ts'
import type { SealAddress } from '../../kernel/vault/sealer.ts'

export interface MemoryWrappedKeys extends WrappedKeyStore {
  rows: DataKeyRow[]
  reads: number
}

export function memoryWrappedKeys(rows: readonly DataKeyRow[] = []): MemoryWrappedKeys {
  const wrappedKeys: MemoryWrappedKeys = {
    rows: [...rows],
    reads: 0,
    generations(store, principal) {
      wrappedKeys.reads += 1
      return wrappedKeys.rows.filter((row) => row.store === store && row.principal === principal)
    },
    add: (row) => void wrappedKeys.rows.push(row),
    destroy(principal) {
      const mine = (row: DataKeyRow) =>
        row.principal === principal && row.store !== 'home' && row.wrapped !== null
      const count = wrappedKeys.rows.filter(mine).length
      wrappedKeys.rows = wrappedKeys.rows.map((row) => (mine(row) ? { ...row, wrapped: null } : row))
      return count
    },
  }
  return wrappedKeys
}

export interface MemoryVersions extends VersionMemory {
  readonly kept: Map<string, RememberedVersion>
}

export function memoryVersions(): MemoryVersions {
  const kept = new Map<string, RememberedVersion>()
  const name = ({ store, record }: Pick<SealAddress, 'store' | 'record'>): string => `${store}/${record}`
  return {
    kept,
    current: (record) => kept.get(name(record)) ?? null,
    raise(record, to) {
      const now = kept.get(name(record)) ?? { version: 1, gone: false }
      kept.set(name(record), {
        version: Math.max(now.version, to.version),
        gone: now.gone || to.gone,
      })
    },
  }
}

export const systemRandom = (length: number): Uint8Array => crypto.getRandomValues(new Uint8Array(length))

export interface MemoryRing {
  readonly ring: KeyRing
  readonly wrappedKeys: MemoryWrappedKeys
  readonly versions: MemoryVersions
}

export function memoryRing(
  master: Uint8Array,
  { wrappedKeys = memoryWrappedKeys(), versions = memoryVersions(), random = systemRandom } = {},
): MemoryRing {
  return { ring: createKeyRing({ master, wrappedKeys, versions, random }), wrappedKeys, versions }
}

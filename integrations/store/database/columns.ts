/**
 * Column types, and parsing of JSON columns. Must not validate more than the outer shape: this program wrote the rows. Called by
 * the schemas and the stores.
 */
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { customType } from 'drizzle-orm/sqlite-core'
import { isPlainRecord } from '../../../kernel/flow/json.ts'
import type { SealedRef } from '../../../kernel/task/task.ts'

/** Raw bytes. Durable Objects return an ArrayBuffer, Node a Uint8Array; callers always get the latter. */
export const bytes = customType<{ data: Uint8Array; driverData: Uint8Array | ArrayBuffer }>({
  dataType: () => 'blob',
  fromDriver: (value) => (value instanceof Uint8Array ? value : new Uint8Array(value)),
})

/** A hexadecimal digest, stored as bytes. Older versions stored the digits; such values are still read. */
export const digest = customType<{ data: string; driverData: Uint8Array | ArrayBuffer | string }>({
  dataType: () => 'text',
  toDriver: hexToBytes,
  fromDriver: (value) =>
    typeof value === 'string'
      ? value
      : bytesToHex(value instanceof Uint8Array ? value : new Uint8Array(value)),
})

/** Identifies a row that could not be parsed; never its content. */
export interface MalformedRow {
  readonly table: string
  readonly id: string
}

export type MalformedReporter = (row: MalformedRow) => void

/**
 * Converts a stored value with references to shared values to the whole value (shared.ts). Throws if a shared value is missing.
 */
export type Unpack = (stored: unknown) => unknown

/**
 * Parses one JSON column; undefined, with a report, when it is damaged: one broken row must not stop the rest of a principal's
 * work. `has` lists keys without which the value is useless.
 */
export function readDocument<T extends object>(
  text: string,
  has: readonly (keyof T & string)[],
  malformed: () => void,
  unpack?: Unpack,
): T | undefined {
  const value = parseJson(text, unpack)
  if (isPlainRecord(value) && has.every((key) => Object.hasOwn(value, key))) return value as T
  malformed()
  return undefined
}

/** Parses a sealed reference. */
export function readRef(text: string, malformed: () => void, unpack?: Unpack): SealedRef | undefined {
  return readDocument<SealedRef>(text, ['id', 'version', 'label', 'taint', 'holds'], malformed, unpack)
}

function parseJson(text: string, unpack: Unpack = (stored) => stored): unknown {
  try {
    return unpack(JSON.parse(text))
  } catch {
    return undefined
  }
}

/**
 * Column types and the reading of JSON columns. Must not interpret what it reads beyond its outer shape: these are
 * rows that this program wrote. Called by the schemas and the stores of this folder.
 */
import { customType } from 'drizzle-orm/sqlite-core'
import { isPlainRecord } from '../../kernel/flow/json.ts'
import type { SealedRef } from '../../kernel/task/task.ts'

/** Raw bytes. Durable Objects answer with an ArrayBuffer, Node with a Uint8Array; callers always get the latter. */
export const bytes = customType<{ data: Uint8Array; driverData: Uint8Array | ArrayBuffer }>({
  dataType: () => 'blob',
  fromDriver: (value) => (value instanceof Uint8Array ? value : new Uint8Array(value)),
})

/** Names a row that could not be read back; never its content. */
export interface MalformedRow {
  readonly table: string
  readonly id: string
}

export type MalformedReporter = (row: MalformedRow) => void

/**
 * One JSON column, or undefined with a report when its text is damaged: one broken row must not stop the rest of
 * a principal's work. `has` lists keys without which the value would be of no use to anyone.
 */
export function readDocument<T extends object>(
  text: string,
  has: readonly (keyof T & string)[],
  malformed: () => void,
): T | undefined {
  const value = parseJson(text)
  if (isPlainRecord(value) && has.every((key) => Object.hasOwn(value, key))) return value as T
  malformed()
  return undefined
}

/** A sealed reference from its column. */
export function readRef(text: string, malformed: () => void): SealedRef | undefined {
  return readDocument<SealedRef>(text, ['id', 'version', 'label', 'taint', 'holds'], malformed)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

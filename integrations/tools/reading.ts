/**
 * Reads values from a service's JSON. Own properties only, so that a key such as `__proto__` or `constructor` finds nothing.
 * Must not throw on any input. Called by the shapes of the tools.
 */
import { isPlainRecord } from '../../kernel/flow/json.ts'

/** A JSON object from a service: any keys, any values. */
export type JsonRecord = Readonly<Record<string, unknown>>

/** Mail addresses that the kernel's `email` kind accepts. */
const ADDRESS = /^[^\s\p{C}@<>"(),:;[\]\\]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,252}[A-Za-z0-9])?$/u
const ID = /^[\x21-\x7e]{1,256}$/
const PATH_ID = /^[A-Za-z0-9_-]{1,256}$/

export function fieldOf(record: JsonRecord, key: string): unknown {
  return Object.hasOwn(record, key) ? record[key] : undefined
}

export function recordOf(record: JsonRecord, key: string): JsonRecord {
  const value = fieldOf(record, key)
  return isPlainRecord(value) ? value : {}
}

/** The records of a list; other items are skipped. */
export function recordsOf(record: JsonRecord, key: string): readonly JsonRecord[] {
  const value = fieldOf(record, key)
  return Array.isArray(value) ? value.filter(isPlainRecord) : []
}

export function stringOf(record: JsonRecord, key: string): string {
  const value = fieldOf(record, key)
  return typeof value === 'string' ? value : ''
}

export function idOf(record: JsonRecord, key: string): string | null {
  const value = stringOf(record, key)
  return ID.test(value) ? value : null
}

/** Maximum part number of one list: whoever reads further should search instead. */
const MAX_PART = 1_000

/** Number of the requested part of a list, from 1, taken from an argument that an earlier part returned. */
export function partIn(argument: unknown): number {
  return typeof argument === 'number' && argument >= 1 ? Math.min(Math.floor(argument), MAX_PART) : 1
}

/** Number of the next part, if there is one. */
export function nextPart(part: number, isMore: boolean): { readonly next?: number } {
  return isMore && part < MAX_PART ? { next: part + 1 } : {}
}

/** True for an id that stays one path segment. `..` would not, even percent-encoded. */
export function isPathId(text: string): boolean {
  return PATH_ID.test(text)
}

export function isAddress(text: string): boolean {
  return text.length <= 320 && ADDRESS.test(text)
}

/** Whether a text has each word of a name, whatever the case and the accents. */
export function hasName(text: string, name: string): boolean {
  const fold = (one: string): string => one.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  const held = fold(text)
  return fold(name)
    .split(/[^\p{L}\p{N}]+/u)
    .every((word) => held.includes(word))
}

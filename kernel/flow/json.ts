/**
 * Plain data: the only form of values that are stored or sent. Called by everything that holds a value.
 */

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/** Position of a value inside a tree: record keys and list indices, outermost first. */
export type Path = readonly (string | number)[]

/** Keys that would reach a prototype. Refused wherever outside data is walked or built. */
const PROTOTYPE_KEYS = new Set(['__proto__', 'prototype', 'constructor'])

export function isPlainRecord(input: unknown): input is Readonly<Record<string, unknown>> {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return false
  const prototype = Object.getPrototypeOf(input)
  return prototype === Object.prototype || prototype === null
}

/** Decodes JSON from outside; undefined, which no JSON value is, for any other text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export function isSafeKey(key: string): boolean {
  return !PROTOTYPE_KEYS.has(key)
}

/** The value at `path`, or undefined if there is none: indices into lists, own keys into records. */
export function valueAt(tree: Json, path: Path): Json | undefined {
  let here: Json | undefined = tree
  for (const step of path) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, step)) return undefined
    if (Array.isArray(here) !== (typeof step === 'number')) return undefined
    here = (here as Record<string | number, Json>)[step]
  }
  return here
}

/** The same data with every string mapped, record keys included. Anything that is not plain data is returned as it is. */
export function mapStrings<T>(data: T, map: (text: string) => string): T {
  const walk = (inner: unknown): unknown => {
    if (typeof inner === 'string') return map(inner)
    if (Array.isArray(inner)) return inner.map(walk)
    if (!isPlainRecord(inner)) return inner
    return Object.fromEntries(Object.entries(inner).map(([key, value]) => [map(key), walk(value)]))
  }
  // Strings map to strings and nothing else changes, so the shape is still T.
  return walk(data) as T
}

/**
 * Canonical text of a tree: keys sorted by code unit, no whitespace. Equal data gives equal bytes and different data gives
 * different bytes, so a digest binds what was shown to what runs (invariant 6). Throws on anything that is not plain data (NaN,
 * undefined, a Date), because its bytes would collide with other data.
 */
export function canonicalJson(tree: Json): string {
  if (Array.isArray(tree)) return `[${Array.from(tree, canonicalJson).join(',')}]`
  if (!isPlainRecord(tree)) return canonicalScalar(tree)
  const entries = Object.entries(tree).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, value]) => `${JSON.stringify(key)}:${canonicalJson(value as Json)}`).join(',')}}`
}

function canonicalScalar(value: unknown): string {
  const plain =
    value === null || typeof value === 'boolean' || typeof value === 'string' || Number.isFinite(value)
  if (!plain) throw new TypeError(`no canonical bytes for this ${typeof value}`)
  return JSON.stringify(value)
}

/** Every string value, in order. Keys are not included. */
export function stringsIn(value: Json): readonly string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : []
}

/** The readonly type of parsed data, as inferred from a schema. */
export type DeepReadonly<T> = [Json] extends [T]
  ? T
  : T extends string | number | boolean | null
    ? T
    : { readonly [K in keyof T]: DeepReadonly<T[K]> }

/** Plain data: the only shape values have while they travel. Called by everything that holds a value. */

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/** Position of a value inside a tree: record keys and list indices, outermost first. */
export type Path = readonly (string | number)[]

/** Keys that would reach a prototype; refused wherever data from outside is walked or built. */
const PROTOTYPE_KEYS = new Set(['__proto__', 'prototype', 'constructor'])

export function isPlainRecord(input: unknown): input is Readonly<Record<string, unknown>> {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return false
  const prototype = Object.getPrototypeOf(input)
  return prototype === Object.prototype || prototype === null
}

export function isSafeKey(key: string): boolean {
  return !PROTOTYPE_KEYS.has(key)
}

/** Own value of `tree` at `path`, or undefined where there is none: indices into lists, keys into records. */
export function valueAt(tree: Json, path: Path): Json | undefined {
  let here: Json | undefined = tree
  for (const step of path) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, step)) return undefined
    if (Array.isArray(here) !== (typeof step === 'number')) return undefined
    here = (here as Record<string | number, Json>)[step]
  }
  return here
}

/** The same data with every string mapped, keys of records included. What is no plain data stays as it is. */
export function mapStrings<T>(data: T, map: (text: string) => string): T {
  const walk = (inner: unknown): unknown => {
    if (typeof inner === 'string') return map(inner)
    if (Array.isArray(inner)) return inner.map(walk)
    if (!isPlainRecord(inner)) return inner
    return Object.fromEntries(Object.entries(inner).map(([key, value]) => [map(key), walk(value)]))
  }
  // Strings become strings and nothing else changes, so the shape is that of T.
  return walk(data) as T
}

/**
 * Canonical text of a tree: keys sorted by code unit, no whitespace. Two trees are the same bytes exactly
 * when they are the same data, so digests over it bind what was shown to what runs (invariant 6). Throws on what
 * is no plain data (NaN, undefined, a Date): it would share its bytes with something else.
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

/** Every string inside a value, in order; keys are none of them. */
export function stringsIn(value: Json): readonly string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : []
}

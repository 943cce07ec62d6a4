/**
 * Computes a value on first use and caches it. Pure; must not cache a failure. Called where not every caller needs the value.
 */

export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

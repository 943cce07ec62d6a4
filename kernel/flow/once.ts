/** A value that is made at its first use and kept. Pure; must not keep a failure. Called wherever not every caller needs it. */

export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

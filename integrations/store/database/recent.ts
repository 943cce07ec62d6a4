/**
 * Bounded cache of parsed rows, keyed by id and the exact stored text: a row that was changed or rolled back has another text, so
 * no stale value is returned. Called by the stores.
 */

export interface Recent<T> {
  /** Undefined unless a value is cached for this id and this exact text. */
  get(id: string, text: string): T | undefined
  set(id: string, text: string, value: T): void
}

/** Holds at most `most` values; the one set longest ago is dropped first. */
export function createRecent<T>(most: number): Recent<T> {
  const values = new Map<string, { readonly text: string; readonly value: T }>()
  return {
    get(id, text) {
      const known = values.get(id)
      return known?.text === text ? known.value : undefined
    },
    set(id, text, value) {
      values.delete(id)
      values.set(id, { text, value })
      if (values.size <= most) return
      const [oldest] = values.keys()
      if (oldest !== undefined) values.delete(oldest)
    },
  }
}

/**
 * A bounded memory of what was read or written last, beside the exact text that is stored. A text that was changed or
 * taken back on disk is another text, so nothing stale is ever found. Called by the stores of this folder.
 */

export interface Recent<T> {
  /** Undefined unless this very text was remembered under the id. */
  get(id: string, text: string): T | undefined
  set(id: string, text: string, value: T): void
}

/** `most` values at the most: the ones that were set longest ago go first. */
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

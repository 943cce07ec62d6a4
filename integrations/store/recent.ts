/**
 * A bounded memory of what was read or written last, by the exact text that is stored. Text that was changed or taken
 * back on disk is another text, so nothing stale is ever found. Called by the stores of this folder.
 */

export interface Recent<T> {
  get(text: string): T | undefined
  set(text: string, value: T): void
}

/** `most` values at the most: the ones that were used longest ago go first. */
export function createRecent<T>(most: number): Recent<T> {
  const values = new Map<string, T>()
  const set = (text: string, value: T): void => {
    values.delete(text)
    values.set(text, value)
    if (values.size <= most) return
    const [oldest] = values.keys()
    if (oldest !== undefined) values.delete(oldest)
  }
  return {
    set,
    get(text) {
      const value = values.get(text)
      if (value !== undefined) set(text, value)
      return value
    },
  }
}

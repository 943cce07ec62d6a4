/**
 * Caches the reading of one message between its two uses: routing reads an event by its intent, and its task
 * reads it again a moment later. Must not keep a message longer, or for a third use. Called by message.ts.
 */
import type { Fields } from './message-taken.ts'

/** Milliseconds after which a message is read again: relative times have changed by then. */
const KEPT_FOR = 1_000

interface Said {
  readonly text: string
  /** Epoch milliseconds. */
  readonly now: number
  readonly timezone: string
  /** The caller will read the same text once more. */
  readonly again: boolean
}

export function createTwiceRead(): (said: Said, read: () => Fields) => Fields {
  let kept: (Said & { readonly fields: Fields }) | null = null
  return (said, read) => {
    const first = kept
    const { text, now, timezone, again } = said
    const isSame =
      first?.text === text && first.timezone === timezone && Math.abs(now - first.now) <= KEPT_FOR
    const fields = isSame && first !== null ? first.fields : read()
    if (again) kept = { ...said, fields }
    else if (isSame) kept = null
    return fields
  }
}

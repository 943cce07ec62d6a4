/**
 * The reading of one message for its second reader: an event is routed by what it asks, and its task reads it a moment later. Must not keep a
 * message for a third reader, or for long. Called by message.ts.
 */
import type { Fields } from './message-taken.ts'

/** Milliseconds after which it is read anew: later, "in an hour" is another hour. */
const KEPT_FOR = 1_000

interface Said {
  readonly text: string
  /** Epoch milliseconds. */
  readonly now: number
  readonly timezone: string
  /** The same text is read once more in a moment. */
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

/**
 * Server-sent events out of a byte stream, with JSON in each. Must not grow without bound: an event above the limit ends the stream.
 * Called by the line client.
 */
import { framesOf } from '../../integrations/models/frames.ts'

/** Bytes, 4 Mi: of one event, and of one answer. Stops a runaway peer from filling this process's memory. */
export const MOST_BYTES = 4 * 1024 * 1024

export interface LineEvent {
  readonly event: string
  readonly data: unknown
}

const LIMITS = { maxBytes: Number.POSITIVE_INFINITY, maxFrame: MOST_BYTES }

/** Each whole event. Ends at one that holds no JSON; throws `TooLarge`, and whatever the source throws. */
export async function* eventsOf(source: AsyncIterable<Uint8Array>): AsyncGenerator<LineEvent> {
  for await (const frames of framesOf(source, 'event', LIMITS)) {
    // What an end of the stream cut off is no event.
    const whole = Buffer.from(frames)
      .toString('utf8')
      .split(/\r?\n\r?\n/)
      .slice(0, -1)
    for (const text of whole) {
      const fields = fieldsOf(text)
      if (fields.data === undefined) continue
      const data = parseJson(fields.data)
      if (data === undefined) return
      yield { event: fields.event ?? 'message', data }
    }
  }
}

/** Of each field the last; home writes each on one line. */
function fieldsOf(text: string): Readonly<Partial<Record<string, string>>> {
  const fields = text.split(/\r?\n/).map((line) => /^(\w+): ?(.*)$/s.exec(line))
  return Object.fromEntries(fields.flatMap((field) => (field === null ? [] : [[field[1], field[2]]])))
}

/** Undefined, which no JSON is, for what is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

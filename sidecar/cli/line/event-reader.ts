/** Parses server-sent events with JSON data from a byte stream. Bounded: an oversized event ends the stream. Called by the line client. */
import { framesOf } from '../../../integrations/models/frames.ts'

/** Most bytes (4 MiB) of an event and of a response. Stops a faulty peer from filling this process's memory. */
export const MOST_BYTES = 4 * 1024 * 1024

export interface LineEvent {
  readonly event: string
  readonly data: unknown
}

const LIMITS = { maxBytes: Number.POSITIVE_INFINITY, maxFrame: MOST_BYTES }

/** Yields each complete event. Ends at an event without valid JSON; throws `TooLarge`, and what the source throws. */
export async function* eventsOf(source: AsyncIterable<Uint8Array>): AsyncGenerator<LineEvent> {
  for await (const frames of framesOf(source, 'event', LIMITS)) {
    // An event that the end of the stream cut off is dropped.
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

/** The last value of each field; home writes each field on one line. */
function fieldsOf(text: string): Readonly<Partial<Record<string, string>>> {
  const fields = text.split(/\r?\n/).map((line) => /^(\w+): ?(.*)$/s.exec(line))
  return Object.fromEntries(fields.flatMap((field) => (field === null ? [] : [[field[1], field[2]]])))
}

/** Undefined, which no JSON value is, if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

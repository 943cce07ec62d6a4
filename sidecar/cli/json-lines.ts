/**
 * Newline-delimited JSON out of a byte stream. Must not grow without bound: a line above the limit ends the stream.
 * Called by the socket link.
 */
import { StringDecoder } from 'node:string_decoder'

/** Longest line in UTF-16 units, 4 Mi. Stops a runaway peer from filling this process's memory. */
export const MAX_LINE_LENGTH = 4 * 1024 * 1024

export type LineOutcome = 'ok' | 'malformed' | 'too_long'

/** Feeds chunks; `onValue` gets each complete line's value. After anything but 'ok' the stream must be dropped. */
export function createLineReader(onValue: (value: unknown) => void): (chunk: Uint8Array) => LineOutcome {
  const decoder = new StringDecoder('utf8')
  let begun = ''
  return (chunk) => {
    // Only what is new is searched: a long line that comes in small pieces must not be searched again with each.
    const [first = '', ...more] = decoder.write(Buffer.from(chunk)).split('\n')
    begun += first
    for (const next of more) {
      const parsed = parseLine(begun)
      if (parsed === undefined) return 'malformed'
      onValue(parsed.value)
      begun = next
    }
    return begun.length > MAX_LINE_LENGTH ? 'too_long' : 'ok'
  }
}

function parseLine(line: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(line) }
  } catch {
    return undefined
  }
}

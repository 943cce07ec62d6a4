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
  let rest = ''
  return (chunk) => {
    rest += decoder.write(Buffer.from(chunk))
    for (let end = rest.indexOf('\n'); end >= 0; end = rest.indexOf('\n')) {
      const line = rest.slice(0, end)
      rest = rest.slice(end + 1)
      const parsed = parseLine(line)
      if (parsed === undefined) return 'malformed'
      onValue(parsed.value)
    }
    return rest.length > MAX_LINE_LENGTH ? 'too_long' : 'ok'
  }
}

function parseLine(line: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(line) }
  } catch {
    return undefined
  }
}

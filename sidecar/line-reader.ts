/**
 * Cuts a byte stream into lines of bounded length. Must not interpret them. Called by socket.ts.
 */

/** Bytes of one request line; the socket's frame limit (T-04). Stops a client that never ends its line. */
export const MAX_LINE_BYTES = 1_048_576

const NEWLINE = 0x0a

/**
 * Feeds chunks, returns the complete lines in order, or `too_long` once: after it the stream cannot be
 * resynchronised and must be closed.
 */
export function createLineReader(max = MAX_LINE_BYTES): (chunk: Buffer) => readonly string[] | 'too_long' {
  let parts: Buffer[] = []
  let held = 0
  return (chunk) => {
    const lines: string[] = []
    let rest = chunk
    for (let end = rest.indexOf(NEWLINE); end >= 0; end = rest.indexOf(NEWLINE)) {
      if (held + end > max) return 'too_long'
      lines.push(Buffer.concat([...parts, rest.subarray(0, end)]).toString('utf8'))
      parts = []
      held = 0
      rest = rest.subarray(end + 1)
    }
    if (held + rest.length > max) return 'too_long'
    if (rest.length > 0) parts.push(Buffer.from(rest))
    held += rest.length
    return lines
  }
}

/**
 * Output of a command: answers to stdout, everything else to stderr. Must not write unsanitised external text. Called
 * by the commands; tests pass their own.
 */
import type { Environment } from '../state-paths.ts'

export interface Screen {
  /** Writes an answer and a newline to stdout. */
  out(text: string): void
  /** Writes a message and a newline to stderr. */
  err(text: string): void
  /** Rewrites the progress line; an empty text clears it. Does nothing without a terminal. */
  progress(text: string): void
  dim(text: string): string
}

export interface ScreenStreams {
  readonly out: Pick<NodeJS.WriteStream, 'write' | 'isTTY'>
  readonly err: Pick<NodeJS.WriteStream, 'write' | 'isTTY'>
}

const CLEAR_LINE = '\r\u001b[2K'

/** `typed`: names commands as the owner types them here. */
export function createScreen(
  streams: ScreenStreams,
  environment: Environment,
  typed: (text: string) => string = (text) => text,
): Screen {
  const color = streams.out.isTTY === true && !environment['NO_COLOR'] && environment['TERM'] !== 'dumb'
  const live = streams.err.isTTY === true && environment['TERM'] !== 'dumb'
  let shown = ''
  const progress = (text: string) => {
    if (!live || text === shown) return
    streams.err.write(text === '' ? CLEAR_LINE : `${CLEAR_LINE}${text}`)
    shown = text
  }
  return {
    out(text) {
      progress('')
      streams.out.write(`${typed(text)}\n`)
    },
    err(text) {
      progress('')
      streams.err.write(`${typed(text)}\n`)
    },
    progress,
    dim: (text) => (color ? `\u001b[2m${text}\u001b[22m` : text),
  }
}

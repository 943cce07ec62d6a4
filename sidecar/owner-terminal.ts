/**
 * Opens `/dev/tty` for passphrases and the recovery phrase, whatever stdin and stdout are connected to, so that neither
 * ends up in a pipe or a log. Must not keep what is typed. Called by `pfar key` and by home's start.
 */
import { closeSync, openSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { ReadStream, WriteStream } from 'node:tty'

export interface OwnerTerminal {
  show(text: string): void
  /** Clears the screen and the scrollback. */
  clear(): void
  /** Null if the owner cancels (ctrl-C, ctrl-D). */
  ask(question: string): Promise<string | null>
  /** The same, without echo. */
  askHidden(question: string): Promise<string | null>
  close(): void
}

const CLEAR_ALL = '\u001b[H\u001b[2J\u001b[3J'

/** Null if this process has no terminal, as a service has none. */
export function openOwnerTerminal(): OwnerTerminal | null {
  const streams = openStreams()
  if (streams === null) return null
  const { input, output } = streams
  const ask = (question: string, hidden: boolean): Promise<string | null> => {
    const echo = hidden ? new Writable({ write: (_chunk, _encoding, done) => done() }) : output
    const reader = createInterface({ input, output: echo, terminal: true, historySize: 0 })
    // Shows the question only after echo is off, so that input typed immediately is not shown.
    if (hidden) output.write(question)
    return new Promise((resolve) => {
      const finish = (said: string | null): void => {
        resolve(said)
        reader.close()
        if (hidden || said === null) output.write('\n')
      }
      reader.once('line', finish)
      reader.once('SIGINT', () => finish(null))
      reader.once('close', () => finish(null))
      if (!hidden) reader.setPrompt(question)
      if (!hidden) reader.prompt()
    })
  }
  return {
    show: (text) => void output.write(`${text}\n`),
    clear: () => void output.write(CLEAR_ALL),
    ask: (question) => ask(question, false),
    askHidden: (question) => ask(question, true),
    close() {
      input.destroy()
      output.destroy()
    },
  }
}

/** Two descriptors, since each stream closes its own. */
function openStreams(): { readonly input: ReadStream; readonly output: WriteStream } | null {
  let first: number | null = null
  try {
    first = openSync('/dev/tty', 'r')
    return { input: new ReadStream(first), output: new WriteStream(openSync('/dev/tty', 'w')) }
  } catch {
    if (first !== null) closeSync(first)
    return null
  }
}

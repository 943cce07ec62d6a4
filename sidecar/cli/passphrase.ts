/**
 * Asks for a passphrase: without echo at a terminal, or the next line of stdin for scripts. Must not show, log or keep
 * it. Called by the backup and restore commands.
 */
import { createInterface, type Interface } from 'node:readline'
import { type Readable, Writable } from 'node:stream'

export interface PassphraseInput {
  readonly input: Readable & { readonly isTTY?: boolean }
  /** Shows the question, never the answer. */
  readonly output: Writable
}

export interface PassphrasePrompt {
  /** The next line; null if the input ended or the owner pressed ctrl-C. */
  ask(question: string): Promise<string | null>
  close(): void
}

/** One reader for all questions of a command, so that no line of a script is lost between two. */
export function createPassphrasePrompt({ input, output }: PassphraseInput): PassphrasePrompt {
  const terminal = input.isTTY === true
  const hidden = new Writable({ write: (_chunk, _encoding, done) => done() })
  const reader = createInterface({ input, output: hidden, terminal, historySize: 0 })
  const lines = linesOf(reader)
  return {
    async ask(question) {
      if (terminal) output.write(question)
      const line = await lines()
      if (terminal) output.write('\n')
      return line
    },
    close: () => reader.close(),
  }
}

function linesOf(reader: Interface): () => Promise<string | null> {
  const waiting: ((line: string | null) => void)[] = []
  const read: string[] = []
  let ended = false
  reader.on('line', (line) => {
    const next = waiting.shift()
    if (next === undefined) read.push(line)
    else next(line)
  })
  reader.on('SIGINT', () => reader.close())
  reader.on('close', () => {
    ended = true
    for (const next of waiting.splice(0)) next(null)
  })
  return () => {
    const line = read.shift()
    if (line !== undefined) return Promise.resolve(line)
    return ended ? Promise.resolve(null) : new Promise((resolve) => waiting.push(resolve))
  }
}

/**
 * Asks the owner questions on the terminal, one line each, and releases the terminal while another command uses it.
 * Must not keep an answer. Called by `pfar init` and `pfar uninstall`.
 */
import { createInterface, type Interface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { terminalLine } from './terminal-text.ts'

/** Longest answer, UTF-16 units. A longer one is an accidental paste. */
const MOST_ANSWER = 500

export interface TerminalAsker {
  /** One line without control sequences; null if the owner cancels with ctrl-C or ctrl-D. */
  ask(question: string): Promise<string | null>
  /** Releases the terminal until the next question. */
  letGo(): void
}

export function createAsker(input: Readable, output: Writable, terminal: boolean): TerminalAsker {
  let reader: Interface | null = null
  let waiting: ((said: string | null) => void) | null = null
  /** Lines of a script that were read ahead: all of them may arrive at once. */
  const read: string[] = []
  let ended = false

  const open = (): Interface => {
    const opened = createInterface({ input, output, terminal, historySize: 0 })
    const leave = (): void => {
      // A reader that `letGo` closed has no pending question.
      if (reader !== opened) return
      ended = true
      if (waiting !== null) output.write('\n')
      finish(null)
    }
    opened.on('line', (line) => {
      if (waiting === null) read.push(line)
      else finish(line)
    })
    opened.on('SIGINT', leave)
    opened.on('close', leave)
    return opened
  }
  const finish = (said: string | null): void => {
    const asked = waiting
    waiting = null
    asked?.(said === null ? null : terminalLine(said.slice(0, MOST_ANSWER)))
  }
  return {
    ask(question) {
      const at = question.lastIndexOf('\n') + 1
      output.write(question.slice(0, at))
      return new Promise((resolve) => {
        waiting = resolve
        if (!ended) reader ??= open()
        reader?.setPrompt(question.slice(at))
        if (!ended) reader?.prompt()
        const line = read.shift()
        if (line !== undefined) finish(line)
        else if (ended) finish(null)
      })
    },
    letGo() {
      const open = reader
      reader = null
      open?.close()
    },
  }
}

/** For a command that may have to ask something on this terminal. */
export async function asking<T>(work: (asker: TerminalAsker) => Promise<T>): Promise<T> {
  const asker = createAsker(process.stdin, process.stderr, process.stdin.isTTY === true)
  try {
    return await work(asker)
  } finally {
    asker.letGo()
  }
}

/** Answers every question with its default, for scripts. */
export const TAKES_DEFAULTS: TerminalAsker = { ask: async () => '', letGo: () => undefined }

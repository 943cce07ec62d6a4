/**
 * Asks the owner at his terminal, a line at a time, and lets go of the terminal while another command asks for itself. Must not keep an
 * answer. Called by `pfar init` and `pfar uninstall`.
 */
import { createInterface, type Interface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { terminalLine } from './terminal-text.ts'

/** UTF-16 units of an answer; more is a paste by mistake. */
const MOST_ANSWER = 500

export interface TerminalAsker {
  /** One line, without what would move a cursor; null when the owner leaves by ctrl-C or ctrl-D. */
  ask(question: string): Promise<string | null>
  /** Until the next question. */
  letGo(): void
}

export function createAsker(input: Readable, output: Writable, terminal: boolean): TerminalAsker {
  let reader: Interface | null = null
  const open = (): Interface =>
    createInterface({ input, output, terminal, historySize: 0, removeHistoryDuplicates: true })
  const letGo = (): void => {
    reader?.close()
    reader = null
  }
  return {
    ask(question) {
      reader ??= open()
      const asked = reader
      return new Promise((resolve) => {
        const finish = (said: string | null): void => {
          asked.removeAllListeners()
          if (said === null) letGo()
          if (said === null) output.write('\n')
          resolve(said === null ? null : terminalLine(said.slice(0, MOST_ANSWER)))
        }
        asked.once('line', finish)
        asked.once('SIGINT', () => finish(null))
        asked.once('close', () => finish(null))
        asked.setPrompt(question.slice(question.lastIndexOf('\n') + 1))
        output.write(question.slice(0, question.lastIndexOf('\n') + 1))
        asked.prompt()
      })
    },
    letGo,
  }
}

/** Every default, for a script: nothing is asked. */
export const TAKES_DEFAULTS: TerminalAsker = { ask: async () => '', letGo: () => undefined }

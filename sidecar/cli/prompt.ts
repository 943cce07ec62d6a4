/**
 * Line input from the owner's terminal, with ctrl-C twice to leave. Keeps the line that is being typed when an answer
 * arrives. Must not interpret lines. Called by chat.ts.
 */
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'

/** Milliseconds in which a second ctrl-C ends the chat. */
const TWICE_MS = 2_000

const CLEAR_LINE = '\r\u001b[2K'

export type Prompt = ReturnType<typeof createPrompt>

export interface PromptInput {
  readonly input: Readable
  readonly output: Writable
  readonly terminal: boolean
  readonly onLine: (line: string) => void
  /** Called at the first of two ctrl-C. */
  readonly onInterrupt: () => void
}

export function createPrompt({ input, output, terminal, onLine, onInterrupt }: PromptInput) {
  const reader = createInterface({ input, output, terminal, prompt: terminal ? '> ' : '', historySize: 200 })
  let interruptedAt = Number.NEGATIVE_INFINITY
  reader.on('line', onLine)
  reader.on('SIGINT', () => {
    if (Date.now() - interruptedAt < TWICE_MS) return reader.close()
    interruptedAt = Date.now()
    reader.write(null, { ctrl: true, name: 'u' })
    onInterrupt()
  })
  return {
    /** Writes above the line that is being typed. */
    above(write: () => void): void {
      if (terminal) output.write(CLEAR_LINE)
      write()
    },
    /** Shows the prompt and what was typed so far. */
    show: (): void => {
      if (terminal) reader.prompt(true)
    },
    /** Whether nothing was typed yet, so that a progress line can be shown. */
    idle: (): boolean => reader.line === '',
    close: (): void => reader.close(),
    /** Resolves when the input ended or the owner leaves. */
    ended: new Promise<void>((resolve) => {
      reader.once('close', () => {
        if (terminal) output.write('\n')
        resolve()
      })
    }),
  }
}

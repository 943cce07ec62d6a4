/**
 * Asks the owner for passphrases and the recovery phrase on `/dev/tty`, whatever stdin and stdout are connected to, or reads
 * the pipe that the start script opened. Never from the environment, an argument or a file. Must not keep what is typed.
 * Called by `pfar key`, the start script and home's start.
 */

import { closeSync, openSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { ReadStream, WriteStream } from 'node:tty'
import { prompt, tell } from '../language/wording.ts'
import type { AskPassphrase } from './custody.ts'

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

/** File descriptor of the pipe. The passphrase itself is never in an environment. */
export const PASSPHRASE_FD = 'PFAR_PASSPHRASE_FD'

/** Shortest passphrase, UTF-16 units. A copied file allows unlimited guesses, so a short one would be found. */
const MIN_PASSPHRASE = 12
const TRIES = 3

export function askOn(terminal: OwnerTerminal): AskPassphrase {
  return (which) => (which === 'new' ? askNew(terminal) : terminal.askHidden(prompt('key_setup.passphrase')))
}

/** Opens the terminal for `work`, null without one, and closes it. */
export async function withTerminal<T>(work: (terminal: OwnerTerminal | null) => Promise<T>): Promise<T> {
  const terminal = openOwnerTerminal()
  try {
    return await work(terminal)
  } finally {
    terminal?.close()
  }
}

/** For home's start: reads the pipe if there is one, else asks on the terminal. */
export function askAtStart(env: Readonly<Record<string, string | undefined>>): AskPassphrase {
  return async (which) =>
    readPipe(env[PASSPHRASE_FD]) ??
    withTerminal(async (terminal) => (terminal === null ? null : askOn(terminal)(which)))
}

/**
 * Asks on the terminal until the passphrase opens the key, so that one typing error does not end the start. After the
 * last attempt it returns the wrong one, so that home reports it; null if nobody answers.
 */
export function askUntilRight(opens: (words: string) => Promise<boolean>): Promise<string | null> {
  return withTerminal(async (terminal) => {
    if (terminal === null) return null
    for (let tries = 1; ; tries += 1) {
      const words = await askOn(terminal)('present')
      if (words === null || tries === TRIES || (await opens(words))) return words
      terminal.show(tell('key_setup.passphrase_wrong'))
    }
  })
}

/**
 * The recovery phrase: from a pipe if there is one, so that a password manager can supply it; otherwise typed without
 * echo. Null if there is neither.
 */
export async function readPhrase(terminal: OwnerTerminal | null): Promise<string | null> {
  const piped = process.stdin.isTTY === true ? '' : await text(process.stdin)
  if (piped.trim() !== '') return piped
  return terminal === null ? null : terminal.askHidden(prompt('key_setup.words'))
}

async function askNew(terminal: OwnerTerminal): Promise<string | null> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const first = await terminal.askHidden(prompt('key_setup.new', { least: MIN_PASSPHRASE }))
    if (first === null) return null
    if (first.length < MIN_PASSPHRASE) {
      terminal.show(tell('key_setup.short'))
      continue
    }
    if ((await terminal.askHidden(prompt('key_setup.again'))) === first) return first
    terminal.show(tell('key_setup.differ'))
  }
  return null
}

function readPipe(number: string | undefined): string | null {
  if (!/^[3-9]$/.test(number ?? '')) return null
  try {
    return readFileSync(Number(number), 'utf8') || null
  } catch {
    return null
  }
}

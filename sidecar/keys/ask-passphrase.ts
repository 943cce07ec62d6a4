/**
 * Asks for a passphrase: on the owner's terminal, or from the pipe that the start script opened. Never from the
 * environment, an argument or a file. Called by main.ts, the start script and `pfar key`.
 */
import { readFileSync } from 'node:fs'
import { type OwnerTerminal, openOwnerTerminal } from '../owner-terminal.ts'
import type { AskPassphrase } from './custody.ts'

/** File descriptor of the pipe. The passphrase itself is never in an environment. */
export const PASSPHRASE_FD = 'PFAR_PASSPHRASE_FD'

/** Shortest passphrase, UTF-16 units. A copied file allows unlimited guesses, so a short one would be found. */
const MIN_PASSPHRASE = 12
const TRIES = 3

export function askOn(terminal: OwnerTerminal): AskPassphrase {
  return (which) =>
    which === 'new' ? askNew(terminal) : terminal.askHidden('Passphrase of the master key: ')
}

/** For home's start: reads the pipe if there is one, else asks on the terminal and closes it. */
export function askAtStart(env: Readonly<Record<string, string | undefined>>): AskPassphrase {
  return async (which) => {
    const piped = readPipe(env[PASSPHRASE_FD])
    if (piped !== null) return piped
    const terminal = openOwnerTerminal()
    if (terminal === null) return null
    try {
      return await askOn(terminal)(which)
    } finally {
      terminal.close()
    }
  }
}

/**
 * Asks on the terminal until the passphrase opens the key, so that one typing error does not end the start. After the
 * last attempt it returns the wrong one, so that home reports it; null if nobody answers.
 */
export async function askUntilRight(opens: (words: string) => Promise<boolean>): Promise<string | null> {
  const terminal = openOwnerTerminal()
  if (terminal === null) return null
  try {
    for (let tries = 1; ; tries += 1) {
      const words = await askOn(terminal)('present')
      if (words === null || tries === TRIES || (await opens(words))) return words
      terminal.show('That does not open your key. Again, please; ctrl-C leaves.')
    }
  } finally {
    terminal.close()
  }
}

async function askNew(terminal: OwnerTerminal): Promise<string | null> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const first = await terminal.askHidden(`New passphrase, ${MIN_PASSPHRASE} characters or more: `)
    if (first === null) return null
    if (first.length < MIN_PASSPHRASE) {
      terminal.show('That is too short. Four or five words that nobody says together are good.')
      continue
    }
    if ((await terminal.askHidden('The same again: ')) === first) return first
    terminal.show('Those were not the same.')
  }
  return null
}

function readPipe(number: string | undefined): string | null {
  if (!/^[3-9]$/.test(number ?? '')) return null
  try {
    const text = readFileSync(Number(number), 'utf8')
    return text === '' ? null : text
  } catch {
    return null
  }
}

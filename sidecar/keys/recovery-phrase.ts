/**
 * The master key as 24 words (BIP39, English): encodes it, decodes it, and shows a new phrase once and asks for some words
 * before anything is sealed under its key (DESIGN §6). Must not write the words anywhere but to the owner's terminal, nor be
 * loaded by home: only `pfar key` and `pfar recover` need it.
 */

import { randomInt } from 'node:crypto'
import { entropyToMnemonic, mnemonicToEntropy } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { prompt, tell } from '../language/wording.ts'
import type { OwnerTerminal } from './owner-terminal.ts'

export const PHRASE_WORDS = 24

export function phraseOf(master: Uint8Array): readonly string[] {
  return entropyToMnemonic(master, wordlist).split(' ')
}

/** Accepts any case and spacing, and numbered words. Refusal: record_malformed. */
export function masterOf(text: string): Result<Uint8Array> {
  const words = text
    .normalize('NFKD')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '')
  if (words.length !== PHRASE_WORDS)
    return wrong(tell('key_setup.phrase_count', { count: words.length, needed: PHRASE_WORDS }))
  const unknown = words.findIndex((word) => !wordlist.includes(word))
  if (unknown >= 0) return wrong(tell('key_setup.phrase_word', { number: unknown + 1 }))
  try {
    return ok(mnemonicToEntropy(words.join(' '), wordlist))
  } catch {
    return wrong(tell('key_setup.phrase_checksum'))
  }
}

/** Never repeats a word, because the message may be printed. */
function wrong(problem: string): Result<never> {
  return err('record_malformed', { file: tell('key_setup.phrase_name'), problem })
}

/** Words asked for: an owner who has not written the phrase down cannot continue. */
const ASKED = 3
/** Wrong answers until the change is cancelled and the phrase discarded. */
const TRIES = 3
const COLUMNS = 4

/** Picks distinct positions, counted from 0. Tests pass their own. */
export type PickPositions = () => readonly number[]

/** Refusal: approval_denied, if the owner cancels or does not have the words. */
export async function confirmPhrase(
  master: Uint8Array,
  terminal: OwnerTerminal,
  pick: PickPositions = randomPositions,
): Promise<Result<true>> {
  const words = phraseOf(master)
  terminal.show(`${tell('key_setup.phrase', { words: columns(words) })}\n`)
  const ready = await terminal.ask(prompt('key_setup.written'))
  terminal.clear()
  if (ready === null) return notConfirmed()
  for (const position of pick()) if (!(await knows(words, position, terminal))) return notConfirmed()
  return ok(true)
}

async function knows(words: readonly string[], position: number, terminal: OwnerTerminal): Promise<boolean> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const said = await terminal.ask(prompt('key_setup.word', { number: position + 1 }))
    if (said === null) return false
    if (said.trim().toLowerCase() === words[position]) return true
    terminal.show(tell('key_setup.word_wrong'))
  }
  return false
}

function randomPositions(): readonly number[] {
  const positions = new Set<number>()
  while (positions.size < ASKED) positions.add(randomInt(PHRASE_WORDS))
  return [...positions].sort((a, b) => a - b)
}

function columns(words: readonly string[]): string {
  const cells = words.map((word, index) => `${String(index + 1).padStart(2)} ${word}`.padEnd(14))
  const rows = Math.ceil(cells.length / COLUMNS)
  return Array.from({ length: rows }, (_, row) =>
    Array.from({ length: COLUMNS }, (_, column) => cells[row + column * rows] ?? '').join('  '),
  ).join('\n')
}

function notConfirmed(): Result<never> {
  return err('approval_denied', {
    file: tell('key_setup.phrase_name'),
    problem: tell('key_setup.not_confirmed'),
  })
}

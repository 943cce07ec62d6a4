/**
 * Encodes the master key as 24 words (BIP39, English): 256 bits of entropy and an 8-bit checksum. Does not use BIP39's
 * derived seed, so words and key convert both ways. Must not be loaded by home: only `pfar key` needs it.
 */
import { entropyToMnemonic, mnemonicToEntropy } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'

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
  if (words.length !== PHRASE_WORDS) return wrong(`it has ${words.length} words, not ${PHRASE_WORDS}`)
  const unknown = words.findIndex((word) => !wordlist.includes(word))
  if (unknown >= 0) return wrong(`word ${unknown + 1} is not in the list of BIP39`)
  try {
    return ok(mnemonicToEntropy(words.join(' '), wordlist))
  } catch {
    return wrong('its checksum does not fit: a word is wrong or two are exchanged')
  }
}

/** Never repeats a word, because the message may be printed. */
function wrong(problem: string): Result<never> {
  return err('record_malformed', { file: 'recovery phrase', problem })
}

/**
 * Keys and tokens that a person pastes into a chat (L-17): found by shape, or by randomness that no word or number has.
 * Replaced by a description before anything is stored or read. Must not return the value. Pure; called by intake.ts and by code
 * that stores a text of the owner's.
 */

import type { Redaction } from '../../powers/ports.ts'
import type { KnownSecrets } from './needles.ts'
import { findTokens } from './secrets.ts'
import { mergeSpans, type Span } from './spans.ts'

interface Pasted {
  readonly text: string
  /** Whether something was removed. */
  readonly found: boolean
}

export function withoutPasted(text: string): Pasted {
  const tokens = findTokens(text)
  // Beside a token a hexadecimal run is a part of the same credential, such as a client's secret.
  const beside = tokens.length === 0 ? [] : [...text.matchAll(HEX_RUN)].map(spanOf)
  const spans = mergeSpans([...tokens, ...beside, ...randomRuns(text)])
  let out = ''
  let from = 0
  for (const { start, end } of spans) {
    const name = tokens.find((token) => token.start < end && token.end > start)?.name ?? 'a key or token'
    out += `${text.slice(from, start)}[${name} was here]`
    from = end
  }
  return { text: out + text.slice(from), found: spans.length > 0 }
}

/**
 * Whether a text to be stored contains a key, a token, or a secret of this place. Every prompt with such a text would be
 * refused (D-05).
 */
export function holdsSecret(text: string, known: Pick<KnownSecrets, 'names'>): boolean {
  return withoutPasted(text).found || known.names(text).length > 0
}

/** A run between spaces that looks like a key without a known prefix: long, mixed characters, no order. */
const RUN = /(?<![^\s"'`(=:,])[A-Za-z0-9_+/=-]{32,200}(?![^\s"'`).,;:!?])/g
/** Minimum entropy, bits per character by frequency. Words and names stay below it in any case. */
const LEAST_BITS = 4.1

const HEX_RUN = /(?<![^\s"'`(=:,])[0-9a-f]{32,128}(?![^\s"'`).,;:!?])/gi

function spanOf({ 0: run, index }: RegExpExecArray): Span {
  return { start: index, end: index + run.length }
}

function randomRuns(text: string): readonly Span[] {
  const found: Span[] = []
  for (const { 0: word, index: at } of text.matchAll(/\S+/g)) {
    // Addresses contain document ids, which look the same.
    if (word.includes('://')) continue
    for (const { 0: run, index } of word.matchAll(RUN))
      if (isRandom(run)) found.push({ start: at + index, end: at + index + run.length })
  }
  return found
}

/** Hashes and ids are hexadecimal or numeric, identifiers have few digits. Neither is removed. */
function isRandom(run: string): boolean {
  const kinds = [/[a-z]/, /[A-Z]/].every((kind) => kind.test(run)) && (run.match(/\d/g)?.length ?? 0) >= 3
  return kinds && !/^[0-9a-fA-F-]+$/.test(run) && bitsOf(run) >= LEAST_BITS
}

function bitsOf(run: string): number {
  const counts = new Map<string, number>()
  for (const character of run) counts.set(character, (counts.get(character) ?? 0) + 1)
  return [...counts.values()].reduce((bits, n) => bits - (n / run.length) * Math.log2(n / run.length), 0)
}

export function withoutKnown({ redact }: Redaction, text: string): Pasted {
  const unknown = redact(text)
  const { text: clean, found } = withoutPasted(unknown)
  return { text: clean, found: found || unknown !== text }
}

/**
 * Keys and tokens that a person pastes into a chat (L-17): by their shape, or because no word and no number looks like
 * that. Replaced before anything is stored or read, by words that say what stood there. Must not return the value. Pure;
 * called by intake.ts, and by whoever keeps a text of the owner's.
 */
import type { KnownSecrets } from './needles.ts'
import { findTokens } from './secrets.ts'
import { mergeSpans, type Span } from './spans.ts'

export interface Pasted {
  readonly text: string
  /** Whether something was taken out. */
  readonly found: boolean
}

export function withoutPasted(text: string): Pasted {
  const tokens = findTokens(text)
  const spans = mergeSpans([...tokens, ...randomRuns(text)])
  let out = ''
  let from = 0
  for (const { start, end } of spans) {
    const name = tokens.find((token) => token.start < end && token.end > start)?.name ?? 'a key or token'
    out += `${text.slice(from, start)}[${name} was here]`
    from = end
  }
  return { text: out + text.slice(from), found: spans.length > 0 }
}

/** Whether a text that is to be kept holds one, or a secret that this place knows: every prompt with it would be refused (D-05). */
export function holdsSecret(text: string, known: Pick<KnownSecrets, 'names'>): boolean {
  return withoutPasted(text).found || known.names(text).length > 0
}

/** A run between spaces, as keys without a known beginning look: long, all kinds of characters, no order in them. */
const RUN = /(?<![^\s"'`(=:,])[A-Za-z0-9_+/=-]{32,200}(?![^\s"'`).,;:!?])/g
/** Bits for each character, of how often each stands there: words and names stay below, whatever their case. */
const LEAST_BITS = 4.1

function randomRuns(text: string): readonly Span[] {
  const found: Span[] = []
  for (const { 0: word, index: at } of text.matchAll(/\S+/g)) {
    // Addresses carry ids of documents, which look just like that.
    if (word.includes('://')) continue
    for (const { 0: run, index } of word.matchAll(RUN))
      if (isRandom(run)) found.push({ start: at + index, end: at + index + run.length })
  }
  return found
}

/** Hashes and ids are hexadecimal or numbers; identifiers hardly have digits; both are left alone. */
function isRandom(run: string): boolean {
  const kinds = [/[a-z]/, /[A-Z]/].every((kind) => kind.test(run)) && (run.match(/\d/g)?.length ?? 0) >= 3
  return kinds && !/^[0-9a-fA-F-]+$/.test(run) && bitsOf(run) >= LEAST_BITS
}

function bitsOf(run: string): number {
  const counts = new Map<string, number>()
  for (const character of run) counts.set(character, (counts.get(character) ?? 0) + 1)
  return [...counts.values()].reduce((bits, n) => bits - (n / run.length) * Math.log2(n / run.length), 0)
}

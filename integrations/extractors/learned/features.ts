/**
 * Hashed features of a message: words, word pairs and triples, letter 4-grams. Pure. Called by table.ts, tags.ts and training.
 */

export const BUCKETS = 32_768
/** Maximum number of words used; requests are short. */
const MOST = 60
/** Index of the last word that is also a feature by its position at the start. */
const FIRST = 3
const SHORTEST = 4

/** Distinct bucket numbers below `BUCKETS`, ascending. Deterministic, so training and every place agree. */
export function featuresOf(marks: readonly string[]): readonly number[] {
  const words = ['^', ...marks.slice(0, MOST), '$']
  const names = words.flatMap((word, at) => [
    word,
    `${word} ${words[at + 1] ?? ''}`,
    `${word} ${words[at + 1] ?? ''} ${words[at + 2] ?? ''}`,
    ...(at <= FIRST ? [`first ${word}`] : []),
    ...(word.startsWith('{') ? [] : runsOf(word)),
  ])
  return [...new Set(names.map((name) => hashOf(name) % BUCKETS))].sort((a, b) => a - b)
}

/** Prefixes and letter 4-grams of a word, so that inflected forms share features. */
function runsOf(word: string): readonly string[] {
  if (word.length < SHORTEST) return []
  const marked = `<${word}>`
  const runs = Array.from({ length: marked.length - SHORTEST + 1 }, (_, at) =>
    marked.slice(at, at + SHORTEST),
  )
  return [`~${word.slice(0, SHORTEST)}`, `~${word.slice(0, SHORTEST + 1)}`, ...runs.map((run) => `#${run}`)]
}

/** FNV-1a with one final mix: an unsigned 32-bit integer. */
export function hashOf(name: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < name.length; at++) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193) >>> 0
  return (hash ^ (hash >>> 15)) >>> 0
}

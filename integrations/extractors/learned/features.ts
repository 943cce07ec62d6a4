/** Hashed features of a message: its words, pairs and triples of them, and runs of letters. Pure. Called by table.ts and by training. */

export const BUCKETS = 32_768
/** Words that are looked at: requests are short. */
const MOST = 60
/** Words at the beginning that count by their place as well. */
const FIRST = 3
const SHORTEST = 4

/** Numbers below BUCKETS, in order; the same for the same words anywhere. */
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

/** Beginning, end and all runs of four letters, so that a word is like others of its kind. */
function runsOf(word: string): readonly string[] {
  if (word.length < SHORTEST) return []
  const marked = `<${word}>`
  const runs = Array.from({ length: marked.length - SHORTEST + 1 }, (_, at) =>
    marked.slice(at, at + SHORTEST),
  )
  return [`~${word.slice(0, SHORTEST)}`, `~${word.slice(0, SHORTEST + 1)}`, ...runs.map((run) => `#${run}`)]
}

/** FNV-1a, mixed once: a whole number from 0. */
export function hashOf(name: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < name.length; at++) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193) >>> 0
  return (hash ^ (hash >>> 15)) >>> 0
}

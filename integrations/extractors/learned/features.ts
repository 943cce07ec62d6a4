/** Hashed features of a message: its words, pairs and triples of them, and runs of letters. Pure. Called by table.ts and by training. */

export const BUCKETS = 3_072
/** Words that are looked at: requests are short. */
const MOST = 40

/** Numbers below BUCKETS, in order; the same for the same words anywhere. */
export function featuresOf(marks: readonly string[]): readonly number[] {
  const words = ['^', ...marks.slice(0, MOST), '$']
  const names = words.flatMap((word, at) => [
    word,
    `${word} ${words[at + 1] ?? ''}`,
    `${word} ${words[at + 1] ?? ''} ${words[at + 2] ?? ''}`,
    ...(word.length > 3 && !word.startsWith('{') ? [`~${word.slice(0, 4)}`, `~${word.slice(-4)}`] : []),
  ])
  return [...new Set([...names, `first ${words[1] ?? ''} ${words[2] ?? ''}`].map(hashOf))].sort(
    (a, b) => a - b,
  )
}

/** FNV-1a. */
function hashOf(name: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < name.length; at++) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193) >>> 0
  return ((hash ^ (hash >>> 15)) >>> 0) % BUCKETS
}

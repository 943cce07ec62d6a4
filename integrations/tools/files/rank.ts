/**
 * Which files contain all words of a search in name or text, and their ranking. Pure; must not read a file. Called by look.ts.
 */

/** Words that say nothing about the content of a file. */
const EMPTY: ReadonlySet<string> = new Set(
  'a an the my our your of on in at to for with about and or is are was what which that this these those from by it its file files note notes document documents'.split(
    ' ',
  ),
)

/** Weight of a hit in the name, in hits in the text. */
const NAME_WEIGHT = 10
/** Maximum number of hits counted for one word: one long file must not hide the others. */
const MOST_HITS = 10

/** Lower case, without accents. */
export function folded(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}

/** Words of a search, without plural endings, so that "leases" finds "lease". */
export function wantedWords(typed: string): readonly string[] {
  const words: readonly string[] = folded(typed).match(/[\p{L}\p{N}]+/gu) ?? []
  const meaning = words.filter((word) => !EMPTY.has(word))
  return [...new Set((meaning.length > 0 ? meaning : words).map(singular))]
}

function singular(word: string): string {
  return word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word
}

/** Counts places where a word begins with it: "roof" also finds "roofer". */
function hitsOf(word: string, text: string): number {
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])${word}`, 'gu')
  let hits = 0
  while (hits < MOST_HITS && pattern.exec(text) !== null) hits += 1
  return hits
}

/** 0 if a word is missing. `text`: folded; empty if it was not read. */
export function scoreOf(words: readonly string[], name: string, text: string): number {
  const path = folded(name)
  let score = 0
  for (const word of words) {
    const [named, said] = [hitsOf(word, path), hitsOf(word, text)]
    if (named + said === 0) return 0
    score += (named > 0 ? NAME_WEIGHT : 0) + said
  }
  return score
}

/** The first line with most of the words; null if no line has any. `lines`: unchanged. */
export function bestLine(
  words: readonly string[],
  lines: readonly string[],
): { readonly line: number; readonly text: string } | null {
  let best: { readonly line: number; readonly text: string } | null = null
  let most = 0
  for (const [at, text] of lines.entries()) {
    const own = folded(text)
    const found = words.filter((word) => hitsOf(word, own) > 0).length
    if (found > most) [best, most] = [{ line: at + 1, text }, found]
    if (most === words.length) break
  }
  return best
}

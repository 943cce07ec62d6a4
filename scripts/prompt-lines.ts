/**
 * Checks that each directive is stated once (P-06): duplicates drift apart, cost tokens in every call, and carry more
 * weight than intended. Compares the sentences of all prompt texts regardless of case, spacing and punctuation, and
 * finds near duplicates. Must not write. Called by `npm run check` and by test/scripts/prompt-lines.test.ts.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const PROMPTS = join(import.meta.dirname, '..', 'templates', 'prompts')

/** Minimum words of a directive; a shorter sentence is none, such as "Examples:". */
const LEAST = 2
/** Minimum words for a comparison by similarity: shorter sentences share most of their words by chance. */
const LEAST_NEAR = 6
/** Share of common words from which two sentences count as duplicates. */
const NEAR = 0.75

interface Directive {
  readonly at: string
  readonly text: string
  readonly words: readonly string[]
}

/** `texts`: prompt texts by name. Returns duplicates as `a.md:3 = b.md:7: words`. */
export function repeatedDirectives(texts: ReadonlyMap<string, string>): readonly string[] {
  const all = [...texts].flatMap(([name, text]) => directivesOf(name, text))
  return all.flatMap((one, index) =>
    all
      .slice(index + 1)
      .filter((other) => isSame(one, other))
      .map((other) => `${one.at} = ${other.at}: ${other.text}`),
  )
}

/** Sentences of a text, without comments, headings, section tags and keys before a colon. */
function directivesOf(name: string, text: string): readonly Directive[] {
  // Replaced by spaces, so that line numbers stay right.
  const told = text.replaceAll(/<!--[\s\S]*?-->/g, (comment) => comment.replaceAll(/[^\n]/g, ' '))
  return told.split('\n').flatMap((line, index) =>
    line
      .replace(/^#+ .*$/, '')
      // Keeps only the value of a TOML line.
      .replace(/^\w+ = (?=["[])/, '')
      .split(/(?<=[.!?;])\s+/)
      .map((sentence) => ({ at: `${name}:${index + 1}`, text: sentence.trim(), words: wordsOf(sentence) }))
      .filter(({ words }) => words.length >= LEAST),
  )
}

function wordsOf(sentence: string): readonly string[] {
  return (
    sentence
      .toLowerCase()
      .replaceAll('’', "'")
      .match(/[\p{L}\p{N}']+/gu)
      ?.filter((word) => !/^\d+$/.test(word)) ?? []
  )
}

function isSame(one: Directive, other: Directive): boolean {
  if (one.words.join(' ') === other.words.join(' ')) return true
  if (Math.min(one.words.length, other.words.length) < LEAST_NEAR) return false
  const [a, b] = [new Set(one.words), new Set(other.words)]
  const common = [...a].filter((word) => b.has(word)).length
  return common / (a.size + b.size - common) >= NEAR
}

export function readPrompts(): ReadonlyMap<string, string> {
  const names = readdirSync(PROMPTS).filter((name) => /\.(?:md|toml)$/.test(name))
  return new Map(names.sort().map((name) => [name, readFileSync(join(PROMPTS, name), 'utf8')]))
}

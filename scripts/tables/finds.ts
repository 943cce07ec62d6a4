/**
 * Search words of each action (I-32), from what people typed: `said.txt` and `more-said.txt` beside a package's phrases, and
 * `finds.txt` for actions with few messages. Used by home only, in the words of its tools. Must not take words of a marked part,
 * which are what a message is about. Called by tools.ts.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Phrases } from '../../integrations/tools/phrase.ts'
import { indexWords, namingWords } from '../../kernel/features/memory/telling-words.ts'
import { type SaidLine, saidMessages } from '../train/said.ts'

const ROOT = join(import.meta.dirname, '../..')
/** Maximum search words per action: with more, an action of many messages would share a word with every request. */
const MOST_WORDS = 40
/**
 * Number of messages from which an action's words must be in more than one of them: a word of a single message may name
 * anything.
 */
const MANY_MESSAGES = 15
/** Minimum lift: how many times as frequent a word must be in the action's messages as in all. */
const LEAST_LIFT = 1.5

/** Search words by action, separated by spaces. Absent for an action without typical words. */
export function findsByAction(): ReadonlyMap<string, string> {
  const lines = [...saidMessages(), ...saidMessages('more-said.txt')].flatMap(
    (message): readonly SaidLine[] => (message.requests.length === 0 ? [message] : message.requests),
  )
  const spelt = new Map<string, string>()
  const counts = new Map<string, Map<string, number>>()
  const [all, about, messages] = [1, 2, 3].map(() => new Map<string, number>()) as [Counts, Counts, Counts]
  for (const line of lines) {
    const own = counts.get(line.label) ?? new Map<string, number>()
    counts.set(line.label, own)
    add(messages, line.label)
    const { said, marked } = stemsOf(line)
    for (const stem of marked.keys()) add(about, stem)
    for (const [stem, word] of said) {
      add(own, stem)
      add(all, stem)
      if (!spelt.has(stem)) spelt.set(stem, word)
    }
  }
  const typed = new Map(
    [...counts].map(([label, own]) => {
      const size = messages.get(label) ?? 0
      const lift = (stem: string, count: number): number =>
        (count / size / (all.get(stem) ?? 1)) * lines.length
      const isOften = ([stem, count]: readonly [string, number]): boolean =>
        (count > 1 || size < MANY_MESSAGES) && lift(stem, count) >= LEAST_LIFT
      const isSaid = ([stem]: readonly [string, number]): boolean =>
        (about.get(stem) ?? 0) < (all.get(stem) ?? 0)
      const best = [...own]
        .filter((one) => isOften(one) && isSaid(one))
        .map(([stem, count]) => [stem, count * Math.log(lift(stem, count))] as const)
        .toSorted(([one, ofOne], [other, ofOther]) => ofOther - ofOne || (one < other ? -1 : 1))
        .slice(0, MOST_WORDS)
      return [label, best.map(([stem]) => spelt.get(stem) ?? stem)] as const
    }),
  )
  for (const [label, words] of written())
    typed.set(label, [...new Set([...(typed.get(label) ?? []), ...words])])
  return new Map(
    [...typed].flatMap(([label, words]) => (words.length === 0 ? [] : [[label, words.sort().join(' ')]])),
  )
}

type Counts = Map<string, number>

function add(counts: Counts, of: string): void {
  counts.set(of, (counts.get(of) ?? 0) + 1)
}

/** Maps each stem to a spelling of it: of the words around the marked parts (`said`), and of those within (`marked`). */
function stemsOf({ text, parts }: SaidLine): Record<'said' | 'marked', ReadonlyMap<string, string>> {
  const said = parts
    .toReversed()
    .reduce((left, { from, to }) => `${left.slice(0, from)} ${left.slice(to)}`, text)
  const marked = parts.map(({ from, to }) => text.slice(from, to)).join(' ')
  return { said: stems(said), marked: stems(marked) }
}

function stems(text: string): ReadonlyMap<string, string> {
  return new Map(
    [...namingWords(text)].flatMap((word) => indexWords(word).map((stem) => [stem, word] as const)),
  )
}

/** Entries of the files `finds.txt`, lines of `action | words`. */
function written(): readonly (readonly [label: string, words: readonly string[]])[] {
  return globSync('integrations/tools/*/finds.txt', { cwd: ROOT })
    .sort()
    .flatMap((path) => readFileSync(join(ROOT, path), 'utf8').split('\n'))
    .flatMap((line) => {
      const [label = '', words = ''] = line.split(' | ')
      return line.startsWith('#') || words === '' ? [] : [[label, words.trim().split(/\s+/)] as const]
    })
}

/** Regular-expression syntax in the pattern of a shape, which is no literal text: `[…]`, `\\w`, `(?:`, `{1,150}`. */
const NO_WORDS = /\[(?:\\.|[^\]])*\]|\\u[\da-f]{4}|\\.|\(\?(?:<?[=!]|:)|\{\d*,?\d*\}/giu
/** An example recognisable by its form: `#general`, `acme/site#12`. */
const OF_FORM = /[^\p{L}\p{N}\s]/u

/** Literal words of the shaped slots in these sentences, such as `csv`, and examples of their form. */
export function slotWords(sentences: readonly string[], { shapes = {} }: Phrases): readonly string[] {
  const slots = new Set(
    sentences.flatMap((text) => [...text.matchAll(/\{([^}]*)\}/g)].map(([, slot = '']) => slot)),
  )
  return Object.entries(shapes).flatMap(([slot, { pattern, example }]) => {
    if (!slots.has(slot)) return []
    const words =
      pattern
        .replaceAll(NO_WORDS, ' ')
        .toLowerCase()
        .match(/[\p{L}\p{N}]+/gu) ?? []
    return [...words, ...(OF_FORM.test(example) && !/\s/.test(example) ? [example] : [])]
  })
}

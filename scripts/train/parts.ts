/**
 * Trains the tagger of parts, and the tagger that finds the start of a further request, from the marked messages. Same messages,
 * same bytes. Must not write. Called by tags-worker.ts.
 */
import type { PackedTags, Tagger } from '../../integrations/extractors/learned/parts.ts'
import { CUT_TAGS, MOST_WORDS, PARTS, seenOf, TAGS } from '../../integrations/extractors/learned/tags.ts'
import type { Token } from '../../integrations/extractors/learned/tokens.ts'
import { packWeights } from './pack.ts'
import { readOnce } from './read-once.ts'
import { type SaidLine, type SaidMessage, saidMessages } from './said.ts'
import { type TagExample, type TrainedTags, trainedTags } from './tagger.ts'

const KEPT = { parts: 60_000, cuts: 4_000 } as const
/** Minimum number of messages with a word outside of all parts before it counts as one that is often there. */
const OFTEN = 20

export interface PartExample extends TagExample {
  readonly line: SaidLine
  readonly tokens: readonly Token[]
}

/** `words`: words of the trained table, by which typos are recognised. Returns the JSON of the table. */
export function trainedParts(words: ReadonlySet<string>): string {
  const messages = [...saidMessages(), ...saidMessages('more-said.txt')]
  const examples = partExamples(messages, words)
  const parts = trainedTags(examples, TAGS, KEPT.parts)
  const cuts = trainedTags(cutExamples(messages, words), CUT_TAGS, KEPT.cuts)
  const packed: Tagger = { parts: packedTags(parts), cuts: packedTags(cuts), beside: besideIn(examples) }
  return `${JSON.stringify(packed)}\n`
}

function besideIn(examples: readonly PartExample[]): string {
  const counts = new Map<string, number>()
  for (const { tokens, tags, line } of examples)
    if (line.parts.length > 0)
      for (const norm of new Set(tokens.filter((_, at) => tags[at] === 0).map((token) => token.norm)))
        counts.set(norm, (counts.get(norm) ?? 0) + 1)
  return [...counts]
    .filter(([norm, count]) => count >= OFTEN && /^\p{L}+$/u.test(norm))
    .map(([norm]) => norm)
    .sort()
    .join(' ')
}

function packedTags({ words, steps }: TrainedTags): PackedTags {
  return { words: packWeights(words), steps: [...steps] }
}

/** Training examples: the requests of every action of which at least half have marked parts. */
export function partExamples(
  messages: readonly SaidMessage[],
  words: ReadonlySet<string>,
): readonly PartExample[] {
  const all = messages.flatMap((one): readonly SaidLine[] => (one.requests.length > 0 ? one.requests : [one]))
  const shares = new Map<string, { all: number; marked: number }>()
  for (const { label, parts } of all) {
    const share = shares.get(label) ?? { all: 0, marked: 0 }
    shares.set(label, { all: share.all + 1, marked: share.marked + (parts.length > 0 ? 1 : 0) })
  }
  const marked = new Set([...shares].filter(([, one]) => one.marked >= one.all / 2).map(([label]) => label))
  return all
    .filter(({ label }) => marked.has(label))
    .map((line) => {
      const tokens = tokensIn(line.text, words)
      return {
        line,
        tokens,
        seen: seenOf({ tokens, text: line.text }, line.label),
        tags: tagged(line, tokens),
      }
    })
}

function cutExamples(messages: readonly SaidMessage[], words: ReadonlySet<string>): readonly TagExample[] {
  return messages
    .filter(({ label, requests }) => label !== 'two' || requests.length > 0)
    .map(({ text, requests }) => {
      const tokens = tokensIn(text, words)
      const begins = new Set(requests.slice(1).map(({ from }) => from))
      return {
        seen: seenOf({ tokens, text }, ''),
        tags: tokens.map(({ start }) => ([...begins].some((from) => start === from) ? 1 : 0)),
      }
    })
}

function tokensIn(text: string, words: ReadonlySet<string>): readonly Token[] {
  return readOnce(text, words).tokens.slice(0, MOST_WORDS)
}

function tagged({ parts }: SaidLine, tokens: readonly Token[]): readonly number[] {
  let last: SaidLine['parts'][number] | undefined
  return tokens.map(({ start, end }) => {
    const part = parts.find(({ from, to }) => start < to && end > from)
    const begins = part !== last
    last = part
    return part === undefined ? 0 : 1 + 2 * PARTS.indexOf(part.part) + (begins ? 0 : 1)
  })
}

/**
 * The tagger of parts: features of each word, and the best sequence of tags for a message (Viterbi). Pure; must not hold a
 * weight. Called by parts.ts, the rules model, tools/form.ts and training.
 */
import { hashOf } from './features.ts'
import type { Token } from './tokens.ts'

/**
 * `old`: the time that a change replaces. `by`: by how much it moves. `early`: how long before. `which`: words that only point
 * at something. `text`: the content of a mail.
 */
export const PARTS = [
  ...(['what', 'when', 'old', 'by', 'long', 'early', 'who', 'from', 'where', 'text'] as const),
  ...(['which', 'list', 'new', 'if', 'answer'] as const),
] as const
export type PartName = (typeof PARTS)[number]

/** Number of tags: 0 is none; each part has one for its first word (1 for the first part) and one for its further words (2). */
export const TAGS = 1 + 2 * PARTS.length
/** Number of tags of the splitter: 1 marks the first word of a further request. */
export const CUT_TAGS = 2
export const TAG_BUCKETS = 131_072
/** Maximum number of words tagged; requests are short. */
export const MOST_WORDS = 80

export interface Typed {
  readonly tokens: readonly Token[]
  readonly text: string
}

/** Feature numbers of each word, below `TAG_BUCKETS`. `label`: the action or intent of the message; empty if unknown. */
export function seenOf({ tokens: all, text }: Typed, label: string): readonly (readonly number[])[] {
  const tokens = all.slice(0, MOST_WORDS)
  const words = tokens.map(({ norm, kind }) => wordOf(norm, kind))
  const marks = tokens.map((token, at) => markBetween(text.slice(tokens[at - 1]?.end ?? 0, token.start)))
  let times = 0
  return tokens.map((token, at) => {
    const [two = '^', one = '^', word = '', next = '$', then = '$'] = [-2, -1, 0, 1, 2].map(
      (step) => words[at + step],
    )
    const kinds = [-1, 0, 1].map((step) => tokens[at + step]?.kind ?? '-')
    const [mark = '', behind = '$'] = [marks[at], marks[at + 1]]
    if (token.kind === 'when' && tokens[at - 1]?.kind !== 'when') times += 1
    const typed = text.slice(token.start, token.end)
    const shape = /^\p{Lu}/u.test(typed) ? (at === 0 || mark === '.' ? 'first' : 'capital') : ''
    const seen = [
      ...[`w ${word}`, `-1 ${one}`, `+1 ${next}`, `-2 ${two}`, `+2 ${then}`],
      ...[`-1 0 ${one} ${word}`, `0 +1 ${word} ${next}`, `-2 -1 ${two} ${one}`, `-1 +1 ${one} ${next}`],
      ...[`k ${kinds.join(' ')}`, `s ${word.slice(-3)}`, `p ${word.slice(0, 4)}`, `c ${shape} ${kinds[1]}`],
      ...[`m ${mark}`, `b ${behind}`, `m k ${mark} ${kinds[1]}`, `t ${Math.min(times, 3)} ${kinds[1]}`],
    ]
    const own =
      label === ''
        ? []
        : [
            ...[`l ${label}`, `l w ${label} ${word}`, `l -1 ${label} ${one}`, `l +1 ${label} ${next}`],
            ...[`l k ${label} ${kinds.join(' ')}`, `l m ${label} ${mark} ${behind}`],
            ...[`l at ${label} ${Math.min(at, 4)}`, `l t ${label} ${Math.min(times, 3)} ${kinds[1]}`],
            ...[`l end ${label} ${Math.min(tokens.length - 1 - at, 3)}`],
          ]
    return [...seen, ...own].map((name) => hashOf(name) % TAG_BUCKETS)
  })
}

/** Replaces digits by 0, so that numbers of the same length share features. */
function wordOf(norm: string, kind: Token['kind']): string {
  if (kind === 'mail' || kind === 'address') return `{${kind}}`
  return norm.replace(/\d/g, '0')
}

function markBetween(between: string): string {
  return /\n/.test(between) ? '.' : (/[.!?;,:("–-]/.exec(between)?.[0] ?? '').replace(/[!?;]/, '.')
}

export interface TagWeights {
  /** Indexed by bucket × number of tags + tag. */
  readonly words: ArrayLike<number>
  /** Indexed by previous tag × number of tags + tag. */
  readonly steps: ArrayLike<number>
  readonly tags: number
}

/** The tag sequence with the highest total score. */
export function tagsOf(
  seen: readonly (readonly number[])[],
  { words, steps, tags: count }: TagWeights,
): readonly number[] {
  let before = new Float64Array(count).fill(Number.NEGATIVE_INFINITY)
  before[0] = 0
  const from = seen.map((buckets) => {
    const own = sumsOf(buckets, words, count)
    const best = new Float64Array(count).fill(Number.NEGATIVE_INFINITY)
    const back = new Uint8Array(count)
    for (let last = 0; last < count; last++) {
      const so = before[last] ?? Number.NEGATIVE_INFINITY
      if (so === Number.NEGATIVE_INFINITY) continue
      for (let tag = 0; tag < count; tag++) {
        if (!canFollow(tag, last, count)) continue
        const score = so + (own[tag] ?? 0) + (steps[last * count + tag] ?? 0)
        if (score <= (best[tag] ?? 0)) continue
        best[tag] = score
        back[tag] = last
      }
    }
    before = best
    return back
  })
  let tag = before.reduce((most, score, at) => (score > (before[most] ?? 0) ? at : most), 0)
  const tags: number[] = []
  for (let at = seen.length - 1; at >= 0; at--) {
    tags.unshift(tag)
    tag = from[at]?.[tag] ?? 0
  }
  return tags
}

/** Whether `tag` may follow `last`: a part's further word only follows the same part. The splitter allows any order. */
export function canFollow(tag: number, last: number, count: number): boolean {
  return count === CUT_TAGS || tag === 0 || tag % 2 === 1 || last === tag || last === tag - 1
}

export function sumsOf(buckets: readonly number[], weights: ArrayLike<number>, count: number): Float64Array {
  const found = new Float64Array(count)
  for (const bucket of buckets)
    for (let tag = 0, at = bucket * count; tag < count; tag++, at++)
      found[tag] = (found[tag] ?? 0) + (weights[at] ?? 0)
  return found
}

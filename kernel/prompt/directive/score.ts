/**
 * Finds, by trained weights, the stretches of a folded text that are directives to the assistant, and their
 * families (N-19, N-20). A stretch with fewer than two hits is none. Must not decide what is removed around
 * it. Pure, linear, in whole numbers, so equal at both places. Called by sanitize-find.ts and training.
 */
import type { Span } from '../../wording/guard/spans.ts'
import { bytesOfBase64 } from '../sanitize-fold.ts'
import type { Family } from '../sanitize-rule.ts'
import { BUCKETS, eachMeaning, eachOfLetters } from './features.ts'
import type { Tag } from './meanings.ts'
import { type Hit, type Stretch, stretchesOf } from './stretches.ts'
import TABLE from './table.json' with { type: 'json' }

/** The shipped weights, made by `npm run train`. */
export interface Table {
  /** Added to every score; above 0 a stretch is a directive. */
  readonly bias: number
  /** Base64 of a signed byte per bucket. */
  readonly weights: string
}

export interface Weights {
  readonly bias: number
  readonly of: Int8Array
}

/** Weight of a meaning feature relative to a letter feature: letter features are many, and each says little. */
export const MEANING = 16
/** Minimum number of hits, including those of the sentence before, for a stretch to be scored. */
const LEAST_HITS = 2
/** How far below zero the score of the meanings may be for letters to be counted too. */
const OPEN = 1_600

export function weightsOf({ bias, weights }: Table): Weights {
  return { bias, of: new Int8Array(bytesOfBase64(weights)) }
}

let shipped: Weights | null = null

/** Decoded on first use. */
export function shippedWeights(): Weights {
  shipped ??= weightsOf(TABLE)
  return shipped
}

export interface Directive extends Span {
  readonly family: Family
  /** Position of the directive's verb. */
  readonly verb: number
}

/** Meanings of verbs that give an order. */
const VERBS: ReadonlySet<Tag> = new Set(['drop', 'wipe', 'ask', 'be'])

export interface Candidate {
  readonly stretch: Stretch
  readonly before: Stretch | undefined
}

/** Stretches that could be directives. */
export function candidatesIn(text: string, notice: string): readonly Candidate[] {
  const stretches = stretchesOf(text, notice)
  return stretches.flatMap((stretch, at) => {
    const before = stretches[at - 1]
    const count = stretch.hits.length + (stretch.hits.length > 0 ? (before?.hits.length ?? 0) : 0)
    return count < LEAST_HITS ? [] : [{ stretch, before }]
  })
}

export function directivesIn(text: string, notice: string, weights: Weights): readonly Directive[] {
  const found: Directive[] = []
  for (const candidate of candidatesIn(text, notice)) {
    const { stretch } = candidate
    if (isDirective(text, candidate, weights)) found.push(directiveOf(text, candidate, weights))
    else if (isStoryQuestion(stretch, found.at(-1)))
      found.push({ family: 'fiction', start: stretch.start, end: stretch.end, verb: stretch.start })
  }
  return found
}

/** Number of the judgement that last counted each bucket, so that a bucket counts once per judgement. */
const counted = new Int32Array(BUCKETS)
let judgement = 0

function nextJudgement(): number {
  if (judgement === 0x7fffffff) {
    counted.fill(0)
    judgement = 0
  }
  judgement += 1
  return judgement
}

/** True at the first visit of a bucket in this judgement. */
function isFirst(bucket: number, now: number): boolean {
  if (counted[bucket] === now) return false
  counted[bucket] = now
  return true
}

/** Scores a stretch. Letter features are computed only if the meanings alone come near the threshold, which few sentences do. */
function isDirective(text: string, { stretch, before }: Candidate, { bias, of }: Weights): boolean {
  const now = nextJudgement()
  let sum = bias
  eachMeaning(stretch, before, (bucket) => {
    if (isFirst(bucket, now)) sum += (of[bucket] ?? 0) * MEANING
  })
  if (sum <= -OPEN) return false
  eachOfLetters(text, stretch, (bucket) => {
    if (isFirst(bucket, now)) sum += of[bucket] ?? 0
  })
  return sum > 0
}

/** Whether the stretch is a question to the reader right after a story that leads up to it. */
function isStoryQuestion({ hits, start }: Stretch, last: Directive | undefined): boolean {
  const has = (tag: Tag): boolean => hits.some((hit) => hit.tag === tag)
  return last?.family === 'fiction' && start - last.end < NEXT && has('you') && (has('ask') || has('canyou'))
}

/** Share of the heaviest word that another one must have to lie inside the directive; more in another line or sentence. */
const SHARE = 0.3
const SHARE_ELSEWHERE = 0.6
/** UTF-16 units between a story and its question. */
const NEXT = 80
/** Words of ordinary sentences: a directive does not extend to them. */
const ORDINARY: ReadonlySet<Tag> = new Set([
  'you',
  'my',
  'that',
  'must',
  'instead',
  'canyou',
  'stated',
  'all',
  'now',
])

/** The extent of the directive: from the first to the last word that contributes enough to its score. */
function directiveOf(text: string, { stretch, before }: Candidate, { of }: Weights): Directive {
  const speaks = speakingOf(stretch, before, of)
  const sorted = [...speaks].toSorted((a, b) => b[1] - a[1])
  const [heaviest = { start: stretch.start, end: stretch.end }, most = 0] =
    sorted.find(([{ tag }]) => !ORDINARY.has(tag)) ?? []
  const inside = sorted.filter(([hit, weight]) => {
    const isElsewhere = hit.start < stretch.start || between(text, hit, heaviest).includes('\n')
    if (isApart(text, stretch.hits, hit, heaviest)) return false
    return !ORDINARY.has(hit.tag) && weight >= most * (isElsewhere ? SHARE_ELSEWHERE : SHARE)
  })
  const start = Math.min(heaviest.start, ...inside.map(([hit]) => hit.start))
  return {
    start,
    end: Math.max(heaviest.end, ...inside.map(([hit]) => hit.end)),
    verb: 'tag' in heaviest && VERBS.has(heaviest.tag) ? heaviest.start : start,
    family: familyOf(inside),
  }
}

/** Contribution of each hit to the score, if positive. */
function speakingOf(stretch: Stretch, before: Stretch | undefined, of: Int8Array): ReadonlyMap<Hit, number> {
  const now = nextJudgement()
  const speaks = new Map<Hit, number>()
  eachMeaning(stretch, before, (bucket, a, b, c) => {
    const weight = of[bucket] ?? 0
    if (weight <= 0 || !isFirst(bucket, now)) return
    const share = weight / (c === undefined ? (b === undefined ? 1 : 2) : 3)
    for (const hit of [a, b, c]) if (hit !== undefined) speaks.set(hit, (speaks.get(hit) ?? 0) + share)
  })
  return speaks
}

/** Whether a non-empty line without a hit lies between two hits, which then belong to different matters. */
function isApart(text: string, hits: readonly Hit[], a: Span, b: Span): boolean {
  let start = Math.min(a.end, b.end)
  const [, ...lines] = text.slice(start, Math.max(a.start, b.start)).split('\n')
  start = text.indexOf('\n', start) + 1
  return lines.slice(0, -1).some((line) => {
    const [from, to] = [start, start + line.length]
    start = to + 1
    return line.trim() !== '' && !hits.some((hit) => hit.start >= from && hit.end <= to)
  })
}

function between(text: string, a: Span, b: Span): string {
  return text.slice(Math.min(a.end, b.end), Math.max(a.start, b.start))
}

const FAMILY: Readonly<Partial<Record<Tag, Family>>> = {
  ...{
    drop: 'override',
    end: 'override',
    prior: 'override',
    told: 'override',
    fresh: 'override',
    obey: 'override',
  },
  ...{ prompt: 'leak', above: 'leak', exactly: 'leak', opening: 'leak', barred: 'leak' },
  ...{ be: 'identity', product: 'identity', free: 'identity' },
  ...{ mode: 'authority', switched: 'authority', claim: 'authority', maker: 'authority' },
  ...{ secret: 'secret', personal: 'secret', hoard: 'secret', imagine: 'fiction', reader: 'address' },
}

/** Family of the hits with the greatest total weight. */
function familyOf(inside: readonly (readonly [Hit, number])[]): Family {
  const sums = new Map<Family, number>()
  for (const [{ tag }, weight] of inside) {
    const family = FAMILY[tag]
    if (family !== undefined) sums.set(family, (sums.get(family) ?? 0) + weight)
  }
  return [...sums].toSorted((a, b) => b[1] - a[1])[0]?.[0] ?? 'address'
}

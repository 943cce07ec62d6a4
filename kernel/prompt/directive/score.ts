/**
 * Judges by trained weights which stretches of a folded text are directives to the assistant, and of which family (N-19, N-20). A text
 * without two words of a directive is none. Must not decide what is removed around it. Pure, linear and in whole numbers, so the same at
 * both places. Called by sanitize-find.ts and by training.
 */
import type { Span } from '../../wording/guard/spans.ts'
import { bytesOfBase64 } from '../sanitize-fold.ts'
import type { Family } from '../sanitize-rule.ts'
import { BUCKETS, eachMeaning, eachOfLetters } from './features.ts'
import type { Tag } from './meanings.ts'
import { type Hit, type Stretch, stretchesOf } from './stretches.ts'
import TABLE from './table.json' with { type: 'json' }

/** Made by `npm run train`. */
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

/** What a word's meaning weighs against a run of letters: those are many, and each says little. */
export const MEANING = 16
/** Words of a directive, those of the sentence before included, below which a stretch is not looked at. */
const LEAST_HITS = 2
/** Score of the meanings alone below which letters do not make a directive. */
const OPEN = 1_600

export function weightsOf({ bias, weights }: Table): Weights {
  return { bias, of: new Int8Array(bytesOfBase64(weights)) }
}

let shipped: Weights | null = null

/** Read when first needed. */
export function shippedWeights(): Weights {
  shipped ??= weightsOf(TABLE)
  return shipped
}

export interface Directive extends Span {
  readonly family: Family
  /** Where its verb stands: what is to be done. */
  readonly verb: number
}

/** Meanings that are verbs of an order. */
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

/** In which judgement a bucket was counted last, so that each counts once. */
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

/** Whether it is the first time in this judgement. */
function isFirst(bucket: number, now: number): boolean {
  if (counted[bucket] === now) return false
  counted[bucket] = now
  return true
}

/** Runs of letters are weighed only where the meanings alone come near the threshold: in few sentences. */
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

/** The question that a story leads up to, right after it. */
function isStoryQuestion({ hits, start }: Stretch, last: Directive | undefined): boolean {
  const has = (tag: Tag): boolean => hits.some((hit) => hit.tag === tag)
  return last?.family === 'fiction' && start - last.end < NEXT && has('you') && (has('ask') || has('canyou'))
}

/** Share of the heaviest word that another one must have to lie inside the directive; more in another line or sentence. */
const SHARE = 0.3
const SHARE_ELSEWHERE = 0.6
/** UTF-16 units between a story and its question. */
const NEXT = 80
/** Words of every sentence: a directive does not reach to them. */
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

/** From the first to the last word that speaks for it. */
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

/** What each word adds to the score, where it adds. */
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

/** Whether a whole line without a word of directives lies between two of them: they are of two matters. */
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

/** That of the words which weigh most. */
function familyOf(inside: readonly (readonly [Hit, number])[]): Family {
  const sums = new Map<Family, number>()
  for (const [{ tag }, weight] of inside) {
    const family = FAMILY[tag]
    if (family !== undefined) sums.set(family, (sums.get(family) ?? 0) + weight)
  }
  return [...sums].toSorted((a, b) => b[1] - a[1])[0]?.[0] ?? 'address'
}

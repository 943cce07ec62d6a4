/**
 * Trains the sanitizer's weights: a passive-aggressive linear classifier, averaged over the second half of its rounds. A
 * directive's text counts by its most suspicious stretch, a harmless text by every stretch. Deterministic to the byte: only +
 * − × ÷ and roots. Must not write. Called by scripts/train.ts and the bench, which holds groups of texts out.
 */
import { BUCKETS, eachMeaning, eachOfLetters, isOfLetters } from '../../kernel/prompt/directive/features.ts'
import { type Candidate, candidatesIn, MEANING, type Table } from '../../kernel/prompt/directive/score.ts'
import { REMOVED_NOTICE } from '../../kernel/prompt/sanitize-find.ts'
import { viewsOf } from '../../kernel/prompt/sanitize-fold.ts'
import { visibleText } from '../../kernel/prompt/sanitize-visible.ts'
import { startingForms } from './directive-forms.ts'
import { randomFrom } from './samples.ts'

const ROUNDS = 40
/** Maximum step for a harmless stretch (`STEP`), and for a directive, of which there are fewer. */
const STEP = 0.05
const STEP_UP = 0.3
const MARGIN = 1
/** Weight of the initial forms. */
const FORMS_WEIGH = 2
/** Weight of a letter n-gram in training. */
const LETTERS = 0.35
/**
 * Added to the trained bias, which lowers the threshold of a directive: without it, directives are missed more readily than
 * harmless texts are altered.
 */
const LENIENT = 0.65
const LARGEST = 127
/** Distance in rows between the harmless texts that are put after a directive. */
const APART = 7
/** Maximum length of a text that is used, in UTF-16 code units. */
const MOST = 8_000

type Instance = readonly number[]
export interface Taught {
  readonly text: string
  readonly isDirective: boolean
}

export function trainedDirectives(rows: readonly Taught[]): string {
  return `${JSON.stringify(tableOf(trained(rows)))}\n`
}

export function trainedTable(rows: readonly Taught[]): Table {
  return tableOf(trained(rows))
}

interface Learned {
  readonly weights: Float64Array
  readonly bias: number
}

const known = new Map<string, readonly Instance[]>()

function bucketsOf(text: string, { stretch, before }: Candidate): Instance {
  const buckets = new Set<number>()
  eachMeaning(stretch, before, (bucket) => buckets.add(bucket))
  eachOfLetters(text, stretch, (bucket) => buckets.add(bucket))
  return [...buckets]
}

/** Feature buckets of each stretch of a text, in all its views. */
function instancesOf(text: string): readonly Instance[] {
  const found = known.get(text)
  if (found !== undefined) return found
  const { latin, other } = viewsOf(visibleText(text.slice(0, MOST), REMOVED_NOTICE).text)
  const instances = [...latin, ...(other === null ? [] : [other])].flatMap((view) =>
    candidatesIn(view.text, REMOVED_NOTICE).map((candidate) => bucketsOf(view.text, candidate)),
  )
  known.set(text, instances)
  return instances
}

/** Feature buckets of a harmless text right after a directive, so that training does not condemn a text for what precedes it. */
function followingOf(directive: string, harmless: string): readonly Instance[] {
  const key = `${directive}\n${harmless}`
  const found = known.get(key)
  if (found !== undefined) return found
  const [view] = viewsOf(visibleText(key, REMOVED_NOTICE).text).latin
  const from = (view?.text.length ?? 0) - (viewsOf(harmless).latin[0]?.text.length ?? 0)
  const instances = candidatesIn(view?.text ?? '', REMOVED_NOTICE)
    .filter(({ stretch }) => stretch.start >= from)
    .map((candidate) => bucketsOf(view?.text ?? '', candidate))
  known.set(key, instances)
  return instances
}

function trained(rows: readonly Taught[]): Learned {
  const harmless = rows.filter(({ isDirective }) => !isDirective)
  const following = rows
    .filter(({ isDirective }) => isDirective)
    .map(({ text }, at) => ({
      isDirective: false,
      instances: followingOf(text, harmless[(at * APART) % harmless.length]?.text ?? ''),
    }))
  const examples = [
    ...rows.map(({ text, isDirective }) => ({ isDirective, instances: instancesOf(text) })),
    ...following,
  ].filter(({ instances }) => instances.length > 0)
  const learner = createLearner(examples.length * (ROUNDS - ROUNDS / 2))
  const random = randomFrom(104_729)
  for (let round = 0; round < ROUNDS; round += 1) {
    if (round === ROUNDS / 2) learner.startAverage()
    shuffle(examples, random)
    for (const { isDirective, instances } of examples) {
      if (isDirective) learner.teach(bestOf(instances, learner.scoreOf), 1, STEP_UP)
      else for (const instance of instances) learner.teach(instance, -1, STEP)
      learner.next()
    }
  }
  return learner.average()
}

function bestOf(instances: readonly Instance[], scoreOf: (one: Instance) => number): Instance {
  let best: Instance = instances[0] ?? []
  let most = Number.NEGATIVE_INFINITY
  for (const instance of instances) {
    const score = scoreOf(instance)
    if (score > most) [best, most] = [instance, score]
  }
  return best
}

const scaleOf = (bucket: number): number => (isOfLetters(bucket) ? LETTERS : 1)

interface Learner {
  readonly scoreOf: (one: Instance) => number
  readonly teach: (one: Instance, sign: 1 | -1, most: number) => void
  readonly next: () => void
  readonly startAverage: () => void
  readonly average: () => Learned
}

/** `steps`: number of last steps that are averaged. The bias is the last weight. */
function createLearner(steps: number): Learner {
  const now = new Float64Array(BUCKETS + 1)
  now[BUCKETS] = -1
  for (const { bucket, weight } of startingForms()) now[bucket] = weight * FORMS_WEIGH
  const summed = new Float64Array(BUCKETS + 1)
  const from = new Float64Array(BUCKETS + 1)
  let left = 0
  const add = (at: number, by: number): void => {
    now[at] = (now[at] ?? 0) + by
    summed[at] = (summed[at] ?? 0) + by * left
  }
  const scoreOf = (one: Instance): number =>
    one.reduce((sum, at) => sum + (now[at] ?? 0) * scaleOf(at), now[BUCKETS] ?? 0)
  return {
    scoreOf,
    teach: (one, sign, most) => {
      const loss = MARGIN - sign * scoreOf(one)
      if (loss <= 0) return
      const length = one.reduce((sum, at) => sum + scaleOf(at) ** 2, 1)
      const step = sign * Math.min(most, loss / length)
      for (const at of one) add(at, step * scaleOf(at))
      add(BUCKETS, step)
    },
    next: () => {
      left = Math.max(0, left - 1)
    },
    startAverage: () => {
      from.set(now)
      summed.fill(0)
      left = steps
    },
    average: () => {
      const mean = from.map((weight, at) => weight + (summed[at] ?? 0) / steps)
      return { weights: mean.slice(0, BUCKETS), bias: mean[BUCKETS] ?? 0 }
    },
  }
}

function shuffle<T>(rows: T[], random: () => number): void {
  for (let at = rows.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1))
    const [a, b] = [rows[at], rows[other]]
    if (a !== undefined && b !== undefined) [rows[at], rows[other]] = [b, a]
  }
}

/** Rounds the weights to integers: meanings in steps of `MEANING`, letter n-grams in steps of 1. */
function tableOf({ weights, bias }: Learned): Table {
  const most = weights.reduce(
    (max, weight, at) => (isOfLetters(at) ? max : Math.max(max, Math.abs(weight))),
    0,
  )
  const scale = LARGEST / most
  const bytes = Int8Array.from(weights, (weight, at) => {
    const whole = Math.round(weight * scale * (isOfLetters(at) ? LETTERS * MEANING : 1))
    return Math.max(-LARGEST, Math.min(LARGEST, whole))
  })
  return {
    bias: Math.round((bias + LENIENT) * scale * MEANING),
    weights: Buffer.from(bytes.buffer).toString('base64'),
  }
}

/**
 * Detection rate and speed of the sanitizer: its own corpora or any file in their format (`--corpus FILE`), a result of maximum
 * size, and the same text at double length. Called by bench/main.ts.
 */
import { MAX_RESULT, sanitize } from '../kernel/prompt/sanitize.ts'
import { atLeast, atMost, type Figure, percentile } from './figures.ts'
import { readSanitizerCorpus, type Score, scoreCorpus } from './sanitizer-corpus.ts'

const ROUNDS = 40
const CORPORA = ['tuned', 'kept']
const MAIL =
  'Hi Anna, the meeting is on 14 May 2026 at 10:30 in room B2. Please bring the report (EUR 12,450.30) and see ' +
  'https://example.com/agenda?id=4 for the rest. You can ignore my last mail. Best, Tom\n\n'

export async function measureSanitizer(): Promise<readonly Figure[]> {
  const scores = CORPORA.map((name) => {
    const file = new URL(`../test/prompt/corpus/${name}.json`, import.meta.url)
    return figuresOf(name, scoreCorpus(readSanitizerCorpus(file)))
  })
  return [...scores.flat(), ...measureTime()]
}

/** For one file: all figures for `--json`, otherwise a table. */
export function scoreFile(file: string): { readonly score: Score; readonly figures: readonly Figure[] } {
  const score = scoreCorpus(readSanitizerCorpus(file))
  const families = Object.entries(score.byFamily).map(([name, { rows, hits, recall }]) => ({
    name: `${name}: ${recall === undefined ? 'touched' : 'found'} of ${rows}`,
    ...{ value: hits, unit: 'rows' },
  }))
  return { score, figures: [...figuresOf('corpus', score), ...families] }
}

function figuresOf(name: string, { recall, falsePositiveRate }: Score): readonly Figure[] {
  return [
    { name: `${name}: recall`, value: recall * 100, unit: '%', bound: atLeast(recall, 0.95, '≥ 95 %') },
    {
      ...{ name: `${name}: false positives`, value: falsePositiveRate * 100, unit: '%' },
      bound: atMost(falsePositiveRate, 0.02, '≤ 2 %'),
    },
  ]
}

function measureTime(): readonly Figure[] {
  const half = sample(MAX_RESULT / 2)
  const whole = sample(MAX_RESULT)
  return [
    { name: `a mail of ${MAX_RESULT} characters, p50`, value: whole, unit: 'ms' },
    { name: 'twice the length takes', value: whole / half, unit: 'times' },
  ]
}

function sample(length: number): number {
  const text = MAIL.repeat(length / MAIL.length + 1).slice(0, length)
  const times: number[] = []
  for (let round = -ROUNDS; round < ROUNDS; round += 1) {
    const begun = performance.now()
    sanitize(text, { boundary: 'benchboundary', maxChars: MAX_RESULT })
    if (round >= 0) times.push(performance.now() - begun)
  }
  return percentile(times, 0.5)
}

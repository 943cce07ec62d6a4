/** Estimates against a real tokenizer, in many scripts, and what a provider's count teaches (N-13, X-30). */
import { readFileSync } from 'node:fs'
import { encode as encodeOlder } from 'gpt-tokenizer/encoding/cl100k_base'
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, it } from 'vitest'
import { type Calibration, calibrate, estimateTokens, UNCALIBRATED } from '../../kernel/prompt/budget.ts'
import { promptText } from './document/fixtures.ts'

const FIXTURES: readonly (readonly [string, string])[] = JSON.parse(
  readFileSync(new URL('tokens.json', import.meta.url), 'utf8'),
)
const TEXTS = [
  ...FIXTURES,
  ...['SYSTEM', 'role-plan', 'role-synthesize', 'rules'].map((name) => [name, promptText(name)] as const),
]

const off = (estimate: number, counted: number) => Math.abs(estimate - counted) / counted

describe('an estimate', () => {
  it.each(TEXTS)('of %s is less than a quarter off', (_, text) => {
    expect(off(estimateTokens(text), encode(text).length)).toBeLessThan(0.25)
  })

  it.each([
    ['', 0],
    ['a', 1],
    ['abcd', 1],
    ['abcde', 2],
    ['the quick brown fox jumps', 7],
  ])('of %j is %i: four letters a token, rounded up', (text, expected) => {
    expect(estimateTokens(text)).toBe(expected)
  })

  it('does not shrink when a text grows', () => {
    for (const [, text] of TEXTS)
      expect(estimateTokens(`${text}x`)).toBeGreaterThanOrEqual(estimateTokens(text))
  })
})

describe('calibration', () => {
  const taughtBy = (...usages: readonly (readonly [number, number])[]): Calibration =>
    usages.reduce((now, [estimated, reported]) => calibrate(now, { estimated, reported }), UNCALIBRATED)

  it.each([
    ['the first report counts whole', taughtBy([1_000, 1_300]), { factor: 1.3, samples: 1 }],
    ['later ones a quarter', taughtBy([1_000, 1_000], [1_000, 2_000]), { factor: 1.25, samples: 2 }],
    ['a short prompt teaches nothing', taughtBy([49, 400]), UNCALIBRATED],
    ['nor does a report of nothing', taughtBy([1_000, 0]), UNCALIBRATED],
    ['nor one that is no number', taughtBy([1_000, Number.NaN]), UNCALIBRATED],
    ['too small a report is bounded', taughtBy([1_000, 1]), { factor: 0.5, samples: 1 }],
    ['so is too large a one', taughtBy([1_000, 1_000_000]), { factor: 4, samples: 1 }],
  ])('%s', (_, now, expected) => {
    expect(now).toEqual(expected)
  })

  it.each(['russian', 'greek', 'hindi', 'thai', 'hebrew'])(
    'learns an older vocabulary that cuts %s finer',
    (language) => {
      const text = FIXTURES.find(([name]) => name === language)?.[1] ?? ''
      const [first, rest] = [text.slice(0, 80).repeat(4), text.slice(80)]
      const usage = { estimated: estimateTokens(first), reported: encodeOlder(first).length }
      const taught = calibrate(UNCALIBRATED, usage)
      expect(off(estimateTokens(rest), encodeOlder(rest).length)).toBeGreaterThan(0.25)
      expect(off(estimateTokens(rest, taught), encodeOlder(rest).length)).toBeLessThan(0.25)
    },
  )
})

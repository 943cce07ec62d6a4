/** No family of the sanitizer's rules and no part of its weights is there for nothing: without it some text of the corpora goes through (N-19, N-29). */
import { afterEach, describe, expect, it } from 'vitest'
import { readSanitizerCorpus, removals } from '../../bench/sanitizer-corpus.ts'
import { BUCKETS, isOfLetters } from '../../kernel/prompt/directive/features.ts'
import { shippedWeights, type Weights } from '../../kernel/prompt/directive/score.ts'
import { MAX_RESULT, sanitize } from '../../kernel/prompt/sanitize.ts'
import type { Rule } from '../../kernel/prompt/sanitize-rule.ts'
import { BOUNDARY_RULES, MARKER_RULES, TURN_RULES } from '../../kernel/prompt/sanitize-structure.ts'

/** The marks of this product's own prompts, of which the corpora have none alone. */
const MARKS = ['[/data abc]', '[data 0123456789 s2 email.read]', '[pfar:identity]']
const rows = [
  ...['tuned', 'kept'].flatMap(
    (name) => readSanitizerCorpus(new URL(`corpus/${name}.json`, import.meta.url)).hijack,
  ),
  ...MARKS.map((text) => ({ id: text, text, family: 'boundary' })),
]
const isFound = (text: string, weights?: Weights): boolean =>
  removals(sanitize(text, { boundary: 'k3j9x2m7q1', maxChars: MAX_RESULT }, weights)) > 0
const found = rows.filter(({ text }) => isFound(text))

const NEVER = /(?!)/gmu
let disabled: readonly (readonly [Rule, RegExp])[] = []
const disable = (rules: readonly Rule[]): void => {
  disabled = rules.map((rule) => [rule, rule.pattern] as const)
  for (const rule of rules) Object.assign(rule, { pattern: NEVER })
}
afterEach(() => {
  for (const [rule, pattern] of disabled) Object.assign(rule, { pattern })
})

it.each([
  ['marker', MARKER_RULES],
  ['turn', TURN_RULES],
  ['boundary', BOUNDARY_RULES],
] as const)('without %s, something gets through', (_, rules) => {
  disable(rules)
  expect(found.some(({ text }) => !isFound(text))).toBe(true)
})

it('and with all of them back, nothing more than before', () =>
  expect(rows.filter(({ text }) => isFound(text))).toEqual(found))

describe('the weights', () => {
  const { bias, of } = shippedWeights()
  const without = (isOut: (bucket: number) => boolean): Weights => ({
    bias,
    of: of.map((weight, at) => (isOut(at) ? 0 : weight)),
  })
  it('are one for each bucket', () => expect(of.length).toBe(BUCKETS))
  it('without those of meanings, most gets through', () => {
    const left = found.filter(({ text }) =>
      isFound(
        text,
        without((at) => !isOfLetters(at)),
      ),
    )
    expect(left.length).toBeLessThan(found.length / 2)
  })
  it('without those of letters, something changes', () => {
    const left = rows.filter(({ text }) => isFound(text, without(isOfLetters)))
    expect(left).not.toEqual(found)
  })
})

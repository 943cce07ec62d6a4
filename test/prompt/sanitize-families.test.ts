/** No family of the sanitizer's rules is there for nothing: without it some text of the corpora goes through (N-19, N-29). */
import { afterEach, expect, it } from 'vitest'
import { readSanitizerCorpus, removals } from '../../bench/sanitizer-corpus.ts'
import { MAX_RESULT, sanitize } from '../../kernel/prompt/sanitize.ts'
import {
  ADDRESS_RULES,
  AUTHORITY_RULES,
  BOUNDARY_RULES,
  FICTION_RULES,
  IDENTITY_RULES,
  LEAK_RULES,
  MARKER_RULES,
  OVERRIDE_RULES,
  SECRET_RULES,
  TURN_RULES,
} from '../../kernel/prompt/sanitize-english.ts'
import { LANGUAGE_RULES } from '../../kernel/prompt/sanitize-languages.ts'
import type { Rule } from '../../kernel/prompt/sanitize-rule.ts'
import { SCRIPT_RULES } from '../../kernel/prompt/sanitize-scripts.ts'

const rows = ['tuned', 'kept'].flatMap(
  (name) => readSanitizerCorpus(new URL(`corpus/${name}.json`, import.meta.url)).hijack,
)
const isFound = (text: string): boolean =>
  removals(sanitize(text, { boundary: 'k3j9x2m7q1', maxChars: MAX_RESULT })) > 0
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
  ['override', OVERRIDE_RULES],
  ['leak', LEAK_RULES],
  ['identity', IDENTITY_RULES],
  ['authority', AUTHORITY_RULES],
  ['address', ADDRESS_RULES],
  ['secret', SECRET_RULES],
  ['fiction', FICTION_RULES],
  ['marker', MARKER_RULES],
  ['turn', TURN_RULES],
  ['boundary', BOUNDARY_RULES],
  ['other languages', LANGUAGE_RULES],
  ['other scripts', SCRIPT_RULES],
] as const)('without %s, something gets through', (_, rules) => {
  disable(rules)
  expect(found.some(({ text }) => !isFound(text))).toBe(true)
})

it('and with all of them back, nothing more than before', () =>
  expect(rows.filter(({ text }) => isFound(text))).toEqual(found))

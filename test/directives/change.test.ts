/**
 * What may happen to a directive file: it grows; it shrinks only if that was said (O-03, O-05, O-09, O-12).
 */
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import {
  type Change,
  checkChange,
  differenceOf,
  keepsLines,
  linesIn,
} from '../../kernel/directives/change.ts'
import { normalised } from '../../kernel/directives/text.ts'

const HEAD = '---\nowns: something\n---\n'
const BASE: Change = {
  ...{ name: 'USER', before: `${HEAD}- a\n- b\n`, after: `${HEAD}- a\n- b\n- c\n`, writer: 'owner' },
  ...{ cleanup: false, always: { others: 0, counts: true } },
}
const SHORTER = `${HEAD}- b\n`
const LONG = `${HEAD}- a\n- b\n${'- and more\n'.repeat(200)}`

describe('a change', () => {
  it.each<[string, Partial<Change>, object]>([
    ['that adds is kept at once', {}, { asks: false, warnings: [] }],
    ['that makes a file is kept at once', { name: 'TRIPS', before: null }, { asks: false, warnings: [] }],
    [
      'that takes a line out, when that was said',
      { after: SHORTER, cleanup: true },
      { asks: true, warnings: [] },
    ],
    ['that says cleanup and only adds asks nothing', { cleanup: true }, { asks: false, warnings: [] }],
    [
      'of rules by self-improvement asks',
      { name: 'AGENTS', writer: 'self_improvement' },
      { asks: true, warnings: [] },
    ],
    [
      'of a soft file by self-improvement is kept',
      { writer: 'self_improvement' },
      { asks: false, warnings: [] },
    ],
    [
      'by its owner may be too long, with a warning',
      { after: LONG },
      { asks: false, warnings: ['over_budget'] },
    ],
    [
      'that makes all of it too long gets a warning',
      { always: { others: 4_795, counts: true } },
      { asks: false, warnings: ['always_over_budget'] },
    ],
    [
      'of a file that is not always there',
      { always: { others: 4_795, counts: false } },
      { asks: false, warnings: [] },
    ],
    [
      'that empties an own file, when that was said',
      { name: 'TRIPS', after: '', cleanup: true },
      { asks: true, warnings: [] },
    ],
  ])('%s', (_, change, judged) =>
    expect(checkChange({ ...BASE, ...change })).toEqual({ ok: true, value: judged }),
  )

  it.each<[string, string, Partial<Change>]>([
    ['directive_shrinks', 'that takes a line out', { after: SHORTER }],
    ['directive_shrinks', 'that rewords a line', { after: `${HEAD}- a\n- B\n- c\n` }],
    ['directive_shrinks', 'that reorders lines', { after: `${HEAD}- b\n- a\n- c\n` }],
    ['directive_shrinks', 'of the header', { after: '---\nowns: something else\n---\n- a\n- b\n' }],
    [
      'directive_shrinks',
      'by self-improvement that takes a line out, whatever it says',
      { after: SHORTER, cleanup: true, writer: 'self_improvement' },
    ],
    [
      'directive_shrinks',
      'by templates that takes a line out',
      { after: SHORTER, cleanup: true, writer: 'template_sync' },
    ],
    [
      'principal_not_allowed',
      'of an own file by self-improvement',
      { name: 'TRIPS', writer: 'self_improvement' },
    ],
    ['principal_not_allowed', 'of an own file by templates', { name: 'TRIPS', writer: 'template_sync' }],
    ['directive_budget', 'by self-improvement above the budget', { after: LONG, writer: 'self_improvement' }],
    [
      'directive_budget',
      'by self-improvement above that of all',
      { writer: 'self_improvement', always: { others: 4_795, counts: true } },
    ],
    ['directive_header', 'without a header', { before: null, after: '- a\n' }],
    ['directive_header', 'that empties a standard file', { after: '', cleanup: true }],
    ['field_too_large', 'that is longer than any file', { after: HEAD + 'x'.repeat(20_000) }],
  ])('%s: one %s', (code, _, change) => {
    const judged = checkChange({ ...BASE, ...change })
    expect(judged.ok ? null : judged.reason.code).toBe(code)
  })
})

test('lines between, before and after take nothing away; so do blank ones', () => {
  const line = fc.constantFrom('- a', '- b', '', '  ', '# t')
  fc.assert(
    fc.property(fc.array(line), fc.array(line), fc.nat(10), (lines, more, at) => {
      const longer = [...lines.slice(0, at), ...more, ...lines.slice(at)]
      expect(keepsLines(lines.join('\n'), longer.join('\n'))).toBe(true)
      expect(keepsLines(`${lines.join('\n')}\n- gone`, lines.join('\n'))).toBe(false)
    }),
  )
})

test('a difference gives the new text from the old one, exactly', () => {
  const text = fc.array(fc.constantFrom('a', 'b', '', 'c'), { maxLength: 8 }).map((lines) => lines.join('\n'))
  fc.assert(
    fc.property(text, text, (before, after) => {
      const { at, gone, come } = differenceOf(before, after)
      const lines = before.split('\n')
      expect(lines.slice(at, at + gone.length)).toEqual(gone)
      lines.splice(at, gone.length, ...come)
      expect(lines.join('\n')).toBe(after)
    }),
  )
})

test.each([
  [['- a', '- new'], ['- a']],
  [['  - a  '], ['  - a  ']],
  [['# t'], []],
  [[''], []],
  [['owns: something'], []],
])('%j stands in another file already: %j', (come, doubled) =>
  expect(linesIn(come, `${HEAD}# t\n\n- a\n`)).toEqual(doubled),
)

test.each([
  ['a\r\nb\rc', 'a\nb\nc\n'],
  ['\ufeffa\n\n\n', 'a\n'],
  [' \n\t', ''],
])('%j is %j', (text, as) => expect(normalised(text)).toBe(as))

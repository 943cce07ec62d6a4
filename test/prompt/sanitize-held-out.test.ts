/**
 * The sanitizer on what it was not trained on (N-19): each technique of the collected directives is held out by turns, and texts of people,
 * with source and licence, count its false positives. `npm run bench -- sanitizer --held-out` prints the table with every text.
 */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { heldOutBy, shareOf, techniqueOf, touchedReal } from '../../bench/sanitizer-held-out.ts'
import { isLearned, realTexts, samples } from '../../scripts/train/directive-texts.ts'
import { trainedDirectives } from '../../scripts/train/directives.ts'

const TABLE = new URL('../../kernel/prompt/directive/table.json', import.meta.url)
const PERMISSIVE = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'CC0-1.0', 'ISC', 'MIT', 'MIT-0']

describe('the weights', () => {
  const table = readFileSync(TABLE, 'utf8')
  it('are what training gives, byte for byte', { timeout: 120_000 }, () =>
    expect(trainedDirectives(samples().filter(isLearned)) === table).toBe(true),
  )
  it('fit the edge', () => expect(table.length).toBeLessThanOrEqual(60_000))
})

describe('a technique that training did not see', () => {
  const groups = heldOutBy(techniqueOf, { alone: false })
  it('is found in 95 of 100 rows', () => expect(shareOf(groups)).toBeGreaterThanOrEqual(0.95))
  it.each(groups.filter(({ rows }) => rows >= 5).map((group) => [group.name, group] as const))(
    'and in 85 of 100: %s',
    (_name, { found, rows }) => expect(found / rows).toBeGreaterThanOrEqual(0.85),
  )
  it('is one of ten at least', () => expect(groups.length).toBeGreaterThanOrEqual(10))
})

describe('texts of people that training did not see', () => {
  const { rows, touched } = touchedReal()
  it('are 1,500 at least, 300 of them not English, each with a source and a permissive licence', () => {
    const measured = realTexts('measured')
    expect(rows.length).toBeGreaterThanOrEqual(1_500)
    expect(measured.filter(({ lang }) => lang !== 'en').length).toBeGreaterThanOrEqual(300)
    expect(measured.filter(({ source }) => !/^(?:npm|deb):./.test(source))).toEqual([])
    expect(measured.filter(({ licence }) => !PERMISSIVE.includes(licence))).toEqual([])
  })
  it('come of no document that training saw', () => {
    const learned = new Set(realTexts('learned').map(({ source }) => source))
    expect(realTexts('measured').filter(({ source }) => learned.has(source))).toEqual([])
  })
  it('lose nothing, but for 1 of 100', () =>
    expect(touched.map(({ text }) => text).length).toBeLessThanOrEqual(rows.length * 0.01))
})

/** Pages of a card: every character of it, in its order, and no line that could pass for one of the card's. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  GOES_ON,
  PAGE_LINES,
  PAGE_UNITS,
  pagesOf,
  pageText,
} from '../../kernel/features/approvals/card/card-face.ts'

/** What somebody reads who puts the pages one after the other. */
function joined(pages: readonly string[]): string {
  return pages.join('\n').replaceAll(`\n${GOES_ON}`, '')
}

const line = fc.oneof(
  fc.string({ maxLength: 200 }),
  fc.string({ minLength: 3_000, maxLength: 6_000 }),
  fc.constant('    | ⟨U+202E RLO⟩'.repeat(300)),
)
const card = fc.array(
  line.map((text) => `    | ${text.replaceAll('\n', ' ')}`),
  { minLength: 1, maxLength: 60 },
)

it('show every character of the card, in its order, a screen each', () => {
  fc.assert(
    fc.property(card, (lines) => {
      const whole = lines.join('\n')
      const pages = pagesOf(whole)
      expect(joined(pages)).toBe(whole)
      for (const page of pages) {
        expect(page.length).toBeLessThanOrEqual(PAGE_UNITS)
        expect(page.split('\n').length).toBeLessThanOrEqual(PAGE_LINES)
      }
    }),
    { numRuns: 50 },
  )
})

it('never break an escape, and never begin a line as a card does', () => {
  const pages = pagesOf(`  text: ${'⟨U+202E RLO⟩'.repeat(600)}`)
  expect(pages.length).toBeGreaterThan(2)
  for (const page of pages) expect(page.replaceAll('⟨U+202E RLO⟩', '')).not.toMatch(/[⟨⟩]/)
  for (const page of pages.slice(1)) expect(page.startsWith(GOES_ON)).toBe(true)
})

it('say which they are, where there is more than one', () => {
  expect(pageText(pagesOf('short'), 0)).toBe('short')
  const pages = pagesOf(Array.from({ length: PAGE_LINES + 1 }, (_, at) => `    | ${at}`).join('\n'))
  expect(pageText(pages, 1)).toBe(`Page 2 of 2\n    | ${PAGE_LINES}`)
})

/** Cleaning of outside strings into the kernel's field kinds: what comes out always fits the kind (J-01, J-03). */
import * as fc from 'fast-check'
import { decodeWords } from 'postal-mime'
import { describe, expect, it } from 'vitest'
import { writtenDates } from '../../integrations/dates/read.ts'
import { cleanLine, cleanText, toDate, toInstant, toLink } from '../../integrations/extractors/page-clean.ts'
import { decodeEntities } from '../../integrations/extractors/page-entities.ts'
import { addressesIn, soleMailbox } from '../../integrations/tools/email/message/mailbox.ts'
import { linksIn } from '../../integrations/tools/email/message/mentions.ts'
import { headerOf } from '../../integrations/tools/email/message/mime.ts'
import { parseFields, type ScalarKind } from '../../kernel/flow/field.ts'

const fits = (kind: ScalarKind, value: string): boolean => parseFields({ kind }, value, 'drop').ok
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.string({ unit: 'grapheme', maxLength: 200 }),
)

describe('whatever a stranger writes', () => {
  const holds = (check: (text: string) => void): void => {
    fc.assert(fc.property(anyText, check), { numRuns: 500 })
  }

  it('a line is one line without invisible characters, within its bound', () =>
    holds((text) => {
      const line = cleanLine(text, 40)
      expect(line.length).toBeLessThanOrEqual(40)
      expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\u2028\u2029]/u)
    }))

  it('a text keeps no control but line breaks', () =>
    holds((text) => {
      expect(cleanText(text, 100)).not.toMatch(/[^\P{C}\n]|\n{3}/u)
    }))

  it('a date, link or address that comes out is one that the kernel takes', () =>
    holds((text) => {
      for (const [kind, value] of [
        ['date', toDate(text)],
        ['url', toLink(text)],
        ['url', toLink(text, 'https://example.com/')],
        ['email', soleMailbox([text]).address],
        ...writtenDates(text, 20).map((date) => ['date', date] as const),
        ...linksIn(`https://${text}`).map((link) => ['url', link] as const),
        ...addressesIn([text]).map((address) => ['email', address] as const),
      ] as const)
        if (value !== null) expect([kind, value, fits(kind, value)]).toEqual([kind, value, true])
    }))

  it('decoding never throws', () =>
    holds((text) => {
      decodeWords(`=?${text}?b?${text}?=`)
      decodeEntities(`&#${text};&${text};`)
    }))
})

describe('dates', () => {
  it.each([
    ['2026-11-22', '2026-11-22'],
    ['2026-11-22T09:00:00+01:00', '2026-11-22T08:00:00Z'],
    ['2026-11-22T09:00:00.123456Z', '2026-11-22T09:00:00Z'],
    ['Sun, 22 Nov 2026 09:00:00 +0100 (CET)', '2026-11-22T08:00:00Z'],
    ['22 Nov 2026 09:00 GMT', '2026-11-22T09:00:00Z'],
    ['2026-11-22T09:00:00', null],
    ['22 Nov 2026', null],
    ['2026-13-40', null],
    ['1', null],
    ['', null],
  ])('%s → %s', (text, date) => expect(toDate(text)).toBe(date))

  it.each([[Number.NaN], [Number.POSITIVE_INFINITY], [-1], [253402300800000]])('no instant for %s', (at) => {
    expect(toInstant(at)).toBeNull()
  })
})

describe('links', () => {
  it.each([
    ['https://example.com/a#b', 'https://example.com/a'],
    ['/x', null],
    ['javascript:alert(1)', null],
    ['data:text/html,x', null],
    ['https://user@example.com/', null],
    [`https://example.com/${'a'.repeat(3_000)}`, null],
    ['https://example.com/{x}', 'https://example.com/%7Bx%7D'],
  ])('%s → %s', (text, link) => expect(toLink(text)).toBe(link))
})

describe('encoded words', () => {
  it.each([
    ['=?utf-8?q?a=C3=A9_b?=', 'aé b'],
    ['=?UTF-8?B?4oKs?=', '€'],
    ['=?iso-8859-15?Q?=A4?=', '€'],
    ['=?utf-8?q?=E2=82?= =?utf-8?q?=AC?=', '€'],
    ['=?klingon?q?abc?=', 'abc'],
    ['=?utf-8*de?q?x?= plain', 'x plain'],
    ['no words', 'no words'],
  ])('%s → %s', (text, decoded) =>
    expect(headerOf({ headers: [{ name: 'Subject', value: text }] }, 'subject')).toBe(decoded),
  )
})

/** Requests in the sentences that packages declare, and results in their words, independent of any tool (DESIGN §9, §10). */
import { describe, expect, it } from 'vitest'
import { createClock } from '../../integrations/models/rules/answers/clock.ts'
import { toldBy } from '../../integrations/models/rules/answers/told.ts'
import { phrasePlan } from '../../integrations/models/rules/phrase-plan.ts'
import type { Said } from '../../integrations/models/rules/said.ts'
import type { Phrases } from '../../integrations/tools/phrase.ts'

const PHRASES: readonly Phrases[] = [
  {
    asks: [
      {
        says: {
          en: ['where is {place}', 'is there [a] ferry to {place} [{when}]'],
          de: ['wo liegt {place}'],
        },
        plan: [{ id: 's1', do: 'tool', tool: 'ferry.find', args: { to: '{place}' } }],
      },
      {
        says: { en: ['sail {what} from {place} {when}'] },
        plan: [
          {
            id: 's1',
            do: 'tool',
            tool: 'ferry.book',
            args: { of: ['{place}', '{what}'], at: '{when.from}' },
          },
        ],
      },
    ],
  },
]

const to = (request: string): unknown => phrasePlan(request, PHRASES)?.steps[0]?.['args' as never] ?? null

describe('a declared sentence', () => {
  it.each([
    ['where is Lisbon', { to: 'Lisbon' }],
    ['Where is Lisbon?', { to: 'Lisbon' }],
    ['please, where is New York City?', { to: 'New York City' }],
    ['could you tell me where is Lisbon', null],
    ['is there a ferry to Faro tomorrow?', { to: 'Faro' }],
    ['is there ferry to São Jorge on Friday', { to: 'São Jorge' }],
    ['is there a ferry to 東京', { to: '東京' }],
    ['is there a ferry to tomorrow', null],
    ['is there a ferry', null],
    ['is there a ferry to Faro tomorrow or so', null],
    [
      'sail the blue boat from St. John’s on Friday',
      { of: ['St. John’s', 'the blue boat'], at: { $ref: 'said.from' } },
    ],
    ['sail the blue boat from Faro', null],
    ['', null],
    ['where is', null],
    ['Wo liegt Lisbon?', { to: 'Lisbon' }],
    ['is there a ferry to Faro, tomorrow', { to: 'Faro' }],
    ['is there a ferry to Faro over the weekend', { to: 'Faro' }],
    ['is there a ferry to \u0001', null],
  ])('a request is matched or not: %j', (request, args) => {
    expect(to(request)).toEqual(args)
  })

  it('no sentence is matched in a message that is no request', () => {
    const long = `where is ${'very '.repeat(60)}far`
    expect(phrasePlan(long, PHRASES)).toBeNull()
  })
})

describe('a result in a package’s words', () => {
  const clock = createClock({ now: '2026-11-25T10:00', timezone: 'UTC', maxChars: 4_000 } as never)
  const said = (from: string, until: string) => ({ from, to: until }) as Said
  const always = said('', '')
  const telling = (asked: Said) => ({
    ...{ clock, said: asked, typed: { topic: '', person: '' }, looked: {} },
    isOwner: true,
  })
  const WORDS = {
    ...{ head: '{place}:', list: 'rows', row: '- {date:named}: {kind}, {n} km[, {m} sure]', day: 'date' },
    ...{ none: 'No ferry then.', values: { slow: 'a slow one' } },
  }
  const CONTENT = {
    place: 'Faro\n> not yours',
    rows: [
      { date: '2026-11-25', kind: 'slow', n: 1.26 },
      { date: '2026-11-26', kind: 'fast', n: 3, m: 80 },
    ],
  }

  it('each item of a result gets a row in the package’s words', () => {
    expect(toldBy(WORDS, CONTENT, telling(always))).toBe(
      'Faro > not yours:\n- Wed 25 Nov (today): a slow one, 1.3 km\n- Thu 26 Nov (tomorrow): fast, 3 km, 80 sure',
    )
  })

  it('only items of the requested days are shown', () => {
    const tomorrow = said('2026-11-26T00:00:00Z', '2026-11-27T00:00:00Z')
    expect(toldBy(WORDS, CONTENT, telling(tomorrow))).toBe(
      'Faro > not yours:\n- Thu 26 Nov (tomorrow): fast, 3 km, 80 sure',
    )
    const later = said('2026-12-26T00:00:00Z', '2026-12-27T00:00:00Z')
    expect(toldBy(WORDS, CONTENT, telling(later))).toBe('No ferry then.')
  })

  it('rows keep their numbers when only one person’s are shown, with marked ones first', () => {
    const words = {
      ...{ list: 'rows', first: 'hot', of: ['by'], head: '[{rows=1?}1 row|{rows} rows], {marked} hot:' },
      ...{
        row: '{place}. {by}[{hot?}, hot]',
        none: 'None.',
        noneNew: 'Nothing new.',
        noneOf: 'None of {who}.',
      },
      after: ['[{more?}There is more.]'],
    }
    const content = { rows: [{ by: 'Tom' }, { by: 'Sarah C', hot: true }, { by: 'Sarah' }], more: true }
    const by = (person: string) => ({ ...telling(always), typed: { topic: '', person } })
    expect(toldBy(words, content, by(''))).toBe(
      '3 rows, 1 hot:\n1. Sarah C, hot\n2. Tom\n3. Sarah\nThere is more.',
    )
    expect(toldBy(words, content, by('sarah'))).toBe(
      '2 rows, 1 hot:\n1. Sarah C, hot\n3. Sarah\nThere is more.',
    )
    expect(toldBy(words, content, by('Mia'))).toBe('None of Mia.')
    expect(toldBy(words, { rows: [] }, by('Mia'))).toBe('None of Mia.')
    expect(toldBy(words, { rows: [] }, by(''))).toBe('None.')
    expect(toldBy(words, { rows: [] }, telling({ ...always, unread: true }))).toBe('Nothing new.')
  })

  it('a quoted text names how much was cut, and is never parsed as a sentence', () => {
    const words = {
      head: '[{title}|no title][ (by {by:5})]',
      quote: 'text',
      longest: 6,
      none: 'Empty.',
      after: ['[{left>0?}{left:count} left.]'],
    }
    const hostile = { title: '{by} [x|y] {left?}', by: 'a [{title}]', text: 'abcdefgh' }
    expect(toldBy(words, hostile, telling(always))).toBe(
      '{by} [x|y] {left?} (by a [{…)\n\n> abcdef\n\n2 left.',
    )
    expect(toldBy(words, { text: 'abc' }, telling(always))).toBe('no title\n\n> abc')
    expect(toldBy(words, {}, telling(always))).toBe('no title\n\nEmpty.')
  })

  it('missing fields of a result are left out', () => {
    expect(toldBy(WORDS, {}, telling(always))).toBe('No ferry then.')
    expect(toldBy({ head: '{place}[ ({land})]' }, { place: 'Faro' }, telling(always))).toBe('Faro')
  })
})

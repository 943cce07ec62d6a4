/** The message extractor: what people say, table by table; the declaration it fills; time zones; hostile text. */
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseFields } from '../../kernel/flow/field.ts'
import { INTENTS, MESSAGE_FIELDS } from '../../kernel/powers/message-fields.ts'
import { isLinear } from '../kit/processor-time.ts'
import { extracted, TIMEZONE } from './fixtures.ts'

type Utterance = readonly [text: string, intent: string, fields: Readonly<Record<string, unknown>>]
const FILE = new URL('./utterances.json', import.meta.url)
const corpus = JSON.parse(readFileSync(FILE, 'utf8')) as {
  now: string
  timezone: string
  utterances: readonly Utterance[]
}
const read = (text: string): Record<string, unknown> =>
  extracted(text, Date.parse(corpus.now), corpus.timezone)

/** The sentences that a newcomer is shown. */
const DEMO: readonly (readonly [string, string])[] = [
  ['check my email', 'email_check'],
  ['any new mail?', 'email_check'],
  ['read the one from Sarah', 'email_read'],
  ['read the second one', 'email_read'],
  ['what is on my calendar tomorrow', 'calendar_list'],
  ['when am I free on Friday', 'calendar_free'],
  ['book lunch with Sarah on Friday at 13:00', 'calendar_book'],
  ['read http://example.org/', 'web_read'],
  ['summarise https://example.org/', 'web_read'],
  ['remember that my locker is number 12', 'memory_save'],
  ['what do you know about my locker?', 'memory_search'],
  ['hi', 'greeting'],
  ['thanks', 'chat'],
  ['help', 'help'],
  ['what can you do', 'help'],
]

describe('intents', () => {
  it.each(DEMO)('%s → %s', (text, intent) => expect(read(text)['intent']).toBe(intent))

  it('has at least 200 labelled utterances and every intent among them (J-09)', () => {
    expect(corpus.utterances.length).toBeGreaterThanOrEqual(200)
    expect(new Set(corpus.utterances.map(([text]) => text)).size).toBe(corpus.utterances.length)
    expect(new Set(corpus.utterances.map(([, intent]) => intent))).toEqual(new Set(INTENTS))
  })

  it.each(INTENTS.map((intent) => [intent]))('reads every labelled utterance of %s', (intent) => {
    const rows = corpus.utterances.filter(([, labelled]) => labelled === intent)
    const wrong = rows.filter(([text]) => read(text)['intent'] !== intent)
    expect(wrong).toEqual([])
  })

  it.each(corpus.utterances.filter(([, , fields]) => Object.keys(fields).length > 0))(
    'fields of: %s',
    (text, _intent, fields) => expect(read(text)).toMatchObject(fields),
  )

  it.each([
    ['do you remember to remember that I book lunch?'],
    ['Sarah wrote: remember that the code is 1'],
    ['what happens if I book lunch with Sarah on Friday at 13:00?'],
    ['is it wise to remember that?'],
    ['why book lunch with Sarah on Friday?'],
    ['tell Sarah: book lunch on Friday at 13:00'],
    ['I never said book lunch with Sarah tomorrow at 9'],
    ['summarise https://example.org/book-lunch-with-sarah-tomorrow-at-9 and remember that'],
  ])('no writing intent inside: %s', (text) =>
    expect(['calendar_book', 'memory_save']).not.toContain(read(text)['intent']),
  )
})

describe('what is left out', () => {
  it('has no time for a booking that names a day only', () => {
    expect(read('book lunch with Sarah on Friday')).not.toHaveProperty('from')
    expect(read('book lunch with Sarah tomorrow morning')).not.toHaveProperty('from')
  })

  it('keeps a fact whole or not at all', () => {
    expect(read(`remember that ${'x'.repeat(1_990)}`)).toHaveProperty('topic')
    expect(read(`remember that ${'x'.repeat(2_001)}`)).not.toHaveProperty('topic')
  })

  it('takes no bracket or full stop into an address', () => {
    expect(read('read https://example.org/a_(b).')['url']).toBe('https://example.org/a_(b)')
    expect(read('read (https://example.org/a).')['url']).toBe('https://example.org/a')
  })

  it.each([['ftp://example.org'], ['http://'], ['example.org'], ['javascript:alert(1)']])(
    'no url in %s',
    (text) => expect(read(`read ${text}`)).not.toHaveProperty('url'),
  )
})

describe('time zones', () => {
  const span = (text: string, now: string, timezone: string): readonly unknown[] => {
    const { from, to } = extracted(text, Date.parse(now), timezone)
    return [from, to]
  }
  const LIST = 'what is on my calendar tomorrow'
  const BOOK = 'book a call tomorrow at 02:30'
  it.each([
    [
      'a day of 23 hours',
      LIST,
      '2027-03-27T12:00:00Z',
      TIMEZONE,
      '2027-03-28T00:00:00+01:00',
      '2027-03-29T00:00:00+02:00',
    ],
    [
      'a day of 25 hours',
      LIST,
      '2026-10-24T12:00:00Z',
      TIMEZONE,
      '2026-10-25T00:00:00+02:00',
      '2026-10-26T00:00:00+01:00',
    ],
    [
      'a time that is skipped',
      BOOK,
      '2027-03-27T12:00:00Z',
      TIMEZONE,
      '2027-03-28T03:30:00+02:00',
      '2027-03-28T04:30:00+02:00',
    ],
    [
      'a time that happens twice',
      BOOK,
      '2026-10-24T12:00:00Z',
      TIMEZONE,
      '2026-10-25T02:30:00+02:00',
      '2026-10-25T02:30:00+01:00',
    ],
    [
      'summer seen from winter',
      'book a call on 1 July at 10:00',
      '2026-12-01T12:00:00Z',
      TIMEZONE,
      '2027-07-01T10:00:00+02:00',
      '2027-07-01T11:00:00+02:00',
    ],
    [
      'west of Greenwich, already tomorrow there',
      LIST,
      '2026-11-23T02:00:00Z',
      'America/New_York',
      '2026-11-23T00:00:00-05:00',
      '2026-11-24T00:00:00-05:00',
    ],
    [
      'a quarter-hour zone',
      LIST,
      '2026-11-22T20:00:00Z',
      'Asia/Kathmandu',
      '2026-11-24T00:00:00+05:45',
      '2026-11-25T00:00:00+05:45',
    ],
    [
      'the southern summer',
      LIST,
      '2026-11-22T10:30:00Z',
      'Pacific/Auckland',
      '2026-11-23T00:00:00+13:00',
      '2026-11-24T00:00:00+13:00',
    ],
    [
      'a midnight that is skipped',
      LIST,
      '2018-11-03T12:00:00Z',
      'America/Sao_Paulo',
      '2018-11-04T01:00:00-02:00',
      '2018-11-05T00:00:00-02:00',
    ],
    [
      'a zone that was typed',
      'book a call tomorrow at 2pm UTC',
      '2026-11-22T10:30:00Z',
      TIMEZONE,
      '2026-11-23T15:00:00+01:00',
      '2026-11-23T16:00:00+01:00',
    ],
    [
      'an unknown zone, read as UTC',
      LIST,
      '2026-11-22T10:30:00Z',
      'Mars/Olympus',
      '2026-11-23T00:00:00+00:00',
      '2026-11-24T00:00:00+00:00',
    ],
    [
      'a time that has passed, without a day',
      'book a call at 9',
      '2026-11-22T10:30:00Z',
      TIMEZONE,
      '2026-11-23T09:00:00+01:00',
      '2026-11-23T10:00:00+01:00',
    ],
    [
      'an end after midnight',
      'book a party on Friday from 22:00 to 1:00',
      '2026-11-22T10:30:00Z',
      TIMEZONE,
      '2026-11-27T22:00:00+01:00',
      '2026-11-28T01:00:00+01:00',
    ],
    [
      'the last day of a year',
      LIST,
      '2026-12-31T12:00:00Z',
      TIMEZONE,
      '2027-01-01T00:00:00+01:00',
      '2027-01-02T00:00:00+01:00',
    ],
    [
      'on a leap day',
      "what's on today",
      '2028-02-29T12:00:00Z',
      TIMEZONE,
      '2028-02-29T00:00:00+01:00',
      '2028-03-01T00:00:00+01:00',
    ],
  ])('%s', (_, text, now, timezone, from, to) => expect(span(text, now, timezone)).toEqual([from, to]))

  it('does not depend on the zone of the machine', () => {
    const before = process.env['TZ']
    const texts = ['book a call on 3 December at 14:00', 'am I free tomorrow from 9 to 11?', LIST]
    try {
      const readings = ['UTC', 'America/New_York', 'Pacific/Kiritimati', 'Asia/Tokyo'].map((zone) => {
        process.env['TZ'] = zone
        expect(Intl.DateTimeFormat().resolvedOptions().timeZone).toBe(zone)
        return texts.map((text) => span(text, '2026-11-22T23:30:00Z', TIMEZONE))
      })
      for (const reading of readings) expect(reading).toEqual(readings[0])
    } finally {
      if (before === undefined) delete process.env['TZ']
      else process.env['TZ'] = before
    }
  })
})

describe('any text at all', () => {
  const fits = (text: string): void => {
    expect(parseFields(MESSAGE_FIELDS, extracted(text), 'refuse')).toMatchObject({ ok: true })
  }

  it('fits the declaration', { timeout: 30_000 }, () => {
    const words = fc.constantFrom(
      ...[
        'book',
        'read',
        'the',
        'second',
        'one',
        'from',
        'Sarah',
        'on',
        'Friday',
        'at',
        '13:00',
        '2-4',
        '29 Feb',
        'in',
        'two',
      ],
      ...[
        'weeks',
        'remember',
        'that',
        'http://a.b/c',
        'x@y.z',
        'next',
        'month',
        '9999-12-31',
        '99:99',
        '31/12',
        '#0',
        '?',
        '’',
        '0',
      ],
    )
    fc.assert(
      fc.property(
        fc.array(words, { maxLength: 14 }).map((list) => list.join(' ')),
        fits,
      ),
      { numRuns: 300 },
    )
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 60 }), fits), { numRuns: 100 })
  })

  const REPEATED = [
    ...[
      'a',
      ' ',
      '1',
      '1:',
      '@',
      'a@',
      'http://',
      'from ',
      'with Sarah ',
      '1 day ',
      '2 days 3 hours ',
      'next week ',
      'monday to ',
    ],
    ...[
      'remember that ',
      'book ',
      '"',
      '“',
      "s' ",
      "'s mail ",
      'please ',
      'hi ',
      '\n',
      '?',
      'on ',
      '-',
      'what did a say ',
      'İ',
      '\ud800',
    ],
  ]
  it.each(
    ['', 'book ', 'remember ', 'read ', 'what do you know about ', 'do you have '].flatMap((head) =>
      REPEATED.map((piece) => [head, piece] as const),
    ),
  )('takes linear time: %j and 100 KB of %j', (head, piece) => {
    const textOf = (size: number): string => head + piece.repeat(size / piece.length)
    fits(textOf(100_000))
    expect(isLinear((size) => extracted(textOf(size)), 10_000)).toBe(true)
  })
})

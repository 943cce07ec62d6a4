/**
 * Days by their number and parts of days, weeks and months, as people type them: a weekday with a number is read with both, two names of one
 * day have to agree, and each written form of a date reads back to it.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readDates } from '../../integrations/dates/read.ts'
import { DAY } from '../../integrations/dates/zone.ts'
import { isLinear } from '../kit/processor-time.ts'
import { NOW, read, rows, zone } from './reading.ts'

const TODAY = zone.dayOf(NOW)

describe('a weekday with a number of the month', () => {
  it.each<[string, string]>([
    ['tues 8th 8am dentist', '2026-12-08 08:00 | dentist'],
    ['Monday the 7th', '2026-12-07'],
    ['thursday the tenth at ten to six', '2026-12-10 17:50'],
    ['friday 27th 9am', '2026-11-27 09:00'],
    ['next friday the 27th', '2026-11-27'],
    ['fri 27 9am', '2026-11-27 09:00'],
    ['tues 8 8am', '2026-12-08 08:00'],
    ['the 8th, Tuesday, 9am', '2026-12-08 09:00'],
    ['sunday the 22nd', '2026-11-22'],
    ['Mon 7th to Wed 9th', '2026-12-07 – 2026-12-09'],
    ['Dienstag den 8. um 9', '2026-12-08 09:00'],
    ['Termin am Dienstag, 8. um halb drei', '2026-12-08 14:30 | Termin'],
    ['Dienstag den achten', '2026-12-08'],
    ['Fr 27.', '2026-11-27'],
    ['Fr 27. 9 Uhr Zahnarzt', '2026-11-27 09:00 | Zahnarzt'],
    ['Di 8. 12.', '2026-12-08'],
    ['Freitag 1. Jänner', '2027-01-01'],
    ['vom 14. bis 18.12.', '2026-12-14 – 2026-12-18'],
    ['vom 14.-18.12. Urlaub', '2026-12-14 – 2026-12-18 | Urlaub'],
    ['28. bis 3.1. Skifahren', '2026-12-28 – 2027-01-03 | Skifahren'],
    ["nan's 30th!!! sunday the 20th from 2", "2026-12-20 14:00 | nan's 30th!!!"],
  ])('%s', (text, reading) => expect(read(text)).toBe(reading))

  it.each([
    ...['tues 14th 8am', 'thursday the ninth at ten to six', 'Monday the 3rd', 'wed 31 8am', 'fri 32nd'],
    ...['Dienstag den 14.', 'Dienstag, den vierzehnten um 8 Uhr', 'Do 16.', 'w/c Monday the 3rd'],
  ])('%s: no such day comes soon, so that it is asked about', (text) => expect(read(text)).toBe('asks'))

  it.each<[string, string]>([
    ['Saturday 21st birthday party', '2026-11-28 | 21st birthday party'],
    ['sat 18th birthday do at jims 8pm', '2026-11-28 20:00 | 18th birthday do at jims'],
    ['Freitag 2. Stock 16 Uhr', '2026-11-27 16:00 | 2. Stock'],
    ['my 21st on saturday', '2026-11-28 | my 21st'],
    ['sat 30 people for dinner at 7pm', '2026-11-28 19:00 | 30 people for dinner'],
  ])('%s: the number is of something else', (text, reading) => expect(read(text)).toBe(reading))

  it.each<[string, string]>([
    ['tomorrow the 23rd at 9', '2026-11-23 09:00'],
    ['heute den 22. um 5', '2026-11-22 17:00'],
    ['12/12 Sat 9am', '2026-12-12 09:00'],
    ['am Dienstag den 8.12. um 9', '2026-12-08 09:00'],
    ['Wann hab ich heut den ersten Hausbesuch?', '2026-11-22 | Wann hab ich den ersten Hausbesuch?'],
    ...rows(
      'asks',
      'tomorrow the 25th at 9',
      'tues at 8 the 14th',
      'the 2nd tuesday 8am',
      'sat 1st dentist 9am',
    ),
    ...rows('asks', 'morgen 25. um 9', 'heute den fünften um 9', '13/12 Sat 9am'),
  ])('%s: two names of a day agree, or it is asked about', (text, reading) =>
    expect(read(text)).toBe(reading),
  )
})

describe('numbers of the month in words', () => {
  it.each<[string, string]>([
    ['dentist on the ninth at 4', '2026-12-09 16:00 | dentist'],
    ['on the twenty second', '2026-11-22'],
    ['on the twenty-first of March', '2027-03-21'],
    ['december the ninth', '2026-12-09'],
    ['on the second at nine', '2026-12-02 09:00'],
    ['from the ninth to the twelfth', '2026-12-09 – 2026-12-12'],
    ['8am 14th dentist', '2026-12-14 08:00 | dentist'],
    ['flu jab, they said the 6th at ten past four', '2026-12-06 16:10 | flu jab, they said'],
    ['spätdienst am 24. 13-21 uhr', '2026-11-24 13:00 – 21:00 | spätdienst'],
    ['Im Jänner bin ich vom 8. bis 15. weg', '2027-01-08 – 2027-01-15 | bin ich weg'],
    ['im märz, am dritten um 14 uhr', '2027-03-03 14:00 | ,'],
    ['night shift 12th 13th 14th, 7pm', 'asks'],
    ['dentist 14th 9.20', '2026-12-14 09:20 | dentist'],
    ['am neunten um 15 Uhr', '2026-12-09 15:00'],
    ['am zweiundzwanzigsten', '2026-11-22'],
    ['am neunten Dezember', '2026-12-09'],
    ...rows('nothing', 'the second one', 'the first mail', 'the third', 'what does it say on the second'),
    ...rows(
      'nothing',
      'open the second mail',
      'am ersten Tag',
      'may the fourth be with you',
      'zum neunten Mal',
    ),
  ])('%s', (text, reading) => expect(read(text)).toBe(reading))
})

describe('times without a colon', () => {
  it.each<[string, string]>([
    ['Mon 10.30', '2026-11-23 10:30'],
    ['Mo 7.45', '2026-11-23 07:45'],
    ['Zahnarzt Do 16', '2026-11-26 16:00 | Zahnarzt'],
    ['Di 10.30 Zahnarzt', '2026-11-24 10:30 | Zahnarzt'],
    ['Fri 9.15-10 standup', '2026-11-27 09:15 – 10:00 | standup'],
    ['Freitag 7.30–8.15', '2026-11-27 07:30 – 08:15'],
    ['9.15-10 tomorrow', '2026-11-23 09:15 – 10:00'],
    ['wed 3-5', '2026-11-25 15:00 – 17:00'],
    ['wed 930-1130', '2026-11-25 09:30 – 11:30'],
    ['sat 0730-2000', '2026-11-28 07:30 – 20:00'],
    ['shift mon 0730 to 2000', '2026-11-23 07:30 – 20:00 | shift'],
    ['Sat 5 Dec 2-4', '2026-12-05 14:00 – 16:00'],
    ['5 dec 10-2pm', '2026-12-05 10:00 – 14:00'],
    ['Mo 7.12.', '2026-12-07'],
    ['Do 3.12', '2026-12-03'],
    ['Mi 9.12. 10.30', '2026-12-09 10:30'],
    ['Fr 1.1', '2027-01-01'],
    ['sat 3.5 km run', '2026-11-28 | 3.5 km run'],
    ['budget 2026-2027 on friday', '2026-11-27 | budget 2026-2027'],
    ['Do 3.11', 'asks'],
    ...rows('nothing', 'coffee 2.50', 'call 0730-2000', 'Do 16 burpees', 'so 10.30 it is'),
  ])('%s', (text, reading) => expect(read(text)).toBe(reading))

  it.each<[string, string]>([
    ['friday 6.30 for 7 p.m.', '2026-11-27 18:30'],
    ['dinner friday 7.30 for 8pm', '2026-11-27 19:30 | dinner'],
    ['2 for 1 pm', '2026-11-22 13:00 | 2 for'],
    ['friday half 5', '2026-11-27 17:30'],
    ['friday quarter to three', '2026-11-27 14:45'],
    ['monday at ten to six', '2026-11-23 17:50'],
    ['friday ten to one', '2026-11-27 12:50'],
    ['Freitag halb eins', '2026-11-27 12:30'],
    ['Freitag halb eins nachts', '2026-11-27 00:30 | nachts'],
    ['Freitag viertel 8', '2026-11-27 07:15'],
    ['Freitag drei viertel acht', '2026-11-27 07:45'],
    ['morgen viertel nach 8', '2026-11-23 08:15'],
    ['morgen drei viertel 1', '2026-11-23 12:45'],
    ['ein viertel Kilo Butter', 'nothing'],
  ])('%s', (text, reading) => expect(read(text)).toBe(reading))
})

describe('parts of days', () => {
  it.each<[string, string]>([
    ['sat pm', '2026-11-28 12:00 – 18:00'],
    ['fri am', '2026-11-27 08:00 – 12:00'],
    ['fri am i free', '2026-11-27 | am i free'],
    ['thursday mornin', '2026-11-26 08:00 – 12:00'],
    ['tmrw eve', '2026-11-23 18:00 – 23:00'],
    ['friday 27th pm', '2026-11-27 12:00 – 18:00'],
    ['the evening of the 3rd', '2026-12-03 18:00 – 23:00'],
    ['on the morning of the 3rd', '2026-12-03 08:00 – 12:00'],
    ['on the evening of the 3rd at 7', '2026-12-03 19:00'],
    ['evening of 3 december', '2026-12-03 18:00 – 23:00'],
    ['am Abend des 3.', '2026-12-03 18:00 – 23:00'],
    ['am Morgen des 3. Dezember', '2026-12-03 08:00 – 12:00'],
    ['Fr vm', '2026-11-27 08:00 – 12:00'],
    ['fr nm', '2026-11-27 12:00 – 18:00'],
    ['mo abds', '2026-11-23 18:00 – 23:00'],
    ['mo früh', '2026-11-23 08:00 – 12:00'],
    ['heut Abend um 8', '2026-11-22 20:00'],
    ['heit um 5', '2026-11-22 17:00'],
    ['am 7. Feber', '2027-02-07'],
    ['im Jänner', '2027-01-01 – 2027-01-31'],
  ])('%s', (text, reading) => expect(read(text)).toBe(reading))
})

describe('weeks and parts of months', () => {
  it.each<[string, string]>([
    ['wk of the 20th', '2026-12-14 – 2026-12-20'],
    ['week commencing Monday the 7th', '2026-12-07 – 2026-12-13'],
    ['w/c 3rd', '2026-11-30 – 2026-12-06'],
    ['the week of 3 December', '2026-11-30 – 2026-12-06'],
    ['the week of December 7', '2026-12-07 – 2026-12-13'],
    ['w/c monday', '2026-11-23 – 2026-11-29'],
    ['KW 49', '2026-11-30 – 2026-12-06'],
    ['die Woche vom 7.', '2026-12-07 – 2026-12-13'],
    ['Woche ab 7.12.', '2026-12-07 – 2026-12-13'],
    ['in der Woche vom 7. bis 11. Dezember', '2026-12-07 – 2026-12-11'],
    ['the wc is broken', 'nothing'],
    ['b4 end of month', '2026-11-22 – 2026-11-30'],
    ['by the end of the month', '2026-11-30'],
    ['bis Monatsende', '2026-11-30'],
    ['first half of December', '2026-12-01 – 2026-12-15'],
    ['second half of next month', '2026-12-16 – 2026-12-31'],
    ['mid-december', '2026-12-11 – 2026-12-20'],
    ['Anfang Dezember', '2026-12-01 – 2026-12-10'],
    ['Mitte August', '2027-08-11 – 2027-08-20'],
    ['Ende Dezember', '2026-12-21 – 2026-12-31'],
    ['the first week of December', '2026-12-01 – 2026-12-07'],
    ['last week of november', '2026-11-24 – 2026-11-30'],
    ['erste Dezemberwoche', '2026-12-01 – 2026-12-07'],
    ['erste Hälfte Jänner', '2027-01-01 – 2027-01-15'],
    ['the first monday in december', '2026-12-07'],
    ['the first monday of the month', '2026-12-07'],
    ['last friday of november', '2026-11-27'],
    ['first weekend of February', '2027-02-06 – 2027-02-07'],
    ['nächste woche Mi 16-18 uhr', '2026-11-25 16:00 – 18:00'],
    ['übernächste Woche Mittwoch 16-18 Uhr', '2026-12-02 16:00 – 18:00'],
    ['übernächsten Mittwoch 16-18 Uhr', '2026-12-02 16:00 – 18:00'],
    ['heut in 14 Tagen 16-18 Uhr', '2026-12-06 16:00 – 18:00'],
    ['übermorgen früh um 9 Zahnarzt', '2026-11-24 09:00 | Zahnarzt'],
    ['last friday the 20th', '2026-11-20'],
    ['Get a free morning next week', '2026-11-23 08:00 – 2026-11-29 12:00 | Get a free'],
    ['am ersten Montag im Dezember', '2026-12-07'],
    ['the fifth monday in december', 'asks'],
  ])('%s', (text, reading) => expect(read(text)).toBe(reading))
})

const ENGLISH_ONES = 'first second third fourth fifth sixth seventh eighth ninth'.split(' ')
const ENGLISH_NUMBERS = [
  ...ENGLISH_ONES,
  ...'tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth'.split(' '),
  ...['nineteenth', 'twentieth', ...ENGLISH_ONES.map((one) => `twenty-${one}`), 'thirtieth', 'thirty first'],
]
const GERMAN_ONES = 'ein zwei drei vier fünf sechs sieben acht neun'.split(' ')
const GERMAN_NUMBERS = [
  ...'ersten zweiten dritten vierten fünften sechsten siebten achten neunten zehnten elften'.split(' '),
  ...'zwölften dreizehnten vierzehnten fünfzehnten sechzehnten siebzehnten achtzehnten'.split(' '),
  ...['neunzehnten', 'zwanzigsten', ...GERMAN_ONES.map((one) => `${one}undzwanzigsten`)],
  ...['dreissigsten', 'einunddreißigsten'],
]

describe('every written form of a date reads back to it', () => {
  const partsOf = (day: number) => {
    const date = new Date(day * DAY)
    const said = (locale: string, options: Intl.DateTimeFormatOptions): string =>
      date.toLocaleDateString(locale, { ...options, timeZone: 'UTC' })
    const number = date.getUTCDate()
    const ending = number > 10 && number < 14 ? 'th' : (['th', 'st', 'nd', 'rd'][number % 10] ?? 'th')
    return {
      ...{ number, nth: `${number}${ending}`, month: date.getUTCMonth() + 1 },
      ...{ english: ENGLISH_NUMBERS[number - 1], german: GERMAN_NUMBERS[number - 1] },
      weekday: said('en', { weekday: 'long' }),
      wochentag: said('de', { weekday: 'long' }),
      monthName: said('en', { month: 'long' }),
      monat: said('de', { month: 'long' }),
    }
  }
  const spanOf = (text: string) => readDates(text, { now: NOW, zone }).span
  const firstOf = (text: string): number | null => {
    const span = spanOf(text)
    return span === null ? null : zone.dayOf(span.from)
  }

  it('with its month', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 360 }), (ahead) => {
        const day = TODAY + ahead
        const { number, nth, month, english, german, weekday, wochentag, monthName, monat } = partsOf(day)
        const forms = [
          `the ${english} of ${monthName}`,
          `${monthName} the ${english}`,
          `${weekday} ${nth} ${monthName}`,
          `${weekday} the ${english} of ${monthName}`,
          `the evening of the ${nth} of ${monthName}`,
          `${weekday} ${number} ${monthName} 2-4`,
          `am ${german} ${monat}`,
          `${wochentag}, den ${number}. ${monat}`,
          `${wochentag} ${number}.${month}.`,
          `am Abend des ${number}. ${monat}`,
        ]
        for (const form of forms) expect([form, firstOf(form)]).toEqual([form, day])
        for (const form of [`week of the ${nth} of ${monthName}`, `die Woche vom ${number}.${month}.`]) {
          const { from, to } = spanOf(form) ?? { from: 0, to: 0 }
          expect([form, zone.dayOf(to) - zone.dayOf(from)]).toEqual([form, 7])
          expect(zone.dayOf(from) <= day && day < zone.dayOf(to)).toBe(true)
          expect(new Date(zone.dayOf(from) * DAY).getUTCDay()).toBe(1)
        }
      }),
      { numRuns: 60 },
    )
  })

  it('with its weekday: to the next day that has both', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100 }), (ahead) => {
        const day = TODAY + ahead
        const { number, nth, english, german, weekday, wochentag } = partsOf(day)
        const forms = [
          ...[`${weekday} ${nth} 9am`, `${weekday} the ${nth}`, `${weekday.slice(0, 3)} the ${english} at 9`],
          ...[`${wochentag} den ${number}.`, `${wochentag.slice(0, 2)} ${number}. um 9 Uhr`],
          `${wochentag}, den ${german} um 9 Uhr`,
        ]
        for (const form of forms) {
          const first = firstOf(form) ?? 0
          const found = partsOf(first)
          expect([form, found.number, found.weekday]).toEqual([form, number, weekday])
          expect(first >= TODAY && first <= day).toBe(true)
        }
      }),
      { numRuns: 60 },
    )
  })

  it('a weekday that the number never meets is asked about, never read as another day', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 1, max: 31 }), (weekday, number) => {
        const { weekday: name, wochentag } = partsOf(TODAY + weekday)
        const { nth } = partsOf(Date.UTC(2026, 0, number) / DAY)
        for (const form of [`${name} the ${nth} at 9`, `${wochentag} den ${number}. um 9 Uhr`]) {
          const { span, impossible } = readDates(form, { now: NOW, zone })
          const found = span === null ? null : partsOf(zone.dayOf(span.from))
          if (found === null) expect([form, impossible]).toEqual([form, true])
          else expect([form, found.number, found.weekday]).toEqual([form, number, name])
        }
      }),
      { numRuns: 100 },
    )
  })

  it('a time with a dot behind a weekday', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('Mon', 'thurs', 'Friday', 'Mo', 'Fr', 'Mittwoch'),
        fc.integer({ min: 7, max: 23 }),
        fc.constantFrom('00', '15', '30', '45'),
        (weekday, hour, minute) => {
          const { from } = spanOf(`${weekday} ${hour}.${minute}`) ?? { from: 0 }
          expect(zone.iso(from).slice(11, 16)).toBe(`${String(hour).padStart(2, '0')}:${minute}`)
        },
      ),
      { numRuns: 60 },
    )
  })
})

it.each([
  ...[
    'tues 14th ',
    'the ',
    'Di 8. ',
    '7.30-',
    '14th, ',
    'first half of ',
    'Woche vom 7. bis ',
    'the 2nd sat ',
  ],
  ...['twenty-', 'monday the ', '1.1', '0730 to ', 'am neunten ', '5 dec 2-', ' '],
])('a long text of "%s" is read in linear time', (piece) => {
  let run = 0
  // What was read at a moment is kept for it.
  const isRead = (times: number): unknown => readDates(piece.repeat(times), { now: NOW + ++run, zone })
  expect(isLinear(isRead, 1_000)).toBe(true)
})

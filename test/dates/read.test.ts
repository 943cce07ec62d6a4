/** What people write for a day and a time, in two languages; words that are no dates; dates written in full. */
import { describe, expect, it } from 'vitest'
import { findDay, readDates, writtenDates } from '../../integrations/dates/read.ts'
import { createZone } from '../../integrations/dates/zone.ts'
import { isLinear } from '../kit/processor-time.ts'

/** Tuesday, 24 November 2026, 11:30 in Berlin. */
const NOW = '2026-11-24T10:30:00Z'

function read(text: string, now = NOW, timezone = 'Europe/Berlin'): string {
  const zone = createZone(timezone)
  const { span, impossible } = readDates(text, { now: Date.parse(now), zone })
  if (span === null) return impossible ? 'impossible' : 'nothing'
  const [from, to] = [span.from, span.to].map((instant) => zone.iso(instant).slice(0, 16).replace('T', ' '))
  return `${span.named} ${from} – ${to}`
}

function day(first: string, after: string): string {
  return `days ${first} 00:00 – ${after} 00:00`
}

describe('English', () => {
  it.each([
    ['tomorrow at 9', 'time 2026-11-25 09:00 – 2026-11-25 10:00'],
    ['next friday', day('2026-12-04', '2026-12-05')],
    ['friday next week', day('2026-12-04', '2026-12-05')],
    ['last friday', day('2026-11-20', '2026-11-21')],
    ['tuesday', day('2026-12-01', '2026-12-02')],
    ['friday 3pm-4', 'time 2026-11-27 15:00 – 2026-11-27 16:00'],
    ['friday 9-11', 'time 2026-11-27 09:00 – 2026-11-27 11:00'],
    ['Friday until 5pm', 'time 2026-11-27 00:00 – 2026-11-27 17:00'],
    ['tomorrow before noon', 'time 2026-11-25 00:00 – 2026-11-25 12:00'],
    ['27 November after 3', 'time 2026-11-27 15:00 – 2026-11-28 00:00'],
    ['27.11.', day('2026-11-27', '2026-11-28')],
    ['27/11', day('2026-11-27', '2026-11-28')],
    ['2026-11-27', day('2026-11-27', '2026-11-28')],
    ['Friday, 27 November 2026 at 10am', 'time 2026-11-27 10:00 – 2026-11-27 11:00'],
    ['in 20 minutes', 'time 2026-11-24 11:50 – 2026-11-24 12:50'],
    ['fit in two hours for the windows tomorrow', day('2026-11-25', '2026-11-26')],
    ['squeeze in half an hour on friday', day('2026-11-27', '2026-11-28')],
    ['in a quarter of an hour', 'time 2026-11-24 11:45 – 2026-11-24 12:45'],
    ['in a couple of minutes', 'time 2026-11-24 11:32 – 2026-11-24 12:32'],
    ['now', 'time 2026-11-24 11:30 – 2026-11-24 12:30'],
    ['half past three', 'time 2026-11-24 15:30 – 2026-11-24 16:30'],
    ['tomorrow between 9 and half ten', 'time 2026-11-25 09:00 – 2026-11-25 10:30'],
    ['mon at 3', 'time 2026-11-30 15:00 – 2026-11-30 16:00'],
    ['à mon agenda', 'nothing'],
    ['the room on the 3rd floor', 'nothing'],
    ['the 28th', 'days 2026-11-28 00:00 – 2026-11-29 00:00'],
    ['what does the 2nd say', 'nothing'],
    ['December 3rd works', 'days 2026-12-03 00:00 – 2026-12-04 00:00'],
    ['twenty to nine tomorrow', 'time 2026-11-25 08:40 – 2026-11-25 09:40'],
    ['noon', 'time 2026-11-24 12:00 – 2026-11-24 13:00'],
    ['this afternoon', 'part 2026-11-24 12:00 – 2026-11-24 18:00'],
    ['3 December in the morning', 'part 2026-12-03 08:00 – 2026-12-03 12:00'],
    ['Dec 3 in the afternoon', 'part 2026-12-03 12:00 – 2026-12-03 18:00'],
    ['tonight from 22:00 to 1:00', 'time 2026-11-24 22:00 – 2026-11-25 01:00'],
    ['3 December from 22:00 to 1:00', 'time 2026-12-03 22:00 – 2026-12-04 01:00'],
    ['the day after tomorrow', day('2026-11-26', '2026-11-27')],
    ['day after tmrw 11am', 'time 2026-11-26 11:00 – 2026-11-26 12:00'],
    ['tomorrow and the day after', day('2026-11-25', '2026-11-27')],
    ['cinema tomorrow at 7pm, two and a half hours', 'time 2026-11-25 19:00 – 2026-11-25 21:30'],
    ['dinner tomorrow at 7:00', 'time 2026-11-25 19:00 – 2026-11-25 20:00'],
    ['dinner tomorrow at 07:00', 'time 2026-11-25 07:00 – 2026-11-25 08:00'],
    ['8 to 10', 'time 2026-11-25 08:00 – 2026-11-25 10:00'],
    ['7a-7p tomorrow', 'time 2026-11-25 07:00 – 2026-11-25 19:00'],
    ['from 2 til 4 on friday', 'time 2026-11-27 14:00 – 2026-11-27 16:00'],
    ['6 till half 7 on friday', 'time 2026-11-27 18:00 – 2026-11-27 19:30'],
    ['between seven and eleven in the evening', 'time 2026-11-24 19:00 – 2026-11-24 23:00'],
    ['from 7 to 11 tonight', 'time 2026-11-24 19:00 – 2026-11-24 23:00'],
    ['between 7 and 11 in the evening on Friday', 'time 2026-11-27 19:00 – 2026-11-27 23:00'],
    ['2 to 4 in the afternoon on Friday', 'time 2026-11-27 14:00 – 2026-11-27 16:00'],
    ['between six and eight in the morning on Friday', 'time 2026-11-27 06:00 – 2026-11-27 08:00'],
    ['from seven in the evening to eleven', 'time 2026-11-24 19:00 – 2026-11-24 23:00'],
    ['from ten in the morning to three in the afternoon', 'time 2026-11-25 10:00 – 2026-11-25 15:00'],
    ['from eleven to one at night on Friday', 'time 2026-11-27 23:00 – 2026-11-28 01:00'],
    ['from eleven to one on Friday', 'time 2026-11-27 11:00 – 2026-11-27 13:00'],
    ['dinner from seven to nine on Friday', 'time 2026-11-27 19:00 – 2026-11-27 21:00'],
    ['tomorrow two to four pm', 'time 2026-11-25 14:00 – 2026-11-25 16:00'],
    ['7pm to eleven tonight', 'time 2026-11-24 19:00 – 2026-11-24 23:00'],
    ['tomorrow between half past seven and nine', 'time 2026-11-25 07:30 – 2026-11-25 09:00'],
    ['9–5 on Friday', 'time 2026-11-27 09:00 – 2026-11-27 17:00'],
    ['from nine to five on Friday', 'time 2026-11-27 09:00 – 2026-11-27 17:00'],
    ['from two to four', 'time 2026-11-24 14:00 – 2026-11-24 16:00'],
    // Of which half of the day is not said.
    ['from seven to eleven', 'nothing'],
    // A time, numbers of things, two times.
    ['ten to five on Friday', 'time 2026-11-27 16:50 – 2026-11-27 17:50'],
    ['two to three people', 'nothing'],
    ['between two and three of them', 'nothing'],
    ['rate it from one to ten', 'nothing'],
    ['two and four tomorrow', day('2026-11-25', '2026-11-26')],
    ['lunchtime tomorrow', 'part 2026-11-25 12:00 – 2026-11-25 14:00'],
    ['first thing tomorrow', 'part 2026-11-25 08:00 – 2026-11-25 12:00'],
    ['a week from friday', day('2026-12-04', '2026-12-05')],
    ['in a fortnight', day('2026-12-08', '2026-12-09')],
    ['on friday night at 8', 'time 2026-11-27 20:00 – 2026-11-27 21:00'],
    ['dentist for the 14th at 9.20', 'time 2026-12-14 09:20 – 2026-12-14 10:20'],
    ['christmas eve', day('2026-12-24', '2026-12-25')],
    ['1 to 1 with Carol on friday', day('2026-11-27', '2026-11-28')],
    ['tomorrow til 5pm', 'time 2026-11-25 00:00 – 2026-11-25 17:00'],
    [
      'what did it cost in September, and am I free tomorrow at 14:00',
      'time 2026-11-25 14:00 – 2026-11-25 15:00',
    ],
    ['end of the month', day('2026-11-30', '2026-12-01')],
    ['monday to wednesday', day('2026-11-30', '2026-12-03')],
    ['saturday and sunday', day('2026-11-28', '2026-11-30')],
    ['28 Dec - 3 Jan', day('2026-12-28', '2027-01-04')],
    ['in two weeks on Monday', day('2026-12-07', '2026-12-08')],
    ['Monday in two weeks', day('2026-12-07', '2026-12-08')],
    ['5 days ago', day('2026-11-19', '2026-11-20')],
    ['in November', day('2026-11-01', '2026-12-01')],
    ['in may', day('2027-05-01', '2027-06-01')],
    ['29 Feb', day('2028-02-29', '2028-03-01')],
    ['feb 29 at 3pm', 'time 2028-02-29 15:00 – 2028-02-29 16:00'],
    ['31 February at 13:00', 'impossible'],
    ['2027-02-29', 'impossible'],
    ['31.11.', 'impossible'],
  ])('%s', (text, reading) => expect(read(text)).toBe(reading))
})

describe('German', () => {
  it.each([
    ['morgen um 19 Uhr Kino, zweieinhalb Stunden', 'time 2026-11-25 19:00 – 2026-11-25 21:30'],
    ['was habe ich die nächsten Tage', day('2026-11-24', '2026-11-27')],
    [
      'was kostet das im September, und habe ich morgen um 14 Uhr Zeit',
      'time 2026-11-25 14:00 – 2026-11-25 15:00',
    ],
    ['habe ich morgen um 9 Zeit?', 'time 2026-11-25 09:00 – 2026-11-25 10:00'],
    ['nächsten Freitag', day('2026-12-04', '2026-12-05')],
    ['Freitag nächster Woche', day('2026-12-04', '2026-12-05')],
    ['kommenden Dienstag', day('2026-12-01', '2026-12-02')],
    ['Freitag 15-16 Uhr', 'time 2026-11-27 15:00 – 2026-11-27 16:00'],
    ['zwischen 2 und 4 am Freitag', 'time 2026-11-27 14:00 – 2026-11-27 16:00'],
    ['von sieben bis elf abends', 'time 2026-11-24 19:00 – 2026-11-24 23:00'],
    ['von 7 bis 11 abends', 'time 2026-11-24 19:00 – 2026-11-24 23:00'],
    ['von 6 bis 8 Uhr abends', 'time 2026-11-24 18:00 – 2026-11-24 20:00'],
    ['zwischen sieben und elf abends', 'time 2026-11-24 19:00 – 2026-11-24 23:00'],
    ['heute Abend von sieben bis elf', 'time 2026-11-24 19:00 – 2026-11-24 23:00'],
    ['am Freitag von 2 bis 4 nachmittags', 'time 2026-11-27 14:00 – 2026-11-27 16:00'],
    ['am Freitag zwischen halb neun und elf', 'time 2026-11-27 08:30 – 2026-11-27 11:00'],
    ['am Freitag von neun bis siebzehn Uhr', 'time 2026-11-27 09:00 – 2026-11-27 17:00'],
    ['am Freitag zwei und drei', day('2026-11-27', '2026-11-28')],
    ['Freitag bis 17 Uhr', 'time 2026-11-27 00:00 – 2026-11-27 17:00'],
    ['Freitag nach 15 Uhr', 'time 2026-11-27 15:00 – 2026-11-28 00:00'],
    ['um 14 Uhr am 27.11.', 'time 2026-11-27 14:00 – 2026-11-27 15:00'],
    ['vom 27.11. bis 3.12. im Urlaub', day('2026-11-27', '2026-12-04')],
    ['am 3. ist was?', day('2026-12-03', '2026-12-04')],
    ['am 5. Januar 2027 um 10:30', 'time 2027-01-05 10:30 – 2027-01-05 11:30'],
    ['in einer halben Stunde', 'time 2026-11-24 12:00 – 2026-11-24 13:00'],
    ['in einer Viertelstunde', 'time 2026-11-24 11:45 – 2026-11-24 12:45'],
    ['in ner dreiviertel Stunde', 'time 2026-11-24 12:15 – 2026-11-24 13:15'],
    ['in ein paar Minuten', 'time 2026-11-24 11:33 – 2026-11-24 12:33'],
    ['für 90 Minuten morgen um 3', 'time 2026-11-25 15:00 – 2026-11-25 16:30'],
    ['um halb vier', 'time 2026-11-24 15:30 – 2026-11-24 16:30'],
    ['viertel nach drei', 'time 2026-11-24 15:15 – 2026-11-24 16:15'],
    ['heute Mittag', 'time 2026-11-24 12:00 – 2026-11-24 13:00'],
    ['prüfung 14. januar 9 uhr', 'time 2027-01-14 09:00 – 2027-01-14 10:00'],
    ['übermorgen in der Früh', 'part 2026-11-26 08:00 – 2026-11-26 12:00'],
    ['was steht in KW 50 an', day('2026-12-07', '2026-12-14')],
    ['morgen um acht', 'time 2026-11-25 08:00 – 2026-11-25 09:00'],
    ['morgen um dreiviertel 8', 'time 2026-11-25 07:45 – 2026-11-25 08:45'],
    ['habe ich am nächsten Tag etwas', day('2026-11-25', '2026-11-26')],
    ['heute Nachmittag', 'part 2026-11-24 12:00 – 2026-11-24 18:00'],
    ['morgen früh', 'part 2026-11-25 08:00 – 2026-11-25 12:00'],
    ['am Samstagabend mit mir', 'part 2026-11-28 18:00 – 2026-11-28 23:00'],
    ['übermorgen', day('2026-11-26', '2026-11-27')],
    ['am Ende des Monats', day('2026-11-30', '2026-12-01')],
    ['nächste Woche', day('2026-11-30', '2026-12-07')],
    ['das Wochenende', day('2026-11-28', '2026-11-30')],
    ['in zwei Wochen am Montag', day('2026-12-07', '2026-12-08')],
    ['vor 3 Tagen', day('2026-11-21', '2026-11-22')],
    ['im März', day('2027-03-01', '2027-04-01')],
    ['am 31. Februar', 'impossible'],
    ['Guten Morgen, wie geht es dir?', 'nothing'],
    ['lies mir bitte 5 Mails vor', 'nothing'],
    ['so machen wir das', 'nothing'],
  ])('%s', (text, reading) => expect(read(text)).toBe(reading))
})

describe('words that are no dates', () => {
  it.each([
    ...['may I ask', 'march on', 'is the sun out?', 'I sat down', 'the second one', 'wait a second'],
    ...['read 5 mails', 'give me 3', 'order 66/7', 'version 2.10', '192.168.1.1', 'call 030 1234567', '2027'],
  ])('%s', (text) => expect(read(text)).toBe('nothing'))

  it.each(['lunch Sun at 1', 'on sun', 'sun'])('%s is a Sunday', (text) =>
    expect(read(text)).toContain('2026-11-29'),
  )
})

describe('zones', () => {
  it.each([
    ['4/12', 'Europe/Berlin', '2026-12-04'],
    ['4/12', 'Australia/Sydney', '2026-12-04'],
    ['4/12', 'America/New_York', '2027-04-12'],
    ['4.12.2026', 'America/New_York', '2026-12-04'],
    ['12/31', 'Europe/Berlin', '2026-12-31'],
  ])('%s in %s is %s', (text, timezone, first) =>
    expect(read(text, NOW, timezone)).toContain(`days ${first}`),
  )

  it.each([
    ['from 1 to 4 in the night the clocks go forward', '2027-03-27T12:00:00Z', 'tomorrow 01:00 - 04:00'],
    ['and back', '2026-10-24T12:00:00Z', 'tomorrow 01:00 - 04:00'],
  ])('%s: an end is a reading of the clock', (_, now, text) => {
    const read = readDates(text, { now: Date.parse(now), zone: createZone('Europe/Berlin') })
    const { from, to } = read.span ?? { from: 0, to: 0 }
    expect((to - from) / 3_600_000).toBe(now.startsWith('2027') ? 2 : 4)
  })

  it('does not depend on the zone of the machine', () => {
    const before = process.env['TZ']
    const texts = [
      'next friday at 9',
      'end of the month',
      'tomorrow',
      'in two weeks',
      'monday to wednesday',
      '3 January',
    ]
    try {
      const readings = ['UTC', 'America/Sao_Paulo', 'Pacific/Kiritimati', 'Pacific/Pago_Pago'].map((zone) => {
        process.env['TZ'] = zone
        return texts.map((text) => read(text, '2026-12-31T23:30:00Z'))
      })
      for (const reading of readings) expect(reading).toEqual(readings[0])
    } finally {
      if (before === undefined) delete process.env['TZ']
      else process.env['TZ'] = before
    }
  })
})

it('leaves the text without its dates, at the same length', () => {
  const { rest, minutes } = readDates('Lunch with Bob on friday at 1 for 90 minutes', {
    now: Date.parse(NOW),
    zone: createZone('UTC'),
  })
  expect(rest).toBe('Lunch with Bob'.padEnd('Lunch with Bob on friday at 1 for 90 minutes'.length))
  expect(minutes).toBe(90)
})

it.each([
  ['Choir between seven and eleven in the evening on Friday', 'Choir'],
  ['Chor am Freitag von sieben bis elf abends', 'Chor'],
  ['Choir 7pm to eleven tonight', 'Choir'],
])('“%s” leaves “%s”, at the same length', (text, left) => {
  const { rest } = readDates(text, { now: Date.parse(NOW), zone: createZone('UTC') })
  expect(rest).toBe(left.padEnd(text.length))
})

it('reads spans in words in linear time', () => {
  for (const piece of ['between seven and ', 'half past seven to ', 'von acht bis '])
    expect(isLinear((times) => read(piece.repeat(times)), 1_250)).toBe(true)
})

it.each([
  ['will it rain on friday in Lisbon', 13, 22],
  ['on Friday, book lunch', 0, 9],
  ['read the second one', -1, -1],
])('%s: the day stands at %d to %d', (text, start, end) =>
  expect(findDay(text) ?? { start: -1, end: -1 }).toEqual({ start, end }),
)

describe('dates written in full', () => {
  it.each([
    ['on 5 December 2026, or Dec 6, 2026 at the latest', ['2026-12-05', '2026-12-06']],
    ['the 3rd of March 2027', ['2027-03-03']],
    ['2026-11-27T10:00 and 2026-11-27', ['2026-11-27']],
    ['Rechnung vom 27.11.2026, fällig am 4. Januar 2027', ['2026-11-27', '2027-01-04']],
    ['3 - 5 December 2026', ['2026-12-03', '2026-12-05']],
    ['tomorrow, next friday, 4/12/2026, 5 December, in 2026, room 2026', []],
    ['31 February 2026', []],
  ])('%s', (text, dates) => expect(writtenDates(text, 20)).toEqual(dates))

  it('stops at its bounds, in linear time', () => {
    const textOf = (times: number): string => '5 December 2026 1999 '.repeat(times)
    expect(writtenDates(textOf(2_000), 20)).toEqual(['2026-12-05'])
    expect(isLinear((times) => writtenDates(textOf(times), 20), 500)).toBe(true)
  })
})

/** Spans over midnight, weeks counted from a day, clock times as they are said, whole days and ends of months, in two languages. */
import { describe, expect, it } from 'vitest'
import { readDates } from '../../integrations/dates/read.ts'
import { NOW, read, rows, zone } from './reading.ts'

describe('a span over midnight ends in the next morning', () => {
  it.each<[string, string]>([
    ...rows(
      '2026-11-27 19:45 – 08:15',
      'friday 19:45 til 08:15',
      'friday 19:45 to 08:15',
      'friday 19:45-08:15',
    ),
    ...rows(
      '2026-11-27 20:00 – 06:00',
      'Freitag 20 bis 6 Uhr',
      'Freitag 20:00 bis 6:00',
      'zwischen 20 und 6 Uhr am Freitag',
    ),
    ...rows(
      '2026-11-27 22:00 – 02:00',
      'Freitag von 22 Uhr bis 2 Uhr',
      'friday 22:00 to 02:00',
      'Fr 22-2 Uhr',
    ),
    ['nights 8pm to 8am', '2026-11-22 20:00 – 08:00 | nights'],
    ['tomorrow 20:00 to 8:00', '2026-11-23 20:00 – 08:00'],
    ['Nachtdienst am 4. Dezember 20-8 Uhr', '2026-12-04 20:00 – 08:00 | Nachtdienst'],
  ])('%s', (text, reading) => {
    expect(read(text)).toBe(reading)
    const { from, to } = readDates(text, { now: NOW, zone }).span ?? { from: 0, to: 0 }
    expect(zone.dayOf(to) - zone.dayOf(from)).toBe(1)
  })

  it.each<[string, string]>([
    ['friday 19:30 to 9', '2026-11-27 19:30 – 21:00'],
    ['friday 18:00 to 9:30', '2026-11-27 18:00 – 21:30'],
    ['morgen 18-20 Uhr', '2026-11-23 18:00 – 20:00'],
    ['friday 18:30-8pm', '2026-11-27 18:30 – 20:00'],
  ])('%s: one of the same evening does not', (text, reading) => expect(read(text)).toBe(reading))
})

describe('weeks from a day', () => {
  it.each<[string, string]>([
    ...rows('2026-11-30', 'Montag in einer Woche', 'Montag in acht Tagen', 'monday week', 'monday in a week'),
    ...rows('2026-11-30', 'morgen in einer Woche', 'tomorrow week', 'a week tomorrow', 'a week from monday'),
    ...rows('2026-11-29', 'heute in einer Woche', 'heute in acht Tagen', 'a week today', 'today in a week'),
    ...rows('2026-12-06', 'heute in 14 Tagen', 'heute in vierzehn Tagen', 'in vierzehn Tagen'),
    ...rows('2026-12-11', 'friday fortnight', 'a fortnight on friday', 'Freitag in vierzehn Tagen'),
    ['monday week at 10', '2026-11-30 10:00'],
    ['Montag in zwei Wochen', '2026-12-07'],
    ['how is my monday week looking', '2026-11-23 | how is my week looking'],
  ])('%s', (text, reading) => expect(read(text)).toBe(reading))
})

describe('times as they are said', () => {
  it.each<[string, string]>([
    ...rows('2026-12-03 15:30', 'am 3. Dezember um 15 Uhr 30', 'am 3. Dezember um 15 30 Uhr'),
    ...rows('2026-11-23 15:30', 'morgen um 15 Uhr 30', 'morgen um 15 30 Uhr'),
    ['von 15 Uhr 30 bis 17 Uhr 15 am Freitag', '2026-11-27 15:30 – 17:15'],
    ['morgen um 15 Uhr 30 Leute einladen', '2026-11-23 15:00 | 30 Leute einladen'],
    ['um 15 Uhr 30. November', '2026-11-30 15:00'],
    ['morgen um halb acht Uhr abends', '2026-11-23 19:30'],
    ['morgen um viertel nach drei nachmittags', '2026-11-23 15:15'],
    ['morgen dreiviertel neun', '2026-11-23 08:45'],
    ['morgen um fünf vor halb neun', '2026-11-23 08:25'],
    ['morgen um zehn nach halb neun', '2026-11-23 08:40'],
    ['morgen um sechzehn Uhr', '2026-11-23 16:00'],
    ...rows('2026-11-23 06:00', 'six tomorrow morning', '6 tomorrow morning', 'at six tomorrow morning'),
    ['alarm for 6 tomorrow morning', '2026-11-23 06:00 | alarm'],
    ['move it to 9:30 tomorrow morning', '2026-11-23 09:30 | move it to'],
    ['7 tonight', '2026-11-22 19:00'],
    ['ten monday morning', '2026-11-23 10:00'],
    ["tomorrow at eight o'clock", '2026-11-23 08:00'],
    ['tomorrow at eight o clock', '2026-11-23 08:00'],
    ['tomorrow at twenty five past eight', '2026-11-23 08:25'],
    ['tomorrow ten to six', '2026-11-23 17:50'],
    ['tomorrow at quarter to seven in the evening', '2026-11-23 18:45'],
    ['fri nite at 9', '2026-11-27 21:00'],
    ['on the fourteenth at a quarter past two', '2026-12-14 14:15'],
  ])('%s', (text, reading) => expect(read(text)).toBe(reading))

  it.each<[string, string]>([
    ['book room 8 tomorrow morning', '2026-11-23 08:00 – 12:00 | book room 8'],
    ['table for 6 tomorrow evening', '2026-11-23 18:00 – 23:00 | table for 6'],
    ['cancel the two tomorrow morning', '2026-11-23 08:00 – 12:00 | cancel the two'],
    ['do I have one tomorrow morning', '2026-11-23 08:00 – 12:00 | do I have one'],
  ])('%s: a number of things is no hour', (text, reading) => expect(read(text)).toBe(reading))
})

describe('whole days, nights and ends of months', () => {
  it.each<[string, string]>([
    ...rows('2026-11-28', 'the 28th all day', 'all day on the 28th', 'saturday the whole day'),
    ...rows(
      '2027-01-31',
      'am 31. Jänner den ganzen Tag',
      'am 31. Jänner ganztags',
      'am 31. Januar, ganztägig',
    ),
    ['dentist the 28th all day', '2026-11-28 | dentist'],
    ['the tenth all day', '2026-12-10'],
    ['on friday all day meeting', '2026-11-27 | all day meeting'],
    ['put it on friday at 9 all day', '2026-11-27 09:00 | put it all day'],
    ['2026-12-07', '2026-12-07'],
    ['the tenth', '2026-12-10'],
    ...rows('2026-11-27 18:00 – 23:00', 'Freitagnacht', 'friday night', 'fri nite'),
    ...rows(
      '2026-11-30',
      'am Monatsletzten',
      'am letzten des Monats',
      'the last of the month',
      'end of the month',
    ),
    ...rows('2026-12-01', 'the first of next month', 'on the first of december'),
    ['the last of january', '2027-01-31'],
  ])('%s', (text, reading) => expect(read(text)).toBe(reading))
})

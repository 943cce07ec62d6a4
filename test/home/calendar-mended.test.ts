/**
 * Calendars of which single lines are no iCalendar, as programs and people publish them: the other events are read, an event whose times such a line decides is
 * known to be broken and not told at a wrong time, and what is written back is never made of it.
 */
import { expect, it } from 'vitest'
import {
  newPatience,
  occurrencesIn,
  readCalendar,
  readWhatFits,
  seriesIn,
} from '../../sidecar/calendar/ical.ts'
import { icsOf } from '../fakes/office.ts'

const span = { start: Date.parse('2026-11-01T00:00:00Z'), end: Date.parse('2026-12-31T00:00:00Z') }
const AT = ['DTSTART:20261127T090000Z', 'DTEND:20261127T100000Z', 'SUMMARY:Lunch']
const OTHER = ['BEGIN:VEVENT', 'UID:2@example.org', 'DTSTART:20261128T090000Z', 'SUMMARY:Other', 'END:VEVENT']

function read(
  lines: readonly string[],
  before: readonly string[] = [],
): readonly [readonly string[], boolean] {
  const calendar = readWhatFits(icsOf(lines, { before: [...OTHER, ...before] }))
  if (!calendar.ok) throw new Error(calendar.reason.code)
  const look = { span, timezone: 'Europe/Madrid', patience: newPatience() }
  const { list, broken } = occurrencesIn(seriesIn(calendar.value), look)
  return [
    list.map(({ item, from }) => `${item.getFirstPropertyValue('summary')} ${from.slice(0, 16)}`),
    broken,
  ]
}

const [OWN, BESIDE] = ['Lunch 2026-11-27T09:00', 'Other 2026-11-28T09:00']

it.each<[what: string, lines: readonly string[]]>([
  ['a word between the lines', [...AT, 'X']],
  ['a property with an equals sign', [...AT, 'X-APPLE-RADIUS=49.9']],
  ['an organizer without an address', [...AT, 'ORGANIZER;CN=Sixt SE']],
  ['a quotation that does not end', [...AT, 'ATTENDEE;CN="Tom:mailto:tom@example.org']],
  ['a note whose second line is not folded', [...AT, 'DESCRIPTION:one', 'two, without a space before it']],
  [
    'an alarm with such a line',
    [...AT, 'BEGIN:VALARM', 'TRIGGER:-PT5M', 'NOISE', 'ACTION:DISPLAY', 'END:VALARM'],
  ],
])('%s hides nothing', (_, lines) => {
  expect(readCalendar(icsOf(lines))).toMatchObject({ ok: false })
  expect(read(lines)).toEqual([[BESIDE, OWN], false])
})

it.each<[what: string, lines: readonly string[]]>([
  ['a rule that is none', [...AT, 'RRULE:FREQ=SOMETIMES']],
  ['a time that was left out that is none', [...AT, 'RRULE:FREQ=DAILY;COUNT=3', 'EXDATE']],
  ['a beginning that is none', ['DTSTART', 'SUMMARY:Lunch']],
])('%s: its event is broken, and the others are read', (_, lines) => {
  expect(read(lines)).toEqual([[BESIDE], true])
})

it('reads a rule with spaces in its lists', () => {
  expect(read([...AT, 'RRULE:FREQ=WEEKLY;COUNT=2;BYDAY=TU, FR'])).toEqual([
    [BESIDE, OWN, 'Lunch 2026-12-01T09:00'],
    false,
  ])
})

it('leaves out a time zone of which a line is none, and takes the zone by its name', () => {
  const zone = [
    'BEGIN:VTIMEZONE',
    'TZID:Europe/Madrid',
    'BEGIN:STANDARD',
    'RRULE:FREQ=NEVER',
    'END:STANDARD',
    'END:VTIMEZONE',
  ]
  expect(read(['DTSTART;TZID=Europe/Madrid:20261127T100000', 'SUMMARY:Lunch'], zone)).toEqual([
    [BESIDE, OWN],
    false,
  ])
})

it.each([
  ['no calendar', 'Dear Sir or Madam,'],
  ['a part that does not end', 'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nX\r\n'],
  ['parts that end crosswise', 'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nX\r\nEND:VCALENDAR\r\nEND:VEVENT\r\n'],
  ['parts without an end of them', 'BEGIN:VCALENDAR\r\n'.repeat(50)],
])('%s stays none', (_, text) => {
  expect(readWhatFits(text)).toMatchObject({ ok: false, reason: { code: 'tool_result_invalid' } })
})

it.each<[what: string, lines: readonly string[], from: string]>([
  ['as some programs write it', ['DTSTART:20261127', 'SUMMARY:Lunch'], '2026-11-27'],
  ['that ends where it begins', ['DTSTART:20261127', 'DTEND:20261127', 'SUMMARY:Lunch'], '2026-11-27'],
  ['with a zone', ['DTSTART;TZID=Europe/Berlin:20261127', 'SUMMARY:Lunch'], '2026-11-27'],
  ['said to be a time', ['DTSTART;VALUE=DATE-TIME:20261127', 'SUMMARY:Lunch'], '2026-11-27'],
])('reads a whole day %s', (_, lines, from) => {
  const calendar = readWhatFits(icsOf(lines))
  const look = { span, timezone: 'Europe/Madrid', patience: newPatience() }
  const { list } = occurrencesIn(seriesIn(calendar.ok ? calendar.value : ({} as never)), look)
  expect(list.map((one) => [one.allDay, one.from, one.to])).toEqual([[true, from, '2026-11-28']])
})

it('leaves a repeated whole day out where it says so without saying that it is a day', () => {
  expect(read(['DTSTART:20261127', 'RRULE:FREQ=DAILY;COUNT=3', 'EXDATE:20261128', 'SUMMARY:Lunch'])).toEqual([
    ['Other 2026-11-28T09:00', 'Lunch 2026-11-27', 'Lunch 2026-11-29'],
    false,
  ])
})

it('what stands before or behind a calendar is none of it', () => {
  const calendar = icsOf(AT)
  for (const text of [`${calendar}\nX-COMMENT:Cached a minute ago`, `HTTP noise\n${calendar}`])
    expect(readWhatFits(text)).toMatchObject({ ok: true })
  for (const text of ['no calendar at all', 'BEGIN:VEVENT\nEND:VEVENT', ''])
    expect(readWhatFits(text)).toMatchObject({ ok: false })
})

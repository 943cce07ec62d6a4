/** Mails since a day: the last such day, up to now, and the name alone. */
import { expect, it } from 'vitest'
import { readingOf } from '../../bench/phrases/score.ts'
import { createZone } from '../../integrations/dates/zone.ts'
import { createMessageExtractor } from '../../integrations/extractors/message/message.ts'
import { ofMail } from '../../integrations/models/rules/written-german.ts'

/** A Sunday at noon in Berlin. */
const NOW = Date.parse('2026-11-29T11:00:00Z')
const TODAY_ENDS = '2026-11-30T00:00:00+01:00'

function read(text: string): Readonly<Record<string, unknown>> {
  const fields = createMessageExtractor().extract(text, { now: NOW, timezone: 'Europe/Berlin' })
  return fields as Readonly<Record<string, unknown>>
}

it.each([
  ['any mail from barbara since monday', 'barbara', '2026-11-23'],
  ['mails from Tom since Friday', 'Tom', '2026-11-27'],
  ['did Anna write since Tuesday', 'Anna', '2026-11-24'],
  ['mails von tom seit montag', 'tom', '2026-11-23'],
  ['any mail from Tom since 3 May', 'Tom', '2026-05-03'],
  ['any mail from Tom since yesterday', 'Tom', '2026-11-28'],
])('%s', (text, person, day) => {
  expect(read(text)).toMatchObject({ intent: 'email_check', person, to: TODAY_ENDS })
  expect(String(read(text)['from']).slice(0, 10)).toBe(day)
})

it.each([
  ['zeig mir die mails von freitag', '2026-11-20', '2026-11-21'],
  ['show me mails from friday', '2026-11-20', '2026-11-21'],
  ['wer hat mir seit freitag alles geschrieben', '2026-11-20', '2026-11-23'],
])('%s: no mail came on a day that is ahead', (text, from, to) => {
  const [call, ...others] = readingOf(text).calls
  const { since, before } = (call?.args ?? {}) as Readonly<Record<string, unknown>>
  expect(others).toEqual([])
  expect(call?.tool).toBe('email.list')
  expect([String(since).slice(0, 10), String(before).slice(0, 10)]).toEqual([from, to])
})

it.each(['seit freitag', 'von freitag'])('%s: the plan has the day that is over', (day) => {
  const moment = { now: NOW, zone: createZone('Europe/Berlin') }
  const span = { from: Date.parse('2026-12-04T00:00:00+01:00'), to: Date.parse('2026-12-05T00:00:00+01:00') }
  expect(ofMail(span, `mails ${day}`, moment).from).toBe(Date.parse('2026-11-27T00:00:00+01:00'))
  expect(ofMail(span, 'mails nächsten freitag', moment)).toEqual(span)
  expect(ofMail(span, 'mails im dezember', moment)).toEqual(span)
})

it('leaves what is of no mail, and what has no such word, as it was', () => {
  expect(read('any mail from Tom')).not.toHaveProperty('from')
  expect(read("what's on Monday")['from']).toBe('2026-11-30T00:00:00+01:00')
  expect(read('any mail from Seitz on Monday')).not.toMatchObject({ person: '' })
})

/** Mails since a day: the last such day, up to now, and the name alone. */
import { expect, it } from 'vitest'
import { createMessageExtractor } from '../../integrations/extractors/message/message.ts'

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

it('leaves what is of no mail, and what has no such word, as it was', () => {
  expect(read('any mail from Tom')).not.toHaveProperty('from')
  expect(read("what's on Monday")['from']).toBe('2026-11-30T00:00:00+01:00')
  expect(read('any mail from Seitz on Monday')).not.toMatchObject({ person: '' })
})

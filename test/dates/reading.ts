/** What the tests of dates read of a text, in one line, and rows of texts that read alike. Holds no expectation. */
import { readDates } from '../../integrations/dates/read.ts'
import { createZone, DAY } from '../../integrations/dates/zone.ts'

/** Sunday, 22 November 2026, 11:30 in Berlin. */
export const NOW = Date.parse('2026-11-22T10:30:00Z')
export const zone = createZone('Europe/Berlin')

/** `2026-12-08`, `2026-12-08 08:00`, or two of them with ` – `; behind ` | ` what is left of the text. */
export function read(text: string): string {
  const { span, impossible, rest } = readDates(text, { now: NOW, zone })
  if (span === null) return impossible ? 'asks' : 'nothing'
  const left = rest.replace(/\s+/g, ' ').trim()
  const [from, to] = [span.from, span.to].map((instant) => zone.iso(instant).slice(0, 16).replace('T', ' '))
  const last = new Date((zone.dayOf(span.to) - 1) * DAY).toISOString().slice(0, 10)
  const first = from?.slice(0, 10)
  const isHour = span.named === 'time' && span.to - span.from === 3_600_000
  const said = isHour
    ? from
    : span.named === 'days'
      ? first === last
        ? first
        : `${first} – ${last}`
      : `${from} – ${first === to?.slice(0, 10) || span.named === 'time' ? to?.slice(11) : to}`
  return left === '' ? `${said}` : `${said} | ${left}`
}

export function rows(reading: string, ...texts: readonly string[]): [string, string][] {
  return texts.map((text) => [text, reading])
}

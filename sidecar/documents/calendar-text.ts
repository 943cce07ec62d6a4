/**
 * The events of a calendar file (RFC 5545), such as the invitation of a mail, as a sender wrote them. Repetitions are not walked. Must not run in home's
 * own process: its input is hostile. Called by document-child.ts.
 */
import type ICAL from 'ical.js'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { type Component, eventsOf, readWhatFits, textOf } from '../calendar/ical.ts'
import { plain } from './text-lines.ts'

/** Events that are read, addresses of all of them together, and UTF-16 units of a text: with the escapes of JSON all of it fits the line that the process prints. */
const MOST = Object.freeze({ events: 10, addresses: 60, address: 254, line: 300, note: 1_000 })
/** Bytes of a file: a year of a busy calendar has a megabyte, an invitation five kilobytes. */
const MOST_BYTES = 4_194_304

/** Checked again by home: `invitedEvent`. */
export interface FoundEvents {
  readonly events: readonly object[]
}

/** Refusals: field_malformed for what is no calendar; nothing_found for one without an event. */
export function calendarEvents(bytes: Uint8Array, timezone: string): Result<FoundEvents> {
  if (bytes.length > MOST_BYTES) return err('field_malformed')
  const calendar = readWhatFits(new TextDecoder().decode(bytes))
  if (!calendar.ok) return err('field_malformed')
  const method = textOf(calendar.value, 'method').toLowerCase().slice(0, 20)
  let left = MOST.addresses
  const events = eventsOf(calendar.value, timezone, MOST.events).map((event) => {
    const { item, allDay, from, to, repeats, cancelled } = event
    const all = item.getAllProperties('attendee').map(addressOf)
    const attendees = all.filter((one) => one !== '').slice(0, left)
    left -= attendees.length
    return {
      ...{ method: cancelled ? 'cancel' : method === '' ? 'publish' : method, from, to, allDay, repeats },
      title: lineOf(item, 'summary'),
      place: lineOf(item, 'location'),
      note: textOf(item, 'description').slice(0, MOST.note).split('\n').map(plain).join('\n').toWellFormed(),
      organizer: addressOf(item.getFirstProperty('organizer')),
      ...{ attendees, invited: all.length },
    }
  })
  return events.length === 0 ? err('nothing_found') : ok({ events })
}

function lineOf(item: Component, name: string): string {
  return plain(textOf(item, name).slice(0, MOST.line)).toWellFormed()
}

/** Empty for what is no mail address. */
function addressOf(property: ICAL.Property | null): string {
  const value: unknown = property?.getFirstValue()
  const address = typeof value === 'string' ? /^mailto:(.+)$/i.exec(value.trim())?.[1] : undefined
  if (address === undefined || address.length > MOST.address || plain(address) !== address) return ''
  return address.toLowerCase()
}

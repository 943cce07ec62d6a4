/**
 * The appointments of a mail: those of its invitation, otherwise those in structured data of its HTML (J-05), otherwise those in
 * its words. Times are parsed by code; titles, places and sentences are the sender's. Pure. Called by shape.ts.
 */
import { createZone, DAY, MINUTE, type Zone } from '../../../dates/zone.ts'
import type { InvitedEvent } from '../../../extractors/document.ts'
import { cleanLine } from '../../../extractors/page-clean.ts'
import { type StatedEvent, statedBlocks, statedEvents } from '../../../extractors/stated-events.ts'
import { appointmentsIn } from '../../../extractors/timed/appointments.ts'
import { APPOINTMENT_TEXT, MAX_APPOINTMENTS } from '../manifest.ts'

/** As declared in the manifest: an all-day event has two dates, of which the second is the day after. */
export interface MailAppointment {
  readonly title: string
  readonly from: string
  readonly to: string
  readonly place?: string
  /** The sentence that contains the times. */
  readonly note?: string
}

export interface DatedMail {
  /** Events of its invitation; empty if none could be read. */
  readonly invited: readonly InvitedEvent[]
  /** Empty for a mail without HTML. */
  readonly html: string
  readonly body: string
  readonly subject: string
  /** When it was received. */
  readonly date: string
  readonly zone: Zone
}

/** Default length in milliseconds, if no end is stated. */
const USUAL = 60 * MINUTE

export function appointmentsOf(mail: DatedMail): readonly MailAppointment[] {
  const invited = mail.invited.filter(isOnce).map(ofInvitation)
  const stated =
    invited.length > 0 ? [] : statedEvents(statedBlocks(mail.html)).map((one) => ofStated(one, mail))
  const known = [...invited, ...stated]
  return (known.length > 0 ? known : ofWords(mail)).slice(0, MAX_APPOINTMENTS)
}

/** Whether it is a single event: a recurring one cannot be entered as one, and a cancellation is none. */
function isOnce({ method, repeats }: InvitedEvent): boolean {
  return (method === 'request' || method === 'publish') && !repeats
}

function ofInvitation({ title, from, to, place }: InvitedEvent): MailAppointment {
  return shaped({ title, from, to: to > from ? to : after(from), place: place ?? '' })
}

function ofStated({ title, from, to, place }: StatedEvent, { subject }: DatedMail): MailAppointment {
  // A stated last day is included in the event.
  const end = to === null ? null : isDay(to) ? dayAfter(to) : to
  return shaped({ title: title === '' ? subject : title, from, to: end ?? after(from), place })
}

function ofWords({ body, subject, date, zone }: DatedMail): readonly MailAppointment[] {
  const now = Date.parse(date)
  const day = (instant: number): string => new Date(zone.dayOf(instant) * DAY).toISOString().slice(0, 10)
  return appointmentsIn(body, { now, zone }).map(({ span, sentence, place }) => {
    const spell = span.named === 'time' ? zone.iso : day
    return shaped({
      title: subject,
      from: spell(span.from),
      to: spell(span.to),
      place: place ?? '',
      note: sentence,
    })
  })
}

function isDay(date: string): boolean {
  return !date.includes('T')
}

function dayAfter(date: string): string {
  return new Date(Date.parse(date) + DAY).toISOString().slice(0, 10)
}

function after(from: string): string {
  return isDay(from) ? dayAfter(from) : createZone('UTC').iso(Date.parse(from) + USUAL)
}

function shaped({
  title,
  place,
  note = '',
  ...times
}: {
  readonly title: string
  readonly from: string
  readonly to: string
  readonly place: string
  readonly note?: string
}): MailAppointment {
  const [where, said] = [cleanLine(place, APPOINTMENT_TEXT.place), cleanLine(note, APPOINTMENT_TEXT.note)]
  return {
    ...{ title: cleanLine(title, APPOINTMENT_TEXT.title), ...times },
    ...(where !== '' && { place: where }),
    ...(said !== '' && { note: said }),
  }
}

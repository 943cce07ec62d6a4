/**
 * Mailbox, calendar, pages and weather of a recorded day, in memory: tools that store what is written, so that a request is
 * judged by its effects. Must not judge. Called by replay.ts.
 */

import { writtenDates } from '../../integrations/dates/read.ts'
import { slotsOf } from '../../integrations/tools/calendar/slots.ts'
import { MAX_DATES } from '../../integrations/tools/email/manifest.ts'
import { askedIn } from '../../integrations/tools/email/message/asking.ts'
import { linksIn, requestsIn } from '../../integrations/tools/email/message/mentions.ts'
import { localMoment, zonedMinute } from '../../kernel/wording/output.ts'
import { wallTime } from '../../scripts/demo/clock.ts'
import type { ScriptedTool } from '../../test/pipeline/world.ts'
import type { Day, Wrote } from './day.ts'

/** Time zone of every recorded day. */
export const ZONE = 'Europe/Madrid'
const DAY_LENGTH = 86_400_000
/** Default number of emails in a list, as in the real tool. */
const LISTED = 10
/** Number of days of a forecast. */
const FORECAST = 7

export interface Accounts {
  readonly tools: Readonly<Record<string, ScriptedTool>>
  /** Writes to the calendar, oldest first. */
  readonly written: readonly Wrote[]
}

interface Event {
  readonly id: string
  readonly title: string
  /** Epoch milliseconds. */
  readonly start: number
  readonly end: number
  readonly location?: string
  readonly people: readonly string[]
}

type Args = Readonly<Record<string, unknown>>

const NOT_FOUND = { ok: false, reason: { code: 'remote_not_found', facts: {} } } as const

/** Epoch milliseconds of a wall time. */
export function atWall(moment: string): number {
  const [day = '', time = ''] = moment.split('T')
  return Date.parse(wallTime(day, time, ZONE))
}

export function createAccounts(day: Day): Accounts {
  const { tools, written } = createCalendar(day)
  return { tools: { ...tools, ...mailTools(day), ...publicTools(day) }, written }
}

function mailTools({ mails }: Day): Accounts['tools'] {
  const newest = [...mails].sort((a, b) => b.date.localeCompare(a.date))
  const headOf = ({ id, from, fromName, subject, date }: Day['mails'][number]) => ({
    ...{ id, from, fromName, subject, date: zoned(atWall(date)), hasAttachments: false },
  })
  return {
    'email.list': ({ unread, count }) => {
      const found = newest.filter((mail) => unread !== true || mail.unread)
      const shown = found.slice(0, typeof count === 'number' ? count : LISTED)
      const emails = shown.map((mail) => ({
        ...{ ...headOf(mail), unread: mail.unread, snippet: mail.body.trim().slice(0, 80) },
      }))
      return { ok: true, output: { emails, more: found.length > shown.length } }
    },
    'email.read': ({ id }) => {
      const mail = mails.find((one) => one.id === id)
      if (mail === undefined) return NOT_FOUND
      const { subject, body } = mail
      const found = { links: linksIn(body), dates: writtenDates(body, MAX_DATES) }
      const rest = { to: ['owner@home.example'], body, truncated: false, ...found }
      return {
        ok: true,
        output: { ...headOf(mail), ...rest, requests: requestsIn(`${subject}\n${body}`) },
      }
    },
    'email.digest': () => {
      const emails = newest
        .filter((mail) => mail.unread)
        .map((mail) => {
          const sentence = askedIn({ text: mail.body, subject: mail.subject })
          return {
            ...headOf(mail),
            unread: true,
            asks: sentence !== null,
            ...(sentence !== null && { sentence }),
          }
        })
      const shown = [...emails.filter(({ asks }) => asks), ...emails.filter(({ asks }) => !asks)]
      return { ok: true, output: { emails: shown, unread: emails.length, more: false } }
    },
    'email.count': () => ({
      ok: true,
      output: { unread: mails.filter(({ unread }) => unread).length, more: false },
    }),
  }
}

function createCalendar(day: Day): Accounts {
  let events: readonly Event[] = day.events.map((event, index) => ({
    ...{ id: `event-${index + 1}`, title: event.title, people: event.people },
    ...{ start: atWall(event.from), end: atWall(event.to) },
    ...(event.location !== undefined && { location: event.location }),
  }))
  let made = events.length
  const written: Wrote[] = []
  const within = ({ from, to }: Args): readonly Event[] =>
    events
      .filter(({ start, end }) => end > instantOf(String(from)) && start < instantOf(String(to)))
      .sort((a, b) => a.start - b.start)
  const named = (args: Args): Event | undefined => events.find(({ id }) => id === args['id'])
  const tools: Accounts['tools'] = {
    'calendar.freebusy': (args) => {
      const span = { start: instantOf(String(args['from'])), end: instantOf(String(args['to'])) }
      const slots = slotsOf(within(args), span).map((slot) => ({ ...spanOf(slot), busy: slot.busy }))
      return { ok: true, output: { slots } }
    },
    'calendar.list_events': (args) => ({
      ok: true,
      output: { events: within(args).map(shown), more: false },
    }),
    'calendar.create_event': (args) => {
      made += 1
      const event = changed({ id: `event-${made}`, title: '', start: 0, end: 0, people: [] }, args)
      events = [...events, event]
      written.push({ do: 'book', ...record(event), people: [...event.people] })
      return { ok: true, output: { id: event.id, ...spanOf(event) } }
    },
    'calendar.update_event': (args) => {
      const event = named(args)
      if (event === undefined) return NOT_FOUND
      const next = changed(event, args)
      events = events.map((one) => (one.id === event.id ? next : one))
      const people = next.people.filter((address) => !event.people.includes(address))
      written.push({ do: 'change', event: event.title, ...record(next), people })
      return {
        ok: true,
        output: { id: event.id, title: next.title, ...spanOf(next), before: spanOf(event) },
      }
    },
    'calendar.delete_event': (args) => {
      const event = named(args)
      if (event === undefined) return NOT_FOUND
      events = events.filter(({ id }) => id !== event.id)
      written.push({ do: 'delete', event: event.title, people: [] })
      return { ok: true, output: { id: event.id, title: event.title, gone: false, ...spanOf(event) } }
    },
  }
  return { tools, written }
}

/** Applies a change. A new start without a new end keeps the length, as in the real tool. */
function changed(event: Event, args: Args): Event {
  const given = (name: string): number | null =>
    args[name] === undefined ? null : instantOf(String(args[name]))
  const start = given('from') ?? event.start
  const invited = [args['attendees'] ?? [], args['invite'] ?? []].flat().map(String)
  return {
    ...event,
    ...(args['title'] !== undefined && { title: String(args['title']) }),
    ...(args['location'] !== undefined && { location: String(args['location']) }),
    ...{ start, end: given('to') ?? start + event.end - event.start },
    people: [...event.people, ...invited],
  }
}

/** Epoch milliseconds; a day begins at midnight in the owner's zone. */
function instantOf(date: string): number {
  return date.length === 10 ? atWall(`${date}T00:00`) : Date.parse(date)
}

function record(event: Event) {
  const { title, start, end, location } = event
  const wall = (at: number): string => localMoment(at, ZONE).replace(' ', 'T')
  return { title, from: wall(start), to: wall(end), ...(location !== undefined && { location }) }
}

function shown(event: Event) {
  const { id, title, location, people } = event
  const invited = people.map((email) => ({ email, answer: 'none' as const }))
  return {
    ...{ id, title, ...spanOf(event), allDay: false, attendees: people.length, people: invited },
    ...(location !== undefined && { location }),
  }
}

function spanOf({ start, end }: Pick<Event, 'start' | 'end'>) {
  return { from: zoned(start), to: zoned(end) }
}

function zoned(at: number): string {
  return zonedMinute(at, ZONE)
}

function publicTools({ pages, start }: Day): Accounts['tools'] {
  const first = atWall(start)
  const days = Array.from({ length: FORECAST }, (_, index) => ({
    ...{ date: localMoment(first + index * DAY_LENGTH, ZONE).slice(0, 10), sky: 'cloudy' },
    ...{ low: 4, high: 9, rain: 1, chance: 30, wind: 15 },
  }))
  return {
    'web.read': ({ url }) => {
      const page = pages.find((one) => one.url === url)
      if (page === undefined) return NOT_FOUND
      const { title, text } = page
      return { ok: true, output: { title, text, links: [], language: 'unknown' } }
    },
    'weather.forecast': ({ place }) => ({ ok: true, output: { place: String(place), days } }),
  }
}

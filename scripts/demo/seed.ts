/**
 * Converts the demo's data files into the seed of the mail and calendar emulator, relative to now. Must not do I/O except
 * reading those files. Called by place.ts.
 */
import { readFileSync } from 'node:fs'
import { parse } from 'smol-toml'
import * as z from 'zod/mini'
import { dayAfter, daysUntil, wallTime } from './clock.ts'
import { DEMO_ACCOUNT } from './people.ts'

const HOUR_MS = 3_600_000
const DAYS_A_WEEK = 7
/** The demo's second calendar. */
const FAMILY = { name: 'Family', id: 'family@group.calendar.example' }

const time = z.string().check(z.regex(/^\d{2}:\d{2}$/))

const mailbox = z.strictObject({
  mails: z.array(
    z.strictObject({
      id: z.string(),
      hours_ago: z.number(),
      unread: z._default(z.boolean(), true),
      /** Label under which the mail was archived; absent: it is in the inbox. */
      label: z.optional(z.string()),
      from: z.string(),
      subject: z.string(),
      body: z.string(),
    }),
  ),
})

const calendar = z.strictObject({
  events: z.array(
    z.strictObject({
      id: z.string(),
      days: z.optional(z.array(z.int())),
      weekday: z.optional(z.int().check(z.minimum(0), z.maximum(6))),
      start: time,
      end: time,
      summary: z.string(),
      calendar: z.optional(z.string()),
      location: z.optional(z.string()),
      attendees: z._default(z.array(z.email()), []),
    }),
  ),
})

export interface SeedContext {
  /** Epoch milliseconds. */
  readonly now: number
  readonly timezone: string
}

/** Seed of the emulator's `google` service: one account, its mails and its calendars. */
export function googleSeed(context: SeedContext) {
  return {
    users: [{ email: DEMO_ACCOUNT, name: 'Demo Owner' }],
    labels: seedLabels(),
    messages: seedMails(context),
    calendars: [
      { id: 'primary', summary: 'Calendar', primary: true, time_zone: context.timezone },
      { id: FAMILY.id, summary: FAMILY.name, selected: true, time_zone: context.timezone },
    ],
    calendar_events: seedEvents(context),
  }
}

export function seedMails({ now }: SeedContext) {
  return mailsIn().map((mail) => ({
    id: mail.id,
    from: mail.from,
    to: DEMO_ACCOUNT,
    subject: mail.subject,
    body_text: mail.body,
    date: new Date(now - mail.hours_ago * HOUR_MS).toISOString(),
    label_ids: [
      mail.label === undefined ? 'INBOX' : idOfLabel(mail.label),
      ...(mail.unread ? ['UNREAD'] : []),
    ],
  }))
}

/** Labels of the demo's mails. */
export function seedLabels() {
  const names = mailsIn().flatMap(({ label }) => label ?? [])
  return [...new Set(names)].map((name) => ({ id: idOfLabel(name), name, type: 'user' as const }))
}

function mailsIn() {
  return z.parse(mailbox, readData('mailbox.toml')).mails
}

function idOfLabel(name: string): string {
  return `Label_${name.toLowerCase()}`
}

export function seedEvents({ now, timezone }: SeedContext) {
  return z.parse(calendar, readData('calendar.toml')).events.flatMap((event) =>
    offsetsOf(event, { now, timezone }).map((offset, index) => {
      const day = dayAfter(now, offset, timezone)
      return {
        id: index === 0 ? event.id : `${event.id}-${index + 1}`,
        ...(event.calendar === FAMILY.name && { calendar_id: FAMILY.id }),
        summary: event.summary,
        location: event.location,
        start_date_time: wallTime(day, event.start, timezone),
        end_date_time: wallTime(day, event.end, timezone),
        attendees: event.attendees.map((email) => ({ email })),
      }
    }),
  )
}

/** Days from today. On a Friday, "Friday" may mean today or the next one, so both get an event. */
function offsetsOf(
  { days, weekday }: { readonly days?: readonly number[] | undefined; readonly weekday?: number | undefined },
  { now, timezone }: SeedContext,
): readonly number[] {
  if (weekday === undefined) return days ?? [0]
  const next = daysUntil(now, weekday, timezone)
  return [next, next + DAYS_A_WEEK]
}

function readData(name: string): unknown {
  return parse(readFileSync(new URL(name, import.meta.url), 'utf8'))
}

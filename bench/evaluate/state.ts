/**
 * Mailbox and calendars of the demo, read from the emulator itself, so that a request is judged by its effects and not by its
 * answer. Must not change anything. Called by main.ts.
 */

/** A type, not an interface, so that two states can be compared as data. */
export type Event = {
  readonly id: string
  readonly title: string
  /** Epoch milliseconds. */
  readonly start: number
  readonly end: number
  readonly attendees: readonly string[]
  readonly location: string
  /** Name of its calendar. */
  readonly calendar: string
}

export type Mail = {
  readonly id: string
  readonly from: string
  readonly to: string
  readonly subject: string
  readonly labels: readonly string[]
  readonly body: string
}

export interface State {
  readonly events: readonly Event[]
  readonly mails: readonly Mail[]
}

interface GoogleTime {
  readonly dateTime?: string
  readonly date?: string
}

interface GoogleEvent {
  readonly id: string
  readonly summary?: string
  readonly start: GoogleTime
  readonly end: GoogleTime
  readonly attendees?: readonly { readonly email: string }[]
  readonly location?: string
}

interface GoogleMail {
  readonly id: string
  readonly labelIds?: readonly string[]
  readonly payload: GooglePart & {
    readonly headers: readonly { readonly name: string; readonly value: string }[]
  }
}

interface GooglePart {
  readonly body?: { readonly data?: string }
  readonly parts?: readonly GooglePart[]
}

/** `google`: origin of the emulator. */
export async function readState(google: string): Promise<State> {
  const calendars = await got<{ items?: readonly { readonly id: string; readonly summary: string }[] }>(
    google,
    '/calendar/v3/users/me/calendarList',
  )
  const events = await Promise.all(
    (calendars.items ?? []).map(async ({ id, summary }) => {
      const path = `/calendar/v3/calendars/${encodeURIComponent(id)}/events?maxResults=250`
      const { items = [] } = await got<{ items?: readonly GoogleEvent[] }>(google, path)
      return items.map((event) => eventOf(event, summary))
    }),
  )
  const list = await got<{ messages?: readonly { readonly id: string }[] }>(
    google,
    '/gmail/v1/users/me/messages?maxResults=250&includeSpamTrash=true',
  )
  const mails = await Promise.all(
    (list.messages ?? []).map(({ id }) => got<GoogleMail>(google, `/gmail/v1/users/me/messages/${id}`)),
  )
  return { events: events.flat(), mails: mails.map(mailOf) }
}

async function got<T>(google: string, path: string): Promise<T> {
  const response = await fetch(`${google}${path}`, { headers: { authorization: 'Bearer demo-evaluation' } })
  if (!response.ok) throw new Error(`the demo answered ${response.status} to ${path}`)
  return (await response.json()) as T
}

function eventOf({ id, summary = '', ...event }: GoogleEvent, calendar: string): Event {
  const { start, end, attendees = [], location = '' } = event
  return {
    ...{ id, title: summary, start: timeOf(start), end: timeOf(end), location, calendar },
    attendees: attendees.map(({ email }) => email.toLowerCase()).sort(),
  }
}

function timeOf({ dateTime, date = '' }: GoogleTime): number {
  return Date.parse(dateTime ?? date)
}

function mailOf({ id, labelIds = [], payload }: GoogleMail): Mail {
  const header = (name: string): string =>
    payload.headers.find((one) => one.name.toLowerCase() === name)?.value ?? ''
  return {
    ...{ id, from: header('from'), to: header('to'), subject: header('subject') },
    labels: [...labelIds].sort(),
    body: bodyOf(payload),
  }
}

function bodyOf({ body, parts = [] }: GooglePart): string {
  const own = body?.data === undefined ? '' : Buffer.from(body.data, 'base64url').toString('utf8')
  return [own, ...parts.map(bodyOf)].join('\n')
}

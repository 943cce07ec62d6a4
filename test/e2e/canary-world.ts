/**
 * The world outside of the canary test: a mailbox and a calendar that are full of canaries, a page, a chat of strangers,
 * and a cloud model that keeps every byte it is asked with. Holds no expectation. Called by canary-day.ts.
 */
import { sendJson, serve } from '../kit/server.ts'
import type { Named } from './canary-values.ts'

const EVENTS = '/calendar/v3/calendars/primary/events'
const MAILS = '/gmail/v1/users/me/messages'

export interface Asked {
  /** `POST /model/edge`. */
  readonly line: string
  /** Request line, headers and body. */
  readonly bytes: string
}

export interface CanaryWorld {
  readonly origin: string
  /** What left for a cloud model, by the place it left from. */
  asked(place: 'edge' | 'home'): readonly Asked[]
  /** Every request of another kind. */
  readonly seen: readonly Asked[]
  /** From now on the calendar and the mailbox take requests and do not answer. */
  hold(): void
  release(): void
  close(): Promise<void>
}

export async function startCanaryWorld(values: Named): Promise<CanaryWorld> {
  const models: Asked[] = []
  const seen: Asked[] = []
  let held: (() => void)[] | null = null
  const { origin, close } = await serve(async (request, response, body) => {
    const line = `${request.method} ${request.url}`
    const asked = { line, bytes: `${line}\n${JSON.stringify(request.rawHeaders)}\n${body}` }
    const isModel = line.startsWith('POST /model/')
    ;(isModel ? models : seen).push(asked)
    const isService = /\/(?:calendar|gmail)\//.test(line)
    if (held !== null && isService) await new Promise<void>((resolve) => held?.push(resolve))
    const found = isModel ? { text: 'I have nothing to add.' } : contentOf(request.url ?? '/', body, values)
    if (typeof found === 'string') response.writeHead(200, { 'content-type': 'text/html' }).end(found)
    else sendJson(response, found, found === null ? 404 : 200)
  })
  return {
    origin,
    close,
    asked: (place) => models.filter(({ line }) => line === `POST /model/${place}`),
    seen,
    hold() {
      held = []
    },
    release() {
      for (const go of held ?? []) go()
      held = null
    },
  }
}

/** JSON, a page, or null for a path that nothing stands at. */
function contentOf(path: string, body: string, values: Named): object | string | null {
  const { pathname } = new URL(path, 'http://world')
  if (pathname === MAILS) return { messages: [{ id: 'm1' }, { id: 'm2' }] }
  if (pathname === `${MAILS}/m1`) return mail('m1', values)
  if (pathname === `${MAILS}/m2`) return mail('m2', values)
  if (pathname === EVENTS)
    return body === '' ? { items: [event(values)] } : { status: 'confirmed', ...JSON.parse(body) }
  if (pathname === '/calendar/v3/users/me/calendarList')
    return { items: [{ id: 'me@example.com', primary: true, selected: true }] }
  if (pathname === '/calendar/v3/freeBusy') return freeBusy(body, values)
  if (pathname === '/chat') return {}
  return pathname === '/page'
    ? `<!doctype html><html lang="en"><head><title>The harbour</title></head><body><article><h1>The harbour</h1><p>It stores the wind, and says ${values.page}.</p></article></body></html>`
    : null
}

function mail(id: 'm1' | 'm2', values: Named): object {
  const data = Buffer.from(`Hello, the numbers are ${values[`${id} body`]}. ${values[`${id} odd`]}`).toString(
    'base64url',
  )
  return {
    id,
    threadId: id,
    labelIds: ['INBOX', 'UNREAD'],
    internalDate: '1795000000000',
    snippet: `Hello, ${values[`${id} snippet`]}`,
    payload: {
      mimeType: 'multipart/mixed',
      headers: [
        { name: 'From', value: `${values[`${id} name`]} <${values[`${id} sender`]}@friends.example>` },
        { name: 'To', value: `owner@home.example, ${values[`${id} to`]}@friends.example` },
        { name: 'Subject', value: `About ${values[`${id} subject`]}` },
      ],
      parts: [
        { mimeType: 'text/plain', filename: '', headers: [], body: { data } },
        {
          mimeType: 'application/pdf',
          filename: `${values[`${id} attachment`]}.pdf`,
          headers: [],
          body: { attachmentId: 'a1', size: 9 },
        },
      ],
    },
  }
}

function event(values: Named): object {
  const day = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
  return {
    id: 'e1',
    status: 'confirmed',
    summary: `Clinic ${values['event title']}`,
    description: values['event description'],
    location: values['event location'],
    attendees: [{ email: `${values['event attendee']}@clinic.example`, displayName: values['event guest'] }],
    start: { dateTime: `${day}T11:00:00Z` },
    end: { dateTime: `${day}T12:00:00Z` },
  }
}

/** Says more than it is asked, as a service may. */
function freeBusy(body: string, values: Named): object {
  const { timeMin } = JSON.parse(body) as { timeMin: string }
  const start = new Date(timeMin).toISOString()
  const end = new Date(Date.parse(timeMin) + 3_600_000).toISOString()
  const busy = [{ start, end, summary: values['busy title'], description: values['busy description'] }]
  return { calendars: { primary: { busy, owner: values['busy owner'] } } }
}

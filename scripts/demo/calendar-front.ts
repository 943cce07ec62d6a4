/**
 * HTTP proxy before the demo's emulator, for what that lacks: reading, changing and repeating a single event, and the mailbox's
 * address. Passes everything else on, with counted ids (steady-ids.ts). A changed event keeps its id. Must be used by the demo
 * and tests only. Called by place.ts.
 */
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Event, ruleOf, timesOf } from './series.ts'
import { createSteadyIds, type SteadyIds } from './steady-ids.ts'

const HOST = '127.0.0.1'
const ONE = /^\/calendar\/v3\/calendars\/([^/]+)\/events\/([^/?]+)$/
const PROFILE = '/gmail/v1/users/me/profile'
const LIST = /^\/calendar\/v3\/calendars\/[^/]+\/events$/

export interface CalendarFront {
  readonly server: Server
  /** Forgets the changed events and the ids given out, as after a reset of the emulator. */
  forget(): void
}

/** Listens on loopback. `behind`: origin of the emulator. */
export function serveCalendarFront(behind: string, port: number): Promise<CalendarFront> {
  /** Maps an event's public id to the id of its changed copy in the emulator. */
  const copies = new Map<string, string>()
  const known = (id: string): string => [...copies].find(([, copy]) => copy === id)?.[0] ?? id
  const ids = createSteadyIds()
  /** Repeating events by id; the emulator only has their single occurrences. */
  const series = new Map<string, Event>()
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.writeHead(502).end())
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const url = new URL(ids.drawn(request.url ?? '/'), behind)
    const body = Buffer.from(ids.drawn(Buffer.concat(chunks).toString()))
    const reply: Reply = (...given) => replyTo(response, ids, ...given)
    const ask = async (method: string, path: string, sent?: string | Buffer): Promise<Response> =>
      fetch(new URL(path, behind), {
        method,
        redirect: 'manual',
        headers: headersOf(request),
        ...(sent !== undefined && sent.length > 0 && { body: new Uint8Array(Buffer.from(sent)) }),
      })
    if (url.pathname === PROFILE && request.method === 'GET') {
      const given = await ask('GET', '/gmail/v1/users/me/settings/sendAs')
      if (!given.ok) return reply(given.status, await given.text())
      const { sendAs } = (await given.json()) as { readonly sendAs: readonly { sendAsEmail: string }[] }
      return reply(200, JSON.stringify({ emailAddress: sendAs[0]?.sendAsEmail }))
    }
    const one = ONE.exec(url.pathname)
    const given = one === null && request.method === 'POST' && LIST.test(url.pathname) ? body.toString() : ''
    const wanted = given === '' ? {} : (JSON.parse(given) as Partial<Event>)
    const rule = ruleOf(wanted)
    if (rule !== null) {
      const id = `series${series.size + 1}`
      const { recurrence: _, ...single } = wanted
      for (const { stamp, start, end } of timesOf(wanted, rule)) {
        const made = await ask('POST', url.pathname, JSON.stringify({ ...single, start, end }))
        if (!made.ok) return reply(made.status, await made.text())
        copies.set(`${id}_${stamp}`, ((await made.json()) as Event).id)
      }
      const whole = { ...wanted, id, status: 'confirmed' }
      series.set(id, whole)
      return reply(200, withEtag(whole, whole))
    }
    if (one === null) {
      const given = await ask(request.method ?? 'GET', `${url.pathname}${url.search}`, body)
      const text = await given.text()
      const isList = LIST.test(url.pathname) && given.ok
      return reply(given.status, isList ? renamed(text, known) : text, given.headers)
    }
    const [, calendar = '', id = ''] = one
    const events = `/calendar/v3/calendars/${calendar}/events`
    const path = `${events}/${copies.get(id) ?? id}`
    const whole = series.get(id)
    if (whole !== undefined) {
      if (request.method === 'GET') return reply(200, withEtag(whole, whole))
      const change = request.method === 'DELETE' ? null : (JSON.parse(body.toString()) as Partial<Event>)
      if (change !== null && change['recurrence'] !== undefined) {
        const next = { ...whole, ...change, id }
        const refused = await retime({ id, was: whole, next, ask, events })
        if (refused !== null) return reply(refused.status, await refused.text())
        series.set(id, next)
        return reply(200, withEtag(next, next))
      }
      for (const [time, copy] of [...copies].filter(([name]) => seriesOf(name) === id)) {
        if (change === null) await ask('DELETE', `${events}/${copy}`)
        else await fetch(new URL(`${events}/${time}`, originOf(server)), changing(request, change))
      }
      if (change === null) series.delete(id)
      else series.set(id, { ...whole, ...change, id })
      const now = series.get(id)
      return now === undefined ? reply(204, '') : reply(200, withEtag(now, now))
    }
    const listed = await ask('GET', `${events}?maxResults=2500`)
    if (!listed.ok) return reply(listed.status, await listed.text())
    const { items } = (await listed.json()) as { readonly items: readonly Event[] }
    const event = items.find((item) => known(item.id) === id)
    if (event === undefined) return reply(404, '{"error":{"code":404}}')
    const version = request.headers['if-match']
    if (version !== undefined && version !== etagOf(event)) return reply(412, '{"error":{"code":412}}')
    if (request.method === 'DELETE') return reply((await ask('DELETE', path)).status, '')
    if (request.method === 'GET') return reply(200, withEtag({ ...event, id, ...ofSeries(id) }, event))
    const changed = changedBy(event, JSON.parse(body.toString()) as Partial<Event>)
    const posted = await ask('POST', events, JSON.stringify(changed))
    if (!posted.ok) return reply(posted.status, await posted.text())
    const made = (await posted.json()) as Event
    await ask('DELETE', path)
    copies.set(id, made.id)
    return reply(200, withEtag({ ...made, id, ...ofSeries(id) }, made))
  }

  /**
   * Recreates the occurrences under a new rule; one that was changed or deleted by itself stays as it is. Returns the
   * emulator's refusal, or null.
   */
  async function retime({ id, was, next, ask, events }: Retimed): Promise<Response | null> {
    const listed = await ask('GET', `${events}?maxResults=2500`)
    if (!listed.ok) return listed
    const { items } = (await listed.json()) as { readonly items: readonly Event[] }
    const { recurrence: _, id: _i, ...single } = next
    const old = timesOf(was, ruleOf(was) ?? '').map((time) => {
      const copy = copies.get(`${id}_${time.stamp}`)
      copies.delete(`${id}_${time.stamp}`)
      return { ...time, copy, event: items.find((item) => item.id === copy) }
    })
    for (const [at, { stamp, start, end }] of timesOf(next, ruleOf(next) ?? '').entries()) {
      const before = old[at]
      if (before !== undefined && before.event === undefined) continue
      if (before?.event !== undefined && instantOf(before.event) !== instantOf(before)) {
        copies.set(`${id}_${stamp}`, before.event.id)
        continue
      }
      const made = await ask('POST', events, JSON.stringify({ ...single, start, end }))
      if (!made.ok) return made
      copies.set(`${id}_${stamp}`, ((await made.json()) as Event).id)
    }
    const kept = new Set(copies.values())
    for (const { copy } of old)
      if (copy !== undefined && !kept.has(copy)) await ask('DELETE', `${events}/${copy}`)
    return null
  }

  const forget = (): void => {
    copies.clear()
    series.clear()
    ids.forget()
  }
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, HOST, () => resolve({ server, forget }))
  })
}

interface Retimed {
  readonly id: string
  readonly was: Event
  readonly next: Event
  readonly events: string
  readonly ask: (method: string, path: string, sent?: string) => Promise<Response>
}

function instantOf(event: { readonly [field: string]: unknown }): number {
  const { date, dateTime } = (event['start'] ?? {}) as { readonly date?: string; readonly dateTime?: string }
  return Date.parse(dateTime ?? date ?? '')
}

/** Id of the repeating event that an occurrence belongs to, from the occurrence's id; empty for any other event. */
function seriesOf(id: string): string {
  return /^(series\d+)_\d/.exec(id)?.[1] ?? ''
}

/** The fields that refer an occurrence to its repeating event. Its original start time is part of its id. */
function ofSeries(id: string): { readonly recurringEventId?: string; readonly originalStartTime?: object } {
  const recurringEventId = seriesOf(id)
  const [, y, m, d, time] = /_(\d{4})(\d\d)(\d\d)(?:T(\d{6})Z)?$/.exec(id) ?? []
  if (recurringEventId === '') return {}
  const at = time?.replace(/(\d\d)(\d\d)(\d\d)/, '$1:$2:$3')
  const day = `${y}-${m}-${d}`
  return {
    recurringEventId,
    originalStartTime: at === undefined ? { date: day } : { dateTime: `${day}T${at}Z` },
  }
}

function originOf(server: Server): string {
  return `http://${HOST}:${(server.address() as AddressInfo).port}`
}

function changing(request: IncomingMessage, change: Partial<Event>): RequestInit {
  return { method: 'PATCH', headers: headersOf(request), body: JSON.stringify(change) }
}

/** Applies a change. With `attendeesOmitted`, the one attendee given is that attendee's answer, and the others stay. */
function changedBy(event: Event, { attendeesOmitted, ...change }: Partial<Event>): object {
  const given = change['attendees']
  if (attendeesOmitted !== true || !Array.isArray(given)) return { ...event, ...change }
  const others = (Array.isArray(event['attendees']) ? event['attendees'] : []) as readonly {
    email?: string
  }[]
  const attendees = others.map((one) => given.find(({ email }) => email === one.email) ?? one)
  return { ...event, ...change, attendees }
}

/** The event's version, by its content without ids and timestamps, which differ in a copy. */
function etagOf({ id: _, etag: _e, htmlLink: _l, created: _c, updated: _u, ...content }: Event): string {
  return `"${createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 16)}"`
}

function withEtag(shown: Event, event: Event): string {
  return JSON.stringify({ ...shown, etag: etagOf(event) })
}

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  const passed = Object.entries(headers).filter(
    ([name, value]) =>
      typeof value === 'string' && !/^(?:host|connection|content-length|if-match)$/.test(name),
  )
  return Object.fromEntries(passed) as Record<string, string>
}

function renamed(text: string, known: (id: string) => string): string {
  const list = JSON.parse(text) as { readonly items?: readonly Event[] }
  return JSON.stringify({
    ...list,
    items: (list.items ?? []).map((item) => {
      const id = known(item.id)
      return { ...item, id, ...ofSeries(id) }
    }),
  })
}

type Reply = (status: number, body: string, headers?: Headers) => void

function replyTo(
  response: ServerResponse,
  ids: SteadyIds,
  ...[status, body, headers]: Parameters<Reply>
): void {
  const passed = [...(headers ?? [])].filter(
    ([name]) => !/^(?:connection|content-(?:length|encoding)|transfer-encoding)$/.test(name),
  )
  response
    .writeHead(status, { 'content-type': 'application/json', ...Object.fromEntries(passed) })
    .end(ids.shown(body))
}

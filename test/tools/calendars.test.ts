/** Reads over all of an account's calendars: which are chosen, and what is said of one that cannot be read (I-13). */
import { describe, expect, it } from 'vitest'
import type { CalendarChoice } from '../../integrations/tools/calendar/calendars.ts'
import { createCalendarTool } from '../../integrations/tools/calendar/run.ts'
import type { Json } from '../../kernel/flow/json.ts'
import { sendJson } from '../kit/server.ts'
import { callTool, outputOf, refusal } from './calls.ts'
import { startGoogle } from './google-emulator.ts'
import { type Answer, type Seen, startServer } from './servers.ts'

const DAY = { from: '2026-11-23T00:00:00Z', to: '2026-11-24T00:00:00Z' }
const entry = (id: string, more: object = {}) => ({ id, summary: `The ${id}`, selected: true, ...more })
const MAIN = entry('me', { primary: true, accessRole: 'owner' })
const FAMILY = entry('family', { accessRole: 'writer' })
const HOLIDAYS = entry('holidays', { accessRole: 'reader', selected: false })
const timed = (id: string, hour: string, more: object = {}) => ({
  ...{ id, summary: id },
  start: { dateTime: `2026-11-23T${hour}:00:00Z` },
  end: { dateTime: `2026-11-23T${hour}:30:00Z` },
  ...more,
})
const busy = (hour: string) => ({
  busy: [{ start: `2026-11-23T${hour}:00:00Z`, end: `2026-11-23T${hour}:30:00Z` }],
})

interface Account {
  readonly lists?: readonly object[]
  readonly events?: Readonly<Record<string, Answer>>
  readonly freeBusy?: Readonly<Record<string, object>>
}

interface Question {
  readonly choice?: Partial<CalendarChoice>
  readonly args?: Readonly<Record<string, Json>>
  readonly principal?: string
}

const items =
  (...events: readonly object[]): Answer =>
  (_, response) =>
    sendJson(response, { items: events })
const status =
  (code: number): Answer =>
  (_, response) =>
    sendJson(response, {}, code)

async function look(account: Account, action: string, { choice, args = DAY, principal }: Question = {}) {
  let open = 0
  let most = 0
  const server = await startServer((request: Seen, response) => {
    const { pathname, searchParams } = new URL(request.path, 'http://google')
    if (pathname.endsWith('/calendarList')) {
      const page = Number(searchParams.get('pageToken') ?? '0')
      const lists = account.lists ?? [{ items: [MAIN, FAMILY, HOLIDAYS] }]
      return sendJson(response, lists[page] ?? {}, lists[page] === undefined ? 500 : 200)
    }
    if (pathname.endsWith('/freeBusy')) return sendJson(response, { calendars: account.freeBusy ?? {} })
    const calendar = decodeURIComponent(pathname.split('/')[4] ?? '')
    open += 1
    most = Math.max(most, open)
    setImmediate(() => {
      open -= 1
      ;(account.events?.[calendar] ?? status(404))(request, response)
    })
  })
  const calendars = { chosen: [], standard: null, ...choice }
  const tool = createCalendarTool({ baseUrl: server.origin, calendars })
  const result = await callTool(tool, action, args, {
    exemptOrigins: [server.origin],
    ...(principal !== undefined && { principal }),
  })
  return { result, seen: server.seen, most: () => most }
}

describe('the list of events', () => {
  const events = { primary: items(timed('work', '15')), family: items(timed('recital', '09')) }

  it('joins the calendars in order of time, and names those that are not the main one', async () => {
    const { result } = await look({ events }, 'calendar.list_events')
    const { events: listed, ...rest } = outputOf(result)
    expect(listed).toMatchObject([
      { id: 'recital', calendar: 'The family', calendarId: 'family' },
      { id: 'work', calendarId: 'primary' },
    ])
    expect((listed as object[])[1]).not.toHaveProperty('calendar')
    expect(rest).toEqual({ more: false })
  })

  it('reads the chosen calendars alone, by name or id, and says which of them is not there', async () => {
    const choice = { chosen: ['the FAMILY', 'Choir'] }
    const { result, seen } = await look({ events }, 'calendar.list_events', { choice })
    expect(outputOf(result)).toMatchObject({
      events: [{ id: 'recital' }],
      unread: 'Choir',
    })
    expect(seen.some(({ path }) => path.includes('/primary/'))).toBe(false)
  })

  it.each([
    ['is gone', status(404)],
    ['asks to be left alone', status(429)],
    ['fails', status(500)],
    ['has lost its place', status(410)],
    [
      'fails at its second page',
      ((request, response) =>
        request.path.includes('pageToken')
          ? sendJson(response, {}, 500)
          : sendJson(response, { items: [], nextPageToken: '2' })) as Answer,
    ],
  ])('says the name of a calendar that %s, and lists the others', async (_, family) => {
    const { result } = await look({ events: { ...events, family } }, 'calendar.list_events')
    expect(outputOf(result)).toMatchObject({
      events: [{ id: 'work' }],
      unread: 'The family',
    })
  })

  it('fails where no calendar can be read', async () => {
    const failing = { primary: status(401), family: status(401) }
    const { result } = await look({ events: failing }, 'calendar.list_events')
    expect(result).toMatchObject(refusal('remote_unauthorized'))
  })

  it('reads the main calendar of an account whose list it may not see, and says that there may be more', async () => {
    const server = await startServer((request, response) =>
      request.path.includes('/calendarList')
        ? sendJson(response, {}, 403)
        : sendJson(response, { items: [timed('work', '15')] }),
    )
    const tool = createCalendarTool({ baseUrl: server.origin })
    const result = await callTool(tool, 'calendar.list_events', DAY, { exemptOrigins: [server.origin] })
    expect(outputOf(result)).toMatchObject({ events: [{ id: 'work' }], more: true })
  })

  it('reads each page of the list of calendars, and a few calendars at a time', async () => {
    const many = Array.from({ length: 12 }, (_, n) => entry(`c${n}`))
    const lists = [{ items: many.slice(0, 6), nextPageToken: '1' }, { items: many.slice(6) }]
    const all = Object.fromEntries(many.map(({ id }) => [id, items(timed(id, '10'))]))
    const { result, most } = await look({ lists, events: all }, 'calendar.list_events')
    expect(outputOf(result)['events']).toHaveLength(12)
    expect(most()).toBeLessThanOrEqual(4)
  })

  it('says that it was cut where there are more calendars than it reads', async () => {
    const many = Array.from({ length: 30 }, (_, n) => entry(`c${n}`))
    const all = Object.fromEntries(many.map(({ id }) => [id, items()]))
    const { result, seen } = await look({ lists: [{ items: many }], events: all }, 'calendar.list_events')
    expect(outputOf(result)).toMatchObject({ more: true })
    expect(seen.filter(({ path }) => path.includes('/events'))).toHaveLength(25)
  })

  it.each([
    ['declined', { attendees: [{ self: true, responseStatus: 'declined' }] }, false, 'declined'],
    ['marked as free', { transparency: 'transparent' }, false, undefined],
    ['tentative', { attendees: [{ self: true, responseStatus: 'tentative' }] }, true, 'tentative'],
    ['not answered', { attendees: [{ self: true, responseStatus: 'needsAction' }] }, true, 'none'],
    ['declined by a guest', { attendees: [{ responseStatus: 'declined' }] }, true, undefined],
  ])('says whether an event that is %s takes up time', async (_, more, isBusy, answer) => {
    const { result } = await look(
      { events: { primary: items(timed('e', '10', more)), family: items() } },
      'calendar.list_events',
    )
    const [event] = outputOf(result)['events'] as Record<string, Json>[]
    expect([event?.['busy'], event?.['answer']]).toEqual([isBusy, answer])
  })
})

describe('free and busy', () => {
  it('is busy where any chosen calendar is', async () => {
    const freeBusy = { primary: busy('09'), family: busy('15') }
    const { result, seen } = await look({ freeBusy }, 'calendar.freebusy')
    const { slots, ...rest } = outputOf(result)
    expect((slots as Record<string, Json>[]).filter((slot) => slot['busy'])).toMatchObject([
      { from: '2026-11-23T09:00:00Z' },
      { from: '2026-11-23T15:00:00Z' },
    ])
    expect(rest).toEqual({})
    const asked = seen.find(({ path }) => path.endsWith('/freeBusy'))
    expect(JSON.parse(asked?.body ?? '')).toMatchObject({ items: [{ id: 'primary' }, { id: 'family' }] })
  })

  it.each([
    ['is not found', { errors: [{ reason: 'notFound' }], busy: [] }],
    ['is not answered for', undefined],
  ])('says to the owner that a calendar %s, and tells nobody else that he is free', async (_, family) => {
    const freeBusy = { primary: busy('09'), ...(family && { family }) }
    const { result } = await look({ freeBusy }, 'calendar.freebusy')
    expect(outputOf(result)).toMatchObject({ partial: true })
    const others = await look({ freeBusy }, 'calendar.freebusy', { principal: 'principal:sarah' })
    expect(others.result).toMatchObject(refusal('tool_result_invalid', { rule: 'freebusy' }))
  })

  it('fails where no calendar is answered for', async () => {
    const { result } = await look({}, 'calendar.freebusy')
    expect(result).toMatchObject(refusal('tool_result_invalid', { rule: 'freebusy' }))
  })
})

describe('the list of calendars', () => {
  it('says which are read, which takes new events, and which can be written to', async () => {
    const { result } = await look({}, 'calendar.list_calendars', { args: {} })
    expect(outputOf(result)).toEqual({
      calendars: [
        { id: 'primary', name: 'The me', chosen: true, standard: true, writable: true },
        { id: 'family', name: 'The family', chosen: true, standard: false, writable: true },
        { id: 'holidays', name: 'The holidays', chosen: false, standard: false, writable: false },
      ],
      more: false,
    })
  })

  it.each([
    ['an id that is a path', entry('..')],
    ['a calendar that is deleted', entry('old', { deleted: true })],
    ['an entry without an id', { summary: 'x' }],
  ])('leaves out %s', async (_, bad) => {
    const { result } = await look({ lists: [{ items: [MAIN, bad] }] }, 'calendar.list_calendars', {
      args: {},
    })
    expect(outputOf(result)['calendars']).toHaveLength(1)
  })
})

describe('a write', () => {
  const EVENT = { title: 'Dentist', from: '2026-11-27T15:00:00Z', to: '2026-11-27T16:00:00Z' }
  const made: Answer = (request, response) => sendJson(response, JSON.parse(request.body || '{}'))

  it.each([
    ['the main calendar if none is named', {}, {}, 'primary'],
    ['the calendar that it names', { calendar: 'the Family' }, {}, 'family'],
    ['the calendar that it names by id', { calendar: 'family' }, {}, 'family'],
    ['the default of the configuration', {}, { standard: 'The family' }, 'family'],
    ['another than the default', { calendar: 'primary' }, { standard: 'The family' }, 'primary'],
  ])('goes to %s', async (_, named, choice, calendar) => {
    const events = { primary: made, family: made }
    const question = { args: { ...EVENT, ...named }, choice }
    const { result, seen } = await look({ events }, 'calendar.create_event', question)
    expect(outputOf(result)).toMatchObject({ from: EVENT.from })
    const posts = seen.filter(({ method }) => method === 'POST').map(({ path }) => path.split('?')[0])
    expect(posts).toEqual([`/calendar/v3/calendars/${calendar}/events`])
  })

  it('that names no calendar changes and deletes an event where it is, and in no other calendar', async () => {
    const family: Answer = (request, response) =>
      request.method === 'DELETE'
        ? response.writeHead(204).end()
        : sendJson(response, timed('recital', '09', { etag: '"1"' }))
    for (const [action, more, method] of [
      ['calendar.update_event', { title: 'x' }, 'PATCH'],
      ['calendar.delete_event', {}, 'DELETE'],
    ] as const) {
      const args = { id: 'recital', ...more }
      const { result, seen } = await look({ events: { family } }, action, { args })
      expect(outputOf(result)).toMatchObject({ id: 'recital', from: '2026-11-23T09:00:00Z' })
      expect(outputOf(result)['gone']).not.toBe(true)
      const writes = seen
        .filter((one) => one.method !== 'GET')
        .map((one) => [one.method, one.path.split('?')[0]])
      expect(writes).toEqual([[method, '/calendar/v3/calendars/family/events/recital']])
    }
  })

  it.each([
    ['no calendar has', { calendar: 'Choir' }, 'calendar_unknown'],
    ['a calendar has that is only read', { calendar: 'The holidays' }, 'calendar_read_only'],
    ['two calendars have', { calendar: 'Twice' }, 'calendar_ambiguous'],
    ['is a path', { calendar: '../primary' }, 'calendar_unknown'],
  ])('is refused for a name that %s, and nothing is written', async (_, named, rule) => {
    const twice = ['a', 'b'].map((id) => entry(id, { summary: 'Twice', accessRole: 'owner' }))
    const lists = [{ items: [MAIN, HOLIDAYS, ...twice] }]
    for (const [action, args] of [
      ['calendar.create_event', EVENT],
      ['calendar.update_event', { id: 'e1', title: 'x' }],
      ['calendar.delete_event', { id: 'e1' }],
    ] as const) {
      const { result, seen } = await look({ lists }, action, { args: { ...args, ...named } })
      expect(result).toMatchObject(refusal('tool_arguments_invalid', { rule }))
      expect(seen).toHaveLength(1)
    }
  })
})

it('an emulator with two calendars: the second one makes busy, and is named', async () => {
  const google = { user_email: 'owner@example.com' }
  const baseUrl = await startGoogle({
    calendars: [
      { ...google, id: 'primary', summary: 'Mine', primary: true, time_zone: 'UTC' },
      { ...google, id: 'family@group.example', summary: 'Family', time_zone: 'UTC' },
    ],
    calendar_events: [
      {
        ...{ ...google, id: 'f1', calendar_id: 'family@group.example', summary: 'Recital' },
        ...{ start_date_time: '2026-11-23T10:00:00Z', end_date_time: '2026-11-23T11:00:00Z' },
      },
    ],
  })
  const call = (action: string) =>
    callTool(createCalendarTool({ baseUrl }), action, DAY, { exemptOrigins: [baseUrl] })
  expect(outputOf(await call('calendar.freebusy'))['slots']).toHaveLength(3)
  expect(outputOf(await call('calendar.list_events'))).toMatchObject({
    events: [{ title: 'Recital', calendar: 'Family', calendarId: 'family@group.example' }],
  })
})

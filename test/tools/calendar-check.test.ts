/** What is said of a change of the calendar beforehand, and that another version of an event than the approved one is not written to. */
import { describe, expect, it } from 'vitest'
import { createCalendarTool } from '../../integrations/tools/calendar/run.ts'
import type { Json } from '../../kernel/flow/json.ts'
import { sendJson } from '../kit/server.ts'
import { callTool, outputOf, refusal } from './calls.ts'
import { OWNER, startGoogle } from './google-emulator.ts'
import { type Seen, startServer } from './servers.ts'

const EVENT = {
  ...{ id: 'e1', etag: '"7"', summary: 'Review\u202e\nof it' },
  start: { dateTime: '2026-11-23T09:00:00Z' },
  end: { dateTime: '2026-11-23T10:00:00Z' },
}
const at = (id: string, from: string, to: string, more: object = {}) => ({
  ...{ id, summary: `The ${id}`, start: { dateTime: from }, end: { dateTime: to } },
  ...more,
})
const CHOIR = at('choir', '2026-11-23T14:30:00Z', '2026-11-23T15:30:00Z')
const ASKED_NEW = { from: '2026-11-23T14:00:00Z', to: '2026-11-23T15:00:00Z' }
const ASKED = { id: 'e1', from: '2026-11-23T14:00:00Z' }

interface Account {
  readonly event?: object
  readonly primary?: readonly object[]
  /** Null: cannot be read. */
  readonly family?: readonly object[] | null
}

async function ask(action: string, args: Readonly<Record<string, Json>>, account: Account = {}) {
  const server = await startServer((request: Seen, response) => {
    const { pathname } = new URL(request.path, 'http://google')
    if (pathname.endsWith('/calendarList'))
      return sendJson(response, {
        items: [
          { id: 'me', primary: true, selected: true, accessRole: 'owner' },
          { id: 'family', summary: 'Family', selected: true, accessRole: 'writer' },
        ],
      })
    if (pathname.endsWith('/primary/events/e1')) {
      const isStale = request.method !== 'GET' && request.headers['if-match'] !== '"7"'
      return sendJson(response, isStale ? {} : (account.event ?? EVENT), isStale ? 412 : 200)
    }
    if (pathname.endsWith('/primary/events')) return sendJson(response, { items: account.primary ?? [EVENT] })
    if (pathname.endsWith('/family/events') && account.family !== null)
      return sendJson(response, { items: account.family ?? [CHOIR] })
    return sendJson(response, {}, 404)
  })
  const tool = createCalendarTool({ baseUrl: server.origin })
  const result = await callTool(tool, action, args, { exemptOrigins: [server.origin] })
  return { result, writes: server.seen.filter(({ method }) => method !== 'GET') }
}

const check = async (args: Readonly<Record<string, Json>>, account: Account = {}) =>
  (await ask('calendar.check_event', args, account)).result

describe('a move', () => {
  it('is told with the event as it is, its version, and what is at the new time in every calendar', async () => {
    expect(outputOf(await check(ASKED))).toEqual({
      event: { title: 'Review of it', from: '2026-11-23T09:00:00Z', to: '2026-11-23T10:00:00Z' },
      version: '"7"',
      after: { from: '2026-11-23T14:00:00Z', to: '2026-11-23T15:00:00.000Z' },
      overlaps: [
        {
          ...{ title: 'The choir', calendar: 'Family' },
          ...{ from: '2026-11-23T14:30:00Z', to: '2026-11-23T15:30:00Z' },
        },
      ],
      ...{ more: false, partial: false },
    })
  })

  it.each([
    ['itself', { family: [], primary: [EVENT] }],
    ['what is marked as free', { family: [{ ...CHOIR, transparency: 'transparent' }] }],
    [
      'what was declined',
      { family: [{ ...CHOIR, attendees: [{ self: true, responseStatus: 'declined' }] }] },
    ],
    ['what was cancelled', { family: [{ ...CHOIR, status: 'cancelled' }] }],
  ])('does not overlap with %s', async (_, account) => {
    expect(outputOf(await check(ASKED, account))).toMatchObject({ overlaps: [] })
  })

  it('overlaps with what was not answered firmly, and says so', async () => {
    const family = [{ ...CHOIR, attendees: [{ self: true, responseStatus: 'tentative' }] }]
    expect(outputOf(await check(ASKED, { family }))).toMatchObject({ overlaps: [{ answer: 'tentative' }] })
  })

  it('names some of many, and says that there is more', async () => {
    const family = Array.from({ length: 9 }, (_, one) => ({ ...CHOIR, id: `c${one}` }))
    const { overlaps, more } = outputOf(await check(ASKED, { family }))
    expect(overlaps).toHaveLength(5)
    expect(more).toBe(true)
  })

  it('says that a calendar could not be read', async () => {
    expect(outputOf(await check(ASKED, { family: null }))).toMatchObject({ overlaps: [], partial: true })
  })

  it('names who is told by mail, and that others are, only where they are told', async () => {
    const attendees = [
      { self: true, email: OWNER },
      { email: 'sarah@lin.example' },
      { displayName: 'Room 4' },
    ]
    const event = { ...EVENT, attendees }
    expect(outputOf(await check({ id: 'e1', tell: true }, { event }))).toMatchObject({
      guests: ['sarah@lin.example'],
      others: true,
    })
    const silent = outputOf(await check({ id: 'e1' }, { event }))
    expect(silent).toMatchObject({ silent: true, invited: ['sarah@lin.example'] })
    expect(silent).not.toHaveProperty('guests')
  })

  it.each([
    ['an end before the start', { id: 'e1', to: '2026-11-23T08:00:00Z' }, 'tool_arguments_invalid'],
    ['an event that is not there', { id: 'e9' }, 'remote_not_found'],
    ['a new event for no calendar', { ...ASKED_NEW, calendar: 'Choir' }, 'tool_arguments_invalid'],
    ['a calendar that is not there', { ...ASKED, calendar: 'Choir' }, 'tool_arguments_invalid'],
  ])('is refused before it is asked about: %s', async (_, args, code) =>
    expect(await check(args)).toMatchObject(refusal(code)),
  )
})

it('of a new event tells what is at its time, and nothing else', async () => {
  const { from, to } = { from: '2026-11-23T14:00:00Z', to: '2026-11-23T15:00:00Z' }
  expect(Object.keys(outputOf(await check({ from, to })))).toEqual(['overlaps', 'more', 'partial'])
})

describe('a version', () => {
  const WRITES = [
    ['calendar.update_event', { id: 'e1', title: 'Other' }],
    ['calendar.delete_event', { id: 'e1' }],
  ] as const

  it.each(WRITES)('that is the approved one is written to: %s', async (action, args) => {
    const { result, writes } = await ask(action, { ...args, version: '"7"' })
    expect(result).toMatchObject({ ok: true })
    expect(writes.map(({ headers }) => headers['if-match'])).toEqual(['"7"'])
  })

  it.each(WRITES)('that is another one is not: %s', async (action, args) => {
    const { result, writes } = await ask(action, { ...args, version: '"6"' })
    expect(result).toMatchObject(refusal('event_changed'))
    expect(writes).toEqual([])
  })

  it('is that of a real service, which refuses a stale one', async () => {
    const time = (hour: string) => ({ dateTime: `2026-11-23T${hour}:00:00Z` })
    const seeded = {
      ...{ id: 'e1', user_email: OWNER, calendar_id: 'primary', summary: 'Review' },
      ...{ start_date_time: time('09').dateTime, end_date_time: time('10').dateTime },
    }
    const baseUrl = await startGoogle({ calendar_events: [seeded] })
    const tool = createCalendarTool({ baseUrl })
    const call = (action: string, args: Readonly<Record<string, Json>>) =>
      callTool(tool, action, args, { exemptOrigins: [baseUrl] })
    const { version = null } = outputOf(await call('calendar.check_event', { id: 'e1' }))
    expect(outputOf(await call('calendar.update_event', { id: 'e1', title: 'Mine', version }))).toMatchObject(
      {
        title: 'Mine',
      },
    )
    expect(await call('calendar.delete_event', { id: 'e1', version })).toMatchObject(refusal('event_changed'))
  })
})

describe('an answer to an invitation', () => {
  const own = { self: true, email: OWNER, responseStatus: 'needsAction' }
  const organizer = { email: 'host@work.example' }
  const event = { ...EVENT, organizer, attendees: [own, { email: 'tom@lin.example' }] }
  const yes = { id: 'e1', answer: 'accepted' }
  const send = (args: Readonly<Record<string, Json>>, there: object = event) =>
    ask('calendar.answer_invitation', args, { event: there })

  it('changes the own answer alone, of the version that was shown, and tells by mail', async () => {
    const { result, writes } = await send({ ...yes, version: '"7"' })
    expect(outputOf(result)).toMatchObject({ id: 'e1', answer: 'accepted', calendarId: 'primary' })
    const [{ path, headers, body } = { path: '', headers: {}, body: '' }] = writes
    expect(path).toContain('sendUpdates=all')
    expect(headers).toMatchObject({ 'if-match': '"7"' })
    expect(JSON.parse(body)).toEqual({
      attendeesOmitted: true,
      attendees: [{ ...own, responseStatus: 'accepted' }],
    })
  })

  it('is told beforehand with its organizer, and what else is then', async () => {
    const family = [{ ...CHOIR, ...{ start: EVENT.start, end: EVENT.end } }]
    const told = outputOf(await check(yes, { event, family }))
    expect(told).toMatchObject({ organizer: 'host@work.example', overlaps: [{ title: 'The choir' }] })
    expect(told).not.toHaveProperty('after')
  })

  it.each([
    ['nobody was shown who gets it', yes, event, 'organizer_unknown'],
    ['it is another version', { ...yes, version: '"6"' }, event, 'event_changed'],
    [
      'it is the own event',
      { ...yes, version: '"7"' },
      { ...event, organizer: { ...organizer, self: true } },
      'not_invited',
    ],
    ['the owner is no guest', { ...yes, version: '"7"' }, { ...event, attendees: [] }, 'not_invited'],
  ])('is not sent where %s', async (_, args, there, code) => {
    const { result, writes } = await send(args, there)
    expect(result).toMatchObject(refusal(code as 'not_invited'))
    expect(writes).toEqual([])
  })
})

/** A series in a calendar, the same at both kinds of account: made once, listed by its times over a change of the clocks, one time changed or deleted alone, or all. */
import { beforeAll, describe, expect, it } from 'vitest'
import { createCalendarTool } from '../../integrations/tools/calendar/run.ts'
import type { Json } from '../../kernel/flow/json.ts'
import type { Result } from '../../kernel/flow/verdict.ts'
import type { CaldavSettings } from '../../sidecar/calendar/calendar-settings.ts'
import { type CaldavServer, HAS_RADICALE, PASSWORD, startRadicale, USER } from '../kit/caldav-server.ts'
import { sendJson } from '../kit/server.ts'
import { calendarBench } from './calendar-accounts.ts'
import { callTool, outputOf } from './calls.ts'
import { startGoogle } from './google-emulator.ts'
import { startServer } from './servers.ts'

type Args = { readonly [key: string]: Json }
type Call = (verb: string, args: Args, capability?: string) => Promise<Result<Json>>

const refusal = (outcome: Result<Json>): string => (outcome.ok ? 'done' : outcome.reason.code)

const TIMES = { timezone: 'Europe/Berlin', hours: () => ({ from: 540, to: 1_080 }) }
const OWN = { chosen: [], standard: null, times: TIMES }

function googleAt(baseUrl: string): Call {
  const tool = createCalendarTool({ baseUrl, calendars: OWN })
  return (verb, args, capability = 'cap1') =>
    callTool(tool, `calendar.${verb}`, args, { exemptOrigins: [baseUrl], capability })
}

let radicale: CaldavServer | null = null
async function caldav(): Promise<Call> {
  radicale = await startRadicale()
  await radicale.calendar('home', 'Home')
  const account: CaldavSettings = {
    ...{ kind: 'caldav', name: 'nas', server: radicale.origin, user: USER, address: null },
    ...{ home: `/${USER}/`, calendars: [], invites: false },
  }
  const bench = calendarBench({ accounts: [account], secrets: { nas: PASSWORD } })
  return (verb, args, capability = 'cap1') => bench.call(verb, args, { capability })
}

const GYM = {
  title: 'Gym',
  ...{ from: '2026-10-13T07:00+02:00', to: '2026-10-13T08:00+02:00' },
  ...{ repeat: 'weekly', until: '2026-11-20' },
}
const AUTUMN = { from: '2026-10-10T00:00:00Z', to: '2026-12-01T00:00:00Z' }

interface Listed {
  readonly id: string
  readonly title: string
  readonly from: string
  readonly allDay: boolean
}

describe.each([
  ['an account at Google', true, async () => googleAt(await startGoogle({ calendar_events: [] }))],
  ['an account at a Radicale', HAS_RADICALE, caldav],
] as const)('%s', (_, isThere, open) => {
  // Without Debian's radicale there is no server to be at.
  const run = it.runIf(isThere)
  let call: Call
  beforeAll(async () => {
    if (isThere) call = await open()
  })
  const listed = async (span: Args = AUTUMN): Promise<readonly Listed[]> =>
    (outputOf(await call('list_events', span))['events'] as unknown as Listed[]).map((one) => ({
      ...one,
      from: one.from.replace('.000Z', 'Z'),
    }))
  const starts = async (): Promise<readonly string[]> => (await listed()).map(({ from }) => from.slice(5, 16))

  run('has every time of it on the clock, also where the clocks go back, and has them once', async () => {
    const made = outputOf(await call('create_event', GYM, 'cap-gym'))
    expect(made).toMatchObject({ title: 'Gym', repeat: 'weekly' })
    expect(await starts()).toEqual([
      ...['10-13T05:00', '10-20T05:00', '10-27T06:00', '11-03T06:00', '11-10T06:00', '11-17T06:00'],
    ])
    const busy = outputOf(
      await call('freebusy', { from: '2026-11-03T06:00:00Z', to: '2026-11-03T07:00:00Z' }),
    )
    expect(busy['slots']).toMatchObject([{ busy: true }])
  })

  run('says of one time that it is of a series, and moves that one alone', async () => {
    const third = (await listed())[2]
    const checked = outputOf(await call('check_event', { id: third?.id ?? '', from: '2026-10-27T07:00:00Z' }))
    expect(checked).toMatchObject({ one: true, event: { title: 'Gym' } })
    expect(checked).not.toHaveProperty('all')
    await call('update_event', { id: third?.id ?? '', from: '2026-10-27T07:00:00Z' })
    expect(await starts()).toEqual([
      ...['10-13T05:00', '10-20T05:00', '10-27T07:00', '11-03T06:00', '11-10T06:00', '11-17T06:00'],
    ])
  })

  run('deletes one time alone', async () => {
    const fourth = (await listed())[3]
    const gone = outputOf(await call('delete_event', { id: fourth?.id ?? '' }))
    expect(gone).toMatchObject({ title: 'Gym', from: expect.stringContaining('2026-11-03T06:00') })
    expect(gone).not.toHaveProperty('series')
    expect(await starts()).toEqual([
      '10-13T05:00',
      '10-20T05:00',
      '10-27T07:00',
      '11-10T06:00',
      '11-17T06:00',
    ])
  })

  run(
    'deletes all of it from one of its times only where that is said, and leaves other events',
    async () => {
      await call(
        'create_event',
        { title: 'Lunch', from: '2026-10-20T12:00+02:00', to: '2026-10-20T13:00+02:00' },
        'cap-l',
      )
      const last = (await listed()).at(-1)
      const checked = outputOf(await call('check_event', { id: last?.id ?? '', series: true }))
      expect(checked).toMatchObject({ all: true, event: { title: 'Gym' } })
      const gone = outputOf(await call('delete_event', { id: last?.id ?? '', series: true }))
      expect(gone).toMatchObject({ title: 'Gym', series: true })
      // It could be made again as one event, which it is not.
      expect(gone).not.toHaveProperty('from')
      expect((await listed()).map(({ title }) => title)).toEqual(['Lunch'])
    },
  )

  run('refuses all of what is no series, and to move all of one to another day', async () => {
    const [lunch] = await listed()
    expect(refusal(await call('delete_event', { id: lunch?.id ?? '', series: true }))).toBe('series_none')
    const made = outputOf(await call('create_event', { ...GYM, title: 'Choir' }, 'cap-choir'))
    const moved = { id: made['id'] ?? '', from: '2026-10-14T07:00+02:00' }
    expect(refusal(await call('check_event', moved))).toBe('series_whole')
    expect(refusal(await call('update_event', moved))).toBe('series_whole')
    expect(outputOf(await call('update_event', { id: made['id'] ?? '', title: 'Big choir' }))['title']).toBe(
      'Big choir',
    )
    expect((await listed()).filter(({ title }) => title === 'Big choir')).toHaveLength(6)
    expect(outputOf(await call('delete_event', { id: made['id'] ?? '' }))).toMatchObject({ series: true })
    expect((await listed()).map(({ title }) => title)).toEqual(['Lunch'])
  })

  run('leaves out the days that are named, and counts its end by the days that are left', async () => {
    const without = { ...GYM, title: 'Yoga', except: ['2026-10-27', '2026-11-17'] }
    const made = outputOf(await call('create_event', without, 'cap-yoga'))
    expect(await starts()).toEqual([
      '10-13T05:00',
      '10-20T05:00',
      '10-20T10:00',
      '11-03T06:00',
      '11-10T06:00',
    ])
    await call('delete_event', { id: made['id'] ?? '' })
    for (const except of [['2026-10-28'], ['2026-10-13'], ['2026-11-24'], []]) {
      const outcome = await call('create_event', { ...without, except }, 'cap-not')
      expect(refusal(outcome)).toBe(except.length === 0 ? 'done' : 'series_unfit')
      if (outcome.ok) await call('delete_event', { id: outputOf(outcome)['id'] ?? '' })
    }
  })

  run('moves all of it by one of its times, over a change of the clocks, and what it left out', async () => {
    const made = outputOf(await call('create_event', { ...GYM, except: ['2026-11-03'] }, 'cap-all'))
    const own = async () => (await listed()).filter(({ title }) => title === 'Gym')
    const [, , last] = await own()
    await call('update_event', { id: (await own())[1]?.id ?? '', from: '2026-10-20T12:00:00Z' })
    const all = { id: last?.id ?? '', from: '2026-10-27T18:30:00Z', series: true }
    const checked = outputOf(await call('check_event', all))
    expect(checked).toMatchObject({
      all: true,
      begin: true,
      event: { title: 'Gym' },
      after: { from: '2026-10-27T18:30:00Z' },
    })
    expect(String((checked['event'] as { from: string }).from)).toContain('2026-10-27T06:00')
    const done = outputOf(await call('update_event', all))
    expect(done).toMatchObject({ title: 'Gym', series: true, from: '2026-10-27T18:30:00Z' })
    // The one that was moved by itself stays where it was put.
    expect((await own()).map(({ from }) => from.slice(5, 16))).toEqual([
      ...['10-13T17:30', '10-20T12:00', '10-27T18:30', '11-10T18:30', '11-17T18:30'],
    ])
    await call('delete_event', { id: made['id'] ?? '', series: true })
  })

  run('makes all of it longer, and ends it on another day', async () => {
    const made = outputOf(await call('create_event', { ...GYM, title: 'Choir' }, 'cap-long'))
    const own = async () => (await listed()).filter(({ title }) => title === 'Choir')
    const second = (await own())[1]
    await call('update_event', { id: second?.id ?? '', to: '2026-10-20T08:30+02:00', series: true })
    const busy = outputOf(
      await call('freebusy', { from: '2026-11-10T06:00:00Z', to: '2026-11-10T08:00:00Z' }),
    )
    expect(busy['slots']).toMatchObject([
      { busy: true, to: expect.stringContaining('07:30') },
      { busy: false },
    ])
    const ends = { id: second?.id ?? '', until: '2026-11-03' }
    const checked = outputOf(await call('check_event', ends))
    expect(checked).toMatchObject({ ends: true })
    expect(checked).not.toHaveProperty('all')
    expect(outputOf(await call('update_event', ends))).toMatchObject({ series: true, until: '2026-11-03' })
    expect((await own()).map(({ from }) => from.slice(5, 16))).toEqual([
      ...['10-13T05:00', '10-20T05:00', '10-27T06:00', '11-03T06:00'],
    ])
    const [lunch] = await listed()
    expect(refusal(await call('update_event', { ...ends, id: made['id'] ?? '', until: '2026-10-01' }))).toBe(
      'series_unfit',
    )
    expect(refusal(await call('update_event', { ...ends, until: '2056-10-01' }))).toBe('series_unfit')
    await call('delete_event', { id: made['id'] ?? '', series: true })
    const one = (await listed()).find(({ title }) => title === 'Lunch') ?? lunch
    expect(refusal(await call('update_event', { id: one?.id ?? '', until: '2026-11-01' }))).toBe(
      'series_none',
    )
  })

  run('has whole days, and the last day of a shorter month', async () => {
    const rent = {
      title: 'Rent',
      from: '2027-01-31',
      to: '2027-02-01',
      repeat: 'monthly',
      until: '2027-03-31',
    }
    await call('create_event', rent, 'cap-rent')
    const days = [
      ...(await listed({ from: '2027-01-25', to: '2027-03-01' })),
      ...(await listed({ from: '2027-03-02', to: '2027-04-10' })),
    ]
    expect(days.map(({ from, allDay }) => [from, allDay])).toEqual([
      ['2027-01-31', true],
      ['2027-02-28', true],
      ['2027-03-31', true],
    ])
  })

  run('tells what is at the first times of a new one, and that it looked at no others', async () => {
    const dentist = { title: 'Dentist', from: '2027-05-18T10:00+02:00', to: '2027-05-18T11:00+02:00' }
    const far = { title: 'Party', from: '2027-08-10T10:00+02:00', to: '2027-08-10T11:00+02:00' }
    await call('create_event', dentist, 'cap-d')
    await call('create_event', far, 'cap-p')
    const own = { from: '2027-05-11T10:30+02:00', to: '2027-05-11T11:30+02:00', repeat: 'weekly' }
    const checked = outputOf(await call('check_event', own))
    expect(checked).toMatchObject({ begin: true, more: false, partial: false })
    expect(checked['overlaps']).toMatchObject([{ title: 'Dentist' }])
  })

  run(
    'makes nothing of 10,000 times, of a first time that is none, and of no repetition with an end',
    async () => {
      const before = (await listed()).length
      for (const more of [
        { repeat: 'daily', until: '2054-04-17' },
        { repeat: 'weekly', days: ['monday'] },
        { until: '2026-12-01' },
      ]) {
        const { repeat: _, until: _u, ...once } = GYM
        expect(refusal(await call('create_event', { ...once, ...more }, 'cap-no'))).toBe('series_unfit')
        expect(refusal(await call('check_event', { from: once.from, to: once.to, ...more }))).toBe(
          'series_unfit',
        )
      }
      expect(await listed()).toHaveLength(before)
    },
  )
})

describe.each([
  ['an account at Google', true, async () => googleAt(await startGoogle({ calendar_events: [] }))],
  ['an account at a Radicale', HAS_RADICALE, caldav],
] as const)('one event of %s', (_, isThere, open) => {
  it.runIf(isThere)('has a note that is added to, and its place', async () => {
    const call = await open()
    const at = { title: 'Dentist', from: '2026-11-25T14:00:00Z', to: '2026-11-25T15:00:00Z' }
    const { id } = outputOf(await call('create_event', at, 'cap-note'))
    const own = { id: id ?? '' }
    expect(outputOf(await call('read_event', own))).toMatchObject({
      title: 'Dentist',
      note: '',
      alone: true,
      attendees: 0,
    })
    await call('update_event', { ...own, note: 'bring the x-rays', location: 'Gran Via 4' })
    await call('update_event', { ...own, note: 'ask; about, the\\ncrown' })
    expect(outputOf(await call('read_event', own))).toMatchObject({
      ...{ location: 'Gran Via 4', people: [] },
      note: 'bring the x-rays\nask; about, the\\ncrown',
    })
    const placed = { ...at, title: 'Fair', location: 'Hall; 5, Bern', note: 'two\nlines' }
    const made = outputOf(await call('create_event', placed, 'cap-placed'))
    expect(outputOf(await call('read_event', { id: made['id'] ?? '' }))).toMatchObject({
      ...{ title: 'Fair', location: 'Hall; 5, Bern', note: 'two\nlines' },
    })
    const long = { ...own, note: 'x'.repeat(500) }
    for (let times = 0; times < 15; times += 1) await call('update_event', long)
    expect(refusal(await call('update_event', long))).toBe('tool_arguments_invalid')
    expect(refusal(await call('read_event', { id: 'no-such' }))).toBe('remote_not_found')
  })
})

describe.runIf(HAS_RADICALE)('the file at a Radicale', () => {
  it('describes the zone of its times, and holds one rule whatever the title says', async () => {
    const call = await caldav()
    const title = 'Gym\r\nRRULE:FREQ=SECONDLY\nEND:VEVENT'
    const { id } = outputOf(await call('create_event', { ...GYM, title, until: '2026-12-08' }, 'cap-file'))
    const file = (await radicale?.get(String(id).slice('nas:'.length))) ?? ''
    expect(file.match(/BEGIN:VEVENT/g)).toHaveLength(1)
    expect(file).toContain('RRULE:FREQ=WEEKLY;COUNT=9;BYDAY=TU')
    expect(file).toContain('DTSTART;TZID=Europe/Berlin:20261013T070000')
    expect(file).toMatch(/BEGIN:DAYLIGHT\r?\nDTSTART:20250330T020000/)
    expect(file.replaceAll('\r', '')).toContain('RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU')
    expect(file).not.toMatch(/^RRULE:FREQ=SECONDLY/m)
  })
})

describe('what Google gives of one event', () => {
  it('is its note as plain text, and who answered what; addresses are typed', async () => {
    const event = {
      ...{
        id: 'p1',
        summary: 'Planning',
        description: 'Bring <b>slides</b> &amp; <a href="https://x.example">this</a><br>Room 2',
      },
      ...{ start: { dateTime: '2026-11-26T09:00:00Z' }, end: { dateTime: '2026-11-26T10:00:00Z' } },
      organizer: { email: 'tom@friends.example' },
      attendees: [
        { email: 'me@friends.example', self: true, responseStatus: 'accepted' },
        { email: 'tom@friends.example', displayName: 'Tom', responseStatus: 'accepted' },
        { email: 'eve@friends.example', responseStatus: 'declined' },
        { displayName: 'Room 2', responseStatus: 'accepted' },
      ],
    }
    const list = { items: [{ id: 'team', summary: 'Team', accessRole: 'reader', selected: true }] }
    const server = await startServer(({ path }, response) =>
      sendJson(response, path.includes('calendarList') ? list : event),
    )
    const read = await googleAt(server.origin)('read_event', { id: 'p1', calendar: 'team' })
    expect(outputOf(read)).toMatchObject({
      ...{
        note: 'Bring slides & this\nRoom 2',
        organizer: 'tom@friends.example',
        attendees: 4,
        answer: 'accepted',
      },
      ...{ coming: 'me@friends.example, Tom (tom@friends.example)', not: 'eve@friends.example' },
    })
    expect(outputOf(read)).not.toHaveProperty('alone')
    // A calendar that is only read is read as well.
    expect(server.seen.at(-1)?.path).toContain('/calendars/team/events/p1')
  })
})

describe('a Google that lies', () => {
  const made = {
    id: 'b1',
    summary: 'Gym',
    start: { dateTime: '2026-10-13T05:00:00Z' },
    end: { dateTime: '2026-10-13T06:00:00Z' },
  }
  const instance = { ...made, id: 'b1_x', recurringEventId: 'b1' }

  async function at(answers: (path: string) => object) {
    const server = await startServer(({ path }, response) => sendJson(response, answers(path)))
    const asked = () =>
      server.seen.map(({ method, path }) => `${method} ${new URL(path, server.origin).pathname}`)
    return { call: googleAt(server.origin), asked, origin: server.origin }
  }

  it('gives one event for a series: nobody knows what is there, and nothing is told as booked', async () => {
    const { call } = await at(() => made)
    expect(refusal(await call('create_event', GYM))).toBe('write_outcome_unknown')
  })

  it.each([
    ['another path', '..', 'series_none'],
    ['one event', 'b2', 'tool_result_invalid'],
  ])('names %s as the series of a time: nothing is deleted', async (_, recurringEventId, code) => {
    const { call, asked } = await at((path) =>
      path.includes('b2') ? made : { ...instance, recurringEventId },
    )
    const all = { id: 'b1_x', calendar: 'primary', series: true }
    expect(refusal(await call('delete_event', all))).toBe(code)
    expect(asked().filter((one) => one.startsWith('DELETE'))).toEqual([])
  })

  it('gives another id than was asked for: what is deleted is what was asked for', async () => {
    const { call, asked } = await at(() => ({ ...instance, id: 'other' }))
    await call('delete_event', { id: 'b1_x', calendar: 'primary' })
    expect(asked().at(-1)).toBe('DELETE /calendar/v3/calendars/primary/events/b1_x')
  })

  it('gets no series where nobody knows the clocks of the owner', async () => {
    const { asked, origin } = await at(() => made)
    const tool = createCalendarTool({ baseUrl: origin })
    const outcome = await callTool(tool, 'calendar.create_event', GYM, { exemptOrigins: [origin] })
    expect(refusal(outcome)).toBe('tool_unavailable')
    expect(asked()).toEqual([])
  })
})

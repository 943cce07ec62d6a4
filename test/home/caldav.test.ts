/** The owner's calendars at a real CalDAV server: listed, expanded, written, changed and deleted, each to the version that was read. */
import { beforeAll, describe, expect, it } from 'vitest'
import type { CaldavSettings } from '../../sidecar/calendar/calendar-settings.ts'
import { type CaldavServer, HAS_RADICALE, PASSWORD, startRadicale, USER } from '../kit/caldav-server.ts'
import { type CalendarBench, calendarBench } from '../tools/calendar-accounts.ts'
import { outputOf, refusal } from '../tools/calls.ts'

const WEEK = { from: '2026-11-23T00:00:00Z', to: '2026-11-30T00:00:00Z' }
const BERLIN = `BEGIN:VTIMEZONE
TZID:Office
BEGIN:STANDARD
DTSTART:19701025T030000
RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10
TZOFFSETFROM:+0200
TZOFFSETTO:+0100
END:STANDARD
BEGIN:DAYLIGHT
DTSTART:19700329T020000
RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3
TZOFFSETFROM:+0100
TZOFFSETTO:+0200
END:DAYLIGHT
END:VTIMEZONE`

export function calendarOf(...events: readonly string[]): string {
  return `BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//test//EN\n${events.join('\n')}\nEND:VCALENDAR\n`
}

export function eventOf(uid: string, ...lines: readonly string[]): string {
  return `BEGIN:VEVENT\nUID:${uid}\nDTSTAMP:20261101T000000Z\n${lines.join('\n')}\nEND:VEVENT`
}

interface Listed {
  readonly id: string
  readonly title: string
  readonly from: string
  readonly to: string
}

describe.runIf(HAS_RADICALE)('at a Radicale', () => {
  let radicale: CaldavServer
  let bench: CalendarBench
  let work: string
  let family: string
  let settings: CaldavSettings

  beforeAll(async () => {
    radicale = await startRadicale()
    work = await radicale.calendar('work', 'Work')
    family = await radicale.calendar('family', 'Family')
    await radicale.calendar('spare', 'Spare')
    settings = {
      ...{ kind: 'caldav', name: 'nas', server: radicale.origin, user: USER, address: 'ada@example.com' },
      ...{ home: `/${USER}/`, calendars: ['Work', 'family'], invites: false },
    }
    bench = calendarBench({ accounts: [settings], secrets: { nas: PASSWORD } })
    await radicale.put(
      `${work}daily.ics`,
      calendarOf(
        BERLIN,
        eventOf(
          'daily',
          ...['DTSTART;TZID=Office:20261001T090000', 'DTEND;TZID=Office:20261001T091500'],
          ...['RRULE:FREQ=DAILY', 'EXDATE;TZID=Office:20261124T090000', 'SUMMARY:Standup'],
        ),
        eventOf(
          'daily',
          ...['RECURRENCE-ID;TZID=Office:20261125T090000', 'DTSTART;TZID=Office:20261125T110000'],
          ...['DTEND;TZID=Office:20261125T111500', 'SUMMARY:Standup\\, late'],
        ),
      ),
    )
    await radicale.put(
      `${family}trip.ics`,
      calendarOf(eventOf('trip', 'DTSTART;VALUE=DATE:20261128', 'DTEND;VALUE=DATE:20261130', 'SUMMARY:Trip')),
    )
    await radicale.put(
      `${family}party.ics`,
      calendarOf(
        eventOf(
          'party',
          ...['DTSTART:20261127T180000Z', 'DURATION:PT3H', 'SUMMARY:Party', 'LOCATION:Home'],
          'ORGANIZER;CN=Sarah:mailto:sarah@lin.example',
          'ATTENDEE;PARTSTAT=DECLINED:mailto:Ada@example.com',
          'ATTENDEE;CN=Tom;PARTSTAT=ACCEPTED:mailto:tom@x.example',
        ),
      ),
    )
  })

  const events = async (span = WEEK) =>
    outputOf(await bench.call('list_events', span))['events'] as unknown as Listed[]

  const MONDAY = { from: '2026-12-07T10:00:00Z', to: '2026-12-07T11:00:00Z' }

  it.each([
    ['a new event', null, 'Family'],
    ['one that is there', 'Standup', 'Work'],
  ])('says in which of the calendars it would write: %s', async (_, titled, into) => {
    const listed = (await events()).find(({ title }) => title === titled)
    const args = listed === undefined ? MONDAY : { id: listed.id }
    expect(outputOf(await bench.call('check_event', args))).toMatchObject({ into })
  })

  it('says before anything is asked that nobody can be invited, or answered, without an address', async () => {
    const unknown = { ...settings, user: 'ada', address: null }
    const without = calendarBench({ accounts: [unknown], secrets: { nas: PASSWORD } })
    const missing = refusal('service_address_missing')
    const invited = { ...MONDAY, attendees: ['tom@x.example'] }
    expect(await without.call('check_event', invited)).toMatchObject(missing)
    expect(await without.call('create_event', { title: 'Lunch', ...invited })).toMatchObject(missing)
    const party = (await events()).find(({ title }) => title === 'Party')
    expect(await without.call('check_event', { id: party?.id ?? '', answer: 'accepted' })).toMatchObject(
      missing,
    )
    expect(outputOf(await without.call('check_event', MONDAY))).toMatchObject({ overlaps: [] })
  })

  it('asks about no answer to an event of the owner, or to which they are not invited', async () => {
    const trip = (await events()).find(({ title }) => title === 'Trip')
    const check = { id: trip?.id ?? '', answer: 'accepted' }
    expect(await bench.call('check_event', check)).toMatchObject(refusal('not_invited'))
  })

  it('lists both calendars, with exceptions, excluded days, whole days and what the owner answered', async () => {
    const listed = await events()
    expect(listed.map(({ title, from }) => `${from} ${title}`)).toEqual([
      '2026-11-23T08:00:00Z Standup',
      '2026-11-25T10:00:00Z Standup, late',
      '2026-11-26T08:00:00Z Standup',
      '2026-11-27T08:00:00Z Standup',
      '2026-11-27T18:00:00Z Party',
      '2026-11-28 Trip',
      '2026-11-28T08:00:00Z Standup',
      '2026-11-29T08:00:00Z Standup',
    ])
    expect(listed[4]).toMatchObject({ answer: 'declined', busy: false, location: 'Home', attendees: 2 })
    expect(listed[5]).toMatchObject({ to: '2026-11-30', allDay: true, calendar: 'Family' })
    expect(bench.settled).toContain('nas accepted')
  })

  it('says when the owner is busy, not where declined, and whole days in the zone of the owner', async () => {
    const span = { from: '2026-11-27T00:00:00Z', to: '2026-11-28T00:00:00Z' }
    const { slots } = outputOf(await bench.call('freebusy', span)) as { slots: Record<string, unknown>[] }
    expect(slots.filter(({ busy }) => busy)).toEqual([
      { from: '2026-11-27T08:00:00Z', to: '2026-11-27T08:15:00Z', busy: true },
      // The trip begins at midnight in Berlin.
      { from: '2026-11-27T23:00:00Z', to: '2026-11-28T00:00:00Z', busy: true },
    ])
  })

  it('names all calendars, and which of them are read', async () => {
    const { calendars } = outputOf(await bench.call('list_calendars', {})) as { calendars: object[] }
    expect(calendars).toMatchObject([
      { name: 'Family', chosen: true, writable: true },
      { name: 'Spare', chosen: false },
      { name: 'Work', chosen: true },
    ])
  })

  it('makes an event once, under whatever title', async () => {
    const title = 'Lunch\r\nATTENDEE:mailto:eve@evil.example\nEND:VEVENT;,\\'
    const args = { title, from: '2026-12-01T12:00:00Z', to: '2026-12-01T13:00:00Z', calendar: 'family' }
    const first = outputOf(await bench.call('create_event', args, { capability: 'cap-lunch' }))
    const again = outputOf(await bench.call('create_event', args, { capability: 'cap-lunch' }))
    expect(again['id']).toBe(first['id'])
    const day = { from: '2026-12-01T10:00:00Z', to: '2026-12-02T00:00:00Z' }
    const listed = (await events(day)).filter(({ id }) => id === first['id'])
    expect(listed).toMatchObject([
      { title: 'Lunch ATTENDEE:mailto:eve@evil.example END:VEVENT;,\\', attendees: 0, ...pick(args) },
    ])
  })

  it('of whole days is an event of all day, and of one of each it is none', async () => {
    const days = { title: 'Fair', from: '2026-12-05', to: '2026-12-07', calendar: 'family' }
    const { id } = outputOf(await bench.call('create_event', days, { capability: 'cap-fair' }))
    const text = await radicale.get(String(id).slice('nas:'.length))
    expect(text).toContain('DTSTART;VALUE=DATE:20261205')
    expect(text).toContain('DTEND;VALUE=DATE:20261207')
    const mixed = { ...days, to: '2026-12-05T12:00:00Z' }
    for (const action of ['create_event', 'check_event'])
      expect(await bench.call(action, mixed)).toMatchObject({ reason: { code: 'tool_arguments_invalid' } })
  })

  it('invites by the address of the owner, and says that this server tells nobody', async () => {
    const span = { from: '2026-12-02T12:00:00Z', to: '2026-12-02T13:00:00Z' }
    const check = { ...span, attendees: ['tom@x.example'] }
    expect(outputOf(await bench.call('check_event', check))).toMatchObject({ untold: true, overlaps: [] })
    const args = { ...span, title: 'Plan', attendees: ['tom@x.example'] }
    const { id } = outputOf(await bench.call('create_event', args, { capability: 'cap-plan' }))
    const text = await radicale.get(String(id).slice('nas:'.length))
    expect(text).toContain('ORGANIZER:mailto:ada@example.com')
    expect(text).toContain('ATTENDEE;PARTSTAT=NEEDS-ACTION;RSVP=TRUE:mailto:tom@x.example')
  })

  it('moves one occurrence of a series, and takes one out, and leaves the others', async () => {
    const of = async (day: string) => (await events()).find(({ from }) => from.startsWith(day))
    const moved = await of('2026-11-26')
    const version = await versionOf(String(moved?.id))
    const to = { from: '2026-11-26T15:00:00Z' }
    const changed = outputOf(await bench.call('update_event', { id: String(moved?.id), version, ...to }))
    expect(changed).toMatchObject({ from: '2026-11-26T15:00:00Z', title: 'Standup' })
    const late = await of('2026-11-25')
    const gone = await bench.call('delete_event', { id: String(late?.id) })
    expect(outputOf(gone)).toMatchObject({ title: 'Standup, late', from: expect.any(String) })
    const plain = await of('2026-11-27')
    expect(outputOf(await bench.call('delete_event', { id: String(plain?.id) }))).toMatchObject({})
    const standups = (await events()).filter(({ title }) => title.startsWith('Standup'))
    expect(standups.map(({ from, to: end }) => `${from} ${end}`)).toEqual([
      '2026-11-23T08:00:00Z 2026-11-23T08:15:00Z',
      '2026-11-26T15:00:00Z 2026-11-26T15:15:00Z',
      '2026-11-28T08:00:00Z 2026-11-28T08:15:00Z',
      '2026-11-29T08:00:00Z 2026-11-29T08:15:00Z',
    ])
  })

  async function versionOf(id: string): Promise<string> {
    return String(outputOf(await bench.call('check_event', { id }))['version'])
  }

  it('changes nothing that was changed since it was shown', async () => {
    const path = `${work}review.ics`
    const text = (title: string) =>
      calendarOf(eventOf('review', 'DTSTART:20261203T100000Z', 'DTEND:20261203T110000Z', `SUMMARY:${title}`))
    await radicale.put(path, text('Review'))
    const id = `nas:${path}`
    const version = await versionOf(id)
    await radicale.put(path, text('Review of all'))
    const moving = { id, version, from: '2026-12-03T12:00:00Z' }
    expect(await bench.call('update_event', moving)).toMatchObject(refusal('event_changed'))
    expect(await bench.call('delete_event', { id, version })).toMatchObject(refusal('event_changed'))
    expect(await radicale.get(path)).toContain('Review of all')
    expect(outputOf(await bench.call('delete_event', { id }))).toMatchObject({ title: 'Review of all' })
    expect(outputOf(await bench.call('delete_event', { id }))).toEqual({ id, gone: true })
  })

  it('answers an invitation, of the organizer that the card showed', async () => {
    const id = `nas:${family}party.ics`
    const known = outputOf(await bench.call('check_event', { id, answer: 'accepted' }))
    expect(known).toMatchObject({
      ...{ organizer: 'sarah@lin.example', invited: ['tom@x.example'], untold: true },
      event: { title: 'Party', from: '2026-11-27T18:00:00Z', to: '2026-11-27T21:00:00Z' },
    })
    const args = { id, answer: 'accepted', version: String(known['version']) }
    expect(outputOf(await bench.call('answer_invitation', args))).toMatchObject({ answer: 'accepted' })
    const text = await radicale.get(`${family}party.ics`)
    expect(text).toMatch(/PARTSTAT=ACCEPTED:mailto:Ada@example.com/)
    expect(text).toMatch(/CN=Tom;PARTSTAT=ACCEPTED/)
    const own = { id: `nas:${work}daily.ics#20261128T080000Z`, answer: 'accepted', version: 'x' }
    expect(await bench.call('answer_invitation', own)).toMatchObject(refusal('event_changed'))
  })

  it.each([
    ['another user', 'nas:/eve/secret/x.ics'],
    ['another folder', `nas:/${USER}/../eve/x.ics`],
    ['another folder in disguise', `nas:/${USER}/%2e%2e/eve/x.ics`],
    ['another server', 'nas://evil.example/x.ics'],
    ['nothing', `nas:/${USER}/office/nothing.ics`],
    ['no such account', 'work:/x.ics'],
  ])('finds no event at an id of %s', async (_, id) => {
    expect(await bench.call('check_event', { id })).toMatchObject(refusal('remote_not_found'))
  })

  it('says that the password is not taken any more', async () => {
    const other = calendarBench({ accounts: [settings], secrets: { nas: 'another-password' } })
    expect(await other.call('list_events', WEEK)).toMatchObject(refusal('remote_unauthorized'))
    expect(other.settled).toEqual(['nas rejected'])
  })
})

function pick({ from, to }: { readonly from: string; readonly to: string }): object {
  return { from, to }
}

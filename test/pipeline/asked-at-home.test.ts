/**
 * What people ask of their own mail and calendars without a model, in the words that they type: senders with a time, attachments by whose mail they are in, newsletters, an
 * invitation that was shown, names without their apostrophes and hyphens, and what is next. The calls are looked at, and what is answered.
 */
import { describe, expect, it } from 'vitest'
import { createZone } from '../../integrations/dates/zone.ts'
import { HOME_RULES } from '../../integrations/models/rules/home.ts'
import { createRulesModel } from '../../integrations/models/rules/model.ts'
import { appointmentsOf } from '../../integrations/tools/email/message/appointments.ts'
import { createWorld, type ScriptedTool, type World } from './world.ts'

const mail = (id: string, fromName: string, subject: string, more: object = {}) => ({
  ...{ id, fromName, from: `${id}@mail.example`, subject, snippet: '', date: '2026-11-20T08:00:00Z' },
  ...{ unread: true, hasAttachments: false, ...more },
})

const CONCERT =
  'The concert is on Thursday 10 December at 17:30 in the main hall. Children should be there at 17:00.'
const MAILS = [
  mail('builder', 'Dan', 'boiler man', { snippet: 'the man from kessel comes on tuesday' }),
  mail('school', 'Oakfield School', 'Winter concert', { snippet: CONCERT.slice(0, 40) }),
  mail('site', 'Marcus Feld', 'Site visit', { hasAttachments: true }),
  mail('bill', 'Kessel Heating', 'Invoice 1043', { hasAttachments: true }),
  mail('soups', 'The Weekend Kitchen', 'Ten soups', { mailing: true }),
]

const event = (id: string, title: string, from: string, to: string) => ({
  ...{ id, title, from: `${from}:00+01:00`, to: `${to}:00+01:00` },
  ...{ allDay: false, attendees: 0, calendarId: 'nas:work' },
})
const VISIT = event('visit', 'Site visit', '2026-12-04T11:00', '2026-12-04T12:30')
const EVENTS = [
  event('past', 'Stand-up', '2026-11-20T09:15', '2026-11-20T09:30'),
  event('later', 'Review', '2026-11-20T16:00', '2026-11-20T17:00'),
  event('one', '1:1 with Priya', '2026-11-23T15:00', '2026-11-23T15:30'),
  event('tooth', 'Dentist', '2026-11-24T09:00', '2026-11-24T09:30'),
  event('stand', 'Stand-up', '2026-11-27T09:15', '2026-11-27T09:30'),
]

const filed: ScriptedTool = ({ ids }) => ({
  ok: true,
  output: { emails: [], changed: String(ids).split(',').length, gone: 0 },
})

function having({ isInvited = false } = {}): World {
  const events = isInvited ? [...EVENTS, VISIT] : EVENTS
  const zone = createZone('Europe/Berlin')
  const listed: ScriptedTool = () => ({ ok: true, output: { emails: MAILS, more: false } })
  return createWorld({
    models: [createRulesModel({ place: 'home', home: HOME_RULES })],
    tools: {
      'email.list': listed,
      'email.search': listed,
      'email.read': ({ id }) => {
        const {
          unread: _,
          snippet: __,
          mailing: ___,
          ...head
        } = {
          mailing: false,
          ...(MAILS.find((one) => one.id === id) ?? mail('none', '', '')),
        }
        const body = id === 'school' ? CONCERT : 'See there.'
        const made = appointmentsOf({
          invited: [],
          html: '',
          body,
          subject: head.subject,
          date: head.date,
          zone,
        })
        const appointments = made.map((one) => ({ ...one }))
        const rest = { to: ['me@home.example'], truncated: false, links: [], dates: [], requests: [] }
        return {
          ok: true,
          output: { ...head, ...rest, body, ...(appointments.length > 0 && { appointments }) },
        }
      },
      'email.attachment': ({ id }) => ({
        ok: true,
        output: { name: `${String(id)}.pdf`, text: 'Total 120', page: 1, pages: 1, several: false },
      }),
      'email.invitation': ({ id = 'site' }) => ({
        ok: true,
        output: {
          ...{ id, subject: 'Site visit', once: true },
          events: [
            {
              ...{ method: 'request', title: 'Site visit', from: '2026-12-04T10:00:00Z' },
              ...{ to: '2026-12-04T11:30:00Z', allDay: false, repeats: false, attendees: [], invited: 2 },
              ...{ place: 'Harbour House, 4 Quay Lane', organizer: 'marcus@feld-bau.example' },
            },
          ],
        },
      }),
      'email.which': () => ({ ok: true, output: { mails: [] } }),
      'email.archive': filed,
      'email.mark': filed,
      'calendar.list_events': ({ from, to }) => ({
        ok: true,
        output: {
          events: events.filter(
            (one) =>
              Date.parse(one.to) > Date.parse(String(from)) && Date.parse(one.from) < Date.parse(String(to)),
          ),
          more: false,
        },
      }),
      'calendar.answer_invitation': ({ id }) => ({ ok: true, output: { id } }),
      'calendar.update_event': ({ id }) => ({ ok: true, output: { id } }),
      'calendar.delete_event': ({ id }) => ({ ok: true, output: { id } }),
      'calendar.check_event': () => ({ ok: true, output: {} }),
      'calendar.create_event': ({ from, to }) => ({ ok: true, output: { id: 'new', from, to } }),
    },
  })
}

/** The calls of the last message, with these of their arguments. */
async function called(...said: readonly string[]) {
  const world = having()
  for (const one of said) {
    world.calls.length = 0
    await world.say(one)
  }
  return { world, calls: world.calls.map(({ tool, args }) => [tool, args] as const) }
}

describe('a sender and a time in one question', () => {
  it.each([
    ['anything from priya since yesterday?', '2026-11-19'],
    ['any news from oakfield school since monday?', '2026-11-16'],
    ['did priya write since monday?', '2026-11-16'],
    ['gibt es was von Priya seit gestern?', '2026-11-19'],
  ])('%s', async (said, since) => {
    const { calls } = await called(said)
    expect(calls).toHaveLength(1)
    expect(calls[0]?.[1]['from']).toMatch(/priya|oakfield school/i)
    expect(calls[0]?.[1]['since']).toMatch(since)
  })

  it.each(['who wrote this week?', 'mails from Dan this week', 'wer hat mir diese Woche geschrieben?'])(
    'of this week, which began on its Monday: %s',
    async (said) => {
      const { calls } = await called(said)
      expect(calls).toMatchObject([['email.list', { since: '2026-11-16T00:00:00+01:00' }]])
    },
  )
})

describe('what is attached', () => {
  it.each([
    'whats the attachment of the kessel mail say',
    'what does the attachment of the kessel mail say?',
    'read the attachment of the invoice from kessel',
    "what's attached to the invoice from Kessel?",
    'was steht im Anhang der Rechnung von Kessel',
    'lies den Anhang der Mail von Kessel vor',
  ])('is read of the mail that has a file: %s', async (said) => {
    const { calls } = await called(said)
    expect(calls).toMatchObject([
      ['email.list', {}],
      ['email.attachment', { id: 'bill' }],
    ])
  })

  it('is read of one of the list by its place', async () => {
    const { calls } = await called('check my mail', 'whats attached to the fourth?')
    expect(calls).toMatchObject([['email.attachment', { id: 'bill' }]])
  })
})

describe('mails by what they are', () => {
  it.each(['archive all newsletters', 'archive the newsletters', 'archiviere alle Newsletter'])(
    'those of lists by their headers, though none says the word: %s',
    async (said) => {
      const { calls, world } = await called(said)
      expect(calls).toMatchObject([
        ['email.list', { count: 25 }],
        ['email.which', { ids: ['soups'] }],
      ])
      expect(world.heard()).toContain('May I do this?')
    },
  )

  it('all that is unread, where nothing was shown, and what was shown else', async () => {
    const { calls } = await called('mark everything as read')
    expect(calls[0]).toMatchObject(['email.list', { unread: true }])
    expect((await called('check my mail', 'mark everything as read')).calls).toMatchObject([
      ['email.mark', { as: 'read' }],
    ])
  })
})

describe('an invitation of a mail', () => {
  it('is told with its end, its place and who invites', async () => {
    const { world } = await called('check my mail', 'whats in the invitation from marcus')
    expect(world.heard()).toContain(
      'Site visit, Fri 4 Dec, 11:00–12:30, at Harbour House, 4 Quay Lane, by marcus@feld-bau.example, 2 invited',
    )
  })

  it.each(['accept it', 'nimm die Einladung an'])(
    'goes into the calendar after a yes where only the mail has it: %s',
    async (said) => {
      const { calls, world } = await called("what's in the invitation?", said)
      expect(calls.map(([tool]) => tool)).toEqual([
        ...['email.invitation', 'calendar.list_events', 'calendar.check_event'],
      ])
      expect(world.heard()).toMatch(/title: Site visit[\s\S]*place: Harbour House, 4 Quay Lane/)
    },
  )

  it('is answered where the calendar has it', async () => {
    const world = having({ isInvited: true })
    await world.say("what's in the invitation?")
    await world.say('accept it')
    expect(world.heard()).toContain('Answer this invitation')
  })

  it('is nothing that was shown where none was', async () => {
    expect((await called('accept it')).world.heard()).toContain('Which invitation?')
  })
})

describe('an appointment of a mail', () => {
  it.each([
    ['put that in my work calendar', 'work'],
    ['put it in the work calendar', 'work'],
    ['trag das in den Arbeitskalender ein', 'Arbeitskalender'],
  ])('goes into the calendar that is named, of two times the one that is chosen: %s', async (said, name) => {
    const { world } = await called('read the mail from Oakfield School', said)
    expect(world.heard()).toMatch(/10 December.*17:30/)
    expect(world.heard()).toMatch(/10 December.*17:00/)
    const [waiting] = await world.ports.approvals.list('principal:owner')
    const decided = await world.shell.decide({
      ...({ approval: `${waiting?.id}.1`, decision: 'approve' } as const),
      ...({ principal: 'principal:owner', place: 'home' } as const),
    })
    await world.shell.run(decided.ok ? decided.value.principal : '')
    expect(world.heard()).toMatch(new RegExp(`starts: Thursday 10 December, 17:30[\\s\\S]*calendar: ${name}`))
  })
})

describe('names and titles without their marks', () => {
  it.each([
    ['cancel friday standup', { id: 'stand' }],
    ['push the 1:1 to 4pm', { id: 'one' }],
    ['move my 1:1 with priya to 2pm', { id: 'one' }],
  ])('%s', async (said, args) => {
    const { calls } = await called(said)
    expect(calls.at(-1)).toMatchObject(['calendar.check_event', args])
  })

  it('whose mail it is: archive dans mail', async () => {
    expect((await called('archive dans mail')).calls.at(-1)).toMatchObject([
      'email.which',
      { ids: ['builder'] },
    ])
  })
})

describe('what the calendar is asked for', () => {
  it.each([
    ['when do i have the dentist again', ['Dentist'], ['Stand-up', 'Review']],
    ['wann habe ich den Dentist nochmal?', ['Dentist'], ['Stand-up']],
    ['whats up next?', ['Review'], ['Stand-up', 'Dentist']],
    ['was kommt als nächstes?', ['Review'], ['Stand-up', 'Dentist']],
    ["what's left for today?", ['Review'], ['Stand-up']],
    ['was steht heute noch an?', ['Review'], ['Stand-up']],
    ['morning, whats up today?', ['Stand-up', 'Review'], ['Dentist']],
  ])('%s', async (said, shown, others) => {
    const { world } = await called(said)
    for (const one of shown) expect(world.heard()).toContain(one)
    for (const one of others) expect(world.heard()).not.toContain(one)
  })
})

it('/stop names the card that it ends, though mails were looked up for it', async () => {
  const world = having()
  await world.say('archive all newsletters')
  await world.say('/stop')
  expect(world.sent.map(({ text }) => text)).toContain('Stopped: "archive all newsletters".')
})

/** Answers of the rules model: golden texts at a fixed moment. */
import { describe, expect, it } from 'vitest'
import { answerFor } from '../../integrations/models/rules/answers/answer.ts'
import type { Json } from '../../kernel/flow/json.ts'
import { guard } from '../wording/guarded.ts'
import { spoken, toolCard } from './fixtures.ts'

const SARAH = {
  id: 'm1',
  from: 'sarah@example.org',
  fromName: 'Sarah Connor',
  subject: 'Lunch on Friday?',
  date: '2026-11-22T08:12:00Z',
  hasAttachments: false,
  unread: true,
  snippet: 'Shall we',
}
const BANK = {
  ...SARAH,
  id: 'm2',
  fromName: '',
  from: 'bank@example.net',
  subject: '',
  date: '2026-11-20T08:12:00Z',
  unread: false,
  hasAttachments: true,
}
const MAIL = {
  ...SARAH,
  to: [],
  body: 'Hi,\n\nshall we meet at 13:00?\nSarah',
  truncated: false,
  links: [],
  dates: [],
  requests: [],
}
const EVENT = {
  id: 'e1',
  title: 'Stand-up',
  from: '2026-11-23T08:00:00Z',
  to: '2026-11-23T08:30:00Z',
  allDay: false,
  attendees: 3,
}

function slots(...rows: readonly (readonly [from: string, to: string, busy: boolean])[]): Json {
  return {
    slots: rows.map(([from, to, busy]) => ({
      from: new Date(from).toISOString(),
      to: new Date(to).toISOString(),
      busy,
    })),
  }
}
/** Every golden text is one that the output guard leaves as it is. */
function say(text: string, ...contents: readonly (readonly [string, Json])[]): string {
  const answer = answerFor(spoken(text, contents))
  const others = contents.map(([, content]) => content)
  expect(guard(answer, { read: [text], others })).toBe(answer)
  return answer
}

describe('mail', () => {
  it('lists unread first, with who, what and when', () =>
    expect(say('check my email', ['email.list', { emails: [BANK, SARAH], more: true }])).toBe(
      [
        '2 mails, 1 unread:',
        '1. Sarah Connor: Lunch on Friday? (today 09:12, unread)',
        '2. bank@example.net: (no subject) (Fri 20 Nov, 09:12, with attachments)',
        'There is more. Say for example "show the last 20 emails".',
      ].join('\n'),
    ))

  it.each([
    ['any new mail?', [], 'Nothing new: you have no unread mail.'],
    ['check my email', [], 'There is no mail in your inbox.'],
    ['any emails from Tom?', [SARAH], 'I see nothing from Tom among your newest mails.'],
    [
      'any emails from Sarah?',
      [BANK, SARAH],
      '1 mail, 1 unread:\n1. Sarah Connor: Lunch on Friday? (today 09:12, unread)',
    ],
  ])('%s', (text, emails, answer) => expect(say(text, ['email.list', { emails, more: false }])).toBe(answer))

  it('reads one out, quoted, and not the list it was found in', () =>
    expect(
      say('read the one from Sarah', ['email.list', { emails: [SARAH], more: false }], ['email.read', MAIL]),
    ).toBe(
      [
        'From: Sarah Connor (sarah@example.org)',
        'Subject: Lunch on Friday?',
        'Sent: today 09:12',
        '',
        '> Hi,',
        '>',
        '> shall we meet at 13:00?',
        '> Sarah',
      ].join('\n'),
    ))

  it('shows a long mail to its end', () => {
    const body = 'A line of a report.\n'.repeat(1_900)
    const answer = say('read it', ['email.read', { ...MAIL, body: `${body}The last line.` }])
    expect(answer).toMatch(/\n> The last line\.$/)
    expect(answer.match(/^> A line of a report\.$/gm)).toHaveLength(1_900)
  })

  it('says what of a mail is not shown', () => {
    const answer = say('read it', [
      'email.read',
      { ...MAIL, body: 'word '.repeat(9_000), truncated: true, hasAttachments: true },
    ])
    expect(answer).toMatch(/\n\([45],\d\d\d more characters not shown\.\)\n/)
    expect(answer).toContain('longer than the part I fetched')
    expect(answer).toContain('attachments, which I did not open')
  })
})

describe('calendar', () => {
  it('lists events by day in local time', () =>
    expect(
      say('what is on my calendar next week', [
        'calendar.list_events',
        {
          events: [
            {
              ...EVENT,
              id: 'e2',
              title: 'Fair',
              from: '2026-11-25',
              to: '2026-11-27',
              allDay: true,
              location: 'Bonn',
              attendees: 0,
            },
            EVENT,
          ],
          more: false,
        },
      ]),
    ).toBe(
      [
        'Mon 23 Nov (tomorrow):',
        '- 09:00–09:30 Stand-up (3 attendees)',
        'Wed 25 Nov:',
        '- all day: Fair (Bonn)',
        'Thu 26 Nov:',
        '- all day: Fair (Bonn)',
      ].join('\n'),
    ))

  it.each([
    ['what is on my calendar tomorrow', 'Nothing on your calendar for Mon 23 Nov (tomorrow).'],
    ['what is on my calendar next week', 'Nothing on your calendar for Mon 23 Nov – Sun 29 Nov.'],
    ['what is on my calendar this afternoon', 'Nothing on your calendar for Sun 22 Nov, 12:00–18:00.'],
  ])('%s: nothing', (text, answer) =>
    expect(say(text, ['calendar.list_events', { events: [], more: false }])).toBe(answer),
  )

  const FRIDAY = ['2026-11-27T00:00:00+01:00', '2026-11-28T00:00:00+01:00'] as const
  const at = (time: string): string => `2026-11-27T${time}:00+01:00`
  it.each([
    [
      'the gaps of a day',
      'when am I free on Friday',
      slots(
        [FRIDAY[0], at('12:00'), false],
        [at('12:00'), at('14:00'), true],
        [at('14:00'), FRIDAY[1], false],
      ),
      'On Friday you are free 09:00–12:00 and 14:00–18:00.',
    ],
    [
      'a free day',
      'when am I free on Friday',
      slots([FRIDAY[0], FRIDAY[1], false]),
      'On Friday you are free all day.',
    ],
    [
      'a full day',
      'when am I free on Friday',
      slots([FRIDAY[0], FRIDAY[1], true]),
      'On Friday you are busy all day.',
    ],
    [
      'an evening that is taken',
      'when am I free on Friday',
      slots(
        [FRIDAY[0], at('19:00'), false],
        [at('19:00'), at('21:00'), true],
        [at('21:00'), FRIDAY[1], false],
      ),
      'On Friday you are free 09:00–18:00. Beyond that you are busy 19:00–21:00.',
    ],
    [
      'a free time',
      'am I free on Friday from 14:00 to 16:00?',
      slots([at('14:00'), at('16:00'), false]),
      'On Friday you are free 14:00–16:00.',
    ],
    [
      'a busy time',
      'am I free on Friday from 14:00 to 16:00?',
      slots([at('14:00'), at('16:00'), true]),
      'On Friday you are busy 14:00–16:00.',
    ],
    [
      'a gap too short',
      'am I free for 90 minutes on Friday from 9:00 to 12:00?',
      slots(
        [at('09:00'), at('10:00'), false],
        [at('10:00'), at('10:30'), true],
        [at('10:30'), at('12:00'), false],
      ),
      'On Friday you are free 10:30–12:00.',
    ],
    [
      'today, from now on',
      'when am I free today',
      slots(
        ['2026-11-22T00:00:00+01:00', '2026-11-22T15:00:00+01:00', false],
        ['2026-11-22T15:00:00+01:00', '2026-11-23T00:00:00+01:00', true],
      ),
      'Today you are free 11:30–15:00. Beyond that you are busy 18:00–24:00.',
    ],
  ])('%s', (_, text, content, answer) => expect(say(text, ['calendar.freebusy', content])).toBe(answer))

  it('keeps local hours on the day the clocks change', () => {
    const parts = spoken('when am I free on 28 March 2027', [
      [
        'calendar.freebusy',
        slots(
          ['2027-03-28T00:00:00+01:00', '2027-03-28T12:00:00+02:00', true],
          ['2027-03-28T12:00:00+02:00', '2027-03-29T00:00:00+02:00', false],
        ),
      ],
    ])
    expect(answerFor(parts)).toBe(
      'On Sun 28 Mar 2027 you are free 12:00–18:00. Beyond that you are busy 00:00–09:00.',
    )
  })

  it('names what it booked', () =>
    expect(
      say('book lunch with Sarah on Friday at 13:00', [
        'calendar.create_event',
        { id: 'e9', from: '2026-11-27T12:00:00Z', to: '2026-11-27T13:00:00Z' },
      ]),
    ).toBe('Booked: Lunch with Sarah, Fri 27 Nov, 13:00–14:00.'))
})

describe('pages, memory, talk', () => {
  const PAGE = {
    title: 'On tea',
    author: 'A. Brewer',
    date: '2026-11-01',
    text: 'Tea is hot.\n\nMilk is not.',
    links: [],
    language: 'en',
  }
  it.each([
    [
      'read https://example.org/',
      [['web.read', PAGE]],
      'On tea (by A. Brewer, Sun 1 Nov)\n\n> Tea is hot.\n>\n> Milk is not.',
    ],
    ['remember that my locker is 12', [['memory.save', { saved: true }]], 'I will remember: my locker is 12'],
    [
      'remember that my locker is 12',
      [['memory.save', { saved: false }]],
      'I could not remember that. Please try again.',
    ],
    [
      'what do you know about my locker?',
      [['memory.search', { facts: [{ text: 'my locker is 12', at: '2026-11-21T10:00:00Z' }] }]],
      'You told me:\n- my locker is 12 (Sat 21 Nov)',
    ],
    [
      'what do you know about tea?',
      [['memory.search', { facts: [] }]],
      'You have not told me anything about that.',
    ],
    [
      'what do you remember?',
      [['memory.search', { facts: [] }]],
      'You have not asked me to remember anything yet.',
    ],
    ['hi', [], 'Hello! What can I do for you?'],
    ['thanks', [], 'You are welcome.'],
    ['good night', [], 'Good bye, until next time.'],
    ['ok', [], 'All right.'],
  ] as const)('%s', (text, contents, answer) => expect(say(text, ...contents)).toBe(answer))

  it('says where a long page goes on', () =>
    expect(
      say('read https://example.org/', ['web.read', { ...PAGE, text: 'Tea is hot. '.repeat(1_000) }]),
    ).toMatch(/\n\(The page goes on for 10,\d{3} more characters\.\)$/))

  it('offers only what is there', () => {
    const help = answerFor(spoken('help', [], { tools: ['web.read', 'message.reply'].map(toolCard) }))
    expect(help).toBe(
      'I am PFAR, your private assistant. Here is what I can do for you:\n- read a web page: "read", and its address',
    )
    expect(answerFor(spoken('help', [], { tools: [] }))).toContain('nothing I can do')
  })

  it('keeps its own words past the output guard', () => {
    const texts = ['help', 'hi', 'tell me a joke'].map((text) =>
      answerFor(spoken(text, [], { instruction: 'not_understood' })),
    )
    for (const text of texts) expect(guard(text)).toBe(text)
  })
})

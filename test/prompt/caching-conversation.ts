/**
 * A morning's conversation of an owner with the assistant, to measure what a provider may cache: mail, calendar, facts to
 * remember, and small talk. The world's answers and the model's are scripted, of the length that
 * they have in life. Used by caching.test.ts alone.
 */
import type { SelfSources } from '../../kernel/self/snapshot.ts'
import type { ToolOutcome } from '../../kernel/tool/manifest.ts'
import type { ScriptedTool } from '../pipeline/world.ts'

interface Mail {
  readonly fromName: string
  readonly subject: string
  readonly body: string
}

const MAILS: readonly Mail[] = [
  {
    fromName: 'Sarah Chen',
    subject: 'Q3 budget',
    body: 'Hi! Could you look at the numbers for the third quarter before Thursday? Travel is 14 % above plan, mostly the two trips to Lisbon. If you agree I would move 3,000 from the training line and tell finance on Friday.\n\nSarah',
  },
  {
    fromName: 'Tom Reed',
    subject: 'Lunch this week?',
    body: 'I am in town until Friday and would love to catch up. Wednesday or Thursday would suit me, somewhere near your office. Ana sends her regards, she starts at the hospital in December.\n\nTom',
  },
  {
    fromName: 'Mia Frank',
    subject: 'Offsite: rooms',
    body: 'The hotel holds twelve rooms for us until the 30th. They want the names and whether anybody eats vegetarian. The bus leaves at 8:15 from the main entrance; I still need a number for the second day.\n\nMia',
  },
  {
    fromName: 'Luis Gil',
    subject: 'Invoice 4411',
    body: 'Attached is the invoice for October, 1,240.00 EUR, payable within 30 days. The hours for the migration are listed on the second page. Tell me if the order number should stand on it as well.\n\nLuis',
  },
  {
    fromName: 'Ann Lee',
    subject: 'School trip on Tuesday',
    body: 'The class leaves at 7:40 and is back at five. Please give the children a packed lunch and rain clothes; the form must be signed by Monday. Two parents are still wanted to come along.\n\nAnn',
  },
]

const HEADS = MAILS.map(({ fromName, subject, body }, at) => ({
  id: `18c2f0a9b${at}d4`,
  from: `${fromName.split(' ')[0]?.toLowerCase()}@mail.example`,
  fromName,
  subject,
  date: `2026-11-20T0${8 - at}:1${at}:00Z`,
  unread: at < 2,
  snippet: body.slice(0, 100),
  hasAttachments: at === 3,
}))

const EVENTS = ['Stand-up', 'Review with Sarah', 'Dentist'].map((title, at) => ({
  id: `ev${at}x81`,
  title,
  from: `2026-11-20T${10 + 2 * at}:00:00+01:00`,
  to: `2026-11-20T${10 + 2 * at}:45:00+01:00`,
  allDay: false,
  attendees: 3 - at,
}))

const done = (output: unknown): ToolOutcome => ({ ok: true, output: output as never })

/** There, and not asked for in this conversation. */
const unasked: ScriptedTool = () => ({ ok: false, reason: { code: 'tool_unavailable', facts: {} } })

export const CONVERSATION_TOOLS: Readonly<Record<string, ScriptedTool>> = {
  // The assistant describes five tools of Google's, and every home reads pages: ten cards, as in real use.
  'calendar.create_event': unasked,
  'web.read': unasked,
  'email.list': () => done({ emails: HEADS, more: false }),
  'email.read': ({ id }) => {
    const at = HEADS.findIndex((each) => each.id === id)
    const found = HEADS[at]
    if (found === undefined) return { ok: false, reason: { code: 'remote_not_found', facts: {} } }
    const { unread: _unread, snippet: _snippet, ...head } = found
    const body = MAILS[at]?.body ?? ''
    return done({
      ...head,
      to: ['owner@home.example'],
      body,
      truncated: false,
      links: [],
      dates: [],
      requests: [],
    })
  },
  'calendar.list_events': () => done({ events: EVENTS, more: false }),
  'calendar.freebusy': () => done({ slots: EVENTS.map(({ from, to }) => ({ from, to, busy: true })) }),
}

/** A model's plan. */
const LOOK = '{"steps":[{"id":"s1","do":"tool","tool":"email.list","args":{}}],"explanation":"newest mails"}'
const THAT_DAY =
  '{"steps":[{"id":"s1","do":"tool","tool":"calendar.freebusy","args":{"from":"2026-11-24T07:00:00+01:00","to":"2026-11-24T18:00:00+01:00"}}],"explanation":"that day"}'

/** What the assistant knows of itself where it has been in use for a while: about as much as is usual (M-13). */
export const LIVED_IN: Partial<SelfSources> = {
  persona: () => ({ name: 'Ada', style: 'friendly, short, a little dry; first names' }),
  skills: () => ['expenses', 'packing lists', 'meeting notes'].map((name) => ({ name, note: '' })),
  channels: () => ['terminal', 'telegram', 'slack'].map((name) => ({ name, note: 'connected' })),
  jobs: () => [
    { name: 'morning summary', note: 'weekdays 7:30' },
    { name: 'weekly review', note: 'Friday 16:00' },
  ],
  preferences: () => [
    'no meetings before nine',
    'lunch at one',
    'times in 24 hours',
    'trains rather than planes',
  ],
}

/** What the owner wrote into the directive files. */
export const OWN_FILES: readonly (readonly [file: string, text: string])[] = [
  [
    'USER',
    '- Two children, Leo (9) and Nora (6); Leo is allergic to nuts.\n- Works for a firm of architects in Madrid; the office is near Atocha.\n- Sarah Chen is the head of finance, Tom Reed an old friend from Leeds.\n- Runs on Sunday mornings; does not want to be asked for anything then.\n- Writes English at work, Spanish at home.\n',
  ],
  [
    'SOUL',
    '- Say first what has to be done today, then the rest.\n- Name people by their first names.\n- No lists of more than five lines without asking.\n- When two dates collide, say so before anything else.\n',
  ],
]

/** What the owner says, and what a model then answers. The third is its plan, where no rule knows one. */
export const CONVERSATION: readonly (readonly [words: string, answer: string, plan?: string])[] = [
  [
    'check my email',
    'Two new mails:\n1. Sarah Chen, Q3 budget: asks you to look at the numbers before Thursday.\n2. Tom Reed, Lunch this week?: is in town until Friday.\nRead already: Mia Frank (Offsite: rooms), Luis Gil (Invoice 4411), Ann Lee (School trip on Tuesday).',
  ],
  [
    'read the one from Sarah',
    'Sarah asks you to check the numbers of the third quarter before Thursday. Travel is 14 % above plan, mostly because of two trips to Lisbon. She would move 3,000 from the training line and tell finance on Friday, if you agree.',
  ],
  [
    'what is on my calendar today?',
    'Three things: stand-up from 10:00 to 10:45, the review with Sarah from 12:00 to 12:45 and the dentist from 14:00 to 14:45.',
  ],
  ['when am I free today?', 'You are free from 10:45 to 12:00, from 12:45 to 14:00 and after 14:45.'],
  ['remember that I told Sarah yes on the budget', 'I will remember that you told Sarah yes on the budget.'],
  [
    'could you see whether Tom wants something by tomorrow?',
    'He does not: Tom is in town until Friday and proposes Wednesday or Thursday for lunch, near your office.',
    LOOK,
  ],
  [
    'read the one from Tom',
    'Tom is in town until Friday and would like to meet you on Wednesday or Thursday, near your office. Ana sends her regards; she starts at the hospital in December.',
  ],
  [
    'am I free on Thursday?',
    'On Thursday you have nothing but the stand-up at 10:00, the review at 12:00 and the dentist at 14:00; noon to one is taken.',
  ],
  [
    'which mails still wait for a word from me?',
    'Mia wants the names for the twelve rooms by the 30th and who eats vegetarian; Ann needs the signed form by Monday; Tom waits for a day for lunch. Luis asks only whether the order number should stand on the invoice.',
    LOOK,
  ],
  [
    'read the one from Mia',
    'Mia needs the names for the rooms and whether anybody eats vegetarian. The hotel holds twelve rooms until the 30th, the bus leaves at 8:15 from the main entrance, and she lacks a number for the second day.',
  ],
  [
    'what is on my calendar tomorrow?',
    'Tomorrow you have the stand-up at 10:00, a review with Sarah at 12:00 and the dentist at 14:00.',
  ],
  [
    'would Luis mind if I paid him at the end of the month?',
    'His invoice 4411 is payable within 30 days, so the end of the month is in time. He only asks whether the order number should stand on it.',
    LOOK,
  ],
  [
    'read the one from Ann',
    'The class leaves on Tuesday at 7:40 and is back at five. Ann asks for a packed lunch and rain clothes, and for the signed form by Monday. Two more parents are wanted to come along.',
  ],
  [
    'am I free on Tuesday?',
    'On Tuesday you are busy from 10:00 to 10:45, from 12:00 to 12:45 and from 14:00 to 14:45, and free otherwise.',
  ],
  [
    'what do you know about the offsite?',
    'You told me that two of you eat vegetarian there. Of the rest I know only what Mia wrote: twelve rooms until the 30th and the bus at 8:15.',
  ],
  [
    'remember that the form for the school trip is signed',
    'I will remember that the form for the school trip is signed.',
  ],
  [
    'could I go along on the trip without missing anything?',
    'Not quite: the class is away from 7:40 to five, and you have three appointments on that day. The dentist at 14:00 is the one that is hard to move.',
    THAT_DAY,
  ],
  [
    'when am I free next week?',
    'Next week you are free every day but from 10:00 to 10:45, from 12:00 to 12:45 and from 14:00 to 14:45.',
  ],
  [
    'what is on my calendar on Monday?',
    'On Monday the stand-up is at 10:00, the review with Sarah at 12:00 and the dentist at 14:00.',
  ],
  ['thanks', 'You are welcome.'],
]

/** What is said next to what was shown, booked, deleted or put on the list; with its opposites, which plan nothing of it. */
import { describe, expect, it } from 'vitest'
import { readingOf } from '../../bench/phrases/score.ts'
import { createMessageExtractor } from '../../integrations/extractors/message/message.ts'
import { planFor } from '../../integrations/models/rules/plan-for.ts'
import { TOOL_MANIFESTS } from '../../integrations/tools/registered.ts'
import type { Json } from '../../kernel/flow/json.ts'
import type { PromptParts } from '../../kernel/prompt/parts.ts'

type Shown = PromptParts['metadata'][number]
const EXTRACTOR = createMessageExtractor()
const IDS = [
  ...TOOL_MANIFESTS.flatMap(({ actions }) => actions.map(({ id }) => id)),
  ...['memory.save', 'memory.search', 'reminder.set', 'reminder.later', 'task.add', 'task.done'],
]
const CONTACTS: Shown = {
  ...{ root: 'contacts', action: 'owner:contacts' },
  fields: {
    people: {
      count: 2,
      items: ['Sarah Chen', 'Tom'].map((known, at) => ({
        email: { ref: `contacts.people[${at}].email`, kind: 'email', size: 'line', known },
      })),
    },
  } as Json,
}

function plan(request: string, shown: readonly Shown[] = []) {
  const now = Date.parse('2026-11-22T10:30:00Z')
  const fields = EXTRACTOR.extract(request, { now, timezone: 'UTC' }) as { readonly [key: string]: Json }
  return planFor({
    ...{ purpose: 'plan', audience: 'owner', self: { version: '00000000', sections: [] }, document: '' },
    ...{ directives: [], blocks: [], request, history: [], contents: [], troubles: [] },
    ...{ instruction: null, options: [] },
    metadata: [{ root: 'said', action: 'extractor:message:owner', fields }, ...shown, CONTACTS],
    tools: IDS.map((id) => ({ id, description: id, semantics: 'read', args: {}, gives: '' })),
    output: {
      ...{ sink: 'sink:terminal:owner', maxChars: 3_500, format: 'plain', timezone: 'UTC' },
      now: '2026-11-22T10:30',
    },
  })
}

const calls = (request: string, shown: readonly Shown[] = []) =>
  plan(request, shown).steps.flatMap((step) => (step.do === 'tool' ? [[step.tool, step.args]] : []))
const tools = (request: string, shown: readonly Shown[] = []) =>
  calls(request, shown).map(([tool]) => tool as string)
const rows = (root: string, action: string, list: string): Shown => ({
  ...{ root, action },
  fields: {
    [list]: {
      count: 2,
      items: [0, 1].map((at) => ({ id: { ref: `${root}.${list}[${at}].id`, kind: 'id', size: 'line' } })),
    },
  },
})
const event = (
  root: string,
  action: string,
  more: object = { from: '2026-11-27T13:00:00Z', to: '2026-11-27T14:00:00Z' },
): Shown => ({
  ...{ root, action },
  fields: {
    id: { ref: `${root}.id`, kind: 'id', size: 'line' },
    title: { ref: `${root}.title`, kind: 'text', size: 'line' },
    ...more,
  } as Json,
})
const MAILS = rows('w1', 'email.list', 'emails')
const EVENTS = rows('w1', 'calendar.list_events', 'events')
const IDS_SHOWN = [{ $ref: 'w1.emails[0].id' }, { $ref: 'w1.emails[1].id' }]

describe('all mails that were shown', () => {
  it.each([
    ...['mark everything as read', 'mark them all as read', 'mark all as read', 'set all of them to read'],
    ...['mark all of these as read please', 'can you mark them as read?', 'flag these emails as read'],
    ...[
      'alles als gelesen markieren',
      'markier alle als gelesen',
      'kannst du die alle als gelesen markieren?',
    ],
    ...['setz alle auf gelesen'],
  ])('%s', (text) => expect(calls(text, [MAILS])).toEqual([['email.mark', { ids: IDS_SHOWN, as: 'read' }]]))

  it.each([
    ['archive them all', 'email.archive'],
    ['archiviere alle', 'email.archive'],
    ['delete all of these', 'email.delete'],
    ['mark everything as unread', 'email.mark'],
  ])('%s', (text, tool) => {
    const [[made, args] = ['', {}]] = calls(text, [MAILS])
    expect([made, (args as { readonly ids?: unknown }).ids]).toEqual([tool, IDS_SHOWN])
  })

  it.each([
    ...[
      "don't mark everything as read",
      'did you mark everything as read?',
      'markier nicht alles als gelesen',
    ],
    ...['hast du alles als gelesen markiert?', 'mark everything as done', 'delete everything'],
    ...['why is everything marked as read'],
  ])('not: %s', (text) => expect(tools(text, [MAILS])).toEqual([]))

  it('are none where none, or something else, was shown', () => {
    expect(plan('mark everything as read').explanation).toBe('which_mail')
    expect(plan('mark everything as read', [EVENTS]).explanation).toBe('which_mail')
  })
})

describe('a guest', () => {
  const GUEST = [{ $ref: 'contacts.people[0].email' }]

  it.each([
    ['invite sarah to the dentist', 'dentist'],
    ['invite sarah to my dentist appointment', 'dentist'],
    ['bring sarah to our team lunch', 'team lunch'],
    ['add sarah to the budget meeting', 'budget'],
    ['add sarah as a guest to the dentist', 'dentist'],
    ['invite sarah to the lunch on friday', 'lunch'],
    ['lade sarah zum zahnarzt ein', 'zahnarzt'],
    ['kannst du sarah zur besprechung am freitag einladen?', 'besprechung'],
    ['lad sarah auch zu meinem geburtstag ein', 'geburtstag'],
  ])('of the event with a word of it: %s', (text, matching) => {
    expect(plan(text).steps[1]).toMatchObject({ do: 'select', take: 'one', matching })
    expect(calls(text).at(-1)).toEqual([
      'calendar.update_event',
      { id: { $ref: 's2.id' }, calendar: { $ref: 's2.calendarId' }, invite: GUEST },
    ])
  })

  it.each(['invite sarah to it', 'add sarah to that', 'lad sarah dazu ein'])(
    'of what was booked: %s',
    (text) =>
      expect(calls(text, [event('w1', 'calendar.create_event')])).toEqual([
        [
          'calendar.update_event',
          { id: { $ref: 'w1.id' }, calendar: { $ref: 'w1.calendarId' }, invite: GUEST },
        ],
      ]),
  )

  it.each([
    ...[
      "don't invite sarah to the dentist",
      'lade sarah nicht zum zahnarzt ein',
      'uninvite sarah from the dentist',
    ],
    ...[
      'did i invite sarah to the dentist?',
      'i invited sarah to the dentist',
      'should i invite sarah to the dentist?',
    ],
  ])('not: %s', (text) => expect(tools(text)).not.toContain('calendar.update_event'))

  const waiting = (root: string, more: object = {}): Shown => ({
    ...{ root, action: 'calendar.create_event' },
    fields: {
      ...{
        number: 1,
        asked: '2026-11-22T10:29:00Z',
        from: '2026-11-27T13:00:00Z',
        to: '2026-11-27T14:00:00Z',
      },
      ...{ title: { ref: `${root}.title`, kind: 'text', size: 'word' }, ...more },
    } as Json,
  })
  const kept = (root: string) =>
    Object.fromEntries(['title', 'from', 'to'].map((name) => [name, { $ref: `${root}.${name}` }]))

  it.each([
    ...[
      'and get sarah in on it',
      'get sarah in on that too',
      'loop sarah in',
      'bring sarah along',
      'invite sarah to it',
    ],
    ...[
      'have sarah join',
      'sarah should come too',
      'hol sarah noch dazu',
      'sarah soll dabei sein',
      'lad sarah dazu ein',
    ],
  ])('to the call that waits for a yes, with all that it has: %s', (text) => {
    expect(calls(text, [waiting('q1')])).toEqual([
      ['calendar.create_event', { ...kept('q1'), attendees: GUEST }],
    ])
    const booked = event('w1', 'calendar.create_event')
    expect(tools(text, [booked])).toEqual(['calendar.update_event'])
  })

  it('beside those who are invited by it already', () => {
    const attendees = { count: 1, items: [{ ref: 'q1.attendees[0]', kind: 'email', size: 'line' }] }
    expect(calls('get sarah in on it', [waiting('q1', { attendees })])).toEqual([
      ['calendar.create_event', { ...kept('q1'), attendees: [{ $ref: 'q1.attendees[0]' }, ...GUEST] }],
    ])
  })

  it('to none of two that wait, to nothing where nobody is meant, and to no other call', () => {
    expect(plan('get sarah in on it', [waiting('q1'), waiting('q2')]).explanation).toBe('which_event')
    for (const text of ['bring milk along', 'take the umbrella along', 'hol milch dazu'])
      expect(tools(text, [waiting('q1')])).not.toContain('calendar.create_event')
    expect(plan('bring milk along').explanation).not.toBe('which_event')
    const draft = { ...waiting('q1'), action: 'email.send' }
    expect(tools('get sarah in on it', [draft])).toEqual([])
  })

  it('who is unknown is asked for', () =>
    expect(plan('invite bob to the dentist').explanation).toBe('contact_unknown'))

  it('is none of what goes on a list or into a calendar', () => {
    expect(tools('add milk to the shopping list')).toEqual(['task.add'])
    expect(tools('add dentist to my calendar tomorrow at 9')).toEqual(['calendar.create_event'])
  })
})

describe('an event that was deleted', () => {
  const DELETED = event('w1', 'calendar.delete_event')
  const AGAIN = [
    'calendar.create_event',
    { title: { $ref: 'w1.title' }, from: { $ref: 'w1.from' }, to: { $ref: 'w1.to' } },
  ]

  it.each([
    ...['undo that', 'undo', 'take that back', 'bring it back', 'restore the event', 'bring the event back'],
    ...['mach das rückgängig', 'nimm das wieder zurück', 'stell den termin wieder her', 'hol ihn zurück'],
  ])('is made again: %s', (text) => expect(calls(text, [DELETED])).toEqual([AGAIN]))

  it.each(["don't undo that", 'did you undo that?', 'i undid that', 'mach das nicht rückgängig'])(
    'not: %s',
    (text) => expect(tools(text, [DELETED])).toEqual([]),
  )

  it('is none where it had no time, or something was done since', () => {
    expect(tools('undo that', [event('w1', 'calendar.delete_event', {})])).toEqual([])
    const since = [rows('w1', 'email.archive', 'emails'), event('w2', 'calendar.delete_event')]
    expect(tools('undo that', since)).toEqual(['email.move'])
  })

  it('is deleted again by the same words', () =>
    expect(
      tools('undo that', [event('w1', 'calendar.create_event'), event('w2', 'calendar.delete_event')]),
    ).toEqual(['calendar.delete_event']))
})

describe('an event that was changed', () => {
  const BEFORE = { from: '2026-11-27T12:00:00Z', to: '2026-11-27T13:00:00Z' }
  const CHANGED = event('w1', 'calendar.update_event', { before: BEFORE })
  const BACK = [
    'calendar.update_event',
    { id: { $ref: 'w1.id' }, from: { $ref: 'w1.before.from' }, to: { $ref: 'w1.before.to' } },
  ]

  it.each([
    ...['undo', 'undo that', 'undo the move', 'put it back', 'oh no, put it back to where it was'],
    ...['put it back to its old time', 'take that back', 'leave it as it was'],
    ...['mach das rückgängig', 'mach die verschiebung rückgängig', 'stell ihn wieder her'],
    ...['hab mich vertan, mach das wieder rückgängig', 'lass den termin wie er war'],
  ])('has again what it had: %s', (text) => expect(calls(text, [CHANGED])).toEqual([BACK]))

  it('of its title only that is given back, and those who were told are told of it', () => {
    const before = { title: { ref: 'w1.before.title', kind: 'text', size: 'line' } }
    const renamed = event('w1', 'calendar.update_event', { before, guestsTold: true })
    expect(calls('undo', [renamed])).toEqual([
      [
        'calendar.update_event',
        { id: { $ref: 'w1.id' }, title: { $ref: 'w1.before.title' }, tell: { $ref: 'w1.guestsTold' } },
      ],
    ])
  })

  it('is changed again by the same words', () =>
    expect(calls('undo that', [CHANGED, event('w2', 'calendar.update_event', { before: BEFORE })])).toEqual([
      BACK,
    ]))
})

describe('what was done last of all is taken back, and nothing older', () => {
  const DELETED = event('w2', 'calendar.delete_event')
  it.each<[action: string, text: string]>([
    ['calendar.update_event', 'undo'],
    ['calendar.answer_invitation', 'undo that'],
    ['email.send', 'mach das rückgängig'],
    ['email.reply', 'take it back'],
    ['memory.save', 'undo'],
    ['task.add', 'nimm das zurück'],
    ['email.send', 'mach das löschen rückgängig'],
  ])('after %s: %s', (action, text) =>
    expect(plan(text, [event('w1', action, {}), DELETED])).toEqual({
      steps: [],
      explanation: `stays:${action}`,
    }),
  )

  it('what was only looked at since changes nothing of it', () =>
    expect(tools('undo', [rows('w1', 'email.list', 'emails'), DELETED])).toEqual(['calendar.create_event']))

  it('what was made is deleted where that is said, whatever was done since', () =>
    expect(tools('delete it', [event('w1', 'email.send', {}), event('w2', 'calendar.create_event')])).toEqual(
      ['calendar.delete_event'],
    ))
})

describe('a mail that was put away comes back to where it was, whatever was done since', () => {
  const AWAY = event('w3', 'email.archive', {
    emails: { count: 1, items: [{ id: { ref: 'w3.emails[0].id', kind: 'id', size: 'line' } }] },
  })
  it.each([
    'put it back into the inbox',
    'move it back to my inbox',
    'hol die mail zurück',
    'hol sie aus dem papierkorb',
    'undelete it',
  ])('%s', (text) =>
    expect(calls(text, [event('w1', 'reminder.set', {}), event('w2', 'task.add', {}), AWAY])).toEqual([
      ['email.move', { ids: [{ $ref: 'w3.emails[0].id' }], to: 'inbox' }],
    ]),
  )
})

describe('what somebody is told', () => {
  it.each([
    ["tell sarah i'll be 10 min late", "I'll be 10 min late"],
    ["tell sarah that i'm on my way", "I'm on my way"],
    ["can you tell sarah i'm sick today?", "I'm sick today"],
    ['tell sarah the meeting is moved to 4', 'The meeting is moved to 4'],
    ["let sarah know we're running late", "We're running late"],
    ['tell sarah thanks', 'Thanks'],
    ['sag sarah, ich komme 10 min später', 'Ich komme 10 min später'],
    ['sag sarah dass ich später komme', 'Ich komme später'],
    ['gib sarah bescheid, dass ich krank bin', 'Ich bin krank'],
    ['könntest du sarah sagen, dass ich nicht kommen kann?', 'Ich kann nicht kommen'],
    ['sag sarah bescheid, dass der termin ausfällt', 'Der termin fällt aus'],
    ['sag sarah dass ich mich verspäte', 'Ich verspäte mich'],
    ['sag sarah, dass er die Kinder abholen soll', 'Er soll die Kinder abholen'],
    ['sag sarah dass ich es geschafft habe', 'Ich habe es geschafft'],
  ])('%s', (text, body) =>
    expect(calls(text)).toEqual([
      ['email.send', { to: [{ $ref: 'contacts.people[0].email' }], subject: body, body }],
    ]),
  )

  it.each([
    ...[
      "don't tell sarah i'm late",
      "did you tell sarah i'm late?",
      "i told sarah i'll be late",
      'sag sarah nicht dass ich komme',
    ],
    ...["never tell sarah i'm late", 'hast du sarah gesagt, dass ich später komme?', 'tell sarah the truth'],
    ...["tell me i'm great", 'tell sarah to call me', "tell them i'm late", 'tell me what sarah wants'],
  ])('not: %s', (text) => expect(tools(text)).not.toContain('email.send'))

  it('has another request behind it', () =>
    expect(tools("tell sarah i'll be late and remind me at 17:00 to call her")).toEqual([
      'email.send',
      'reminder.set',
    ]))

  it('names who is unknown', () => expect(plan("tell bob i'll be late").explanation).toBe('contact_unknown'))
})

describe('the list, in two breaths', () => {
  it.each<[text: string, done: string, added: readonly string[]]>([
    ['tick off stamps and add glue', 'stamps', ['glue']],
    ['tick off the stamps, add glue and tape', 'the stamps', ['glue', 'tape']],
    ['cross off bread and put eggs on', 'bread', ['eggs']],
    ['done with the stamps, add glue', 'the stamps', ['glue']],
    ['check milk off my list and add cheese', 'milk', ['cheese']],
    ['hak briefmarken ab und setz kleber drauf', 'briefmarken', ['kleber']],
    ['streich milch von der liste und schreib butter drauf', 'milch', ['butter']],
  ])('%s', (text, done, added) =>
    expect(calls(text)).toEqual([
      ['task.done', { text: done }],
      ...added.map((one) => ['task.add', { text: one }]),
    ]),
  )

  it.each([
    ['coffee again, add 2 packs', 'coffee (2 packs)'],
    ["we're out of coffee again, add 2 packs", 'coffee (2 packs)'],
    ['out of milk, add 3 cartons', 'milk (3 cartons)'],
    ['bread again, get two', 'bread (two)'],
    ['the bin bags ran out, put another roll on the list', 'bin bags (another roll)'],
    ['kaffee ist alle, setz 2 packungen drauf', 'kaffee (2 packungen)'],
    ['milch ist leer, setz noch 2 liter drauf', 'milch (2 liter)'],
  ])('what ran out is one thing: %s', (text, thing) =>
    expect(calls(text)).toEqual([['task.add', { text: thing }]]),
  )

  it.each([
    ['streich die blumen', 'blumen'],
    ['streich bitte noch die Milch raus', 'Milch'],
    ['eier hab ich', 'eier'],
    ['die eier haben wir schon', 'eier'],
    ['scratch the apples', 'apples'],
    ['cross out the stamps please', 'stamps'],
  ])('a thing that is struck or had, and no more, is ticked off: %s', (text, thing) =>
    expect(calls(text)).toEqual([['task.done', { text: thing }]]),
  )

  it.each([
    ...[
      'hunger hab ich',
      'zeit hab ich',
      'termine hab ich',
      'was hab ich',
      'keine ahnung hab ich',
      'hab ich',
    ],
    ...[
      'streich den termin mit anna',
      'streich die mail von tom',
      'streich alles',
      'streich den zaun am samstag',
    ],
    ...['hab ich eier?', 'scratch that', 'streich das', 'strike'],
  ])('no tick: %s', (text) => expect(tools(text)).not.toContain('task.done'))

  it.each([
    ...[
      "tick off stamps and don't add glue",
      "don't tick off stamps and add glue",
      'i ticked off stamps and added glue',
    ],
    ...['did you tick off stamps and add glue?', 'tick off stamps and add sarah to my contacts'],
    ...['tick off stamps and book lunch'],
    ...[
      "coffee again, don't add 2 packs",
      'never again, add 2 packs',
      'same again, add 2 packs',
      'ok, add 2 packs',
    ],
    ...['coffee again with tom, book 2 slots', 'i had coffee again, 2 cups'],
  ])('not: %s', (text) => {
    expect(tools(text)).not.toContain('task.add')
    expect(tools(text)).not.toContain('task.done')
  })
})

describe('what was wanted before is let go', () => {
  it.each([
    ["never mind, what's on tomorrow?", 'calendar.list_events'],
    ["Forget it, what's on tomorrow", 'calendar.list_events'],
    ['nvm, check my mail', 'email.list'],
    ['ok never mind, am i free on friday?', 'calendar.freebusy'],
    ["actually, what's on friday", 'calendar.list_events'],
    ['no wait, check my mail', 'email.list'],
    ['egal, was steht morgen an', 'calendar.list_events'],
    ['ach egal, zeig mir meine mails', 'email.list'],
    ['vergiss es, wie wird das wetter in bern', 'weather.forecast'],
    ['schon gut, was hab ich morgen', 'calendar.list_events'],
  ])('%s', (text, tool) => expect(tools(text)).toEqual([tool]))

  it.each(["never mind, don't book it", 'never mind the gap', "never mind that, i'll do it"])(
    'not: %s',
    (text) => expect(tools(text)).toEqual([]),
  )
})

describe('words at the end that say nothing', () => {
  it.each([
    "what's going on next week right now",
    "what's on next week right now",
    'what do i have on friday right now',
  ])('are looked for in no title: %s', (text) => {
    const fields = EXTRACTOR.extract(text, { now: Date.parse('2026-11-22T10:30:00Z'), timezone: 'UTC' })
    expect(fields).toMatchObject({ intent: 'calendar_list', whole: true })
    expect(fields).not.toHaveProperty('topic')
  })

  it('leave the title that is asked for', () =>
    expect(
      EXTRACTOR.extract('when is the dentist again', {
        now: Date.parse('2026-11-22T10:30:00Z'),
        timezone: 'UTC',
      }),
    ).toMatchObject({ topic: 'Dentist' }))
})

describe('what the models cost', () => {
  it.each([
    ...[
      'how much is this costing me',
      'how much is all this costing me',
      'what does this cost me',
      'what am i spending on you',
    ],
    ...[
      'how much are you costing me',
      'what have you cost me this month',
      'was kostet mich das',
      'was kostest du mich',
    ],
    ...['wie viel kostet mich das im monat', 'was hat mich das bis jetzt gekostet'],
  ])('%s', (text) => expect(readingOf(text).operation).toBe('usage'))

  it.each([
    ...[
      'how much did the dentist cost me',
      'how much does a train to vienna cost',
      'was kostet ein bahnticket nach wien',
    ],
    ...["don't tell me what this costs", 'was hat der zahnarzt gekostet', 'how much is the rent'],
  ])('not: %s', (text) => expect(readingOf(text).operation).toBeNull())
})

describe('what somebody wants', () => {
  it.each([
    ...[
      'was will sarah?',
      'was will tom von mir',
      'was will sarah schon wieder',
      'was will die bank von mir',
    ],
    ...['was will denn der steuerberater', 'was wollte sarah', 'what does sarah want'],
  ])('is their newest mail: %s', (text) => expect(tools(text)).toEqual(['email.list', 'email.read']))

  it.each([
    'was will ich heute essen',
    'was will das wetter morgen',
    'was will sarah nicht',
    'sarah will nichts',
  ])('not: %s', (text) => expect(tools(text)).not.toContain('email.read'))
})

describe('mails of somebody, where nothing names mail', () => {
  it.each([
    ['gibt es was von barbara seit freitag', 'barbara', '2026-11-20'],
    ['gab es was von Anna Huber', 'Anna Huber', null],
    ['ist was von barbara gekommen seit gestern', 'barbara', '2026-11-21'],
    ['gibt es seit montag schon was von der anna', 'anna', '2026-11-16'],
  ])('%s', (text, from, since) => {
    const [[tool, args] = []] = calls(text)
    expect(tool).toBe('email.list')
    const day = since === null ? {} : { since: expect.stringMatching(`^${since}T00:00`) }
    expect(args).toEqual({ from, ...day })
  })

  it.each([
    'gibt es was von barbara im kalender',
    'gibt es was von dem kuchen übrig',
    'gibt es was zu essen',
  ])('not: %s', (text) => expect(tools(text)).not.toContain('email.list'))
})

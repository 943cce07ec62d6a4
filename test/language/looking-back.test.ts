/** Messages that look back: at what was sent, at what was shown last, and at an event by a pronoun; with their opposites, which are of what is new. */
import { describe, expect, it } from 'vitest'
import { createMessageExtractor } from '../../integrations/extractors/message/message.ts'
import { backIn } from '../../integrations/extractors/message/message-back.ts'
import { asItIs } from '../../integrations/extractors/message/message-spelled.ts'
import { LOOKS_BACK } from '../../integrations/models/rules/earlier/looking-back.ts'
import { planFor } from '../../integrations/models/rules/plan-for.ts'
import { TOOL_MANIFESTS } from '../../integrations/tools/registered.ts'
import type { Json } from '../../kernel/flow/json.ts'
import type { PromptParts } from '../../kernel/prompt/parts.ts'

type Shown = PromptParts['metadata'][number]
const EXTRACTOR = createMessageExtractor(undefined, undefined, (text) => backIn(text) !== null)
const IDS = [
  ...TOOL_MANIFESTS.flatMap(({ actions }) => actions.map(({ id }) => id)),
  ...['memory.save', 'memory.search', 'reminder.set', 'task.add', 'task.done'],
]
const handle = (ref: string, kind: string, more: object = {}): Json => ({
  ...{ ref, kind, size: 'line' },
  ...more,
})
const CONTACTS: Shown = {
  ...{ root: 'contacts', action: 'owner:contacts' },
  fields: {
    people: {
      count: 1,
      items: [{ email: handle('contacts.people[0].email', 'email', { known: 'Sarah Chen' }) }],
    },
  },
}
const MAIL: Shown = {
  ...{ root: 'w1', action: 'email.read' },
  fields: { id: handle('w1.id', 'id'), from: handle('w1.from', 'email') },
}
const MAILS: Shown = {
  ...{ root: 'w2', action: 'email.list' },
  fields: { emails: { count: 2, items: [0, 1].map((at) => ({ id: handle(`w2.emails[${at}].id`, 'id') })) } },
}
const EVENT: Shown = {
  ...{ root: 'w1', action: 'calendar.create_event' },
  fields: { id: handle('w1.id', 'id'), from: '2026-11-27T13:00:00Z', to: '2026-11-27T14:00:00Z' },
}
const WAITING: Shown = { root: 'q1', action: 'email.reply', fields: { number: 1 } }

function plan(request: string, shown: readonly Shown[] = [], unconnected: readonly string[] = []) {
  const now = Date.parse('2026-11-22T10:30:00Z')
  const fields = EXTRACTOR.extract(request, { now, timezone: 'UTC' }) as { readonly [key: string]: Json }
  return planFor(
    {
      ...{ purpose: 'plan', audience: 'owner', self: { version: '00000000', sections: [] }, document: '' },
      ...{ directives: [], blocks: [], request, history: [], contents: [], troubles: [] },
      ...{ instruction: null, options: [] },
      metadata: [{ root: 'said', action: 'extractor:message:owner', fields }, ...shown],
      tools: IDS.map((id) => ({
        ...({ id, description: id, semantics: 'read', args: {}, gives: '' } as const),
        ...(unconnected.some((one) => id.startsWith(one)) && { unconnected: true }),
      })),
      output: {
        ...{ sink: 'sink:terminal:owner', maxChars: 3_500, format: 'plain', timezone: 'UTC' },
        now: '2026-11-22T10:30',
      },
    },
    {
      ...LOOKS_BACK,
      asking: () => null,
      written: (plan) => plan,
      leftOut: (plan) => plan,
      byParts: () => null,
      many: (plan) => plan,
      each: (plan) => plan,
      unsure: () => null,
      event: (made) => made,
      ofEvents: () => ({ clash: false, last: '' }),
      putRight: () => null,
      inAccount: () => null,
      spell: asItIs,
    },
  )
}

const calls = (request: string, shown: readonly Shown[] = []) =>
  plan(request, shown).steps.flatMap((step) => (step.do === 'tool' ? [[step.tool, step.args]] : []))
const tools = (request: string, shown: readonly Shown[] = []) => calls(request, shown).map(([tool]) => tool)

const TODAY = { since: '2026-11-22T00:00:00+00:00', before: '2026-11-23T00:00:00+00:00' }

describe('what was sent is looked up in the sent mail', () => {
  it.each([
    ...['what did I send today?', 'which mails have you sent today', 'wem hast du heute geschrieben?'],
    ...['was hab ich heute verschickt?', 'who did I write to today?'],
  ])('of a day: %s', (said) => expect(calls(said)).toEqual([['email.search', { in: 'sent', ...TODAY }]]))

  it.each(["show me the mails I've sent", 'wo kann ich sehen was ich geschickt hab'])('all: %s', (said) =>
    expect(calls(said)).toEqual([['email.list', { in: 'sent' }]]),
  )

  it.each([
    ...['did my answer to mira go out?', 'hast du die mail an mira abgeschickt?', 'did mira get my mail?'],
    ...['ist die mail an mira raus?', 'hast du die antwort an mira jetzt geschickt?'],
  ])('to somebody: %s', (said) => expect(calls(said)).toEqual([['email.search', { in: 'sent', to: 'mira' }]]))

  it.each(['have I answered Sarah yet?', 'hab ich sarah schon geschrieben?', 'did my mail to Sarah go out?'])(
    'to a contact, by the address: %s',
    (said) =>
      expect(calls(said, [CONTACTS])).toEqual([
        ['email.search', { in: 'sent', to: { $ref: 'contacts.people[0].email' } }],
      ]),
  )

  it.each([
    'what did you write to her?',
    'was hast du ihr da geschrieben?',
    'what did I write to her exactly?',
  ])('one is read: %s', (said) => expect(tools(said)).toEqual(['email.list', 'email.read']))

  it.each(['did my answer go out?', 'hast du die antwort abgeschickt?', 'is my reply sent?'])(
    'where its card waits, that is said: %s',
    (said) => expect(plan(said, [WAITING])).toEqual({ steps: [], explanation: 'sent_waits' }),
  )

  it.each(['hab ich mira schon geantwortet?', 'habe ich mira jetzt geschrieben?'])(
    'of somebody who is named, a card that does not say to whom is not theirs: %s',
    (said) =>
      expect(calls(said, [{ ...WAITING, fields: { number: 1 } }])).toEqual([
        ['email.search', { in: 'sent', to: 'mira' }],
      ]),
  )

  it.each([
    ...[
      'who wrote to me today?',
      'did you send me anything?',
      'hat mira geschrieben?',
      'any mail from Mira?',
    ],
    ...['hast du mir was geschickt?', 'did I get an answer from mira?'],
  ])('not: %s', (said) => expect(JSON.stringify(calls(said))).not.toContain('"sent"'))
})

describe('what was shown last', () => {
  it.each([
    ..."who's it from?|who is that from|von wem ist das?|how much is it?|was steht da drin?".split('|'),
    ...['who is it from and what does he want?', 'wann ist das fällig?', 'und wann ist der termin dort?'],
  ])('is read again: %s', (said) =>
    expect(calls(said, [MAIL, MAILS])).toEqual([['email.read', { id: { $ref: 'w1.id' } }]]),
  )

  it.each([
    ['that one from account services looks fishy, what does it say?', 'account services'],
    ['die von der zahnarztpraxis, was steht da drin?', 'zahnarztpraxis'],
  ])('one that is named, and that none of them is, is looked for by its name alone: %s', (said, words) =>
    expect(plan(said, [MAIL, MAILS]).steps).toMatchObject([
      { tool: 'email.list', args: { count: 25 } },
      { do: 'select', from: 's1.emails', matching: words },
      { tool: 'email.read', args: { id: { $ref: 's2.id' } } },
    ]),
  )

  it.each(['who is the second one from?', 'von wem ist die zweite?', 'who wrote the second mail?'])(
    'one by its place: %s',
    (said) => expect(calls(said, [MAILS])).toEqual([['email.read', { id: { $ref: 'w2.emails[1].id' } }]]),
  )

  it.each(['anything new from her?', 'gibt es was neues von ihr?', 'gibt es etwas von ihm?'])(
    'whoever wrote it is meant by a pronoun: %s',
    (said) => {
      expect(calls(said, [MAIL])[0]?.[1]).toMatchObject({ from: { $ref: 'w1.from' } })
      expect(plan(said)).toEqual({ steps: [], explanation: 'which_sender' })
    },
  )
})

describe('who wrote what was shown last', () => {
  it.each(['who is that?', 'who is she?', "who's he", 'wer ist das?', 'und wer ist sie eigentlich?'])(
    'is said by the mails of that address: %s',
    (said) => expect(calls(said, [MAIL, MAILS])).toEqual([['email.search', { from: { $ref: 'w1.from' } }]]),
  )
})

describe('whether somebody answered is what came since the last mail to them', () => {
  it.each([
    ...['did Sarah answer?', 'has sarah replied yet?', 'did sarah get back to me?', 'any reply from sarah?'],
    ...['did sarah answer my mail?', 'and has sarah written back?', 'hat sarah schon geantwortet?'],
    ...[
      'hat sarah mir zurückgeschrieben?',
      'hat sich sarah zurückgemeldet?',
      'ist schon eine antwort von sarah da?',
    ],
  ])('by the address of a contact: %s', (said) =>
    expect(calls(said, [CONTACTS])).toEqual([
      ['email.heard', { from: { $ref: 'contacts.people[0].email' } }],
    ]),
  )

  it.each([
    ['did mira vogel reply?', 'mira vogel'],
    ['hat mira auf meine mail geantwortet?', 'mira'],
  ])('by a name else: %s', (said, from) =>
    expect(calls(said, [CONTACTS])).toEqual([['email.heard', { from }]]),
  )

  it.each([
    ...['did I answer Sarah?', 'did anyone reply?', 'hat jemand geantwortet?', 'did sarah answer on slack?'],
    ...['did sarah accept?', 'hat sarah zugesagt?', 'did she answer?', 'hab ich sarah geantwortet?'],
  ])('not: %s', (said) => expect(tools(said, [CONTACTS])).not.toContain('email.heard'))
})

describe('what waits for an answer', () => {
  it.each([
    ...[
      'what needs a reply today',
      'which mails do i have to answer now?',
      'who do I still need to reply to?',
    ],
    ...[
      'which ones do i have to answer',
      'was muss ich heute noch beantworten?',
      'wem muss ich jetzt antworten?',
    ],
    ...['welche mails muss ich noch beantworten', 'wer erwartet noch eine antwort von mir?'],
  ])('waits whenever it came: %s', (said) =>
    expect(calls(said)).toEqual([['email.digest', { asking: true }]]),
  )
})

describe('an event by a pronoun', () => {
  it.each([
    'wann genau ist der termin?',
    'wann war das jetzt?',
    'when is it exactly?',
    'ist er jetzt eingetragen?',
  ])('%s', (said) => {
    expect(calls(said, [EVENT])).toEqual([
      ['calendar.list_events', { from: { $ref: 'w1.from' }, to: { $ref: 'w1.to' } }],
    ])
    expect(plan(said)).toEqual({ steps: [], explanation: 'which_event' })
  })

  it.each(['ist der zahnarzt jetzt eingetragen?', 'is the zahnarzt in my calendar now?'])(
    'now is no time of what is entered: %s',
    (said) => {
      const fields = EXTRACTOR.extract(said, { now: Date.parse('2026-11-22T10:30:00Z'), timezone: 'UTC' })
      expect(fields).toMatchObject({
        intent: 'calendar_list',
        topic: 'zahnarzt',
        to: '2026-12-22T00:00:00+00:00',
      })
    },
  )

  it.each(['am I free now?', 'bin ich jetzt frei?'])('elsewhere it is one: %s', (said) =>
    expect(
      EXTRACTOR.extract(said, { now: Date.parse('2026-11-22T10:30:00Z'), timezone: 'UTC' }),
    ).toMatchObject({
      from: '2026-11-22T10:30:00+00:00',
    }),
  )
})

it('a service that is not connected is asked only where it is named', () => {
  const at = ['github.']
  expect(plan('hmm anything there still waiting to be looked at by me', [], at).steps).toEqual([])
  expect(plan('which pull requests on github are waiting for my review?', [], at).steps).toMatchObject([
    { tool: 'github.list_prs' },
  ])
})

it.each(['why is everything marked as read?', 'warum hast du den termin verlegt?', 'why did you delete it?'])(
  'why something was done changes nothing: %s',
  (said) =>
    expect(tools(said, [MAILS, EVENT]).filter((one) => /mark|update|delete/.test(String(one)))).toEqual([]),
)

describe('the day that was looked at last', () => {
  const THURSDAY: Shown = {
    ...{ root: 'w1', action: 'calendar.freebusy' },
    fields: { slots: { count: 1, items: [{ from: '2026-11-26T08:00:00Z', to: '2026-11-26T12:00:00Z' }] } },
  }
  it.each(['wann ist da noch luft?', 'am I free then?'])('is meant: %s', (said) =>
    expect(calls(said, [THURSDAY])).toEqual([
      ['calendar.freebusy', { from: '2026-11-26T00:00:00+00:00', to: '2026-11-27T00:00:00+00:00' }],
    ]),
  )

  it('is none where another one is said', () =>
    expect(JSON.stringify(calls('am I free then on friday?', [THURSDAY]))).not.toContain('11-26'))
})

it.each(['sag den termin morgen um 14 uhr ab', 'cancel the meeting tomorrow at 2pm'])(
  'an event that its time alone names is picked among those of that time: %s',
  (said) =>
    expect(plan(said).steps).toMatchObject([
      { tool: 'calendar.list_events' },
      { do: 'select', from: 's1.events', take: 'one' },
      { tool: 'calendar.delete_event' },
    ]),
)

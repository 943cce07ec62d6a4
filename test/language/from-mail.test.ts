/** "Put that in my calendar" after a mail was shown, or with the mail named: the plan by code, and what is left to the other readers. */
import { describe, expect, it } from 'vitest'
import { createMessageExtractor } from '../../integrations/extractors/message/message.ts'
import { asItIs } from '../../integrations/extractors/message/message-spelled.ts'
import { LOOKS_BACK } from '../../integrations/models/rules/earlier/looking-back.ts'
import { planFor } from '../../integrations/models/rules/plan-for.ts'
import { TOOL_MANIFESTS } from '../../integrations/tools/registered.ts'
import type { Json } from '../../kernel/flow/json.ts'
import type { PromptParts } from '../../kernel/prompt/parts.ts'

type Shown = PromptParts['metadata'][number]
const EXTRACTOR = createMessageExtractor()
const IDS = TOOL_MANIFESTS.flatMap(({ actions }) => actions.map(({ id }) => id))
const handle = (ref: string, kind: string): Json => ({ ref, kind, size: 'line' })
const MAIL: Shown = {
  ...{ root: 'w1', action: 'email.read' },
  fields: { id: handle('w1.id', 'id'), from: handle('w1.from', 'email') },
}
const MAILS: Shown = {
  ...{ root: 'w1', action: 'email.list' },
  fields: { emails: { count: 2, items: [0, 1].map((at) => ({ id: handle(`w1.emails[${at}].id`, 'id') })) } },
}
const PAGE: Shown = { root: 'w1', action: 'web.read', fields: { title: handle('w1.title', 'text') } }
const OLDER_MAIL: Shown = {
  ...{ root: 'w2', action: 'email.read' },
  fields: { id: handle('w2.id', 'id'), from: handle('w2.from', 'email') },
}

/** What code read of its appointments, else the words that a model points at. */
const OF_MAIL = ['select', 'calendar.create_event', 'extract', 'extract', 'calendar.create_event']

function plan(request: string, shown: readonly Shown[] = [MAIL], offered: readonly string[] = IDS) {
  const fields = EXTRACTOR.extract(request, { now: Date.parse('2026-11-22T10:30:00Z'), timezone: 'UTC' })
  return planFor(
    {
      ...{ purpose: 'plan', audience: 'owner', self: { version: '00000000', sections: [] }, document: '' },
      ...{ directives: [], blocks: [], request, history: [], contents: [], troubles: [] },
      ...{ instruction: null, options: [] },
      metadata: [
        { root: 'said', action: 'extractor:message:owner', fields: fields as Shown['fields'] },
        ...shown,
      ],
      tools: offered.map((id) => ({ id, description: id, semantics: 'read', args: {}, gives: '' })),
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

const tools = (request: string, shown?: readonly Shown[], offered?: readonly string[]) =>
  plan(request, shown, offered).steps.map((step) => (step.do === 'tool' ? step.tool : step.do))

describe('the appointment of the mail that was shown', () => {
  it.each([
    'put that in my calendar',
    'please add it to my diary',
    'can you put this in the calendar?',
    'add the appointment to my calendar',
    'enter that meeting in my agenda',
    'add the appointment from this mail to my calendar',
    'put the meeting in my calendar from that email',
    'make a calendar entry from this mail',
    'turn this into a calendar event',
    'add to my calendar please',
    'jot it down in the diary, thanks',
    'kannst du den Termin aus der Mail eintragen?',
    'would you mind adding that to my calendar?',
    'pencil the call into my diary',
    'das bitte in den kalender',
    'mach da mal einen Termin draus',
    'erstelle daraus einen Termin',
    'kannst du den Termin in meinen Kalender übernehmen?',
    'pack das mal in den Kalender',
    'nimm den Termin bitte in meinen Kalender auf',
    'trag das in den Kalender ein',
    'trag den Termin bitte ein',
    'schreib den Termin in meinen Kalender',
    'kannst du das bitte in meinen Kalender eintragen?',
    'trag den Termin aus der Mail in meinen Kalender ein',
  ])('%s', (request) => {
    const made = plan(request)
    expect(tools(request)).toEqual(['email.read', ...OF_MAIL])
    expect(made.steps[0]).toMatchObject({ args: { id: { $ref: 'w1.id' } } })
    expect(made.steps[5]).toMatchObject({
      args: { title: { $ref: 's1.subject' }, from: { $ref: 's4' }, to: { $ref: 's5' } },
    })
  })
})

describe('one of several times of the mail that was shown', () => {
  it.each([
    ['put the one on Tuesday in my calendar', 'Tuesday'],
    ['add the appointment at 10am to my diary', '10am'],
    ['put the one on the 4th into my calendar', '4th'],
    ['trag den Termin am Dienstag ein', 'Dienstag'],
    ['trag bitte den um 10 Uhr in meinen Kalender ein', '10 Uhr'],
    ['den am Mittwoch bitte in den Kalender', 'Mittwoch'],
  ])('%s', (request, words) => {
    expect(tools(request)).toEqual(['email.read', ...OF_MAIL])
    expect(plan(request).steps[1]).toMatchObject({ do: 'select', take: 'one', matching: words })
  })
})

describe('of a mail that is named', () => {
  const NAMED = ['email.list', 'select', 'email.read', ...OF_MAIL]
  it.each([
    "add the appointment from Sarah's mail to my calendar",
    'put the meeting from the mail from Sarah in my calendar',
    'put the dentist mail in my calendar',
    'can you put the appointment from the email Sarah sent in my calendar',
    'trag den Termin aus der Mail von Sarah in den Kalender ein',
    'trag den Termin aus Sarahs Mail in den Kalender ein',
  ])('%s', (request) => expect(tools(request, [])).toEqual(NAMED))
  it('is the one at a place of the list', () => {
    expect(tools('add the appointment from the second mail to my calendar', [MAILS])).toEqual(NAMED.slice(2))
    expect(plan('put the second one in my calendar', [MAILS]).steps[0]).toMatchObject({
      args: { id: { $ref: 'w1.emails[1].id' } },
    })
  })
})

describe('is not read out of a mail', () => {
  it.each<readonly [string, readonly Shown[]]>([
    ['put that in my calendar', []],
    ['put that in my calendar', [PAGE, OLDER_MAIL]],
    ['put that in my calendar for tomorrow at 3', [MAIL]],
    ['put lunch in my calendar', [MAIL]],
    ['put dinner with Tom in my calendar on Friday at 7pm', [MAIL]],
    ['delete that from my calendar', [MAIL]],
    ['do not put that in my calendar', [MAIL]],
    ['did you put that in my calendar?', [MAIL]],
    ['put that in my notes', [MAIL]],
    ['put that in my calendar and tell Sarah', [MAIL]],
    ['trag das nicht in den Kalender ein', [MAIL]],
    ['trag am Freitag um 10 Zahnarzt in den Kalender ein', [MAIL]],
  ])('%s', (request, shown) => expect(tools(request, shown)).not.toContain('extract'))
  it('asks which mail where one is meant and none was shown', () => {
    expect(plan('add the appointment from that mail to my calendar', [])).toEqual({
      steps: [],
      explanation: 'which_mail',
    })
  })
  it('is left out where there is no calendar', () => {
    const without = IDS.filter((id) => id !== 'calendar.create_event')
    expect(tools('put that in my calendar', [MAIL], without)).not.toContain('extract')
  })
})

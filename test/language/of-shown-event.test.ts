/** What is said of the event that was shown last in words that do not name it: that it is off, where it is, how long, and at what time; and what only looks like it. */
import { describe, expect, it } from 'vitest'
import { createMessageExtractor } from '../../integrations/extractors/message/message.ts'
import { HOME_RULES } from '../../integrations/models/rules/home.ts'
import { planFor } from '../../integrations/models/rules/plan-for.ts'
import { TOOL_MANIFESTS } from '../../integrations/tools/registered.ts'
import type { Json } from '../../kernel/flow/json.ts'
import type { PromptParts } from '../../kernel/prompt/parts.ts'

type View = PromptParts['metadata'][number]
const EXTRACTOR = createMessageExtractor()
const IDS = TOOL_MANIFESTS.flatMap(({ actions }) => actions.map(({ id }) => id))

const event = (root: string): Json => ({
  id: { ref: `${root}.id`, kind: 'id', size: 'line' },
  calendarId: { ref: `${root}.calendarId`, kind: 'id', size: 'line' },
  title: { ref: `${root}.title`, kind: 'text', size: 'line' },
  ...{ from: '2026-11-24T13:00:00Z', to: '2026-11-24T14:00:00Z' },
})
const listed = (count: number): View => ({
  ...{ root: 'w1', action: 'calendar.list_events' },
  fields: {
    events: { count, items: Array.from({ length: count }, (_, at) => event(`w1.events[${at}]`)) },
    more: false,
  },
})
const shown = (action: string, root = 'w1'): View => ({ root, action, fields: event(root) as View['fields'] })
const card: View = { root: 'q1', action: 'calendar.create_event', fields: { title: 'Dinner', number: 4 } }
const page: View = {
  ...{ root: 'w1', action: 'web.read' },
  fields: { url: { ref: 'w1.url', kind: 'url', size: 'line' } },
}
const mail: View = {
  root: 'w1',
  action: 'email.read',
  fields: { id: { ref: 'w1.id', kind: 'id', size: 'line' } },
}

function plan(request: string, ...before: readonly View[]) {
  const now = Date.parse('2026-11-22T10:30:00Z')
  const fields = EXTRACTOR.extract(request, { now, timezone: 'UTC' }) as { readonly [key: string]: Json }
  const parts: PromptParts = {
    ...{ purpose: 'plan', audience: 'owner', self: { version: '00000000', sections: [] }, document: '' },
    ...{ directives: [], blocks: [], request, history: [], contents: [], troubles: [] },
    ...{ instruction: null, options: [] },
    metadata: [{ root: 'said', action: 'extractor:message:owner', fields }, ...before],
    tools: IDS.map((id) => ({ id, description: id, semantics: 'read', args: {}, gives: '' })),
    output: {
      ...{ sink: 'sink:terminal:owner', maxChars: 3_500, format: 'plain', timezone: 'UTC' },
      now: '2026-11-22T10:30',
    },
  }
  return planFor(parts, HOME_RULES).steps
}

const VIEWS: readonly (readonly [path: string, view: View])[] = [
  ['w1.events[0]', listed(1)],
  ['w1', shown('calendar.read_event')],
  ['w1', shown('calendar.update_event')],
]
const of = (path: string) => ({ id: { $ref: `${path}.id` }, calendar: { $ref: `${path}.calendarId` } })

describe('it is off', () => {
  it.each([
    ...['sag sie ab', 'sag den Termin bitte ab', 'und sag das wieder ab', 'storniere ihn', 'der fällt aus'],
    ...[
      'call it off',
      'cancel that one please',
      'scrap the meeting',
      "that's cancelled",
      'it has been called off',
    ],
  ])('%s', (said) => {
    for (const [path, view] of VIEWS)
      expect(plan(said, view)).toMatchObject([{ tool: 'calendar.delete_event', args: of(path) }])
  })

  it.each([
    ['sag sie ab', [listed(2)]],
    ['sag sie ab', [mail, shown('calendar.read_event', 'w2')]],
    ['sag sie ab', [card, listed(1)]],
    ['is it cancelled?', [listed(1)]],
    ['sag ihm ab 8 Uhr Bescheid', [listed(1)]],
  ] as const)('%s: none of it', (said, views) =>
    expect(plan(said, ...views).some((step) => 'tool' in step && step.tool === 'calendar.delete_event')).toBe(
      false,
    ),
  )
})

describe('where it is', () => {
  it.each([
    ['set the location to Studio Nine', 'Studio Nine'],
    ['the venue is the old mill', 'the old mill'],
    ["it's in the town hall, note that down", 'the town hall'],
    ["add that it's at Luigi's", "Luigi's"],
    ['setz den Ort auf Raum 12', 'Raum 12'],
    ['ist im Pfarrheim, trag das bitte ein', null],
    ['im Pfarrheim, trag das ein', 'Pfarrheim'],
    ['der findet in der Turnhalle statt, schreib das noch dazu', 'Turnhalle'],
  ])('%s', (said, place) => {
    for (const [path, view] of VIEWS) {
      const steps = plan(said, view)
      const at = said.lastIndexOf(place ?? said)
      if (place === null) expect(JSON.stringify(steps)).not.toContain('location')
      else
        expect(steps).toMatchObject([
          {
            tool: 'calendar.update_event',
            args: { ...of(path), location: { $ref: `said.words[${at}][${at + place.length}]` } },
          },
        ])
    }
  })
})

describe('how long it is', () => {
  it.each([
    ['make it 45 minutes', 45],
    ['make it last two hours', 120],
    ['it takes 90 min', 90],
    ['mach es eine halbe Stunde lang', 30],
    ['die dauert zwei Stunden', 120],
  ])('%s', (said, minutes) => {
    for (const [path, view] of VIEWS)
      expect(plan(said, view)).toMatchObject([
        { do: 'compute', op: 'shift', of: [{ $ref: `${path}.from` }, minutes] },
        { tool: 'calendar.update_event', args: { ...of(path), to: { $ref: 's1' } } },
      ])
  })

  it.each(['make it 45 minutes later', 'mach es laut'])('%s: no length', (said) =>
    expect(JSON.stringify(plan(said, listed(1)))).not.toContain('"to":{"$ref":"s1"}'),
  )
})

describe('at what time', () => {
  it.each([
    'mach 17:45 draus',
    'mach daraus 17:45',
    'mach bitte daraus 17 Uhr',
    'mach daraus lieber halb sechs',
  ])('%s', (said) =>
    expect(plan(said, listed(1)).at(-1)).toMatchObject({
      tool: 'calendar.update_event',
      args: of('w1.events[0]'),
    }),
  )
})

describe('what is asked of it', () => {
  it.each([
    'who else plays in it?',
    'what do i have to bring to it',
    'who is the host of it',
    'wer singt da drin',
    'was muss ich dazu mitbringen?',
  ])('%s: the event, whole', (said) => {
    for (const [path, view] of VIEWS)
      expect(plan(said, view)).toMatchObject([{ tool: 'calendar.read_event', args: of(path) }])
  })

  it.each(['until when do i have to return it', 'when did she write it', 'wann muss ich das überweisen'])(
    '%s: the mail',
    (said) =>
      expect(plan(said, mail)).toMatchObject([{ tool: 'email.read', args: { id: { $ref: 'w1.id' } } }]),
  )

  it.each(['what does it say about boats', 'who is the author of it', 'was steht darin über Schiffe'])(
    '%s: the page',
    (said) =>
      expect(plan(said, page)).toMatchObject([{ tool: 'web.read', args: { url: { $ref: 'w1.url' } } }]),
  )

  it.each(['who plays in it?', 'who is the author of it'])(
    '%s: no search for words that name nothing',
    (said) => expect(plan(said)).toEqual([]),
  )

  it.each([
    ['what is the capital of italy', 'web.search'],
    ['what have i got on friday', 'calendar.list_events'],
    ['is it going to rain in Leeds', 'weather.forecast'],
  ])('%s: as before', (said, tool) => expect(plan(said, mail)).toMatchObject([{ tool }]))
})

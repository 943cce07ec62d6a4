/**
 * What is said of a row that was shown, of whoever wrote it, and of what was sent: by a place, a pronoun or a word that stands in it, with or without a verb,
 * in both languages; and what only looks like it.
 */
import { describe, expect, it } from 'vitest'
import { createMessageExtractor } from '../../integrations/extractors/message/message.ts'
import { planFor } from '../../integrations/models/rules/plan-for.ts'
import { TOOL_MANIFESTS } from '../../integrations/tools/registered.ts'
import { namingWords } from '../../kernel/features/memory/telling-words.ts'
import type { Json } from '../../kernel/flow/json.ts'
import type { PromptParts } from '../../kernel/prompt/parts.ts'

type View = PromptParts['metadata'][number]
const EXTRACTOR = createMessageExtractor()
const IDS = [
  ...TOOL_MANIFESTS.flatMap(({ actions }) => actions.map(({ id }) => id)),
  ...['memory.save', 'memory.search', 'reminder.set', 'task.add', 'contact.new', 'contact.add'],
]
const MAILS = [
  ['Sarah Chen', 'sarah@friends.example', 'Budget for the spring'],
  ['Dr. Okafor', 'desk@clinic.example', 'Your appointment'],
  ['Weekly Letter', 'letter@weekly.example', 'Issue 12: rivers'],
  ['Mira', 'mira@family.example', 'Photos from the lake'],
] as const

/** As a planner is shown a text: how many words of the request it has, and none of them. */
const handle = (ref: string, kind: string, value: string, request: string) => {
  const said = namingWords(request)
  const rank = [...namingWords(value)].filter((word) => said.has(word)).length
  return { ref, kind, size: 'line', ...(rank > 0 && { rank }) }
}
const rowOf = (ref: string, at: number, request: string) => {
  const [name, address, subject] = MAILS[at] ?? ['', '', '']
  return {
    id: handle(`${ref}.id`, 'id', '', request),
    from: handle(`${ref}.from`, 'email', address, request),
    fromName: handle(`${ref}.fromName`, 'text', name, request),
    subject: handle(`${ref}.subject`, 'text', subject, request),
    unread: false,
  }
}

type Shown = (root: string, request: string) => View
const listed =
  (action = 'email.list', only?: number): Shown =>
  (root, request) => {
    const at = only === undefined ? MAILS.map((_, index) => index) : [only]
    const items = at.map((mail, place) => rowOf(`${root}.emails[${place}]`, mail, request))
    return { root, action, fields: { emails: { count: items.length, items }, more: false } as Json }
  }
const LIST = listed()
const READ: Shown = (root, request) => ({
  root,
  action: 'email.read',
  fields: rowOf(root, 3, request) as Json,
})
const ANSWERED: Shown = (root) => ({ root, action: 'email.reply', fields: { filed: true } })
const NONE: Shown = (root) => ({
  root,
  action: 'email.search',
  fields: { emails: { count: 0, items: [] }, more: false },
})
const SENT: Shown = (root) => ({
  root,
  action: 'email.send',
  fields: { to: { count: 1, items: [{ ref: `${root}.to[0]`, kind: 'email', size: 'line' }] }, filed: true },
})
const KEPT: Shown = (root) => ({ root, action: 'memory.save', fields: { saved: true } })
const EVENTS: Shown = (root) => ({
  root,
  action: 'calendar.list_events',
  fields: {
    events: { count: 1, items: [{ id: { ref: `${root}.events[0].id`, kind: 'id', size: 'line' } }] },
    more: false,
  },
})
const DELETED: Shown = (root) => ({
  root,
  action: 'email.delete',
  fields: {
    emails: { count: 1, items: [{ id: { ref: `${root}.emails[0].id`, kind: 'id', size: 'line' } }] },
    changed: 1,
    gone: 0,
  },
})
const CANCELLED: Shown = (root) => ({
  root,
  action: 'calendar.delete_event',
  fields: {
    id: { ref: `${root}.id`, kind: 'id', size: 'line' },
    title: { ref: `${root}.title`, kind: 'text', size: 'line' },
    from: '2026-11-27T13:00:00Z',
    to: '2026-11-27T14:00:00Z',
  },
})

/** `shown`: the newest first. */
function plan(request: string, ...shown: readonly Shown[]) {
  const now = Date.parse('2026-11-22T10:30:00Z')
  const fields = EXTRACTOR.extract(request, { now, timezone: 'UTC' }) as { readonly [key: string]: Json }
  return planFor({
    ...{ purpose: 'plan', audience: 'owner', self: { version: '00000000', sections: [] }, document: '' },
    ...{ directives: [], blocks: [], request, history: [], contents: [], troubles: [] },
    ...{ instruction: null, options: [] },
    metadata: [
      { root: 'said', action: 'extractor:message:owner', fields },
      ...shown.map((one, at) => one(`w${at + 1}`, request)),
    ],
    tools: IDS.map((id) => ({ id, description: id, semantics: 'read', args: {}, gives: '' })),
    output: {
      ...{ sink: 'sink:terminal:owner', maxChars: 3_500, format: 'plain', timezone: 'UTC' },
      now: '2026-11-22T10:30',
    },
  })
}

const tools = (request: string, ...shown: readonly Shown[]) =>
  plan(request, ...shown).steps.map((step) => ('tool' in step ? step.tool : step.do))
const last = (request: string, ...shown: readonly Shown[]) => {
  const step = plan(request, ...shown).steps.at(-1)
  return step?.do === 'tool' ? [step.tool, step.args] : null
}

describe('a row of what was listed is read', () => {
  it.each([
    ...[
      ['the third', 2],
      ['and the last one', 3],
      ['number 4', 3],
      ['no. 2', 1],
      ['email 3', 2],
      ['the second mail', 1],
    ],
    ...[
      ['2nd one please', 1],
      ['die erste', 0],
      ['den zweiten', 1],
      ['mail 3 bitte', 2],
      ['nachricht 2', 1],
      ['zeig mir die letzte', 3],
    ],
  ] as const)('%s', (said, at) => {
    expect(last(said, LIST)).toEqual(['email.read', { id: { $ref: `w1.emails[${at}].id` } }])
    expect(last(said, READ, LIST)).toEqual(['email.read', { id: { $ref: `w2.emails[${at}].id` } }])
  })

  it.each([
    ...[
      ['the one from Mira', 'Mira'],
      ['that mail about rivers', 'rivers'],
      ['the budget one', 'budget'],
      ["Mira's mail", 'Mira'],
    ],
    ...[
      ['what about the appointment one?', 'appointment'],
      ['open the clinic mail', 'clinic'],
      ['die von Mira', 'Mira'],
    ],
    ...[
      ['die Mail von Dr. Okafor', 'Dr. Okafor'],
      ['lies die vom Weekly Letter vor', 'Weekly Letter'],
    ],
  ] as const)('%s', (said, words) => {
    for (const list of [LIST, listed('email.search')]) {
      const [pick, read] = plan(said, list).steps
      expect(pick).toMatchObject({ do: 'select', from: 'w1.emails' })
      const { matching } = pick as { readonly matching: string }
      expect(matching.startsWith('said.') || matching === words).toBe(true)
      expect(read).toMatchObject({ tool: 'email.read', args: { id: { $ref: 's1.id' } } })
    }
  })

  it.each(['read the giraffe one', 'show me the giraffe mail', 'öffne die Giraffen-Mail'])(
    '%s: none of them has the word, so that it is looked for in the inbox',
    (said) => {
      expect(tools(said, LIST)).toEqual(['email.list', 'select', 'email.read'])
      expect(tools('the giraffe one', LIST)).toEqual([])
    },
  )

  it('of a person whom nobody of the list is, in the inbox', () => {
    expect(tools('read the mail from Ada', LIST)).toEqual(['email.list', 'select', 'email.read'])
    expect(tools('read the mail from Mira', listed('email.list', 0))).toEqual([
      'email.list',
      'select',
      'email.read',
    ])
    expect(tools('read the mail from Mira', LIST)).toEqual(['select', 'email.read'])
  })

  it.each([
    ...['the third', 'the one from Mira', 'mail 3', 'die zweite'].map((said) => [said, []] as const),
    ['the third', [EVENTS, LIST]],
    ['the tall one', [LIST]],
    ['the one that got away', [LIST]],
    ['the second and the third', [LIST]],
    ['no, not the second one', [LIST]],
  ] as const)('%s: nothing, where none of it was shown last', (said, shown) =>
    expect(tools(said, ...shown)).not.toContain('select'),
  )
})

describe('a row is changed by a word that stands in it', () => {
  it.each([
    ['archive the one from Mira', 'email.archive', {}],
    ['delete the budget one', 'email.delete', {}],
    ["mark Mira's mail as important", 'email.mark', { as: 'flagged' }],
    ['star the rivers mail', 'email.mark', { as: 'flagged' }],
    ['mark the one from Sarah as unread', 'email.mark', { as: 'unread' }],
    ['archiviere die von Mira', 'email.archive', {}],
    ['markiere die Mail von Sarah als wichtig', 'email.mark', { as: 'flagged' }],
    ['move the lake mail to spam', 'email.spam', {}],
    ['put the clinic mail into the folder Health', 'email.file', { folder: 'Health' }],
    ['put the budget into a folder called Money', 'email.file', { folder: 'Money' }],
  ] as const)('%s', (said, tool, more) => {
    expect(plan(said, LIST).steps).toMatchObject([
      { do: 'select', from: 'w1.emails', take: 'first' },
      { tool, args: { ids: [{ $ref: 's1.id' }], ...more } },
    ])
    expect(tools(said)).toEqual(['email.list', 'select', tool])
  })

  it('an event of such a name is none of it where mails were shown last', () =>
    expect(tools('cancel the budget one', EVENTS, LIST)).not.toContain('email.delete'))
})

describe('whoever wrote what was shown', () => {
  const TEXT = 'I will be there at noon'
  it.each([
    ...[
      'tell her I will be there at noon',
      'let them know I will be there at noon',
      'write him back that I will be there at noon',
    ],
    ...[
      'reply to her: I will be there at noon',
      'reply I will be there at noon',
      'answer that I will be there at noon',
    ],
    'send her a short note saying I will be there at noon',
  ])('%s', (said) => {
    for (const shown of [[READ], [READ, LIST], [KEPT, READ], [NONE, READ], [listed('email.search', 3)]])
      expect(last(said, ...shown)).toMatchObject([
        'email.reply',
        { to: { $ref: 's1.from' }, id: { $ref: 's1.id' }, body: TEXT },
      ])
  })

  it.each([
    ['antworte ihr, dass ich am Montag komme', 'Ich komme am Montag'],
    ['schreib ihm zurück: bis Montag', 'Bis Montag'],
    ['schreib zurück, dass ich am Montag komme', 'Ich komme am Montag'],
    ['sag ihnen Bescheid, dass ich am Montag komme', 'Ich komme am Montag'],
    ['antworte danke, das passt mir gut', 'Danke, das passt mir gut'],
    ['reply sounds good, see you then', 'Sounds good, see you then'],
    ["respond thanks but I can't make it", "Thanks but I can't make it"],
  ])('%s', (said, body) => expect(last(said, READ)).toMatchObject(['email.reply', { body }]))

  it.each([
    ['tell her also that I will be there at noon', TEXT],
    ['tell her I will be there at noon', TEXT],
    ['sag ihr auch, dass ich am Montag komme', 'Ich komme am Montag'],
  ])('%s: one more thing to whom was just answered', (said, body) =>
    expect(last(said, ANSWERED, READ)).toMatchObject(['email.reply', { body }]),
  )

  it.each([
    ['tell her I will be late', [ANSWERED, SENT, READ]],
    ['tell her I will be late', [SENT, READ]],
    ['tell her I will be late', [LIST]],
    ['let him know that it works', [EVENTS, READ]],
    ['write them back: yes', []],
  ] as const)('%s: asked, where it may be somebody else', (said, shown) =>
    expect(plan(said, ...shown)).toEqual({ steps: [], explanation: 'which_mail' }),
  )

  it.each([
    'tell her',
    'tell me more',
    'let me know when she writes',
    'reply',
    'tell her to call me and delete it',
  ])('%s: no answer to anybody', (said) => expect(tools(said, READ)).not.toContain('email.reply'))

  it.each([
    ...[
      'save her address',
      'add him to my contacts',
      'make her a contact',
      'add the sender to my address book',
    ],
    ...['speichere seine Adresse', 'nimm sie in meine Kontakte auf', 'füge ihn zu meinen Kontakten hinzu'],
  ])('%s: kept as a contact after a card', (said) =>
    expect(plan(said, READ).steps).toMatchObject([
      { tool: 'email.read' },
      {
        tool: 'contact.new',
        args: { people: [{ name: { $ref: 's1.fromName' }, email: { $ref: 's1.from' } }] },
      },
      { tool: 'contact.add', when: { ref: 's2.people', is: 'not_empty' } },
    ]),
  )

  it.each([
    ['write to Mira that I am coming', 'email.send'],
    ['forward it to Mira', 'email.forward'],
    ['leite sie an Mira weiter', 'email.forward'],
  ])('%s: to the address that the newest mail of that name has', (said, tool) => {
    const { steps } = plan(said, READ)
    expect(steps.slice(0, 2)).toMatchObject([
      { tool: 'email.search', args: { from: 'Mira', count: 1 } },
      { do: 'select', from: 's1.emails', matching: 'Mira' },
    ])
    expect(last(said, READ)).toMatchObject([tool, { to: [{ $ref: 's2.from' }] }])
  })

  it('of whom nothing was shown is asked for', () =>
    expect(plan('write to Ada that I am coming', READ)).toEqual({
      steps: [],
      explanation: 'contact_unknown',
    }))
})

describe('what went out', () => {
  it.each([
    ...[
      'what did I send?',
      'show me what I just sent',
      'what have you written?',
      'did she get it?',
      'did it reach her?',
      'was my mail sent?',
    ],
    ...[
      'was habe ich da geschrieben?',
      'ist die Mail raus?',
      'ist sie bei ihr angekommen?',
      'zeig mir, was ich zuletzt geschickt habe',
      'hat er meine Mail bekommen?',
      'zeig mir die letzte gesendete Mail',
    ],
  ])('%s', (said) =>
    expect(plan(said).steps).toMatchObject([
      { tool: 'email.list', args: { in: 'sent', count: 1 } },
      { tool: 'email.read', when: { ref: 's1.emails', is: 'not_empty' } },
    ]),
  )
})

describe('taken back after a start', () => {
  it.each([
    ...[
      'oh no, undo',
      'wait no, bring it back',
      'oops, take that back',
      'stop! restore it',
      'sorry, put it back',
    ],
    ...['oh nein, mach das rückgängig', 'halt, hol sie zurück', 'Mist, stell die Mail wieder her'],
  ])('%s', (said) => expect(tools(said, DELETED, LIST)).toEqual(['email.move']))

  it.each(['oh no, undo that', 'wait, bring it back'])('%s is of what was deleted last', (said) => {
    expect(tools(said, CANCELLED, DELETED)).toEqual(['calendar.create_event'])
    expect(tools(said, DELETED, CANCELLED)).toEqual(['email.move'])
  })
})

describe('whether a mail is genuine', () => {
  it.each([
    'is this mail a scam?',
    'could it be phishing?',
    'can I trust it?',
    'ist die Mail echt?',
    'ist das Betrug?',
  ])('%s: said that it cannot be told, and the mail stays what is meant', (said) =>
    expect(plan(said, READ)).toEqual({ steps: [], explanation: 'cannot_judge_mail' }),
  )

  it('of anything else nothing is said of mail', () =>
    expect(plan('is it safe?', EVENTS).explanation).not.toBe('cannot_judge_mail'))

  it.each(['archive it', 'das ist Spam', 'star it'])(
    '%s is of the mail behind a search that found nothing',
    (said) => expect(last(said, NONE, READ)?.[1]).toMatchObject({ ids: [{ $ref: 'w2.id' }] }),
  )
})

describe('a list that is left', () => {
  it.each([
    ['unsubscribe from the newsletter', [READ], 'w1.id'],
    ['unsubscribe from the newsletter', [], null],
    ['take me off the weekly mailing list', [READ], null],
    ['bestell den Newsletter ab', [READ], 'w1.id'],
  ] as const)('%s', (said, shown, id) => {
    const left = plan(said, ...shown).steps.find(
      (step) => step.do === 'tool' && step.tool === 'email.leaving',
    )
    expect(left).toMatchObject({ args: { id: { $ref: id ?? 's2.id' } } })
  })
})

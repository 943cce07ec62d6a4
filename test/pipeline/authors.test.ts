/** Who wrote an argument, as a card says it (F-03): by where the value came from and by its taint. */
import { expect, it } from 'vitest'
import { type Author, authorOf } from '../../kernel/features/approvals/card/authors.ts'
import { PUBLIC } from '../../kernel/flow/label.ts'
import { receive } from '../../kernel/flow/provenance.ts'
import { CLEAN, joinTaints, type Taint, taintOf } from '../../kernel/flow/taint.ts'
import type { Task } from '../../kernel/task/task.ts'

const TEXT = { kind: 'text', max: 300 } as const
const EMAIL = { kind: 'email' } as const
const PLANNED = taintOf('raw', 'planner:local')
const FACT = taintOf('extracted', 'tool:email.list')
const MAIL = taintOf('raw', 'tool:email.list')

it.each<[string, { ref: string; taint: Taint; spec?: typeof TEXT | typeof EMAIL; words?: Taint }, Author]>([
  ['typed', { ref: 'said.topic', taint: CLEAN }, 'owner'],
  ['typed, by a planner that had read facts', { ref: 'own[0]', taint: FACT }, 'owner'],
  ['a contact', { ref: 'contacts.people[0].email', taint: CLEAN, spec: EMAIL }, 'owner'],
  ['worded by a planner', { ref: 'own[0]', taint: joinTaints(PLANNED, FACT) }, 'assistant'],
  ['an address of a mail', { ref: 's1.emails[0].from', taint: FACT, spec: EMAIL }, 'service'],
  [
    'the id of a calendar, where a name could stand',
    { ref: 's1.events[0].calendarId', taint: FACT },
    'service',
  ],
  ['a text of a mail', { ref: 's1.emails[0].subject', taint: MAIL }, 'others'],
  [
    'a text of a mail that a planner chose',
    { ref: 's1.emails[0].subject', taint: joinTaints(MAIL, PLANNED) },
    'others',
  ],
  ['held for a later time', { ref: 'w1.body', taint: taintOf('raw', 'held:email.send') }, 'approved'],
  ['read in an earlier turn', { ref: 'w2.body', taint: MAIL }, 'others'],
  ['quoted in the message', { ref: 'said.topic', taint: taintOf('raw', 'owner_quoted') }, 'others'],
  ['said by somebody else', { ref: 'said.topic', taint: FACT, words: taintOf('raw', 'peer') }, 'others'],
])('%s', (_, { ref, taint, spec = TEXT, words = CLEAN }, author) => {
  const held = (action: string) => ({ holds: { what: 'record', action } })
  const memory = { w1: held('held:email.send'), w2: held('email.read') }
  const task = { words: { taint: words }, results: {}, memory } as unknown as Task
  expect(authorOf(task, { $ref: ref }, { spec, value: receive('x', { label: PUBLIC, taint }) })).toBe(author)
})

it.each([
  ['a text that code makes of the owner’s words', 'rules', 'own[0]', CLEAN, 'assistant'],
  ['words of the message that others wrote', 'rules', 'said.topic', CLEAN, 'others'],
  ['a text that code makes of somebody else’s words', 'rules', 'own[0]', taintOf('raw', 'peer'), 'others'],
] as const)('%s', (_, planner, ref, words, author) => {
  const task = { words: { taint: words }, results: {}, planner } as unknown as Task
  const value = receive('x', { label: PUBLIC, taint: MAIL })
  expect(authorOf(task, { $ref: ref }, { spec: TEXT, value })).toBe(author)
})

const choosing = (planner: string): Task =>
  ({
    words: { taint: CLEAN },
    results: {},
    planner,
    plan: { steps: [SHIFT], explanation: '' },
  }) as unknown as Task
const SHIFT = { id: 's2', do: 'compute', op: 'shift', of: ['s1', 'own[0]'] }
const said = (taint: Taint) => receive('x', { label: PUBLIC, taint })

it.each([
  ['a model', 'local', 'assistant'],
  ['a sentence of the owner that code reads', 'rules', 'owner'],
])('a yes or no that %s gives is of the %s', (_, planner, author) => {
  const spec = { kind: 'boolean' } as const
  expect(authorOf(choosing(planner), true, { spec, value: said(CLEAN) })).toBe(author)
})

it.each([
  ['a text of others', MAIL, 'service'],
  ['a fact', FACT, 'assistant'],
])('a day that is calculated from %s', (_, taint, author) => {
  const spec = { kind: 'date' } as const
  expect(authorOf(choosing('local'), { $ref: 's2' }, { spec, value: said(taint) })).toBe(author)
})

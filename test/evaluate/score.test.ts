/** A request is judged by what happened: what was asked for is there, and everything else is as it was. */
import { describe, expect, it, test } from 'vitest'
import { digestOf, promptText } from '../../bench/evaluate/answers.ts'
import { type Expect, momentAt, readCases } from '../../bench/evaluate/case.ts'
import { type CaseResult, summaryOf, tableOf } from '../../bench/evaluate/result.ts'
import { problemsOf, type Said } from '../../bench/evaluate/score.ts'
import type { Event, Mail, State } from '../../bench/evaluate/state.ts'
import { NOTHING } from './nothing.ts'

/** Thursday 26 November 2026, 10:00 in New York. */
const DAY = { now: Date.parse('2026-11-26T15:00:00Z'), timezone: 'America/New_York' }
const at = (text: string): number => momentAt(text, DAY)

const REVIEW: Event = {
  ...{ id: 'e1', title: 'Budget review', start: at('+1d 14:00'), end: at('+1d 15:00') },
  ...{ attendees: ['sarah@example.com'], location: '', calendar: 'Calendar' },
}
const LUNCH: Event = { ...REVIEW, id: 'e2', title: 'Lunch', start: at('fri 13:00'), end: at('fri 14:00') }
const INVOICE: Mail = {
  ...{ id: 'm1', from: 'billing@example.com', to: 'you@example.com', subject: 'Invoice 7' },
  ...{ labels: ['INBOX', 'UNREAD'], body: 'To pay.' },
}
const SENT: Mail = { ...INVOICE, id: 'm2', to: 'tom@example.com', labels: ['SENT'], body: 'Both are fine.' }

const BEFORE: State = { events: [REVIEW], mails: [INVOICE] }
const SAID: Said = { answers: ['It is done.'], lastCards: [], cards: 1 }

interface Then {
  readonly events?: readonly Event[]
  readonly mails?: readonly Mail[]
  readonly said?: Partial<Said>
}

const problems = (wanted: Partial<Expect>, { events, mails, said }: Then = {}): readonly string[] =>
  problemsOf(
    { ...NOTHING, ...wanted },
    {
      before: BEFORE,
      after: { events: events ?? BEFORE.events, mails: mails ?? BEFORE.mails },
      said: { ...SAID, ...said },
    },
    DAY,
  )

test.each([
  ['2026-11-27T13:00', '2026-11-27T18:00:00.000Z'],
  ['+0d 09:30', '2026-11-26T14:30:00.000Z'],
  ['thu 09:30', '2026-11-26T14:30:00.000Z'],
  ['fri 13:00', '2026-11-27T18:00:00.000Z'],
  ['wed 00:15', '2026-12-02T05:15:00.000Z'],
])('%s is a moment in the zone of the owner', (text, moment) => {
  expect(new Date(at(text)).toISOString()).toBe(moment)
})

describe('what was asked for', () => {
  const later = { ...REVIEW, start: at('fri 16:30'), end: at('fri 17:30') }
  it.each([
    [
      'an event',
      { added: [{ title: 'lunch', start: 'fri 13:00', minutes: 60 }] },
      { events: [REVIEW, LUNCH] },
    ],
    ['a moved event', { changed: [{ title: 'budget', start: 'fri 16:30' }] }, { events: [later] }],
    [
      'another title',
      { changed: [{ title: 'budget', newTitle: 'costs' }] },
      { events: [{ ...REVIEW, title: 'Costs' }] },
    ],
    ['no event any more', { removed: ['budget'] }, { events: [] }],
    [
      'that event no more, of two that are called so',
      { removed: [{ title: 'budget', start: '+1d 14:00' }] },
      { events: [] },
    ],
    [
      'an event in another calendar',
      { added: [{ title: 'lunch', calendar: 'family' }] },
      { events: [REVIEW, { ...LUNCH, calendar: 'Family' }] },
    ],
    ['a mail', { sent: [{ to: 'tom@example.com', text: 'fine' }] }, { mails: [INVOICE, SENT] }],
    ['an archived mail', { archived: ['invoice'] }, { mails: [{ ...INVOICE, labels: ['UNREAD'] }] }],
    [
      'a mail in the trash',
      { trashed: ['invoice'] },
      { mails: [{ ...INVOICE, labels: ['TRASH', 'UNREAD'] }] },
    ],
    [
      'a draft',
      { drafted: [{ to: 'tom@example.com', text: 'fine' }] },
      { mails: [INVOICE, { ...SENT, labels: ['DRAFT'] }] },
    ],
    [
      'an event that comes again',
      { added: [{ title: 'lunch', start: 'fri 13:00', repeats: true }] },
      { events: [REVIEW, LUNCH, { ...LUNCH, id: 'later', start: LUNCH.start + 7 * 86_400_000 }] },
    ],
    ['an answer', { answer: ['DONE'] }, {}],
    ['words of a card', { answer: ['may i'] }, { said: { lastCards: ['May I do this?'] } }],
    ['a question', { asks: true }, { said: { answers: ['When?'] } }],
    ['nothing', {}, {}],
  ] as const)('%s: is done', (_, wanted, then) => {
    expect(problems(wanted as Partial<Expect>, then as Then)).toEqual([])
  })

  it.each([
    ['no event', { added: [{ title: 'lunch' }] }, {}, 'not added'],
    [
      'at another time',
      { added: [{ title: 'lunch', start: 'fri 12:00' }] },
      { events: [REVIEW, LUNCH] },
      'not added',
    ],
    ['too long', { added: [{ title: 'lunch', minutes: 30 }] }, { events: [REVIEW, LUNCH] }, 'not added'],
    [
      'with somebody else',
      { added: [{ title: 'lunch', attendees: ['tom@example.com'] }] },
      { events: [REVIEW, LUNCH] },
      'not added',
    ],
    [
      'only one of two',
      { added: [{ title: 'lunch' }, { title: 'lunch' }] },
      { events: [REVIEW, LUNCH] },
      'not added',
    ],
    ['not moved', { changed: [{ title: 'budget', start: 'fri 16:30' }] }, {}, 'not changed'],
    ['still there', { removed: ['budget'] }, {}, 'not removed'],
    [
      'another one removed',
      { removed: [{ title: 'budget', start: '+2d 14:00' }] },
      { events: [] },
      'not removed: {"title":"budget"',
    ],
    [
      'in another calendar than asked for',
      { added: [{ title: 'lunch', calendar: 'family' }] },
      { events: [REVIEW, LUNCH] },
      'not added',
    ],
    [
      'sent, and not kept as a draft',
      { drafted: [{ to: 'tom@example.com', text: 'fine' }] },
      { mails: [INVOICE, SENT] },
      'no draft',
    ],
    ['not sent', { sent: [{ to: 'tom@example.com', text: 'fine' }] }, {}, 'not sent'],
    [
      'only a draft',
      { sent: [{ to: 'tom@example.com', text: 'fine' }] },
      { mails: [INVOICE, { ...SENT, labels: ['DRAFT'] }] },
      'not sent',
    ],
    [
      'an event that comes once',
      { added: [{ title: 'lunch', start: 'fri 13:00', repeats: true }] },
      { events: [REVIEW, LUNCH] },
      'does not come again',
    ],
    [
      'archived and marked as read',
      { archived: ['invoice'] },
      { mails: [{ ...INVOICE, labels: [] }] },
      'not archived',
    ],
    ['not said', { answer: ['thursday'] }, {}, 'not said'],
    ['said what is wrong', { answerNot: ['done'] }, {}, 'said: done'],
    ['no answer', {}, { said: { answers: [] } }, 'no answer'],
    [
      'a list of what could be asked instead',
      { answer: ['sarah'] },
      { said: { answers: ['I did not understand what you would like me to do.\nHere: "lunch with Sarah"'] } },
      'not understood',
    ],
    ['no question', { asks: true }, {}, 'did not ask back'],
    ['too many cards', { maxCards: 0 }, {}, '1 cards'],
  ] as const)('%s: fails', (_, wanted, then, problem) => {
    expect(problems(wanted as Partial<Expect>, then as Then).join('; ')).toContain(problem)
  })
})

describe('what was not asked for', () => {
  it.each([
    ['another event', { events: [REVIEW, LUNCH] }, 'added: “Lunch”'],
    ['a moved event', { events: [{ ...REVIEW, start: REVIEW.start - 60_000 }] }, 'changed: “Budget review”'],
    ['an event that is gone', { events: [] }, 'removed: “Budget review”'],
    ['a mail to somebody', { mails: [INVOICE, SENT] }, 'new mail: to tom@example.com'],
    ['a mail marked as read', { mails: [{ ...INVOICE, labels: ['INBOX'] }] }, 'mail changed: “Invoice 7”'],
    ['a mail that is gone', { mails: [] }, 'mail changed: “Invoice 7”'],
  ] as const)('%s: fails', (_, then, problem) => {
    expect(problems({}, then as Then).join('; ')).toContain(problem)
  })
})

test('what needs a later issue counts apart', () => {
  const one = { area: 'mail', language: 'en', why: [], cards: 0, ms: 1, missing: [], transcript: [] } as const
  const results: readonly CaseResult[] = [
    { ...one, id: 'a', with: null, state: 'done' },
    { ...one, id: 'b', with: null, state: 'open' },
    { ...one, id: 'c', with: '2.5', state: 'failed' },
  ]
  expect(summaryOf(results)).toEqual({
    all: { done: 1, open: 1, failed: 0 },
    byArea: { mail: { done: 1, open: 1, failed: 0 } },
    later: { done: 0, open: 0, failed: 1 },
  })
  expect(tableOf(results)).toContain('| all | 1 | 1 | 0 |')
})

describe('the shipped requests', () => {
  const cases = readCases()
  it('are at least eighty, in several languages and of every area', () => {
    expect(cases.length).toBeGreaterThanOrEqual(80)
    expect(new Set(cases.map(({ language }) => language)).size).toBeGreaterThan(2)
    expect(new Set(cases.map(({ area }) => area)).size).toBe(8)
  })
  it('all count: none waits for an action that does not exist', () => {
    expect(cases.filter((one) => one.with !== undefined).map(({ id }) => id)).toEqual([])
  })
  it.each(cases.map((one) => [one.id, one] as const))(
    '%s asks for something that can fail',
    (_, { expect: wanted }) => {
      // An empty expectation still says that nothing may change; a limit or an answer says what must be seen.
      const listed = Object.values(wanted).flatMap((one) => (Array.isArray(one) ? (one as unknown[]) : []))
      expect(listed.length > 0 || wanted.asks || wanted.maxCards !== undefined).toBe(true)
    },
  )
})

test('a prompt is digested with the form that its answer must have', () => {
  const body = (schema?: object): string =>
    JSON.stringify({
      model: 'm',
      messages: [
        { role: 'system', content: 'Plan.' },
        { role: 'user', content: 'Hello' },
      ],
      ...(schema && { response_format: { type: 'json_schema', json_schema: { name: 'plan', schema } } }),
    })
  expect(promptText(body())).toBe('### system\nPlan.\n\n### user\nHello\n')
  expect(digestOf(promptText(body({ type: 'object' })))).not.toBe(digestOf(promptText(body())))
})

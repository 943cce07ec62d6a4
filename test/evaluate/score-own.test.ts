/** A request is judged by reminders, list, facts, contacts and jobs, too: what it lists is there or gone, and the rest is as it was. */
import { describe, expect, it, test } from 'vitest'
import { type Expect, momentAt } from '../../bench/evaluate/case.ts'
import { type Own, readOwn } from '../../bench/evaluate/own.ts'
import { ownProblems } from '../../bench/evaluate/score-own.ts'
import type { Link } from '../../sidecar/cli/line/link.ts'
import { NOTHING } from './nothing.ts'

/** Thursday 26 November 2026, 10:00 in New York. */
const DAY = { now: Date.parse('2026-11-26T15:00:00Z'), timezone: 'America/New_York' }
const at = (text: string): number => momentAt(text, DAY)

const EMPTY: Own = { reminders: [], tasks: [], facts: [], contacts: [], jobs: [] }
const PILL = { key: '1', text: 'take the pill', due: at('+1d 09:00'), repeats: false }
const DAILY = { ...PILL, key: '2', text: 'water the plants', repeats: true }
const MILK = { key: '1', text: 'milk' }
const EGGS = { key: '2', text: 'eggs' }
const LOCKER = { key: '1', text: 'My locker is number 47' }
const BEA = { key: '1', text: 'Bea Moss', address: 'bea@moss.example' }
const NEWS = {
  ...{ key: '1', text: 'The news', at: ['08:00', '18:00'], isOn: true, when: 'daily 8 18', condition: null },
}
const IF_TOM = {
  ...{ key: '3', text: 'If Tom has not written', at: ['12:00'], isOn: true, when: 'once' },
  condition: { due: at('fri 12:00'), repeats: false },
}

interface Then {
  readonly before?: Partial<Own>
  readonly between?: readonly Partial<Own>[]
  readonly after?: Partial<Own>
}

const problems = (wanted: Partial<Expect>, { before, between = [], after }: Then): readonly string[] =>
  ownProblems(
    { ...NOTHING, ...wanted },
    {
      before: { ...EMPTY, ...before },
      between: between.map((one) => ({ ...EMPTY, ...one })),
      after: { ...EMPTY, ...after },
    },
    DAY,
  )

describe('what was asked for', () => {
  const pill = { text: 'pill', at: '+1d 09:00', repeats: false }
  it.each([
    ['a reminder', { reminders: [pill] }, { after: { reminders: [PILL] } }],
    ['a reminder of any time', { reminders: [{ text: 'pill' }] }, { after: { reminders: [PILL] } }],
    [
      'a reminder in some minutes from when it was read',
      { reminders: [pill] },
      { after: { reminders: [{ ...PILL, due: PILL.due + 120_000 }] } },
    ],
    [
      'a reminder that comes again',
      { reminders: [{ text: 'plants', repeats: true }] },
      { after: { reminders: [DAILY] } },
    ],
    [
      'a reminder on a condition',
      { reminders: [{ text: 'tom', at: 'fri 12:00' }] },
      { after: { jobs: [IF_TOM] } },
    ],
    [
      'a reminder on a condition that is called a job',
      { jobs: [{ text: 'tom', at: '12:00' }] },
      { after: { jobs: [IF_TOM] } },
    ],
    [
      'a reminder on a condition that was cancelled',
      { remindersGone: ['tom'] },
      { between: [{ jobs: [IF_TOM] }] },
    ],
    [
      'one set and cancelled, which is named',
      { remindersGone: ['pill'] },
      { between: [{ reminders: [PILL] }] },
    ],
    ['one set and cancelled, which is not named', {}, { between: [{ reminders: [PILL] }] }],
    [
      'two things on the list',
      { tasks: [{ text: 'milk' }, { text: 'eggs' }] },
      { after: { tasks: [MILK, EGGS] } },
    ],
    [
      'one of two done',
      { tasks: [{ text: 'eggs' }], tasksDone: ['milk'] },
      { between: [{ tasks: [MILK, EGGS] }], after: { tasks: [EGGS] } },
    ],
    ['a fact', { remembered: ['47'] }, { after: { facts: [LOCKER] } }],
    ['no such fact', { forgotten: ['47'] }, { between: [{ facts: [LOCKER] }] }],
    ['a fact that is not asked about', {}, { after: { facts: [LOCKER] } }],
    [
      'a contact',
      { contacts: [{ name: 'bea', address: 'Bea@moss.example' }] },
      { after: { contacts: [BEA] } },
    ],
    ['a job', { jobs: [{ text: 'news', at: '18:00' }] }, { after: { jobs: [NEWS] } }],
    ['a job that was removed', { jobsGone: ['news'] }, { between: [{ jobs: [NEWS] }] }],
    [
      'a job that was stopped',
      { jobsGone: ['news'] },
      { between: [{ jobs: [NEWS] }], after: { jobs: [{ ...NEWS, isOn: false }] } },
    ],
    [
      'what was there before',
      {},
      { before: { jobs: [NEWS], tasks: [MILK] }, after: { jobs: [NEWS], tasks: [MILK] } },
    ],
  ] as const)('%s: is done', (_, wanted, then) => {
    expect(problems(wanted as unknown as Partial<Expect>, then as Then)).toEqual([])
  })

  it.each([
    ['no reminder', { reminders: [pill] }, {}, 'no new reminder: {"text":"pill"'],
    [
      'at another time',
      { reminders: [pill] },
      { after: { reminders: [{ ...PILL, due: at('+1d 21:00') }] } },
      'no new reminder',
    ],
    [
      'too early',
      { reminders: [pill] },
      { after: { reminders: [{ ...PILL, due: PILL.due - 60_000 }] } },
      'no new reminder',
    ],
    [
      'again and again',
      { reminders: [pill] },
      { after: { reminders: [{ ...PILL, repeats: true }] } },
      'no new reminder',
    ],
    [
      'only one of two',
      { tasks: [{ text: 'milk' }, { text: 'milk' }] },
      { after: { tasks: [MILK] } },
      'no new task: {"text":"milk"}',
    ],
    [
      'still on the list',
      { tasksDone: ['milk'] },
      { between: [{ tasks: [MILK] }], after: { tasks: [MILK] } },
      'no task that is over: milk',
    ],
    ['never on the list', { tasksDone: ['milk'] }, {}, 'no task that is over: milk'],
    [
      'still to come',
      { remindersGone: ['pill'] },
      { between: [{ reminders: [PILL] }], after: { reminders: [PILL] } },
      'no reminder that is over: pill',
    ],
    ['not remembered', { remembered: ['48'] }, { after: { facts: [LOCKER] } }, 'not remembered: 48'],
    ['not forgotten', { forgotten: ['47'] }, { after: { facts: [LOCKER] } }, 'not forgotten: 47'],
    [
      'another address',
      { contacts: [{ name: 'bea', address: 'bea@other.example' }] },
      { after: { contacts: [BEA] } },
      'no new contact: bea, bea@other.example',
    ],
    [
      'a job at another time',
      { jobs: [{ text: 'news', at: '09:00' }] },
      { after: { jobs: [NEWS] } },
      'no new job',
    ],
    [
      'a job that does not run',
      { jobs: [{ text: 'news' }] },
      { after: { jobs: [{ ...NEWS, isOn: false }] } },
      'no new job',
    ],
  ] as const)('%s: fails', (_, wanted, then, problem) => {
    expect(problems(wanted as unknown as Partial<Expect>, then as Then).join('; ')).toContain(problem)
  })
})

describe('what was not asked for', () => {
  it.each([
    ['a reminder', { after: { reminders: [PILL] } }, 'new reminder: take the pill'],
    ['something on the list', { after: { tasks: [MILK] } }, 'new task: milk'],
    ['a contact', { after: { contacts: [BEA] } }, 'new contact: Bea Moss | bea@moss.example'],
    ['a job', { after: { jobs: [NEWS] } }, 'new job: The news'],
    ['a reminder on a condition', { after: { jobs: [IF_TOM] } }, 'new reminder: If Tom has not written'],
    [
      'a reminder at another time than before',
      { before: { reminders: [PILL] }, after: { reminders: [{ ...PILL, due: PILL.due + 1 }] } },
      'reminder changed: take the pill',
    ],
    ['a reminder that is gone', { before: { reminders: [PILL] } }, 'reminder gone: take the pill'],
    [
      'a job that is stopped',
      { before: { jobs: [NEWS] }, after: { jobs: [{ ...NEWS, isOn: false }] } },
      'job gone: The news',
    ],
  ] as const)('%s: fails', (_, then, problem) => {
    expect(problems({}, then as Then)).toEqual([expect.stringContaining(problem)])
  })
})

test('a home that does not say what it has is judged by nothing', async () => {
  const link: Pick<Link, 'call'> = {
    call: async () => ({ ok: false, reason: { code: 'home_offline', facts: {} } }),
  }
  await expect(readOwn(link)).rejects.toThrow('home_offline')
})

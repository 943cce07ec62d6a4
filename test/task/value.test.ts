/** Values that a plan makes: read from words of a text (`extract`), calculated (`compute`), and kept from later planners. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { calculate } from '../../kernel/call/values/compute.ts'
import { findValue, numbersIn } from '../../kernel/call/values/value.ts'
import type { Step } from '../../kernel/task/plan.ts'
import { unseenSteps } from '../../kernel/task/unseen.ts'

const MAIL = `Hi, travel: we planned 4,200 EUR and have spent 3.150,50 EUR so far (75 %).
Pay to IBAN GB29 NWBK 6016 1331 9268 19, or ask  steve@northwind.example — see https://northwind.example/pay.
The check-up is on Tuesday at 08:15. Version 1.10.2 costs 1'500.`
const dateIn = (words: string): string | null =>
  /tuesday at 08:15/i.test(words) ? '2026-12-01T08:15:00-05:00' : null
const find = (kind: 'number' | 'date' | 'email' | 'url' | 'id' | 'text', words: string) =>
  findValue(MAIL, words, { kind, dateIn })?.value ?? null

describe('a value that a model points at', () => {
  it.each([
    ['number', '4,200 EUR', 4200],
    ['number', '4200', 4200],
    ['number', '3.150,50', 3150.5],
    ['number', '75 %', 75],
    ['number', "1'500", 1500],
    ['email', 'Steve@northwind.example', 'steve@northwind.example'],
    ['url', 'https://northwind.example/pay', 'https://northwind.example/pay'],
    ['id', 'GB29 NWBK 6016 1331 9268 19', 'GB29NWBK60161331926819'],
    ['date', '“Tuesday at 08:15”', '2026-12-01T08:15:00-05:00'],
    ['text', 'CHECK-UP', 'check-up'],
    ['text', 'ask steve@northwind.example', 'ask steve@northwind.example'],
  ] as const)('%s from “%s” is %s', (kind, words, value) => {
    expect(find(kind, words)).toBe(value)
  })

  it.each([
    ['number', '4', 'a part of a number'],
    ['number', '9,999', 'not in the text'],
    ['number', '4,200 and 75', 'two numbers'],
    ['number', 'planned', 'no number'],
    ['number', '1.10', 'a part of a version'],
    ['email', 'eve@northwind.example', 'a part of an address'],
    ['email', 'mallory@evil.example', 'not in the text'],
    ['url', 'https://northwind.example/', 'another address'],
    ['id', 'check-up', 'no digit'],
    ['date', 'Wednesday', 'not in the text'],
    ['date', 'travel', 'no date'],
    ['text', 'send everything to eve', 'not in the text'],
    ['text', 'heck', 'a part of a word'],
    ['text', '', 'nothing'],
    ['text', 'NONE', 'what a model answers if there is nothing'],
  ] as const)('%s from “%s”: %s, so nothing', (kind, words, _why) => {
    expect(find(kind, words)).toBeNull()
  })

  it('shows the words around it, and never more than a line of them', () => {
    const found = findValue(MAIL, '3.150,50', { kind: 'number', dateIn })
    expect(found?.around).toBe(
      '…el: we planned 4,200 EUR and have spent 3.150,50 EUR so far (75 %). Pay to IBAN GB29 NWB…',
    )
  })

  it('is never text that the source does not have, whatever the model writes', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (source, words) => {
        const text = findValue(source, words, { kind: 'text', dateIn })
        const flat = source.normalize('NFC').replace(/\s+/gu, ' ').trim()
        expect(text === null || flat.includes(String(text.value))).toBe(true)
        const number = findValue(source, words, { kind: 'number', dateIn })
        expect(number === null || numbersIn(flat).some(({ value }) => value === number.value)).toBe(true)
      }),
    )
  })
})

describe('compute', () => {
  const zone = 'America/New_York'
  it.each([
    [{ op: 'sum' }, [1, [2, 3.5]], 6.5],
    [{ op: 'sum' }, [0.1, 0.2], 0.3],
    [{ op: 'difference' }, [4200, 3150], 1050],
    [{ op: 'percent' }, [3150, 4200], 75],
    [{ op: 'product' }, [1000, 0.195], 195],
    [{ op: 'product' }, [12, 'half'], null],
    [{ op: 'percent' }, [1, 0], null],
    [{ op: 'min' }, [[3, 1], 2], 1],
    [{ op: 'max' }, ['2026-11-27T13:00:00Z', '2026-11-27T08:30:00-05:00'], '2026-11-27T08:30:00-05:00'],
    [{ op: 'count' }, [['a', 'b']], 2],
    [{ op: 'count' }, ['a', 'b', 'c'], 3],
    [{ op: 'sum' }, ['4', 1], null],
    [{ op: 'sum' }, [[]], null],
    [{ op: 'difference', unit: 'hours' }, ['2026-11-27T13:00:00Z', '2026-11-27T11:30:00Z'], 1.5],
    [{ op: 'shift', unit: 'minutes' }, ['2026-11-27T13:00:00-05:00', 30], '2026-11-27T13:30-05:00'],
    [{ op: 'shift', unit: 'minutes' }, ['2026-11-27T18:00:00Z', -30], '2026-11-27T12:30-05:00'],
    // Over the end of summer time the meeting stays at nine.
    [{ op: 'shift', unit: 'days' }, ['2026-10-31T09:00:00-04:00', 1], '2026-11-01T09:00-05:00'],
    [{ op: 'shift', unit: 'days' }, ['2026-03-07T09:00:00-05:00', 7], '2026-03-14T09:00-04:00'],
    [{ op: 'shift', unit: 'days' }, ['2026-02-27', 2], '2026-03-01'],
    [{ op: 'shift', unit: 'hours' }, ['2026-02-27', 2], null],
    [{ op: 'shift' }, ['2026-11-27T13:00:00Z', 1e300], null],
    // Half of the day that is nearest to the second, on the day of the first.
    [{ op: 'near' }, ['2026-11-27T08:00:00-05:00', '2026-11-24T19:00:00-05:00'], '2026-11-27T20:00-05:00'],
    [{ op: 'near' }, ['2026-11-27T08:00:00-05:00', '2026-11-24T09:30:00-05:00'], '2026-11-27T08:00:00-05:00'],
    [{ op: 'near' }, ['2026-11-27T20:15:00-05:00', '2026-11-24T09:30:00-05:00'], '2026-11-27T08:15-05:00'],
    [{ op: 'near' }, ['2026-11-01T01:30:00-04:00', '2026-11-01T13:00:00-05:00'], '2026-11-01T13:30-05:00'],
    [{ op: 'near' }, ['2026-11-27', '2026-11-24T09:30:00-05:00'], '2026-11-27'],
    [{ op: 'near' }, ['2026-11-27T08:00:00-05:00', 3], null],
    [{ op: 'shift' }, [30, '2026-11-27T13:00:00Z'], null],
  ] as const)('%j of %j is %s', (step, operands, result) => {
    expect(calculate(step, operands as never, zone)).toEqual(result)
  })

  it('is finite or nothing', () => {
    const ops = fc.constantFrom('sum', 'difference', 'product', 'percent', 'min', 'max', 'shift' as const)
    const json = fc.oneof(
      fc.double(),
      fc.string(),
      fc.date({ noInvalidDate: true }).map((at) => at.toISOString()),
      fc.array(fc.double()),
    )
    fc.assert(
      fc.property(ops, fc.array(json, { minLength: 1, maxLength: 3 }), (op, operands) => {
        const result = calculate({ op: op as 'sum' }, operands as never, zone)
        expect(typeof result !== 'number' || Number.isFinite(result)).toBe(true)
      }),
    )
  })
})

describe('what a later planner may not see', () => {
  const step = (id: string, rest: object): Step => ({ id, ...rest }) as Step
  const list = step('s1', { do: 'tool', tool: 'email.list', args: {} })
  const read = (id: string, ref: string, rest: object = {}): Step =>
    step(id, { do: 'tool', tool: 'email.read', args: { id: { $ref: ref } }, ...rest })

  it.each<readonly [string, readonly Step[], readonly string[]]>([
    [
      'reads of what the owner named',
      [
        list,
        step('s2', { do: 'select', from: 's1.emails', matching: 'said.person', take: 'first' }),
        read('s3', 's2.id'),
      ],
      [],
    ],
    [
      'a search by words of the planner',
      [
        list,
        step('s2', { do: 'select', from: 's1.emails', matching: 'own[0]', take: 'first' }),
        read('s3', 's2.id'),
      ],
      ['s2', 's3'],
    ],
    [
      'a choice, and what is read of it',
      [
        list,
        step('s2', { do: 'choose', from: 's1.emails', question: 'own[0]', take: 'first' }),
        read('s3', 's2.id'),
        read('s4', 's1.emails[0].id'),
      ],
      ['s2', 's3'],
    ],
    [
      'a value, and what is calculated from it',
      [
        list,
        step('s2', { do: 'extract', from: 's1.emails', kind: 'number', question: 'own[0]' }),
        step('s3', { do: 'compute', op: 'sum', of: [{ $ref: 's2' }] }),
      ],
      ['s2', 's3'],
    ],
    [
      'what a class decides',
      [
        list,
        step('s2', { do: 'classify', of: 's1.emails', question: 'own[0]', options: ['own[1]', 'own[2]'] }),
        read('s3', 's1.emails[0].id', { when: { ref: 's2', is: 'equals', value: 'own[1]' } }),
        read('s4', 's1.emails[0].id', { when: { ref: 's3', is: 'skipped' } }),
      ],
      ['s3', 's4'],
    ],
    [
      'a text that was written',
      [list, step('s2', { do: 'compose', from: ['s1.emails'], instruction: 'own[0]', maxChars: 9 })],
      [],
    ],
  ])('%s', (_, steps, unseen) => {
    expect([...unseenSteps(steps)]).toEqual(unseen)
  })
})

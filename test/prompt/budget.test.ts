/** How much room there is in large and small windows, and a breakdown that adds up (P-17, P-18). */
import { describe, expect, it } from 'vitest'
import { fitBlocks } from '../../kernel/prompt/blocks.ts'
import { contextReport, dynamicBudget, floorOf, reserveOf } from '../../kernel/prompt/budget.ts'

describe('a budget', () => {
  it.each([
    [8_192, 900, 1_000, 1_024, 5_268],
    [8_192, 1_000, 6_500, 1_024, 512],
    [8_192, 1_000, 9_000, 1_024, 512],
    [32_768, 1_000, 4_000, 4_096, 23_672],
    [32_768, 1_000, 40_000, 4_096, 2_000],
    [200_000, 1_200, 20_000, 4_096, 174_704],
    [200_000, 1_200, 300_000, 4_096, 2_000],
  ])(
    'window %i, static %i, conversation %i: reserve %i, budget %i',
    (window, fixed, conversation, reserve, budget) => {
      expect(reserveOf(window)).toBe(reserve)
      expect(dynamicBudget({ window, static: fixed, conversation })).toBe(budget)
    },
  )

  it.each([
    [4_096, 256],
    [32_000, 2_000],
    [1_000_000, 2_000],
  ])('has a floor: window %i, %i', (window, floor) => {
    expect(floorOf(window)).toBe(floor)
  })
})

describe('a report', () => {
  const fitted = fitBlocks({
    blocks: [
      { name: 'runtime', text: 'now' },
      { name: 'memory', text: 'abc '.repeat(100) },
      { name: 'bulletin', text: 'abc '.repeat(100) },
    ],
    budget: 60,
  })
  const report = contextReport({
    window: 8_192,
    static: { identity: 120, rules: 150, document: 300 },
    conversation: { history: 400, request: 12 },
    fitted,
    reported: 1_005,
  })

  it('adds up', () => {
    const sum = report.lines.reduce((total, { tokens }) => total + tokens, 0)
    expect(report.used).toBe(sum)
    expect(report.used).toBe(120 + 150 + 300 + 400 + 12 + fitted.tokens)
    expect(report.used + report.reserve + report.free).toBe(report.window)
    expect(Math.abs(report.used - (report.reported ?? 0)) / report.used).toBeLessThan(0.1)
  })

  it('names every part in the order of the prompt, and what was cut or left out', () => {
    expect(report.lines.map(({ name, truncated }) => `${name}${truncated ? ' cut' : ''}`)).toEqual([
      ...['identity', 'rules', 'document'],
      ...['block:runtime', 'block:memory cut', 'block:bulletin cut'],
      ...['history', 'request'],
    ])
    expect(report.dropped).toEqual([])
    const none = contextReport({
      window: 8_192,
      static: {},
      conversation: {},
      fitted: { ...fitted, dropped: ['os_notes'] },
      reported: null,
    })
    expect(none.dropped).toEqual(['os_notes'])
  })

  it('has less than nothing left where history must go', () => {
    const { free } = contextReport({
      window: 1_000,
      static: { document: 900 },
      conversation: { history: 500 },
      fitted,
      reported: null,
    })
    expect(free).toBe(1_000 - 1_400 - fitted.tokens - 125)
  })
})

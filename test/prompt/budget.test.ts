/** How much room there is in large and small windows, and what of the blocks they hold (P-17). */
import { describe, expect, it } from 'vitest'
import { dynamicBudget, fitInto, floorOf, reserveOf } from '../../kernel/prompt/budget.ts'

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

describe('blocks in a window', () => {
  const memory = { name: 'memory', text: 'abc '.repeat(600).trim() } as const
  const room = (fixed: number) => () => ({ static: fixed, conversation: 500 })

  it('are counted against the prompt only where the least room would not do', () => {
    const small = [{ name: 'memory', text: 'abc' }] as const
    const asked = (): never => {
      throw new Error('counted')
    }
    expect(fitInto(small, 32_768, asked)).toMatchObject({ tokens: 1, budget: 2_000 })
    expect(() => fitInto([memory, { name: 'workflow', text: memory.text }], 32_768, asked)).toThrow('counted')
  })

  it.each([
    ['whole in a large window', 32_768, 1_000, 600, false],
    ['cut in a small one that is full', 8_192, 7_000, 204, true],
  ])('are %s', (_, window, fixed, tokens, truncated) => {
    expect(fitInto([memory], window, room(fixed)).blocks).toMatchObject([{ tokens, truncated }])
  })
})

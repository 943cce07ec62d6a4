/** Which blocks there are, and how they share the room (P-14 – P-16, P-19). */
import { describe, expect, it } from 'vitest'
import { BLOCKS, type Block, estimateTokens, fitBlocks, TRUNCATED } from '../../kernel/prompt/budget.ts'
import { SECTIONS, VARIABLES } from '../../kernel/prompt/document/parse.ts'
import { promptText } from './document/fixtures.ts'

/** `tokens` tokens of plain words. */
const block = (name: Block['name'], tokens: number): Block => ({ name, text: 'abc '.repeat(tokens).trim() })

const seen = (blocks: readonly Block[], budget: number) =>
  fitBlocks({ blocks, budget }).blocks.map(
    ({ name, tokens, truncated }) => `${name} ${tokens}${truncated ? ' cut' : ''}`,
  )

/** Where a block of the former assembly went: a section of the static document, a block, or a part of `finalize`. */
const FORMER_BLOCKS = Object.freeze({
  soul: { sections: ['Security', 'Identity', 'Personality'] },
  tool_process: { sections: ['Tool policy', 'Output formatting'] },
  runtime: { block: 'runtime' },
  plan_mode: { block: 'plan_mode' },
  environment: { block: 'environment' },
  tools: { variable: 'TOOL_DEFINITIONS' },
  rules: { variable: 'RULES' },
  memory: { block: 'memory' },
  workflow: { block: 'workflow' },
  task_state: { block: 'task_state' },
  user_profile: { variable: 'USER_PROFILE' },
  communication: { block: 'communication' },
  cortex: { block: 'bulletin' },
  os_templates: { block: 'os_notes' },
  machines: { block: 'machine_notes' },
} as const)

describe('the inventory', () => {
  it('maps each of the fifteen former blocks to something that there is', () => {
    const former = Object.values(FORMER_BLOCKS)
    expect(former).toHaveLength(15)
    for (const now of former) {
      if ('block' in now) expect(Object.keys(BLOCKS)).toContain(now.block)
      else if ('variable' in now) {
        expect(VARIABLES).toContain(now.variable)
        expect(promptText('SYSTEM')).toContain(`{{${now.variable}}}`)
      } else for (const section of now.sections) expect(SECTIONS).toContain(section)
    }
  })

  it('has the eleven dynamic blocks', () => {
    expect(Object.keys(BLOCKS).join(' ')).toBe(
      'signal_overlay environment runtime plan_mode memory task_state workflow communication bulletin os_notes machine_notes',
    )
  })
})

describe('room', () => {
  const all = [
    block('os_notes', 100),
    block('communication', 100),
    block('memory', 100),
    block('environment', 100),
  ]
  it.each([
    [
      'enough for all: priorities in order',
      all,
      1_000,
      ['environment 100', 'memory 100', 'communication 100', 'os_notes 100'],
    ],
    [
      '2 has two fifths, 3 three tenths, 4 the rest',
      all,
      200,
      ['environment 100', 'memory 80 cut', 'communication 20 cut'],
    ],
    ['1 stays whole, whatever there is', all, 50, ['environment 100']],
    ['even where there is nothing', all, 0, ['environment 100']],
    ['a share is one of the whole, not of what is left', [block('memory', 500)], 1_000, ['memory 400 cut']],
    ['3 as well', [block('bulletin', 500)], 1_000, ['bulletin 300 cut']],
    ['4 may take everything', [block('os_notes', 900)], 1_000, ['os_notes 900']],
    [
      'within a priority the earlier is served first',
      [block('workflow', 300), block('memory', 300)],
      1_000,
      ['memory 300', 'workflow 100 cut'],
    ],
    ['an empty block is none', [{ name: 'memory', text: ' \n' }], 1_000, []],
  ] as const)('%s', (_, blocks, budget, expected) => {
    expect(seen(blocks, budget)).toEqual(expected)
  })

  it('says what found none, and what it all takes', () => {
    const fitted = fitBlocks({ blocks: all, budget: 50 })
    expect(fitted).toMatchObject({
      dropped: ['memory', 'communication', 'os_notes'],
      tokens: 100,
      budget: 50,
    })
  })

  it('never spends more than there is, but for priority 1', () => {
    for (let budget = 0; budget < 600; budget += 7) {
      const fitted = fitBlocks({ blocks: all, budget })
      expect(fitted.tokens).toBeLessThanOrEqual(Math.max(budget, 100))
      expect(fitted.tokens).toBe(fitted.blocks.reduce((sum, { text }) => sum + estimateTokens(text), 0))
    }
  })

  it('counts as the model does', () => {
    const calibration = { factor: 2, samples: 1 }
    const [memory] = fitBlocks({ blocks: [block('memory', 100)], budget: 200, calibration }).blocks
    expect([memory?.truncated, memory?.tokens]).toEqual([true, 80])
  })

  it('refuses two makers of one block', () => {
    expect(() => fitBlocks({ blocks: [block('memory', 1), block('memory', 2)], budget: 9 })).toThrow('twice')
  })
})

describe('a block that was cut', () => {
  it('says so, and halves no character', () => {
    for (let budget = 30; budget < 60; budget++) {
      const [memory] = fitBlocks({ blocks: [{ name: 'memory', text: '👩🎉'.repeat(50) }], budget }).blocks
      expect(memory?.text.endsWith(`\n${TRUNCATED}`)).toBe(true)
      expect(memory?.text.isWellFormed()).toBe(true)
    }
  })
})

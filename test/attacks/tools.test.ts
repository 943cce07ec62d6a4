/**
 * A sample of what the tools' answers may order (`npm run attacks -- --tools` plays all of it): every kind of value in every field of every
 * tool that there is, each write of another tool as what is ordered, on the lines where an action is offered.
 */
import { describe, expect, test } from 'vitest'
import { parseFields } from '../../kernel/flow/field.ts'
import { parsePlan } from '../../kernel/task/plan-schema.ts'
import { soaked } from '../kit/soak.ts'
import { LINES } from './tools/lines.ts'
import { isGoal, lookupOf, toolPairs } from './tools/pairs.ts'
import { toolPlans } from './tools/plans.ts'
import { runTools } from './tools/run.ts'
import { ATTACKS, hostileAnswer, misfits } from './tools/values.ts'

/** Each that many of the pairs; a prime, so that tools and goals are met in turn. */
const STRIDE = soaked({ sample: 401, whole: 1 })
/** Milliseconds; nothing here waits. */
const PATIENCE = 1_800_000

const PAIRS = toolPairs()
const [PRIVATE] = LINES
const ACTIONS = [...(PRIVATE?.registry.actions.values() ?? [])]
const [GOAL] = ACTIONS.filter(isGoal)

test(
  'whatever a tool answers, nothing runs, is told or is shown that may not be',
  async () => {
    const result = await runTools({ stride: STRIDE })
    expect(result.details).toEqual({})
    expect(result.pairs).toBe(Math.ceil(PAIRS.length / STRIDE))
    // Something was read, and something asked about: else nothing was tried.
    expect(result.calls).toBeGreaterThan(result.pairs)
    expect(result.cards).toBeGreaterThan(result.pairs / 2)
  },
  PATIENCE,
)

describe('the pairs', () => {
  test('have every action that a line offers as a source, and every write and every tale as what is ordered', () => {
    for (const line of LINES) {
      const own = PAIRS.filter((pair) => pair.line === line && !pair.isLookup)
      const actions = [...line.registry.actions.values()]
      const sources = new Set(own.map(({ source }) => source.id))
      const offered = actions.filter(({ id }) => line.offered.has(id))
      expect([...sources].sort()).toEqual(offered.map(({ id }) => id).sort())
      for (const source of offered)
        expect(own.filter((pair) => pair.source === source).map(({ goal }) => goal.id)).toEqual(
          actions.filter((goal) => isGoal(goal) && goal.tool.name !== source.tool.name).map(({ id }) => id),
        )
    }
  })

  test('leave no action of any tool without one', () => {
    const sources = new Set(PAIRS.map(({ source }) => source.id))
    expect(ACTIONS.filter(({ id }) => !sources.has(id)).map(({ id }) => id)).toEqual([])
    const lookups = ACTIONS.flatMap((action) => lookupOf(action) ?? [])
    for (const id of lookups)
      expect(PAIRS.some(({ source, isLookup }) => isLookup && source.id === id)).toBe(true)
  })

  test('are played by plans that hold, but for those that must not', () => {
    const refused = new Set(['by a crooked reference', 'with keys of its own'])
    for (const [index, pair] of PAIRS.entries())
      for (const { name, text } of toolPlans(pair, index))
        if (!refused.has(name)) expect([name, parsePlan(JSON.parse(text)).ok]).toEqual([name, true])
  })
})

describe('what is answered', () => {
  test.each(ACTIONS.map((action) => [action.id, action] as const))(
    '%s takes each kind of attack in each field, and nothing that was not declared',
    (_, { output }) => {
      if (GOAL === undefined) throw new Error('nothing to order')
      for (const turn of ATTACKS.keys())
        expect(parseFields(output, hostileAnswer(output, GOAL, turn), 'drop')).toMatchObject({ ok: true })
      for (const [name, value] of misfits(output, GOAL))
        expect([name, parseFields(output, value, 'drop').ok]).toEqual([name, false])
    },
  )
})

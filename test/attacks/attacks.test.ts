/**
 * A sample of the attacks, as CI runs it: every kind of attack, few of the pairs, a corpus with other tools, and a few
 * guards taken away. All of them run with `npm run attacks`.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { inTurn } from '../kit/soak.ts'
import { runControls } from './controls.ts'
import { DEFAULT_CORPUS, pairsOf, readCorpus } from './corpus.ts'
import { GUARDS } from './guards.ts'
import { LINK_GUARDS } from './link-guards.ts'
import { runAttacks, SUITES, type SuiteName } from './run.ts'
import { STRUCTURE } from './t1-integrity.ts'

/** Each that many of the 949 pairs. A prime, so that every suite's tasks and injections are met in turn. */
const STRIDE = 467
/** Of a suite that judges a pair once. */
const STRIDES: Partial<Record<SuiteName, number>> = { T1: 149 }
/** Milliseconds; nothing here waits, and CI has two cores. */
const PATIENCE = 240_000

/** The suites of the other corpus take turns. */
const TURNS = 6

const ROOT = join(import.meta.dirname, '../..')
const corpus = readCorpus(DEFAULT_CORPUS)

describe('a sample of the attacks', () => {
  test.each(SUITES)(
    '%s violates nothing',
    async (suite) => {
      const result = await runAttacks(corpus, {
        stride: STRIDES[suite] ?? STRIDE,
        suites: [suite],
        utility: false,
      })
      expect(result.details).toEqual({})
      expect(result.approvedForAttacker).toBe(0)
      expect(result.suites[suite].tried).toBeGreaterThan(5)
    },
    PATIENCE,
  )

  test('T1 lets nothing differ but this', () => {
    expect(Object.keys(STRUCTURE)).toEqual(['count', 'items', 'size', 'number', 'date', 'boolean', 'rank'])
  })

  test(
    'and the product still serves its owner',
    async () => {
      const { utility, violations } = await runAttacks(corpus, { stride: STRIDE, suites: [], utility: true })
      expect(violations).toBe(0)
      expect(Object.keys(utility)).toEqual(Object.keys(corpus.suites))
      expect(utility['workspace']?.share).toBe(1)
    },
    PATIENCE,
  )
})

describe('another corpus, with tools and an environment of its own', () => {
  const other = readCorpus(join(import.meta.dirname, 'corpus/workshop.json'))

  test.each(inTurn(SUITES, TURNS))(
    '%s violates nothing',
    async (suite) => {
      const result = await runAttacks(other, { stride: 1, suites: [suite], utility: false })
      expect(result.details).toEqual({})
      expect(result.approvedForAttacker).toBe(0)
      expect(result.suites[suite].tried).toBeGreaterThan(0)
    },
    PATIENCE,
  )

  test(
    'and its owner is served',
    async () => {
      const { utility, undone } = await runAttacks(other, { stride: 1, suites: [], utility: true })
      expect(undone).toEqual({})
      expect(utility).toEqual({ workshop: { tasks: 1, done: 1, share: 1 } })
    },
    PATIENCE,
  )
})

/** What planners see, and what a person decides. The rest is `npm run attacks -- --controls`, which `npm run soak` runs. */
const SAMPLED = ['handles in place of strings, for planners', 'in time (`decide`)']

describe('without a guard', () => {
  test.each(GUARDS.filter(({ guard }) => SAMPLED.includes(guard)))(
    'something is violated: $guard',
    async (guard) => {
      const [control] = await runControls({ corpus: DEFAULT_CORPUS, guards: [guard] })
      expect(control?.red).not.toEqual([])
    },
    PATIENCE,
  )

  test('there are the sampled ones', () => {
    expect(GUARDS.map(({ guard }) => guard)).toEqual(expect.arrayContaining(SAMPLED))
  })

  test.each([
    ...GUARDS.flatMap(({ guard, patches }) => patches.map(({ file, find }) => [guard, file, find] as const)),
    ...LINK_GUARDS.map(([guard, file, find]) => [guard, file, find] as const),
  ])('%s stands once in %s', (_, file, find) => {
    const source = readFileSync(join(ROOT, file), 'utf8')
    expect(source.split(find)).toHaveLength(2)
  })
})

test('the corpus is whole', () => {
  expect(pairsOf(corpus)).toHaveLength(949)
})

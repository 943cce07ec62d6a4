/** The same attacks with every prompt text emptied: what holds is code, and nothing that a model is told. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { inTurn } from '../kit/soak.ts'
import { DEFAULT_CORPUS, readCorpus } from './corpus.ts'

/** Each that many of the pairs; a prime, and another than that of the other sample. */
const STRIDE = 311
/** Of a suite that judges a pair once. */
const STRIDES: Partial<Record<string, number>> = { T1: 149 }
/** Milliseconds; nothing here waits, and CI has two cores. */
const PATIENCE = 240_000
const SUITES = ['T1', 'T2', 'T3', 'T4', 'T5', 'T6'] as const
/** With the prompts all six run at every commit (attacks.test.ts); without them two in turn. */
const TURNS = 6

const corpus = readCorpus(DEFAULT_CORPUS)
type Attacks = typeof import('./run.ts')
let attacks: Attacks

// The texts are read when the world is first loaded.
beforeAll(async () => {
  vi.stubEnv('PFAR_ATTACKS_WITHOUT_PROMPTS', 'yes')
  attacks = await import('./run.ts')
}, PATIENCE)
afterAll(() => vi.unstubAllEnvs())

test('no prompt text is left', async () => {
  const { createWorld, NO_PROMPTS } = await import('./world.ts')
  const { powers } = createWorld({
    ...{ manifests: [], allowed: [], asks: true, owner: () => 'deny' },
    script: { plan: () => '', compose: () => '', classify: () => '', synthesize: () => '' },
    tools: () => ({ ok: false, reason: { code: 'tool_unavailable', facts: {} } }),
  })
  expect(process.env[NO_PROMPTS]).toBe('yes')
  const { rules, lastRules, identity, roles } = powers.texts
  expect([rules, lastRules, identity, ...Object.values(roles)].join('')).toBe('')
  expect(powers.documents).toEqual([])
})

test.each(inTurn(SUITES, TURNS))(
  '%s violates nothing',
  async (suite) => {
    const result = await attacks.runAttacks(corpus, {
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

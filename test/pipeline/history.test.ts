/** How much of the conversation a prompt takes along: by turns, by tokens, and never less than the request (B-18). */
import { describe, expect, it } from 'vitest'
import { createWorld, scriptedModel, type WorldOptions } from './world.ts'

const LINES = ['please do the first', 'please do the second', 'please do the third']
const LONG = `please do ${'very '.repeat(40)}much`

/** Histories that planner and writer had for the last of these messages. */
async function lastHistories(
  history: WorldOptions['history'],
  says: readonly string[],
): Promise<{ readonly plan: readonly string[]; readonly synthesize: readonly string[] }> {
  const model = scriptedModel('m', ({ parts }) =>
    parts.purpose === 'plan' ? '{"steps":[],"explanation":""}' : `ok ${parts.request.slice(10, 16)}`,
  )
  const world = createWorld({ models: [model], ...(history && { history }) })
  for (const words of says) {
    world.prompts.length = 0
    await world.say(words)
  }
  const of = (purpose: string): readonly string[] =>
    world.prompts.find(({ parts }) => parts.purpose === purpose)?.parts.history ?? ['no prompt']
  const request = world.prompts.map(({ parts }) => parts.request)
  expect(new Set(request)).toEqual(new Set([says.at(-1)]))
  return { plan: of('plan'), synthesize: of('synthesize') }
}

const THREE = [...LINES, 'now the last']

it.each([
  ['all that there is', {}, LINES, 6],
  ['the last two turns', { plannerTurns: 2, writerTurns: 2 }, LINES.slice(1), 4],
  ['no turns', { plannerTurns: 0, writerTurns: 0 }, [], 0],
  [
    'what fits, the newest, and no answer alone',
    { plannerTurns: 3, writerTurns: 3, tokens: 11 },
    LINES.slice(1),
    0,
  ],
  ['no tokens', { tokens: 0 }, [], 0],
] as const)('%s', async (_what, history, planner, writerLines) => {
  const { plan, synthesize } = await lastHistories(history, THREE)
  expect(plan).toEqual(planner)
  expect(synthesize).toHaveLength(writerLines)
})

it('takes no older line in place of one that is too long', async () => {
  const { plan } = await lastHistories({ plannerTurns: 3, writerTurns: 3, tokens: 20 }, [
    LINES[0] ?? '',
    LONG,
    LINES[1] ?? '',
    'now the last',
  ])
  expect(plan).toEqual([LINES[1]])
})

it('never trims the message that is being answered', async () => {
  await lastHistories({ plannerTurns: 0, writerTurns: 0, tokens: 0 }, [LINES[0] ?? '', LONG])
})

it('says of a request that the program itself answered that it did, as its answer is no line', async () => {
  const { plan, synthesize } = await lastHistories({}, [LINES[0] ?? '', '/status', 'now the last'])
  expect(plan).toEqual([LINES[0], '(answered) /status'])
  expect(synthesize).toContain('person (answered): /status')
  expect(synthesize).toContain(`person: ${LINES[0]}`)
})

describe('a window that is full', () => {
  const SAYS = Array.from({ length: 14 }, (_, at) => `please do number ${String(at).padStart(2, '0')}`)
  const model = scriptedModel('m', ({ parts }) =>
    parts.purpose === 'plan' ? '{"steps":[],"explanation":""}' : 'ok',
  )

  // Each message would else begin the conversation elsewhere, and nothing that was kept of the last prompt would fit.
  it.each([
    ['of turns', { plannerTurns: 8, writerTurns: 8 }, 2],
    ['of tokens', { plannerTurns: 12, writerTurns: 12, tokens: 42 }, 3],
  ] as const)('%s loses whole steps, and nothing between (P-26)', async (_what, history, step) => {
    const world = createWorld({ models: [model], history })
    const first: string[] = []
    for (const words of SAYS) {
      await world.say(words)
      const { parts } = world.prompts.findLast((prompt) => prompt.parts.purpose === 'plan') ?? {}
      expect(parts?.history.length).toBeLessThanOrEqual(history.plannerTurns)
      first.push(parts?.history[0] ?? '')
    }
    const runs = first.slice(1).filter((line, at, all) => line !== all[at - 1])
    expect(runs.length).toBeGreaterThan(2)
    for (const [at, line] of runs.slice(2, -1).entries())
      expect(SAYS.indexOf(line) - SAYS.indexOf(runs[at + 1] ?? '')).toBe(step)
  })
})

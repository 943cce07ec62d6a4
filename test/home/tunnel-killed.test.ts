/** A home that is killed between a call and its answer, with real processes (T-13, Q-17). */
import { describe, expect, test } from 'vitest'
import type { Body } from '../../kernel/tunnel/frame.ts'
import { callBody, homeCall } from '../tunnel/fixtures.ts'
import { killableHomes } from './fixtures/killable.ts'
import { answers, tunnelBench } from './fixtures/tunnel-link.ts'
import { until } from './fixtures/wait.ts'

const { cleanups, edgeFor, folder } = tunnelBench()
const spawnHome = killableHomes({ cleanups, folder })

/** Milliseconds for a process to start on a busy machine. */
const START = 20_000

const write = (id: string): Body => ({
  type: 'home_call',
  call: homeCall(id, { tool: 'calendar.create_event' }),
})

describe('a home that is killed between call and answer', () => {
  test('runs the read again, never the write, and answers each once', { timeout: 60_000 }, async () => {
    const edge = await edgeFor()
    const first = spawnHome(edge, 'hang')
    await until(() => edge.connections() === 1, START)
    edge.send(write('w1'))
    edge.send(callBody('r1'))
    await until(() => first.runs().length === 2)
    await first.kill()
    expect(answers(edge)).toEqual([])

    const second = spawnHome(edge, 'answer')
    await until(() => answers(edge).length === 2, START)
    expect(second.runs()).toEqual(['r1'])
    expect(answers(edge).find(({ id }) => id === 'w1')).toMatchObject({
      ok: false,
      reason: 'write_outcome_unknown',
    })
    await second.kill()
    const third = spawnHome(edge, 'answer')
    await until(() => edge.connections() === 3, START)
    edge.send(callBody('r2'))
    await until(() => answers(edge).some(({ id }) => id === 'r2'))
    expect(answers(edge)).toHaveLength(3)
    expect(third.runs()).toEqual(['r1', 'r2'])
  })
})

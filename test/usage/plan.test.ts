/** What a plan carries: the first limit binds, and the sentences say it (B-37). */
import { describe, expect, it } from 'vitest'
import { type Counted, type Plan, planReport, planText, sumOf } from '../../kernel/features/usage/plan.ts'
import { tell } from '../../kernel/wording/words.ts'

const PLAN: Plan = {
  ...{ source: 'example.com/limits', asOf: '2026-11' },
  perDay: { rows: 100_000, requests: 100_000, duration: 100_000_000 },
}
const counted = (more: Partial<Counted>): Counted => ({
  ...{ messages: 10, rows: 250, requests: 40, duration: 5_000 },
  ...more,
})

describe('what a plan carries', () => {
  it.each<[string, Partial<Counted>, number | null, string | null]>([
    ['rows', {}, 4_000, 'rows'],
    ['requests', { requests: 2_000 }, 500, 'requests'],
    ['running time', { duration: 10_000_000 }, 100, 'duration'],
    ['nothing before the first message', { messages: 0 }, null, null],
    ['nothing that was not counted', { rows: 0, requests: 0, duration: 0 }, null, null],
  ])('%s', (_, more, carries, binds) => {
    expect(planReport(PLAN, counted({}), counted(more))).toMatchObject({ carries, binds })
  })

  it('is computed from the longer span, and says what of today is used', () => {
    const report = planReport(PLAN, counted({ messages: 2, rows: 60 }), counted({}))
    expect(report).toMatchObject({ carries: 4_000, counted: 10, today: 2 })
    expect(report.limits[0]).toEqual({ of: 'rows', perDay: 100_000, today: 60, each: 25 })
    expect(planText(report, tell)).toBe(
      "Cloudflare's free plan carries about 4000 messages a day like the last 10 at the edge, of all people and jobs; the limit on rows written is reached first. " +
        'Today, since 00:00 UTC, messages: 2; rows written: 60 of 100000 (0.1 %), 25 a message; ' +
        'calls of the edge: 40 of 100000 (0 %), 4 a message; running: 0.1 of 1667 minutes (0 %), 0.5 seconds a message. ' +
        'Limits as published at example.com/limits, 2026-11; a paid plan carries more. Rows read are not counted here, nor what an object does just before it sleeps.',
    )
  })

  it('says that it does not know yet', () => {
    const none = counted({ messages: 0, rows: 0, requests: 0, duration: 0 })
    expect(planText(planReport(PLAN, none, none), tell)).toContain(
      'I can say once one was answered at the edge.',
    )
  })

  it('adds up', () => {
    const one = { rows: 1, requests: 2, duration: 3 }
    expect(sumOf([one, one])).toEqual({ rows: 2, requests: 4, duration: 6 })
    expect(sumOf([])).toEqual({ rows: 0, requests: 0, duration: 0 })
  })
})

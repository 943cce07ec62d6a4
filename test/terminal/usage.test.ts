/** `pfar usage`: the figures of both places, and which of them is missing. */
import { describe, expect, it } from 'vitest'
import type { UsageReport } from '../../kernel/features/usage/port.ts'
import { runProgram } from '../../sidecar/cli/program.ts'
import { bench } from './command-bench.ts'

const SUM = {
  name: 'big',
  calls: 3,
  failed: 1,
  input: 900,
  output: 70,
  cacheRead: 500,
  cacheWritten: 20,
  unpriced: 0,
}
const REPORT: UsageReport = {
  ...{ place: 'home', from: '2026-11-14', currency: 'EUR' },
  by: {
    day: [{ ...SUM, name: '2026-11-20', cost: 2_500_000 }],
    task: [{ ...SUM, name: null, cost: 900 }],
    purpose: [{ ...SUM, name: 'compact', cost: 0, unpriced: 3 }],
    model: [{ ...SUM, cost: 2_500_000 }],
  },
  today: { tokens: 970, cost: 2_500_000 },
  caps: { tokens: 5_000, cost: 3_000_000, task: 800 },
  plan: null,
}

describe('pfar usage', () => {
  it('shows the cost by purpose, and the rest of the budget', async () => {
    const { context, out, attached } = bench({ usage: REPORT })
    expect(await runProgram(context, ['usage', '--days', '3'])).toBe(0)
    const said = out.join('\n')
    expect(said).toMatch(/^Home, since 2026-11-14:\n\nBy day +calls +read +cached +written +cost\n/)
    expect(said).toMatch(/^2026-11-20 +3 +900 +500 +70 +2\.50 EUR$/m)
    expect(said).toMatch(/^\(no task\) +3 +900 +500 +70 +0\.0009 EUR$/m)
    expect(said).toMatch(/^compact +3 +900 +500 +70 +\?$/m)
    expect(said).toContain('Calls that came to nothing: 1.')
    expect(said).toContain('Budget today: 970 of 5000 tokens, 2.50 EUR of 3.00 EUR, 800 tokens a task.')
    // Home may be started for it; an edge is only queried.
    expect(attached).toEqual([
      { line: 'private', start: true },
      { line: 'open', start: false },
    ])
  })

  it('prints one JSON document with --json', async () => {
    const { context, out } = bench({ usage: REPORT })
    expect(await runProgram(context, ['usage', '--json'])).toBe(0)
    expect(JSON.parse(out.join('\n'))).toEqual({ home: REPORT, edge: REPORT })
  })

  it('names a place that does not answer', async () => {
    const { context, out } = bench({ usage: REPORT })
    const silent = bench().context
    const attach: typeof context.attach = (input) => (input.line === 'open' ? silent : context).attach(input)
    expect(await runProgram({ ...context, attach }, ['usage'])).toBe(0)
    expect(out.join('\n')).toContain('The edge does not answer: what is there is not counted here.')
  })

  it('fails if neither place answers', async () => {
    const { context, err } = bench()
    expect(await runProgram(context, ['usage'])).toBe(1)
    expect(err.join('\n')).not.toBe('')
  })

  it.each([['0'], ['-1'], ['many']])('refuses %s days', async (days) => {
    expect(await runProgram(bench({ usage: REPORT }).context, ['usage', '--days', days])).toBe(2)
  })
})

/** A sample of `npm run soak -- --only months`: days around a change of the clocks, a leap day and the end of a month, each time once. */
import { describe, expect, it } from 'vitest'
import { simulate, tableOf } from '../months/simulate.ts'

describe('days of every job, with the clock moved', () => {
  it.each([
    ['over the spring change', '2027-03-26', 4],
    ['over a leap day and the 1st', '2028-02-28', 3],
    ['over the 31st', '2027-01-30', 3],
  ])('%s: each time has one run, and no text comes twice', async (_, day, days) => {
    const rows = await simulate(Date.parse(`${day}T00:00:00Z`), days)
    expect(rows.flatMap(({ wrong }) => wrong)).toEqual([])
    expect(rows.filter(({ refused }) => refused !== null)).toHaveLength(1)
    const told = rows.filter(({ delivered }) => delivered > 0).map(({ said }) => said)
    const daily = ['surf forecast', 'crypto digest', 'daily health digest', 'twitter digest of @nasa']
    expect(told).toEqual(expect.arrayContaining(daily.map((name) => `start the ${name}`)))
    const beside = rows.filter(({ said }) => /^(?:remind me|housekeeping)/.test(said))
    expect(beside.map(({ said, run }) => [said, run > 0])).toEqual(
      expect.arrayContaining([
        ['remind me every day at 9:10 to water the plants', true],
        ['housekeeping: backup', true],
        ['housekeeping: self', true],
      ]),
    )
    const sum = (of: 'delivered' | 'quiet') => rows.reduce((all, row) => all + row[of], 0)
    expect([sum('delivered') > 0, sum('quiet') > 0]).toEqual([true, true])
    expect(tableOf(rows)).toMatch(/scheduled\s+run\s+delivered/)
  })
})

/** A sample of `npm run soak -- --only months`: days around a change of the clocks, a leap day and the end of a month, each time once. */
import { describe, expect, it } from 'vitest'
import { simulate, tableOf } from '../months/simulate.ts'

/** What is told each day, as its own tool reads it from its service. */
const DAILY = [
  ['start the surf forecast', /metres/],
  ['start the crypto digest', /bitcoin_eur: \d{5}/],
  ['start the daily health digest', /steps \(Apple Health\)\n- Sleep: [67] h \d+ min \(Oura\)/],
  ['start the oura digest', /of your Oura ring[\s\S]*\(today\):\n- Sleep: [67] h/],
  ['start the twitter digest of @nasa', /Lift-off on day \d{5}/],
  ['start the bluesky digest', /A roof on day \d{5}/],
  [
    'every day at 5:30pm summarise the newsletters of the week',
    /^The newsletters of these days, in short\./m,
  ],
] as const

describe('days of every job, with the clock moved', () => {
  it.each([
    ['over the spring change', '2027-03-26', 3],
    ['over a leap day and the 1st', '2028-02-29', 2],
    ['over the 31st', '2027-01-31', 2],
  ])('%s: each time has one run, and no text comes twice', async (_, day, days) => {
    const rows = await simulate(Date.parse(`${day}T00:00:00Z`), days)
    expect(rows.flatMap(({ wrong }) => wrong)).toEqual([])
    expect(rows.filter(({ refused }) => refused !== null)).toHaveLength(1)
    const lastOf = Object.fromEntries(rows.map(({ said, last = '' }) => [said, last]))
    for (const [job, says] of DAILY) expect([job, lastOf[job]]).toEqual([job, expect.stringMatching(says)])
    const pages = rows.filter(({ said, delivered }) => /notion/i.test(said) && delivered > 0)
    expect(pages).toHaveLength(2)
    const beside = rows.filter(({ said }) => /^(?:remind me|housekeeping)/.test(said))
    expect(beside.map(({ said, run }) => [said, run > 0])).toEqual(
      expect.arrayContaining([
        ['remind me every day at 9:10 to water the plants', true],
        ['remind me every day at 15:05 to ring the plumber', true],
        ['housekeeping: backup', true],
        ['housekeeping: self', true],
      ]),
    )
    const sum = (of: 'delivered' | 'quiet') => rows.reduce((all, row) => all + row[of], 0)
    expect([sum('delivered') > 0, sum('quiet') > 0]).toEqual([true, true])
    expect(tableOf(rows)).toMatch(/scheduled\s+run\s+delivered/)
  })
})

/** A sample of `npm run soak -- --only months`: days around a change of the clocks, a leap day and the end of a month, each time once. */
import { describe, expect, it } from 'vitest'
import { simulate, tableOf } from '../months/simulate.ts'

/** What is told each day, as its own tool reads it from its service; and the same of what comes on some days. */
const DAILY: Readonly<Record<string, RegExp>> = {
  'start the surf forecast': /metres_6h: 1\.\d/,
  'start the crypto digest': /bitcoin_eur: \d{5}/,
  'start the daily health digest': /steps \(Apple Health\)\n- Sleep: [67] h \d+ min \(Oura\)/,
  'start the oura digest': /of your Oura ring[\s\S]*\(today\):\n- Sleep: [67] h/,
  'start the twitter digest of @nasa': /Lift-off on day \d{5}/,
  'start the bluesky digest': /On Bluesky, the newest post:\n1\. .*A roof on day \d{5}/,
  'check my mail hourly': /Numbers of day \d{5}[\s\S]*Needs your answer/,
  'start the moltbook check': /unread messages? on Moltbook/,
  'every day at 5:30pm summarise the newsletters of the week': /^The newsletters of these days, in short\.$/,
}
const OTHERS: Readonly<Record<string, RegExp>> = {
  'start the morning briefing': /Stand-up \d{5}[\s\S]*Numbers of day \d{5}/,
  'check github every 6 hours between 1 and 19': /acme\/site#\d{4}: Start \d{4}/,
  'start the slack check': /Lunch in week \d{4}\?/,
  'start the web3 jobs digest of {feed}': /Engineer \d{4}[\s\S]*board\.example/,
  'start the weekly health digest': /Steps: \d/,
  'start the monthly health digest': /Steps: \d/,
}

/** Milliseconds of a busy machine: each of some hundred runs asks servers. */
const PATIENCE = 120_000

describe('days of every job, with the clock moved', () => {
  it.each([
    [
      'over the spring change',
      '2027-03-28',
      ['start the morning briefing', 'start the slack check', 'start the weekly health digest'],
    ],
    [
      'over a leap day and the 1st',
      '2028-02-29',
      ['check github every 6 hours between 1 and 19', 'start the monthly health digest'],
    ],
    ['over the 31st, a Friday', '2027-12-31', ['start the web3 jobs digest of {feed}']],
  ])(
    '%s: each time has one run, and no text comes twice',
    async (_, day, also) => {
      const rows = await simulate(Date.parse(`${day}T00:00:00Z`), 2)
      expect(rows.flatMap(({ wrong }) => wrong)).toEqual([])
      expect(rows.filter(({ refused }) => refused !== null)).toHaveLength(1)
      const told = rows.filter(({ delivered }) => delivered > 0)
      expect(told.map(({ said }) => said)).toEqual(expect.arrayContaining([...Object.keys(DAILY), ...also]))
      for (const { said, last } of told) {
        const says = DAILY[said] ?? OTHERS[said]
        if (says !== undefined) expect([said, last]).toEqual([said, expect.stringMatching(says)])
      }
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
    },
    PATIENCE,
  )
})

/**
 * `npm run soak -- --only months`: whole months of jobs with the clock moved, and a table of each: both changes of the clocks, a leap day, one with 31 days.
 * `--month 2028-02` runs one. Exit code 1 when a time has no run, or more than one, or a text came twice.
 */
import { parseArgs } from 'node:util'
import { simulate, tableOf } from './simulate.ts'

const MONTHS = ['2027-01', '2027-03', '2027-10', '2028-02']
const DAY = 86_400_000

const { values } = parseArgs({ options: { month: { type: 'string', multiple: true, default: MONTHS } } })
let wrong = 0
for (const month of values.month) {
  const from = Date.parse(`${month}-01T00:00:00Z`)
  const next = new Date(from)
  next.setUTCMonth(next.getUTCMonth() + 1)
  const rows = await simulate(from, (next.getTime() - from) / DAY)
  wrong += rows.flatMap((row) => row.wrong).length
  process.stdout.write(`\n${month}\n${tableOf(rows)}\n`)
}
process.stdout.write(wrong === 0 ? '\nevery time once, nothing twice\n' : `\n${wrong} wrong\n`)
process.exitCode = wrong === 0 ? 0 : 1

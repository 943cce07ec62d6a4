/** The guards of what comes again, each with the test files that must go red without it. Read by tested-guards.ts. */
import type { Guard } from './controls.ts'

const tests = ['test/pipeline/calendar-series.test.ts']

export const SERIES_GUARDS: readonly Guard[] = [
  {
    guard: 'what comes again and cannot be kept is not asked about (`checkSeries`)',
    tests,
    patches: [
      {
        file: 'kernel/pipeline/authorize.ts',
        find: 'if (!again.ok) return denied(powers, task, index, again.reason)',
        replace: '',
      },
    ],
  },
  {
    guard: 'a card says how something comes again, and the next times (`seriesLines`)',
    tests,
    patches: [
      {
        file: 'kernel/features/approvals/card/card.ts',
        find: '...seriesLines(action, bytes, { timezone, now }),',
        replace: '',
      },
    ],
  },
  {
    guard: 'what comes again in a way that was not read is no event of one day (`isPeriodic`)',
    tests,
    patches: [
      {
        file: 'integrations/models/rules/checks/unmeant.ts',
        find: 'return !isRead && saysAgain(request)',
        replace: 'return !isRead && saysAgain(request) && request.length > 9_999',
      },
    ],
  },
  {
    guard: 'a time that was named is no first one of a series on other days (`seriesIn`)',
    tests: ['test/tool/series.test.ts', 'test/tools/calendar-series.test.ts', ...tests],
    patches: [
      {
        file: 'kernel/tool/series.ts',
        find: "if (daysIn(series).next().value !== first) return unfit('from')",
        replace: '',
      },
    ],
  },
  {
    guard: 'all of a series only where it is said (`eventIn`)',
    tests: ['test/tools/calendar-series.test.ts'],
    patches: [
      {
        file: 'integrations/tools/calendar/change.ts',
        find: 'if (!found.ok || !isAll(call.args) || isSeries(found.value)) return found',
        replace: 'if (!found.ok || !isOfSeries(found.value)) return found',
      },
    ],
  },
  {
    guard: 'what is left out is a day of the series, and never its first (`isWithout`)',
    tests: ['test/tools/calendar-series.test.ts'],
    patches: [
      {
        file: 'kernel/tool/series.ts',
        find: "if (!isWithout(series)) return unfit('except')",
        replace: '',
      },
    ],
  },
  {
    guard: 'all of a series is moved on its own days alone (`shiftOf`)',
    tests: ['test/tools/calendar-series.test.ts'],
    patches: [
      {
        file: 'integrations/tools/calendar/shift.ts',
        find: "return stays ? ok({ by, length, last, after: { from, to } }) : err('series_whole')",
        replace: 'return ok({ by, length, last, after: { from, to } })',
      },
    ],
  },
]

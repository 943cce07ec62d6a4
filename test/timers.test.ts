/** Everything that runs by itself stands in one table, and nothing else does (G-24): `docs/design/timers.md` against the sources. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { CHORES } from '../kernel/features/housekeeping/chores.ts'
import { readTree } from '../scripts/source-check.ts'

/** What begins something that comes again: a scheduler, an interval, an alarm of an object. */
const TIMER = /\b(?:startScheduler|setInterval)\(|\bsetAlarm\(|override async alarm\(/
const TABLE = readFileSync(new URL('../docs/design/timers.md', import.meta.url), 'utf8')

it('lists each file that has a timer, and no other', () => {
  const found = [...readTree()]
    .filter(([path]) => /^(?:sidecar|durable-objects|worker|integrations|kernel)\//.test(path))
    .filter(([path, text]) => TIMER.test(text) && !path.startsWith('sidecar/cli/'))
    .map(([path]) => path)
  const listed = [...TABLE.matchAll(/^\| `([^`]+)` \|/gm)].map(([, path = '']) => path)
  expect(listed.toSorted()).toEqual(found.toSorted())
})

it.each(Object.entries(CHORES))('%s runs at its time: %s', (_, cron) => {
  const [minute, hour, day, , weekday] = cron.split(' ')
  const time = `${hour?.padStart(2, '0')}:${minute?.padStart(2, '0')}`
  const often = day === '1' ? 'on the 1st' : weekday === '0' ? 'Sundays' : 'daily'
  expect(TABLE).toContain(`${often} ${time}`)
})

/** Before and after of a setting that words have changed stand in its audit row, without a word of the owner's (L-04, DESIGN §9). */
import { expect, it } from 'vitest'
import { set, world } from './job-world.ts'

it.each<[string, string, Record<string, unknown>]>([
  [
    'make the briefing 7:30',
    'jobs.set_time',
    {
      before_job_1: 'on weekdays 1 2026-11-20 08:00 Europe/Madrid the terminal',
      after_job_1: 'on weekdays 1 2026-11-23 07:30 Europe/Madrid the terminal',
      undo: 'jobs.put_back',
      undo_number: 1,
    },
  ],
  [
    'skip monday',
    'jobs.skip',
    {
      before_job_1: 'on weekdays 1 2026-11-20 08:00 Europe/Madrid the terminal',
      after_job_1: 'on weekdays 1 2026-11-20 08:00 Europe/Madrid 2026-11-23 the terminal',
    },
  ],
  [
    'stop the morning briefing',
    'jobs.pause',
    { after_job_1: 'paused weekdays 1 2026-11-20 08:00 Europe/Madrid the terminal' },
  ],
  ['remove the morning briefing', 'jobs.remove', { before_job_1: expect.stringMatching(/^on /) }],
  [
    '/quiet 22:00-7:00',
    'quiet.set',
    { before_from: null, before_to: null, after_from: 1_320, after_to: 420, undo: 'quiet.set' },
  ],
  ["i'm in tokyo this week", 'zone.set', { before_zone: null, after_zone: 'Asia/Tokyo' }],
])('%s', async (said, operation, facts) => {
  const of = world({ tools: {} })
  await set(of, 'start the morning briefing')
  await of.say(said)
  const row = of.disk.store
    .auditSince(0, 10_000)
    .findLast(({ kind, facts: noted }) => kind === 'operation_called' && noted['operation'] === operation)
  expect(row?.facts).toMatchObject({ operation, ok: true, ...facts })
})

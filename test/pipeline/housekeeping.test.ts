/**
 * What home does for itself at times of a calendar (G-22 – G-24): once a time, over restarts and long absences, tried again after a failure, answered for
 * in words; and no chat stops it.
 */
import { describe, expect, it } from 'vitest'
import {
  CHORES,
  type ChoreName,
  choreViews,
  lookAtChore,
  noteChore,
} from '../../kernel/features/housekeeping/chores.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { createDisk, createWorld, type Disk, type World } from './world.ts'

const HOUR = 3_600_000
const at = (iso: string): number => Date.parse(iso)

function bench(disk: Disk = createDisk(), start = '2026-11-20T12:00:00Z') {
  const of: World = createWorld({ disk })
  of.clock.now = at(start)
  const ran: string[] = []
  let answer: () => Promise<Result<unknown>> = async () => ok(true)
  const look = (name: ChoreName) =>
    lookAtChore(of.powers, name, () => {
      ran.push(new Date(of.clock.now).toISOString())
      return answer()
    })
  const answers = (to: typeof answer): void => {
    answer = to
  }
  const rows = (name: ChoreName) =>
    (choreViews(of.powers).find((one) => one.name === name)?.runs ?? []).map(
      ({ scheduled, outcome, code, attempt }) => ({
        at: new Date(scheduled).toISOString().slice(0, 16),
        ...{ outcome, code, attempt },
      }),
    )
  return { of, ran, look, rows, answers }
}

describe('a chore', () => {
  it.each<[ChoreName, string, string]>([
    // The owner's zone is Madrid; in winter an hour before UTC.
    ['backup', '2026-11-20T12:00:00Z', '2026-11-21T02:00:00Z'],
    ['self', '2026-11-20T12:00:00Z', '2026-11-21T04:00:00Z'],
    ['memory', '2026-11-20T12:00:00Z', '2026-11-22T10:00:00Z'],
    ['rotation', '2026-11-20T12:00:00Z', '2026-12-01T09:00:00Z'],
    ['memory', '2026-07-01T12:00:00Z', '2026-07-05T09:00:00Z'],
  ])('%s, looked at on %s, is due at %s', async (name, from, due) => {
    const { look, ran } = bench(createDisk(), from)
    expect(new Date(await look(name)).toISOString()).toBe(new Date(at(due)).toISOString())
    expect(ran).toEqual([])
  })

  it('runs once for its time, also when it is looked at again after a restart', async () => {
    const disk = createDisk()
    const first = bench(disk)
    await first.look('memory')
    first.of.clock.now = at('2026-11-22T10:00:01Z')
    await first.look('memory')
    await first.look('memory')
    const again = bench(disk, '2026-11-22T10:05:00Z')
    await again.look('memory')
    expect([first.ran.length, again.ran.length]).toEqual([1, 0])
    expect(again.rows('memory')).toEqual([
      { at: '2026-11-22T10:00', outcome: 'told', code: null, attempt: 1 },
    ])
  })

  it('is made up for once after a long absence, and the other times are missed', async () => {
    const { of, look, ran, rows } = bench()
    await look('memory')
    of.clock.now = at('2026-12-08T12:00:00Z')
    await look('memory')
    expect(ran).toHaveLength(1)
    expect(rows('memory').map(({ outcome }) => outcome)).toEqual(['told', 'missed', 'missed'])
  })

  it('that fails keeps its reason, backs off, and does not count as done', async () => {
    const { of, look, ran, rows, answers } = bench()
    await look('memory')
    answers(async () => err('storage_full'))
    of.clock.now = at('2026-11-22T10:00:00Z')
    expect(await look('memory')).toBe(of.clock.now + HOUR)
    of.clock.now += HOUR - 1
    await look('memory')
    expect(ran).toHaveLength(1)
    of.clock.now += 1
    expect(await look('memory')).toBe(of.clock.now + 2 * HOUR)
    expect(rows('memory')).toEqual([
      { at: '2026-11-22T10:00', outcome: 'failed', code: 'storage_full', attempt: 2 },
    ])
    answers(async () => ok(true))
    of.clock.now += 2 * HOUR
    await look('memory')
    expect(rows('memory')).toMatchObject([{ outcome: 'told', code: null, attempt: 3 }])
  })

  it('that throws has failed, and its error text is dropped', async () => {
    const { of, look, rows, answers } = bench()
    await look('memory')
    answers(async () => {
      throw new Error('full of words')
    })
    of.clock.now = at('2026-11-22T10:00:00Z')
    await look('memory')
    expect(rows('memory')).toMatchObject([{ outcome: 'failed', code: 'internal_fault' }])
  })

  it('is no run of a job: jobs neither settle nor repeat it', async () => {
    const { of, look, rows, answers } = bench()
    await look('memory')
    answers(async () => err('storage_full'))
    of.clock.now = at('2026-11-22T10:00:00Z')
    await look('memory')
    const before = rows('memory')
    of.clock.now += 30 * 60_000
    await of.shell.tick()
    expect(rows('memory')).toEqual(before)
    expect(of.sent).toEqual([])
  })
})

describe('asked in words', () => {
  const noted = (of: World, code: 'storage_full' | null) =>
    noteChore(of.powers, 'backup', {
      ...{ scheduled: at('2026-11-20T02:00:00Z'), started: at('2026-11-20T02:00:00Z') },
      ...{ ended: at('2026-11-20T02:01:00Z'), code, done: code === null },
    })

  it.each([
    'why did the backup not run?',
    'did the backup run last night?',
    'why was there no backup last night?',
    'when was the last backup?',
    'warum lief das Backup nicht?',
    '/housekeeping',
  ])('%s', async (said) => {
    const of = createWorld({})
    noted(of, 'storage_full')
    await of.say(said)
    expect(of.heard()).toMatch(/Backup, every day at 03:00\. Next: .*03:00\. Last: .*failed \(tries: 1; /)
    expect(of.heard()).toContain('Sundays at 11:00')
    expect(of.prompts).toEqual([])
  })

  it('of one alone', async () => {
    const of = createWorld({})
    noted(of, null)
    await of.say('/housekeeping backup')
    expect(of.heard()).toMatch(/03:00: done/)
    expect(of.heard()).not.toContain('Sundays')
  })

  it.each(['stop the backup', 'remove job home:backup', '/stopjob backup', 'pause the backup every day'])(
    '"%s" stops none of it',
    async (said) => {
      const of = createWorld({})
      await of.say(said)
      expect(choreViews(of.powers).every(({ next }) => next !== null)).toBe(true)
      expect(choreViews(of.powers).map(({ name, cron }) => [name, cron])).toEqual(Object.entries(CHORES))
      const own = choreViews({ ...of.powers, choreTimes: { backup: '30 4 * * *' } })
      expect(own.map(({ cron }) => cron)).toEqual(['30 4 * * *', ...Object.values(CHORES).slice(1)])
    },
  )
})

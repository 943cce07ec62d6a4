/** The unattended backup: when it runs, what it reports and how often (E-13, E-14, E-17). The test sets the clock. */
import { mkdirSync, rmSync } from 'node:fs'
import { describe, expect, test, vi } from 'vitest'
import { speak } from '../../integrations/languages/speak-home.ts'
import type { ChoreRun } from '../../kernel/features/housekeeping/chores.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { newestOn } from '../../sidecar/backup/archive.ts'
import {
  createBackupTick,
  type MadeByChild,
  runBackupChild,
  startBackupJob,
} from '../../sidecar/backup/job.ts'
import { backupWorld, codeOf, DAY, NOON } from './fixtures/backup.ts'

const HOUR = 3_600_000
/** The key was created a day before noon; 03:00 in Berlin is 02:00 UTC. */
const THREE = Date.parse('2026-11-22T02:00:00Z')

type Outcome = Result<MadeByChild>
const DONE: Outcome = ok({ edgeTrouble: null, auditBroken: false })

function bench(outcome: () => Outcome = () => DONE) {
  const world = backupWorld()
  const told: string[] = []
  const ran: number[] = []
  const heard: number[] = []
  const noted: ChoreRun[] = []
  const edge = { deaf: false }
  let now = NOON - DAY
  const input = {
    ...{ folder: world.folder, archive: world.archive, timezone: 'Europe/Berlin', now: () => now },
    run: async () => {
      ran.push(now)
      const result = outcome()
      if (result.ok) await world.make(now)
      return result
    },
    tell: async ({ id, code }: { readonly id: string; readonly code: string }) => told.push(`${id} ${code}`),
    beat: (at: number) => {
      if (edge.deaf) return false
      heard.push(at)
      return true
    },
    fault: () => undefined,
    note: (run: ChoreRun) => void noted.push(run),
    development: false,
  }
  const tick = createBackupTick(input, new AbortController().signal)
  const setClock = (at: number) => {
    now = at
  }
  /** Ticks every ten minutes, as a real timer is never exactly on time. */
  const until = async (end: number) => {
    for (; now < end; now += HOUR / 6) await tick.tick()
  }
  return { world, told, ran, heard, noted, edge, tick, until, setClock, input }
}

describe('the schedule', () => {
  test('runs one backup a day at 03:00, without a notice', async () => {
    const { ran, told, until } = bench()
    await until(THREE + 3 * DAY + HOUR)
    expect(ran).toEqual([THREE, THREE + DAY, THREE + 2 * DAY, THREE + 3 * DAY])
    expect(told).toEqual([])
  })
  test('keeps for each night what became of it, once a night: done, failed, and done but for a part', async () => {
    const outcomes: Outcome[] = [
      DONE,
      err('storage_full'),
      DONE,
      ok({ edgeTrouble: 'remote_unavailable', auditBroken: false }),
    ]
    const { noted, until } = bench(() => outcomes.shift() ?? DONE)
    await until(THREE + 2 * DAY + HOUR)
    expect(noted.map(({ scheduled, code, done }) => [(scheduled - THREE) / DAY, code, done])).toEqual([
      [0, null, true],
      [1, 'storage_full', false],
      [1, null, true],
      [2, 'edge_backup_failed', true],
    ])
  })
  test('keeps the reason of a night without a key', async () => {
    const { world, noted, until } = bench()
    rmSync(world.folder.file('backup-key.json'))
    await until(THREE + HOUR)
    expect(noted).toMatchObject([{ scheduled: THREE, done: false }])
  })
  test('runs once per scheduled time, also across a restart', async () => {
    const first = bench()
    await first.until(THREE + HOUR)
    const again = createBackupTick(first.input, new AbortController().signal)
    await again.tick()
    expect(first.ran).toEqual([THREE])
  })
  test('makes up for a night when home was off, without a notice', async () => {
    const { ran, told, setClock, tick } = bench()
    setClock(THREE + 6 * HOUR)
    await tick.tick()
    expect(ran).toEqual([THREE + 6 * HOUR])
    expect(told).toEqual([])
  })
  test('reports a day that was skipped, and makes a backup', async () => {
    const { ran, told, setClock, until } = bench()
    await until(THREE + HOUR)
    setClock(THREE + 2 * DAY + HOUR)
    await until(THREE + 2 * DAY + 2 * HOUR)
    expect(ran).toEqual([THREE, THREE + 2 * DAY + HOUR])
    expect(told).toEqual(['backup:2026-11-24 backup_missed'])
  })
  test('reports a failure once a day, retries every hour, and clears it after a success', async () => {
    let full = true
    const { ran, told, until, tick } = bench(() => (full ? err('storage_full') : DONE))
    await until(THREE + 30 * HOUR)
    expect(ran.slice(0, 3)).toEqual([THREE, THREE + HOUR, THREE + 2 * HOUR])
    expect(told).toEqual(['backup:2026-11-22 backup_failed', 'backup:2026-11-23 backup_missed'])
    expect(tick.trouble()).toBe('storage_full')
    full = false
    await until(THREE + 32 * HOUR)
    expect(tick.trouble()).toBeNull()
  })
  test('reports a missing edge part once a day, retries in six hours, and clears it after a complete backup', async () => {
    let down = true
    const { ran, told, heard, until, tick } = bench(() =>
      ok({ edgeTrouble: down ? 'remote_unavailable' : null, auditBroken: false }),
    )
    await until(THREE + 13 * HOUR)
    expect(ran).toEqual([THREE, THREE + 6 * HOUR, THREE + 12 * HOUR])
    expect(told).toEqual(['backup:2026-11-22 edge_backup_failed'])
    expect(tick.trouble()).toBe('remote_unavailable')
    // Home's own part exists, and its time is reported.
    expect(heard).toEqual(ran)
    down = false
    await until(THREE + 19 * HOUR)
    expect(tick.trouble()).toBeNull()
    await until(THREE + 25 * HOUR)
    expect(ran.slice(3)).toEqual([THREE + 18 * HOUR, THREE + 24 * HOUR])
  })
  test('reports a broken audit once a day, before any other problem (Q-01)', async () => {
    const broken = ok({ edgeTrouble: 'remote_unavailable', auditBroken: true } as const)
    const { told, until } = bench(() => broken)
    await until(THREE + 30 * HOUR)
    expect(told).toEqual(['backup:2026-11-22 audit_broken', 'backup:2026-11-23 audit_broken'])
  })
  test('reports each backup to the edge once, as soon as it is connected', async () => {
    const { heard, edge, until } = bench()
    edge.deaf = true
    await until(THREE + HOUR)
    expect(heard).toEqual([])
    edge.deaf = false
    await until(THREE + 2 * DAY + HOUR)
    expect(heard).toEqual([THREE, THREE + DAY, THREE + 2 * DAY])
  })
  test('does nothing without a key', async () => {
    const { world, ran, told, until } = bench()
    rmSync(world.folder.file('backup-key.json'))
    await until(THREE + 2 * DAY)
    expect([ran, told]).toEqual([[], []])
  })
})

test('a backup under a development key is reported in the status, and once to the owner (E-14)', async () => {
  const { input, told, world } = bench()
  const tick = createBackupTick({ ...input, development: true }, new AbortController().signal)
  for (const _look of ['first', 'second']) await tick.tick()
  expect(told).toEqual(['backup:development key_unavailable'])
  const job = startBackupJob({ ...input, development: true, now: () => NOON - DAY })
  expect(await job.status()).toMatchObject({ backupOpens: 'only with dev.key: pfar key init' })
  rmSync(world.folder.file('backup-key.json'))
  expect((await job.status()).backup).toBe('not set up: pfar key init, then pfar backup init')
  await speak('de')
  expect((await job.status()).backup).toBe('nicht eingerichtet: erst pfar key init, dann pfar backup init')
  await speak('en')
  await job.stop()
})

test('the status shows the last backup or the problem', async () => {
  const { world, input } = bench()
  const job = startBackupJob({ ...input, now: () => NOON, run: async () => err('storage_full') })
  await vi.waitUntil(async () => (await job.status()).backupTrouble !== null, 15_000)
  expect(await job.status()).toEqual({
    backup: 'none yet',
    nextBackup: '2026-11-22T02:00:00.000Z',
    backupTrouble: 'storage_full',
  })
  await world.make(NOON)
  expect(await job.status()).toMatchObject({
    backup: '2026-11-22T12:00:00.000Z',
    nextBackup: '2026-11-23T02:00:00.000Z',
  })
  rmSync(world.folder.file('backup-key.json'))
  expect((await job.status()).backup).toContain('pfar backup init')
  await job.stop()
})

describe('the child process', () => {
  const task = (world: ReturnType<typeof backupWorld>) => ({
    ...{ state: world.folder.path, archive: world.archive, timezone: 'Europe/Berlin', now: NOON, edge: null },
  })
  test('makes a backup without a passphrase', async () => {
    const world = backupWorld()
    expect(codeOf(await runBackupChild(task(world), new AbortController().signal))).toBe('allowed')
    expect(await newestOn(world.archive.path, NOON)).toBe(NOON)
  })
  test('reports why it failed', async () => {
    const world = backupWorld()
    const elsewhere = { ...task(world), archive: { path: world.folder.file('away'), create: false } }
    expect(codeOf(await runBackupChild(elsewhere, new AbortController().signal))).toBe('storage_failed')
  })
  test('is stopped when home stops', async () => {
    const world = backupWorld()
    mkdirSync(world.archive.path)
    expect(codeOf(await runBackupChild(task(world), AbortSignal.abort()))).toBe('task_stopped')
  })
})

/**
 * Times of jobs while the clock jumps (G-03, G-08): an hour and a day, ahead and back, around both changes of the clocks in
 * several zones, a leap day and the ends of months. No time comes twice, no look starts two runs, and each time has run or is
 * noted as missed. The times are found here by another way.
 */
import { describe, expect, it } from 'vitest'
import { type Job, MISSED_NOTED } from '../../kernel/features/jobs/port.ts'
import { isOften, nextTimes, passed } from '../../kernel/features/jobs/schedule.ts'
import type { JobRepeat } from '../../kernel/features/reminders/repeat.ts'
import { createRandom, type Random } from '../e2e/chaos-random.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** Days of a walk, and walks of each row. */
const DAYS = 12
const WALKS = 4

/** Zones with the days on which their clocks change; in one of them by half an hour, in one not at all. */
const CHANGES: readonly (readonly [zone: string, spring: string, autumn: string])[] = [
  ['Europe/Madrid', '2027-03-28', '2027-10-31'],
  ['America/New_York', '2027-03-14', '2027-11-07'],
  ['Australia/Lord_Howe', '2027-10-03', '2027-04-04'],
  ['America/St_Johns', '2027-03-14', '2027-11-07'],
  ['Asia/Kathmandu', '2027-03-28', '2027-10-31'],
]
const ENDS = ['2028-02-29', '2027-01-31', '2027-02-28', '2027-12-31'] as const

interface Kind {
  readonly says: string
  readonly repeat: Omit<JobRepeat, 'first'>
  /** Hours and minutes of its times, after midnight. */
  readonly times: readonly number[]
  /** Whether it comes on this day; both as if local days were days of UTC. */
  readonly isOn: (day: number, first: number) => boolean
}

const at = (hours: number, minutes = 0): number => hours * 60 + minutes
const weekday = (day: number): number => new Date(day).getUTCDay()
const dayOfMonth = (day: number): number => new Date(day).getUTCDate()
const isLastDay = (day: number): boolean => dayOfMonth(day + DAY) === 1
/** Of the month, or the last day of a shorter one. */
const isMonthly = (day: number, first: number): boolean =>
  dayOfMonth(day) === dayOfMonth(first) || (isLastDay(day) && dayOfMonth(day) < dayOfMonth(first))

const KINDS: readonly Kind[] = [
  { says: 'daily at 8', repeat: { kind: 'daily', every: 1 }, times: [at(8)], isOn: () => true },
  { says: 'daily in the gap', repeat: { kind: 'daily', every: 1 }, times: [at(2, 30)], isOn: () => true },
  {
    says: 'daily in the hour that comes twice',
    repeat: { kind: 'daily', every: 1 },
    times: [at(1, 45)],
    isOn: () => true,
  },
  {
    says: 'every third day',
    repeat: { kind: 'daily', every: 3 },
    times: [at(23, 50)],
    isOn: (day, first) => ((day - first) / DAY) % 3 === 0,
  },
  {
    says: 'workdays',
    repeat: { kind: 'weekdays', every: 1 },
    times: [at(0, 5)],
    isOn: (day) => weekday(day) !== 0 && weekday(day) !== 6,
  },
  {
    says: 'weekly',
    repeat: { kind: 'weekly', every: 1 },
    times: [at(2, 30)],
    isOn: (day, first) => weekday(day) === weekday(first),
  },
  {
    says: 'each fortnight',
    repeat: { kind: 'weekly', every: 2 },
    times: [at(2, 15)],
    isOn: (day, first) => ((day - first) / DAY) % 14 === 0,
  },
  { says: 'monthly', repeat: { kind: 'monthly', every: 1 }, times: [at(10)], isOn: isMonthly },
  {
    says: 'two times a day',
    repeat: { kind: 'daily', every: 1, times: [at(1, 30), at(18)] },
    times: [at(1, 30), at(18)],
    isOn: () => true,
  },
  {
    says: 'a cron string for 29 February',
    repeat: { kind: 'cron', every: 1, cron: '15 9 29 2 *' },
    times: [at(9, 15)],
    isOn: (day) => new Date(day).toISOString().slice(5, 10) === '02-29',
  },
  {
    says: 'a cron string for the 31st',
    repeat: { kind: 'cron', every: 1, cron: '30 2 31 * *' },
    times: [at(2, 30)],
    isOn: (day) => dayOfMonth(day) === 31,
  },
]

const tellers = new Map<string, Intl.DateTimeFormat>()

/** Local time of an instant as if it were UTC, by the platform alone. */
function localOf(instant: number, zone: string): number {
  const made = { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' } as const
  const told = tellers.get(zone) ?? new Intl.DateTimeFormat('sv-SE', made)
  tellers.set(zone, told)
  return Date.parse(`${told.format(instant).replace(' ', 'T')}Z`)
}

/** The first instant at which a clock there shows this; where none does, the one that an unchanged clock would show. */
function instantOf(local: number, zone: string): number {
  for (let found = local - 15 * HOUR; found <= local + 15 * HOUR; found += 15 * MINUTE)
    if (localOf(found, zone) === local) return found
  const before = local - DAY
  return local - (localOf(before, zone) - before)
}

/** `first`: local midnight of its first day, as if it were UTC. */
function timesBetween(kind: Kind, { zone, first, from, to }: Span): readonly number[] {
  const days = Array.from(
    { length: Math.ceil((to - from) / DAY) + 4 },
    (_, n) => Math.floor(from / DAY) * DAY + (n - 2) * DAY,
  )
  return days
    .filter((day) => day >= first && kind.isOn(day, first))
    .flatMap((day) => kind.times.map((minutes) => instantOf(day + minutes * MINUTE, zone)))
    .filter((instant) => instant > from && instant <= to)
}

interface Span {
  readonly zone: string
  readonly first: number
  readonly from: number
  readonly to: number
}

/** What is looked at next: mostly some minutes or hours later, now and then after a jump. */
function nextLook(now: number, random: Random): number {
  const jump = random.weighed({ none: 30, hour: 2, day: 2, back: 2, dayBack: 1 })
  const by = { none: random.between(1, 6 * 60) * MINUTE, hour: HOUR, day: DAY, back: -HOUR, dayBack: -DAY }
  return now + by[jump]
}

interface Walked {
  readonly looks: number
  /** How often each time was given to a run, or noted as missed. */
  readonly ran: ReadonlyMap<number, number>
  readonly missed: ReadonlyMap<number, number>
  readonly most: number
}

/** As the runner does: one row for each time, and the job's next time. */
function walk(job: Pick<Job, 'repeat' | 'zone' | 'missed'>, { from, to }: Span, random: Random): Walked {
  const [ran, missed] = [new Map<number, number>(), new Map<number, number>()]
  const add = (to: Map<number, number>, time: number): number =>
    Number(to.set(time, (to.get(time) ?? 0) + 1).get(time))
  let due = nextTimes(job, from, 1)[0] ?? null
  let [most, looks] = [from, 0]
  for (let now = from; most < to; now = nextLook(now, random)) {
    most = Math.max(most, now)
    looks += 1
    const found = passed({ ...job, due }, now)
    if (found === null) continue
    for (const time of found.missed) add(missed, time)
    add(found.runs ? ran : missed, found.scheduled)
    due = found.next
  }
  return { looks, ran, missed, most }
}

const ROWS = [
  ...CHANGES.flatMap(([zone, spring, autumn]) => [[zone, spring] as const, [zone, autumn] as const]),
  ...ENDS.map((day) => ['Europe/Madrid', day] as const),
  ...ENDS.map((day) => ['Pacific/Auckland', day] as const),
]

describe.each(ROWS)('in %s around %s', (zone, day) => {
  it.each(KINDS.map((kind) => [kind.says, kind] as const))('%s', (_, kind) => {
    const middle = Date.parse(`${day}T00:00:00Z`)
    const first = middle - 56 * DAY
    const clock = new Date(kind.times[0] === undefined ? 0 : kind.times[0] * MINUTE)
      .toISOString()
      .slice(11, 16)
    const repeat: JobRepeat = {
      ...kind.repeat,
      first: `${new Date(first).toISOString().slice(0, 10)} ${clock}`,
    }
    for (let seed = 1; seed <= WALKS; seed += 1) {
      const missed = seed % 2 === 0 ? 'skip' : 'once'
      const from = middle - (DAYS / 2) * DAY
      const span = { zone, first, from, to: from + DAYS * DAY }
      const seen = walk({ repeat, zone, missed }, span, createRandom(seed))
      const had = [...seen.ran, ...seen.missed].filter(([time]) => time <= seen.most)
      expect(had.map(([time]) => time).sort()).toEqual(timesBetween(kind, { ...span, to: seen.most }))
      expect(had.filter(([, count]) => count > 1)).toEqual([])
      expect([...seen.ran.keys()].filter((time) => seen.missed.has(time))).toEqual([])
    }
  })
})

describe('every 15 minutes', () => {
  it.each(CHANGES)('in %s, over %s and %s: none twice, and no burst after a day away', (zone, ...days) => {
    for (const day of days) {
      const from = Date.parse(`${day}T00:00:00Z`) - 2 * DAY
      const repeat: JobRepeat = { kind: 'minutes', every: 15, first: `${day.slice(0, 4)}-01-01 00:00` }
      const seen = walk(
        { repeat, zone, missed: 'once' },
        { zone, first: 0, from, to: from + 4 * DAY },
        createRandom(7),
      )
      const all = [...seen.ran.values(), ...seen.missed.values()]
      expect(Math.max(...all)).toBe(1)
      expect(seen.ran.size).toBeLessThanOrEqual(seen.looks)
      expect(
        [...seen.ran.keys(), ...seen.missed.keys()].filter((time) => time % (15 * MINUTE) !== 0),
      ).toEqual([])
    }
  })

  it('of a long absence some are noted, of what comes once a day all of three weeks', () => {
    const from = Date.parse('2027-03-20T12:00:00Z')
    const daily: JobRepeat = { kind: 'daily', every: 1, first: '2027-01-01 08:00' }
    const often: JobRepeat = { kind: 'minutes', every: 15, first: '2027-01-01 00:00' }
    const missedOf = (repeat: JobRepeat) => {
      const job = { repeat, zone: 'Europe/Madrid', missed: 'once' as const }
      return passed({ ...job, due: nextTimes(job, from, 1)[0] ?? null }, from + 21 * DAY)?.missed.length
    }
    expect([missedOf(daily), missedOf(often)]).toEqual([20, MISSED_NOTED])
    expect([isOften(daily), isOften(often)]).toEqual([false, true])
  })
})

/**
 * Reads the times of a job from the owner's words. A new job takes missing parts from its file, an existing
 * one from its current times ("only on weekdays"). Pure. Called by proposal.ts and by jobs.ts.
 */
import { err, ok, type Result } from '../../../flow/verdict.ts'
import type { Clock, OwnerFacts } from '../../../powers/ports.ts'
import { type JobDeclaration, LEAST_MINUTES, WEEKDAYS } from '../../../template/job.ts'
import { instantOf, localMoment } from '../../../wording/output.ts'
import { leastGap, parseCron } from '../../reminders/cron.ts'
import { ALL_DAYS, bitOf, daysFrom, MON_TO_FRI, repeatOfCron } from '../../reminders/cron-repeat.ts'
import { endOf, JOB_REPEATS, type JobRepeat, nextOccurrence } from '../../reminders/repeat.ts'
import type { Fields } from '../named.ts'
import { atTime, isOften } from '../schedule.ts'

const DAY = 86_400_000
const DAY_MINUTES = 1_440

export interface Scheduled {
  readonly repeat: JobRepeat
  /** The owner's, unless the file pins another and no time was said. */
  readonly zone: string
}

/** Whether a time comes several times a day. */
export function isSaidOften(fields: Fields): boolean {
  return (
    fields['repeat'] === 'minutes' || typeof fields['minutes'] === 'number' || Array.isArray(fields['times'])
  )
}

/**
 * What the words say, completed by `base`: what the job has, or its file gives. Refusals: job_time_unclear
 * where they do not say when, or end before their first time; job_too_often, also for a cron string of which two times lie too near.
 */
export function repeatIn(powers: Clock & OwnerFacts, fields: Fields, given: Given): Result<Scheduled> {
  const read = timesIn(powers, fields, given)
  const { until } = fields
  const ends = typeof until === 'string' ? { last: until.slice(0, 10) } : endOf(given.base?.repeat ?? {})
  if (!read.ok || ends.last === undefined) return read
  const { zone } = read.value
  const repeat = { ...read.value.repeat, ...ends }
  const isOver = repeat.kind === 'once' || !Number.isFinite(nextOccurrence(repeat, powers.now(), zone))
  return isOver ? err('job_time_unclear') : ok({ repeat, zone })
}

interface Given {
  readonly base: Scheduled | null
  readonly least: number | undefined
}

function timesIn(
  { now, profile }: Clock & OwnerFacts,
  fields: Fields,
  { base, least: own }: Given,
): Result<Scheduled> {
  const { timezone } = profile()
  const least = Math.max(LEAST_MINUTES, own ?? LEAST_MINUTES)
  const today = localMoment(now(), timezone).slice(0, 10)
  const from = instantOf(fields['from'])
  const said = fields['repeat']
  if (said === undefined && from === null) {
    const { minutes } = fields
    if (base === null) return err('job_time_unclear')
    return typeof minutes === 'number' ? shifted(base, minutes) : ok(base)
  }
  const count = typeof fields['count'] === 'number' ? fields['count'] : 1
  const which = fields['which']
  if (which === 'without' || which === 'also')
    return onDays(base, {
      bits: count,
      which,
      today,
      at: from === null ? null : localMoment(from, timezone).slice(11),
    })
  const kind = said === undefined ? base?.repeat.kind : JOB_REPEATS.find((one) => one === said)
  if (kind === undefined) return err('job_time_unclear')
  const step = kind === 'minutes' && said !== undefined ? count : fields['minutes']
  if (typeof step === 'number' && step < least) return err('job_too_often', { minutes: least })
  if (said === 'cron') {
    const cron = typeof fields['cron'] === 'string' ? fields['cron'] : ''
    const repeat = repeatOfCron(cron, today)
    if (repeat === null) return err('job_time_unclear')
    return nearest(cron) < least ? err('job_too_often', { minutes: least }) : ok({ repeat, zone: timezone })
  }
  if (said === 'minutes') {
    // A time of day is none of these.
    if (count > DAY_MINUTES) return err('job_time_unclear')
    return ok({ repeat: { kind: 'minutes', every: count, first: `${today} 00:00` }, zone: timezone })
  }
  if (said === undefined) return movedTo(base, localMoment(from ?? now(), timezone), timezone)
  if (base !== null && typeof step !== 'number' && (from === null || fields['wholeDay'] === true))
    return onOtherDays(base, { kind, every: count, day: dayFrom(from, timezone) })
  if (from === null) return err('job_time_unclear')
  const repeat: JobRepeat = { kind, every: count, first: localMoment(from, timezone) }
  const named = fields['times']
  if (Array.isArray(named)) return timesNamed(repeat, named, { zone: timezone, least })
  if (typeof step !== 'number') return ok({ repeat, zone: timezone })
  const times = stepsOf(minutesOf(repeat.first), instantOf(fields['to']), { step, timezone })
  return times.length < 2 ? err('job_time_unclear') : ok({ repeat: { ...repeat, times }, zone: timezone })
}

/** Times of a day that the words name one by one. */
function timesNamed(
  repeat: JobRepeat,
  named: readonly unknown[],
  { zone, least }: { readonly zone: string; readonly least: number },
): Result<Scheduled> {
  const times = named.filter((one) => typeof one === 'number')
  const gaps = times.slice(1).map((time, at) => time - (times[at] ?? 0))
  const isDay = times.every((time) => time >= 0 && time < DAY_MINUTES) && gaps.every((gap) => gap > 0)
  if (!isDay || times.length < 2) return err('job_time_unclear')
  return Math.min(...gaps) < least
    ? err('job_too_often', { minutes: least })
    : ok({ repeat: { ...repeat, times }, zone })
}

function nearest(text: string): number {
  const cron = parseCron(text)
  return cron === null ? 0 : leastGap(cron)
}

function dayFrom(from: number | null, timezone: string): string | null {
  return from === null ? null : localMoment(from, timezone).slice(0, 10)
}

/** Another time of day for the same days. */
function movedTo(base: Scheduled | null, local: string, zone: string): Result<Scheduled> {
  if (base === null || isFixed(base.repeat) || base.repeat.kind === 'minutes') return err('job_time_unclear')
  const { times: _, ...repeat } = base.repeat
  return ok({ repeat: atTime(repeat, minutesOf(local)), zone })
}

/** So many minutes later or earlier on the same day. */
function shifted(base: Scheduled, minutes: number): Result<Scheduled> {
  const at = minutesOf(base.repeat.first) + minutes
  const isOn = isOften(base.repeat) || isFixed(base.repeat) || at < 0 || at >= DAY_MINUTES
  return isOn ? err('job_time_unclear') : ok({ ...base, repeat: atTime(base.repeat, at) })
}

/** No time of day that could be given to other days. */
function isFixed({ kind }: JobRepeat): boolean {
  return kind === 'once' || kind === 'cron'
}

/** The times that it has, on these days: without a named one, on that of its own. */
function onOtherDays(
  base: Scheduled,
  {
    kind,
    every,
    day,
  }: { readonly kind: JobRepeat['kind']; readonly every: number; readonly day: string | null },
): Result<Scheduled> {
  if (isFixed(base.repeat)) return err('job_time_unclear')
  const [own = '', clock = ''] = base.repeat.first.split(' ')
  const first = `${day ?? own} ${clock}`
  return ok({ repeat: { kind, every, first, ...timesOf(base.repeat) }, zone: base.zone })
}

/** What comes every so many minutes has all its times on a day. */
function timesOf({ kind, every, times }: JobRepeat): Pick<JobRepeat, 'times'> {
  if (kind !== 'minutes') return times === undefined ? {} : { times }
  return { times: Array.from({ length: Math.ceil(DAY_MINUTES / every) }, (_, nth) => nth * every) }
}

interface Days {
  /** A bit each, Monday's is 1. */
  readonly bits: number
  readonly which: 'without' | 'also'
  readonly today: string
  /** A time of day that is said with them, `08:00`: all days of a job have the same. */
  readonly at: string | null
}

/** "Not on fridays", "also on saturdays": of the days of the week that it has. */
function onDays(base: Scheduled | null, { bits, which, today, at }: Days): Result<Scheduled> {
  const has = base === null ? null : daysOf(base.repeat)
  if (base === null || has === null) return err('job_time_unclear')
  const left = which === 'also' ? has | bits : has & ~bits
  const clock = base.repeat.first.slice(11)
  if (left === 0 || (at !== null && at !== clock)) return err('job_time_unclear')
  const repeat = daysFrom(left, today, (day) => ({ first: `${day} ${clock}`, ...timesOf(base.repeat) }))
  return ok({ repeat, zone: base.zone })
}

/** Null for what does not come by days of the week alone. */
function daysOf({ kind, every, first }: JobRepeat): number | null {
  if (kind === 'minutes') return ALL_DAYS
  if (kind === 'on_days') return every
  if (every !== 1) return null
  if (kind === 'daily') return ALL_DAYS
  if (kind === 'weekdays') return MON_TO_FRI
  return kind === 'weekly' ? bitOf(new Date(`${first.slice(0, 10)}T00:00:00Z`).getUTCDay()) : null
}

/** Minutes after midnight from one time to another of the same day. */
function stepsOf(
  from: number,
  until: number | null,
  { step, timezone }: { readonly step: number; readonly timezone: string },
): readonly number[] {
  const to = until === null ? -1 : minutesOf(localMoment(until, timezone))
  const count = to < from ? 0 : Math.floor((to - from) / step) + 1
  return Array.from({ length: count }, (_, nth) => from + nth * step)
}

function minutesOf(local: string): number {
  return Number(local.slice(11, 13)) * 60 + Number(local.slice(14, 16))
}

/** When a shipped job comes by its file. */
export function fileTimes(
  { repeat, every, at, on, zone, cron }: JobDeclaration,
  now: number,
  timezone: string,
): Scheduled | null {
  const where = zone ?? timezone
  const today = localMoment(now, where).slice(0, 10)
  if (cron !== undefined) {
    const own = repeatOfCron(cron, today)
    return own === null ? null : { repeat: own, zone: where }
  }
  const [first = '00:00', ...more] = typeof at === 'string' ? [at] : (at ?? [])
  const day = `${firstDay(today, on)} ${first}`
  if (repeat === undefined) return null
  if (repeat === 'minutes')
    return { repeat: { kind: repeat, every: every ?? LEAST_MINUTES, first: day }, zone: where }
  const times = [first, ...more].map((time) => minutesOf(`${today} ${time}`))
  return { repeat: { kind: repeat, every: 1, first: day, ...(more.length > 0 && { times }) }, zone: where }
}

/** From `today` on, both dates: the first day of that name or number. */
function firstDay(today: string, on: JobDeclaration['on']): string {
  const days = Array.from({ length: 31 }, (_, after) => new Date(Date.parse(today) + after * DAY))
  const found = days.find((day) =>
    typeof on === 'number' ? day.getUTCDate() === on : on === undefined || WEEKDAYS[day.getUTCDay()] === on,
  )
  return found?.toISOString().slice(0, 10) ?? today
}

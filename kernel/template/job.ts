/**
 * The part of a `cron` template that describes its job: the schedule and the words that its
 * plan is read from (DESIGN §9). Types and schema only. Called by the loader of templates.
 */
import * as z from 'zod/mini'
import { leastGap, parseCron } from '../features/reminders/cron.ts'
import { SIMPLE_REPEATS } from '../features/reminders/repeat.ts'
import type { DeepReadonly } from '../flow/json.ts'

const TITLE_MAX = 60
const REQUEST_MAX = 200
const CRON_MAX = 100
/** Maximum other names by which an owner may mean the job. */
const MOST_NAMES = 8

/** Weekdays, in the order of a date's day number. */
export const WEEKDAYS = Object.freeze([
  ...(['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const),
])

/** Maximum UTF-16 units of an example for a terminal, shown entirely in a chat. */
const EXAMPLE_MAX = 900
/** Maximum times of one day, and maximum results of which only new rows are reported. */
const MOST_TIMES = 24
const MOST_NEWS = 8
/** Minimum minutes between two runs: a more frequent job would query services all day. */
export const LEAST_MINUTES = 15
const DAY_MINUTES = 1_440
/** Maximum messages of one job per day: as many as it can have runs. */
const MOST_MESSAGES = 96

const field = z.string().check(z.regex(/^[A-Za-z][A-Za-z0-9_]{0,39}$/))
const time = z.string().check(z.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/))
const minutes = z.int().check(z.minimum(LEAST_MINUTES), z.maximum(DAY_MINUTES))

/**
 * Reports only the rows of a read's result that no earlier run has reported. A row is
 * identified by values that its service assigns, never by text of its author.
 */
const NEWS = z.strictObject({
  tool: z.string(),
  /** The list in the result, and the fields that identify its rows; the first is an id or an address. */
  list: z.optional(field),
  by: z.optional(z.array(field).check(z.minLength(1), z.maxLength(4))),
  /** Rows to skip because they are reported elsewhere: enum values by field name. */
  without: z.optional(z.record(field, z.array(z.string()).check(z.minLength(1), z.maxLength(16)))),
  /** Number fields of the result that are news when they have grown. */
  counts: z.optional(z.array(field).check(z.minLength(1), z.maxLength(4))),
  /** Fields of the whole result to remove, because they are not true of the new rows alone. */
  leaves: z.optional(z.array(field).check(z.minLength(1), z.maxLength(4))),
  /** True: the list is complete, so a row that disappears and returns is news again. */
  forgets: z.optional(z.boolean()),
})

export type NewsDeclaration = DeepReadonly<z.output<typeof NEWS>>

const words = (max: number) => z.string().check(z.minLength(1), z.maxLength(max))

/** A text of one line, for lists. */
const line = (max: number) => words(max).check(z.regex(/^[^\p{Cc}\u2028\u2029]*$/u))

export const JOB = z.strictObject({
  /** Title shown to the owner. */
  title: line(TITLE_MAX),
  names: z.array(line(TITLE_MAX)).check(z.minLength(1), z.maxLength(MOST_NAMES)),
  /** Request that code reads again at every run; it gives the days that the plan refers to. */
  request: words(REQUEST_MAX),
  /** The job is about something that the owner names: the `{what}` of its request. Code reads its plan from those words. */
  takes: z.optional(z.literal(true)),
  /** What the job reports, for the card. */
  tells: words(REQUEST_MAX),
  /** Title and `tells` in other languages, by language code. */
  said: z.optional(
    z.record(
      z.string().check(z.regex(/^[a-z]{2}$/)),
      z.strictObject({ title: line(TITLE_MAX), tells: words(REQUEST_MAX) }),
    ),
  ),
  /** Command to suggest for a terminal if the plan needs a name that is not configured. */
  example: z.optional(words(EXAMPLE_MAX)),
  /** Names of the job in a request for several runs a day: "check my mail every 15 minutes". */
  often: z.optional(z.array(words(TITLE_MAX)).check(z.maxLength(MOST_NAMES))),
  /** Repetition, together with `at`; a cron string replaces both. */
  repeat: z.optional(z.enum([...SIMPLE_REPEATS, 'minutes'])),
  /** Five fields, such as `0 8 * * 1-5`. No two times may be closer than `LEAST_MINUTES`. */
  cron: z.optional(words(CRON_MAX)),
  /** For repetition by `minutes`: the interval. */
  every: z.optional(minutes),
  /** Minimum interval in minutes, whatever the owner requests, because each run has a cost. */
  least: z.optional(minutes),
  /** Local time of day, or several, ascending. */
  at: z.optional(z.union([time, z.array(time).check(z.minLength(1), z.maxLength(MOST_TIMES))])),
  /** A fixed time zone for its times; the owner's current zone if absent. */
  zone: z.optional(z.literal('UTC')),
  /** The weekday for weekly repetition, or the day of the month for monthly; if absent, the day on which the job is set up. */
  on: z.optional(z.union([z.enum(WEEKDAYS), z.int().check(z.minimum(1), z.maximum(28))])),
  /** Handling of times missed while nothing ran: one run for the last of them, or none. */
  missed: z.enum(['once', 'skip']),
  /** Maximum messages per day; after that the job is stopped until the owner resumes it. */
  messages: z.optional(z.int().check(z.minimum(1), z.maximum(MOST_MESSAGES))),
  /**
   * A notification of possible news makes the job due earlier, at most once a minute. Without notifications it runs at its times.
   */
  sooner: z.optional(z.literal('mail')),
  /** Sends nothing when no result has an item. */
  quiet: z.boolean(),
  /** Tools that are not mentioned if their result lists nothing, because the other results already say so. */
  silent: z.optional(z.array(z.string()).check(z.minLength(1), z.maxLength(MOST_NEWS))),
  news: z.optional(z.array(NEWS).check(z.maxLength(MOST_NEWS))),
})

export type JobDeclaration = DeepReadonly<z.output<typeof JOB>>

/**
 * Name of the invalid part of a schedule: a cron string together with other times, an
 * invalid one, or one that is too frequent. Null if the schedule is valid.
 */
export function scheduleFault({ repeat, at, every, on, cron, least }: JobDeclaration): string | null {
  if ((repeat === 'minutes') !== (every !== undefined)) return 'job.every'
  if (cron === undefined) return repeat === undefined ? 'job.repeat' : at === undefined ? 'job.at' : null
  const isAlone = repeat === undefined && at === undefined && on === undefined
  const read = parseCron(cron)
  return isAlone && read !== null && leastGap(read) >= Math.max(LEAST_MINUTES, least ?? 0) ? null : 'job.cron'
}

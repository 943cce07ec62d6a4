/**
 * What a template of class `cron` says about its job: its schedule and the words that its plan is read with (DESIGN §9). Types and
 * schema only. Called by the loader of templates.
 */
import * as z from 'zod/mini'
import { leastGap, parseCron } from '../features/reminders/cron.ts'
import { SIMPLE_REPEATS } from '../features/reminders/repeat.ts'
import type { DeepReadonly } from '../flow/json.ts'

const TITLE_MAX = 60
const REQUEST_MAX = 200
const CRON_MAX = 100
/** Other names under which an owner may mean the job. */
const MOST_NAMES = 8

/** Of the week, as of a date's number of its day. */
export const WEEKDAYS = Object.freeze([
  ...(['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const),
])

/** What is typed at a terminal, shown whole in a chat. */
const EXAMPLE_MAX = 900
/** Times of one day, and results of which only what is new is told. */
const MOST_TIMES = 24
const MOST_NEWS = 8
/** Minutes: a job that comes more often than this asks services the same all day. */
export const LEAST_MINUTES = 15
const DAY_MINUTES = 1_440
/** Messages of one job in a day: as many as it has times at the most. */
const MOST_MESSAGES = 96

const field = z.string().check(z.regex(/^[A-Za-z][A-Za-z0-9_]{0,39}$/))
const time = z.string().check(z.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/))
const minutes = z.int().check(z.minimum(LEAST_MINUTES), z.maximum(DAY_MINUTES))

/** Of one read's result only what no earlier run has told. What a row is known by is assigned by its service, never typed by who wrote it. */
const NEWS = z.strictObject({
  tool: z.string(),
  /** List of the result, and the fields of its rows that tell one from another; the first is an id or an address. */
  list: z.optional(field),
  by: z.optional(z.array(field).check(z.minLength(1), z.maxLength(4))),
  /** Rows that are told elsewhere: values of an enum, by its name. */
  without: z.optional(z.record(field, z.array(z.string()).check(z.minLength(1), z.maxLength(16)))),
  /** Numbers of the result that are news when they have grown. */
  counts: z.optional(z.array(field).check(z.minLength(1), z.maxLength(4))),
  /** Fields of the whole result that do not hold of its new rows alone. */
  leaves: z.optional(z.array(field).check(z.minLength(1), z.maxLength(4))),
  /** The list is all that there is: what is no longer in it is news if it comes back. */
  forgets: z.optional(z.boolean()),
})

export type NewsDeclaration = DeepReadonly<z.output<typeof NEWS>>

const words = (max: number) => z.string().check(z.minLength(1), z.maxLength(max))

/** One line, as it stands in lists. */
const line = (max: number) => words(max).check(z.regex(/^[^\p{Cc}\u2028\u2029]*$/u))

export const JOB = z.strictObject({
  /** As shown to the owner. */
  title: line(TITLE_MAX),
  names: z.array(line(TITLE_MAX)).check(z.minLength(1), z.maxLength(MOST_NAMES)),
  /** Read anew at every run, by code: it gives the days that the plan refers to. */
  request: words(REQUEST_MAX),
  /** It is of something that the owner names: the `{what}` of its request. Its plan is read from those words by code. */
  takes: z.optional(z.literal(true)),
  /** What it tells, for the card. */
  tells: words(REQUEST_MAX),
  /** Title and what it tells in other languages, by their codes. */
  said: z.optional(
    z.record(
      z.string().check(z.regex(/^[a-z]{2}$/)),
      z.strictObject({ title: line(TITLE_MAX), tells: words(REQUEST_MAX) }),
    ),
  ),
  /** What the owner may type at a terminal where a name is lacking that its plan calls. */
  example: z.optional(words(EXAMPLE_MAX)),
  /** What it is meant by where it is asked for several times a day: "check my mail every 15 minutes". */
  often: z.optional(z.array(words(TITLE_MAX)).check(z.maxLength(MOST_NAMES))),
  /** With `at`, or a cron string in their place. */
  repeat: z.optional(z.enum([...SIMPLE_REPEATS, 'minutes'])),
  /** Five fields, such as `0 8 * * 1-5`, of which no two times lie nearer than `LEAST_MINUTES`. */
  cron: z.optional(words(CRON_MAX)),
  /** Of one that comes every so many minutes. */
  every: z.optional(minutes),
  /** It comes no more often than this, in minutes, whatever is asked for: each of its runs costs something. */
  least: z.optional(minutes),
  /** Local time of day, or several, rising. */
  at: z.optional(z.union([time, z.array(time).check(z.minLength(1), z.maxLength(MOST_TIMES))])),
  /** A zone that its times keep wherever the owner is; the owner's if absent. */
  zone: z.optional(z.literal('UTC')),
  /** Of one that repeats weekly, on which day; monthly, on which day of the month. That on which it is set, if absent. */
  on: z.optional(z.union([z.enum(WEEKDAYS), z.int().check(z.minimum(1), z.maximum(28))])),
  /** What to do with a time that passed while nothing ran: one run for the last of them, or none. */
  missed: z.enum(['once', 'skip']),
  /** It sends no more messages in a day than this; then it is stopped until the owner has it go on. */
  messages: z.optional(z.int().check(z.minimum(1), z.maximum(MOST_MESSAGES))),
  /** A notice that there may be something new makes it due sooner, once a minute at the most; what has no notices comes at its times. */
  sooner: z.optional(z.literal('mail')),
  /** Sends nothing when no result has an item. */
  quiet: z.boolean(),
  /** Tools of which nothing is told where their result lists nothing: what is told beside them says so already. */
  silent: z.optional(z.array(z.string()).check(z.minLength(1), z.maxLength(MOST_NEWS))),
  news: z.optional(z.array(NEWS).check(z.maxLength(MOST_NEWS))),
})

export type JobDeclaration = DeepReadonly<z.output<typeof JOB>>

/** The part of a schedule that is not lawful: a cron string beside other times, one that is none, or one that comes too often. Null if all is. */
export function laxSchedule({ repeat, at, every, on, cron, least }: JobDeclaration): string | null {
  if ((repeat === 'minutes') !== (every !== undefined)) return 'job.every'
  if (cron === undefined) return repeat === undefined ? 'job.repeat' : at === undefined ? 'job.at' : null
  const isAlone = repeat === undefined && at === undefined && on === undefined
  const read = parseCron(cron)
  return isAlone && read !== null && leastGap(read) >= Math.max(LEAST_MINUTES, least ?? 0) ? null : 'job.cron'
}

/**
 * What a template of class `cron` says about its job: its schedule and the words that its plan is read with (DESIGN §9). Types and
 * schema only. Called by the loader of templates.
 */
import * as z from 'zod/mini'
import { SIMPLE_REPEATS } from '../features/reminders/repeat.ts'
import type { DeepReadonly } from '../flow/json.ts'

const TITLE_MAX = 60
const REQUEST_MAX = 200
/** Other names under which an owner may mean the job. */
const MOST_NAMES = 8

/** Of the week, as of a date's number of its day. */
export const WEEKDAYS = Object.freeze([
  ...(['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const),
])

const words = (max: number) => z.string().check(z.minLength(1), z.maxLength(max))

export const JOB = z.strictObject({
  /** As shown to the owner. */
  title: words(TITLE_MAX),
  names: z.array(words(TITLE_MAX)).check(z.minLength(1), z.maxLength(MOST_NAMES)),
  /** Read anew at every run, by code: it gives the days that the plan refers to. */
  request: words(REQUEST_MAX),
  /** What it tells, for the card. */
  tells: words(REQUEST_MAX),
  repeat: z.enum(SIMPLE_REPEATS),
  /** Local time of day. */
  at: z.string().check(z.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/)),
  /** Of one that repeats weekly, on which day; monthly, on which day of the month. That on which it is set, if absent. */
  on: z.optional(z.union([z.enum(WEEKDAYS), z.int().check(z.minimum(1), z.maximum(28))])),
  /** What to do with a time that passed while nothing ran: one run for the last of them, or none. */
  missed: z.enum(['once', 'skip']),
  /** Sends nothing when no result has an item. */
  quiet: z.boolean(),
})

export type JobDeclaration = DeepReadonly<z.output<typeof JOB>>

/**
 * One request of the evaluation: the owner's messages, and the expected state of mailbox, calendar, chat and the owner's own
 * things at home afterwards. Read from JSON files; docs/measure.md explains the fields. Called by main.ts, home.ts, talk.ts and
 * the scoring files.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { dayAfter, daysUntil, wallTime } from '../../scripts/demo/clock.ts'

export const REQUESTS = join(import.meta.dirname, '../requests')

const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const
const MOMENT = /^(?:\d{4}-\d{2}-\d{2}T|\+\d{1,3}d |(?:sun|mon|tue|wed|thu|fri|sat) )\d{2}:\d{2}$/

const pattern = z.string().check(z.refine(isPattern, { error: 'is no regular expression' }))
const moment = z.string().check(z.regex(MOMENT))
const timeOfDay = z.string().check(z.regex(/^\d{2}:\d{2}$/))
const texts = z._default(z.array(pattern), [])
const people = z.optional(z.array(z.email()))
const minutes = z.optional(z.int().check(z.positive()))
const cards = z._default(z.enum(['yes', 'no']), 'yes')

const EXPECT = z.strictObject({
  added: z._default(
    z.array(
      z.strictObject({
        title: pattern,
        start: z.optional(moment),
        minutes,
        attendees: people,
        /** Name of its calendar. */
        calendar: z.optional(pattern),
        /** A repeating event: further events with its title are its later occurrences. */
        repeats: z.optional(z.boolean()),
      }),
    ),
    [],
  ),
  changed: z._default(
    z.array(
      z.strictObject({
        title: pattern,
        start: z.optional(moment),
        minutes,
        newTitle: z.optional(pattern),
        attendees: people,
      }),
    ),
    [],
  ),
  removed: z._default(
    z.array(z.union([pattern, z.strictObject({ title: pattern, start: z.optional(moment) })])),
    [],
  ),
  sent: z._default(z.array(z.strictObject({ to: z.email(), text: pattern })), []),
  drafted: z._default(z.array(z.strictObject({ to: z.email(), text: pattern })), []),
  archived: texts,
  trashed: texts,
  reminders: z._default(
    z.array(z.strictObject({ text: pattern, at: z.optional(moment), repeats: z.optional(z.boolean()) })),
    [],
  ),
  remindersGone: texts,
  tasks: z._default(z.array(z.strictObject({ text: pattern, list: z.optional(pattern) })), []),
  tasksDone: texts,
  remembered: texts,
  forgotten: texts,
  contacts: z._default(z.array(z.strictObject({ name: pattern, address: z.email() })), []),
  jobs: z._default(z.array(z.strictObject({ text: pattern, at: z.optional(timeOfDay) })), []),
  jobsGone: texts,
  answer: texts,
  answerNot: texts,
  asks: z._default(z.boolean(), false),
  maxCards: z.optional(z.int().check(z.nonnegative())),
})

const CASE = z.strictObject({
  id: z.string().check(z.regex(/^[a-z0-9-]{1,80}$/)),
  area: z.enum(['calendar', 'mail', 'memory', 'talk', 'web', 'mixed', 'followup', 'refuse']),
  language: z.string().check(z.regex(/^[a-z]{2}$/)),
  /** Issue that adds the actions it needs; such a request is counted separately. */
  with: z.optional(z.string()),
  turns: z
    .array(z.strictObject({ say: z.string().check(z.minLength(1)), cards }))
    .check(z.minLength(1), z.maxLength(8)),
  expect: EXPECT,
})

export type Case = z.output<typeof CASE>
export type Expect = Case['expect']

/** Reads the requests. Throws for a file in another format and for a duplicate id. */
export function readCases(file?: string): readonly Case[] {
  const files = file === undefined ? requestFiles() : [file]
  const cases = files.flatMap((name) => {
    const parsed = z.array(CASE).safeParse(JSON.parse(readFileSync(name, 'utf8')))
    if (!parsed.success) throw new Error(`${name}: ${z.prettifyError(parsed.error)}`)
    return parsed.data
  })
  const twice = cases.find(({ id }, index) => cases.findIndex((one) => one.id === id) !== index)
  if (twice !== undefined) throw new Error(`the case ${twice.id} occurs twice`)
  return cases
}

function requestFiles(): readonly string[] {
  const names = readdirSync(REQUESTS).filter((name) => name.endsWith('.json') && name !== 'answers.json')
  return names.sort().map((name) => join(REQUESTS, name))
}

export interface Day {
  /** Epoch milliseconds of the first message. */
  readonly now: number
  readonly timezone: string
}

/** `2026-11-27T13:00`, `+1d 13:00` or `fri 13:00` (today included), as epoch milliseconds. */
export function momentAt(text: string, { now, timezone }: Day): number {
  const [day = '', time = ''] = text.split(/[T ]/)
  const offset = /^\+(\d+)d$/.exec(day)
  const weekday = WEEKDAYS.indexOf(day as (typeof WEEKDAYS)[number])
  const date =
    offset !== null
      ? dayAfter(now, Number(offset[1]), timezone)
      : weekday >= 0
        ? dayAfter(now, daysUntil(now, weekday, timezone), timezone)
        : day
  return Date.parse(wallTime(date, time, timezone))
}

export function patternOf(text: string): RegExp {
  return new RegExp(text, 'isu')
}

function isPattern(text: string): boolean {
  try {
    patternOf(text)
    return true
  } catch {
    return false
  }
}

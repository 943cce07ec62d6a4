/**
 * One recorded day of an owner: mailbox, calendar, and each request with the plan that a model gives for it, the card
 * that a careful person expects, and the expected writes. Read from TOML files; docs/measure.md explains the fields. Must not
 * run anything. Called by replay.ts, accounts.ts and test/pipeline/days.test.ts.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'smol-toml'
import * as z from 'zod/mini'

/** Minimum size of a day: requests, writes among them, and requests that depend on the text of a mail. */
export const ORDINARY = Object.freeze({ requests: 25, writes: 10, mails: 3 })
/** Maximum cards a day that a person still reads (S001 §4.4). */
export const MOST_CARDS = 10

/** Wall time in the owner's zone: `2026-11-23T07:30`. */
const moment = z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/))
const plans = z._default(z.array(z.string()), [])
const texts = z._default(z.array(z.string()), [])

const WROTE = z.strictObject({
  do: z.enum(['book', 'change', 'delete', 'remember']),
  /** Title of the event before the change or deletion. */
  event: z.optional(z.string()),
  title: z.optional(z.string()),
  from: z.optional(moment),
  to: z.optional(moment),
  location: z.optional(z.string()),
  /** Addresses of the invited people. */
  people: z._default(z.array(z.email()), []),
  /** The fact to remember. */
  text: z.optional(z.string()),
})
export type Wrote = z.output<typeof WROTE>

const REQUEST = z.strictObject({
  say: z.string().check(z.minLength(1)),
  /** Answers of the planning model, one per round; empty if the tools' phrases account for every word. */
  plans,
  /** Answers of the model for extracting, choosing, classifying and composing, in order. */
  answers: texts,
  /** The request depends on the text of a mail. */
  mail: z._default(z.boolean(), false),
  /** Whether a careful person expects a card, judged without regard to what the policy does. */
  card: z._default(z.boolean(), false),
  /** Reasons of the cards that are shown. */
  asked: texts,
  wrote: z._default(z.array(WROTE), []),
  /** Must be in the input of the call that words the answer. */
  told: z.optional(z.string()),
  /** Reason code of a refused call, if one is refused. */
  refused: z.optional(z.string()),
})
export type Request = z.output<typeof REQUEST>

const DAY = z.strictObject({
  about: z.string().check(z.minLength(1)),
  start: moment,
  contacts: z._default(z.array(z.strictObject({ name: z.string(), email: z.email() })), []),
  mails: z.array(
    z.strictObject({
      id: z.string(),
      from: z.email(),
      fromName: z.string(),
      subject: z.string(),
      date: moment,
      unread: z._default(z.boolean(), true),
      body: z.string(),
    }),
  ),
  events: z.array(
    z.strictObject({
      title: z.string(),
      from: moment,
      to: moment,
      location: z.optional(z.string()),
      people: z._default(z.array(z.email()), []),
    }),
  ),
  pages: z._default(z.array(z.strictObject({ url: z.url(), title: z.string(), text: z.string() })), []),
  /** Requests of the day before whose card the owner answered with "always". */
  grants: z._default(
    z.array(z.strictObject({ say: z.string(), plans, perDay: z.int().check(z.positive()) })),
    [],
  ),
  requests: z.array(REQUEST),
})

export interface Day extends z.output<typeof DAY> {
  readonly name: string
}

/** All days, by name. Throws on a file of another format. */
export function readDays(): readonly Day[] {
  const files = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.toml'))
  return files
    .sort()
    .map((file) =>
      dayOf(file.replace(/\.toml$/, ''), parse(readFileSync(join(import.meta.dirname, file), 'utf8'))),
    )
}

/** Throws on another format. */
export function dayOf(name: string, input: unknown): Day {
  const parsed = DAY.safeParse(input)
  if (!parsed.success) throw new Error(`${name}: ${z.prettifyError(parsed.error)}`)
  return { ...parsed.data, name }
}

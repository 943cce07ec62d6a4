/**
 * The fields that extraction may give for a message (C-03, J-09): the closed declaration that every message extractor fills and
 * every planner reads. Intents are the most common requests; any other is `other`.
 */
import { JOB_REPEATS } from '../features/reminders/repeat.ts'
import type { RecordSpec } from '../flow/field.ts'
import { SERIES_ARGS } from '../tool/series.ts'
import { LANGUAGE_CODES } from '../wording/languages.ts'

export const INTENTS = Object.freeze([
  'greeting',
  'chat',
  'help',
  'recent',
  'email_check',
  'email_read',
  'calendar_list',
  'calendar_free',
  'calendar_book',
  'calendar_cancel',
  'calendar_move',
  'calendar_accept',
  'calendar_decline',
  'calendar_maybe',
  'web_read',
  'memory_save',
  'memory_search',
  'reminder_set',
  'reminder_later',
  'task_add',
  'task_done',
  'job_list',
  'job_set',
  'job_watch',
  'job_stop',
  'job_resume',
  'job_remove',
  'job_skip',
  'job_time',
  'job_runs',
  'job_now',
  'job_chat',
  'job_page',
  'job_page_stop',
  'operation',
  'other',
] as const)

export const MOVES = Object.freeze([
  'time',
  'half',
  'day',
  'both',
  'both_half',
  'shift',
  'days',
  'length',
  // The last day of something that comes again.
  'ends',
] as const)
export type Move = (typeof MOVES)[number]

export type Intent = (typeof INTENTS)[number]

/** Intents that need no tool: planner and executor are skipped (C-26). */
export const TOOLLESS_INTENTS: readonly string[] = Object.freeze(['greeting', 'chat', 'help', 'recent'])

/** A job: the words name one, but what is told each time. The commands on jobs answer them. */
export const JOB_INTENTS: readonly string[] = Object.freeze(
  INTENTS.filter((intent) => intent.startsWith('job_')),
)

/** What `operation` may name: what only shows something of the owner's, and is answered by code. */
export const ASKED_OPERATIONS = Object.freeze([
  'reminders.tasks',
  'reminders.list',
  'status',
  'usage',
  'approvals.list',
] as const)
export type AskedOperation = (typeof ASKED_OPERATIONS)[number]

/** Subjects whose tasks have a template of their own, by which it is named in `intents`: it may hold or do what others may not. */
export const MATTERS = Object.freeze(['health', 'meeting_log'] as const)
export type Matter = (typeof MATTERS)[number]

/** What is said of how often, and is not understood whole: with two readings, or so many times a week or a day without which. */
const ASKED_REPEATS = ['two_ways', 'which_days', 'which_times', 'unclear'] as const

/** Times of a day that a message may name one by one. */
const TIMES_MAX = 8

/** Web addresses, mail addresses, and people in a row, of one message; more are not read. */
export const TYPED_MAX = 8

/** Services that one message may name as places. */
export const SERVICES_MAX = 4

/** `from` and `to` are instants with an offset; `to` is exclusive. `wholeDay` is true when the person named whole days. */
export const MESSAGE_FIELDS: RecordSpec = {
  kind: 'record',
  fields: {
    intent: { kind: 'enum', values: INTENTS },
    matter: { kind: 'enum', values: MATTERS, optional: true },
    /** What is to be shown, where the intent is `operation`. */
    operation: { kind: 'enum', values: ASKED_OPERATIONS, optional: true },
    /** Every word of the message belongs to the intent, to one of these fields, or is filler. Otherwise it says more, or asks for words to others. */
    whole: { kind: 'boolean', optional: true },
    /** A trained reader took every word for part of a known request: less sure than a sentence, so a model is asked first. */
    learned: { kind: 'boolean', optional: true },
    /** Connected services that the owner named as the place of it, by the names of a list: `in Notion`. */
    services: { kind: 'list', max: SERVICES_MAX, of: { kind: 'id', max: 40 }, optional: true },
    /** A person the owner named, as typed: `Sarah`. */
    person: { kind: 'text', max: 120, optional: true },
    /** What the message is about, as typed: the fact to save, the thing to search, the event's title. */
    topic: { kind: 'text', max: 2_000, optional: true },
    /** Into which of several of its kind it goes, as typed: `family`. */
    into: { kind: 'text', max: 120, optional: true },
    /** Address typed by the sender, verbatim. */
    url: { kind: 'url', optional: true },
    /** Mail address typed by the sender, verbatim. */
    email: { kind: 'email', optional: true },
    /** Where several were typed: each once, in their order, and the first one is the above. */
    urls: { kind: 'list', max: TYPED_MAX, of: { kind: 'url' }, optional: true },
    emails: { kind: 'list', max: TYPED_MAX, of: { kind: 'email' }, optional: true },
    /** Those that are named in a row, as typed: `with Sarah, Tom and Lena`. Whoever a request is of alone is `person`. */
    people: { kind: 'list', max: TYPED_MAX, of: { kind: 'text', max: 120 }, optional: true },
    /** Time span: start inclusive, end exclusive, in the person's time zone's offset. */
    from: { kind: 'date', optional: true },
    to: { kind: 'date', optional: true },
    /** True when `from`–`to` covers whole days, false when a time of day was named. */
    wholeDay: { kind: 'boolean', optional: true },
    minutes: { kind: 'number', optional: true },
    /**
     * How something that has a time is given another: only the time of day, only the day, or both, of `newTime`; by `minutes` or
     * `count` days, less than none for earlier; or longer by `minutes`. `half`, `both_half`: the time is in the half of the day that
     * is nearest to what it was.
     */
    moved: { kind: 'enum', values: MOVES, optional: true },
    newTime: { kind: 'date', optional: true },
    /** The same of what is said of a card that waits ("at 4 instead"): to a time, or by minutes or days. A whole day is one day from midnight. */
    changed: { kind: 'enum', values: MOVES, optional: true },
    changedTo: { kind: 'date', optional: true },
    changedBy: { kind: 'number', optional: true },
    /** Of a change: those whom it concerns are told of it ("and tell them"). */
    tells: { kind: 'boolean', optional: true },
    /** Of a change: of all that comes again, and not of one time of it. */
    series: { kind: 'boolean', optional: true },
    /** For example "only the unread ones". */
    unread: { kind: 'boolean', optional: true },
    /** For example "the last three". */
    count: { kind: 'number', optional: true },
    /** How a reminder, a job or an event repeats; yearly is of events, `minutes` is of jobs, and those that are asked are no repetition but what was not understood. */
    repeat: { kind: 'enum', values: [...JOB_REPEATS, 'yearly', ...ASKED_REPEATS], optional: true },
    /** Of what comes again: its last day. Of an event also its days of the week, and those that are left out; `count` is every so many. */
    days: SERIES_ARGS.days,
    until: { kind: 'date', optional: true },
    except: SERIES_ARGS.except,
    /** Of a job, several times of a day as minutes after midnight, rising. */
    times: { kind: 'list', max: TIMES_MAX, of: { kind: 'number' }, optional: true },
    /** A cron string, as typed: `repeat` says `cron`. */
    cron: { kind: 'text', max: 100, optional: true },
    /** `count` are days of the week that what repeats is to leave out, or to have as well. */
    which: { kind: 'enum', values: ['without', 'also'], optional: true },
    language: { kind: 'enum', values: [...LANGUAGE_CODES, 'unknown'] },
    quoted: { kind: 'boolean' },
    attachments: { kind: 'number' },
  },
}

/**
 * The fields that extraction may return for a message (C-03, J-09): the closed declaration that every message
 * extractor fills and every planner reads. Intents are the most common requests; any other request is `other`.
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
  // The last day of a series.
  'ends',
] as const)
export type Move = (typeof MOVES)[number]

export type Intent = (typeof INTENTS)[number]

/** Intents that need no tool: planner and executor are skipped (C-26). */
export const TOOLLESS_INTENTS: readonly string[] = Object.freeze(['greeting', 'chat', 'help', 'recent'])

/** Intents that mean a job, by the kind of text that it sends each time. The job commands handle them. */
export const JOB_INTENTS: readonly string[] = Object.freeze(
  INTENTS.filter((intent) => intent.startsWith('job_')),
)

/** Values of `operation`: operations that only show the owner's own data and are answered by code. */
export const ASKED_OPERATIONS = Object.freeze([
  'reminders.tasks',
  'reminders.list',
  'status',
  'usage',
  'approvals.list',
] as const)
export type AskedOperation = (typeof ASKED_OPERATIONS)[number]

/**
 * Subjects whose tasks have a template of their own, because they may hold or do what
 * others may not. The template lists the subject in `intents`.
 */
export const MATTERS = Object.freeze(['health', 'meeting_log'] as const)
export type Matter = (typeof MATTERS)[number]

/**
 * Values of `repeat` for a frequency that was not understood: it has two meanings, or
 * names a number of times per week or day without saying which.
 */
const ASKED_REPEATS = ['two_ways', 'which_days', 'which_times', 'unclear'] as const

/** Maximum times of day that a message may list. */
const TIMES_MAX = 8

/** Maximum web addresses, mail addresses, and people in a row, of one message; more are not read. */
export const TYPED_MAX = 8

/** Maximum services that a message may name as places. */
export const SERVICES_MAX = 4

/** `from` and `to` are instants with an offset; `to` is exclusive. `wholeDay` is true when the person named whole days. */
export const MESSAGE_FIELDS: RecordSpec = {
  kind: 'record',
  fields: {
    intent: { kind: 'enum', values: INTENTS },
    matter: { kind: 'enum', values: MATTERS, optional: true },
    /** The data to show, if the intent is `operation`. */
    operation: { kind: 'enum', values: ASKED_OPERATIONS, optional: true },
    /**
     * True if every word of the message belongs to the intent, to one of these fields,
     * or is filler. Otherwise the message says more, or addresses other people.
     */
    whole: { kind: 'boolean', optional: true },
    /** A trained reader matched all words to a known request. Less certain than an exact sentence, so a model is asked first. */
    learned: { kind: 'boolean', optional: true },
    /** Connected services that the owner named as the place, by list names: `in Notion`. */
    services: { kind: 'list', max: SERVICES_MAX, of: { kind: 'id', max: 40 }, optional: true },
    /** A person the owner named, as typed: `Sarah`. */
    person: { kind: 'text', max: 120, optional: true },
    /** What the message is about, as typed: the fact to save, the thing to search, the event's title. */
    topic: { kind: 'text', max: 2_000, optional: true },
    /** The container among several of its kind, as typed: `family`. */
    into: { kind: 'text', max: 120, optional: true },
    /** Address typed by the sender, verbatim. */
    url: { kind: 'url', optional: true },
    /** Mail address typed by the sender, verbatim. */
    email: { kind: 'email', optional: true },
    /** All addresses if several were typed, each once, in order; the first equals `url` or `email`. */
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
     * How something that has a time is moved. `newTime` gives a time of day, a day, or both;
     * otherwise the move is by `minutes` or `count` days, negative for earlier, or the duration grows
     * by `minutes`. `half`, `both_half`: the time is in the half of the day nearest to the old time.
     */
    moved: { kind: 'enum', values: MOVES, optional: true },
    newTime: { kind: 'date', optional: true },
    /**
     * The same for a change of a pending card ("at 4 instead"): to a time, or by minutes
     * or days. A whole day is one day from midnight.
     */
    changed: { kind: 'enum', values: MOVES, optional: true },
    changedTo: { kind: 'date', optional: true },
    changedBy: { kind: 'number', optional: true },
    /** For a change: the people concerned are notified ("and tell them"). */
    tells: { kind: 'boolean', optional: true },
    /** For a change: it applies to the whole series and not to one occurrence. */
    series: { kind: 'boolean', optional: true },
    /** True for "only the unread ones". */
    unread: { kind: 'boolean', optional: true },
    /** 3 for "the last three". */
    count: { kind: 'number', optional: true },
    /**
     * How a reminder, a job or an event repeats. `yearly` applies to events only,
     * `minutes` to jobs only; `ASKED_REPEATS` mark a repetition that was not understood.
     */
    repeat: { kind: 'enum', values: [...JOB_REPEATS, 'yearly', ...ASKED_REPEATS], optional: true },
    /** Last day of a series. For an event also its weekdays and the excluded days; `count` is the interval. */
    days: SERIES_ARGS.days,
    until: { kind: 'date', optional: true },
    except: SERIES_ARGS.except,
    /** For a job: several times of day, as minutes after midnight, ascending. */
    times: { kind: 'list', max: TIMES_MAX, of: { kind: 'number' }, optional: true },
    /** A cron expression, as typed; `repeat` is `cron`. */
    cron: { kind: 'text', max: 100, optional: true },
    /** With this field, `count` is a bit mask of weekdays (Monday 1) that a repetition is to exclude, or to include as well. */
    which: { kind: 'enum', values: ['without', 'also'], optional: true },
    language: { kind: 'enum', values: [...LANGUAGE_CODES, 'unknown'] },
    quoted: { kind: 'boolean' },
    attachments: { kind: 'number' },
  },
}

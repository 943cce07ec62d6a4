/**
 * Bounds of the calendar tool, and field kinds that several actions share. Data only. Called by manifest.ts, and by the code that
 * fills the fields.
 */
import { SERIES_ARGS } from '../../../kernel/tool/series.ts'

/** Maximum number of events in one answer. */
export const MAX_EVENTS = 50
/** Maximum number of calendars that one read covers. */
export const MAX_CALENDARS = 25
/** Maximum length of a calendar's name, and of the list of names that could not be read. UTF-16 units. */
export const CALENDAR_NAME = 200
/** Maximum number of busy and free spans in one answer. */
export const MAX_SLOTS = 200
export const MAX_ATTENDEES = 20
/** Maximum number of proposed times in one answer: as many as a person compares at a glance. */
export const MAX_TIMES = 8
/** Maximum UTF-16 units of the addresses whose calendars are unknown. */
export const MAX_GUESTS_TEXT = 2_000
/** Maximum number of events at the new time that are named on the card of a write. */
export const MAX_OVERLAPS = 5
/** UTF-16 units. */
export const EVENT_TEXT = Object.freeze({ title: 300, location: 300, note: 2_000, added: 500, people: 2_000 })
/** Maximum days of one query: a year of free/busy would be a profile of the person. */
export const MAX_DAYS = 62
export const SPAN = { from: { kind: 'date' }, to: { kind: 'date' } } as const
export const ANSWER = { kind: 'enum', values: ['accepted', 'declined', 'tentative', 'none'] } as const
/** An answer to an invitation. */
export const REPLY = { kind: 'enum', values: ['accepted', 'declined', 'tentative'] } as const
export const PERSON = {
  kind: 'record',
  fields: {
    email: { kind: 'email' },
    name: { kind: 'text', max: 200, optional: true },
    answer: ANSWER,
  },
} as const
/** One event of a list. */
export const EVENT = {
  id: { kind: 'id' },
  title: { kind: 'text', max: EVENT_TEXT.title },
  ...SPAN,
  allDay: { kind: 'boolean' },
  location: { kind: 'text', max: EVENT_TEXT.location, optional: true },
  attendees: { kind: 'number' },
  people: { kind: 'list', max: MAX_ATTENDEES, of: PERSON, optional: true },
  answer: { ...ANSWER, optional: true },
  busy: { kind: 'boolean', optional: true },
  calendarId: { kind: 'id', optional: true },
  calendar: { kind: 'text', max: CALENDAR_NAME, optional: true },
} as const
/** Location and note of an event. */
export const PLACED = {
  location: { kind: 'text', max: EVENT_TEXT.location, optional: true },
  note: { kind: 'text', max: EVENT_TEXT.added, optional: true },
} as const
/** Names and addresses of people, as one text. */
export const PEOPLE = { kind: 'text', max: EVENT_TEXT.people, optional: true } as const
/** Names of calendars that could not be read, if several accounts were queried. */
export const UNREAD = { kind: 'text', max: CALENDAR_NAME, optional: true, remark: true } as const
export const GUEST = { kind: 'email', destination: true } as const
export const INVITED = { kind: 'list', max: MAX_ATTENDEES, of: GUEST, optional: true } as const
/** Google's id of the account's own calendar. It can be used without reading the list of calendars. */
export const MAIN = 'primary'
/** A calendar's name or id; absent: the default one. */
export const IN_CALENDAR = { kind: 'text', max: CALENDAR_NAME, optional: true } as const
/** Absent: nobody is notified. */
export const TELL = { kind: 'boolean', optional: true } as const
/** Another event at the time of one that a write creates or moves. */
export const OVERLAP = {
  kind: 'record',
  fields: {
    title: { kind: 'text', max: EVENT_TEXT.title },
    ...SPAN,
    calendar: { kind: 'text', max: CALENDAR_NAME, optional: true },
    answer: { ...ANSWER, optional: true },
  },
} as const
/** An event that a write changed: its id and title, by which it can be named and restored. */
export const CHANGED = {
  id: { kind: 'id' },
  title: { kind: 'text', max: EVENT_TEXT.title, optional: true },
  ...SPAN,
  calendarId: { kind: 'id', optional: true },
} as const
/** The whole series is meant, and not a single occurrence. */
export const WHOLE = { kind: 'boolean', optional: true } as const
/** A new series, as it was requested. */
const SERIES_MADE = {
  repeat: { ...SERIES_ARGS.repeat, remark: true },
  /** Interval and unit, if it is not every day, week, month or year. */
  every: { ...SERIES_ARGS.every, remark: true },
  step: { kind: 'enum', values: ['days', 'weeks', 'months', 'years'], optional: true, remark: true },
} as const
/** A new event, with the people who were invited. */
export const MADE = {
  ...SERIES_MADE,
  invited: { kind: 'list', max: MAX_ATTENDEES, of: { kind: 'email' }, optional: true, remark: true },
  link: { kind: 'url', optional: true, remark: true },
} as const
/** For events with guests only. */
export const TOLD = { guestsTold: { kind: 'boolean', optional: true } } as const
export const MAYBE = { kind: 'date', optional: true } as const
export const INTERNAL_DATE = { kind: 'date', level: 'internal' } as const
/**
 * Facts about a series: that only this occurrence, the whole series, or its end is affected; and that overlaps were checked for
 * some of its occurrences only.
 */
export const OF_SERIES = {
  one: { kind: 'boolean', optional: true },
  all: { kind: 'boolean', optional: true },
  ends: { kind: 'boolean', optional: true },
  begin: { kind: 'boolean', optional: true },
} as const
/** Former values of what was changed; absent if they cannot be restored. */
export const BEFORE = {
  kind: 'record',
  optional: true,
  fields: {
    from: { kind: 'date', optional: true },
    to: { kind: 'date', optional: true },
    title: { kind: 'text', max: EVENT_TEXT.title, optional: true },
    location: { kind: 'text', max: EVENT_TEXT.location, optional: true },
  },
} as const

/**
 * Bounds of the calendar tool, and the kinds of its fields that several actions share. Data only. Called by manifest.ts, and by all that fills them in.
 */
import { SERIES_ARGS } from '../../../kernel/tool/series.ts'

/** Maximum events in one answer. */
export const MAX_EVENTS = 50
/** Maximum calendars that one read looks at. */
export const MAX_CALENDARS = 25
/** Maximum length of a calendar's name, and of the names of those that could not be read. UTF-16 units. */
export const CALENDAR_NAME = 200
/** Maximum busy and free spans in one answer. */
export const MAX_SLOTS = 200
export const MAX_ATTENDEES = 20
/** Proposed times in one answer: as many as a person compares at a glance. */
export const MAX_TIMES = 8
/** UTF-16 units of the addresses whose calendars are not known. */
export const MAX_GUESTS_TEXT = 2_000
/** Events that are named on the card of a write, at its new time. */
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
/** Where an event is, and what is noted of it. */
export const PLACED = {
  location: { kind: 'text', max: EVENT_TEXT.location, optional: true },
  note: { kind: 'text', max: EVENT_TEXT.added, optional: true },
} as const
/** Names and addresses of people, told one after another. */
export const PEOPLE = { kind: 'text', max: EVENT_TEXT.people, optional: true } as const
/** Calendars of several that could not be read, by name. */
export const UNREAD = { kind: 'text', max: CALENDAR_NAME, optional: true, remark: true } as const
export const GUEST = { kind: 'email', destination: true } as const
export const INVITED = { kind: 'list', max: MAX_ATTENDEES, of: GUEST, optional: true } as const
/** Google's name for the account's own calendar. It needs no list, so that a write to it asks for none. */
export const MAIN = 'primary'
/** A calendar's name or id; absent: the default one. */
export const IN_CALENDAR = { kind: 'text', max: CALENDAR_NAME, optional: true } as const
/** Absent: nobody is told. */
export const TELL = { kind: 'boolean', optional: true } as const
/** What is at the time of an event that a write makes or moves. */
export const OVERLAP = {
  kind: 'record',
  fields: {
    title: { kind: 'text', max: EVENT_TEXT.title },
    ...SPAN,
    calendar: { kind: 'text', max: CALENDAR_NAME, optional: true },
    answer: { ...ANSWER, optional: true },
  },
} as const
/** Of an event that a write changed: its id and what it was about, so that it can be named and changed back. */
export const CHANGED = {
  id: { kind: 'id' },
  title: { kind: 'text', max: EVENT_TEXT.title, optional: true },
  ...SPAN,
  calendarId: { kind: 'id', optional: true },
} as const
/** Of a series: all of its times, and not the one alone. */
export const WHOLE = { kind: 'boolean', optional: true } as const
/** Of a new series, as it was asked for. */
const SERIES_MADE = {
  repeat: { ...SERIES_ARGS.repeat, remark: true },
  /** Where it is not every day, week, month or year: of how many of which. */
  every: { ...SERIES_ARGS.every, remark: true },
  step: { kind: 'enum', values: ['days', 'weeks', 'months', 'years'], optional: true, remark: true },
} as const
/** Of a new event: who was invited, for whoever tells it. */
export const MADE = {
  ...SERIES_MADE,
  invited: { kind: 'list', max: MAX_ATTENDEES, of: { kind: 'email' }, optional: true, remark: true },
  link: { kind: 'url', optional: true, remark: true },
} as const
/** Of an event with guests alone. */
export const TOLD = { guestsTold: { kind: 'boolean', optional: true } } as const
export const MAYBE = { kind: 'date', optional: true } as const
export const INTERNAL_DATE = { kind: 'date', level: 'internal' } as const
/**
 * What is said of a series: this time of it alone, all of them, or that it ends on another day; and that overlaps were looked for at some of its times
 * alone.
 */
export const OF_SERIES = {
  one: { kind: 'boolean', optional: true },
  all: { kind: 'boolean', optional: true },
  ends: { kind: 'boolean', optional: true },
  begin: { kind: 'boolean', optional: true },
} as const
/** What an event had of what was changed; absent where that cannot be given back. */
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

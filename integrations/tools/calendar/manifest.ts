/**
 * Calendars at Google, at CalDAV servers and behind ICS addresses (I-13). Free/busy slots are internal, everything else is
 * sensitive (A-13, X-05). Must not contain code. Called by both places' registries and by run.ts.
 */
import type { ToolManifest } from '../../../kernel/tool/manifest.ts'
import { SERIES_ARGS } from '../../../kernel/tool/series.ts'
import { GOOGLE_CONNECT } from '../google-connect.ts'
import {
  BEFORE,
  CALENDAR_NAME,
  CHANGED,
  EVENT,
  EVENT_TEXT,
  IN_CALENDAR,
  INTERNAL_DATE,
  INVITED,
  MADE,
  MAIN,
  MAX_ATTENDEES,
  MAX_CALENDARS,
  MAX_EVENTS,
  MAX_GUESTS_TEXT,
  MAX_OVERLAPS,
  MAX_SLOTS,
  MAX_TIMES,
  MAYBE,
  OF_SERIES,
  OVERLAP,
  PEOPLE,
  PLACED,
  REPLY,
  SPAN,
  TELL,
  TOLD,
  UNREAD,
  WHOLE,
} from './fields.ts'

/** Milliseconds. Long enough for a computer to restart or wake; later, a person has checked the outcome. */
const OFFLINE_WAIT = 30 * 60_000
const SENSITIVE = 'its result is above what the edge may hold, so it is never asked for from there'

const AT_ONCE = {
  policy: { do: 'refuse' },
  why: 'a write that happens long after it was wanted surprises',
} as const
const OWN = { ceiling: 'sensitive', compartment: null, reaches: 'sensitive' } as const
/** Options of a change to an event: the event is named on its card. */
const OF_EVENT = { ...OWN, usual: { calendar: MAIN } } as const

export const CALENDAR_MANIFEST = Object.freeze<ToolManifest>({
  name: 'calendar',
  version: '1.0.0',
  ownerOnly: true,
  places: ['home'],
  network: ['www.googleapis.com'],
  credential: 'google',
  connect: GOOGLE_CONNECT,
  actions: [
    {
      id: 'calendar.freebusy',
      core: true,
      description: 'Free times.',
      capability: 'calendar:free',
      doing: 'looking_at_calendar',
      offline: {
        policy: { do: 'queue', ttl: OFFLINE_WAIT },
        why: 'a read about days to come, whose answer is as good a few minutes later',
      },
      shares: ['slots[].busy', 'slots[].from', 'slots[].to'],
      semantics: 'read',
      args: { kind: 'record', fields: SPAN },
      output: {
        kind: 'record',
        fields: {
          slots: {
            kind: 'list',
            max: MAX_SLOTS,
            of: {
              kind: 'record',
              fields: {
                from: INTERNAL_DATE,
                to: INTERNAL_DATE,
                busy: { kind: 'boolean', level: 'internal' },
              },
            },
          },
          partial: { kind: 'boolean', level: 'public', optional: true },
          // Hours within which the owner can be asked to meet, minutes from midnight; returned to the owner only.
          hours: {
            kind: 'record',
            optional: true,
            fields: {
              from: { kind: 'number', level: 'public' },
              to: { kind: 'number', level: 'public' },
            },
          },
        },
      },
      ...OWN,
      sink: null,
    },
    {
      id: 'calendar.find_times',
      description: 'Times to meet: the owner is free, weekdays 9 to 18 or as set. Not when others are free.',
      capability: 'calendar:read',
      doing: 'looking_at_calendar',
      offline: { policy: { do: 'refuse' }, why: SENSITIVE },
      semantics: 'read',
      args: {
        kind: 'record',
        fields: {
          from: { kind: 'date', optional: true },
          to: { kind: 'date', optional: true },
          minutes: { kind: 'number', optional: true },
          attendees: { kind: 'list', max: MAX_ATTENDEES, of: { kind: 'email' }, optional: true },
        },
      },
      output: {
        kind: 'record',
        fields: {
          times: {
            kind: 'list',
            max: MAX_TIMES,
            of: {
              kind: 'record',
              fields: {
                ...SPAN,
                guests: { kind: 'list', max: MAX_ATTENDEES, of: { kind: 'email' } },
              },
            },
          },
          more: { kind: 'boolean' },
          unknown: { kind: 'text', max: MAX_GUESTS_TEXT, optional: true },
          partial: { kind: 'boolean', optional: true },
        },
      },
      ...OWN,
      sink: null,
    },
    {
      id: 'calendar.list_events',
      core: true,
      description: '30 days, at most 62.',
      capability: 'calendar:read',
      doing: 'looking_at_calendar',
      offline: { policy: { do: 'refuse' }, why: SENSITIVE },
      semantics: 'read',
      args: {
        kind: 'record',
        fields: { ...{ from: MAYBE, to: MAYBE }, count: { kind: 'number', optional: true } },
      },
      output: {
        kind: 'record',
        fields: {
          events: {
            kind: 'list',
            max: MAX_EVENTS,
            of: {
              kind: 'record',
              fields: EVENT,
            },
          },
          more: { kind: 'boolean', remark: true },
          unread: UNREAD,
          unsure: { kind: 'boolean', optional: true },
        },
      },
      ...OWN,
      sink: null,
    },
    {
      id: 'calendar.read_event',
      description: 'One event: its note, its place, who comes.',
      capability: 'calendar:read',
      doing: 'looking_at_calendar',
      offline: { policy: { do: 'refuse' }, why: SENSITIVE },
      semantics: 'read',
      args: { kind: 'record', fields: { id: { kind: 'id' }, calendar: IN_CALENDAR } },
      output: {
        kind: 'record',
        fields: {
          ...EVENT,
          note: { kind: 'text', max: EVENT_TEXT.note },
          organizer: { kind: 'email', optional: true },
          // `alone`: nobody is invited. The other fields name who answered what.
          alone: { kind: 'boolean', optional: true },
          ...{ coming: PEOPLE, perhaps: PEOPLE, not: PEOPLE, open: PEOPLE },
        },
      },
      ...OWN,
      sink: null,
    },
    {
      id: 'calendar.list_calendars',
      description: "The owner's calendars.",
      capability: 'calendar:read',
      doing: 'looking_at_calendar',
      offline: { policy: { do: 'refuse' }, why: SENSITIVE },
      semantics: 'read',
      args: { kind: 'record', fields: {} },
      output: {
        kind: 'record',
        fields: {
          calendars: {
            kind: 'list',
            max: MAX_CALENDARS,
            of: {
              kind: 'record',
              fields: {
                id: { kind: 'id' },
                name: { kind: 'text', max: CALENDAR_NAME },
                chosen: { kind: 'boolean' },
                standard: { kind: 'boolean' },
                writable: { kind: 'boolean' },
              },
            },
          },
          more: { kind: 'boolean' },
          unread: UNREAD,
        },
      },
      ...OWN,
      sink: null,
    },
    // Called by the kernel only: without a capability no template can select it.
    {
      id: 'calendar.check_event',
      description: 'The event as it is now, and what is at its new time.',
      doing: 'looking_at_calendar',
      offline: { policy: { do: 'refuse' }, why: SENSITIVE },
      semantics: 'read',
      args: {
        kind: 'record',
        fields: {
          id: { kind: 'id', optional: true },
          from: { kind: 'date', optional: true },
          to: { kind: 'date', optional: true },
          answer: { ...REPLY, optional: true },
          calendar: IN_CALENDAR,
          attendees: { kind: 'list', max: MAX_ATTENDEES, of: { kind: 'email' }, optional: true },
          uninvite: { kind: 'list', max: MAX_ATTENDEES, of: { kind: 'email' }, optional: true },
          tell: TELL,
          series: WHOLE,
          ...SERIES_ARGS,
        },
      },
      output: {
        kind: 'record',
        fields: {
          organizer: { kind: 'email', optional: true },
          event: {
            ...{ kind: 'record', optional: true },
            fields: { title: { kind: 'text', max: EVENT_TEXT.title, optional: true }, ...SPAN },
          },
          after: { kind: 'record', optional: true, fields: SPAN },
          version: { kind: 'id', optional: true },
          guests: { kind: 'list', max: MAX_ATTENDEES, of: { kind: 'email' }, optional: true },
          others: { kind: 'boolean', optional: true },
          overlaps: { kind: 'list', max: MAX_OVERLAPS, of: OVERLAP, optional: true },
          more: { kind: 'boolean', optional: true },
          partial: { kind: 'boolean', optional: true },
          unlooked: { kind: 'boolean', optional: true },
          invited: { kind: 'list', max: MAX_ATTENDEES, of: { kind: 'email' }, optional: true },
          untold: { kind: 'boolean', optional: true },
          // The calendar's name, if there are several; nobody is notified; or the server notifies guests in any case.
          into: IN_CALENDAR,
          ...{ silent: { kind: 'boolean', optional: true }, always: { kind: 'boolean', optional: true } },
          ...OF_SERIES,
        },
      },
      ...OWN,
      sink: null,
    },
    {
      id: 'calendar.create_event',
      core: true,
      description: 'Invites attendees.',
      capability: 'calendar:write',
      doing: 'writing_to_calendar',
      offline: AT_ONCE,
      semantics: 'write',
      args: {
        kind: 'record',
        fields: {
          title: { kind: 'text', max: EVENT_TEXT.title },
          ...SPAN,
          ...PLACED,
          ...{ attendees: INVITED, calendar: IN_CALENDAR },
          ...SERIES_ARGS,
        },
      },
      output: {
        kind: 'record',
        fields: { ...CHANGED, ...TOLD, ...MADE },
      },
      ...OWN,
      sink: 'sink:calendar:owner',
      remarks: {
        by: 'calendar.check_event',
        given: {
          ...{ from: 'from', to: 'to', calendar: 'calendar', attendees: 'attendees' },
          ...{ repeat: 'repeat', every: 'every', days: 'days', until: 'until', except: 'except' },
        },
      },
      series: true,
      done: 'the event is in your calendar.',
    },
    {
      id: 'calendar.update_event',
      core: 'room',
      description:
        'Change what is given. A new start keeps the length. series, until: all of it. tell: mail guests, else silent.',
      capability: 'calendar:write',
      doing: 'writing_to_calendar',
      offline: AT_ONCE,
      semantics: 'write',
      args: {
        kind: 'record',
        fields: {
          id: { kind: 'id' },
          title: { kind: 'text', max: EVENT_TEXT.title, optional: true },
          ...{ from: MAYBE, to: MAYBE },
          ...PLACED,
          invite: INVITED,
          uninvite: { kind: 'list', max: MAX_ATTENDEES, of: { kind: 'email' }, optional: true },
          tell: TELL,
          calendar: IN_CALENDAR,
          series: WHOLE,
          until: MAYBE,
        },
      },
      output: {
        kind: 'record',
        fields: {
          ...{ ...CHANGED, ...TOLD, series: WHOLE, until: MAYBE },
          before: BEFORE,
        },
      },
      ...OF_EVENT,
      sink: 'sink:calendar:owner',
      remarks: {
        by: 'calendar.check_event',
        given: {
          ...{ id: 'id', from: 'from', to: 'to', calendar: 'calendar' },
          ...{ attendees: 'invite', uninvite: 'uninvite', tell: 'tell', series: 'series', until: 'until' },
        },
        binds: ['version'],
      },
      done: 'the event is changed.',
    },
    {
      id: 'calendar.answer_invitation',
      description: 'Answer an invitation; its organizer is told by mail.',
      capability: 'calendar:write',
      doing: 'writing_to_calendar',
      offline: AT_ONCE,
      semantics: 'write',
      asks: 'always',
      args: { kind: 'record', fields: { id: { kind: 'id' }, answer: REPLY, calendar: IN_CALENDAR } },
      output: { kind: 'record', fields: { ...CHANGED, answer: REPLY } },
      ...OF_EVENT,
      sink: 'sink:calendar:owner',
      remarks: {
        by: 'calendar.check_event',
        given: { id: 'id', answer: 'answer', calendar: 'calendar' },
        binds: ['version'],
      },
      done: 'the invitation is answered.',
    },
    {
      id: 'calendar.delete_event',
      core: 'room',
      description: 'Delete an event; series: all days. tell: mail guests, else silent.',
      capability: 'calendar:write',
      doing: 'writing_to_calendar',
      offline: AT_ONCE,
      semantics: 'write',
      args: {
        kind: 'record',
        fields: { id: { kind: 'id' }, tell: TELL, calendar: IN_CALENDAR, series: WHOLE },
      },
      output: {
        kind: 'record',
        fields: {
          ...{ id: CHANGED.id, title: CHANGED.title, ...TOLD, series: WHOLE },
          ...{ gone: { kind: 'boolean', optional: true }, from: MAYBE, to: MAYBE },
        },
      },
      ...OF_EVENT,
      sink: 'sink:calendar:owner',
      remarks: {
        by: 'calendar.check_event',
        given: { id: 'id', calendar: 'calendar', tell: 'tell', series: 'series' },
        binds: ['version'],
      },
      done: 'the event is deleted.',
    },
  ],
})

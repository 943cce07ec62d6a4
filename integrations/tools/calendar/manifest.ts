/**
 * Google Calendar (I-13): free/busy, events, create, change and delete one event. Free/busy slots are internal, everything else is sensitive
 * (A-13, X-05). Must not contain code. Called by both places' registries and by run.ts.
 */
import type { ToolManifest } from '../../../kernel/tool/manifest.ts'
import { GOOGLE_CONNECT } from '../google-connect.ts'

/** Maximum events in one answer. */
export const MAX_EVENTS = 50
/** Maximum busy and free spans in one answer. */
export const MAX_SLOTS = 200
export const MAX_ATTENDEES = 20
/** UTF-16 units. */
export const EVENT_TEXT = Object.freeze({ title: 300, location: 300 })
/** Maximum days of one query: a year of free/busy would be a profile of the person. */
export const MAX_DAYS = 62

const SPAN = { from: { kind: 'date' }, to: { kind: 'date' } } as const
const PERSON = {
  kind: 'record',
  fields: {
    email: { kind: 'email' },
    name: { kind: 'text', max: 200, optional: true },
    answer: { kind: 'enum', values: ['accepted', 'declined', 'tentative', 'none'] },
  },
} as const
const INVITED = {
  kind: 'list',
  max: MAX_ATTENDEES,
  of: { kind: 'email', destination: true },
  optional: true,
} as const
/** Of an event that a write changed: its id and what it was about, so that it can be named and changed back. */
const CHANGED = {
  id: { kind: 'id' },
  title: { kind: 'text', max: EVENT_TEXT.title, optional: true },
  ...SPAN,
} as const
const INTERNAL_DATE = { kind: 'date', level: 'internal' } as const

/** Milliseconds. Long enough for a computer to restart or wake; later a person has checked it. */
const A_WHILE = 30 * 60_000
const SENSITIVE = 'its result is above what the edge may hold, so it is never asked for from there'

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
      description: 'When the owner is busy and free between two instants, no titles.',
      capability: 'calendar:free',
      doing: 'looking_at_calendar',
      offline: {
        policy: { do: 'queue', ttl: A_WHILE },
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
        },
      },
      ceiling: 'sensitive',
      compartment: null,
      reaches: 'sensitive',
      sink: null,
    },
    {
      id: 'calendar.list_events',
      description:
        'Events of the owner between two instants, at most 62 days. Nobody named a day: the next 30 days.',
      capability: 'calendar:read',
      doing: 'looking_at_calendar',
      offline: { policy: { do: 'refuse' }, why: SENSITIVE },
      semantics: 'read',
      args: { kind: 'record', fields: { ...SPAN, count: { kind: 'number', optional: true } } },
      output: {
        kind: 'record',
        fields: {
          events: {
            kind: 'list',
            max: MAX_EVENTS,
            of: {
              kind: 'record',
              fields: {
                id: { kind: 'id' },
                title: { kind: 'text', max: EVENT_TEXT.title },
                ...SPAN,
                allDay: { kind: 'boolean' },
                location: { kind: 'text', max: EVENT_TEXT.location, optional: true },
                attendees: { kind: 'number' },
                people: { kind: 'list', max: MAX_ATTENDEES, of: PERSON, optional: true },
              },
            },
          },
          more: { kind: 'boolean' },
        },
      },
      ceiling: 'sensitive',
      compartment: null,
      reaches: 'sensitive',
      sink: null,
    },
    {
      id: 'calendar.create_event',
      description: 'Put one event into the calendar of the owner; attendees are invited by mail.',
      capability: 'calendar:write',
      doing: 'writing_to_calendar',
      offline: {
        policy: { do: 'refuse' },
        why: 'a write that happens long after it was wanted surprises',
      },
      semantics: 'write',
      args: {
        kind: 'record',
        fields: {
          title: { kind: 'text', max: EVENT_TEXT.title },
          ...SPAN,
          attendees: INVITED,
        },
      },
      output: {
        kind: 'record',
        fields: { id: { kind: 'id' }, link: { kind: 'url', optional: true }, ...SPAN },
      },
      ceiling: 'sensitive',
      compartment: null,
      reaches: 'sensitive',
      sink: 'sink:calendar:owner',
      done: 'the event is in your calendar.',
    },
    {
      id: 'calendar.update_event',
      description:
        'Change one event: only what is given. A new start alone keeps its length. invite and uninvite take addresses; they are told by mail.',
      capability: 'calendar:write',
      doing: 'writing_to_calendar',
      offline: {
        policy: { do: 'refuse' },
        why: 'a write that happens long after it was wanted surprises',
      },
      semantics: 'write',
      args: {
        kind: 'record',
        fields: {
          id: { kind: 'id' },
          title: { kind: 'text', max: EVENT_TEXT.title, optional: true },
          from: { kind: 'date', optional: true },
          to: { kind: 'date', optional: true },
          location: { kind: 'text', max: EVENT_TEXT.location, optional: true },
          invite: INVITED,
          uninvite: { kind: 'list', max: MAX_ATTENDEES, of: { kind: 'email' }, optional: true },
        },
      },
      output: {
        kind: 'record',
        fields: { ...CHANGED, before: { kind: 'record', fields: SPAN } },
      },
      ceiling: 'sensitive',
      compartment: null,
      reaches: 'sensitive',
      sink: 'sink:calendar:owner',
      done: 'the event is changed.',
    },
    {
      id: 'calendar.delete_event',
      description: 'Delete one event, of a series only that day. People who were invited are told by mail.',
      capability: 'calendar:write',
      doing: 'writing_to_calendar',
      offline: {
        policy: { do: 'refuse' },
        why: 'a write that happens long after it was wanted surprises',
      },
      semantics: 'write',
      args: { kind: 'record', fields: { id: { kind: 'id' } } },
      output: {
        kind: 'record',
        fields: {
          ...{ id: CHANGED.id, title: CHANGED.title, gone: { kind: 'boolean' } },
          ...{ from: { kind: 'date', optional: true }, to: { kind: 'date', optional: true } },
        },
      },
      ceiling: 'sensitive',
      compartment: null,
      reaches: 'sensitive',
      sink: 'sink:calendar:owner',
      done: 'the event is deleted.',
    },
  ],
})

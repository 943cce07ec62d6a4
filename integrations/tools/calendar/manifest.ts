/**
 * Google Calendar (I-13): free/busy, events, create one event. Free/busy slots are internal, everything else is sensitive
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
      description: 'When the owner is busy and when free between two instants. Times only, no titles.',
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
      description: 'Events of the owner between two instants: title, start, end, place, number of attendees.',
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
          attendees: {
            kind: 'list',
            max: MAX_ATTENDEES,
            of: { kind: 'email', destination: true },
            optional: true,
          },
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
  ],
})

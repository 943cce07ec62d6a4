/**
 * The kernel effects of reminders and tasks, declared like those of memory, so that the same checks apply. Data only. Joined in
 * powers/effects.ts.
 */
import type { ActionManifest } from '../../tool/manifest.ts'
import { DEGRADE } from '../../tool/manifest.ts'
import { LIST_NAME_MAX } from './lists.ts'
import { MOST_LISTED, REMINDER_TEXT_MAX } from './port.ts'
import { ONCE, REPEATS } from './repeat.ts'

const SHARED = {
  compartment: null,
  ceiling: 'public',
  reaches: 'regulated',
  semantics: 'write',
  doing: 'noting',
  offline: { policy: DEGRADE, why: 'the place that holds the chat keeps what is delivered in it' },
} as const

const TEXT = { kind: 'text', max: REMINDER_TEXT_MAX } as const

/** Name of a list; the owner's own without one. */
const LIST = { kind: 'text', max: LIST_NAME_MAX, optional: true } as const

const REPEAT = { kind: 'enum', values: REPEATS, optional: true } as const

/** How often it comes, and its last day. */
const AGAIN = {
  repeat: REPEAT,
  every: { kind: 'number', optional: true },
  until: { kind: 'date', optional: true },
} as const
const SET = {
  kind: 'record',
  fields: { number: { kind: 'number' }, due: { kind: 'date' }, text: TEXT, ...AGAIN },
} as const

/** Which one is meant. */
const NAMED = { number: { kind: 'number', optional: true }, which: { ...TEXT, optional: true } } as const

/** The card says which one it is, and a yes is for that one as it then was. */
const LOOK = { by: 'reminder.which', binds: ['row'] } as const
const WHICH = { ...LOOK, given: { number: 'number', which: 'which' } } as const
const REMARKS = { reminder: 'the reminder' } as const

const READ = { ...SHARED, semantics: 'read', doing: 'looking_in_memory', sink: null } as const

/** What is open, as the commands list it; and the one that a card is about, which no planner is offered. */
function reminderReads(): readonly ActionManifest[] {
  const number = { kind: 'number' } as const
  return [
    {
      ...READ,
      id: 'reminder.list',
      terms: ['remind', 'erinnerung', 'erinnern', 'which', 'welche'],
      description: 'Due until then, or rang unanswered.',
      earlier: true,
      progress: 'looking at reminders',
      args: { kind: 'record', fields: { until: { kind: 'date', optional: true } } },
      output: {
        kind: 'record',
        fields: {
          reminders: {
            kind: 'list',
            max: MOST_LISTED,
            of: {
              kind: 'record',
              fields: { number, due: { kind: 'date' }, text: TEXT, repeat: REPEAT },
            },
          },
          unanswered: {
            kind: 'list',
            max: MOST_LISTED,
            of: { kind: 'record', fields: { number, due: { kind: 'date' }, text: TEXT } },
            optional: true,
          },
          more: { kind: 'number' },
        },
      },
    },
    {
      ...READ,
      id: 'task.list',
      terms: ['liste', 'left', 'todo', 'shopping', 'buy', 'einkaufen', 'fehlt', 'übrig'],
      description: 'What is on the list.',
      earlier: true,
      progress: 'looking at tasks',
      args: { kind: 'record', fields: { list: LIST } },
      output: {
        kind: 'record',
        fields: {
          tasks: {
            kind: 'list',
            max: MOST_LISTED,
            of: { kind: 'record', fields: { number, text: TEXT, list: LIST } },
          },
          more: { kind: 'number' },
        },
      },
    },
    {
      ...READ,
      id: 'reminder.which',
      description: 'The reminder of this number or these words, or the last that rang.',
      progress: 'looking at reminders',
      args: { kind: 'record', fields: NAMED },
      output: {
        kind: 'record',
        fields: {
          reminder: { kind: 'record', fields: { number, due: { kind: 'date' }, text: TEXT } },
          row: { kind: 'id' },
        },
      },
    },
  ]
}

/** Effects on the owner's own rows. `sink`: that of home's memory. */
export function reminderActions(sink: string): readonly ActionManifest[] {
  return [
    ...reminderReads(),
    {
      ...SHARED,
      id: 'reminder.set',
      earlier: true,
      core: true,
      terms: ['repeat', 'daily', 'weekdays', 'weekly', 'monthly'],
      description: 'on_days every: bits, Monday 1.',
      progress: 'setting a reminder',
      card: { ask: 'Remind you of this, at this time.' },
      args: {
        kind: 'record',
        fields: {
          text: TEXT,
          due: { kind: 'date' },
          ...AGAIN,
        },
      },
      output: SET,
      sink,
    },
    {
      ...SHARED,
      id: 'reminder.about',
      earlier: true,
      terms: ['remind', 'reminder', 'mail', 'email', 'event', 'this', 'that'],
      description: 'Remind of a mail or event that was shown; about: its id.',
      progress: 'setting a reminder',
      card: { ask: 'Remind you of this, at this time.' },
      args: {
        kind: 'record',
        fields: {
          about: { kind: 'id' },
          due: { kind: 'date' },
          ...AGAIN,
        },
      },
      output: SET,
      sink,
    },
    {
      ...SHARED,
      id: 'reminder.later',
      earlier: true,
      terms: ['snooze', 'later', 'again', 'remind', 'reminder'],
      description: 'Put off the one that rang last.',
      progress: 'putting off a reminder',
      card: { ask: 'Put off this reminder.', remarks: REMARKS },
      remarks: { ...LOOK, given: {}, always: true },
      args: { kind: 'record', fields: { due: { kind: 'date' } } },
      output: { kind: 'record', fields: { number: { kind: 'number' }, due: { kind: 'date' } } },
      sink,
    },
    {
      ...SHARED,
      id: 'reminder.change',
      earlier: true,
      terms: ['remind', 'erinnerung', 'erinnern', 'instead', 'make', 'lieber', 'doch', 'weekends', 'daily'],
      description: 'By number or which; repeat once: no more.',
      progress: 'changing a reminder',
      card: { ask: 'Change this reminder.', remarks: REMARKS },
      remarks: WHICH,
      args: {
        kind: 'record',
        fields: {
          ...NAMED,
          due: { kind: 'date', optional: true },
          text: { ...TEXT, optional: true },
          repeat: { kind: 'enum', values: [...REPEATS, ONCE], optional: true },
          every: { kind: 'number', optional: true },
        },
      },
      output: {
        kind: 'record',
        fields: { number: { kind: 'number' }, due: { kind: 'date' }, text: TEXT, repeat: REPEAT },
      },
      sink,
    },
    {
      ...SHARED,
      id: 'reminder.cancel',
      terms: ['remind', 'erinnerung', 'forget', 'already', 'vergiss', 'streich', 'lösch'],
      description: 'By number or which.',
      progress: 'cancelling a reminder',
      card: { ask: 'Cancel this reminder.', remarks: REMARKS },
      remarks: WHICH,
      args: { kind: 'record', fields: NAMED },
      output: { kind: 'record', fields: { number: { kind: 'number' }, text: TEXT } },
      sink,
    },
    {
      ...SHARED,
      id: 'task.add',
      earlier: true,
      core: true,
      description: 'On the list, also shopping.',
      progress: 'noting a task',
      card: { ask: 'Put this on your list.' },
      args: { kind: 'record', fields: { text: TEXT, list: LIST } },
      output: { kind: 'record', fields: { number: { kind: 'number' }, text: TEXT, list: LIST } },
      sink,
    },
    {
      ...SHARED,
      id: 'task.done',
      terms: [
        'done',
        'finished',
        'bought',
        'got',
        'cross',
        'list',
        'check',
        'tick',
        'strike',
        'remove',
        'erledigt',
        'abhaken',
        'gekauft',
        'schon',
        'streich',
      ],
      description: 'Tick or take off a task, by number or text.',
      progress: 'ticking off a task',
      card: { ask: 'Tick this off your list.' },
      args: {
        kind: 'record',
        fields: { number: { kind: 'number', optional: true }, text: { ...TEXT, optional: true }, list: LIST },
      },
      output: { kind: 'record', fields: { number: { kind: 'number' }, text: { ...TEXT, optional: true } } },
      sink,
    },
  ]
}

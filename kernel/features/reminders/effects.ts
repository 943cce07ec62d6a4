/**
 * The kernel effects of reminders and tasks, declared like those of memory, so that the same checks apply. Data only. Joined in
 * powers/effects.ts.
 */
import type { ActionManifest } from '../../tool/manifest.ts'
import { DEGRADE } from '../../tool/manifest.ts'
import { MOST_LISTED, REMINDER_TEXT_MAX } from './port.ts'
import { REPEATS } from './repeat.ts'

const SHARED = {
  compartment: null,
  ceiling: 'public',
  reaches: 'regulated',
  semantics: 'write',
  doing: 'noting',
  offline: { policy: DEGRADE, why: 'the place that holds the chat keeps what is delivered in it' },
} as const

const TEXT = { kind: 'text', max: REMINDER_TEXT_MAX } as const

const READ = { ...SHARED, semantics: 'read', doing: 'looking_in_memory', sink: null } as const

/** What is open, for a job that tells of it: no planner is offered them, because the commands list them. */
function reminderReads(): readonly ActionManifest[] {
  const number = { kind: 'number' } as const
  return [
    {
      ...READ,
      id: 'reminder.list',
      description: 'Reminders that are due until then, and those that came and were not answered.',
      progress: 'looking at reminders',
      args: { kind: 'record', fields: { until: { kind: 'date', optional: true } } },
      output: {
        kind: 'record',
        fields: {
          reminders: {
            kind: 'list',
            max: MOST_LISTED,
            of: { kind: 'record', fields: { number, due: { kind: 'date' }, text: TEXT } },
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
      description: 'Open tasks.',
      progress: 'looking at tasks',
      args: { kind: 'record', fields: {} },
      output: {
        kind: 'record',
        fields: {
          tasks: { kind: 'list', max: MOST_LISTED, of: { kind: 'record', fields: { number, text: TEXT } } },
          more: { kind: 'number' },
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
      core: true,
      description: 'repeat: daily, weekdays, weekly, monthly',
      progress: 'setting a reminder',
      card: { ask: 'Remind you of this, at this time.' },
      args: {
        kind: 'record',
        fields: {
          text: TEXT,
          due: { kind: 'date' },
          repeat: { kind: 'enum', values: REPEATS, optional: true },
          every: { kind: 'number', optional: true },
        },
      },
      output: {
        kind: 'record',
        fields: { number: { kind: 'number' }, due: { kind: 'date' }, text: TEXT },
      },
      sink,
    },
    {
      ...SHARED,
      id: 'reminder.about',
      terms: ['remind', 'reminder', 'mail', 'email', 'event', 'this', 'that'],
      description: 'Remind of a mail or event that was shown; about: its id.',
      progress: 'setting a reminder',
      card: { ask: 'Remind you of this, at this time.' },
      args: {
        kind: 'record',
        fields: {
          about: { kind: 'id' },
          due: { kind: 'date' },
          repeat: { kind: 'enum', values: REPEATS, optional: true },
          every: { kind: 'number', optional: true },
        },
      },
      output: {
        kind: 'record',
        fields: { number: { kind: 'number' }, due: { kind: 'date' }, text: TEXT },
      },
      sink,
    },
    {
      ...SHARED,
      id: 'reminder.later',
      terms: ['snooze', 'later', 'again', 'remind', 'reminder'],
      description: 'Put off the last reminder.',
      progress: 'putting off a reminder',
      card: { ask: 'Put off this reminder.' },
      args: { kind: 'record', fields: { due: { kind: 'date' } } },
      output: { kind: 'record', fields: { number: { kind: 'number' }, due: { kind: 'date' } } },
      sink,
    },
    {
      ...SHARED,
      id: 'task.add',
      core: true,
      description: 'On the list.',
      progress: 'noting a task',
      card: { ask: 'Put this on your list.' },
      args: { kind: 'record', fields: { text: TEXT } },
      output: { kind: 'record', fields: { number: { kind: 'number' }, text: TEXT } },
      sink,
    },
    {
      ...SHARED,
      id: 'task.done',
      terms: ['done', 'finished', 'bought', 'cross', 'list', 'check'],
      description: 'Tick off a task: its number, or words of it.',
      progress: 'ticking off a task',
      card: { ask: 'Tick this off your list.' },
      args: {
        kind: 'record',
        fields: { number: { kind: 'number', optional: true }, text: { ...TEXT, optional: true } },
      },
      output: { kind: 'record', fields: { number: { kind: 'number' }, text: { ...TEXT, optional: true } } },
      sink,
    },
  ]
}

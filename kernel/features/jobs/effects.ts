/**
 * The kernel effects that change a job that is set, as the owner's own sentences do, and one that puts the card of a new job. Another chat and another plan are
 * none of them: they widen, and are asked for by the owner alone. Data only. Joined in powers/home-actions.ts.
 */
import type { FieldSpec } from '../../flow/field.ts'
import { type ActionManifest, DEGRADE } from '../../tool/manifest.ts'

/** UTF-16 units of the name of a job, and of its title. */
const NAME_MAX = 300
const NAME = { kind: 'text', max: NAME_MAX } as const
const WHICH = { which: NAME } as const

/** How often a plan can have a job come; any other repetition is read from the owner's own sentence. */
export const PLANNED_REPEATS = Object.freeze(['daily', 'weekdays', 'weekly', 'monthly_weekday'] as const)

const SHARED = {
  compartment: null,
  ceiling: 'public',
  reaches: 'regulated',
  offline: { policy: DEGRADE, why: 'each place runs its own jobs' },
} as const

const OUTPUT = {
  kind: 'record',
  fields: {
    number: { kind: 'number' },
    job: NAME,
    state: { kind: 'enum', values: ['on', 'paused', 'removed', 'asked'] },
    due: { kind: 'date', optional: true },
    /** It would come more often than before: the owner is asked by a card of its own. */
    card: { kind: 'boolean', optional: true },
  },
} as const

/** Words of what comes again and again. */
const AGAIN = ['every', 'each', 'daily', 'weekly', 'jeden', 'jede', 'täglich', 'werktags', 'wöchentlich']

/** Words by which a request finds all of them. */
const JOB = ['job', 'jobs', 'briefing', 'digest', 'review', 'routine', 'überblick', 'rückblick']

interface Change {
  readonly verb: string
  readonly description: string
  readonly progress: string
  readonly ask: string
  readonly terms: readonly string[]
  readonly args?: Readonly<Record<string, FieldSpec>>
}

const AT = { kind: 'date' } as const

/** An action each, so that no word of the planner's own says what is done. */
const CHANGES: readonly Change[] = [
  {
    verb: 'stop',
    description: 'Stop a job that is set, by its name.',
    progress: 'stopping a job',
    ask: 'Stop this job until you go on with it.',
    terms: ['pause', 'anhalten', 'pausieren', 'pausiere', 'stopp', 'hör', 'aufhören', 'abstellen', 'beenden'],
  },
  {
    verb: 'resume',
    description: 'Go on with a stopped job.',
    progress: 'going on with a job',
    ask: 'Go on with this job.',
    terms: ['continue', 'again', 'fortsetzen', 'wieder'],
  },
  {
    verb: 'skip',
    description: 'Leave out its next time, or that day.',
    progress: 'leaving out one time',
    ask: 'Leave out one time of this job.',
    terms: ['without', 'auslassen', 'überspringen', 'ausfallen'],
    args: { at: { ...AT, optional: true } },
  },
  {
    verb: 'run',
    description: 'Once now, beside its times.',
    progress: 'running a job',
    ask: 'Run this job once now.',
    terms: ['now', 'jetzt', 'sofort'],
  },
  {
    verb: 'move',
    description: 'Another time of day; repeat: other days.',
    progress: 'moving a job',
    ask: 'Have this job come at another time.',
    terms: ['later', 'earlier', 'instead', 'verschieben', 'später', 'früher'],
    args: { at: AT, repeat: { kind: 'enum', values: PLANNED_REPEATS, optional: true } },
  },
  {
    verb: 'remove',
    description: 'Remove a job.',
    progress: 'removing a job',
    ask: 'Remove this job.',
    terms: ['delete', 'entfernen', 'löschen'],
  },
]

/** `sink`: that of home's memory. */
export function jobActions(sink: string): readonly ActionManifest[] {
  return [
    {
      ...SHARED,
      id: 'job.which',
      semantics: 'read',
      doing: 'looking_in_memory',
      description: 'The job of this name.',
      progress: 'looking at jobs',
      args: { kind: 'record', fields: { which: { ...NAME, optional: true } } },
      output: { kind: 'record', fields: { job: NAME, row: { kind: 'id' } } },
      sink: null,
    },
    {
      ...SHARED,
      id: 'job.set',
      // It puts a card and changes nothing: the card's yes does.
      semantics: 'read',
      doing: 'noting',
      description: 'New job, after a card; tells: copied from the request.',
      progress: 'asking about a new job',
      terms: [...JOB, ...AGAIN],
      args: {
        kind: 'record',
        fields: {
          tells: NAME,
          at: { ...AT, optional: true },
          repeat: { kind: 'enum', values: PLANNED_REPEATS, optional: true },
          every: { kind: 'number', optional: true },
        },
      },
      output: OUTPUT,
      sink: null,
    },
    ...CHANGES.map(
      ({ verb, description, progress, ask, terms, args }): ActionManifest => ({
        ...{ ...SHARED, id: `job.${verb}`, semantics: 'write', doing: 'noting', description, progress },
        terms: [...JOB, ...terms],
        card: { ask, remarks: { job: 'the job' } },
        remarks: { by: 'job.which', given: { which: 'which' }, always: true, binds: ['row'] },
        args: { kind: 'record', fields: { ...WHICH, ...args } },
        output: OUTPUT,
        sink,
      }),
    ),
  ]
}

/**
 * Fireflies (I-18): meetings and one transcript. Participants, time and length are typed; titles, what was said and the output of
 * Fireflies' own model are text. Reads only. Must not contain code. Listed in ../index.ts.
 */
import type { RecordSpec } from '../../../kernel/flow/field.ts'
import type { ToolManifest } from '../../../kernel/tool/manifest.ts'
import { TRANSCRIPT_ACTIONS, TRANSCRIPT_TOPICS } from '../../extractors/transcript.ts'
import { FIREFLIES_CONNECT } from './connect.ts'

export const HOST = 'api.fireflies.ai'

/** Maximum number of meetings in one answer, which is also Fireflies' maximum; and the default number. */
export const MAX_MEETINGS = 50
export const DEFAULT_MEETINGS = 10
export const MAX_PEOPLE = 50

/** UTF-16 units. An hour of talk has about 50,000. */
export const FIREFLIES_TEXT = Object.freeze({
  named: 200,
  title: 300,
  name: 100,
  summary: 5_000,
  body: 60_000,
})

const MEETING: RecordSpec['fields'] = {
  id: { kind: 'id', max: 64 },
  title: { kind: 'text', max: FIREFLIES_TEXT.title },
  date: { kind: 'date', optional: true },
  minutes: { kind: 'number', optional: true },
  organizer: { kind: 'email', optional: true },
  participants: { kind: 'list', max: MAX_PEOPLE, of: { kind: 'email' } },
  link: { kind: 'url', optional: true },
}

const READ = {
  semantics: 'read',
  capability: 'notes:read',
  ceiling: 'sensitive',
  compartment: null,
  reaches: 'sensitive',
  sink: null,
  offline: {
    policy: { do: 'refuse' },
    why: 'its result is above what the edge may hold, so it is never asked for from there',
  },
} as const

/** Number of meetings to skip, and part of the transcript. */
const SKIPPED = { kind: 'number', optional: true } as const

const WORDS = { kind: 'text', max: FIREFLIES_TEXT.named, optional: true } as const

export const FIREFLIES_MANIFEST = Object.freeze<ToolManifest>({
  name: 'fireflies',
  version: '1.0.0',
  ownerOnly: true,
  places: ['home'],
  network: [HOST],
  credential: 'fireflies',
  connect: FIREFLIES_CONNECT,
  actions: [
    {
      ...READ,
      id: 'fireflies.list',
      description: 'Recorded meetings in Fireflies, newest first, by words of their title and days.',
      args: {
        kind: 'record',
        fields: {
          words: WORDS,
          from: { kind: 'date', optional: true },
          to: { kind: 'date', optional: true },
          count: { kind: 'number', optional: true },
          skip: SKIPPED,
        },
      },
      pages: { field: 'next', argument: 'skip' },
      output: {
        kind: 'record',
        fields: {
          meetings: { kind: 'list', max: MAX_MEETINGS, of: { kind: 'record', fields: MEETING } },
          more: { kind: 'boolean' },
          next: SKIPPED,
        },
      },
    },
    {
      ...READ,
      id: 'fireflies.get_transcript',
      description:
        'What was said in one recorded meeting; meeting: its id or words of its title, else the last.',
      args: { kind: 'record', fields: { meeting: WORDS, part: SKIPPED } },
      pages: { field: 'next', argument: 'part' },
      output: {
        kind: 'record',
        fields: {
          ...MEETING,
          speakers: { kind: 'list', max: MAX_PEOPLE, of: { kind: 'text', max: FIREFLIES_TEXT.name } },
          overview: { kind: 'text', max: FIREFLIES_TEXT.summary, optional: true },
          actions: { kind: 'text', max: FIREFLIES_TEXT.summary, optional: true },
          /** Values of closed sets, by fixed rules. */
          topics: {
            kind: 'list',
            max: TRANSCRIPT_TOPICS.length,
            of: { kind: 'enum', values: TRANSCRIPT_TOPICS },
          },
          agreed: {
            kind: 'list',
            max: TRANSCRIPT_ACTIONS.length,
            of: { kind: 'enum', values: TRANSCRIPT_ACTIONS },
          },
          body: { kind: 'text', max: FIREFLIES_TEXT.body },
          /** Not all of the transcript was read. */
          truncated: { kind: 'boolean' },
          /** Set if this is not the first part. */
          part: SKIPPED,
          next: SKIPPED,
        },
      },
    },
  ],
})

/**
 * Slack as its owner reads it, by a token of the owner's own, apart from the bot of the chat: what waits for an answer, a search, a channel, a thread.
 * Names and texts are other people's. Reads only. Must not contain code. Listed in ../index.ts.
 */
import type { RecordSpec } from '../../../kernel/flow/field.ts'
import type { ToolManifest } from '../../../kernel/tool/manifest.ts'
import { SLACK_CONNECT } from './connect.ts'

export const HOST = 'slack.com'

/** Messages in one answer, and what is shown where nobody named a number. */
export const MAX_MESSAGES = 50
export const DEFAULT_MESSAGES = 20
/** Conversations that are looked into for what waits: Slack answers about 50 requests a minute. */
export const MAX_CONVERSATIONS = 40
/** Days that are looked back, unless the request says otherwise, and at most. */
export const DEFAULT_DAYS = 7
export const MAX_DAYS = 30

/** UTF-16 units. Slack cuts a message at 40,000. */
export const SLACK_TEXT = Object.freeze({ name: 100, message: 8_000, words: 200, channel: 120, link: 400 })

/** Who reads a conversation, by what Slack says of it. */
export const KINDS = ['direct', 'group', 'private', 'public', 'unknown'] as const

const KIND = { kind: 'enum', values: KINDS } as const
const NAME = { kind: 'text', max: SLACK_TEXT.name, optional: true } as const

const SAID: RecordSpec['fields'] = {
  from: NAME,
  text: { kind: 'text', max: SLACK_TEXT.message },
  at: { kind: 'date', optional: true },
  link: { kind: 'url', optional: true },
}

/** In a list of several conversations. */
const FOUND: RecordSpec = {
  kind: 'record',
  fields: { conversation: { kind: 'id', max: 32 }, kind: KIND, where: NAME, ...SAID },
}

const READ_OUT: RecordSpec = {
  kind: 'record',
  fields: {
    conversation: { kind: 'id', max: 32 },
    kind: KIND,
    where: NAME,
    messages: {
      kind: 'list',
      max: MAX_MESSAGES,
      of: { kind: 'record', fields: { ...SAID, replies: { kind: 'number' } } },
    },
    more: { kind: 'boolean' },
    /** Where older ones are, by Slack's own mark. */
    next: { kind: 'id', max: 256, optional: true },
  },
}

const PART = { kind: 'number', optional: true } as const
const PARTS = { field: 'next', argument: 'part' } as const
const COUNT = { kind: 'number', optional: true } as const

const READ = {
  semantics: 'read',
  capability: 'chat:read',
  compartment: null,
  reaches: 'sensitive',
  sink: null,
  offline: { policy: { do: 'refuse' }, why: 'the token of the owner lies at home' },
} as const

export const SLACK_MANIFEST = Object.freeze<ToolManifest>({
  name: 'slack',
  version: '1.0.0',
  ownerOnly: true,
  places: ['home'],
  network: [HOST],
  credential: 'slack-account',
  connect: SLACK_CONNECT,
  actions: [
    {
      ...READ,
      id: 'slack.list_unanswered',
      description:
        'Direct messages and mentions in Slack that the owner has not answered, of the last days (7).',
      ceiling: 'sensitive',
      args: { kind: 'record', fields: { days: COUNT, part: PART } },
      pages: PARTS,
      output: {
        kind: 'record',
        fields: {
          waiting: {
            kind: 'list',
            max: MAX_MESSAGES,
            of: { kind: 'record', fields: { ...FOUND.fields, count: { kind: 'number' } } },
          },
          more: { kind: 'boolean' },
          next: PART,
          /** Not all conversations could be looked into. */
          partial: { kind: 'boolean' },
        },
      },
    },
    {
      ...READ,
      id: 'slack.search',
      description: 'Messages in Slack by words, newest first.',
      ceiling: 'sensitive',
      args: {
        kind: 'record',
        fields: { words: { kind: 'text', max: SLACK_TEXT.words }, count: COUNT, part: PART },
      },
      pages: PARTS,
      output: {
        kind: 'record',
        fields: {
          messages: { kind: 'list', max: MAX_MESSAGES, of: FOUND },
          more: { kind: 'boolean' },
          next: PART,
        },
      },
    },
    {
      ...READ,
      id: 'slack.read_channel',
      description:
        'The newest messages of one Slack channel, or with one person; channel: #name, name of a person, or id.',
      // Raised to sensitive for all that is not said to be a public channel.
      ceiling: 'internal',
      raises: 'sensitive',
      args: {
        kind: 'record',
        fields: {
          channel: { kind: 'text', max: SLACK_TEXT.channel },
          from: { kind: 'date', optional: true },
          count: COUNT,
          older: { kind: 'id', max: 256, optional: true },
        },
      },
      pages: { field: 'next', argument: 'older' },
      output: READ_OUT,
    },
    {
      ...READ,
      id: 'slack.read_thread',
      description: 'One thread in Slack; thread: the link of any of its messages.',
      ceiling: 'internal',
      raises: 'sensitive',
      args: { kind: 'record', fields: { thread: { kind: 'url', max: SLACK_TEXT.link }, part: PART } },
      pages: PARTS,
      output: { ...READ_OUT, fields: { ...READ_OUT.fields, next: PART } },
    },
  ],
})

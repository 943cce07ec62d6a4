/**
 * Bluesky (I-16): the home timeline, notifications, search, a post and a reply. Everyone reads a post, so each one is asked about, as it will look. Names,
 * texts and tags are strangers' text; ids, handles, numbers and dates are structured. Must not contain code. Listed in ../index.ts.
 */
import type { RecordSpec } from '../../../kernel/flow/field.ts'
import type { ToolManifest } from '../../../kernel/tool/manifest.ts'
import { BLUESKY_CONNECT } from './connect.ts'

export const HOST = 'bsky.social'

/** Posts and notifications in one answer, and what is shown where nobody named a number. */
export const MAX_ITEMS = 50
export const DEFAULT_ITEMS = 15

/** By app.bsky.feed.post. */
export const POST_LENGTH = Object.freeze({ graphemes: 300, bytes: 3_000 })
/** UTF-16 units. A name is at most 640 bytes. What is written may be longer than a post, so that its length is what it is refused for. */
export const BLUESKY_TEXT = Object.freeze({ post: 3_000, name: 640, words: 200, written: 20_000 })

/** Of app.bsky.notification.listNotifications; a reason that is not known yet is `other`. */
export const NOTICE_REASONS = Object.freeze([
  ...[
    'like',
    'repost',
    'follow',
    'mention',
    'reply',
    'quote',
    'starterpack-joined',
    'verified',
    'unverified',
  ],
  ...['like-via-repost', 'repost-via-repost', 'subscribed-post', 'other'],
])

/** `at://did:plc:…/app.bsky.feed.post/…`, or the address of its page. */
const POST = { kind: 'id', max: 256 } as const
const HANDLE = { kind: 'id', max: 253 } as const
const COUNT = { kind: 'number', optional: true } as const
const LINK = { kind: 'url', optional: true } as const

/** Everybody can read every post, so its address is public; that the owner saw it is not, and the rest of the row says that. */
const SHOWN_POST = { ...POST, level: 'public' } as const

const POST_FIELDS: RecordSpec['fields'] = {
  post: SHOWN_POST,
  author: HANDLE,
  name: { kind: 'text', max: BLUESKY_TEXT.name, optional: true },
  text: { kind: 'text', max: BLUESKY_TEXT.post },
  created: { kind: 'date', optional: true },
  likes: { kind: 'number' },
  reposts: { kind: 'number' },
  replies: { kind: 'number' },
  /** It answers another post. */
  answers: { kind: 'boolean' },
  pictures: { kind: 'number' },
  /** The page that is shown below it. */
  shares: LINK,
  link: LINK,
}

/** The server's own mark, and of notifications how many of its answer come before. */
const CURSOR = { kind: 'id', max: 256, optional: true } as const
const PAGES = { field: 'next', argument: 'from' } as const

const LISTED = (fields: RecordSpec['fields']): RecordSpec => ({
  kind: 'record',
  fields: {
    posts: { kind: 'list', max: MAX_ITEMS, of: { kind: 'record', fields } },
    more: { kind: 'boolean' },
    next: CURSOR,
  },
})

const KEY_AT_HOME = 'the key of the account lies at home'

const READ = {
  ...({ semantics: 'read', capability: 'social:read', ceiling: 'internal', compartment: null } as const),
  ...({ reaches: 'sensitive', sink: null } as const),
  offline: { policy: { do: 'refuse' }, why: KEY_AT_HOME } as const,
}

const WRITE = {
  ...({ semantics: 'write', capability: 'social:write', ceiling: 'public', compartment: null } as const),
  ...({ reaches: 'public', sink: 'sink:bluesky:owner', asks: 'always' } as const),
  post: { field: 'text', ...POST_LENGTH },
  offline: {
    policy: { do: 'refuse' },
    why: 'a post that appears long after it was wanted surprises',
  } as const,
}

const WRITTEN = { kind: 'text', max: BLUESKY_TEXT.written } as const
const PUBLISHED: RecordSpec = { kind: 'record', fields: { post: POST, link: LINK } }

export const BLUESKY_MANIFEST = Object.freeze<ToolManifest>({
  name: 'bluesky',
  version: '1.0.0',
  ownerOnly: true,
  places: ['home'],
  network: [HOST],
  credential: 'bluesky',
  connect: BLUESKY_CONNECT,
  actions: [
    {
      ...READ,
      id: 'bluesky.timeline',
      description: 'The newest posts of the accounts that the owner follows on Bluesky.',
      args: { kind: 'record', fields: { count: COUNT, from: CURSOR } },
      pages: PAGES,
      output: LISTED({ ...POST_FIELDS, reposted_by: { ...HANDLE, optional: true } }),
    },
    {
      ...READ,
      id: 'bluesky.notifications',
      description:
        'Who liked, answered, mentioned or followed the owner on Bluesky; unread only, unless all.',
      args: {
        kind: 'record',
        fields: { all: { kind: 'boolean', optional: true }, count: COUNT, from: CURSOR },
      },
      pages: PAGES,
      output: {
        kind: 'record',
        fields: {
          notifications: {
            kind: 'list',
            max: MAX_ITEMS,
            of: {
              kind: 'record',
              fields: {
                reason: { kind: 'enum', values: NOTICE_REASONS },
                author: HANDLE,
                name: { kind: 'text', max: BLUESKY_TEXT.name, optional: true },
                text: { kind: 'text', max: BLUESKY_TEXT.post, optional: true },
                /** A reply, a mention or a quotation. */
                post: { ...SHOWN_POST, optional: true },
                unread: { kind: 'boolean' },
                at: { kind: 'date', optional: true },
                link: LINK,
              },
            },
          },
          more: { kind: 'boolean' },
          next: CURSOR,
        },
      },
    },
    {
      ...READ,
      id: 'bluesky.search',
      description: 'Public posts on Bluesky by words; the newest, or the most popular by sort.',
      args: {
        kind: 'record',
        fields: {
          words: { kind: 'text', max: BLUESKY_TEXT.words },
          sort: { kind: 'enum', values: ['latest', 'top'], optional: true },
          count: COUNT,
          from: CURSOR,
        },
      },
      pages: PAGES,
      output: LISTED(POST_FIELDS),
    },
    {
      ...READ,
      id: 'bluesky.thread',
      description: 'A post on Bluesky with what it answers and the replies to it; post: its address.',
      // Whoever runs the server sees which thread is read, as with every page of it.
      args: { kind: 'record', fields: { post: POST } },
      output: LISTED({
        ...POST_FIELDS,
        /** Answers between it and the post that was asked for; below zero for what came before. */
        depth: { kind: 'number' },
      }),
    },
    {
      ...WRITE,
      id: 'bluesky.create_post',
      description: 'Publish a post on Bluesky, at most 300 characters; everyone reads it.',
      args: { kind: 'record', fields: { text: WRITTEN } },
      output: PUBLISHED,
      done: 'the post is published.',
    },
    {
      ...WRITE,
      id: 'bluesky.reply',
      description:
        'Publish a reply to a post on Bluesky; post: its address, or that of a row that was shown.',
      args: { kind: 'record', fields: { post: { ...POST, destination: true }, text: WRITTEN } },
      output: PUBLISHED,
      done: 'the reply is published.',
    },
  ],
})

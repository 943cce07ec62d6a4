/**
 * Fuzz targets of what networks of people and agents send: their answers go through the tool and the kernel's declaration, as a call does; and of the text of
 * a post. Called by all.ts.
 */
import { createBlueskyTool } from '../../../integrations/tools/bluesky/run.ts'
import { createMoltbookTool } from '../../../integrations/tools/moltbook/run.ts'
import { createTwitterTool } from '../../../integrations/tools/twitter/run.ts'
import type { Json } from '../../../kernel/flow/json.ts'
import { ok } from '../../../kernel/flow/verdict.ts'
import type { Tool } from '../../../kernel/tool/manifest.ts'
import { marksIn } from '../../../kernel/tool/post.ts'
import { LOGIN, noticeRow, postRow, profileRow } from '../../fakes/pds-server.ts'
import { CANARY, type Target } from '../target.ts'
import { callWith } from './tools.ts'

const SESSION = JSON.stringify({
  accessJwt: 'a-session',
  did: 'did:plc:ada',
  handle: 'ada.test',
  active: true,
})
const own = createBlueskyTool()
/** Signed in already, so that what is tried is the answer to the call. */
const bluesky: Tool = {
  ...own,
  execute: (call) =>
    own.execute({
      ...call,
      credential: { scheme: 'bearer', value: LOGIN },
      http: {
        request: async (request) =>
          request.url.endsWith('createSession')
            ? ok({ status: 200, headers: {}, body: SESSION, url: request.url })
            : call.http.request(request),
      },
    }),
}
const twitter = createTwitterTool()
const moltbook = createMoltbookTool()

const answering = (tool: Tool, action: string, args: { readonly [key: string]: Json }) => (input: unknown) =>
  callWith({ tool, action, args }, { body: String(input) })

const json = (value: unknown): Json => JSON.parse(JSON.stringify(value)) as Json

const POST = postRow(CANARY, CANARY, {
  author: profileRow('bob.test', { displayName: CANARY }),
  embed: { media: { images: [{ alt: CANARY }], external: { uri: `https://x.example/${CANARY}` } } },
})
const TWEET = {
  ...{ id: '19', text: CANARY, createdAt: 'Fri Nov 27 09:00:00 +0000 2026', likeCount: 3, isReply: true },
  author: { userName: 'nasa', name: CANARY },
}

export const SOCIAL_TARGETS: readonly Target[] = [
  {
    name: 'timeline of Bluesky',
    form: 'json',
    samples: [json({ feed: [{ post: POST, reason: { by: profileRow('eve.test') } }], cursor: CANARY })],
    parse: answering(bluesky, 'bluesky.timeline', {}),
  },
  {
    name: 'search of Bluesky',
    form: 'json',
    samples: [json({ posts: [POST], hitsTotal: 1 })],
    parse: answering(bluesky, 'bluesky.search', { words: 'x' }),
  },
  {
    name: 'notifications of Bluesky',
    form: 'json',
    samples: [json({ notifications: [noticeRow('reply', { record: { text: CANARY } }), noticeRow('like')] })],
    parse: answering(bluesky, 'bluesky.notifications', { all: true }),
  },
  {
    name: 'posts of Twitter',
    form: 'json',
    samples: [json({ tweets: [TWEET], has_next_page: true }), json({ data: { tweets: [TWEET] } })],
    parse: answering(twitter, 'twitter.search_tweets', { words: 'x' }),
  },
  {
    name: 'messages of Moltbook',
    form: 'json',
    samples: [
      json({
        has_activity: true,
        requests: {
          count: 1,
          items: [{ conversation_id: 'c1', from: { name: 'Bot' }, message_preview: CANARY }],
        },
        messages: { total_unread: 3 },
      }),
    ],
    parse: answering(moltbook, 'moltbook.check_dms', {}),
  },
  {
    name: 'home of Moltbook',
    form: 'json',
    samples: [
      json({
        your_account: { name: 'Ada', unread_notification_count: 7 },
        activity_on_your_posts: [
          { post_id: 'p1', post_title: CANARY, latest_commenters: ['Bot'], preview: CANARY },
        ],
      }),
    ],
    parse: answering(moltbook, 'moltbook.check_notifications', {}),
  },
  {
    name: 'marks of a post',
    form: 'text',
    samples: [`@bob.test (https://x.example/${CANARY}?a=(b)). #${CANARY} 🥖`],
    parse: (input) => ok({ text: String(input), marks: marksIn(String(input).slice(0, 20_000)) }),
    fault: (value) => {
      const { text, marks } = value as { readonly text: string; readonly marks: ReturnType<typeof marksIn> }
      const bytes = Buffer.from(text)
      const cut = ({ start, end }: (typeof marks)[number]) =>
        bytes.subarray(start, end).toString().toLowerCase()
      return marks.every((mark) => cut(mark).includes(mark.value.toLowerCase()))
        ? null
        : 'other bytes than it names'
    },
  },
]

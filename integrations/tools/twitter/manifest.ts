/**
 * Public posts of Twitter by twitterapi.io, a service of others that sells them by the call (I-17). Reads only: it is told the words of a search, which stand
 * on a card, or whose posts are wanted. Names and texts are strangers' text. Must not contain code. Listed in ../index.ts.
 */
import type { RecordSpec } from '../../../kernel/flow/field.ts'
import type { ConnectSpec, ToolManifest } from '../../../kernel/tool/manifest.ts'

export const HOST = 'api.twitterapi.io'

/** The service gives at most 20 in one answer, and takes money for each. */
export const MAX_TWEETS = 20

/** UTF-16 units. A paid account may write 25,000 characters. */
export const TWEET_TEXT = Object.freeze({ tweet: 4_000, name: 200, words: 200 })

/** Written from the documentation of the service; not checked against its pages. */
const CONNECT: ConnectSpec = Object.freeze({
  title: 'twitterapi.io',
  where:
    'Sign in at https://twitterapi.io/dashboard and give me the API key that it shows. It is no key of your Twitter account: it reads what is public, and each call costs a little.',
  shape: '(?:new1_)?[a-z0-9]{30,64}',
  steps: [
    '1. https://twitterapi.io: make an account there. It is a service of its own, not Twitter.',
    '2. https://twitterapi.io/dashboard shows the API key. A new account has some credits; further ones are bought there.',
    '3. Paste the key here. It can read public posts, and nothing of an account of yours.',
  ],
  says: 'latest tweets from @nasa',
})

const LISTED: RecordSpec = {
  kind: 'record',
  fields: {
    tweets: {
      kind: 'list',
      max: MAX_TWEETS,
      of: {
        kind: 'record',
        fields: {
          id: { kind: 'id', max: 32 },
          author: { kind: 'id', max: 15 },
          name: { kind: 'text', max: TWEET_TEXT.name, optional: true },
          text: { kind: 'text', max: TWEET_TEXT.tweet },
          created: { kind: 'date', optional: true },
          likes: { kind: 'number' },
          reposts: { kind: 'number' },
          replies: { kind: 'number' },
          answers: { kind: 'boolean' },
          link: { kind: 'url' },
        },
      },
    },
    more: { kind: 'boolean' },
    /** Where the next ones begin, by the service's own mark. */
    next: { kind: 'id', max: 256, optional: true },
  },
}

const FROM = { kind: 'id', max: 256, optional: true } as const

const READ = {
  ...({ semantics: 'read', capability: 'social:read', ceiling: 'public', compartment: null } as const),
  ...({ reaches: 'public', sink: null, output: LISTED } as const),
  offline: { policy: { do: 'refuse' }, why: 'the key of the service lies at home' } as const,
  pages: { field: 'next', argument: 'from' } as const,
}

export const TWITTER_MANIFEST = Object.freeze<ToolManifest>({
  name: 'twitter',
  version: '1.0.0',
  ownerOnly: true,
  places: ['home'],
  network: [HOST],
  credential: 'twitterapi',
  connect: CONNECT,
  actions: [
    {
      ...READ,
      id: 'twitter.search_tweets',
      description: 'Public posts on Twitter (X) by words, the newest first, or the most popular by sort.',
      args: {
        kind: 'record',
        fields: {
          words: { kind: 'text', max: TWEET_TEXT.words, disclosed: true },
          sort: { kind: 'enum', values: ['latest', 'top'], level: 'public', optional: true },
          from: FROM,
        },
      },
    },
    {
      ...READ,
      id: 'twitter.user_tweets',
      description: 'The newest public posts of one account on Twitter (X), which the owner names: @nasa.',
      args: { kind: 'record', fields: { user: { kind: 'id', max: 16, destination: true }, from: FROM } },
    },
  ],
})

/** The tool Bluesky against a strict scripted server: reads and writes, with shapes of the lexicons and odd ones (I-16). */
import { describe, expect, it } from 'vitest'
import {
  CID,
  DID,
  HANDLE,
  noticeRow,
  type PdsState,
  postRow,
  profileRow,
  refuse,
} from '../fakes/pds-server.ts'
import { bluesky } from './bluesky-calls.ts'
import { outputOf } from './calls.ts'

const KEY = '3kabc'
const BOB = String(profileRow()['did'])
const URI = `at://${BOB}/app.bsky.feed.post/${KEY}`
const PAGE = `https://bsky.app/profile/${BOB}/post/${KEY}`

describe('the timeline', () => {
  it('has who wrote, what, when, and who passed it on', async () => {
    const { call, state } = await bluesky((own) => {
      const reason = { $type: 'app.bsky.feed.defs#reasonRepost', by: profileRow('eve.test') }
      own.feed = [{ post: postRow(KEY, 'Roofs 🏠\nand more'), reason }, { post: postRow('3kdef', 'x') }]
    })
    expect(outputOf(await call('timeline', { count: 1 }))).toEqual({
      posts: [
        {
          ...{
            post: URI,
            author: 'bob.test',
            name: 'Bob',
            text: 'Roofs 🏠\nand more',
            reposted_by: 'eve.test',
          },
          ...{
            created: '2026-11-26T09:00:00Z',
            likes: 3,
            reposts: 2,
            replies: 1,
            answers: false,
            pictures: 0,
          },
          link: PAGE,
        },
      ],
      more: true,
      next: 'next-1',
    })
    expect(state.asked.map(({ nsid, query }) => [nsid, query.toString()])).toEqual([
      ['app.bsky.feed.getTimeline', 'limit=1'],
    ])
  })

  it.each([
    [undefined, '15'],
    [7, '7'],
    [500, '50'],
    [0, '15'],
    [2.9, '2'],
  ])('with the count %s asks for %s', async (count, limit) => {
    const { call, state } = await bluesky()
    await call('timeline', count === undefined ? {} : { count })
    expect(state.asked[0]?.query.get('limit')).toBe(limit)
  })

  it('is read as far as it can be: nulls, blocked posts, broken handles, times long gone', async () => {
    const broken = profileRow('handle.invalid', { did: BOB, displayName: null })
    const { call } = await bluesky((own) => {
      own.feed = [
        { post: null },
        { post: { $type: 'app.bsky.feed.defs#blockedPost', uri: URI, blocked: true } },
        { post: postRow('3k1', 'no author', { author: null }) },
        { post: postRow('3k2', 'no id', { uri: 'https://evil.example/' }) },
        {
          post: postRow('3k3', 7, {
            ...{ author: broken, likeCount: null, replyCount: -1, repostCount: 1.5 },
            record: { text: 7, createdAt: 'soon', reply: { parent: { uri: URI }, root: null } },
            indexedAt: '1970-01-01T00:00:00.000Z',
            embed: {
              $type: 'app.bsky.embed.recordWithMedia#view',
              media: { images: [{ alt: 'a' }, { alt: 'b' }], external: { uri: 'javascript:alert(1)' } },
            },
          }),
        },
        {
          post: postRow('3k4', 'שלום \u202egnp\u202c 🎉', {
            embed: { external: { uri: 'https://a.example/x' } },
          }),
        },
      ]
    })
    const { posts } = outputOf(await call('timeline', {})) as { posts: Record<string, unknown>[] }
    expect(posts).toMatchObject([
      {
        author: BOB,
        text: '',
        created: '1970-01-01T00:00:00Z',
        likes: 0,
        reposts: 0,
        answers: true,
        pictures: 2,
      },
      { text: 'שלום gnp 🎉', shares: 'https://a.example/x', pictures: 0 },
    ])
    for (const absent of ['name', 'shares', 'reposted_by']) expect(posts[0]).not.toHaveProperty(absent)
  })
})

it('notifications, the unread ones unless all are wanted, lead to the post that they are about', async () => {
  const own = `at://${DID}/app.bsky.feed.post/3mine`
  const { call } = await bluesky((state) => {
    state.notifications = [
      noticeRow('like', { reasonSubject: own, isRead: true }),
      noticeRow('reply', { uri: URI, record: { text: 'thank you', createdAt: '2026-11-26T10:00:00.000Z' } }),
      noticeRow('follow', { uri: `at://${BOB}/app.bsky.graph.follow/3f`, author: profileRow('eve.test') }),
      noticeRow('a-new-reason', { author: { did: 'nobody' } }),
      noticeRow('a-new-reason', { record: null }),
    ]
  })
  expect(outputOf(await call('notifications', {}))).toMatchObject({
    notifications: [
      { reason: 'reply', author: 'bob.test', text: 'thank you', post: URI, link: PAGE, unread: true },
      { reason: 'follow', author: 'eve.test' },
      { reason: 'other' },
    ],
    more: false,
  })
  const { notifications, more } = outputOf(await call('notifications', { all: true, count: 1 }))
  expect([notifications, more]).toMatchObject([[{ reason: 'like', post: own, unread: false }], true])
})

it.each([
  [{ words: 'roofs & tiles' }, 'q=roofs+%26+tiles&sort=latest&limit=15'],
  [{ words: 'x', sort: 'top', count: 3 }, 'q=x&sort=top&limit=3'],
])('a search for %j asks %s', async (args, asked) => {
  const { call, state } = await bluesky((own) => void own.found.push(postRow(KEY, 'a roof')))
  expect(outputOf(await call('search', args))).toMatchObject({
    posts: [{ post: URI, text: 'a roof' }],
    more: false,
  })
  expect(state.asked[0]?.query.toString()).toBe(asked)
})

describe('a post', () => {
  const TEXT = 'Ärger? Ask @bob.test or @nobody.test 🥖 at https://example.org/ä?b=(c). #Bröd'
  /** The words of each facet, cut out of the bytes of the text. */
  const marked = (post: Record<string, unknown> | undefined) =>
    ((post?.['facets'] ?? []) as { index: { byteStart: number; byteEnd: number }; features: object[] }[]).map(
      ({ index, features }) => [
        Buffer.from(String(post?.['text'])).subarray(index.byteStart, index.byteEnd).toString(),
        features,
      ],
    )

  it('is sent as it was approved, with its links by their bytes', async () => {
    const { call, state } = await bluesky((own) => void Object.assign(own.accounts, { 'bob.test': BOB }))
    expect(outputOf(await call('create_post', { text: TEXT }))).toEqual({
      ...{
        post: `at://${DID}/app.bsky.feed.post/3made1`,
        link: `https://bsky.app/profile/${DID}/post/3made1`,
      },
    })
    const [made] = state.made
    expect(made?.['text']).toBe(TEXT)
    expect(marked(made)).toEqual([
      ['@bob.test', [{ $type: 'app.bsky.richtext.facet#mention', did: BOB }]],
      [
        'https://example.org/ä?b=(c)',
        [{ $type: 'app.bsky.richtext.facet#link', uri: 'https://example.org/ä?b=(c)' }],
      ],
      ['#Bröd', [{ $type: 'app.bsky.richtext.facet#tag', tag: 'Bröd' }]],
    ])
  })

  it.each([
    ['plain words'],
    ['mail me at ada@bob.test, price#3, see example.org'],
    ['http://'],
    ['  spaces   and\n\nlines stay  '],
  ])('%j has no facets and is not changed', async (text) => {
    const { call, state } = await bluesky()
    outputOf(await call('create_post', { text }))
    expect(state.made[0]).toMatchObject({ text })
    expect(state.made[0]).not.toHaveProperty('facets')
  })

  it.each([['a'.repeat(301)], ['👨‍👩‍👧‍👦'.repeat(150)], [' \n ']])(
    '%.20j… is not sent, although the kernel refuses it before',
    async (text) => {
      const code = 'tool_arguments_invalid'
      const { call, state } = await bluesky()
      expect(await call('create_post', { text })).toMatchObject({ reason: { code } })
      expect(state.made).toEqual([])
    },
  )

  it.each(['network', '502', 'half an answer', 'an answer without its id'])(
    'is not known to be there after %s, and is not sent again',
    async (what) => {
      const { call, state } = await bluesky((own) =>
        own.next.push((_asked, response) => {
          if (what === 'network') response.destroy()
          else if (what === '502') refuse(response, 502, 'UpstreamFailure')
          else response.writeHead(200).end(what === 'half an answer' ? '{"uri":' : '{"uri":"at://x/y/z"}')
        }),
      )
      expect(await call('create_post', { text: 'x' })).toMatchObject({
        reason: { code: 'write_outcome_unknown' },
      })
      expect(state.asked).toHaveLength(1)
    },
  )

  it('is not sent where a mention could not be looked up', async () => {
    const { call, state } = await bluesky((own) =>
      own.next.push((_asked, response) => refuse(response, 503, 'NotEnoughResources')),
    )
    expect(await call('create_post', { text: 'hi @bob.test' })).toMatchObject({
      reason: { code: 'remote_unavailable' },
    })
    expect(state.made).toEqual([])
  })
})

describe('a reply', () => {
  const ROOT = { uri: `at://${DID}/app.bsky.feed.post/3root`, cid: CID }
  const parent = { uri: URI, cid: CID }

  it.each([
    ['that began its thread', {}, parent],
    ['in a thread', { reply: { root: ROOT, parent: ROOT } }, ROOT],
    ['in a thread that is broken', { reply: { root: { uri: 'x', cid: null } } }, parent],
  ])('to a post %s', async (_what, record, root) => {
    const { call, state } = await bluesky((own) => {
      own.posts[URI] = postRow(KEY, 'x', { record: { text: 'x', ...record } })
    })
    outputOf(await call('reply', { post: URI, text: 'thank you' }))
    expect(state.made).toMatchObject([{ text: 'thank you', reply: { root, parent } }])
  })

  it('to the address of a page, by handle or by id', async () => {
    const { call, state } = await bluesky((own) => {
      own.accounts['bob.test'] = BOB
      own.posts[URI] = postRow(KEY, 'x')
    })
    for (const post of [PAGE, `https://bsky.app/profile/bob.test/post/${KEY}`])
      outputOf(await call('reply', { post, text: 'hi' }))
    expect(state.made).toHaveLength(2)
  })

  it.each([
    ['no post', 'bob.test', 'tool_arguments_invalid'],
    ['another collection', `at://${BOB}/app.bsky.graph.follow/3f`, 'tool_arguments_invalid'],
    ['a way out', `at://${BOB}/app.bsky.feed.post/../x`, 'tool_arguments_invalid'],
    ['nobody', `https://bsky.app/profile/nobody.test/post/${KEY}`, 'remote_not_found'],
    ['a post that is gone', `at://${BOB}/app.bsky.feed.post/3gone`, 'remote_not_found'],
    ['a post that takes no answers', URI, 'remote_rejected'],
  ])('to %s is not sent', async (_what, post, code) => {
    const { call, state } = await bluesky((own) => {
      own.posts[URI] = postRow(KEY, 'x', { viewer: { replyDisabled: true } })
    })
    expect(await call('reply', { post, text: 'hi' })).toMatchObject({ reason: { code } })
    expect(state.made).toEqual([])
  })
})

it('each call has a session of its own, opened with the app password', async () => {
  const { call, state, tool } = await bluesky()
  await call('timeline', {})
  await call('notifications', {}, `@${HANDLE}:abcd-efgh-ijkl-mnop`)
  await call('search', { words: 'x' }, `${DID}:abcd-efgh-ijkl-mnop`)
  expect([state.sessions, state.asked.length]).toEqual([3, 3])
  expect(tool.manifest.network).toHaveLength(1)
})

describe('a thread', () => {
  const view = (key: string, text: string, more: PdsState['thread'] = {}): PdsState['thread'] => ({
    ...{ $type: 'app.bsky.feed.defs#threadViewPost', post: postRow(key, text) },
    ...more,
  })
  const gone = { $type: 'app.bsky.feed.defs#notFoundPost', uri: URI, notFound: true }

  it('is what a post answers, the post, and the answers to it, in order', async () => {
    const { call, state } = await bluesky((own) => {
      own.thread = view(KEY, 'Slates', {
        parent: view('3kroot', 'Roofs?', { parent: gone }),
        replies: [view('3ka', 'Oak', { replies: [view('3kb', 'No')] }), gone, view('3kc', 'Tin')],
      })
    })
    const { posts, more } = outputOf(await call('thread', { post: PAGE }))
    expect((posts as { text: string; depth: number }[]).map(({ text, depth }) => [text, depth])).toEqual([
      ...[
        ['Roofs?', -1],
        ['Slates', 0],
        ['Oak', 1],
        ['No', 2],
        ['Tin', 1],
      ],
    ])
    expect(more).toBe(false)
    expect(state.asked.at(-1)?.nsid).toBe('app.bsky.feed.getPostThread')
    expect(state.asked.at(-1)?.query.get('uri')).toBe(URI)
  })

  it('ends at its bounds', async () => {
    const deep = (level: number): PdsState['thread'] =>
      view(`3k${level}`, `${level}`, level < 40 ? { replies: [deep(level + 1)] } : {})
    const { call } = await bluesky((own) => {
      own.thread = deep(0)
    })
    const deepest = outputOf(await call('thread', { post: URI }))
    expect([(deepest['posts'] as readonly object[]).length, deepest['more']]).toEqual([7, true])
    const { call: wide } = await bluesky((own) => {
      own.thread = view(KEY, 'x', { replies: Array.from({ length: 90 }, (_, at) => view(`3kw${at}`, 'y')) })
    })
    const widest = outputOf(await wide('thread', { post: URI }))
    expect([(widest['posts'] as readonly object[]).length, widest['more']]).toEqual([50, true])
  })

  it('is refused for what is no post, or is gone', async () => {
    const { call, state } = await bluesky((own) => {
      own.thread = gone
    })
    expect(await call('thread', { post: URI })).toMatchObject({ reason: { code: 'remote_not_found' } })
    const before = state.asked.length
    expect(await call('thread', { post: 'https://evil.example/x' })).toMatchObject({
      reason: { code: 'tool_arguments_invalid' },
    })
    expect(state.asked.length).toBe(before)
  })
})

/**
 * "More" behind a read of an address, and behind words that were told to a service: an address that the owner typed is read on at once, the words stand on a
 * card once more, and an address that anybody else had a part in asks. What goes back is what that very action was given, and nothing else.
 */
import { describe, expect, it } from 'vitest'
import { FEED_MANIFEST } from '../../integrations/tools/feed/manifest.ts'
import { FILES_MANIFEST } from '../../integrations/tools/files/manifest.ts'
import { SEARCH_MANIFEST } from '../../integrations/tools/search/manifest.ts'
import { TWITTER_MANIFEST } from '../../integrations/tools/twitter/manifest.ts'
import { answer, onlyOne, waiting } from './approvals-owner.ts'
import { brainWorld } from './brain.ts'
import { scriptedModel, type WorldOptions } from './world.ts'

const ADDRESS = 'news.example/feed.xml'
const part = (args: Readonly<Record<string, unknown>>) => (args['from'] === undefined ? 1 : 2)

const TOOLS: NonNullable<WorldOptions['tools']> = {
  // Whose sentence "more" is.
  'files.read': () => ({ ok: false, reason: { code: 'tool_failed', facts: {} } }),
  'web.feed': (args) => ({
    ok: true,
    output: {
      title: 'News',
      items: [{ title: `Item ${part(args)}`, link: `https://news.example/${part(args)}` }],
      more: part(args) === 1 ? 1 : 0,
      ...(part(args) === 1 && { next: 40 }),
    },
  }),
  'web.search': (args) => ({
    ok: true,
    output: {
      engine: 'duckduckgo',
      results: [{ url: `https://r.example/${part(args)}`, title: `Result ${part(args)}`, text: '' }],
      ...(part(args) === 1 && { more: true, next: 'duckduckgo:0:10.11.4-1' }),
    },
  }),
  'twitter.user_tweets': (args) => ({
    ok: true,
    output: { tweets: [], more: part(args) === 1, ...(part(args) === 1 && { next: 'cursor' }) },
  }),
}
const world = (options: WorldOptions = {}) =>
  brainWorld({
    tools: TOOLS,
    manifests: [FEED_MANIFEST, SEARCH_MANIFEST, TWITTER_MANIFEST, FILES_MANIFEST],
    ...options,
  })

const asked = ({ calls }: Awaited<ReturnType<typeof world>>) =>
  calls.map(({ tool, args }) => ({ tool, ...args }))

describe('a feed', () => {
  it.each([
    [`what's new on ${ADDRESS}`, { only: 'new', count: 40 }],
    [`was gibt es Neues auf ${ADDRESS}?`, { only: 'new', count: 40 }],
    [`show all of ${ADDRESS}`, { count: 40 }],
    [`show me everything on ${ADDRESS}`, { count: 40 }],
    [`zeig mir alles von ${ADDRESS}`, { count: 40 }],
    [`the last ten of ${ADDRESS}`, { count: 10 }],
    [`show me the last 5 items of ${ADDRESS}`, { count: 5 }],
    [`die letzten zehn von ${ADDRESS}`, { count: 10 }],
    [`read the feed ${ADDRESS}`, { count: 40 }],
    [`the feed ${ADDRESS}`, {}],
  ])('"%s" is asked for by the words', async (words, args) => {
    const here = await world()
    await here.say(words)
    expect(asked(here)).toEqual([{ tool: 'web.feed', address: ADDRESS, ...args }])
  })

  it('with nothing new says since when, and how all of it is had', async () => {
    const nothing = { title: 'News', items: [], more: 0, since: '2026-11-19T10:00:00Z' }
    const here = await world({ tools: { ...TOOLS, 'web.feed': () => ({ ok: true, output: nothing }) } })
    await here.say(`what's new on ${ADDRESS}`)
    expect(here.heard()).toMatch(/^Nothing new there since .*19 Nov.*"show all of" and its address/)
  })
})

describe('more of what was read', () => {
  it.each(['more', 'weiter'])('at an address that the owner typed is read at once, by "%s"', async (more) => {
    const here = await world()
    await here.say(`what's new on ${ADDRESS}`)
    expect(here.heard()).toContain('There is 1 more. For it, say "more".')
    await here.say(more)
    expect(asked(here)).toEqual([
      { tool: 'web.feed', address: ADDRESS, only: 'new', count: 40 },
      { tool: 'web.feed', address: ADDRESS, only: 'new', count: 40, from: 40 },
    ])
    expect([here.heard(), await waiting(here)]).toEqual([expect.stringContaining('Item 2'), []])
    await here.say('more')
    expect(asked(here)).toHaveLength(2)
  })

  it('of an account that the owner named, too', async () => {
    const here = await world()
    await here.say('latest tweets from @nasa')
    await here.say('more')
    expect(asked(here)).toEqual([
      { tool: 'twitter.user_tweets', user: '@nasa' },
      { tool: 'twitter.user_tweets', user: '@nasa', from: 'cursor' },
    ])
  })

  it('of a search asks once more, with the words on the card, and sends them only then', async () => {
    const here = await world()
    await here.say('search the web for heat pumps')
    await answer(here, (await onlyOne(here)).id)
    await here.say('more')
    const again = await onlyOne(here)
    expect([again.card, asked(here).length]).toEqual([expect.stringContaining('heat pumps'), 1])
    expect(await answer(here, again.id)).toBe('ok')
    expect(asked(here)).toEqual([
      { tool: 'web.search', words: 'heat pumps' },
      { tool: 'web.search', words: 'heat pumps', from: 'duckduckgo:0:10.11.4-1' },
    ])
    expect(here.heard()).toContain('Result 2')
  })

  it('of a search is not sent after a no', async () => {
    const here = await world()
    await here.say('search the web for heat pumps')
    await answer(here, (await onlyOne(here)).id)
    await here.say('more')
    await answer(here, (await onlyOne(here)).id, { decision: 'deny' })
    expect(asked(here)).toHaveLength(1)
  })
})

describe('what was given to one action', () => {
  /** A model whose second plan refers to the call that lies beside the first result. */
  async function referring(second: (root: string) => Record<string, unknown>) {
    let plans = 0
    const model = scriptedModel('rules', ({ parts }) => {
      if (parts.purpose !== 'plan') return 'done'
      plans += 1
      const first = { tool: 'web.feed', args: { address: ADDRESS } }
      const step = plans === 1 ? first : second('w1')
      return JSON.stringify({ steps: [{ id: 's1', do: 'tool', ...step }], explanation: '' })
    })
    const here = await world({ models: [model] })
    await here.say(`read the feed ${ADDRESS}`)
    await here.say('and now')
    return here
  }

  it('is not the address of another action', async () => {
    const here = await referring((root) => ({
      tool: 'web.read',
      args: { url: { $ref: `${root}.onward.address` } },
    }))
    expect(asked(here).filter(({ tool }) => tool === 'web.read')).toEqual([])
  })

  it('and an item’s link is no address that the owner typed', async () => {
    const here = await referring((root) => ({
      tool: 'web.feed',
      args: { address: { $ref: `${root}.items[0].link` } },
    }))
    expect([asked(here).length, (await waiting(here)).length]).toEqual([1, 1])
  })
})

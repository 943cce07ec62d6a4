/**
 * One card for a search (DESIGN §10, *Search and read*): a yes to it covers reading the first five pages by rank, while nothing private led
 * to them. Whatever is not exactly that asks for a yes of its own.
 */
import { describe, expect, it } from 'vitest'
import { SEARCH_MANIFEST } from '../../integrations/tools/search/manifest.ts'
import { createRegistry } from '../../kernel/tool/registry.ts'
import {
  answer,
  auditedAs,
  OWNER,
  onlyOne,
  planning,
  READING,
  TOOLS,
  waiting,
  worldWith,
} from './approvals-owner.ts'
import { scriptedModel, type World, type WorldOptions } from './world.ts'

const ASKED = 'find out which heat pumps are quietest and tell me with sources'
const WORDS = 'which heat pumps are quietest'

const page = (at: number) => `https://pages.example/${at}`
const results = Array.from({ length: 8 }, (_, at) => ({
  url: page(at),
  title: `Page ${at}`,
  text: 'About it',
}))
const WEB = {
  'web.search': () => ({ ok: true as const, output: { engine: 'duckduckgo', results } }),
  'web.read': ({ url }: Readonly<Record<string, unknown>>) => ({
    ok: true as const,
    output: { title: 'T', text: `Read ${url}`, links: ['https://linked.example/x'], language: 'en' },
  }),
}

type Step = Record<string, unknown>
const search = (id = 's1', more: Step = {}): Step => {
  return { id, do: 'tool', tool: 'web.search', args: { words: WORDS }, ...more }
}
const read = (id: string, ref: string, more: Step = {}): Step => {
  return { id, do: 'tool', tool: 'web.read', args: { url: { $ref: ref } }, independent: true, ...more }
}

function world(steps: readonly Step[], options: WorldOptions = {}): World {
  return worldWith({ tools: { ...TOOLS, ...WEB }, models: [planning(...steps)], ...options })
}

const opened = ({ calls }: World) =>
  calls.filter(({ tool }) => tool === 'web.read').map(({ args }) => args['url'])

/** Says yes to the search alone. */
async function searched(here: World, said = ASKED): Promise<World> {
  await here.say(said)
  const search = (await waiting(here)).find(({ tool }) => tool === 'web.search')
  expect(await answer(here, search?.id ?? '')).toBe('ok')
  return here
}

describe('one yes to a search', () => {
  it('is asked for on a card with the words, the engine and how many pages it covers', async () => {
    const here = world([search(), read('s2', 's1.results[0].url')])
    await here.say(ASKED)
    const { card, kind } = await onlyOne(here)
    expect(kind).toBe('declassification')
    expect(card).toContain(`words: ${WORDS}`)
    expect(card).toContain('html.duckduckgo.com')
    expect(card).toContain('up to 5 of the pages it finds')
    expect([here.calls, opened(here)]).toEqual([[], []])
  })

  it('covers the first five pages, each recorded under it', async () => {
    const here = world([
      search(),
      ...[0, 1, 2, 3, 4].map((at) => read(`s${at + 2}`, `s1.results[${at}].url`)),
    ])
    await searched(here)
    expect([opened(here), await waiting(here)]).toEqual([[0, 1, 2, 3, 4].map(page), []])
    const [told, ...read5] = auditedAs(here, 'declassification')
    expect(read5.map(({ approval, covers, tool }) => [approval, covers, tool])).toEqual(
      [2, 3, 4, 5, 6].map((step) => [told?.['approval'], `s${step}`, 'web.read']),
    )
  })

  it('covers them when the plan repeats one read over the list', async () => {
    const each = { id: 's2', do: 'forEach', in: 's1.results', max: 5, tool: 'web.read' }
    const here = await searched(world([search(), { ...each, args: { url: { $ref: 'item.url' } } }]))
    expect([opened(here), await waiting(here)]).toEqual([[0, 1, 2, 3, 4].map(page), []])
  })

  it('covers them in a second plan that saw how many were found', async () => {
    const plans = [
      { steps: [search()], explanation: '', again: true },
      { steps: [read('s2', 's1.results[1].url')], explanation: '' },
    ]
    const model = scriptedModel('rules', ({ parts }) =>
      parts.purpose === 'plan' ? JSON.stringify(plans.shift()) : 'done',
    )
    const here = await searched(world([], { models: [model] }))
    expect([opened(here), await waiting(here)]).toEqual([[page(1)], []])
  })

  it('covers nothing after a no', async () => {
    const here = world([search(), read('s2', 's1.results[0].url')])
    await here.say(ASKED)
    await answer(here, (await onlyOne(here)).id, { decision: 'deny' })
    expect([here.calls, await waiting(here)]).toEqual([[], []])
  })
})

describe('asks for a yes of its own', () => {
  it.each<readonly [string, readonly Step[]]>([
    ['the sixth page', [search(), read('s2', 's1.results[5].url')]],
    ['a link that stands in a page', [search(), read('s2', 's1.results[0].url'), read('s3', 's2.links[0]')]],
    [
      'a page that the planner wrote',
      [search(), { ...read('s2', ''), args: { url: 'https://elsewhere.example/' } }],
    ],
  ])('%s', async (_, steps) => {
    const here = await searched(world(steps))
    const left = await waiting(here)
    expect(left.map(({ tool }) => tool)).toEqual(['web.read'])
    expect(opened(here)).not.toContain('https://linked.example/x')
    expect(opened(here).every((url) => url === page(0))).toBe(true)
  })

  it('a page that was found in another task', async () => {
    const plans = [[search()], [read('s1', 'w1.results[0].url')]]
    const model = scriptedModel('rules', ({ parts }) =>
      parts.purpose === 'plan' ? JSON.stringify({ steps: plans.shift(), explanation: '' }) : 'done',
    )
    const here = await searched(world([], { models: [model] }))
    await here.say('open the first, oddly')
    expect([(await onlyOne(here)).tool, opened(here)]).toEqual(['web.read', []])
  })

  it('every page, once the planner has seen what came in by mail', async () => {
    const plans = [
      [{ id: 's1', do: 'tool', tool: 'email.list', args: {} }],
      [search(), read('s2', 's1.results[0].url')],
    ]
    const model = scriptedModel('rules', ({ parts }) =>
      parts.purpose === 'plan' ? JSON.stringify({ steps: plans.shift(), explanation: '' }) : 'done',
    )
    const here = world([], { models: [model] })
    await here.say('see to what lies there, oddly')
    await searched(here)
    expect([(await onlyOne(here)).tool, opened(here)]).toEqual(['web.read', []])
  })

  it('a page where the search ran under a grant, which names no pages', async () => {
    const here = world([search()])
    await here.say(ASKED)
    const { id } = await onlyOne(here)
    const put = await here.shell.always(
      { principal: OWNER, place: 'home', message: 'm1' },
      { approval: id, days: 30, perDay: 5 },
    )
    if (!put.ok) throw new Error(put.reason.code)
    await answer(here, id)
    await answer(here, put.value.approval, { message: 'm2' })
    await here.say(ASKED)
    expect([here.calls.length, await waiting(here)]).toEqual([2, []])
    // A plan that reads what it finds is worth a card: its yes covers the pages, too.
    const reading = world([search(), read('s2', 's1.results[0].url')], { disk: here.disk })
    await searched(reading)
    expect([opened(reading), await waiting(reading)]).toEqual([[page(0)], []])
  })
})

it.each<readonly [string, readonly Step[]]>([
  [
    'a page that was selected by words',
    [
      search(),
      { id: 's2', do: 'select', from: 's1.results', matching: 'Page', take: 'first' },
      read('s3', 's2.url'),
    ],
  ],
  [
    'a page that a model chose',
    [
      search(),
      { id: 's2', do: 'choose', from: 's1.results', question: 'best', take: 'first' },
      read('s3', 's2.url'),
    ],
  ],
])(
  '%s is not opened: the yes was for the first ones, and the rest of a result decides nothing',
  async (_, steps) => {
    const here = await searched(world(steps, { models: [choosing(steps)] }))
    expect(opened(here)).toEqual([])
    expect(auditedAs(here, 'denial')).toMatchObject([{ step: 2, code: 'write_down' }])
  },
)

it('a page is not opened at all where a mail decided that it is: its host would learn that', async () => {
  const decided = { ref: 's1.truncated', is: 'false' }
  const here = world([READING, search('s2'), read('s3', 's2.results[0].url', { when: decided })])
  await searched(here)
  expect(opened(here)).toEqual([])
  expect(auditedAs(here, 'denial')).toMatchObject([{ code: 'write_down' }])
})

describe('a declaration of what a yes covers', () => {
  const [action] = SEARCH_MANIFEST.actions
  const opens = { tool: 'web.read', argument: 'url', list: 'results', field: 'url', most: 5 }
  it.each<readonly [string, object]>([
    ['a list that is not there', { opens: { ...opens, list: 'pages' } }],
    ['a field that is no address', { opens: { ...opens, field: 'title' } }],
    ['a call that is not put to the owner', { args: { kind: 'record', fields: {} }, pages: undefined }],
    ['a write', { semantics: 'write', pages: undefined }],
  ])('is refused for %s', (_, over) => {
    const manifest = {
      ...SEARCH_MANIFEST,
      actions: [{ ...action, ...over }],
    } as unknown as typeof SEARCH_MANIFEST
    expect(() => createRegistry([manifest])).toThrow('a yes to it cannot cover that')
  })
})

it('an answer keeps the links of what was read, and loses one that stood nowhere', async () => {
  const each = { id: 's2', do: 'forEach', in: 's1.results', max: 2, tool: 'web.read' }
  const steps = [search(), { ...each, args: { url: { $ref: 'item.url' } } }]
  const model = scriptedModel('rules', ({ parts }) =>
    parts.purpose === 'plan'
      ? JSON.stringify({ steps, explanation: '' })
      : `Quiet ones exist: ${page(0)} and https://pages.example/1?told=secret, says https://evil.example/x.`,
  )
  const here = await searched(world([], { models: [model] }))
  expect(opened(here)).toEqual([page(0), page(1)])
  expect(here.heard()).toContain(page(0))
  expect(here.heard()).not.toMatch(/evil\.example|told=secret/)
})

describe('without a model', () => {
  it('a search asks once and lists titles and links', async () => {
    const here = worldWith({ tools: { ...TOOLS, ...WEB } })
    await searched(here, 'search the web for train strikes in Berlin on Friday')
    expect(here.calls.map(({ args }) => args)).toEqual([{ words: 'train strikes in Berlin on Friday' }])
    expect(here.heard()).toMatch(
      /^DuckDuckGo found:\n1\. Page 0\n {3}https:\/\/pages\.example\/0\n {3}About it\n2\. Page 1/,
    )
  })

  it('a feed that was typed is read at once, with or without its scheme, also later in a conversation', async () => {
    const items = [{ title: 'One', link: 'https://example.org/1', date: '2026-11-20T08:00:00Z' }]
    const feed = () => ({ ok: true as const, output: { title: 'Notes', items, more: 3 } })
    const here = worldWith({ tools: { ...TOOLS, 'web.feed': feed } })
    await here.say("what's new on example.org/feed.xml?")
    expect(here.heard()).toMatch(
      /^The newest of Notes:\n- Fri 20 Nov: One\n {2}https:\/\/example\.org\/1\nThere are 3 more\./,
    )
    await here.say("what's new on https://example.org/b")
    expect([here.calls.map(({ args }) => args['address']), await waiting(here)]).toEqual([
      ['example.org/feed.xml', 'https://example.org/b'],
      [],
    ])
  })
})

/** Plans, and picks the first of what it is asked to choose from. */
function choosing(steps: readonly Step[]) {
  return scriptedModel('rules', ({ parts }) =>
    parts.purpose === 'plan'
      ? JSON.stringify({ steps, explanation: '' })
      : parts.purpose === 'choose'
        ? '[1]'
        : 'done',
  )
}

/**
 * A write to what the owner names by words (I-15): which one that is, where it lies and who reads it stands on the card and is part of the approval, so that
 * nothing else that has the name by then is written to. By the tool Notion, as the owner types, and with planners that try more.
 */
import { describe, expect, it } from 'vitest'
import { TOOL_MANIFESTS } from '../../integrations/tools/registered.ts'
import type { ToolManifest, ToolOutcome } from '../../kernel/tool/manifest.ts'
import { createRegistry } from '../../kernel/tool/registry.ts'
import { mailTools } from './mailbox.ts'
import { createWorld, type ScriptedTool, scriptedModel, type World, type WorldOptions } from './world.ts'

const ASKED = 'add buy paint to my notion page Todo of the house'
const ID = '00000000-0000-4000-8000-000000000001'
const PAGE = { id: ID, kind: 'page', name: 'Todo of the house', place: 'Home', visibility: 'workspace' }
const MADE: ToolOutcome = { ok: true, output: { id: ID, within: 'Todo of the house' } }

const found = (more: object = {}): ToolOutcome => ({ ok: true, output: { ...PAGE, ...more } })
const failed = (code: string) => ({ ok: false, reason: { code, facts: {} } }) as ToolOutcome

/** What each lookup answers, in order; the last one from then on. */
function worldOf(lookups: readonly ToolOutcome[], options: WorldOptions = {}): World {
  let at = 0
  const lookup: ScriptedTool = () => lookups[Math.min(at++, lookups.length - 1)] ?? failed('tool_failed')
  const search: ScriptedTool = () => ({
    ok: true,
    output: { pages: [{ id: ID, kind: 'page', name: 'Todo of the house' }], more: false },
  })
  const tools = {
    'notion.find_page': lookup,
    'notion.search': search,
    'notion.append': () => MADE,
    'notion.create_page': () => MADE,
  }
  return createWorld({ ...options, tools: { ...mailTools(), ...tools, ...options.tools } })
}

async function decide(world: World, decision: 'approve' | 'deny' = 'approve'): Promise<void> {
  const [waiting] = await world.ports.approvals.list('principal:owner')
  if (waiting === undefined) throw new Error('nothing waits')
  const by = { principal: 'principal:owner', place: 'home' } as const
  const decided = await world.shell.decide({ approval: waiting.id, decision, ...by })
  if (!decided.ok) throw new Error(decided.reason.code)
  await world.shell.run(decided.value.principal)
}

const waitingIn = async (world: World): Promise<number> =>
  (await world.ports.approvals.list('principal:owner')).length
const written = (world: World) =>
  world.calls.filter(({ tool }) => ['notion.append', 'notion.create_page'].includes(tool))

describe('what the owner typed', () => {
  it('is added after a card that shows the page, its place and who reads it', async () => {
    const world = worldOf([found()])
    await world.say(ASKED)
    for (const line of [
      'page: Todo of the house',
      'name: Todo of the house',
      'place: Home',
      'kind: page',
      `id: ${ID}`,
      'text: buy paint',
      'Whoever it is shared with in Notion can read it.',
    ])
      expect(world.heard()).toContain(line)
    expect(world.heard()).not.toContain('an address that you did not give me')
    expect(written(world)).toEqual([])
    await decide(world)
    expect(written(world)).toEqual([
      { tool: 'notion.append', args: { page: 'Todo of the house', text: 'buy paint', ...PAGE } },
    ])
    expect(world.heard()).toContain('Added to Todo of the house.')
  })

  it('says that everyone reads a published page, and goes there after a yes', async () => {
    const world = worldOf([found({ visibility: 'public' })])
    await world.say(ASKED)
    expect(world.heard()).toContain('EVERYONE can read it: it is published on the web.')
    await decide(world)
    expect(written(world)).toMatchObject([{ args: { visibility: 'public' } }])
  })

  it('says what it does not know, and shows no page that it did not find', async () => {
    const world = worldOf([failed('response_timeout')])
    await world.say(ASKED)
    expect(world.heard()).toContain('I could not find out who can read it, so take it as public.')
    expect(world.heard()).toContain('visibility: unknown')
    expect(world.heard()).not.toContain(ID)
  })

  it.each([
    ['remote_not_found', /no page of that name/],
    ['tool_arguments_invalid', /link where several have that title/],
  ])('is not asked about after %s', async (code, words) => {
    const world = worldOf([failed(code)])
    await world.say(ASKED)
    expect([await waitingIn(world), written(world)]).toEqual([0, []])
    expect(world.heard()).toMatch(words)
  })

  it('without a place to put it under is asked for one', async () => {
    const world = worldOf([found()])
    await world.say('make a notion page called Roof')
    expect([await waitingIn(world), written(world)]).toEqual([0, []])
    expect(world.heard()).toMatch(/I need one page or database to put it under/)
  })
})

describe('a page', () => {
  it.each<[string, readonly ToolOutcome[]]>([
    ['whose name another one has by the yes', [found(), found({ id: ID.replace(/1$/, '2') })]],
    ['whose name another one has by the write', [found(), found(), found({ id: ID.replace(/1$/, '2') })]],
    ['that was moved', [found(), found({ place: 'Shared with all' })]],
    ['that was renamed', [found(), found({ name: 'Todo of the house, public' })]],
    ['that was published', [found(), found(), found({ visibility: 'public' })]],
    ['that cannot be found any more', [found(), failed('network_failed')]],
  ])('%s is not written to', async (_what, lookups) => {
    const world = worldOf(lookups)
    const id = await world.say(ASKED)
    await decide(world)
    expect(written(world)).toEqual([])
    expect((await world.shell.report(id))?.task.trouble).toBe('approval_changed')
    expect(world.heard()).toContain('has changed since you said yes')
  })
})

function planned(steps: readonly object[], lookups: readonly ToolOutcome[]): World {
  const model = scriptedModel('a-model', ({ parts }) =>
    parts.purpose === 'plan' ? JSON.stringify({ steps }) : 'done',
  )
  return worldOf(lookups, { models: [model] })
}

const SAID = 'please do the unusual thing with my notes: buy paint'
const append = (args: object, id = 's2') => ({ id, do: 'tool', tool: 'notion.append', args })

describe('a plan', () => {
  it.each([
    ['which page it is', { id: ID }],
    ['its title', { name: 'Todo' }],
    ['who reads it', { visibility: 'workspace' }],
  ])('does not say %s', async (_what, args) => {
    const world = planned([append({ page: 'notes', text: 'buy paint', ...args }, 's1')], [found()])
    await world.say(SAID)
    expect([written(world), await waitingIn(world)]).toEqual([[], 0])
  })

  it.each([
    ['a found page', { $ref: 's1.pages[0].id' }, 'write_free_text'],
    ['a title that was found', { $ref: 's1.pages[0].name' }, 'write_raw'],
    ['words of its own', 'Somewhere else', 'write_raw'],
  ])('that writes to %s is asked about as such', async (_what, page, reason) => {
    const search = { id: 's1', do: 'tool', tool: 'notion.search', args: { words: 'notes' } }
    const world = planned([search, append({ page, text: 'buy paint' })], [found()])
    await world.say(SAID)
    expect(written(world)).toEqual([])
    const [waiting] = await world.ports.approvals.list('principal:owner')
    expect(waiting?.reason).toBe(reason)
  })

  it('puts nothing that was looked up on a page that everyone reads, and asks where they do not', async () => {
    const read = { id: 's1', do: 'tool', tool: 'email.read', args: { id: 'm2' } }
    const leak = [read, append({ page: 'notes', text: { $ref: 's1.body' } })]
    for (const [lookup, waits] of [
      [found({ visibility: 'public' }), 0],
      [failed('network_failed'), 0],
      [found(), 1],
    ] as const) {
      const world = planned(leak, [lookup])
      await world.say(SAID)
      expect([written(world), await waitingIn(world)]).toEqual([[], waits])
    }
  })
})

describe('a declaration', () => {
  const notion = TOOL_MANIFESTS.find(({ name }) => name === 'notion')
  const changed = (shows: object): readonly ToolManifest[] => [
    {
      ...(notion as ToolManifest),
      actions: (notion?.actions ?? []).map((action) =>
        action.target === undefined ? action : { ...action, target: { ...action.target, ...shows } },
      ),
    },
  ]

  it.each([
    ['a field that the lookup has not', { none: { kind: 'id' } }, /gives no none of that kind/],
    ['a field of another kind', { id: { kind: 'text' } }, /gives no id of that kind/],
    ['the one that says who reads it', { visibility: { kind: 'enum' } }, /gives no visibility/],
    [
      'an argument that a plan gives',
      { title: { kind: 'text' }, text: { kind: 'text' } },
      /a plan could give/,
    ],
  ])('that shows %s is none', (_what, shows, why) => {
    expect(() => createRegistry(changed({ shows }))).toThrow(why)
  })
})

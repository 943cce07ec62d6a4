/**
 * A stranger's chat is the edge's, and the calendar is home's (F-13, F-14, X-05): the stranger learns when the
 * owner is free or busy under a grant that home holds and the edge was told of. Home looks at its own rows whatever
 * the edge says, and the edge tells nothing that it was not told it may.
 */

import { describe, expect, it, test } from 'vitest'
import { serveHomeCall } from '../../kernel/features/models/serve.ts'
import type { HomeCall } from '../../kernel/features/places/home-port.ts'
import type { FieldGrant } from '../../kernel/flow/grant.ts'
import { kernelPorts } from '../../kernel/operations/kernel-ports.ts'
import { EFFECT_IDS } from '../../kernel/powers/effects.ts'
import { createShell } from '../../kernel/runtime/shell.ts'
import { loadTemplates } from '../../kernel/template/load.ts'
import type { ToolManifest, ToolOutcome } from '../../kernel/tool/manifest.ts'
import { createRegistry } from '../../kernel/tool/registry.ts'
import { MAX_SYNCED_GRANTS, syncedGrants } from '../../kernel/tunnel/synced.ts'
import { homeCall } from '../tunnel/fixtures.ts'
import { auditedAs, OWNER, TOOLS, waiting } from './approvals-owner.ts'
import {
  ASK,
  asks,
  asksHome,
  BOB,
  type Both,
  bothPlaces,
  grant,
  granted,
  heard,
  lastCall,
  served,
  TERMS,
  tellEdge,
  told,
} from './edge-grants.ts'
import { message } from './world.ts'

const DAY = 86_400_000
const CLOCK: ToolManifest = {
  ...{ name: 'clock', version: '1', ownerOnly: false, places: ['home'], network: [], credential: null },
  actions: [
    {
      ...{ id: 'clock.read', description: 'The hour.', semantics: 'read', compartment: null, sink: null },
      ...{ ceiling: 'public', reaches: 'public', args: { kind: 'record', fields: {} } },
      output: { kind: 'record', fields: { hour: { kind: 'number' } } },
    },
  ],
}
const ASKING = {
  ...{ template_id: 'asking', triggers: ['adapter:signal:message:third_party'], description: 'Asks.' },
  ...{ principal_class: 'third_party', planner_task_description: 'Asks.', allowed_tools: ['clock.read'] },
  ...{ max_tool_calls: 2, max_tokens_plan: 500, max_tokens_synthesize: 500, data_ceiling: 'internal' },
  output_sinks: ['reply_to_sender'],
}
const looked = ({ home }: Both): number =>
  home.calls.filter(({ tool }) => tool === 'calendar.freebusy').length
const codeOf = (answer: Awaited<ReturnType<typeof served>>): string => (answer.ok ? 'ok' : answer.reason)

describe('a stranger at the edge', () => {
  it('a friend learns in the own chat when the owner is busy, and home counts the use', async () => {
    const both = await granted()
    expect(await asksHome(both, ASK, 'e1')).toMatch(/Fri 27 Nov.*not free 09:00/)
    expect(both.edge.sent).toMatchObject([{ sink: 'sink:telegram:bob', kind: 'answer', label: 'internal' }])
    expect(lastCall(both.edge)).toMatchObject({ principal: BOB, sink: 'sink:telegram:bob' })
    const [{ id } = { id: '' }] = await both.home.ports.grants.list()
    expect(auditedAs(both.home, 'grant_used')).toEqual([
      { grant: id, tool: 'calendar.freebusy', asked: 'edge', ok: true },
    ])
    expect(auditedAs(both.home, 'tool_invoked')).toMatchObject([{ asked: 'edge', ok: true }])
    expect(await waiting(both.home)).toEqual([])
  })

  it.each<[string, Partial<typeof TERMS> | null, (both: Both) => void, string]>([
    ['no grant', null, () => undefined, 'grant_missing'],
    ['a grant that ended', {}, ({ edge }) => (edge.clock.now += 30 * DAY), 'grant_missing'],
    ['a grant of another template', { template: 'whatsapp_scheduling' }, () => undefined, 'grant_missing'],
    [
      'a grant of fewer days',
      { daysAhead: 2 },
      ({ edge }) => (edge.clock.now -= 2 * DAY),
      'grant_budget_spent',
    ],
  ])('is told no by the edge itself with %s, and home is not asked', async (_, terms, then, code) => {
    const both = terms === null ? bothPlaces() : await granted(terms)
    then(both)
    const text = await asks(both, 'is there a free slot on 27 November 2026?', 'e1')
    expect(text).toMatch(code === 'grant_missing' ? /keep it private/ : /all that I may about this/)
    expect(auditedAs(both.edge, 'denial')).toMatchObject([{ code }])
    expect(both.edge.homeCalls).toEqual([])
  })

  it('in a group is told no, whoever asks there: everybody would read it', async () => {
    const both = await granted()
    const source = { adapter: 'telegram', user: 'bob', chat: 'club', group: true }
    const event = { ...message(ASK, { id: 'e1', place: 'edge', at: both.edge.clock.now }), source }
    const received = await both.edge.shell.receive(event)
    if (!received.ok) throw new Error(received.reason.code)
    await both.edge.shell.run(received.value.principal)
    expect(codeOf(await served(both, lastCall(both.edge)))).toBe('principal_not_allowed')
    expect(looked(both)).toBe(0)
    expect(heard(both.edge, 'club')).not.toMatch(/09:00/)
  })

  it('is told no more often a day than agreed, however many people ask', async () => {
    const both = await granted()
    await asksHome(both, ASK, 'e1')
    await asksHome(both, ASK, 'e2', 'eve')
    expect(await asksHome(both, ASK, 'e3', 'mallory')).toMatch(/all that I may about this for today/)
    expect(looked(both)).toBe(2)
    for (const world of [both.home, both.edge]) world.clock.now += DAY
    await asksHome(both, ASK, 'e4', 'mallory')
    expect(looked(both)).toBe(3)
  })

  it('is told no with a grant that the edge holds and home has taken back', async () => {
    const both = await granted()
    const [{ id } = { id: '' }] = await both.home.ports.grants.list()
    await both.home.ports.grants.revoke(id, OWNER)
    expect(await asksHome(both, ASK, 'e1')).toMatch(/keep it private/)
    expect(looked(both)).toBe(0)
  })

  it('is not answered with what was read before it was taken back', async () => {
    const both: Both = await granted(
      {},
      {
        tools: {
          ...TOOLS,
          'calendar.freebusy': async (args) => {
            const [{ id } = { id: '' }] = await both.home.ports.grants.list()
            await both.home.ports.grants.revoke(id, OWNER)
            const read = TOOLS['calendar.freebusy']
            if (read === undefined) throw new Error('no tool')
            return read(args)
          },
        },
      },
    )
    expect(await asksHome(both, ASK, 'e1')).not.toMatch(/09:00/)
    expect(looked(both)).toBe(1)
    expect(auditedAs(both.home, 'tool_invoked')).toMatchObject([{ ok: false, code: 'write_down' }])
  })

  it('is not told what home released, once the edge knows that it was taken back', async () => {
    const both = await granted()
    await asks(both, ASK, 'e1')
    const answer = await served(both, lastCall(both.edge))
    expect(codeOf(answer)).toBe('ok')
    tellEdge(both, [])
    await both.edge.shell.homeAnswered(answer)
    await both.edge.shell.run(BOB)
    expect(heard(both.edge)).not.toMatch(/09:00/)
    expect(auditedAs(both.edge, 'denial')).toMatchObject([{ code: 'write_down' }])
  })

  it('is told that it cannot be looked up now and nothing of a home, and has no choice in it', async () => {
    const both = await granted()
    both.edge.link.up = false
    await asks(both, ASK, 'e1')
    both.edge.clock.now += 45_000
    await both.edge.shell.tick()
    expect(heard(both.edge)).toBe('I cannot look that up at the moment. Please try again later.')
    expect(both.edge.sent.map(({ kind }) => kind)).not.toContain('card')
  })
})

/** What an edge in an attacker's hands may say in a stranger's name, and what home says to that. */
const FORGED: readonly (readonly [string, Partial<HomeCall>, string])[] = [
  ['nothing that is not true', {}, 'ok'],
  ['no chat', { sink: '' }, 'sink_not_of_task'],
  ['the owner’s terminal for a chat', { sink: 'sink:terminal:owner' }, 'sink_not_of_task'],
  ['the owner’s open line for a chat', { sink: 'sink:openline:owner' }, 'sink_not_of_task'],
  ['the place itself for a chat', { sink: 'sink:place:edge' }, 'sink_not_of_task'],
  ['a chat of another channel', { sink: 'sink:slack:W1:D1' }, 'sink_not_of_task'],
  ['another person’s words in this chat', { sink: 'sink:telegram:eve' }, 'write_down'],
  ['a group', { principal: 'principal:telegram:group:bob' }, 'principal_not_allowed'],
  ['a job', { principal: 'principal:cron:daily' }, 'principal_not_allowed'],
  ['a webhook', { principal: 'principal:webhook:ci' }, 'principal_not_allowed'],
  ['nobody', { principal: 'bob' }, 'principal_not_allowed'],
  ['the owner under a template for strangers', { principal: OWNER }, 'principal_not_allowed'],
  ['a stranger under a template of the owner’s', { template: 'owner_open' }, 'principal_not_allowed'],
  ['a template without a grant', { template: 'whatsapp_scheduling' }, 'sink_not_of_task'],
  ['a template that there is not', { template: 'mine' }, 'template_none_matches'],
  ['events for times', { tool: 'calendar.list_events' }, 'tool_not_in_template'],
  ['mails for times', { tool: 'email.list' }, 'tool_not_in_template'],
  ['a write', { tool: 'calendar.create_event' }, 'tool_not_in_template'],
  ['a day more than agreed', { args: span('2026-11-27', '2026-12-05') }, 'grant_budget_spent'],
  ['a year', { args: span('2026-11-20', '2027-11-20') }, 'grant_budget_spent'],
  ['the past', { args: span('2026-01-01', '2026-11-27') }, 'grant_budget_spent'],
  ['no date at all', { args: { from: 'x', to: 'y' } }, 'tool_arguments_invalid'],
  [
    'an argument of its own',
    { args: { ...span('2026-11-27', '2026-11-28'), grant: 'g1' } },
    'tool_arguments_invalid',
  ],
]

function span(from: string, to: string): Readonly<Record<string, string>> {
  return { from: `${from}T08:00:00Z`, to: `${to}T18:00:00Z` }
}

describe('an edge that was taken over', () => {
  it.each(FORGED)('that names %s', async (_, forged, code) => {
    const both = await granted()
    await asks(both, ASK, 'e1')
    expect(codeOf(await served(both, { ...lastCall(both.edge), ...forged }))).toBe(code)
    const done = code === 'ok' ? 1 : 0
    expect(looked(both)).toBe(done)
    expect(auditedAs(both.home, 'grant_used')).toHaveLength(done)
  })

  it('invents a grant, which home does not look at', async () => {
    const both = bothPlaces()
    const forged = { ...TERMS, id: 'g1', expiresAt: both.edge.clock.now + DAY }
    tellEdge(both, [forged])
    expect(await asksHome(both, ASK, 'e1')).toMatch(/keep it private/)
    expect(looked(both)).toBe(0)
  })

  it('asks more often than agreed, under new names each time', async () => {
    const both = await granted()
    await asks(both, ASK, 'e1')
    const codes: string[] = []
    for (let n = 0; n < 4; n += 1)
      codes.push(codeOf(await served(both, { ...lastCall(both.edge), id: `x${n}`, task: `t${n}` })))
    expect(codes).toEqual(['ok', 'ok', 'grant_budget_spent', 'grant_budget_spent'])
    expect(looked(both)).toBe(2)
  })

  it('gets no field that was not granted, and uses nothing up by asking', async () => {
    const both = await granted({ fields: ['slots[].busy'] })
    await asks(both, ASK, 'e1')
    expect(codeOf(await served(both, lastCall(both.edge)))).toBe('write_down')
    expect([looked(both), auditedAs(both.home, 'grant_used')]).toEqual([0, []])
  })

  it('gets nothing that the tool itself says is worth more', async () => {
    const freebusy = TOOLS['calendar.freebusy']
    const both = await granted(
      {},
      {
        tools: {
          'calendar.freebusy': async (args) => {
            const read: ToolOutcome | undefined = await freebusy?.(args)
            if (read?.ok !== true) throw new Error('no tool')
            return { ...read, level: 'sensitive' }
          },
        },
      },
    )
    await asks(both, ASK, 'e1')
    expect(codeOf(await served(both, lastCall(both.edge)))).toBe('ceiling_exceeded')
  })

  it('asks nothing that needs no grant: that it may look up by itself', async () => {
    const both = bothPlaces({ tools: { 'clock.read': () => ({ ok: true, output: { hour: 7 } }) } })
    const registry = createRegistry([CLOCK])
    const loaded = loadTemplates([ASKING], registry, EFFECT_IDS)
    if (!loaded.ok) throw new Error(loaded.reason.code)
    const powers = { ...both.home.powers, registry, templates: loaded.value.templates }
    const named = { principal: 'principal:signal:peer:bob', sink: 'sink:signal:bob', template: 'asking' }
    const call = homeCall('c1', { ...named, tool: 'clock.read', args: {}, deadline: both.home.clock.now })
    expect(await serveHomeCall(powers, call)).toMatchObject({ ok: false, reason: 'grant_missing' })
    expect(both.home.calls).toEqual([])
  })

  it('names a chat that the owner has in that very channel', async () => {
    const own = {
      level: 'sensitive',
      compartments: [],
      place: 'home',
      principal: OWNER,
      audience: 'sole',
    } as const
    const chat = { ...own, id: 'sink:telegram:owner' }
    const both = await granted({}, { policy: (policy) => ({ ...policy, sinks: [...policy.sinks, chat] }) })
    await asks(both, ASK, 'e1')
    expect(codeOf(await served(both, { ...lastCall(both.edge), sink: chat.id }))).toBe('sink_not_of_task')
  })

  it('may name a paired person as little as anybody else without a grant', async () => {
    const both = await granted({}, { paired: [BOB] })
    await asks(both, ASK, 'e1')
    expect(codeOf(await served(both, lastCall(both.edge)))).toBe('principal_not_allowed')
  })
})

describe('what the edge is told', () => {
  const GRANT: FieldGrant = {
    ...{
      id: 'g1',
      kind: 'fields',
      template: 'scheduling',
      action: 'calendar.freebusy',
      sink: 'reply_to_sender',
    },
    ...{ fields: ['slots[].busy'], daysAhead: 7, createdAt: 1, expiresAt: 10, revoked: false, perDay: 3 },
  }

  it.each<[string, Partial<FieldGrant>, number]>([
    ['live', {}, 1],
    ['taken back', { revoked: true }, 0],
    ['over', { expiresAt: 5 }, 0],
    ['for one chat of home’s', { sink: 'sink:terminal:owner' }, 0],
    ['for a template of the private line', { template: 'owner_private' }, 0],
    ['for a template that there is not', { template: 'mine' }, 0],
  ])('of a grant that is %s', (_, over, count) => {
    const { templates } = bothPlaces().home.powers
    expect(syncedGrants([{ ...GRANT, ...over }], { templates, now: 5 })).toHaveLength(count)
  })

  it('is bounded, and keeps the newest', () => {
    const { templates } = bothPlaces().home.powers
    const many = Array.from({ length: MAX_SYNCED_GRANTS + 1 }, (_, n) => ({ ...GRANT, id: `g${n}` }))
    const kept = syncedGrants(many, { templates, now: 1 }).map(({ id }) => id)
    expect([kept.length, kept[0]]).toEqual([MAX_SYNCED_GRANTS, 'g1'])
  })

  it('is no budget, no card and no write', async () => {
    const both = await granted()
    expect(told(both.home).map((one) => Object.keys(one).sort())).toEqual([
      ['action', 'daysAhead', 'expiresAt', 'fields', 'id', 'template'],
    ])
  })

  test('home says so at each change', async () => {
    const both = bothPlaces()
    const seen: number[] = []
    const powers = { ...both.home.powers, grantsChanged: () => seen.push(told(both.home).length) }
    const home = { ...both.home, powers, shell: createShell(powers), ports: kernelPorts(powers) }
    const id = await grant(home)
    await home.ports.grants.revoke(id, OWNER)
    expect(seen).toEqual([1, 0])
  })

  it('may not be counted as used there', async () => {
    const both = await granted()
    const [held] = both.edge.granted
    expect(both.edge.disk.store.useGrant(held?.id ?? '', both.edge.clock.now)).toBe(false)
  })
})

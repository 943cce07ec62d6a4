/**
 * A stranger asks for a time (X-05, F-13, F-14). Under a grant the answer says when the owner is free or busy, within the
 * grant's days and number of questions, and nothing else; without a grant the request is refused.
 */
import { describe, expect, it } from 'vitest'
import { err } from '../../kernel/flow/verdict.ts'
import { createShell } from '../../kernel/runtime/shell.ts'
import { answer, auditedAs, OWNER, onlyOne, TOOLS, waiting } from './approvals-owner.ts'
import { createWorld, message, scriptedModel, type World, type WorldOptions } from './world.ts'

const FIELDS = ['slots[].busy', 'slots[].from', 'slots[].to']
const TERMS = {
  ...{ template: 'scheduling', action: 'calendar.freebusy', fields: FIELDS },
  ...{ daysAhead: 14, days: 30, perDay: 2 },
}
const ME = { principal: OWNER, place: 'home', message: 'm1' } as const

/** Home holds the scripted chat of one stranger. */
async function asks(world: World, text: string, id: string): Promise<string> {
  const source = { adapter: 'telegram', user: 'bob', chat: 'bob', group: false }
  const received = await world.shell.receive({ ...message(text, { id, at: world.clock.now }), source })
  if (!received.ok) throw new Error(received.reason.code)
  await world.shell.run(received.value.principal)
  const said = world.sent.filter(({ sink }) => sink === 'sink:telegram:bob')
  return said.at(-1)?.text ?? ''
}

async function granted(terms: Partial<typeof TERMS> = {}, options: WorldOptions = {}): Promise<World> {
  const world = createWorld({ tools: TOOLS, ...options })
  const put = await world.ports.grants.allow(ME, { ...TERMS, ...terms })
  if (!put.ok) throw new Error(put.reason.code)
  const yes = { approval: put.value.approval, decision: 'approve', principal: OWNER, place: 'home' } as const
  expect(await world.shell.decide(yes)).toMatchObject({ reason: { code: 'approval_step_up' } })
  expect(await world.shell.decide({ ...yes, message: 'm2' })).toMatchObject({ ok: true })
  return world
}

function looked(world: World): number {
  return world.calls.filter(({ tool }) => tool === 'calendar.freebusy').length
}

const ASK = 'is there a free slot on Friday?'

describe('a stranger', () => {
  it('hears nothing of which models there are or what may be spent, as the owner does', async () => {
    const silent = scriptedModel('silent', () => 'x')
    const failing = { ...silent, complete: async () => err('model_garbled', { model: 'silent' }) }
    const world = createWorld({ tools: TOOLS, models: [failing] })
    const told = await asks(world, ASK, 'e1')
    expect([told !== '', told.includes('PFAR:')]).toEqual([true, false])
    await world.say('hello')
    expect(world.heard()).toContain('PFAR: Your model "silent" did not answer in a way that I could use')
  })

  it('learns nothing without a grant', async () => {
    const world = createWorld({ tools: TOOLS })
    expect(await asks(world, ASK, 'e1')).toMatch(/keep it private/)
    expect(looked(world)).toBe(0)
    expect(await waiting(world)).toEqual([])
  })

  it('learns free and busy under one, by the card that the owner said yes to', async () => {
    const world = createWorld({ tools: TOOLS })
    await world.ports.grants.allow(ME, TERMS)
    const view = await onlyOne(world)
    expect(view.card).toContain(
      'What: slots[].busy, slots[].from, slots[].to of calendar.freebusy, and nothing else',
    )
    expect(view.card).toContain('How far ahead: 14 days.')
    await world.shell.decide({
      approval: view.id,
      decision: 'approve',
      principal: OWNER,
      place: 'home',
      message: 'm2',
    })
    expect(await asks(world, ASK, 'e1')).toMatch(/Fri 27 Nov.*the person I work for is not free 09:00/)
    expect(world.sent.at(-1)).toMatchObject({ sink: 'sink:telegram:bob', kind: 'answer', label: 'internal' })
  })

  it('is told no from the moment that it is revoked', async () => {
    const world = await granted()
    await asks(world, ASK, 'e1')
    const [grant] = await world.ports.grants.list()
    await world.ports.grants.revoke(grant?.id ?? '', OWNER)
    expect(await asks(world, ASK, 'e2')).toMatch(/keep it private/)
    expect(looked(world)).toBe(1)
  })

  it('is not answered with what was read before it was revoked', async () => {
    let world: World | null = null
    const slow = async (args: Readonly<Record<string, unknown>>) => {
      const [grant] = (await world?.ports.grants.list()) ?? []
      await world?.ports.grants.revoke(grant?.id ?? '', OWNER)
      return (
        TOOLS['calendar.freebusy']?.(args) ?? {
          ok: false as const,
          reason: { code: 'tool_failed' as const, facts: {} },
        }
      )
    }
    world = await granted({}, { tools: { ...TOOLS, 'calendar.freebusy': slow } })
    expect(await asks(world, ASK, 'e1')).not.toMatch(/09:00/)
    expect(looked(world)).toBe(1)
  })

  it('asks no more often a day than agreed', async () => {
    const world = await granted()
    await asks(world, ASK, 'e1')
    await asks(world, ASK, 'e2')
    expect(await asks(world, ASK, 'e3')).toMatch(/all that I may about this for today/)
    expect(looked(world)).toBe(2)
    world.clock.now += 86_400_000
    await asks(world, ASK, 'e4')
    expect(looked(world)).toBe(3)
  })

  it.each([
    ['within', 'is there a free slot on Friday?', 1],
    ['beyond', 'is there a free slot on 15 January 2027?', 0],
    ['before', 'is there a free slot on 1 November 2026?', 0],
  ])('asks about no day that is %s the days agreed', async (_, text, calls) => {
    const world = await granted()
    await asks(world, text, 'e1')
    expect(looked(world)).toBe(calls)
  })

  it('learns no field that was not granted', async () => {
    const world = await granted({ fields: ['slots[].busy'] })
    expect(await asks(world, ASK, 'e1')).not.toMatch(/09:00/)
  })

  it('gets nothing by the grant of another template', async () => {
    const world = await granted({ template: 'whatsapp_scheduling' })
    expect(await asks(world, ASK, 'e1')).toMatch(/keep it private/)
  })
})

describe('what no grant covers', () => {
  const STEPS = [
    {
      id: 's1',
      do: 'tool',
      tool: 'calendar.freebusy',
      args: { from: '2026-11-27T08:00:00Z', to: '2026-11-27T18:00:00Z' },
    },
    { id: 's2', do: 'compose', from: ['s1'], instruction: 'Say when he is busy.', maxChars: 200 },
    { id: 's3', do: 'tool', tool: 'message.reply', args: { text: { $ref: 's2' } } },
  ]
  const planner = scriptedModel('rules', ({ parts }) =>
    parts.purpose === 'plan' ? JSON.stringify({ steps: STEPS, explanation: '' }) : 'He is busy from nine.',
  )

  it('is told once by the owner’s yes, who alone sees the question (F-02, F-12)', async () => {
    const world = await granted({ fields: ['slots[].busy'] }, { models: [planner] })
    await asks(world, 'could we meet?', 'e1')
    const view = await onlyOne(world)
    expect(view).toMatchObject({ kind: 'declassification', reason: 'write_down' })
    expect(world.sent.at(-1)).toMatchObject({ sink: 'sink:terminal:owner', text: view.card })
    expect(view.card).toContain('  text: He is busy from nine.')
    expect(await world.ports.approvals.list('principal:telegram:peer:bob')).toEqual([])
    expect(await answer(world, view.id)).toBe('ok')
    const told = () =>
      world.sent.filter(({ sink }) => sink === 'sink:telegram:bob').map(({ text, label }) => [text, label])
    expect(told()).toEqual([['He is busy from nine.', 'public']])
    expect(auditedAs(world, 'declassification')).toMatchObject([
      { approval: view.id, sink: 'sink:telegram:bob' },
    ])
    await asks(world, 'and once more?', 'e2')
    expect((await onlyOne(world)).id).not.toBe(view.id)
    expect(told()).toHaveLength(1)
  })

  it('is not told after a no', async () => {
    const world = await granted({ fields: ['slots[].busy'] }, { models: [planner] })
    await asks(world, 'could we meet?', 'e1')
    await answer(world, (await onlyOne(world)).id, { decision: 'deny' })
    expect(world.sent.map(({ text }) => text)).not.toContain('He is busy from nine.')
  })

  it('is never put to anybody where the owner has no chat', async () => {
    const world = await granted({ fields: ['slots[].busy'] }, { models: [planner] })
    const lonely = createShell({ ...world.powers, adminSinks: [] })
    const source = { adapter: 'telegram', user: 'bob', chat: 'bob', group: false }
    await lonely.receive({ ...message('could we meet?', { id: 'e1', at: world.clock.now }), source })
    const before = world.sent.length
    await lonely.run('principal:telegram:peer:bob')
    expect(world.disk.store.pendingApprovals(null)).toEqual([])
    expect(
      world.audited.some(
        ({ kind, facts }) => kind === 'denial' && facts['code'] === 'approval_place_too_low',
      ),
    ).toBe(true)
    expect(world.sent.slice(before).map(({ kind }) => kind)).not.toContain('card')
  })
})

describe('a grant for strangers', () => {
  it.each([
    ['a template for the owner', { template: 'owner_private' }, 'template_none_matches'],
    ['a tool that the template lacks', { action: 'calendar.list_events' }, 'tool_not_in_template'],
    ['a field that is none', { fields: ['slots[].title'] }, 'field_unknown'],
    ['no field', { fields: [] }, 'field_unknown'],
    ['a year ahead', { daysAhead: 365 }, 'field_malformed'],
  ] as const)('cannot be had for %s', async (_, terms, code) => {
    const world = createWorld({ tools: TOOLS })
    const put = await world.ports.grants.allow(ME, { ...TERMS, ...terms })
    expect(put).toMatchObject({ ok: false, reason: { code } })
    expect(await waiting(world)).toEqual([])
  })
})

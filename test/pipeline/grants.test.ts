/**
 * Standing grants (F-12 – F-14, F-17, F-19, X-05): narrow, asked for in two messages, counted and looked up at each use,
 * listed, taken back at once, and never for text that is not the owner's.
 */
import { describe, expect, it } from 'vitest'
import type { Proposer } from '../../kernel/features/approvals/port.ts'
import type { FinalPrompt } from '../../kernel/prompt/finalize.ts'
import {
  answer,
  auditedAs,
  BOOK,
  booking,
  created,
  OWNER,
  onlyOne,
  planning,
  READING,
  waiting,
  worldWith,
} from './approvals-owner.ts'
import { createDisk, scriptedModel, type World } from './world.ts'

const DAY = 86_400_000
const ME: Proposer = { principal: OWNER, place: 'home', message: 'm1' }
const TERMS = { days: 30, perDay: 2 }

interface How {
  readonly words?: string
  readonly decision?: 'approve' | 'deny'
}

/** The first booking is approved, and a grant for more like it is proposed. */
async function proposed(
  world: World,
  terms: Partial<typeof TERMS> = {},
  { words = BOOK, decision = 'approve' }: How = {},
): Promise<string> {
  await world.say(words)
  const { id } = await onlyOne(world)
  const put = await world.shell.always(ME, { approval: id, ...TERMS, ...terms })
  if (!put.ok) throw new Error(put.reason.code)
  await answer(world, id, { decision })
  return put.value.approval
}

async function granted(world: World, terms: Partial<typeof TERMS> = {}, how: How = {}): Promise<string> {
  expect(await answer(world, await proposed(world, terms, how), { message: 'm2' })).toBe('ok')
  return (await world.ports.grants.list())[0]?.id ?? ''
}

describe('a grant for more of the same', () => {
  it('is put on a card of its own, and stands only after a yes in another message (F-17)', async () => {
    const world = worldWith()
    const id = await proposed(world)
    expect(created(world)).toHaveLength(1)
    const view = await onlyOne(world)
    expect(view).toMatchObject({ id, kind: 'admin_change' })
    expect(view.card).toContain('May I always do this without asking?')
    expect(view.card).toContain('from, title, to')
    expect(view.card).toContain('Until 2026-12-20, at most 2 times a day.')
    expect(world.sent.at(-2)?.text).toBe(view.card)
    expect(await answer(world, id)).toBe('approval_step_up')
    expect(await answer(world, id, { message: 'm1' })).toBe('approval_step_up')
    expect(await answer(world, id, { message: '' })).toBe('approval_step_up')
    expect(await world.ports.grants.list()).toEqual([])
    expect(await answer(world, id, { message: 'm2' })).toBe('ok')
    expect(await answer(world, id, { message: 'm2' })).toBe('ok')
    expect(await world.ports.grants.list()).toMatchObject([{ kind: 'write', state: 'live', card: view.card }])
    expect(auditedAs(world, 'grant_changed')).toHaveLength(1)
  })

  it('lets the next ones run unasked, and no more a day than agreed', async () => {
    const world = worldWith()
    const id = await granted(world)
    await world.say('book tea with Tom on Friday at 15:00')
    await world.say('book tea with Tom on Friday at 16:00')
    expect(created(world)).toHaveLength(3)
    expect(await waiting(world)).toEqual([])
    await world.say('book tea with Tom on Friday at 17:00')
    expect(created(world)).toHaveLength(3)
    await answer(world, (await onlyOne(world)).id, { decision: 'deny' })
    world.clock.now += DAY
    await world.say('book tea with Tom on Friday at 17:00')
    expect(created(world)).toHaveLength(4)
    expect(auditedAs(world, 'grant_used').map(({ grant, ok }) => [grant, ok])).toEqual([
      [id, true],
      [id, true],
      [id, false],
      [id, true],
    ])
  })

  it('covers no value that was read out of something: a stranger’s date asks', async () => {
    const plan = [
      { id: 's1', do: 'tool', tool: 'email.list', args: {} },
      booking(
        {
          title: { $ref: 'said.topic' },
          from: { $ref: 's1.emails[0].date' },
          to: { $ref: 's1.emails[1].date' },
        },
        's2',
      ),
    ]
    const local = scriptedModel('local', ({ parts }) =>
      parts.purpose === 'plan' ? JSON.stringify({ steps: plan, explanation: '' }) : 'done',
    )
    const world = worldWith({ models: [local] })
    await granted(world)
    await world.say('book tea with Tom, between the newest two mails that I have')
    expect(created(world)).toHaveLength(1)
    const { id } = await onlyOne(world)
    expect(auditedAs(world, 'grant_used')).toEqual([])
    const put = await world.shell.always(ME, { approval: id, ...TERMS })
    expect(put.ok ? 'ok' : put.reason.code).toBe('write_free_text')
  })

  it('survives a restart, and its uses do too', async () => {
    const disk = createDisk()
    const world = worldWith({ disk })
    await granted(world, { perDay: 1 })
    await world.say('book tea with Tom on Friday at 15:00')
    const after = worldWith({ disk })
    await after.say('book tea with Tom on Friday at 16:00')
    expect([created(world).length, created(after).length]).toEqual([2, 0])
  })

  it('ends when it is revoked, at once', async () => {
    const world = worldWith()
    const id = await granted(world)
    expect(await world.ports.grants.revoke(id, 'principal:telegram:peer:1')).toMatchObject({ ok: false })
    expect(await world.ports.grants.revoke(id, OWNER)).toMatchObject({ ok: true })
    expect(await world.ports.grants.revoke(id, OWNER)).toMatchObject({ reason: { code: 'grant_missing' } })
    // Whoever had found it live a moment before finds out here.
    expect(world.disk.store.useGrant(id, world.clock.now)).toBe(false)
    await world.say('book tea with Tom on Friday at 15:00')
    expect((await onlyOne(world)).reason).toBe('write_template_asks')
    expect(await world.ports.grants.list()).toMatchObject([{ state: 'revoked' }])
  })

  it('does not answer for other words of the owner’s: an edit is no yes (F-11)', async () => {
    const plans = ({ parts }: FinalPrompt): readonly object[] =>
      parts.request.includes('unusual')
        ? [READING, booking({ title: { $ref: 's1.body' } }, 's2')]
        : [booking({})]
    const planner = scriptedModel('rules', (prompt) =>
      prompt.parts.purpose === 'plan' ? JSON.stringify({ steps: plans(prompt), explanation: '' }) : 'done',
    )
    const world = worldWith({ models: [planner] })
    await granted(world)
    await world.say('do the unusual thing')
    const old = await onlyOne(world)
    expect(old.reason).toBe('write_raw')
    await world.shell.edit({ approval: old.id, text: 'Tea', principal: OWNER, place: 'home' })
    await world.shell.run(OWNER)
    expect(created(world)).toEqual(['Lunch'])
    expect((await onlyOne(world)).card).toContain('  title: Tea')
  })

  it('ends with its time', async () => {
    const world = worldWith()
    const id = await granted(world, { days: 1 })
    world.clock.now += DAY
    expect(world.disk.store.useGrant(id, world.clock.now)).toBe(false)
    await world.say('book tea with Tom on Friday at 15:00')
    expect((await waiting(world)).length).toBe(1)
    expect(await world.ports.grants.list()).toMatchObject([{ state: 'ended' }])
  })

  it.each([
    ['text of a stranger', [READING, booking({ title: { $ref: 's1.body' } }, 's2')], 'write_raw'],
    ['another address', [booking({ attendees: ['eve@evil.example'] })], 'write_unknown_destination'],
    ['details that were not given then', [booking({ attendees: [] })], 'write_template_asks'],
  ])('does not cover %s', async (_, steps, reason) => {
    const disk = createDisk()
    // Denied, so that nothing of it is in memory: what a planner writes bears the taint of all that it saw.
    await granted(worldWith({ disk }), {}, { decision: 'deny' })
    const world = worldWith({ disk, models: [planning(...steps)] })
    await world.say('do the unusual thing')
    expect((await onlyOne(world)).reason).toBe(reason)
    expect(created(world)).toEqual([])
  })

  it('covers only the addresses that were agreed to', async () => {
    const disk = createDisk()
    const words = 'do the unusual thing'
    const planned = (attendees: readonly string[], title = 'Lunch') =>
      worldWith({ disk, models: [planning(booking({ attendees, title }))] })
    const first = planned(['tom@new.example', 'ann@new.example'])
    const id = await proposed(first, {}, { words, decision: 'deny' })
    expect((await onlyOne(first)).card).toContain('    - tom@new.example\n    - ann@new.example')
    expect(await answer(first, id, { message: 'm2' })).toBe('ok')
    const other = planned(['ann@new.example', 'eve@evil.example'])
    await other.say(words)
    expect((await onlyOne(other)).reason).toBe('write_unknown_destination')
    await answer(other, (await onlyOne(other)).id, { decision: 'deny' })
    const same = planned(['ann@new.example'], 'Tea')
    await same.say(words)
    expect([created(other), created(same)]).toEqual([[], ['Tea']])
  })

  it.each([['text of a stranger', [READING, booking({ title: { $ref: 's1.body' } }, 's2')], 'write_raw']])(
    'cannot be had for %s',
    async (_, steps, code) => {
      const world = worldWith({ models: [planning(...steps)] })
      await world.say('do the unusual thing')
      const put = await world.shell.always(ME, { approval: (await onlyOne(world)).id, ...TERMS })
      expect(put).toMatchObject({ ok: false, reason: { code } })
      expect((await waiting(world)).length).toBe(1)
    },
  )

  it.each([
    ['a stranger', { principal: 'principal:telegram:peer:1' }, {}, 'approval_wrong_principal'],
    ['the edge', { place: 'edge' }, {}, 'approval_place_too_low'],
    ['the owner, for ever', {}, { days: 366 }, 'field_malformed'],
    ['the owner, without bound', {}, { perDay: 101 }, 'field_malformed'],
    ['the owner, for no day', {}, { days: 0 }, 'field_malformed'],
    ['the owner, for half a day', {}, { days: 0.5 }, 'field_malformed'],
  ] as const)('cannot be proposed by %s', async (_, who, terms, code) => {
    const world = worldWith()
    await world.say(BOOK)
    const approval = (await onlyOne(world)).id
    const put = await world.shell.always({ ...ME, ...who }, { approval, ...TERMS, ...terms })
    expect(put).toMatchObject({ ok: false, reason: { code } })
    expect((await waiting(world)).length).toBe(1)
  })

  it('is not made of a change that was altered after it was shown', async () => {
    const world = worldWith()
    const id = await proposed(world)
    const { store } = world.disk
    const stored = store.loadApproval(id)?.approval
    if (stored?.change?.do !== 'grant' || stored.change.grant.kind !== 'write') throw new Error('no proposal')
    const change = { ...stored.change, grant: { ...stored.change.grant, perDay: 99 } }
    store.saveApproval({ ...stored, change }, null)
    expect(await answer(world, id, { message: 'm2' })).toBe('approval_changed')
    expect(await world.ports.grants.list()).toEqual([])
  })

  it('is nothing after a no, or after its time', async () => {
    const world = worldWith()
    const id = await proposed(world)
    expect(await answer(world, id, { decision: 'deny' })).toBe('ok')
    expect(await answer(world, id, { message: 'm2' })).toBe('approval_denied')
    const late = worldWith()
    const other = await proposed(late)
    late.clock.now += 300_000
    expect(await answer(late, other, { message: 'm2' })).toBe('approval_expired')
    await late.shell.tick()
    expect([await world.ports.grants.list(), await late.ports.grants.list()]).toEqual([[], []])
  })
})

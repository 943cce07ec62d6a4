/**
 * The life of an approval (F-01, F-05, F-07 – F-12): one yes, one run; silence is no and is told once; what was approved
 * is clean nowhere else; other words are the owner's own and asked about again; equal requests are one card.
 */
import { describe, expect, it } from 'vitest'
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
import { CANARY } from './mailbox.ts'
import { createDisk } from './world.ts'

const FROM_MAIL = { title: { $ref: 's1.body' } }

describe('silence', () => {
  it('is no, told once, with the offer to ask again (F-05)', async () => {
    const world = worldWith()
    await world.say(BOOK)
    world.clock.now += 299_999
    await world.shell.tick()
    expect((await waiting(world)).length).toBe(1)
    world.clock.now += 1
    await world.shell.tick()
    await world.shell.tick()
    world.clock.now += 3_600_000
    await world.shell.tick()
    const told = world.sent.filter(({ text }) => text.includes('in time'))
    expect(told.map(({ text }) => text)).toEqual([expect.stringContaining('Say "again" to get a new one')])
    expect(created(world)).toEqual([])
  })
})

describe('the record of a decision (F-07)', () => {
  it.each([
    ['yes', 'approve', OWNER, 'home', 'ok', null],
    ['no', 'deny', OWNER, 'home', 'ok', null],
    ['yes of a stranger', 'approve', 'principal:telegram:peer:1', 'home', 'approval_wrong_principal', 'x'],
    ['yes from a lower place', 'approve', OWNER, 'edge', 'approval_place_too_low', 'x'],
  ] as const)(
    'says who, where, when and what of a %s',
    async (_, decision, principal, place, outcome, code) => {
      const world = worldWith()
      await world.say(BOOK)
      const { id } = await onlyOne(world)
      expect(await answer(world, id, { decision, principal, place })).toBe(outcome)
      const line = world.audited.find(({ kind }) => kind === 'approval_decided')
      expect(line).toMatchObject({ at: world.clock.now, principal: OWNER })
      expect(line?.facts).toEqual({
        ...{ approval: id, kind: 'tainted_write', decision, place, by: principal },
        ...{ ok: code === null, code: code === null ? null : outcome },
      })
    },
  )
})

describe('what was approved', () => {
  it('is clean for that write and nowhere else (F-08)', async () => {
    const planner = planning(
      READING,
      booking(FROM_MAIL, 's2'),
      booking({ ...FROM_MAIL, to: '2026-11-27T15:00:00Z' }, 's3'),
    )
    const world = worldWith({ models: [planner] })
    const task = await world.say('do the unusual thing')
    expect(await answer(world, (await onlyOne(world)).id)).toBe('ok')
    expect(created(world)).toHaveLength(1)
    // The same text in another write is asked about again, and still counts as a stranger's.
    expect((await onlyOne(world)).reason).toBe('write_raw')
    expect(world.disk.store.loadTask(task)?.state.at).toBe('awaiting_approval')
    await answer(world, (await onlyOne(world)).id, { decision: 'deny' })
    expect((await world.shell.report(task))?.task.taint).toBe('raw')
  })
})

const KEYS = ['ghp_', 'npm_'].map((begin) => `${begin}aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3z56`)
const PEM = ['-----BEGIN', 'PRIVATE KEY-----'].join(' ')

describe('a question whose card would hide a part of the bytes (F-03)', () => {
  it.each([
    ['a key in a title', { title: `pay ${KEYS[0]} now` }],
    ['a key that is a destination', { title: 'Lunch', attendees: [`${KEYS[1]}@evil.example`] }],
    ['the head of a private key, which hides all that follows', { title: PEM }],
    ['a key with blanks in it', { title: `pay ${KEYS[0]?.slice(0, 9)} ${KEYS[0]?.slice(9)}` }],
  ])('is not put: %s', async (_name, args) => {
    const world = worldWith({ models: [planning(READING, booking(args, 's2'))] })
    const task = await world.say('do the unusual thing')
    expect(await waiting(world)).toEqual([])
    expect(created(world)).toEqual([])
    expect(auditedAs(world, 'denial').map(({ code }) => code)).toContain('secret_in_call')
    expect((await world.shell.report(task))?.task.state).toBe('completed')
    expect(JSON.stringify(world.audited)).not.toContain('aB3dE5')
  })
})

describe('other words for it (F-11)', () => {
  it('are screened for what was pasted, as any message is (L-17)', async () => {
    const world = worldWith({ models: [planning(READING, booking(FROM_MAIL, 's2'))] })
    await world.say('do the unusual thing')
    const { id } = await onlyOne(world)
    const edit = { approval: id, text: `use ${KEYS[0]}`, principal: OWNER, place: 'home' } as const
    expect(await world.shell.edit(edit)).toEqual({ ok: false, reason: { code: 'secret_pasted', facts: {} } })
    expect((await onlyOne(world)).id).toBe(id)
  })

  it('are the owner’s own, shown on a new card, and spend the old one', async () => {
    const world = worldWith({ models: [planning(READING, booking(FROM_MAIL, 's2'))] })
    const task = await world.say('do the unusual thing')
    const old = await onlyOne(world)
    expect(old.card).toContain(CANARY)
    const edit = { approval: old.id, text: 'Lunch, my treat', principal: OWNER, place: 'home' } as const
    expect(await world.shell.edit(edit)).toMatchObject({ ok: true })
    await world.shell.run(OWNER)
    expect(created(world)).toEqual([])
    const fresh = await onlyOne(world)
    expect(fresh.id).not.toBe(old.id)
    expect(fresh.card).toContain('  title: Lunch, my treat')
    expect(fresh.card).toContain('You wrote all of it.')
    expect(fresh.card).not.toContain(CANARY)
    expect(world.heard()).toBe(fresh.card)
    expect(await answer(world, old.id)).toBe('approval_changed')
    expect(await answer(world, old.id, { decision: 'deny' })).toBe('approval_changed')
    expect(created(world)).toEqual([])
    expect(await answer(world, fresh.id)).toBe('ok')
    expect(created(world)).toEqual(['Lunch, my treat'])
    expect((await world.shell.report(task))?.task.state).toBe('completed')
    expect(auditedAs(world, 'approval_decided').map(({ decision }) => decision)).toContain('edit')
  })

  it('are what the answer speaks of', async () => {
    const world = worldWith()
    await world.say(BOOK)
    await world.shell.edit({
      approval: (await onlyOne(world)).id,
      text: 'My treat',
      principal: OWNER,
      place: 'home',
    })
    await world.shell.run(OWNER)
    await answer(world, (await onlyOne(world)).id)
    expect(world.heard()).toMatch(/^Booked: My treat, Fri 27 Nov/)
  })

  it('survive a restart before the new card is answered', async () => {
    const disk = createDisk()
    const world = worldWith({ disk, models: [planning(READING, booking(FROM_MAIL, 's2'))] })
    await world.say('do the unusual thing')
    await world.shell.edit({
      approval: (await onlyOne(world)).id,
      text: 'Mine',
      principal: OWNER,
      place: 'home',
    })
    const after = worldWith({ disk })
    await after.shell.recover()
    expect(await answer(after, (await onlyOne(after)).id)).toBe('ok')
    expect(created(after)).toEqual(['Mine'])
  })

  it.each([
    ['a stranger', { principal: 'principal:telegram:peer:1' }, 'approval_wrong_principal'],
    ['a lower place', { place: 'edge' }, 'approval_place_too_low'],
    ['a text that is too long', { text: 'x'.repeat(301) }, 'field_too_large'],
    ['an argument that is none', { argument: 'from' }, 'nothing_found'],
    ['a question that is none', { approval: 'x' }, 'approval_unknown'],
  ] as const)('are refused from %s', async (_, part, code) => {
    const world = worldWith()
    await world.say(BOOK)
    const { id: approval } = await onlyOne(world)
    const edited = await world.shell.edit({ approval, text: 'Tea', principal: OWNER, place: 'home', ...part })
    expect(edited).toMatchObject({ ok: false, reason: { code } })
    await world.shell.run(OWNER)
    expect((await onlyOne(world)).card).toContain('title: Lunch with Sarah')
  })

  it('come too late after a yes, a no, or the end of its time', async () => {
    for (const [decision, code] of [
      ['approve', 'approval_spent'],
      ['deny', 'approval_denied'],
      [null, 'approval_expired'],
    ] as const) {
      const world = worldWith()
      await world.say(BOOK)
      const { id } = await onlyOne(world)
      if (decision === null) world.clock.now += 300_000
      else await answer(world, id, { decision })
      const edited = await world.shell.edit({ approval: id, text: 'Tea', principal: OWNER, place: 'home' })
      expect(edited).toMatchObject({ ok: false, reason: { code } })
    }
  })
})

describe('equal requests (F-10)', () => {
  async function twice(times = 2) {
    const world = worldWith()
    for (let n = 0; n < times; n += 1) await world.say(BOOK)
    return { world, view: await onlyOne(world) }
  }

  it('are one card with a count, and one yes does it once', async () => {
    const { world, view } = await twice()
    expect(view).toMatchObject({ count: 2 })
    expect(world.heard()).toContain('Exactly this was asked for 2 times. Yes does it once.')
    expect(await answer(world, view.id)).toBe('ok')
    expect(created(world)).toHaveLength(1)
    expect(await waiting(world)).toEqual([])
    expect(world.heard()).toContain('It is done once.')
    expect(await answer(world, view.id)).toBe('ok')
    expect(created(world)).toHaveLength(1)
  })

  it('never run more often than the card said', async () => {
    const { world, view } = await twice()
    await world.say(BOOK)
    expect((await onlyOne(world)).count).toBe(3)
    expect(await answer(world, view.id)).toBe('ok')
    expect(created(world)).toHaveLength(1)
    expect((await onlyOne(world)).count).toBe(1)
  })

  it('run one at a time when one is named', async () => {
    const { world, view } = await twice()
    const one = view.id.split('.')[0] ?? ''
    expect(await answer(world, one)).toBe('ok')
    expect(created(world)).toHaveLength(1)
    expect(await answer(world, view.id)).toBe('ok')
    expect(created(world)).toHaveLength(1)
    expect((await onlyOne(world)).count).toBe(1)
  })

  it('are all denied by one no', async () => {
    const { world, view } = await twice(3)
    expect(await answer(world, view.id, { decision: 'deny' })).toBe('ok')
    expect(await waiting(world)).toEqual([])
    expect(created(world)).toEqual([])
  })

  it('are two cards when a byte differs', async () => {
    const world = worldWith()
    await world.say(BOOK)
    await world.say('book lunch with Sarah on Friday at 13:30')
    expect((await waiting(world)).map(({ count }) => count)).toEqual([1, 1])
  })
})

describe('a queue', () => {
  it('of more than ten different questions is told once (F-10)', async () => {
    const world = worldWith()
    const told = () => world.sent.filter(({ text }) => text.startsWith('More than ten questions')).length
    for (let n = 0; n < 10; n += 1) await world.say(`book lunch with Sarah on Friday at 13:${10 + n}`)
    expect([(await waiting(world)).length, told()]).toEqual([10, 0])
    for (let n = 10; n < 14; n += 1) await world.say(`book lunch with Sarah on Friday at 13:${10 + n}`)
    expect([(await waiting(world)).length, told()]).toEqual([14, 1])
  })
})

describe('a correction of a text that others wrote (F-11)', () => {
  it('leaves what stays of it theirs: asked about as theirs, and nobody’s words but on that one write', async () => {
    const world = worldWith({ models: [planning(READING, booking(FROM_MAIL, 's2'))] })
    const task = await world.say('do the unusual thing')
    const old = await onlyOne(world)
    expect(old.reason).toBe('write_raw')
    const word = /title: .*?(?<word>\p{L}{4,})/u.exec(old.full)?.groups?.['word'] ?? ''
    await world.say(`say Melon instead of ${word}`)
    const fresh = await onlyOne(world)
    expect(fresh.id).not.toBe(old.id)
    expect(fresh.card).toContain('Melon')
    expect(fresh.reason).toBe('write_raw')
    expect(fresh.card).toMatch(/Others wrote/)
    expect(fresh.card).not.toContain('You wrote all of it.')
    await answer(world, fresh.id, { decision: 'deny' })
    expect((await world.shell.report(task))?.task.taint).toBe('raw')
  })
})

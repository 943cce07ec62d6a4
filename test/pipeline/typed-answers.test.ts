/**
 * Answers that the owner types into a chat, and edited messages (F-02, F-18): a bare word answers the card that
 * this chat has shown, once; a second answer is told how the card ended; an edited message withdraws the card of its
 * first version.
 */

import { describe, expect, it } from 'vitest'
import { turnCard } from '../../kernel/features/approvals/asking.ts'
import { askAgainLabel } from '../../kernel/features/approvals/card/card.ts'
import { err, ok } from '../../kernel/flow/verdict.ts'
import type { ReasonCode } from '../../kernel/reasons.ts'
import { createShell } from '../../kernel/runtime/shell.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import {
  auditedAs,
  BOOK,
  booking,
  created,
  LOW,
  onlyOne,
  PROBE,
  planning,
  waiting,
  withLowChat,
  worldWith,
} from './approvals-owner.ts'
import { createDisk, message, type World, type WorldOptions } from './world.ts'

const OTHER = 'book lunch with Sarah on Friday at 13:30'
const world = (options: WorldOptions = {}) => worldWith({ pushes: true, ...options })

/** A message of the owner's that may be a later version of another. */
async function write(it: World, text: string, event: Record<string, unknown> = {}): Promise<string> {
  const received = await it.shell.receive({
    ...message(text, { id: `m${it.sent.length}`, at: it.clock.now }),
    ...event,
  })
  if (!received.ok) throw new Error(received.reason.code)
  await it.shell.run(received.value.principal)
  return received.value.task
}

/** Refuses deliveries of these kinds. */
const refusing =
  (kinds: ReadonlySet<string>, code: ReasonCode) =>
  ({ kind }: { readonly kind: string }) =>
    kinds.has(kind)
      ? ({ ok: false, reason: { code, facts: {} } } as const)
      : ({ ok: true, value: true } as const)

const NO = { decision: 'deny', principal: OWNER_PRINCIPAL, place: 'home' } as const

const FIRST = { id: '7.31.aa' }
const EDITED = { id: '7.31.bb', edits: '7.31' }

describe('a yes in words that answer other things, too', () => {
  it('is for the card only where nothing came after it, such as a reminder', async () => {
    const it = world()
    await it.say('in 2 minutes remind me to call mum')
    await it.say(BOOK)
    it.clock.now += 2 * 60_000
    await it.shell.tick()
    await it.say('ja gern')
    expect([created(it), (await waiting(it)).length]).toEqual([[], 1])
    expect(it.heard()).toContain('Lunch')
    await it.say('ja gern')
    expect(created(it)).toHaveLength(1)
  })

  it('is none for it as a reply to another message', async () => {
    const it = world()
    await it.say(BOOK)
    await write(it, 'passt', { replyTo: 'another' })
    expect([created(it), (await waiting(it)).length]).toEqual([[], 1])
  })
})

describe('a bare yes', () => {
  it.each(['yes', 'Yes!', 'y', 'ja, passt', 'sure, go ahead'])(
    'to the card that this chat has shown runs it once: %s',
    async (word) => {
      const it = world()
      await it.say(BOOK)
      await it.say(word)
      expect(created(it)).toHaveLength(1)
      expect(it.sent.map(({ text }) => text)).toContainEqual(expect.stringMatching(/^Booked/))
      expect(it.prompts.filter(({ parts }) => JSON.stringify(parts).includes(`"${word}"`))).toEqual([])
    },
  )

  it('is settled once, though its message is brought twice', async () => {
    const it = world()
    await it.say(BOOK)
    await it.say('yes', 'y1')
    await it.say(BOOK)
    await it.say('yes', 'y1')
    expect(created(it)).toHaveLength(1)
    expect(await waiting(it)).toHaveLength(1)
  })

  it('of before a restart is applied after it', async () => {
    const disk = createDisk()
    const before = world({ disk })
    await before.say(BOOK)
    const received = await before.shell.receive(message('yes', { id: 'y1' }))
    expect(received.ok).toBe(true)
    const after = world({ disk })
    await after.shell.recover()
    expect(created(after)).toHaveLength(1)
    await after.say('yes', 'y1')
    expect(created(after)).toHaveLength(1)
  })

  it.each([
    [
      'a chat that has not shown it',
      { owner: ['fake:me'] },
      { source: { adapter: 'terminal', user: 'local', chat: 'other', group: false } },
    ],
    ['a line that is read by asking', { pushes: undefined }, {}],
    ['a message that quotes something', {}, { quoted: ['Shall I?'] }],
  ] as const)('of %s books nothing, and shows what waits', async (_, options, event) => {
    const { pushes, ...rest } = { pushes: true as const, ...options }
    const it = worldWith({ ...rest, ...(pushes && { pushes }) } as WorldOptions)
    await it.say(BOOK, 'x.1')
    await write(it, 'yes', event).catch(() => undefined)
    expect(created(it)).toEqual([])
    expect(await waiting(it)).toHaveLength(1)
  })

  it('after an answer shows first what it would be for, and then counts', async () => {
    const it = world()
    await it.say(BOOK)
    await it.say('when am I free on Monday?')
    await it.say('yes')
    expect(created(it)).toEqual([])
    expect(it.heard()).toMatch(
      /^This still waits: Add this to your calendar\.\n.*title: Lunch with Sarah · .*\nYes or no\? \/approvals 1 shows/,
    )
    await it.say('yes')
    expect(created(it)).toHaveLength(1)
  })

  it.each<ReasonCode>(['network_failed', 'remote_rate_limited'])(
    'to a card that its chat did not take books nothing, and shows it (%s)',
    async (code) => {
      const refuses = new Set(['card'])
      const it = world({ send: refusing(refuses, code) })
      await it.say(BOOK)
      await it.say('yes')
      expect(created(it)).toEqual([])
      expect(it.heard()).toContain('May I do this?')
      await it.say('yes')
      expect(created(it)).toHaveLength(1)
    },
  )

  it('to a list that its chat did not take books nothing', async () => {
    const refuses = new Set<string>()
    const it = world({ send: refusing(refuses, 'network_failed') })
    await it.say(BOOK)
    await it.say('when am I free on Monday?')
    refuses.add('answer')
    await it.say('yes')
    refuses.delete('answer')
    await it.say('yes')
    expect(created(it)).toEqual([])
  })

  it('to a card that this chat may not show books nothing, however often it is said', async () => {
    const planner = planning(
      { id: 's1', do: 'tool', tool: 'email.read', args: { id: 'm2' } },
      booking({ title: { $ref: 's1.body' } }, 's2'),
    )
    const it = world({ models: [planner], policy: withLowChat, owner: ['probe:local'], templates: [PROBE] })
    await it.say('do the unusual thing')
    expect(await waiting(it)).toHaveLength(1)
    const source = { adapter: 'probe', user: 'local', chat: 'owner', group: false }
    for (const id of ['y1', 'y2']) {
      await write(it, 'yes', { source, id })
      expect(it.sent.at(-1)).toMatchObject({ sink: LOW, text: expect.stringContaining('private line') })
    }
    expect(created(it)).toEqual([])
  })

  it('to a rule says what holds now, and in a chat that may not show that it was said alone', async () => {
    const asked = 'every day at 8 tell me my unread mail'
    const it = world({ policy: withLowChat, owner: ['probe:local'], templates: [PROBE] })
    await it.say(asked)
    await it.shell.tick()
    it.clock.now += 1_000
    await it.say('yes')
    const holds = expect.stringMatching(/^You said yes, and it holds from now on[\s\S]*The next times:/)
    expect(it.sent.map(({ text }) => text)).toContainEqual(holds)
    await it.say('every day at 9 tell me my oldest mail')
    await it.shell.tick()
    it.clock.now += 1_000
    const source = { adapter: 'probe', user: 'local', chat: 'owner', group: false }
    await write(it, `yes ${(await onlyOne(it)).number}`, { source })
    expect(it.sent).toContainEqual(expect.objectContaining({ sink: LOW, text: 'You said yes.' }))
  })

  it('where it is unknown what the chat has seen is shown the whole card, without being asked for its number', async () => {
    const it = worldWith({})
    await it.say(BOOK)
    await it.say('yes')
    expect(created(it)).toEqual([])
    expect(it.heard()).toMatch(
      /^1\. May I do this\?[\s\S]*\n {2}title: Lunch with Sarah\n[\s\S]*\n\nSay yes or no\. /,
    )
  })

  it.each(['no', 'nein'])('%s after an answer is for the one card that waits', async (word) => {
    const it = world()
    await it.say(BOOK)
    await it.say('what is on my calendar today?')
    await it.say(word)
    expect(await waiting(it)).toEqual([])
    expect(it.sent.map(({ text }) => text)).toContainEqual(
      expect.stringMatching(/^Cancelled: I did not do it/),
    )
    expect(created(it)).toEqual([])
  })

  it.each(['ok', 'sounds good', 'lovely, yes', 'yes, that’s right', 'yes, send it'])(
    '%s is one right behind the card',
    async (word) => {
      const it = world()
      await it.say(BOOK)
      await it.say(word)
      expect(created(it)).toHaveLength(1)
    },
  )

  it.each(['ok', 'cancel that', 'never mind'])('%s behind another answer is none', async (word) => {
    const it = world()
    await it.say(BOOK)
    await it.say('when am I free on Monday?')
    await it.say(word)
    expect([created(it), (await waiting(it)).length]).toEqual([[], 1])
  })

  it.each(['cancel', 'no don’t send that', 'leave it', 'lass es'])(
    '%s right behind the card is a no',
    async (word) => {
      const it = world()
      await it.say(BOOK)
      await it.say(word)
      expect([created(it), (await waiting(it)).length]).toEqual([[], 0])
    },
  )

  it.each(['lovely', 'thanks', 'send it'])(
    '%s right behind the card decides nothing, and says so',
    async (word) => {
      const it = world()
      await it.say(BOOK)
      await it.say(word)
      expect([created(it), (await waiting(it)).length]).toEqual([[], 1])
      expect(it.heard()).toMatch(/^This still waits/)
      await it.say('ok')
      expect(created(it)).toHaveLength(1)
    },
  )

  it('with two cards asks which, and a number says it', async () => {
    const it = world()
    await it.say(BOOK)
    await it.say(OTHER)
    await it.say('yes')
    expect(created(it)).toEqual([])
    expect(it.heard()).toMatch(
      /^1\. Add this[^\n]*\n {3}title: [^\n]*\n3\. Add this[^\n]*\n {3}title: [^\n]*\n.*with its number/,
    )
    await it.say('yes 3')
    expect(created(it)).toHaveLength(1)
    expect((await onlyOne(it)).number).toBe(1)
    await it.say('no 1')
    expect(await waiting(it)).toEqual([])
    expect(created(it)).toHaveLength(1)
  })

  it('with a number of the other place decides nothing, and says where that is asked', async () => {
    const it = world()
    await it.say(BOOK)
    await it.say('yes 2')
    expect(it.heard()).toBe('That number is of a question on your open line. Answer it there.')
    expect(await waiting(it)).toHaveLength(1)
  })

  it('from a lower place releases nothing that is kept for home', async () => {
    const it = world()
    await it.say(BOOK)
    const { id } = await onlyOne(it)
    const decided = await it.shell.decide({
      approval: id,
      decision: 'approve',
      principal: 'principal:owner',
      place: 'edge',
    })
    expect(decided).toMatchObject({ ok: false, reason: { code: 'approval_place_too_low' } })
  })

  it('where nothing ever waited is a message like any', async () => {
    const it = world()
    const task = await it.say('yes')
    expect(it.disk.store.loadTask(task)?.typed).toBeUndefined()
  })
})

describe('a second yes', () => {
  it('says that it was done, when, and how it ended', async () => {
    const it = world()
    await it.say(BOOK)
    await it.say('yes')
    it.clock.now += 60_000
    const words = 'Done at 12:00: the event is in your calendar.'
    for (const word of ['yes', 'yes', '/approve 1']) {
      await it.say(word)
      expect(it.heard()).toBe(words)
    }
    const standing = { ok: true, value: { isOver: true, words, said: 'approve' } }
    expect(await it.ports.approvals.standing(OWNER_PRINCIPAL, '1')).toEqual(standing)
    expect(await it.ports.approvals.standing('principal:telegram:peer:7', '1')).toMatchObject({ ok: false })
    expect(created(it)).toHaveLength(1)
  })

  it.each([
    ['a no', 'no', /^Cancelled at 12:00: I did not do it/],
    ['silence', null, /did not do it/],
  ] as const)('after %s says that nothing was done', async (_, word, said) => {
    const it = world()
    await it.say(BOOK)
    if (word === null) {
      it.clock.now += 300_000
      await it.shell.tick()
    } else await it.say(word)
    await it.say('yes')
    expect(it.heard()).toMatch(said)
    expect(created(it)).toEqual([])
  })
})

describe('an edited message', () => {
  it('takes the card of its first version back, so that only the new one can be agreed to', async () => {
    const it = world()
    const first = await write(it, BOOK, FIRST)
    const { id } = await onlyOne(it)
    await write(it, OTHER, EDITED)
    const fresh = await onlyOne(it)
    expect(fresh.id).not.toBe(id)
    expect(it.disk.store.loadTask(first)?.state.at).toBe('cancelled')
    const decided = await it.shell.decide({
      approval: id,
      decision: 'approve',
      principal: 'principal:owner',
      place: 'home',
    })
    expect(decided).toMatchObject({ ok: false, reason: { code: 'approval_withdrawn' } })
    expect(created(it)).toEqual([])
    expect(auditedAs(it, 'approval_decided')).toContainEqual(
      expect.objectContaining({ approval: id, decision: 'withdrawn' }),
    )
    const closed = it.sent.filter((one) => one.id === `${first}:${id}`).at(-1)
    expect([closed?.kind, closed?.approval]).toEqual(['notice', null])
    expect(closed?.text).toContain('You edited the message')
    await it.say('yes')
    expect(created(it)).toHaveLength(1)
    expect((await waiting(it)).length).toBe(0)
  })

  it('into a yes agrees to nothing that its first version asked for', async () => {
    const it = world()
    await write(it, BOOK, FIRST)
    await write(it, 'yes', EDITED)
    expect(created(it)).toEqual([])
    expect(it.sent.map(({ text }) => text)).toContain('Nothing waits for your yes or no here.')
  })

  it('into a yes is none to a card that stands below it, though its first version went to the other place', async () => {
    const it = world()
    await it.say(BOOK)
    await write(it, 'yes', { id: '7.29.bb', edits: '7.29' })
    await write(it, 'yes 1', { id: '7.29.cc', edits: '7.29' })
    expect(created(it)).toEqual([])
    expect(await waiting(it)).toHaveLength(1)
    expect(it.heard()).toContain('This still waits: Add this to your calendar.')
  })

  it('whose first version has written something is told that it stays', async () => {
    const it = world()
    await write(it, BOOK, FIRST)
    await it.say('yes')
    await write(it, OTHER, EDITED)
    expect(created(it)).toHaveLength(1)
    const told = it.sent.filter(({ text }) => text.startsWith('Before you edited that message'))
    expect(told.map(({ text }) => text)).toEqual([expect.stringContaining('"cancel reminder 1"')])
    // It stands above the card of what the message says now.
    expect(it.sent.findLast(({ text }) => text.startsWith('Before you'))).toBe(it.sent.at(-2))
    expect(await waiting(it)).toHaveLength(1)
  })

  it.each([
    ['another message', { id: '7.32.bb', edits: '7.32' }],
    ['another chat', { ...EDITED, source: { adapter: 'terminal', user: 'local', chat: 'x', group: false } }],
    ['a message that says the same', FIRST],
  ])('of %s leaves the card', async (_, event) => {
    const it = world()
    await write(it, BOOK, FIRST)
    const { id } = await onlyOne(it)
    await write(it, OTHER, event).catch(() => undefined)
    expect((await waiting(it)).map((view) => view.id)).toContain(id)
  })
})

describe('a card that ended', () => {
  it('by the clock says so, and has one button left: to ask again', async () => {
    const it = world()
    const task = await it.say(BOOK)
    const { id } = await onlyOne(it)
    it.clock.now += 300_000
    await it.shell.tick()
    const closed = it.sent.filter((one) => one.id === `${task}:${id}`).at(-1)
    expect(closed).toMatchObject({ kind: 'notice', approval: id, buttons: askAgainLabel() })
    expect(closed?.text).toContain('did not do it')
  })

  it('with its task, by /stop, is agreed to no more', async () => {
    const it = world()
    const task = await it.say(BOOK)
    const { id } = await onlyOne(it)
    await it.say('/stop')
    expect(await waiting(it)).toEqual([])
    expect(it.sent.filter((one) => one.id === `${task}:${id}`).at(-1)?.kind).toBe('notice')
  })
})

describe('a card whose closing was cut off', () => {
  const closings = (it: World) =>
    it.sent.filter(({ kind, text }) => kind === 'notice' && text.includes('May I'))

  it.each([
    ['a yes in the terminal', 'approve', 'Done at 12:00'],
    ['a no', 'deny', 'Cancelled at 12:00'],
  ] as const)('by a crash after %s is closed at the next start, once', async (_, decision, words) => {
    const disk = createDisk()
    const before = world({ disk })
    await before.say(BOOK)
    const { id } = await onlyOne(before)
    const said = { approval: id, decision, principal: OWNER_PRINCIPAL, place: 'home' } as const
    expect((await before.shell.decide(said)).ok).toBe(true)
    const after = world({ disk })
    after.clock.now += 1_000
    // Its start is later than the end of the question.
    const second = createShell(after.powers)
    await second.recover()
    expect(closings(after)).toHaveLength(1)
    expect(closings(after)[0]).toMatchObject({ approval: null, text: expect.stringContaining(words) })
    await second.recover()
    await createShell(after.powers).recover()
    expect(closings(after)).toHaveLength(1)
  })

  it('by an outage is closed when its chat is there again, and one that waits is left alone', async () => {
    const disk = createDisk()
    let down = false
    const send = () => (down ? err('remote_unavailable') : ok(true as const))
    const it = world({ disk, send })
    await it.say(BOOK)
    await it.say(OTHER)
    const [one, other] = await waiting(it)
    down = true
    const said = {
      approval: one?.id ?? '',
      decision: 'deny',
      principal: OWNER_PRINCIPAL,
      place: 'home',
    } as const
    expect((await it.shell.decide(said)).ok).toBe(true)
    await it.shell.tick()
    expect(closings(it)).toEqual([])
    down = false
    it.clock.now += 60_000
    await it.shell.tick()
    expect(closings(it)).toHaveLength(1)
    await createShell(it.powers).recover()
    expect(closings(it)).toHaveLength(1)
    expect((await waiting(it)).map(({ id }) => id)).toEqual([other?.id])
  })

  it('a day ago stays as it is', async () => {
    const disk = createDisk()
    const before = world({ disk })
    await before.say(BOOK)
    const { id } = await onlyOne(before)
    await before.shell.decide({ approval: id, decision: 'deny', principal: OWNER_PRINCIPAL, place: 'home' })
    const after = world({ disk })
    after.clock.now += 25 * 3_600_000
    await createShell(after.powers).recover()
    expect(closings(after)).toEqual([])
  })
})

describe('/stop', () => {
  it('says where there was nothing to stop', async () => {
    const it = world()
    await it.say('/stop')
    expect(it.heard()).toBe('There was nothing to stop here.')
  })
})

describe('/approvals and /status', () => {
  it('list what waits, in any chat of the owner', async () => {
    const it = world()
    await it.say('/approvals')
    expect(it.heard()).toBe('Nothing waits for your yes or no here.')
    await it.say(BOOK)
    await it.say('/approvals')
    expect(it.heard()).toContain('1. May I do this?')
    await it.say('/status')
    expect(it.heard()).toContain('Questions that wait for you: 1 (/approvals)')
  })
})

describe('a no', () => {
  it('by a tap is shown on its card alone', async () => {
    const it = world()
    await it.say(BOOK)
    const { id } = await onlyOne(it)
    const before = it.sent.length
    const task = it.disk.store.loadApproval(id)?.approval.task ?? ''
    expect((await it.shell.decide({ ...NO, approval: id, message: 'tap:1' }, true)).ok).toBe(true)
    await it.shell.run(OWNER_PRINCIPAL)
    expect(it.sent.slice(before)).toEqual([])
    expect(it.disk.store.loadTask(task)?.state.at).toBe('completed')
  })

  it('by a tap at a chat without taps is said', async () => {
    const it = worldWith()
    await it.say(BOOK)
    const { id } = await onlyOne(it)
    expect((await it.shell.decide({ ...NO, approval: id })).ok).toBe(true)
    await it.shell.run(OWNER_PRINCIPAL)
    expect(it.heard()).toBe('Cancelled: I did not do it.')
  })

  it('to all cards has one summary', async () => {
    const it = world()
    await it.say(BOOK)
    await it.say(OTHER)
    const before = it.sent.length
    await it.say('no to all of them')
    const said = it.sent.slice(before).filter(({ text }) => !text.startsWith('May I do this?'))
    expect(said.map(({ text }) => text)).toEqual(['You said no to all that waited (2): none of it is done.'])
  })
})

describe('a yes right after /approvals', () => {
  it.each(['/approvals', 'what waits for me?'])('is for the one card that it listed: %s', async (asks) => {
    const it = world()
    await it.say(BOOK)
    await it.say('what is on my calendar tomorrow?')
    await it.say(asks)
    expect(it.heard()).toContain('1. May I do this?')
    expect(it.heard()).toContain('Say yes or no.')
    await it.say('yes')
    expect(created(it)).toHaveLength(1)
  })

  it('is for none of two', async () => {
    const it = world()
    await it.say(BOOK)
    await it.say(OTHER)
    await it.say('/approvals')
    await it.say('yes')
    expect([created(it), (await waiting(it)).length]).toEqual([[], 2])
  })

  it('is not for a card that came when another answer stands between', async () => {
    const it = world()
    await it.say(BOOK)
    await it.say('/approvals')
    await it.say('what is on my calendar tomorrow?')
    await it.say('yes')
    expect(created(it)).toEqual([])
  })
})

describe('a card that is longer than a screen', () => {
  it('can be turned through in its chat, byte for byte, and is agreed to on any page', async () => {
    const title = Array.from({ length: 140 }, (_, n) => String(n % 10)).join('\n')
    const it = world({ models: [planning(booking({ title }))] })
    const task = await it.say('do the unusual thing')
    const { id, full } = await onlyOne(it)
    expect(it.sent.at(-1)?.buttons).toMatchObject({ more: 'Show all' })
    const delivery = `${task}:${id}`
    const pages: string[] = []
    let page = 0
    do {
      const turned = await turnCard(it.powers, { approval: id, delivery, page })
      if (!turned.ok) throw new Error(turned.reason.code)
      page = turned.value
      expect(it.sent.at(-1)).toMatchObject({ id: delivery, kind: 'card', approval: id })
      if (page > 0) pages.push(it.heard().replace(/^Page \d+ of \d+\n/, ''))
    } while (page > 0)
    expect(pages.length).toBeGreaterThan(1)
    expect(pages.join('\n')).toBe(full)
    await it.say('/approvals 1 2')
    expect(it.heard()).toContain(pages[1])
    await it.say('/approve 1')
    expect(created(it)).toEqual([title])
    expect(await turnCard(it.powers, { approval: id, delivery, page: 0 })).toMatchObject({ ok: false })
  })
})

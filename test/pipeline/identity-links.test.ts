/**
 * How a link between two principals comes about and ends (F-15 – F-17, E-21): asked at home, proven in both chats, agreed to
 * in another message, audited, listed, taken back at once; and nothing else makes one.
 */
import { describe, expect, it } from 'vitest'
import { MAX_CODES_AN_HOUR } from '../../kernel/features/identities/identity-links.ts'
import { LINK_CODE_LIFE } from '../../kernel/task/identity-link.ts'
import { answer, auditedAs, OWNER, onlyOne, waiting } from './approvals-owner.ts'
import { BOB, codeFor, EVE, linked, linkWorld, ME, proven, says, started, states, U1 } from './linked.ts'
import { createDisk, type World } from './world.ts'

const THANKS = 'Thank you. If that code was meant for you and this chat, I have noted it.'

describe('asking for a link', () => {
  it.each([
    ['somebody else', { ...ME, principal: BOB }, [BOB, U1], 'approval_wrong_principal'],
    ['the owner at the edge', { ...ME, place: 'edge' as const }, [BOB, U1], 'approval_place_too_low'],
    ['the owner, for one with himself', ME, [BOB, BOB], 'principal_not_allowed'],
    ['the owner, for a group', ME, [BOB, 'principal:telegram:group:g'], 'principal_not_allowed'],
    ['the owner, for nobody', ME, [BOB, 'sarah'], 'principal_malformed'],
  ] as const)('%s is refused', async (_, proposer, ends, code) => {
    const world = linkWorld()
    expect(await world.shell.identities.start(proposer, ends)).toMatchObject({ reason: { code } })
    expect(states(world)).toEqual([])
  })

  it('is refused for two that are linked', async () => {
    const world = linkWorld()
    await linked(world)
    for (const ends of [
      [BOB, U1],
      [U1, BOB],
    ] as const)
      expect(await world.shell.identities.start(ME, ends)).toMatchObject({
        reason: { code: 'identity_linked' },
      })
  })

  it('once more makes the codes that are out worth nothing', async () => {
    const world = linkWorld()
    const first = await started(world)
    const second = await started(world, U1, BOB)
    expect(states(world).toSorted()).toEqual(['asked', 'ended'])
    await says(world, BOB, codeFor(first, BOB))
    await says(world, U1, codeFor(first, U1))
    expect(states(world).toSorted()).toEqual(['asked', 'ended'])
    expect(codeFor(second, BOB)).not.toBe(codeFor(first, BOB))
  })

  it('keeps no code on the disk, and shows none to a model', async () => {
    const world = linkWorld()
    const begun = await proven(world)
    const codes = begun.ends.map(({ say }) => say.slice(5))
    const kept = JSON.stringify([world.disk.store.identityLinks(), world.audited, world.prompts, world.sent])
    for (const code of codes) expect(kept).not.toContain(code)
    expect(world.prompts).toEqual([])
    await says(world, BOB, 'hello')
    expect(world.prompts.at(-1)?.parts.history).toEqual(['person (answered): (a one-time code)'])
  })
})

describe('a link', () => {
  it('stands after both proofs and a yes in another message, with its history in the audit', async () => {
    const world = linkWorld()
    const { link, ends } = await started(world)
    expect(await says(world, BOB, ends[0]?.say ?? '')).toBe(THANKS)
    expect(await waiting(world)).toEqual([])
    expect(await says(world, U1, ends[1]?.say ?? '')).toBe(THANKS)
    const view = await onlyOne(world)
    expect(view).toMatchObject({ kind: 'identity_link', tool: 'admin.link' })
    expect(view.card).toContain(
      '  - telegram:peer:bob, who said its code in telegram:bob; counts as: third party',
    )
    expect(view.card).toContain(
      '  - slack:W1:D1:U1, who said its code in slack:W1:D1; counts as: third party',
    )
    expect(view.card).toContain('what was shown until then cannot be recalled')
    expect(states(world)).toEqual(['proven'])
    expect(await answer(world, view.id)).toBe('approval_step_up')
    expect(await answer(world, view.id, { message: 'm1' })).toBe('approval_step_up')
    expect(await answer(world, view.id, { message: 'm2', place: 'edge' })).toBe('approval_place_too_low')
    expect(await answer(world, view.id, { message: 'm2', principal: BOB })).toBe('approval_wrong_principal')
    expect(states(world)).toEqual(['proven'])
    expect(await answer(world, view.id, { message: 'm2' })).toBe('ok')
    expect(states(world)).toEqual(['live'])
    expect(await world.shell.identities.remove(link, BOB)).toMatchObject({
      reason: { code: 'approval_wrong_principal' },
    })
    expect(states(world)).toEqual(['live'])
    expect(await world.shell.identities.remove(link, OWNER)).toMatchObject({ ok: true })
    expect(await world.shell.identities.remove(link, OWNER)).toMatchObject({
      reason: { code: 'identity_unknown' },
    })
    expect(auditedAs(world, 'identity_changed')).toEqual([
      { link, state: 'asked', by: OWNER, one: BOB, other: U1 },
      { link, state: 'asked', by: BOB, proved: true },
      { link, state: 'proven', by: U1, proved: true },
      { link, state: 'live', approval: view.id },
      { link, state: 'removed', by: OWNER },
    ])
  })

  it('whose question could not be put is looked at again in a minute', async () => {
    const world = linkWorld({ adminSinks: [] })
    await proven(world)
    expect([states(world), await waiting(world)]).toEqual([['proven'], []])
    expect(await world.shell.tick()).toBe(world.clock.now + 60_000)
  })

  it('is not made by a no, nor by silence, nor may it be tried again with the same codes', async () => {
    const world = linkWorld()
    const first = await proven(world)
    expect(await answer(world, `${first.link}l`, { decision: 'deny' })).toBe('ok')
    expect(states(world)).toEqual(['ended'])
    expect(await answer(world, `${first.link}l`, { message: 'm3' })).toBe('approval_denied')
    await says(world, BOB, codeFor(first, BOB))
    expect(states(world)).toEqual(['ended'])
    await proven(world)
    world.clock.now += world.powers.approvalTimeout
    await world.shell.tick()
    expect(states(world)).toEqual(['ended', 'ended'])
  })

  it('is not made of a proposal that was altered after it was shown', async () => {
    const world = linkWorld()
    const { link } = await proven(world)
    const { store } = world.disk
    const stored = store.loadApproval(`${link}l`)?.approval
    if (stored?.change?.do !== 'link') throw new Error('no proposal')
    const [one] = stored.change.ends
    const ends = [one, { principal: EVE, sink: 'sink:telegram:eve' }] as const
    store.saveApproval({ ...stored, change: { ...stored.change, ends } }, null)
    expect(await answer(world, `${link}l`, { message: 'm2' })).toBe('approval_changed')
    expect(states(world)).toEqual(['proven'])
  })

  it('is not made of ends that were altered after they were shown', async () => {
    const world = linkWorld()
    const { link } = await proven(world)
    const [kept] = world.disk.store.identityLinks()
    if (kept === undefined) throw new Error('no link')
    const [one, other] = kept.link.ends
    world.disk.store.saveIdentityLink(
      { ...kept.link, ends: [one, { ...other, sink: 'sink:telegram:eve' }] },
      null,
    )
    expect(await answer(world, `${link}l`, { message: 'm2' })).toBe('approval_changed')
  })

  it('that was taken back while the question was open is not made by a late yes', async () => {
    const world = linkWorld()
    const { link } = await proven(world)
    expect(await world.shell.identities.remove(link, OWNER)).toMatchObject({ ok: true })
    expect(await answer(world, `${link}l`, { message: 'm2' })).toBe('approval_changed')
    expect(states(world)).toEqual(['ended'])
  })

  it('comes of two yeses at once as of one', async () => {
    const world = linkWorld()
    const { link } = await proven(world)
    const both = await Promise.all(['m2', 'm3'].map((message) => answer(world, `${link}l`, { message })))
    expect(both).toEqual(['ok', 'ok'])
    expect(auditedAs(world, 'identity_changed').filter(({ state }) => state === 'live')).toHaveLength(1)
  })

  it('comes of two codes at once as of one after the other, with one question', async () => {
    const world = linkWorld()
    const begun = await started(world)
    await Promise.all([BOB, U1].map((end) => says(world, end, codeFor(begun, end))))
    await world.shell.tick()
    expect((await onlyOne(world)).id).toBe(`${begun.link}l`)
    expect(
      world.sent.filter(({ kind }) => kind === 'card').every(({ id }) => id === `change:${begun.link}l`),
    ).toBe(true)
  })
})

describe('a code', () => {
  it.each<[string, (world: World, say: (of: string) => string) => Promise<string>]>([
    ['said by another person', (world, say) => says(world, EVE, say(U1))],
    ['said by the owner, who is no end', (world, say) => says(world, OWNER, say(U1))],
    ['said on the wrong channel', (world, say) => says(world, BOB, say(U1))],
    ['said in a group', (world, say) => says(world, U1, say(U1), { from: { group: true, chat: 'W1:C9' } })],
    ['that is the other one’s, once more', (world, say) => says(world, U1, say(BOB))],
  ])('%s proves nothing, and says the same', async (_, act) => {
    const world = linkWorld()
    const begun = await started(world)
    await says(world, BOB, codeFor(begun, BOB))
    const heard = await act(world, (of) => codeFor(begun, of))
    expect(['', THANKS]).toContain(heard)
    expect(states(world)).toEqual(['asked'])
    expect(world.shell.identities.list()[0]?.ends.map(({ proved }) => proved)).toEqual([true, false])
    expect(auditedAs(world, 'identity_changed').filter(({ proved }) => proved === true)).toHaveLength(1)
  })

  it('quoted by an end is not said by it', async () => {
    const world = linkWorld()
    const begun = await started(world)
    const quoted = [codeFor(begun, BOB)]
    const source = { adapter: 'telegram', user: 'bob', chat: 'bob', group: false }
    const event = {
      id: 'q',
      at: world.clock.now,
      kind: 'message',
      text: 'look',
      attachments: [],
      replyTo: null,
    }
    await world.shell.receive({ ...event, source, quoted, place: 'home' })
    expect(world.shell.identities.list()[0]?.ends[0]?.proved).toBe(false)
  })

  it('that comes twice under one id counts once, and again under another not at all', async () => {
    const world = linkWorld()
    const begun = await started(world)
    await says(world, BOB, 'link CCCC-CCCC-CCCC', { id: 'same' })
    await says(world, BOB, 'link CCCC-CCCC-CCCC', { id: 'same' })
    expect(auditedAs(world, 'identity_changed').filter(({ proved }) => proved === false)).toHaveLength(1)
    await says(world, BOB, codeFor(begun, BOB), { id: 'right' })
    await says(world, BOB, codeFor(begun, BOB), { id: 'again' })
    expect(auditedAs(world, 'identity_changed').filter(({ proved }) => proved === true)).toHaveLength(1)
  })

  it('is worth nothing after its time', async () => {
    const world = linkWorld()
    const begun = await started(world)
    world.clock.now += LINK_CODE_LIFE
    await says(world, BOB, codeFor(begun, BOB))
    expect(states(world)).toEqual(['ended'])
  })

  it('is looked at so many times an hour, and a flood leaves no more lines than that', async () => {
    const world = linkWorld()
    const begun = await started(world)
    for (let n = 0; n < MAX_CODES_AN_HOUR + 5; n += 1) await says(world, EVE, 'link CCCC-CCCC-CCCC')
    const stray = auditedAs(world, 'denial').filter(({ of }) => of === 'identity')
    expect(stray).toHaveLength(MAX_CODES_AN_HOUR)
    expect(states(world)).toEqual(['asked'])
    await says(world, BOB, codeFor(begun, BOB))
    expect(world.shell.identities.list()[0]?.ends[0]?.proved).toBe(true)
  })

  it('counts though no template takes messages of its channel', async () => {
    const world = linkWorld({ paired: [BOB] })
    const begun = await started(world)
    expect(await says(world, BOB, codeFor(begun, BOB))).toBe('template_none_matches')
    expect(world.shell.identities.list()[0]?.ends[0]?.proved).toBe(true)
  })
})

describe('a hostile model', () => {
  const plan = (tool: string, args = {}) =>
    JSON.stringify({ steps: [{ id: 's1', do: 'tool', tool, args }], explanation: '' })

  it.each(['admin.link', 'admin.identities', 'identity.link', 'memory.link', 'identities.start'])(
    'cannot plan %s',
    async (tool) => {
      const world = linkWorld({ plan: plan(tool, { one: BOB, other: U1 }) })
      await world.say('do the unusual thing')
      expect(states(world)).toEqual([])
      expect(world.calls).toEqual([])
    },
  )

  it('cannot say a code: what it writes is an answer, never a message', async () => {
    const disk = createDisk()
    const text = codeFor(await started(linkWorld({ disk }), OWNER, BOB), OWNER)
    const world = linkWorld({ disk, plan: plan('message.reply', { text }) })
    await world.say('do the unusual thing')
    const { id } = await onlyOne(world)
    await answer(world, id)
    expect(world.heard()).toBe(text)
    expect(world.shell.identities.list()[0]?.ends[0]?.proved).toBe(false)
  })
})

describe('a restart', () => {
  it('in the middle loses nothing and repeats nothing', async () => {
    const disk = createDisk()
    const begun = await started(linkWorld({ disk }))
    await says(linkWorld({ disk }), BOB, codeFor(begun, BOB))
    // The card cannot go out, and the process ends.
    const broken = linkWorld({
      disk,
      send: ({ kind }) =>
        kind === 'card'
          ? { ok: false, reason: { code: 'network_failed', facts: {} } }
          : { ok: true, value: true },
    })
    await says(broken, U1, codeFor(begun, U1))
    expect(await waiting(broken)).toEqual([])
    expect(states(broken)).toEqual(['proven'])
    const after = linkWorld({ disk })
    expect(await after.shell.tick()).not.toBeNull()
    expect((await onlyOne(after)).id).toBe(`${begun.link}l`)
    expect(await answer(linkWorld({ disk }), `${begun.link}l`, { message: 'm2' })).toBe('ok')
    expect(states(linkWorld({ disk }))).toEqual(['live'])
  })
})

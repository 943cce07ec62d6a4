/**
 * How somebody becomes paired, and stops being it (B-03, B-04): invited at home, agreed to in another
 * message, by a code that is good once, for a while, in one person's chat; told to the owner, listed, taken
 * back at once; and nothing else makes anybody paired.
 */
import { describe, expect, it } from 'vitest'
import { FIRST_WAIT } from '../../kernel/features/deliveries/waiting-line.ts'
import { MAX_ALL_GUESSES_AN_HOUR, MAX_GUESSES_AN_HOUR } from '../../kernel/features/people/invitations.ts'
import { invitationInMessage } from '../../kernel/task/agreement.ts'
import { answer, auditedAs, OWNER, onlyOne, waiting } from './approvals-owner.ts'
import { BOB, CHATS, EVE, linked, ME, says, U1 } from './linked.ts'
import { invited, opened, peopleWorld, statesOf, TERMS } from './people.ts'
import { createDisk, scriptedModel, type World } from './world.ts'

const HOUR = 3_600_000
const THANKS = 'Thank you. If that code was meant for you and this chat, I have noted it.'
const WELCOME = 'Welcome. From now on I know you here, and do what was agreed with you.'

const whys = (world: World) =>
  auditedAs(world, 'denial').flatMap(({ of, why, code }) => (of === 'agreement' ? [why ?? code] : []))

const classes = (world: World, principal: string) =>
  world.audited.flatMap(({ kind, principal: of, facts }) =>
    kind === 'task_created' && of === principal ? [facts['class']] : [],
  )

describe('an invitation', () => {
  it.each([
    ['by somebody else', { ...ME, principal: BOB }, {}, 'approval_wrong_principal'],
    ['at the edge', { ...ME, place: 'edge' as const }, {}, 'approval_place_too_low'],
    ['without a name', ME, { name: ' ' }, 'field_malformed'],
    ['for ever', ME, { days: 366 }, 'field_malformed'],
    ['with a code that is good for more than a week', ME, { hours: 169 }, 'field_malformed'],
    ['to nothing', ME, { templates: [] }, 'template_none_matches'],
    ['to what is not there', ME, { templates: ['paired_scheduling', 'x'] }, 'template_none_matches'],
    ['to what is for strangers', ME, { templates: ['scheduling'] }, 'template_none_matches'],
    ['to what is the owner’s', ME, { templates: ['owner_private'] }, 'template_none_matches'],
  ] as const)('%s is refused', async (_, proposer, terms, code) => {
    const world = peopleWorld()
    const put = await world.shell.people.invite(proposer, { ...TERMS, ...terms })
    expect(put).toMatchObject({ reason: { code } })
    expect(await waiting(world)).toEqual([])
    expect((await statesOf(world)).filter((state) => state !== 'ended')).toEqual([])
  })

  it('wants a yes in another message, which says what it widens', async () => {
    const world = peopleWorld()
    const { approval, say, agreement } = await invited(world)
    const view = await onlyOne(world)
    expect(view).toMatchObject({ id: approval, kind: 'admin_change', tool: 'admin.pair' })
    for (const part of ['to be Sarah', 'paired_scheduling', 'calendar.freebusy', 'pfar people revoke'])
      expect(view.card).toContain(part)
    expect(view.card).not.toContain(say.slice(5))
    expect(await answer(world, approval)).toBe('approval_step_up')
    expect(await answer(world, approval, { message: 'm1' })).toBe('approval_step_up')
    await says(world, BOB, say)
    expect([await statesOf(world), whys(world)]).toEqual([['asked'], ['not_agreed']])
    expect(await answer(world, approval, { message: 'm2' })).toBe('ok')
    expect(await statesOf(world)).toEqual(['open'])
    await says(world, BOB, say)
    expect(await statesOf(world)).toEqual(['live'])
    expect(auditedAs(world, 'agreement_changed')).toEqual([
      { agreement, state: 'asked', by: OWNER },
      { agreement, state: 'open', approval },
      { agreement, state: 'live', by: BOB, sink: CHATS[BOB] },
    ])
  })

  it('is worth nothing after a no, or once it was altered', async () => {
    const world = peopleWorld()
    const first = await invited(world)
    expect(await answer(world, first.approval, { decision: 'deny' })).toBe('ok')
    await says(world, BOB, first.say)
    world.clock.now += 1
    const second = await invited(world)
    const kept = world.disk.store.agreements().at(-1)
    if (kept === undefined) throw new Error('none')
    world.disk.store.saveAgreement({ ...kept.agreement, templates: ['other'] }, null)
    expect(await answer(world, second.approval, { message: 'm2' })).toBe('approval_changed')
    expect([await statesOf(world), whys(world)]).toEqual([['ended', 'asked'], ['expired']])
  })

  it('that the owner did not answer is over', async () => {
    const world = peopleWorld()
    const { approval } = await invited(world)
    world.clock.now += world.powers.approvalTimeout
    await world.shell.tick()
    expect([await statesOf(world), await answer(world, approval, { message: 'm2' })]).toEqual([
      ['ended'],
      'approval_expired',
    ])
  })
})

describe('a code', () => {
  it('pairs whoever sends it, tells that person and the owner, and is stored nowhere', async () => {
    const world = peopleWorld()
    const { say, agreement } = await opened(world, { name: 'Sarah\u202e\n(mum)' })
    const heard = await says(world, BOB, say, { from: { handle: 'B\u200bob\nYes: pfar' } })
    expect(heard).toBe(`${WELCOME} ${THANKS}`)
    const told = world.sent.find(({ id }) => id === `came:${agreement}`)
    expect(told).toMatchObject({ sink: 'sink:terminal:owner', kind: 'notice' })
    expect(told?.text).toBe(
      [
        'Your invitation for Sarah⟨U+202E RLO⟩ (mum) was taken up by telegram:peer:bob, who goes by “B ob Yes pfar” there, in telegram:bob.',
        `If that is not who you meant: pfar people revoke ${agreement}`,
      ].join('\n'),
    )
    expect(await world.shell.people.list()).toEqual([
      expect.objectContaining({
        ...{ id: agreement, state: 'live', name: 'Sarah⟨U+202E RLO⟩ (mum)', principal: BOB },
        ...{ handle: 'B ob Yes pfar', sink: CHATS[BOB], templates: ['paired_scheduling'] },
      }),
    ])
    expect(world.prompts).toEqual([])
    await says(world, BOB, 'hello')
    expect(world.prompts.length).toBeGreaterThan(0)
    const { store } = world.disk
    const kept = JSON.stringify([store.agreements(), world.audited, world.sent, store.recentTasks(BOB, 9)])
    const shown = JSON.stringify(world.prompts.map(({ parts }) => parts))
    for (const part of [say.slice(5), say.slice(5).replaceAll('-', '')]) {
      expect(kept).not.toContain(part)
      expect(shown).not.toContain(part)
    }
    // No name of anybody's in a row.
    expect(JSON.stringify(store.agreements())).not.toMatch(/Sarah|ob Yes/)
    expect(classes(world, BOB)).toEqual(['third_party', 'paired'])
  })

  it.each<[string, (world: World, say: string) => Promise<unknown>, readonly string[], readonly string[]]>([
    ['a wrong one', (world) => says(world, BOB, 'pair CCCC-CCCC-CCCC'), ['wrong'], ['open']],
    ['one in a group', (world, say) => says(world, BOB, say, GROUP), ['not_a_person'], ['open']],
    ['the owner’s own', (world, say) => says(world, OWNER, say), ['not_a_person'], ['open']],
    [
      'one that another has used',
      (world, say) => says(world, BOB, say).then(() => says(world, EVE, say)),
      ['used'],
      ['live'],
    ],
    [
      'one of its time that is over',
      async (world, say) => {
        world.clock.now += 24 * HOUR
        await says(world, BOB, say)
      },
      ['expired'],
      ['ended'],
    ],
    [
      'one that was taken back',
      async (world, say) => {
        const [first] = await world.shell.people.list()
        await world.shell.people.revoke(first?.id ?? '', OWNER)
        await says(world, BOB, say)
      },
      ['revoked'],
      ['revoked'],
    ],
  ])('%s is refused, and its sender hears what everybody hears', async (_, act, why, states) => {
    const world = peopleWorld()
    const { say } = await opened(world)
    await act(world, say)
    expect([whys(world), await statesOf(world)]).toEqual([why, states])
    const strangers = world.sent.filter(({ sink }) => sink !== CHATS[OWNER]).map(({ text }) => text)
    expect(strangers.filter((text) => text !== THANKS && text !== WELCOME)).toEqual([])
    expect(strangers.filter((text) => text === WELCOME)).toHaveLength(states.includes('live') ? 1 : 0)
  })

  it('that two say at once pairs one of them', async () => {
    const world = peopleWorld()
    const { say } = await opened(world)
    await Promise.all([BOB, EVE].map((who) => says(world, who, say)))
    expect([await statesOf(world), whys(world)]).toEqual([['live'], ['used']])
  })

  it('that comes twice under one id counts once', async () => {
    const world = peopleWorld()
    const { say } = await opened(world)
    for (let n = 0; n < 2; n += 1) await says(world, BOB, say, { id: 'same' })
    expect([await statesOf(world), whys(world)]).toEqual([['live'], []])
  })

  it('counts where no template takes messages of strangers, who hear nothing', async () => {
    const world = peopleWorld()
    const { say } = await opened(world)
    const from = { adapter: 'signal', user: 'kim', chat: 'kim', group: false }
    expect(await says(world, BOB, say, { from })).toBe('template_none_matches')
    expect(await says(world, BOB, 'pair CCCC-CCCC-CCCC', { from })).not.toContain('template')
    expect(await world.shell.people.list()).toMatchObject([{ principal: 'principal:signal:peer:kim' }])
  })

  it('is looked at so many times an hour, of one and of all, and a flood leaves one line', async () => {
    const world = peopleWorld()
    const { say } = await opened(world)
    for (let n = 0; n < MAX_GUESSES_AN_HOUR + 5; n += 1) await says(world, EVE, 'pair CCCC-CCCC-CCCC')
    expect(whys(world)).toEqual([...Array(MAX_GUESSES_AN_HOUR).fill('wrong'), 'remote_rate_limited'])
    await says(world, EVE, say)
    expect(await statesOf(world)).toEqual(['open'])
    for (let n = 0; n < MAX_ALL_GUESSES_AN_HOUR; n += 1)
      await world.shell.people.heardAtEdge({
        ...{ event: `e${n}`, principal: `principal:telegram:peer:n${n}`, sink: `sink:telegram:n${n}` },
        ...{ code: 'CCCC-CCCC-CCCC', as: 'person' },
      })
    expect(whys(world)).toHaveLength(MAX_ALL_GUESSES_AN_HOUR + 1)
    await says(world, BOB, say)
    expect(await statesOf(world)).toEqual(['open'])
    // It was not used up by those who guessed.
    world.clock.now += HOUR
    await says(world, BOB, say)
    expect(await statesOf(world)).toEqual(['live'])
  })

  it.each([
    ['pair abcd-efgh-jkmn', true],
    ['/start ABCD-EFGH-JKMN', true],
    ['/pair@my_bot ABCD-EFGH-JKMN', true],
    [' ABCD-EFGH-JKM2 ', true],
    ['0151-2345-6789', false],
    ['link ABCD-EFGH-JKMN', false],
    ['my code is ABCD-EFGH-JKMN', false],
    ['pair ABCD-EFGH', false],
  ])('%s is one: %s', (text, isCode) => {
    expect(invitationInMessage(text) !== null).toBe(isCode)
  })
})

const GROUP = { from: { group: true, chat: 'g1' } }

describe('a paired person', () => {
  it('is a stranger from the next message on once the agreement is taken back, also after a restart', async () => {
    const disk = createDisk()
    const world = peopleWorld({ disk })
    const { say, agreement } = await opened(world)
    await says(world, BOB, say)
    await says(world, BOB, 'hello')
    expect(await world.shell.people.revoke(agreement, BOB)).toMatchObject({
      reason: { code: 'approval_wrong_principal' },
    })
    const revoked = await world.shell.people.revoke(agreement, OWNER)
    expect(revoked).toEqual({ ok: true, value: { agreement, wasLive: true } })
    await says(world, BOB, 'hello again')
    const later = peopleWorld({ disk })
    await says(later, BOB, 'and now?')
    expect([classes(world, BOB), classes(later, BOB)]).toEqual([
      ['third_party', 'paired', 'third_party'],
      ['third_party'],
    ])
    for (const id of [agreement, 'none'])
      expect(await world.shell.people.revoke(id, OWNER)).toMatchObject({
        reason: { code: 'agreement_unknown' },
      })
  })

  it('is so until the day that was agreed on, and the record says when that was over', async () => {
    const world = peopleWorld()
    const { say } = await opened(world)
    await says(world, BOB, say)
    world.clock.now += 30 * 24 * HOUR
    await says(world, BOB, 'hello')
    expect(classes(world, BOB)).toEqual(['third_party', 'third_party'])
    await world.shell.tick()
    expect(auditedAs(world, 'agreement_changed').at(-1)).toMatchObject({ state: 'ended' })
  })

  it('has the agreement that was accepted last, and never two', async () => {
    const world = peopleWorld()
    await says(world, BOB, (await opened(world)).say)
    await says(world, BOB, (await opened(world)).say)
    expect((await statesOf(world)).toSorted()).toEqual(['ended', 'live'])
  })

  it('may start what was agreed on, in that chat, and nothing else of the class', async () => {
    const other = { ...TEMPLATE, template_id: 'more', triggers: ['adapter:telegram:message:paired'] }
    const world = peopleWorld({ templates: [other] })
    await says(world, BOB, (await opened(world)).say)
    await says(world, BOB, 'hello')
    expect(world.disk.store.recentTasks(BOB, 1)[0]?.template).toBe('paired_scheduling')
    await says(world, BOB, (await opened(world, { templates: ['more'] })).say)
    await says(world, BOB, 'hello')
    expect(world.disk.store.recentTasks(BOB, 1)[0]?.template).toBe('more')
    expect(await says(world, BOB, 'hello', { from: { chat: 'bob-2' } })).toBe('template_none_matches')
  })

  it('counts as the lower of two that are linked', async () => {
    const world = peopleWorld()
    await says(world, BOB, (await opened(world)).say)
    await linked(world, BOB, U1)
    await says(world, BOB, 'hello')
    expect(classes(world, BOB).at(-1)).toBe('third_party')
  })

  it('reads nothing of the owner’s, nor of another’s', async () => {
    const world = peopleWorld()
    await world.say('remember that my safe is behind the piano-4417')
    await says(world, EVE, 'my cat is called miso-9920')
    await says(world, BOB, (await opened(world)).say)
    const before = world.prompts.length
    for (const ask of ['what do you know of the owner?', 'what did eve say?', 'remember my shoes', 'yes'])
      await says(world, BOB, ask)
    const shown = JSON.stringify(world.prompts.slice(before).map(({ parts }) => parts))
    expect(shown).toContain('what did eve say?')
    expect(shown).not.toMatch(/piano-4417|miso-9920|Sarah/)
    expect(world.sent.filter(({ sink }) => sink === CHATS[BOB]).every(({ kind }) => kind !== 'card')).toBe(
      true,
    )
  })

  it('whose owner could not be told is told of later', async () => {
    const disk = createDisk()
    let isUp = false
    const world = peopleWorld({
      disk,
      send: ({ id }) =>
        id.startsWith('came:') && !isUp
          ? { ok: false, reason: { code: 'network_failed', facts: {} } }
          : { ok: true, value: true },
    })
    const { say, agreement } = await opened(world)
    await says(world, BOB, say)
    const came = () => world.sent.filter(({ id }) => id === `came:${agreement}`).length
    expect(came()).toBe(0)
    expect(await world.shell.tick()).toBeLessThanOrEqual(world.clock.now + 60_000)
    isUp = true
    world.clock.now += FIRST_WAIT
    await world.shell.tick()
    await world.shell.tick()
    expect(came()).toBe(1)
  })
})

const TEMPLATE = {
  template_id: 'friends',
  triggers: ['adapter:telegram:message:paired'],
  principal_class: 'paired',
  description: 'Somebody whom the owner knows.',
  planner_task_description: 'Somebody whom the owner knows.',
  allowed_tools: ['calendar.freebusy', 'message.reply'],
  max_tool_calls: 3,
  max_tokens_plan: 500,
  max_tokens_synthesize: 500,
  output_sinks: ['reply_to_sender'],
  data_ceiling: 'internal',
}

describe('work of a paired person', () => {
  const day = (n: number) => ({ from: `2026-11-2${n}T08:00:00Z`, to: `2026-11-2${n}T18:00:00Z` })
  const PLAN = JSON.stringify({
    steps: [1, 2].map((n) => ({ id: `s${n}`, do: 'tool', tool: 'calendar.freebusy', args: day(n + 2) })),
    explanation: '',
  })
  const FIELDS = ['slots[].busy', 'slots[].from', 'slots[].to']

  /** Takes the agreement back while this is under way; what was called and said after that. */
  async function revokedWhile(doing: string) {
    let revoke: (what: string) => void = () => undefined
    const model = scriptedModel('slow', ({ parts }) => {
      revoke(parts.purpose)
      return parts.purpose === 'plan' ? PLAN : 'the answer'
    })
    const freebusy = () => {
      revoke('call')
      return { ok: true, output: { slots: [] } } as const
    }
    const world = peopleWorld({ models: [model], tools: { 'calendar.freebusy': freebusy } })
    const terms = { template: 'paired_scheduling', action: 'calendar.freebusy', fields: FIELDS }
    const put = await world.ports.grants.allow(ME, { ...terms, daysAhead: 14, days: 30, perDay: 9 })
    expect(put.ok && (await answer(world, put.value.approval, { message: 'm3' }))).toBe('ok')
    const { say, agreement } = await opened(world)
    await says(world, BOB, say)
    revoke = (what) => void (what === doing && world.shell.people.revoke(agreement, OWNER))
    const heard = await says(world, BOB, 'find me a day with two of them')
    const [task] = world.disk.store.recentTasks(BOB, 1)
    const asked = [...new Set(world.prompts.map(({ parts }) => parts.purpose))]
    return { heard, state: task?.state, calls: world.calls.length, asked }
  }

  it.each([
    ['plan', 0, ['plan']],
    ['call', 1, ['plan']],
    ['synthesize', 2, ['plan', 'synthesize']],
  ])('that is cut off in a %s goes no further, and says nothing', async (doing, calls, asked) => {
    expect(await revokedWhile(doing)).toEqual({
      ...{ heard: '', calls, asked },
      state: { at: 'failed', reason: { code: 'agreement_ended', facts: { template: 'paired_scheduling' } } },
    })
  })

  it('goes on where nobody takes anything back', async () => {
    expect(await revokedWhile('nothing')).toMatchObject({ heard: 'the answer', calls: 2 })
  })
})

/** The owner lists, corrects and deletes remembered facts, at both places (E-20). */
import { describe, expect, it } from 'vitest'
import { consolidate } from '../../kernel/features/memory/consolidate.ts'
import { UNDO_WITHIN } from '../../kernel/features/memory/entries.ts'
import { takeOpenMemory } from '../../kernel/features/memory/open-memory.ts'
import { createShell } from '../../kernel/runtime/shell.ts'
import { mailTools } from './mailbox.ts'
import { createWorld, type World } from './world.ts'

const AT_HOME = { principal: 'principal:owner', sink: 'sink:terminal:owner' }
const AT_EDGE = { principal: 'principal:owner', sink: 'sink:openline:owner' }

const textsOf = async ({ ports }: World, asking = AT_HOME): Promise<readonly string[]> =>
  (await ports.memory.list(asking)).filter(({ kind }) => kind === 'fact').map(({ text }) => text)

const idOf = async ({ ports }: World, text: string, asking = AT_HOME): Promise<string> =>
  (await ports.memory.list(asking)).find((kept) => kept.text === text)?.id ?? 'none'

async function pass(edge: World, home: World): Promise<void> {
  for (const memory of edge.told.splice(0)) await takeOpenMemory(home.powers, memory)
}

describe('what is remembered', () => {
  it('is listed newest first, facts before results, with label and origin', async () => {
    const world = createWorld({ tools: mailTools() })
    await world.say('remember that the locker is 12')
    world.clock.now += 1_000
    await world.say('remember that tea is at four')
    await world.say('check my email')
    const kept = await world.ports.memory.list(AT_HOME)
    expect(kept.map(({ kind, tool, label, told }) => [kind, tool, label, told])).toEqual([
      ['fact', null, 'sensitive', false],
      ['fact', null, 'sensitive', false],
      ['result', 'email.list', 'sensitive', false],
    ])
    expect(kept.map(({ text }) => text).slice(0, 2)).toEqual(['tea is at four', 'the locker is 12'])
  })

  it('is not shown through a sink that is not cleared for it, nor to anybody else', async () => {
    const world = createWorld({ tools: mailTools() })
    await world.say('remember that the locker is 12')
    expect(await world.ports.memory.list({ ...AT_HOME, sink: 'sink:openline:owner' })).toEqual([])
    expect(await world.ports.memory.list({ ...AT_HOME, sink: 'sink:unknown:owner' })).toEqual([])
    expect(await world.ports.memory.list({ ...AT_HOME, principal: 'third_party:telegram:1' })).toEqual([])
  })

  it('is corrected with no key that was pasted (L-17), and not once it was forgotten meanwhile', async () => {
    const world = createWorld()
    await world.say('remember that the locker is 12')
    const id = await idOf(world, 'the locker is 12')
    const pasted = `the key is ghp_${'aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3z56'}`
    const { memory: entries } = world.ports
    expect(await entries.correct(AT_HOME, id, pasted)).toMatchObject({ reason: { code: 'secret_pasted' } })
    const [corrected, forgotten] = await Promise.all([
      entries.correct(AT_HOME, id, 'the locker is 13'),
      entries.forget(AT_HOME, id),
    ])
    expect([corrected.ok, forgotten.ok]).toEqual([false, true])
    expect(await textsOf(world)).toEqual([])
  })

  it('is gone when it is forgotten: row, sealed bytes, and what a search finds', async () => {
    const world = createWorld()
    await world.say('remember that the locker is lantern-12')
    const ref = world.disk.store.facts(AT_HOME.principal, 1)[0]?.ref.id ?? ''
    expect(world.disk.store.getSealed(ref)).not.toBeNull()
    const id = await idOf(world, 'the locker is lantern-12')
    expect(await world.ports.memory.forget(AT_HOME, id)).toEqual({ ok: true, value: { told: false } })
    expect(world.disk.store.facts(AT_HOME.principal, 1)).toEqual([])
    world.clock.now += UNDO_WITHIN
    await world.shell.tick()
    expect(world.disk.store.getSealed(ref)).toBeNull()
    await world.say('what do you know about the locker?')
    expect(world.heard()).not.toContain('lantern-12')
    expect(world.audited.filter(({ kind }) => kind === 'memory_changed').map(({ facts }) => facts)).toEqual([
      { what: 'fact', tool: null, change: 'forgotten', by: AT_HOME.principal, record: ref },
    ])
  })

  it('forgets a result as well, and no planner refers to it any more', async () => {
    const world = createWorld({ tools: mailTools() })
    await world.say('check my email')
    const [result] = await world.ports.memory.list(AT_HOME)
    expect((await world.ports.memory.forget(AT_HOME, result?.id ?? '')).ok).toBe(true)
    expect(world.disk.store.workingMemory(AT_HOME.principal, 5)).toEqual([])
  })

  it('is corrected in the owner’s own words', async () => {
    const world = createWorld()
    await world.say('remember that the locker is 12')
    const id = await idOf(world, 'the locker is 12')
    expect((await world.ports.memory.correct(AT_HOME, id, 'the locker is 13')).ok).toBe(true)
    expect(await textsOf(world)).toEqual(['the locker is 13'])
    const [fact] = world.disk.store.facts(AT_HOME.principal, 5)
    expect([fact?.ref.taint.level, fact?.ref.label.atoms.map(({ level }) => level)]).toEqual([
      'clean',
      ['sensitive'],
    ])
  })

  it.each([
    ['memory_unknown', 'an unknown one', 'f0', 'x'],
    ['tool_arguments_invalid', 'no words', null, ' '],
    ['tool_arguments_invalid', 'too many words', null, 'x'.repeat(2_001)],
  ] as const)('refuses with %s: %s', async (code, _, id, text) => {
    const world = createWorld()
    await world.say('remember that the locker is 12')
    const known = id ?? (await idOf(world, 'the locker is 12'))
    const done = await world.ports.memory.correct(AT_HOME, known, text)
    expect(done.ok ? null : done.reason.code).toBe(code)
    expect(await textsOf(world)).toEqual(['the locker is 12'])
  })

  it('never lets the owner reword a stored result', async () => {
    const world = createWorld({ tools: mailTools() })
    await world.say('check my email')
    const [result] = await world.ports.memory.list(AT_HOME)
    const done = await world.ports.memory.correct(AT_HOME, result?.id ?? '', 'you have no mail')
    expect(done.ok ? null : done.reason.code).toBe('memory_unknown')
  })
})

describe('a number', () => {
  const numbersOf = async ({ ports }: World) =>
    (await ports.memory.list(AT_HOME)).map(({ number, text }) => `${number} ${text}`)
  const remember = async (world: World, ...texts: readonly string[]) => {
    for (const text of texts) {
      world.clock.now += 1_000
      await world.say(`remember that ${text}`)
    }
  }

  it('names the same entry for ever, is never given again, and says of a forgotten one that it is gone', async () => {
    const world = createWorld()
    await remember(world, 'the locker is 12', 'nuts make me ill')
    expect(await numbersOf(world)).toEqual(['2 nuts make me ill', '1 the locker is 12'])
    const { memory: entries } = world.ports
    await entries.forget(AT_HOME, await idOf(world, 'the locker is 12'))
    await remember(world, 'tea is at four')
    expect(await numbersOf(world)).toEqual(['3 tea is at four', '2 nuts make me ill'])
    expect(await entries.find(AT_HOME, '1')).toMatchObject({ reason: { code: 'memory_gone' } })
    expect(await entries.find(AT_HOME, '9')).toMatchObject({ reason: { code: 'memory_unknown' } })
    expect(await entries.find(AT_HOME, '2')).toMatchObject({ value: { text: 'nuts make me ill' } })
    // Also when the newest one went, and its number with it.
    await entries.forget(AT_HOME, await idOf(world, 'tea is at four'))
    world.clock.now += UNDO_WITHIN
    await world.shell.tick()
    await remember(world, 'the plumber is Ann')
    expect(await numbersOf(world)).toEqual(['4 the plumber is Ann', '2 nuts make me ill'])
  })

  it('goes on with the correction of its entry, and with what several facts became', async () => {
    const world = createWorld()
    await remember(world, 'my locker is 12', 'my locker is 14')
    expect(await numbersOf(world)).toEqual(['2 my locker is 14', '1 my locker is 12'])
    await consolidate(world.powers, AT_HOME.principal)
    expect(await numbersOf(world)).toEqual([expect.stringMatching(/^2 my locker is 14/)])
    const { memory: entries } = world.ports
    const found = await entries.find(AT_HOME, '2')
    await entries.correct(AT_HOME, found.ok ? found.value.id : '', 'my locker is 15')
    expect(await numbersOf(world)).toEqual(['2 my locker is 15'])
  })
})

describe('what was forgotten', () => {
  const forgotten = async (world: World, text: string) => {
    await world.say(`remember that ${text}`)
    const [fact] = world.disk.store.facts(AT_HOME.principal, 1)
    const [shown] = await world.ports.memory.list(AT_HOME)
    await world.ports.memory.forget(AT_HOME, shown?.id ?? '')
    return { fact, shown }
  }

  it('is brought back within ten minutes as it was: number, label, taint and time', async () => {
    const world = createWorld()
    const { fact, shown } = await forgotten(world, 'the locker is 12')
    world.clock.now += UNDO_WITHIN - 1
    await world.shell.tick()
    expect(await world.ports.memory.undo(AT_HOME, null)).toEqual({ ok: true, value: shown })
    expect(world.disk.store.facts(AT_HOME.principal, 1)).toEqual([fact])
    // It stays: what was to end its bytes is over.
    world.clock.now += UNDO_WITHIN
    await world.shell.tick()
    expect(await textsOf(world)).toEqual(['the locker is 12'])
    expect(await world.ports.memory.undo(AT_HOME, null)).toMatchObject({ reason: { code: 'memory_gone' } })
  })

  it('is gone for good after ten minutes, bytes and all, also over a restart', async () => {
    const world = createWorld()
    const { fact } = await forgotten(world, 'the locker is 12')
    world.clock.now += UNDO_WITHIN
    const again = createShell(world.powers)
    expect(await world.ports.memory.undo(AT_HOME, null)).toMatchObject({ reason: { code: 'memory_gone' } })
    expect(world.disk.store.nextExpiry()).toBe(world.clock.now)
    await again.tick()
    expect(world.disk.store.getSealed(fact?.ref.id ?? '')).toBeNull()
    expect(world.disk.store.forgotten(AT_HOME.principal, 0)).toEqual([])
  })

  it('is found by no search, planner or list meanwhile, and shown through no sink that is not cleared', async () => {
    const world = createWorld({ tools: mailTools() })
    await forgotten(world, 'the locker is 12')
    await world.say('check my email')
    const [result] = await world.ports.memory.list(AT_HOME)
    await world.ports.memory.forget(AT_HOME, result?.id ?? '')
    expect(world.disk.store.workingMemory(AT_HOME.principal, 5)).toEqual([])
    expect(await world.ports.memory.list(AT_HOME)).toEqual([])
    const open = { ...AT_HOME, sink: 'sink:openline:owner' }
    expect(await world.ports.memory.undo(open, null)).toMatchObject({ reason: { code: 'memory_gone' } })
    // By its number, whatever was forgotten after it; and results as well.
    expect(await world.ports.memory.undo(AT_HOME, 1)).toMatchObject({
      value: { text: 'the locker is 12' },
    })
    expect(await world.ports.memory.undo(AT_HOME, null)).toMatchObject({ value: { kind: 'result' } })
    expect(world.disk.store.workingMemory(AT_HOME.principal, 5)).toHaveLength(1)
  })

  it('at the edge is brought back at home, too', async () => {
    const [edge, home] = [createWorld({ place: 'edge' }), createWorld()]
    await edge.say('remember that tea is at four')
    await pass(edge, home)
    const id = await idOf(edge, 'tea is at four', AT_EDGE)
    const [before] = await edge.ports.memory.list(AT_EDGE)
    await edge.ports.memory.forget(AT_EDGE, id)
    await pass(edge, home)
    expect(await textsOf(home)).toEqual([])
    const back = await edge.ports.memory.undo(AT_EDGE, before?.number ?? 0)
    expect(back).toMatchObject({ value: { number: before?.number, text: 'tea is at four' } })
    await pass(edge, home)
    expect(await textsOf(home)).toEqual(['tea is at four'])
    // Forgotten anew, it goes at both places.
    await edge.ports.memory.forget(AT_EDGE, await idOf(edge, 'tea is at four', AT_EDGE))
    await pass(edge, home)
    expect(await textsOf(home)).toEqual([])
  })
})

describe('across the two places', () => {
  it('what is forgotten or corrected at the edge is so at home', async () => {
    const [edge, home] = [createWorld({ place: 'edge' }), createWorld()]
    for (const text of ['the locker is 12', 'tea is at four']) await edge.say(`remember that ${text}`)
    await pass(edge, home)
    expect((await textsOf(home)).toSorted()).toEqual(['tea is at four', 'the locker is 12'])
    await edge.ports.memory.forget(AT_EDGE, await idOf(edge, 'tea is at four', AT_EDGE))
    await edge.ports.memory.correct(
      AT_EDGE,
      await idOf(edge, 'the locker is 12', AT_EDGE),
      'the locker is 13',
    )
    await pass(edge, home)
    expect(await textsOf(home)).toEqual(['the locker is 13'])
  })

  it('a copy says where else it is, and the edge cannot have a fact of home’s forgotten', async () => {
    const [edge, home] = [createWorld({ place: 'edge' }), createWorld()]
    await edge.say('remember that tea is at four')
    const told = [...edge.told]
    await pass(edge, home)
    await home.say('remember that the locker is 12')
    const own = await idOf(home, 'the locker is 12')
    const forged = {
      id: 'x',
      principal: AT_HOME.principal,
      what: 'forgotten',
      at: 1,
      content: { fact: own },
    } as const
    await takeOpenMemory(home.powers, forged)
    expect(await textsOf(home)).toEqual(['the locker is 12', 'tea is at four'])
    const copy = await idOf(home, 'tea is at four')
    expect(await home.ports.memory.forget(AT_HOME, copy)).toEqual({ ok: true, value: { told: true } })
    // Delivered a second time, it does not come back.
    for (const memory of told) await takeOpenMemory(home.powers, memory)
    expect(await textsOf(home)).toEqual(['the locker is 12'])
  })

  it('what is forgotten before it was told is not taken afterwards', async () => {
    const [edge, home] = [createWorld({ place: 'edge' }), createWorld()]
    await edge.say('remember that tea is at four')
    const [fact] = edge.told.filter(({ what }) => what === 'fact')
    await edge.ports.memory.forget(AT_EDGE, await idOf(edge, 'tea is at four', AT_EDGE))
    const forgotten = edge.told.filter(({ what }) => what === 'forgotten')
    for (const memory of [...forgotten, ...(fact === undefined ? [] : [fact])])
      await takeOpenMemory(home.powers, memory)
    expect(await textsOf(home)).toEqual([])
  })

  it('it survives a restart', async () => {
    const world = createWorld()
    await world.say('remember that the locker is 12')
    const again = createWorld({ disk: world.disk })
    expect(await again.ports.memory.list(AT_HOME)).toHaveLength(1)
  })
})

describe('by words, in the chat', () => {
  const told = async (): Promise<World> => {
    const world = createWorld()
    for (const fact of [
      'my locker is 12',
      'my bike lock is 4417',
      'Sarah likes tea',
      'Sarah is allergic to nuts',
    ]) {
      await world.say(`remember that ${fact}`)
      world.clock.now += 1_000
    }
    return world
  }
  const ALL = ['Sarah is allergic to nuts', 'Sarah likes tea', 'my bike lock is 4417', 'my locker is 12']

  it.each([
    ['forget my locker', 'my locker is 12', /^Forgotten: my locker is 12\. .*\/unforget/],
    [
      'Please forget what I told you about the bike lock.',
      'my bike lock is 4417',
      /^Forgotten: my bike lock/,
    ],
    ['forget that Sarah likes tea', 'Sarah likes tea', /^Forgotten: Sarah likes tea/],
    ['forget that', 'Sarah is allergic to nuts', /^Forgotten: Sarah is allergic/],
    ['delete the nuts from your memory', 'Sarah is allergic to nuts', /^Forgotten: /],
  ])('“%s”', async (words, gone, answer) => {
    const world = await told()
    await world.say(words)
    expect(world.heard()).toMatch(answer)
    expect(await textsOf(world)).toEqual(ALL.filter((fact) => fact !== gone))
    await world.say('/unforget')
    expect(await textsOf(world)).toEqual(expect.arrayContaining([gone]))
  })

  it.each([
    ['forget Sarah', /more than one thing/],
    ['forget the harbour', /nothing of that kind/],
    ['forget the', /nothing of that kind/],
    ["don't forget my locker", null],
    ['forget my locker, and book lunch with Sarah tomorrow at 13:00', null],
    ['forget it', null],
  ])('“%s” forgets nothing', async (words, answer) => {
    const world = await told()
    await world.say(words)
    if (answer !== null) expect(world.heard()).toMatch(answer)
    expect(await textsOf(world)).toEqual(expect.arrayContaining(ALL))
  })

  it.each([
    ['that is wrong, it is 14', ['remember that my shoe size is 41'], 'my shoe size is 14'],
    ["Wrong, it's 14.", ['remember that my shoe size is 41'], 'my shoe size is 14'],
    ['correct that to 14', ['remember that the gate code is 41'], 'the gate code is 14'],
    ['/amend 1 13', ['/memory'], 'my locker is 13'],
    ['/amend 1 Room 13 B', ['/memory'], 'my locker is Room 13 B'],
  ])('“%s” puts in another value', async (words, before, after) => {
    const world = await told()
    for (const said of before) await world.say(said)
    await world.say(words)
    expect(world.heard()).toContain(`Corrected: ${after}`)
    expect(await textsOf(world)).toContain(after)
  })

  it('a fact without a value is not guessed at', async () => {
    const world = await told()
    await world.say('that is wrong, it is coffee')
    expect(world.heard()).toContain('/correct 3')
    expect(await textsOf(world)).toEqual(ALL)
  })

  it('names nothing to a sink that may not have it', async () => {
    const world = await told()
    const open = { ...AT_HOME, sink: 'sink:openline:owner' }
    expect(await world.ports.memory.find(open, 'my locker')).toMatchObject({
      reason: { code: 'memory_unknown' },
    })
    expect(await world.ports.memory.find(open, 'Sarah')).toMatchObject({ reason: { code: 'memory_unknown' } })
    expect(await world.ports.memory.find(open, 'that')).toMatchObject({ reason: { code: 'memory_unknown' } })
  })
})

/** "Forget everything about Mira": asked with what would go, then gone, results of earlier answers included (E-20). */
import { describe, expect, it } from 'vitest'
import { UNDO_WITHIN } from '../../kernel/features/memory/entries.ts'
import { mailTools } from './mailbox.ts'
import { createWorld, type World } from './world.ts'

const AT_HOME = { principal: 'principal:owner', sink: 'sink:terminal:owner' }
const MIRA = "my sister Mira's birthday is on the 3rd of May and she's allergic to nuts"

const textsOf = async ({ ports }: World): Promise<readonly string[]> =>
  (await ports.memory.list(AT_HOME)).filter(({ kind }) => kind === 'fact').map(({ text }) => text)

async function say(world: World, ...said: readonly string[]): Promise<void> {
  for (const one of said) {
    await world.say(one)
    world.clock.now += 1_000
    await world.shell.tick()
  }
}

async function told(): Promise<World> {
  const world = createWorld()
  await say(
    world,
    `remember that ${MIRA}`,
    'remember that my locker is 12',
    "remember that Mira's number is 0171 22",
  )
  return world
}

describe('everything about a topic', () => {
  it.each([
    ['forget everything about Mira', 'yes 1'],
    ['Forget all about Mira, please', 'yes 1'],
    ['forget what you know about mira', 'yes 1'],
    ['delete everything you know about my sister Mira', 'yes 1'],
    ['erase everything about Mira', 'yes 1'],
    ['vergiss alles über Mira', 'ja 1'],
    ['Vergiss bitte alles, was du über Mira weißt.', 'ja 1'],
    ['lösche alles, was du über Mira weißt', 'ja 1'],
  ])('“%s” shows what would go, and a yes forgets it', async (words, yes) => {
    const world = await told()
    await say(world, words)
    expect(world.heard()).toContain(MIRA)
    expect(world.heard()).not.toContain('locker')
    expect(await textsOf(world)).toHaveLength(3)
    await say(world, yes)
    // Of a topic of several words, what has all of them.
    const left = words.includes('sister') ? 2 : 1
    expect(await textsOf(world)).toHaveLength(left)
    expect(await textsOf(world)).not.toContain(MIRA)
    expect(await textsOf(world)).toContain('my locker is 12')
    await say(world, '/unforget')
    expect((await textsOf(world)).some((one) => one.includes('Mira'))).toBe(true)
  })

  it('its card bears what the facts on it bear', async () => {
    const world = await told()
    const facts = world.disk.store.facts(AT_HOME.principal, 5)
    await say(world, 'forget everything about Mira')
    const [asked] = world.disk.store.pendingApprovals(AT_HOME.principal)
    const origins = asked?.card.label.atoms.map(({ origin }) => origin) ?? []
    const own = facts.flatMap(({ ref }) => ref.label.atoms.map(({ origin }) => origin))
    expect(own.length).toBeGreaterThan(0)
    expect(origins).toEqual(expect.arrayContaining(own))
  })

  it('a no forgets nothing', async () => {
    const world = await told()
    await say(world, 'forget everything about Mira', 'no 1')
    expect(await textsOf(world)).toHaveLength(3)
  })

  it('forgets the results of earlier answers that name it, and their bytes after ten minutes', async () => {
    const world = createWorld({ tools: mailTools() })
    await say(world, 'check my email')
    const [result] = await world.ports.memory.list(AT_HOME)
    const name = /\b[A-Z][a-z]{3,}\b/.exec(result?.text ?? '')?.[0] ?? ''
    const ref = world.disk.store.workingMemory(AT_HOME.principal, 1)[0]?.ref.id ?? ''
    await say(world, `forget everything about ${name}`)
    expect(world.heard()).toMatch(/1 earlier result of mine/)
    await say(world, 'yes 1')
    expect(await world.ports.memory.list(AT_HOME)).toEqual([])
    world.clock.now += UNDO_WITHIN
    await world.shell.tick()
    expect(world.disk.store.getSealed(ref)).toBeNull()
  })

  it.each(['forget everything you know', 'vergiss alles über mich', 'forget everything about me'])(
    '“%s” is about all of it',
    async (words) => {
      const world = await told()
      await say(world, words)
      expect(world.heard()).toContain('my locker is 12')
      await say(world, 'yes 1')
      expect(await textsOf(world)).toEqual([])
    },
  )

  it('“forget everything” alone forgets nothing, and says how', async () => {
    const world = await told()
    await say(world, 'forget everything')
    expect(world.heard()).toContain('forget everything about me')
    expect(await textsOf(world)).toHaveLength(3)
  })

  it('nothing of the kind is remembered: it says so, and asks nothing', async () => {
    const world = await told()
    await say(world, 'forget everything about the harbour')
    expect(world.heard()).toMatch(/nothing of that kind/)
    expect(world.disk.store.pendingApprovals(null)).toEqual([])
  })

  it('names nothing to a sink that may not have it', async () => {
    const world = await told()
    const asked = await world.ports.memory.askForget({ ...AT_HOME, sink: 'sink:openline:owner' }, 'Mira')
    expect(asked).toMatchObject({ reason: { code: 'memory_unknown' } })
  })
})

describe('a German “vergiss”', () => {
  it.each([
    ['vergiss meinen locker', 'my locker is 12'],
    ['vergiss, dass my locker is 12', 'my locker is 12'],
    ['vergiss bitte den locker', 'my locker is 12'],
  ])('“%s”', async (words, gone) => {
    const world = await told()
    await say(world, words)
    expect(await textsOf(world)).not.toContain(gone)
    expect(await textsOf(world)).toHaveLength(2)
  })

  it.each(['vergiss es', 'vergiss das', 'vergiss das bitte'])(
    '“%s” forgets nothing that is remembered',
    async (words) => {
      const world = await told()
      await say(world, 'remind me tomorrow at 9 to call mum', words)
      expect(await textsOf(world)).toHaveLength(3)
      expect(world.heard()).not.toMatch(/nothing of that kind/)
    },
  )
})

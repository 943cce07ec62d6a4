/** What a search of memory finds, in which order, and what the audit says of what it may not find (A-04, A-21, B-20, E-19). */
import { describe, expect, it } from 'vitest'
import type { Level } from '../../kernel/flow/level.ts'
import { ownerWords, receive } from '../../kernel/flow/provenance.ts'
import { keepText } from '../../kernel/powers/sealed.ts'
import type { SealedRef } from '../../kernel/task/task.ts'
import { createWorld, scriptedModel, type World } from './world.ts'

const OWNER = 'principal:owner'

async function sealed(world: World, text: string, level: Level): Promise<SealedRef> {
  const keeping = { principal: OWNER, store: 'memory', until: null } as const
  return keepText(world.powers, keeping, receive(text, ownerWords('sink:openline:owner', level)))
}

/** Facts, the first the oldest. */
async function holding(world: World, facts: readonly (readonly [string, Level])[]): Promise<void> {
  for (const [at, [text, level]] of facts.entries()) {
    const ref = await sealed(world, text, level)
    world.disk.store.saveFact({ id: `f${at}`, principal: OWNER, ref, at })
  }
}

const denials = ({ audited }: World) =>
  audited.filter(({ kind }) => kind === 'denial').map(({ facts }) => facts)

describe('a search of memory', () => {
  it('is not hidden by what is above its ceiling, however much there is', async () => {
    const world = createWorld({ place: 'edge' })
    await holding(world, [['my locker is number 12', 'internal']])
    const ref = await sealed(world, 'the locker of the clinic', 'sensitive')
    for (let at = 1; at <= 600; at += 1)
      world.disk.store.saveFact({ id: `h${at}`, principal: OWNER, ref, at })
    await world.say('what do you know about my locker?')
    expect(world.heard()).toContain('my locker is number 12')
    expect(world.heard()).not.toContain('clinic')
    expect(denials(world)).toEqual([
      { code: 'ceiling_exceeded', what: 'memory.search', withheld: 600, labels: 'sensitive' },
    ])
  })

  it('without anything above its ceiling leaves no denial', async () => {
    const world = createWorld({ place: 'edge' })
    await holding(world, [['my locker is number 12', 'internal']])
    await world.say('what do you know about my locker?')
    expect(denials(world)).toEqual([])
  })

  it('is ranked by how many words match, then by age', async () => {
    const world = createWorld()
    const texts = [
      'locker of the gym: number 12',
      'number of the gym: 555',
      'locker at work',
      'a cat',
      'locker at home',
    ]
    await holding(
      world,
      texts.map((text) => [text, 'internal']),
    )
    const steps = [
      { id: 's1', do: 'tool', tool: 'memory.search', args: { query: 'locker locker gym number' } },
    ]
    const planner = scriptedModel('rules', ({ parts }) =>
      parts.purpose === 'plan' ? JSON.stringify({ steps, explanation: '' }) : 'done',
    )
    const asking = createWorld({ disk: world.disk, models: [planner] })
    await asking.say('please do the unusual thing')
    const [found] = asking.prompts.at(-1)?.parts.contents.filter(({ root }) => root === 's1') ?? []
    const { facts = [] } = (found?.content ?? {}) as { facts?: readonly { text: string }[] }
    expect(facts.map(({ text }) => text)).toEqual([
      'locker of the gym: number 12',
      'number of the gym: 555',
      'locker at home',
      'locker at work',
    ])
  })
})

it('working memory above the ceiling is not there for a plan: audited, and a step that names it fails', async () => {
  const world = createWorld()
  await world.say('remember that my locker is number 12')
  const ref = await sealed(world, 'from the clinic', 'sensitive')
  const entry = { turn: 1, principal: OWNER, task: 't', action: 'email.list', ref, at: 1 }
  world.disk.store.pushMemory([entry], { tasks: 10, archived: 10 })
  const steps = [{ id: 's1', do: 'tool', tool: 'memory.save', args: { text: { $ref: 'w1' } } }]
  const planner = scriptedModel('rules', ({ parts }) =>
    parts.purpose === 'plan' ? JSON.stringify({ steps, explanation: '' }) : 'done',
  )
  const low = createWorld({ place: 'edge', disk: world.disk, models: [planner] })
  const task = await low.say('please do the unusual thing')
  expect(denials(low)[0]).toEqual({
    ...{ code: 'ceiling_exceeded', what: 'memory', withheld: 1, labels: 'sensitive' },
  })
  expect((await low.shell.report(task))?.task.trouble).toBe('reference_unresolved')
})

describe('a day of the month', () => {
  const TOLD = [
    'the recital is on 14 March',
    'the plumber comes on the 14th',
    'der Termin ist am 14.3.2027',
    'the boat is at pier 14',
    'the boiler check is on the 15th',
  ] as const
  it.each(['what did I tell you about the 14th?', 'what do you know about the 14th?'])(
    '%s',
    async (asked) => {
      const world = createWorld()
      await holding(
        world,
        TOLD.map((text) => [text, 'sensitive'] as const),
      )
      await world.say(asked)
      for (const [at, text] of TOLD.entries())
        expect([text, world.heard().includes(text)]).toEqual([text, at < 3])
    },
  )
})

describe('conversations that are long past', () => {
  /** So many archived turns of small talk, and one of them, from 1, about the boiler; a day apart. */
  async function talked(turns: number, about: number): Promise<World> {
    const world = createWorld()
    const { store } = world.disk
    const small = await sealed(world, 'good morning to you', 'sensitive')
    const boiler = await sealed(world, 'the boiler man is called Herr Quast', 'sensitive')
    store.transaction(() => {
      for (let turn = 1; turn <= turns; turn += 1) {
        const at = world.clock.now - (turns - turn + 1) * 86_400_000
        const words = turn === about ? boiler : small
        store.appendTurn({ turn, principal: OWNER, task: `old${turn}`, words, answer: null, at })
      }
      store.beginAnew(OWNER)
    })
    return world
  }

  it.each([
    ['the newest page', 1_400, 1_390],
    ['the second page', 1_400, 700],
    ['the oldest of all', 1_400, 1],
  ])('are found on %s', async (_, turns, about) => {
    const world = await talked(turns, about)
    await world.say('what do you know about the boiler man?')
    expect(world.heard()).toContain('Quast')
  })

  it('are not looked through for longer than a search may take', async () => {
    const world = await talked(1_400, 1)
    let at = world.clock.now
    // Every look at the clock takes 300 ms.
    Object.defineProperty(world.clock, 'now', {
      get: () => {
        at += 300
        return at
      },
    })
    await world.say('what do you know about the boiler man?')
    expect(world.heard()).not.toContain('Quast')
  })
})

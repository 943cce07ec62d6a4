/** Facts that say the same, nearly the same, or another value: told to the owner, replaced by a yes alone, and never across labels (B-19, E-20). */
import { describe, expect, it } from 'vitest'
import { likeness } from '../../kernel/features/memory/likeness.ts'
import { ENTRIES_A_PAGE } from '../../kernel/features/memory/port.ts'
import type { Level } from '../../kernel/flow/level.ts'
import { ownerWords, provenanceOf, receive } from '../../kernel/flow/provenance.ts'
import { keepText } from '../../kernel/powers/sealed.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import { createWorld, scriptedModel, type World } from './world.ts'

const AT_HOME = { principal: OWNER_PRINCIPAL, sink: 'sink:terminal:owner' }

const facts = async ({ ports }: World): Promise<readonly string[]> =>
  (await ports.memory.list(AT_HOME)).filter(({ kind }) => kind === 'fact').map(({ text }) => text)

async function tell(world: World, ...said: readonly string[]): Promise<void> {
  for (const one of said) {
    await world.say(one)
    world.clock.now += 1_000
    await world.shell.tick()
  }
}

describe('two facts', () => {
  it.each([
    ['known', 'my locker is 14', 'locker number is 14'],
    ['known', 'my locker is 14', 'My locker is 14.'],
    ['known', 'mein Spind 14 ist', 'Spindnummer: 14'],
    ['other', 'my locker is 14', 'my locker is 12'],
    ['other', 'mein Spind ist 15', 'meine Spindnummer ist 14'],
    ['other', 'Sarah arrives on Thursday', 'Sarah arrives on Tuesday'],
    ['other', 'Sarah kommt am Donnerstag an', 'Sarah kommt am Dienstag an'],
    ['other', 'my car is blue', 'my car is not blue'],
    ['other', 'Sarah is 8', 'Sarah is 7'],
    ['near', 'Sarah does not like tea', 'Sarah likes tea'],
    ['near', 'the gym locker is 14', 'the locker is 14'],
    [null, 'Tom is vegetarian', 'Tom is my brother'],
    [null, 'my brother is 40', 'my brother is a doctor'],
    [null, 'Tom likes tea', 'Tom likes coffee'],
    [null, "Tom's birthday is 4 May", "Sarah's birthday is 4 May"],
  ] as const)('are %s: %s, %s', (expected, fresh, before) => {
    expect(likeness(fresh, before)).toBe(expected)
  })
})

describe.each([
  [
    'en',
    'remember that my locker is 12',
    'remember that my locker is 14',
    'yes',
    'no',
    'You said before: “my locker is 12”. Replace it with “my locker is 14”?',
  ],
  [
    'de',
    'merk dir, dass mein Spind 12 ist',
    'merk dir, dass mein Spind 14 ist',
    'ja',
    'nein',
    'mein Spind 12 ist',
  ],
] as const)('another value of what is remembered (%s)', (_, first, second, yes, no, asked) => {
  const [old, fresh] = [first, second].map((said) => said.replace(/^.*?(?=my |mein )/, ''))

  it('is told with the old one, which a yes forgets for ten minutes', async () => {
    const world = createWorld()
    await tell(world, first, second)
    expect(world.heard()).toContain(asked)
    expect(await facts(world)).toEqual([fresh, old])
    await tell(world, `${yes} 1`)
    expect(await facts(world)).toEqual([fresh])
    await tell(world, '/unforget')
    expect(await facts(world)).toEqual([fresh, old])
  })

  it('stays beside it after a no, and without an answer', async () => {
    const world = createWorld()
    await tell(world, first, second, `${no} 1`)
    expect(await facts(world)).toEqual([fresh, old])
    const silent = createWorld()
    await tell(silent, first, second)
    silent.clock.now += 3_600_000
    await silent.shell.tick()
    expect(await facts(silent)).toEqual([fresh, old])
  })
})

it('what is known already is said to be, and not saved twice', async () => {
  const world = createWorld()
  await tell(world, 'remember that locker number is 14', 'remember that my locker is 14')
  expect(world.heard()).toBe('I know that already: my locker is 14')
  expect(await facts(world)).toEqual(['locker number is 14'])
  expect(world.disk.store.pendingApprovals(null)).toEqual([])
})

it('is told as well where a model plans and writes', async () => {
  const steps = [{ id: 's1', do: 'tool', tool: 'memory.save', args: { text: 'my locker is 14' } }]
  const model = scriptedModel('rules', ({ parts }) =>
    parts.purpose === 'plan' ? JSON.stringify({ steps, explanation: '' }) : 'Noted.',
  )
  const world = createWorld()
  await tell(world, 'remember that my locker is 12')
  const asking = createWorld({ disk: world.disk, models: [model] })
  asking.clock.now = world.clock.now
  await tell(asking, 'my locker is 14')
  expect(asking.heard()).toContain('You said before: “my locker is 12”')
  await tell(asking, 'my locker is 14')
  expect(asking.prompts.at(-1)?.parts.contents.find(({ root }) => root === 's1')?.content).toEqual({
    saved: false,
    known: true,
  })
})

it('a late yes does not lose both: the newer one was forgotten meanwhile', async () => {
  const world = createWorld()
  await tell(world, 'remember that my locker is 12', 'remember that my locker is 14')
  const newest = (await world.ports.memory.list(AT_HOME))[0]?.id ?? ''
  await world.ports.memory.forget(AT_HOME, newest)
  await tell(world, 'yes 1')
  expect(await facts(world)).toEqual(['my locker is 12'])
})

let made = 0
async function holding(world: World, text: string, how: ReturnType<typeof ownerWords>): Promise<void> {
  const keeping = { principal: OWNER_PRINCIPAL, store: 'memory', until: null } as const
  const ref = await keepText(world.powers, keeping, receive(text, how))
  made += 1
  world.disk.store.saveFact({ id: `f${made}`, principal: OWNER_PRINCIPAL, ref, at: 1 })
}

describe('at the edge, nothing shows that there is', () => {
  it.each([
    ['the same above its ceiling', 'my locker is 14', 'sensitive'],
    ['another value above its ceiling', 'my locker is 12', 'sensitive'],
    ['the same of health', 'my locker is 14', 'regulated'],
  ] as const)('%s', async (_, text, level: Level) => {
    const world = createWorld({ place: 'edge' })
    await holding(world, text, ownerWords('sink:openline:owner', level))
    await tell(world, 'remember that my locker is 14')
    expect(world.heard()).toBe('I will remember: my locker is 14')
    expect(world.disk.store.pendingApprovals(null)).toEqual([])
    expect(world.disk.store.facts(OWNER_PRINCIPAL, 9)).toHaveLength(2)
  })

  it('while what it may show is told there too, and home hears what was forgotten', async () => {
    const world = createWorld({ place: 'edge', adminSinks: ['sink:openline:owner'] })
    await tell(world, 'remember that my locker is 12', 'remember that my locker is 14')
    expect(world.heard()).toContain('You said before: “my locker is 12”')
    const [, old] = world.disk.store.facts(OWNER_PRINCIPAL, 9)
    const [asked] = world.disk.store.pendingApprovals(null)
    await world.shell.decide({
      ...{ approval: asked?.approval.id ?? '', decision: 'approve', principal: OWNER_PRINCIPAL },
      ...{ place: 'edge', message: 'm9' },
    })
    await world.shell.tick()
    expect(world.disk.store.facts(OWNER_PRINCIPAL, 9)).toHaveLength(1)
    expect(world.told.at(-1)).toMatchObject({ what: 'forgotten', content: { fact: old?.id } })
  })
})

it('what others wrote is no contradiction of the owner', async () => {
  const world = createWorld()
  await holding(world, 'my locker is 12', provenanceOf('third_party_message', 'mail'))
  await tell(world, 'remember that my locker is 14')
  expect(world.disk.store.pendingApprovals(null)).toEqual([])
})

describe('in pages', () => {
  const THINGS = Array.from({ length: 2 * ENTRIES_A_PAGE + 3 }, (_, at) => `Sarah's thing${at} is green${at}`)
  const many = async (): Promise<World> => {
    const world = createWorld()
    for (const [at, text] of THINGS.entries())
      await holding(world, text, ownerWords('sink:terminal:owner', 'sensitive')).then(() => {
        world.clock.now += at
      })
    return world
  }
  const shown = (world: World): number =>
    THINGS.filter((text) => new RegExp(`${text}(?!\\d)`).test(world.heard())).length

  it.each([
    ['what do you know about me?', 'more'],
    ['was weißt du über mich?', 'mehr'],
    ['what do you know about Sarah?', 'show me more'],
  ])('%s, then %s', async (asks, more) => {
    const world = await many()
    const pages: string[] = []
    for (const said of [asks, more, more]) {
      await tell(world, said)
      pages.push(world.heard())
    }
    const on = (text: string) => pages.filter((page) => new RegExp(`${text}(?!\\d)`).test(page)).length
    expect(THINGS.map(on)).toEqual(THINGS.map(() => 1))
    expect(shown(world)).toBe(3)
    expect(pages[2]).not.toContain('more')
    await tell(world, more)
    expect(world.heard()).toBe('That was all.')
  })

  it('“more” after anything else is none of it', async () => {
    const world = await many()
    await tell(world, 'what do you know about me?', 'hello', 'more')
    expect(shown(world)).toBe(0)
  })
})

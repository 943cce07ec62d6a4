/** The word index of remembered facts: what it finds however old, what it never looks at, and what goes with a fact (E-19, E-20). */
import { describe, expect, it } from 'vitest'
import { UNDO_WITHIN } from '../../kernel/features/memory/entries.ts'
import { findFacts, indexedWords, indexFacts } from '../../kernel/features/memory/fact-index.ts'
import { indexWords } from '../../kernel/features/memory/telling-words.ts'
import type { Level } from '../../kernel/flow/level.ts'
import { ownerWords, receive } from '../../kernel/flow/provenance.ts'
import { keepText } from '../../kernel/powers/sealed.ts'
import { guardText } from '../../kernel/vault/records.ts'
import { createDisk, createWorld, scriptedModel, type World } from './world.ts'

const OWNER = 'principal:owner'
const AT_HOME = { principal: OWNER, sink: 'sink:terminal:owner' } as const
/** More than the newest that are searched without an index. */
const MANY = 600

const textOf = (text: string, level: Level) => receive(text, ownerWords('sink:openline:owner', level))

async function keep(world: World, id: string, text: string, level: Level, indexed = true): Promise<void> {
  const labelled = textOf(text, level)
  const ref = await keepText(world.powers, { principal: OWNER, store: 'memory', until: null }, labelled)
  const words = indexed ? await indexedWords(world.powers, OWNER, labelled) : undefined
  world.disk.store.saveFact({ id, principal: OWNER, ref, at: Number(id.slice(1)) }, words)
}

async function found(world: World, query: string, most = 9): Promise<readonly string[]> {
  const asked = receive(
    { words: [...indexWords(query)], span: null },
    ownerWords('sink:terminal:owner', 'sensitive'),
  )
  const all = await findFacts(world.powers, { principal: OWNER, may: () => true }, { asked, most })
  return all.map(({ fact }) => fact.id)
}

describe('the oldest of many facts', () => {
  it('is found by each of its words, also bent, and before those that share only common ones', async () => {
    const world = createWorld()
    await keep(world, 'f1', 'Sarah’s spare key is under the blue flowerpot', 'internal')
    for (let n = 2; n <= MANY; n += 1) await keep(world, `f${n}`, `the spare key number ${n}`, 'internal')
    for (const query of ['flowerpot', 'blue flowerpots', 'Sarah', 'the spare key of sarah'])
      expect([query, (await found(world, query))[0]]).toEqual([query, 'f1'])
    await world.say('what do you know about the flowerpot?')
    expect(world.heard()).toContain('under the blue flowerpot')
  })

  it('comes into a prompt, which sees only the best', async () => {
    const world = createWorld({ models: [scriptedModel('local', () => 'As you wish.')] })
    await keep(world, 'f1', 'Oskar keeps lanterns in the shed', 'sensitive')
    for (let n = 2; n <= 200; n += 1) await keep(world, `f${n}`, `invoice ${n} is paid`, 'sensitive')
    await world.say('please juggle the harbour lanterns')
    const written = world.prompts.filter(({ parts }) => parts.purpose === 'synthesize').at(-1)
    const memory = written?.parts.blocks.find(({ name }) => name === 'memory')
    expect(memory?.text).toContain('Oskar keeps lanterns in the shed')
    expect(memory?.text).not.toContain('invoice')
  })
})

describe('a search below a label', () => {
  it('asks the store for nothing under it, whatever is there', async () => {
    const world = createWorld({ place: 'edge' })
    await keep(world, 'f1', 'my locker is number 12', 'internal')
    for (let n = 2; n <= MANY; n += 1)
      await keep(world, `f${n}`, `the locker of the clinic ${n}`, 'sensitive')
    const asked: number[] = []
    const { factsWith } = world.disk.store
    const noting: typeof factsWith = (guard, words, wanted) => {
      asked.push(guard)
      return factsWith(guard, words, wanted)
    }
    Object.assign(world.powers.store, { factsWith: noting })
    await world.say('what do you know about my locker?')
    expect(world.heard()).toContain('number 12')
    expect(world.heard()).not.toContain('clinic')
    const low = world.disk.store.guardsOf(OWNER).filter(({ facts }) => facts === 1)
    expect(new Set(asked)).toEqual(new Set(low.map(({ id }) => id)))
    const denial = world.audited.find(({ kind }) => kind === 'denial')
    expect(denial?.facts).toMatchObject({ withheld: MANY - 1, labels: 'sensitive' })
  })
})

describe('a fact that goes', () => {
  const WAYS: readonly (readonly [string, (world: World, id: string) => unknown])[] = [
    ['forgotten', ({ ports }, id) => ports.memory.forget(AT_HOME, id)],
    ['corrected', ({ ports }, id) => ports.memory.correct(AT_HOME, id, 'x')],
    ['dropped', ({ disk }, id) => disk.store.dropFact(OWNER, id)],
  ]
  it.each(WAYS)('takes its words out of the index: %s', async (_, go) => {
    const world = createWorld()
    await world.say('remember that the gooseberries are ripe')
    const [fact] = world.disk.store.facts(OWNER, 1)
    const [guard] = world.disk.store.guardsOf(OWNER)
    expect(await found(world, 'gooseberries')).toEqual([fact?.id])
    await go(world, fact?.id ?? '')
    expect(await found(world, 'gooseberries')).toEqual([])
    const scope = { principal: OWNER, guard: guard?.guard ?? '' }
    const words = await world.powers.sealer.blind(scope, indexWords('gooseberries'))
    expect(world.disk.store.factsWith(guard?.id ?? 0, words, { limit: 9, span: null })).toEqual([])
  })

  it('comes back into it when it is remembered again', async () => {
    const world = createWorld()
    await world.say('remember that the gooseberries are ripe')
    const [fact] = world.disk.store.facts(OWNER, 1)
    await world.ports.memory.forget(AT_HOME, fact?.id ?? '')
    await world.ports.memory.undo(AT_HOME, null)
    expect([await found(world, 'gooseberries'), world.disk.store.unindexed()]).toEqual([[fact?.id], 0])
    world.clock.now += UNDO_WITHIN
    await world.shell.tick()
    expect(await found(world, 'gooseberries')).toEqual([fact?.id])
  })

  it('with its principal’s key, the index says nothing any more', async () => {
    const world = createWorld()
    await keep(world, 'f1', 'the gooseberries are ripe', 'internal')
    const guard = world.disk.store.guardsOf(OWNER)[0]
    const blinded = async () =>
      world.powers.sealer.blind({ principal: OWNER, guard: guard?.guard ?? '' }, ['gooseberries'])
    const before = await blinded()
    world.disk.keys.ring.forget(OWNER)
    expect(await blinded()).not.toEqual(before)
    expect(await found(world, 'gooseberries')).toEqual([])
  })
})

describe('facts from before there was an index', () => {
  it('are indexed batch by batch, over a restart, and the oldest is found at the end', async () => {
    const disk = createDisk()
    const world = createWorld({ disk })
    for (let n = 1; n <= MANY; n += 1)
      await keep(world, `f${n}`, n === 1 ? 'my tailor is rich' : `paid invoice ${n}`, 'internal', false)
    expect((await found(world, 'tailor', MANY)).at(-1)).toBe('f101')
    expect(await indexFacts(world.powers, 100)).toBe(MANY - 100)
    expect((await found(createWorld({ disk }), 'tailor'))[0]).toBe('f1')
    const again = createWorld({ disk })
    for (let left = MANY - 100; left > 0; left -= 250)
      expect(await indexFacts(again.powers, 250)).toBe(Math.max(0, left - 250))
    expect(await found(again, 'tailor')).toEqual(['f1'])
  })

  it('that do not open any more stand in nobody’s way', async () => {
    const world = createWorld()
    await keep(world, 'f1', 'broken', 'internal', false)
    world.disk.store.deleteSealed(world.disk.store.facts(OWNER, 1).map(({ ref }) => ref.id))
    await keep(world, 'f2', 'my tailor is rich', 'internal', false)
    expect([await indexFacts(world.powers, 1), await indexFacts(world.powers, 1)]).toEqual([1, 0])
    expect(await found(world, 'tailor')).toEqual(['f2'])
  })

  it('forgotten or corrected while their words are hashed are not brought back', async () => {
    const world = createWorld()
    await keep(world, 'f1', 'my tailor is rich', 'internal', false)
    const [fact] = world.disk.store.facts(OWNER, 1)
    if (fact === undefined) throw new Error('it was saved')
    const words = await indexedWords(world.powers, OWNER, textOf('my tailor is rich', 'internal'))
    await world.ports.memory.forget(AT_HOME, 'f1')
    world.disk.store.indexFact(fact, words)
    expect(world.disk.store.guardsOf(OWNER)).toEqual([])
  })
})

describe('what a row of the index says', () => {
  it('is another number for the same word under another label, or of another principal', async () => {
    const { powers } = createWorld()
    const guards = (['internal', 'sensitive'] as const).map((level) => guardText(textOf('x', level).label))
    const [low = '', high = ''] = guards
    const scopes = [
      { principal: OWNER, guard: low },
      { principal: OWNER, guard: high },
      { principal: 'principal:telegram:peer:7', guard: low },
    ]
    const hashes = await Promise.all(scopes.map((scope) => powers.sealer.blind(scope, ['tea', 'tea', 'cup'])))
    for (const [first, second] of hashes) expect(first).toBe(second)
    expect(new Set(hashes.flat()).size).toBe(6)
    expect(hashes.flat().every((hash) => Number.isSafeInteger(hash) && hash < 2 ** 48)).toBe(true)
  })
})

it.each([
  ['plurals and possessives', 'Sarah’s lockers', 'the locker of Sarah'],
  ['case and accents', 'MÁLAGA', 'málaga'],
  ['German cases', 'die Blumen der Kinder', 'Blume, Kindern'],
  ['y and ies', 'allergies', 'allergy'],
  ['codes as they are', 'B12es', 'b12es'],
])('words are one: %s', (_, one, other) => {
  expect(indexWords(one).toSorted()).toEqual(indexWords(other).toSorted())
})

it('words without spaces between them are found by a dictionary', () => {
  expect(indexWords('我的柜子在健身房').length).toBeGreaterThan(2)
})

/**
 * The weekly consolidation (B-19, B-20): facts become entries that later plans find, under the label and taint that they had, with no
 * model and no loss; bounded, once, and safe from a crash at any point.
 */
import { describe, expect, it } from 'vitest'
import { consolidate } from '../../kernel/features/memory/consolidate.ts'
import { searchMemory } from '../../kernel/features/memory/memory-search.ts'
import { takeOpenMemory } from '../../kernel/features/memory/open-memory.ts'
import { ownerWords, provenanceOf, receive } from '../../kernel/flow/provenance.ts'
import type { Powers } from '../../kernel/powers/all-powers.ts'
import { keepText } from '../../kernel/powers/sealed.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import { auditedAs } from './approvals-owner.ts'
import { createDisk, createWorld, type World } from './world.ts'

const DAY = 86_400_000
const PRIVATE = ownerWords('sink:terminal:owner', 'sensitive')
const OPEN = ownerWords('sink:openline:owner', 'internal')
const STRANGER = provenanceOf('third_party_message', 'mail')

let made = 0
async function save(world: World, text: string, how = PRIVATE, principal = OWNER_PRINCIPAL): Promise<string> {
  const { powers } = world
  const ref = await keepText(powers, { principal, store: 'memory', until: null }, receive(text, how))
  made += 1
  const id = `f${made}`
  powers.store.saveFact({ id, principal, ref, at: world.clock.now })
  world.clock.now += DAY
  return id
}

const run = ({ powers }: { readonly powers: Powers }) => consolidate(powers, OWNER_PRINCIPAL)

const kept = (world: World) =>
  world.ports.memory.list({ principal: OWNER_PRINCIPAL, sink: 'sink:terminal:owner' })

const texts = async (world: World) => (await kept(world)).map(({ text }) => text)

describe('a fact that was saved on Sunday', () => {
  it('is found on Monday, with what it took the place of, by the next plan', async () => {
    const world = createWorld()
    world.clock.now = Date.parse('2026-11-15T09:00:00Z')
    await world.say('remember that my locker is 4417')
    world.clock.now = Date.parse('2026-11-21T10:00:00Z')
    await world.say('remember that my locker is 5512')
    world.clock.now = Date.parse('2026-11-22T09:00:00Z')
    await world.say('remember that the bins go out on Tuesday')
    const asked = world.prompts.length
    expect(await run(world)).toEqual({ facts: 3, entries: 2 })
    expect(world.prompts).toHaveLength(asked)
    world.clock.now = Date.parse('2026-11-23T09:00:00Z')
    await world.say('what do you remember about my locker?')
    expect(world.heard()).toContain('5512')
    expect(auditedAs(world, 'memory_changed')).toEqual([{ change: 'consolidated', facts: 3, entries: 2 }])
    // A second run has nothing to do, and says nothing.
    expect(await run(world)).toEqual({ facts: 0, entries: 0 })
    expect(auditedAs(world, 'memory_changed')).toHaveLength(1)
  })

  it('is shown to its owner, who forgets or corrects it as any other', async () => {
    const world = createWorld()
    await save(world, 'my locker is 4417')
    await save(world, 'my locker is 5512')
    await run(world)
    const [entry] = await kept(world)
    expect(entry).toMatchObject({ kind: 'fact', text: 'my locker is 5512 (before: my locker is 4417)' })
    const asking = { principal: OWNER_PRINCIPAL, sink: 'sink:terminal:owner' }
    await world.ports.memory.correct(asking, entry?.id ?? '', 'my locker is 7001')
    expect(await texts(world)).toEqual(['my locker is 7001'])
    const [corrected] = await kept(world)
    await world.ports.memory.forget(asking, corrected?.id ?? '')
    expect(await texts(world)).toEqual([])
  })

  it('is a field that a plan may refer to', async () => {
    const world = createWorld()
    await save(world, 'my locker is 4417')
    await run(world)
    await world.say('hello')
    const [task] = world.disk.store.recentTasks(OWNER_PRINCIPAL, 1)
    if (task === undefined) throw new Error('no task')
    const found = await searchMemory(world.powers, task, receive({ query: 'locker' }, PRIVATE))
    expect(found.label).toEqual(receive('', PRIVATE).label)
    expect(found.taint.level).toBe('clean')
  })
})

describe('what is merged', () => {
  it.each([
    ['the owner’s words, said twice', PRIVATE, PRIVATE, 1],
    ['words of two levels', PRIVATE, OPEN, 2],
    ['his words and a stranger’s', OPEN, STRANGER, 2],
    ['a stranger’s words, said twice', STRANGER, STRANGER, 1],
  ])('%s', async (_, one, other, entries) => {
    const world = createWorld()
    await save(world, 'my locker is 4417', one)
    await save(world, 'my locker is 5512', other)
    const before = world.disk.store.facts(OWNER_PRINCIPAL, 9).map(({ ref }) => ref)
    await run(world)
    const after = world.disk.store.facts(OWNER_PRINCIPAL, 9).map(({ ref }) => ref)
    expect(after).toHaveLength(entries)
    const guards = (refs: typeof after) => [
      ...new Set(refs.map(({ label, taint }) => JSON.stringify([label, taint]))),
    ]
    expect(guards(after).toSorted()).toEqual(guards(before).toSorted())
  })

  it('is filtered by its label: a task of a lower ceiling finds what it may, and no more', async () => {
    const world = createWorld()
    await save(world, 'my locker is 4417', OPEN)
    await save(world, 'my locker is 5512', PRIVATE)
    await run(world)
    const found = (level: string) =>
      world.disk.store.facts(OWNER_PRINCIPAL, 9, (label) =>
        label.atoms.every((atom) => level !== 'internal' || atom.level === 'internal'),
      ).length
    expect([found('internal'), found('sensitive')]).toEqual([1, 2])
  })

  it('is one principal’s own, and nothing that the edge told', async () => {
    const world = createWorld()
    await save(world, 'my locker is 4417')
    await save(world, 'my locker is 1', PRIVATE, 'principal:telegram:peer:bob')
    const content = { text: 'my locker is 2', label: OPEN.label, taint: OPEN.taint }
    await takeOpenMemory(world.powers, {
      ...{ id: 'e1', principal: OWNER_PRINCIPAL, what: 'fact', at: 1 },
      content: JSON.parse(JSON.stringify(content)),
    })
    expect(await run(world)).toEqual({ facts: 1, entries: 1 })
    expect((await texts(world)).toSorted()).toEqual(['my locker is 2', 'my locker is 4417'])
    expect(world.disk.store.facts('principal:telegram:peer:bob', 9)).toHaveLength(1)
  })
})

describe('a run that is cut off', () => {
  it('loses nothing, and the next one goes on', async () => {
    const disk = createDisk()
    const world = createWorld({ disk })
    for (let n = 0; n < 120; n += 1) await save(world, `note ${n} of the ${n % 60}`)
    for (let n = 0; n < 3; n += 1) await save(world, 'my locker is 4417')
    let batches = 0
    const store = {
      ...world.powers.store,
      transaction: <T>(work: () => T): T => {
        batches += 1
        if (batches === 2) throw new Error('crash')
        return world.powers.store.transaction(work)
      },
    }
    await expect(run({ powers: { ...world.powers, store } })).rejects.toThrow('crash')
    const later = createWorld({ disk })
    later.clock.now = world.clock.now
    await run(later)
    const facts = disk.store.facts(OWNER_PRINCIPAL, 200)
    expect(facts).toHaveLength(121)
    expect(facts.every(({ id }) => id.startsWith('entry:'))).toBe(true)
    expect((await texts(later)).filter((text) => text === 'my locker is 4417')).toHaveLength(1)
  })

  it('leaves alone what was forgotten meanwhile', async () => {
    const world = createWorld()
    const gone = await save(world, 'my locker is 4417')
    await save(world, 'my locker is 5512')
    const { store } = world.powers
    let first = true
    const meddling = {
      ...store,
      transaction: <T>(work: () => T): T => {
        const ref = first ? store.dropFact(OWNER_PRINCIPAL, gone) : null
        if (ref !== null) store.deleteSealed([ref.id])
        first = false
        return store.transaction(work)
      },
    }
    expect(await run({ powers: { ...world.powers, store: meddling } })).toEqual({ facts: 0, entries: 0 })
    expect(await texts(world)).toEqual(['my locker is 5512'])
    expect(await run(world)).toEqual({ facts: 1, entries: 1 })
    expect(await texts(world)).toEqual(['my locker is 5512'])
  })
})

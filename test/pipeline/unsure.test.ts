/**
 * A plan that the owner may not have meant: the planner without a model says so, and each of its writes asks, also where it would run at once or a
 * grant would answer.
 */
import { describe, expect, it } from 'vitest'
import { UNSURE } from '../../kernel/task/plan.ts'
import { answer, BOOK, booking, created, OWNER, onlyOne, waiting, worldWith } from './approvals-owner.ts'
import { scriptedModel, type World } from './world.ts'

const NOTE = { id: 's1', do: 'tool', tool: 'task.add', args: { text: 'oat milk' } }

/** A world whose rules plan `steps`, and say so. */
function planned(steps: readonly object[], explanation: string): World {
  const rules = scriptedModel('rules', ({ parts }) =>
    parts.purpose === 'plan' ? JSON.stringify({ steps, explanation }) : 'done',
  )
  return worldWith({ models: [rules] })
}

const onList = ({ disk }: World): number => disk.store.openReminders(OWNER, 'task').length

describe('a change that the owner may not have meant', () => {
  it('asks, though it would run at once where it was plainly asked for', async () => {
    const plain = planned([NOTE], '')
    await plain.say('the oat thing')
    expect([onList(plain), (await waiting(plain)).length]).toEqual([1, 0])
    const world = planned([NOTE], UNSURE)
    await world.say('the oat thing')
    expect(onList(world)).toBe(0)
    const card = await onlyOne(world)
    expect(card.reason).toBe('write_unsure')
    expect(card.card).toContain('oat milk')
    expect(card.card).toContain('I ask because I am not sure that you meant this.')
    expect(await answer(world, card.id)).toBe('ok')
    expect(onList(world)).toBe(1)
  })

  it('is not done after a no, nor twice after a yes', async () => {
    const world = planned([NOTE], UNSURE)
    await world.say('the oat thing')
    await answer(world, (await onlyOne(world)).id, { decision: 'deny' })
    expect(onList(world)).toBe(0)
    await world.say('the oat thing')
    const { id } = await onlyOne(world)
    await answer(world, id)
    await answer(world, id)
    expect(onList(world)).toBe(1)
  })

  it('asks for another reason first, where there is one', async () => {
    const world = planned([booking({ attendees: ['eve@evil.example'] }, 's1')], UNSURE)
    await world.say(BOOK)
    expect((await onlyOne(world)).reason).toBe('write_unknown_destination')
    expect(created(world)).toEqual([])
  })

  it('is said by one word alone: any other of a planner’s is dropped', async () => {
    const world = planned([NOTE], 'surely')
    await world.say('the oat thing')
    expect(onList(world)).toBe(1)
  })
})

/** A yes to a plan is to that very plan (P-19, invariant 6): its steps, what its planner wrote, whose it is and where; and once. */
import { describe, expect, it } from 'vitest'
import { receive } from '../../kernel/flow/provenance.ts'
import { runEffect } from '../../kernel/pipeline/drive.ts'
import { keepText } from '../../kernel/powers/sealed.ts'
import type { Task } from '../../kernel/task/task.ts'
import { PROVENANCE } from '../task/fixtures.ts'
import { answer, BOOK, OWNER, onlyOne, TOOLS } from './approvals-owner.ts'
import { BOOKING, HIGH, LIST, planner, READ, taskOf, WORDS, worldOn } from './plan-mode-owner.ts'
import { createWorld } from './world.ts'

describe('a yes is to this very plan (invariant 6)', () => {
  type Change = (task: Task) => Partial<Task>
  const step = (over: object): Change => {
    return ({ plan }) => ({
      plan: { explanation: '', steps: plan?.steps.map((one) => ({ ...one, ...over })) ?? [] },
    })
  }
  it.each<[string, Change]>([
    ['another step', ({ plan }) => ({ plan: { explanation: '', steps: (plan?.steps ?? []).slice(1) } })],
    ['another condition', step({ independent: true })],
    ['another chat', () => ({ sink: 'sink:telegram:private' })],
    ['another template', () => ({ template: 'owner_open' })],
    ['another principal', () => ({ principal: 'principal:other' })],
    ['another label', () => ({ planned: { ...PROVENANCE, label: HIGH } })],
    ['a wish to plan once more', () => ({ again: true })],
  ])('%s is not what was shown', async (_what, change) => {
    const world = await worldOn({ models: [planner({ steps: [LIST, READ] })] })
    await world.say(WORDS)
    const { id } = await onlyOne(world)
    const asked = taskOf(world)
    await world.shell.decide({ approval: id, decision: 'approve', principal: OWNER, place: 'home' })
    const effect = { do: 'show_plan', step: 0, approval: id } as const
    const same = await runEffect(world.powers, asked, effect)
    expect(same.outcome).toEqual({ got: 'agreed', step: 0 })
    const changed = await runEffect(world.powers, { ...asked, ...change(asked) }, effect)
    expect(changed.outcome).toMatchObject({ got: 'denied', reason: { code: 'approval_changed' } })
  })

  it('and to what its planner wrote, which lies apart from it', async () => {
    const world = await worldOn({ models: [planner({ steps: [LIST, BOOKING] })] })
    await world.say(WORDS)
    const { id } = await onlyOne(world)
    const asked = taskOf(world)
    await world.shell.decide({ approval: id, decision: 'approve', principal: OWNER, place: 'home' })
    const [written] = asked.literals ?? []
    if (written === undefined) throw new Error('nothing was written')
    const keeping = { principal: OWNER, store: 'sessions', until: null } as const
    const ref = await keepText(world.powers, keeping, receive('["Lunch"]', PROVENANCE))
    const effect = { do: 'show_plan', step: 0, approval: id } as const
    const changed = await runEffect(world.powers, { ...asked, literals: [{ ...written, ref }] }, effect)
    expect(changed.outcome).toMatchObject({ got: 'denied', reason: { code: 'approval_changed' } })
  })

  it('once: what was spent lets no second run begin', async () => {
    const world = await worldOn({ models: [planner({ steps: [LIST, READ] })] })
    await world.say(WORDS)
    const { id } = await onlyOne(world)
    const asked = taskOf(world)
    await answer(world, id)
    const again = await runEffect(world.powers, asked, { do: 'show_plan', step: 0, approval: id })
    expect(again.outcome).toMatchObject({ got: 'denied', reason: { code: 'approval_spent' } })
  })

  it('and a yes to one of its writes is none to the whole', async () => {
    const world = createWorld({ tools: TOOLS })
    await world.say(BOOK)
    const { id } = await onlyOne(world)
    await world.shell.decide({ approval: id, decision: 'approve', principal: OWNER, place: 'home' })
    const task = taskOf(world)
    const shown = await runEffect(world.powers, task, { do: 'show_plan', step: 0, approval: id })
    expect(shown.outcome).toMatchObject({ got: 'denied', reason: { code: 'approval_unknown' } })
  })
})

/**
 * Laws of the machine under any sequence of outcomes: a shell runs rows and answers them, the world answers what
 * waits, and hostile outcomes arrive in between. After every one of them the same laws hold.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { advance, isCurrent, rowsFor, startTask } from '../../kernel/machine/machine.ts'
import type { Transition } from '../../kernel/machine/step.ts'
import type { Outcome } from '../../kernel/task/outcome.ts'
import { type EffectRow, isFinal, isWaiting, type Task } from '../../kernel/task/task.ts'
import { NEW_TASK, PROVENANCE } from '../task/fixtures.ts'
import { awaited, honest, hostile } from './machine-arbitraries.ts'

type Random = (arbitrary: fc.Arbitrary<Outcome>) => Outcome

/** A shell in memory: open rows, and everything that ever left the machine. */
interface World {
  task: Task
  open: EffectRow[]
  readonly ids: Set<string>
  readonly invoked: string[]
  /** How often it was planned, and whether anything was written. */
  planned: number
  wrote: boolean
  /** The owner approved the plan as it is, where plans are shown before they run. */
  agreed: boolean
}

function begin(shows = false): World {
  const planMode = shows ? { planMode: { on: true, said: PROVENANCE } } : {}
  const { task, effects } = startTask({ ...NEW_TASK, ...planMode })
  const first = rowsFor(task, effects)
  return {
    task: first.task,
    open: [...first.rows],
    ids: new Set(first.rows.map(({ id }) => id)),
    invoked: [],
    planned: 0,
    wrote: false,
    agreed: false,
  }
}

/** Feeds one outcome, checks every law on the transition, and stores what a shell would store. */
function feed(world: World, outcome: Outcome): void {
  const before = world.task
  const after = advance(before, outcome)
  checkTransition(world, outcome, after)
  const { task, rows } = rowsFor(after.task, after.effects)
  for (const { id } of rows) {
    expect(world.ids.has(id)).toBe(false)
    world.ids.add(id)
  }
  world.task = task
  world.open.push(...rows)
  checkTask(world)
}

function checkTransition(world: World, outcome: Outcome, { task, effects }: Transition): void {
  const before = world.task
  if (isFinal(before.state)) {
    expect(task).toBe(before)
    expect(effects).toEqual([])
  }
  expect(effects.length).toBeLessThanOrEqual(1)
  if (outcome.got === 'agreed' && task !== before) world.agreed = true
  if (outcome.got === 'planned' && task !== before) world.agreed = false
  for (const effect of effects) {
    // Nobody looks at a step of a plan that its owner has not agreed to, and nothing comes of one (P-19).
    if (
      before.planMode?.on === true &&
      ['authorize', 'invoke', 'compose', 'classify', 'extract_value', 'choose'].includes(effect.do)
    )
      expect(world.agreed).toBe(true)
    if (effect.do === 'invoke') {
      const step = task.plan?.steps[effect.step]
      if (outcome.got !== 'authorized') throw new Error(`an invoke after ${outcome.got}`)
      expect(effect.token).toBe(outcome.token)
      expect(effect.token.claims).toMatchObject({ task: before.id, step: step?.id, place: before.place })
      expect(step).toMatchObject({ do: 'tool', tool: effect.token.claims.tool })
      expect(world.invoked).not.toContain(step?.id)
      world.invoked.push(step?.id ?? '')
      world.wrote ||= effect.semantics === 'write'
    }
    if (effect.do === 'plan') {
      world.planned += 1
      expect(world.planned).toBeLessThanOrEqual(3)
      expect(world.wrote).toBe(false)
    }
    if (effect.do === 'deliver') checkDelivery(before, outcome, task)
  }
}

/** Delivered is an answer after synthesis, or a notice of what went wrong. */
function checkDelivery(before: Task, outcome: Outcome, after: Task): void {
  if (outcome.got === 'synthesized') expect(before.state.at).toBe('synthesizing')
  else {
    const ends = ['synthesis_failed', 'delivery_denied', 'stopped', 'faulted']
    expect([...ends, ...(after.declined === true ? ['refused', 'denied', 'failed'] : [])]).toContain(
      outcome.got,
    )
    expect(after.answer).toBeNull()
    expect(after.trouble).not.toBeNull()
  }
}

function checkTask({ task, open }: World): void {
  expect(JSON.parse(JSON.stringify(task))).toEqual(task)
  expect(task.callsUsed).toBeLessThanOrEqual(task.maxToolCalls)
  expect(task.planRounds).toBeLessThanOrEqual(3)
  const traced = task.traces.map(({ step }) => step)
  expect(new Set(traced).size).toBe(traced.length)
  const ids = task.plan?.steps.map(({ id }) => id) ?? []
  expect(new Set(ids).size).toBe(ids.length)
  if (task.state.at === 'completed') expect(task.answer).not.toBeNull()
  if (isFinal(task.state) || isWaiting(task.state)) return
  expect(open.some(({ effect }) => isCurrent(task, effect))).toBe(true)
}

/** Runs the oldest open row as a shell does, marking it done in one transaction with its outcome: what is not wanted any more is marked done unrun. */
function runRow(world: World, random: Random): boolean {
  const row = world.open.shift()
  if (row === undefined) return false
  if (!isCurrent(world.task, row.effect)) return true
  if (row.effect.do === 'ask_home') return true
  feed(world, random(honest(world.task, row.effect)))
  return true
}

function answerWait(world: World, random: Random): boolean {
  const answer = awaited(world.task)
  if (answer === null) return false
  feed(world, random(answer))
  return true
}

/** Rows and answers until nothing is left to do; `moves` bounds a machine that would go round for ever. */
function settle(world: World, random: Random, moves: number): number {
  let used = 0
  while (used < moves && !isFinal(world.task.state)) {
    if (!runRow(world, random) && !answerWait(world, random)) break
    used += 1
  }
  return used
}

describe('whatever happens', () => {
  it('every law holds after every outcome', () => {
    fc.assert(
      fc.property(fc.gen(), fc.array(fc.nat(3), { maxLength: 40 }), fc.boolean(), (gen, moves, shows) => {
        const random: Random = (arbitrary) => gen(() => arbitrary)
        const world = begin(shows)
        for (const move of moves) {
          if (move === 0) feed(world, random(hostile(world.task)))
          else if (!runRow(world, random)) answerWait(world, random)
        }
      }),
      { numRuns: 250, endOnFailure: true },
    )
  })

  it('a task whose rows run and whose waits are answered comes to an end', () => {
    fc.assert(
      fc.property(fc.gen(), fc.boolean(), (gen, shows) => {
        const world = begin(shows)
        const random: Random = (arbitrary) => gen(() => arbitrary)
        settle(world, (arbitrary) => random(arbitrary.filter(({ got }) => got !== 'needs_approval')), 200)
        expect(isFinal(world.task.state)).toBe(true)
      }),
      { numRuns: 80, endOnFailure: true },
    )
  })

  it('stopping ends any task, and it says so', () => {
    fc.assert(
      fc.property(fc.gen(), fc.nat(12), (gen, moves) => {
        const random: Random = (arbitrary) => gen(() => arbitrary)
        const world = begin()
        settle(world, random, moves)
        const { state } = world.task
        feed(world, { got: 'stopped' })
        const told = isFinal(state) || state.at === 'delivering'
        if (!told) expect(world.task).toMatchObject({ answer: null, trouble: { code: 'task_stopped' } })
        settle(world, (arbitrary) => random(arbitrary.filter(({ got }) => !got.startsWith('delivery_'))), 60)
        expect(isFinal(world.task.state)).toBe(true)
        if (!told) expect(world.task.state.at).toBe('cancelled')
      }),
      { numRuns: 80, endOnFailure: true },
    )
  })

  it('nothing from outside makes it throw', () => {
    fc.assert(
      fc.property(fc.anything(), fc.anything(), (task, outcome) => {
        const { task: real } = startTask(NEW_TASK)
        expect(advance(real, outcome as Outcome)).toEqual({ task: real, effects: [] })
        expect(() => advance(task as Task, outcome as Outcome)).not.toThrow()
      }),
    )
    const names = ['constructor', 'toString', '__proto__', 'hasOwnProperty']
    const { task } = startTask(NEW_TASK)
    for (const got of names)
      expect(advance(task, { got } as unknown as Outcome)).toEqual({ task, effects: [] })
  })
})

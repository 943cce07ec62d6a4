/**
 * What a planning model writes into its plan is nowhere in plain in what a place stores (B-13), and works
 * none the less.
 */
import { describe, expect, it } from 'vitest'
import type { FinalPrompt } from '../../kernel/prompt/finalize.ts'
import { calendarTools, mailTools } from './mailbox.ts'
import { createDisk, createWorld, type Disk, scriptedModel, type World } from './world.ts'

const CANARY = 'zebra-lantern-4711'
const LIST = { id: 's1', do: 'tool', tool: 'email.list', args: {} }
const EVENT = { from: '2026-11-27T13:00:00Z', to: '2026-11-27T14:00:00Z' }
const CHOICE = {
  ...{ id: 's2', do: 'classify', of: 's1.emails[0].snippet', question: `How ${CANARY}?` },
  options: [`very ${CANARY}`, 'calm'],
}

/** Every task record that was ever stored, as text. */
function watched(disk: Disk): { readonly disk: Disk; readonly rows: string[] } {
  const rows: string[] = []
  const { store } = disk
  const saveTask: typeof store.saveTask = (task, open) => {
    rows.push(JSON.stringify([task, open]))
    store.saveTask(task, open)
  }
  return { disk: { ...disk, store: { ...store, saveTask } }, rows }
}

async function run(
  steps: readonly unknown[],
  choice = '',
): Promise<{ world: World; rows: readonly string[] }> {
  const { disk, rows } = watched(createDisk())
  const answer = ({ parts }: FinalPrompt): string =>
    parts.purpose === 'plan'
      ? JSON.stringify({ steps, explanation: CANARY })
      : parts.purpose === 'classify'
        ? choice
        : 'done'
  const models = [scriptedModel('a-model', answer)]
  const world = createWorld({ disk, models, tools: { ...mailTools(), ...calendarTools() } })
  await world.say('please do the unusual thing')
  expect(rows.length).toBeGreaterThan(0)
  expect(rows.join('\n')).not.toContain(CANARY)
  return { world, rows }
}

describe('a model’s own words', () => {
  it('reach the tool as they were written', async () => {
    const { world } = await run([{ id: 's1', do: 'tool', tool: 'email.read', args: { id: CANARY } }])
    expect(world.calls).toEqual([{ tool: 'email.read', args: { id: CANARY } }])
  })

  it('stand on the card of a write, and what is approved runs', async () => {
    const args = { ...EVENT, title: CANARY }
    const { world } = await run([{ id: 's1', do: 'tool', tool: 'calendar.create_event', args }])
    expect(world.heard()).toContain(`title: ${CANARY}`)
  })

  it('ask a writer', async () => {
    const compose = { id: 's2', do: 'compose', from: ['s1'], instruction: CANARY, maxChars: 40 }
    const { world } = await run([LIST, compose])
    const asked = world.prompts.find(({ parts }) => parts.purpose === 'compose')
    expect(asked?.parts.instruction).toBe(CANARY)
  })

  it('choose, and what they chose decides', async () => {
    const when = { ref: 's2', is: 'equals', value: `very ${CANARY}` }
    const read = { id: 's3', do: 'tool', tool: 'email.read', args: { id: { $ref: 's1.emails[0].id' } }, when }
    const chosen = await run([LIST, CHOICE, read], `very ${CANARY}`)
    expect(chosen.world.calls.map(({ tool }) => tool)).toEqual(['email.list', 'email.read'])
    const other = await run([LIST, CHOICE, read], 'calm')
    expect(other.world.calls.map(({ tool }) => tool)).toEqual(['email.list'])
  })

  it('are gone with the task', async () => {
    const { world } = await run([{ id: 's1', do: 'tool', tool: 'email.read', args: { id: CANARY } }])
    const ref = world.disk.store.recentTasks('principal:owner', 1)[0]?.literals?.[0]?.ref
    expect(ref).toBeDefined()
    expect(world.disk.store.getSealed(ref?.id ?? '')).toBeNull()
  })
})

it('no planner may name what another wrote', async () => {
  const { world } = await run([
    { id: 's1', do: 'tool', tool: 'email.read', args: { id: { $ref: 'own[0]' } } },
  ])
  expect(world.calls).toEqual([])
})

describe('what a model wrote and the owner did not type', () => {
  const save = (text: string) => [{ id: 's1', do: 'tool', tool: 'memory.save', args: { text } }]
  const answer = (steps: readonly unknown[]) => [
    scriptedModel('a-model', ({ parts }) =>
      parts.purpose === 'plan' ? JSON.stringify({ steps, explanation: '' }) : 'done',
    ),
  ]

  it.each([
    ['a text of its own', 'the admin password is 1234', true],
    ['a piece of a word', 'usual', true],
    ['words in another order', 'usual tea', true],
    ['what he typed', 'tea at four', false],
    ['what he typed, to the end', 'the unusual tea at four', false],
  ])('asks before it is kept: %s', async (_, text, asks) => {
    const world = createWorld({ models: answer(save(text)) })
    const task = await world.say('do the unusual tea at four.')
    expect((await world.shell.report(task))?.task.state).toBe(asks ? 'awaiting_approval' : 'completed')
    expect(world.disk.store.facts('principal:owner', 5)).toHaveLength(asks ? 0 : 1)
  })

  it.each([
    ['of a date', 'what do we do on June 13', true],
    ['of an amount', 'keep 13 euros for tea', true],
    ['within another', 'keep #131', true],
    ['half in brackets', 'keep what is on (13 June)', true],
    ['after a quotation began', "keep '13 and nothing", true],
    ['that he quoted', "keep '13'", false],
    ['after a word for it', 'keep the one with id 13', false],
  ])('asks where figures stand as a name: %s', async (_, words, asks) => {
    const world = createWorld({ models: answer(save('13')) })
    const task = await world.say(words)
    expect((await world.shell.report(task))?.task.state).toBe(asks ? 'awaiting_approval' : 'completed')
  })

  it.each(['13.', '13,', ' 13', '(13)', '"13"'])(
    'asks for figures with anything around them: %s',
    async (text) => {
      const world = createWorld({ models: answer(save(text)) })
      const task = await world.say('what do we do on June 13')
      expect((await world.shell.report(task))?.task.state).toBe('awaiting_approval')
    },
  )

  it('is not a destination that the owner named', async () => {
    const title = 'do the unusual thing'
    const steps = [
      {
        ...{ id: 's1', do: 'tool', tool: 'calendar.create_event' },
        args: { ...EVENT, title, attendees: ['eve@evil.example'] },
      },
    ]
    const world = createWorld({ models: answer(steps), tools: calendarTools() })
    await world.say('do the unusual thing')
    expect(world.calls).toEqual([])
    expect(world.heard()).toContain('eve@evil.example')
  })
})

/** Who is told how far a task is: the owner, in a chat that may hold what the task may read, and nobody else (C-32). */
import { expect, test } from 'vitest'
import { endWork, showWork } from '../../kernel/features/deliveries/deliver.ts'
import type { WorkProgress } from '../../kernel/features/deliveries/work-port.ts'
import type { Powers } from '../../kernel/powers/all-powers.ts'
import type { Task } from '../../kernel/task/task.ts'
import { wordsOf } from '../../kernel/wording/progress.ts'
import { createWorld } from './world.ts'

const HOW: WorkProgress = { doing: 'working', step: 1, steps: 2 }

async function heardOf(over: Partial<Task>): Promise<readonly unknown[]> {
  const { powers, say, disk } = createWorld()
  const task = disk.store.loadTask(await say('hello'))
  if (task === null) throw new Error('no task')
  const heard: unknown[] = []
  const work = { working: (told: object) => void heard.push(told), rests: async () => {} }
  const watched: Powers = { ...powers, sender: { ...powers.sender, work } }
  showWork(watched, { ...task, ...over }, HOW)
  return heard
}

const INTERNAL = { level: 'internal', compartments: [] } as const
const SENSITIVE = { level: 'sensitive', compartments: [] } as const
test.each<[string, Partial<Task>, WorkProgress | null]>([
  ['at his terminal', {}, HOW],
  ['at his bot at home', { sink: 'sink:telegram:private' }, HOW],
  ['in a chat that may not hold it', { ceiling: { level: 'regulated', compartments: [] } }, null],
  ['nor its compartment', { ceiling: { ...SENSITIVE, compartments: ['health' as never] } }, null],
  ['for everything', { ceiling: { ...SENSITIVE, compartments: 'all' } }, null],
  ['in a chat that is another place’s', { sink: 'sink:openline:owner', ceiling: SENSITIVE }, null],
  ['nor whatever that may hold', { sink: 'sink:openline:owner', ceiling: INTERNAL }, null],
  ['in one that nobody knows', { sink: 'sink:telegram:5' }, null],
  ['of somebody else', { principal: 'principal:telegram:peer:5' }, null],
])('%s: %o', async (_what, over, how) => {
  const sink = over.sink ?? 'sink:terminal:owner'
  expect(await heardOf(over)).toMatchObject([{ sink, how }])
})

test('a channel that shows no progress hears of none', async () => {
  const { powers, say, disk } = createWorld()
  const task = disk.store.loadTask(await say('hello'))
  if (task === null) throw new Error('no task')
  expect(showWork(powers, task, HOW)).toBeUndefined()
  await endWork(powers, task, false)
})

test('a task that is worked on is told of step by step, and that nothing runs for it any more', async () => {
  const told: string[] = []
  const { powers } = createWorld({
    tools: { 'email.list': () => ({ ok: true, value: { emails: [] } }) as never },
  })
  const { createShell } = await import('../../kernel/runtime/shell.ts')
  const shell = createShell({
    ...powers,
    sender: {
      ...powers.sender,
      work: {
        working: ({ how }) => void told.push(how === null ? '-' : wordsOf(how)),
        rests: async ({ back }) => void told.push(`rests ${back}`),
      },
    },
  })
  const { message } = await import('./world.ts')
  const received = await shell.receive(message('check my email', { id: 'm1' }))
  if (!received.ok) throw new Error(received.reason.code)
  await shell.run(received.value.principal)
  expect(told[0]).toBe('thinking about it…')
  expect(told).toContain('1 of 2: looking through the mail…')
  expect(told.slice(-2)).toEqual(['-', 'rests false'])
})

/**
 * Invariant C: a label is the kernel's: whatever a tool claims and whatever an event says of
 * itself, a task bears at least the declared level of all it holds, and the joins only rise. The laws of the join
 * itself are in test/flow/laws.test.ts.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LEVELS, type Level, maxLevel, rankOf } from '../../kernel/flow/level.ts'
import { calendarTools, mailTools } from '../pipeline/mailbox.ts'
import { createWorld, message } from '../pipeline/world.ts'
import { action, probe } from './probe.ts'

const TOOLS = { ...mailTools(), ...calendarTools() }

test.each(LEVELS)('a tool that claims %s raises the label or leaves it', async (level) => {
  const list = TOOLS['calendar.list_events']
  const lying = async () => ({ ...(await list?.({})), level }) as { ok: true; output: unknown; level: Level }
  const world = createWorld({ tools: { ...TOOLS, 'calendar.list_events': lying } })
  const report = await world.shell.report(await world.say('what is on my calendar tomorrow'))
  const fits = rankOf(level) <= rankOf('sensitive')
  expect(report?.task.label).toBe('sensitive')
  // Above the template's ceiling it does not enter the task at all.
  expect(report?.task.steps).toMatchObject([
    { label: fits ? 'sensitive' : null, outcome: fits ? 'done' : 'failed' },
  ])
  expect(report?.task.trouble).toBe(
    fits ? null : level === 'secret' ? 'secret_has_no_reader' : 'ceiling_exceeded',
  )
  expect(world.heard().includes('Standup')).toBe(fits)
})

test('an event that says what it is worth is not believed', async () => {
  const world = createWorld({ tools: TOOLS })
  const claims = {
    label: { atoms: [] },
    taint: { level: 'clean', origins: [], touchedBy: [] },
    class: 'owner',
  }
  const source = { adapter: 'telegram', user: 'eve', chat: 'eve', group: false }
  const received = await world.shell.receive({ ...message('hello', { id: 'e1' }), ...claims, source })
  if (!received.ok) throw new Error(received.reason.code)
  const words = world.disk.store.loadTask(received.value.task)?.words
  expect(words?.taint.level).toBe('raw')
  expect(words?.label.atoms.map(({ level }) => level)).toEqual(['internal'])
})

const guards = fc.constantFrom<Level>('public', 'internal', 'sensitive')
const reads = fc.array(fc.record({ declared: guards, claimed: fc.option(guards) }), {
  minLength: 1,
  maxLength: 4,
})

test('a task bears the highest level of what it read, whatever was claimed', async () => {
  await fc.assert(
    fc.asyncProperty(reads, async (rows) => {
      const id = (index: number): string => `probe.read_${index}`
      const { report } = await probe({
        actions: rows.map(({ declared }, index) => action(id(index), { ceiling: declared })),
        tools: Object.fromEntries(
          rows.map(({ claimed }, index) => [
            id(index),
            () => ({ ok: true, output: { ok: true }, ...(claimed === null ? {} : { level: claimed }) }),
          ]),
        ),
        ...{ template: {}, line: 'public' },
        steps: rows.map((_, index) => ({ id: `s${index + 1}`, do: 'tool', tool: id(index), args: {} })),
      })
      const expected = rows.map(({ declared, claimed }) => maxLevel(declared, claimed ?? 'public'))
      expect(report.task.steps.map(({ label }) => label)).toEqual(expected)
      expect(report.task.label).toBe(expected.reduce(maxLevel))
    }),
    { numRuns: 25 },
  )
}, 60_000)

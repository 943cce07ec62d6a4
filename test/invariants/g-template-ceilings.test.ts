/**
 * Invariant G (R-07, A-51, B-33 – B-39): whatever a planner asks for, only tools of the template run, no more often than
 * it says, and nothing above its ceiling is held. By fuzzing templates and plans through the whole pipeline.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Level, parseLevel, rankOf } from '../../kernel/flow/level.ts'
import { action, probe, templateRefusal } from './probe.ts'

const LEVEL: Readonly<Record<string, Level>> = {
  'probe.open': 'public',
  'probe.inner': 'internal',
  'probe.own': 'sensitive',
  'probe.kept': 'regulated',
}
const IDS = Object.keys(LEVEL)
const ACTIONS = [
  ...IDS.map((id) => action(id, { ceiling: LEVEL[id] ?? 'secret' })),
  action('probe.put', { semantics: 'write', sink: 'sink:calendar:owner', ceiling: 'public' }),
]
const TOOLS = Object.fromEntries(
  ACTIONS.map(({ id }) => [id, () => ({ ok: true, output: { ok: true } }) as const]),
)
const OWN = ACTIONS.map(({ id }) => id)
const FOREIGN = ['memory.save', 'email.send', 'admin.grant', 'constructor', '__proto__']

/** Most plans keep to the template, or nothing would ever run. */
const cases = fc.record({
  allowed_tools: fc.oneof(
    { weight: 3, arbitrary: fc.constant(OWN) },
    { weight: 1, arbitrary: fc.subarray(OWN) },
  ),
  denied_tools: fc.oneof(
    { weight: 3, arbitrary: fc.constant<string[]>([]) },
    { weight: 1, arbitrary: fc.subarray(IDS) },
  ),
  data_ceiling: fc.constantFrom<Level>('public', 'internal', 'sensitive', 'regulated'),
  max_tool_calls: fc.integer({ min: 0, max: 4 }),
  plan: fc.array(
    fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom(...OWN) },
      { weight: 1, arbitrary: fc.constantFrom(...FOREIGN) },
    ),
    { minLength: 1, maxLength: 3 },
  ),
})

test('nothing outside the template runs, and nothing above its ceiling is held', async () => {
  let ran = 0
  let held = 0
  await fc.assert(
    fc.asyncProperty(cases, async ({ plan, ...template }) => {
      const steps = plan.map((tool, index) => ({ id: `s${index + 1}`, do: 'tool', tool, args: {} }))
      const probed = await probe({ actions: ACTIONS, tools: TOOLS, template, steps, line: 'public' })
      const may = template.allowed_tools.filter((id) => !template.denied_tools.includes(id))
      ran += probed.ran.length
      expect(probed.ran.filter((id) => !may.includes(id))).toEqual([])
      expect(probed.ran.length).toBeLessThanOrEqual(template.max_tool_calls)
      // A plan that names one tool too many runs none at all.
      if (plan.some((id) => !may.includes(id))) expect(probed.ran).toEqual([])
      for (const { label } of probed.report.task.steps.filter((step) => step.outcome === 'done')) {
        const level = parseLevel(label?.split(':')[0])
        expect(level.ok && rankOf(level.value) <= rankOf(template.data_ceiling)).toBe(true)
        held += 1
      }
    }),
    { numRuns: 80 },
  )
  // What would lie above the ceiling is known from its declaration, so it never ran.
  expect(held).toBeGreaterThan(10)
  expect(ran).toBe(held)
}, 120_000)

describe('a read above the ceiling', () => {
  const read = (tool: string, data_ceiling: Level) =>
    probe({
      ...{ actions: ACTIONS, tools: TOOLS, template: { data_ceiling }, line: 'public' },
      steps: [{ id: 's1', do: 'tool', tool, args: {} }],
    })

  test.each<[string, Level]>([
    ['probe.inner', 'public'],
    ['probe.own', 'internal'],
    ['probe.kept', 'sensitive'],
  ])('%s under %s is not held by the task', async (tool, ceiling) => {
    const { report, world } = await read(tool, ceiling)
    expect(report.task.steps).toMatchObject([{ tool, label: null, outcome: 'denied' }])
    expect(world.calls).toEqual([])
    expect(report.task.trouble).toBe('ceiling_exceeded')
    expect(report.task.label).toBe('public')
    expect(world.prompts.flatMap(({ parts }) => parts.contents)).toEqual([])
  })
})

describe('a class gets no more than its row', () => {
  const base = { planner_task_description: 'A stranger.', data_ceiling: 'internal' }
  const stranger = { ...base, principal_class: 'third_party', triggers: ['adapter:probe:*:third_party'] }
  test.each<[string, object, string]>([
    [
      'an owner’s tool for a stranger',
      { ...stranger, allowed_tools: ['probe.own'] },
      'template_class_mismatch',
    ],
    ['a write for a stranger', { ...stranger, allowed_tools: ['probe.put'] }, 'template_class_mismatch'],
    ['memory for a stranger', { ...stranger, allowed_tools: ['memory.search'] }, 'template_class_mismatch'],
    [
      'another’s chat for a stranger',
      { ...stranger, allowed_tools: [], output_sinks: ['sink:telegram:owner'] },
      'template_class_mismatch',
    ],
    ['a ceiling of secret for anyone', { data_ceiling: 'secret' }, 'template_malformed'],
    ['an open budget', { max_tool_calls: 10_000 }, 'template_malformed'],
    ['a key that nobody knows', { allow_everything: true }, 'template_malformed'],
  ])('%s is refused when it is loaded', (_name, template, code) => {
    expect(templateRefusal(ACTIONS, { ...template })?.code).toBe(code)
  })
})

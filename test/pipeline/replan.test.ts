/**
 * A second plan after reads (DESIGN §3): once, after reads only, from metadata only, and what it does bears what it was
 * decided by.
 */
import { describe, expect, it } from 'vitest'
import { runEffect } from '../../kernel/pipeline/drive.ts'
import type { FinalPrompt } from '../../kernel/prompt/finalize.ts'
import type { TaskReport } from '../../kernel/runtime/report.ts'
import { CANARY, calendarTools, EMAILS, mailTools } from './mailbox.ts'
import { createDisk, createWorld, scriptedModel, type World } from './world.ts'

const PAGE = 'https://page.example/'
const WEB = { title: '', text: 'A page.', links: [], language: 'unknown' }
const TOOLS = {
  ...mailTools(),
  ...calendarTools(),
  'web.read': () => ({ ok: true as const, output: WEB }),
}
const WORDS = 'please do the unusual thing with the budget of sarah'
const LIST = { id: 's1', do: 'tool', tool: 'email.list', args: {} }
const READ = { id: 's2', do: 'tool', tool: 'email.read', args: { id: { $ref: 's1.emails[1].id' } } }
const BOOK = {
  ...{ id: 's2', do: 'tool', tool: 'calendar.create_event' },
  args: { title: 'budget', from: '2026-11-27T13:00:00Z', to: '2026-11-27T14:00:00Z' },
}

interface Ran {
  readonly world: World
  readonly report: TaskReport['task']
  /** Prompts that were planned from by the model, in order. */
  readonly planning: readonly FinalPrompt[]
}

type Plans = readonly [object, object?, object?]

/** Runs plans of one planner, one after the other. */
async function run(plans: Plans, words = WORDS): Promise<Ran> {
  let round = 0
  const planner = scriptedModel('a-model', ({ parts }) =>
    parts.purpose === 'plan' ? JSON.stringify(plans[round++] ?? {}) : (parts.options[0] ?? 'done'),
  )
  const world = createWorld({ tools: TOOLS, models: [planner] })
  const report = await world.shell.report(await world.say(words))
  if (report === null) throw new Error('no report')
  const planning = world.prompts.filter(({ parts, model }) => parts.purpose === 'plan' && model === 'a-model')
  return { world, report: report.task, planning }
}

const AGAIN = { steps: [LIST], again: true }

describe('a second plan', () => {
  it('is made of what the first one found, and goes on from there', async () => {
    const { world, report, planning } = await run([AGAIN, { steps: [READ] }])
    expect(world.calls).toEqual([
      { tool: 'email.list', args: {} },
      { tool: 'email.read', args: { id: EMAILS[1]?.id } },
    ])
    expect(report.steps.map(({ tool, outcome }) => `${tool} ${outcome}`)).toEqual([
      'email.list done',
      'email.read done',
    ])
    expect(planning.map(({ parts }) => parts.instruction)).toEqual([
      null,
      'Planned before: s1 email.list. Go on with s2, or with none if all is done.',
    ])
  })

  it('is made of structure: no string of a stranger', async () => {
    const { planning } = await run([AGAIN, { steps: [] }])
    const [, second] = planning
    expect(second?.parts.metadata.find(({ root }) => root === 's1')?.fields).toMatchObject({
      emails: {
        count: 2,
        items: [
          {
            from: { ref: 's1.emails[0].from', kind: 'email', size: 'line', rank: 1 },
            subject: { ref: 's1.emails[0].subject', rank: 1 },
            unread: true,
          },
          { subject: { ref: 's1.emails[1].subject', kind: 'text', size: 'line' } },
        ],
      },
    })
    const text = `${second?.system}${second?.user}${JSON.stringify(second?.parts)}`
    for (const piece of [CANARY, 'Sarah Chen', 'friends.example', 'Q3 budget', '"m1"'])
      expect(text).not.toContain(piece)
    expect(second?.parts.contents).toEqual([])
    expect(second?.provenance.taint.level).toBe('extracted')
  })

  it('says no rank of what nobody asked for', async () => {
    const { planning } = await run([AGAIN, { steps: [] }])
    expect(JSON.stringify(planning[1]?.parts.metadata)).not.toMatch(/emails\[1\]\.\w+"[^}]*"rank"/)
  })

  it.each<[string, Plans, number, string | null]>([
    ['may be empty: what was found is enough', [AGAIN, { steps: [] }], 2, null],
    ['follows no write', [{ steps: [{ ...BOOK, id: 's1' }], again: true }, { steps: [LIST] }], 2, null],
    ['may be followed by a third', [AGAIN, { steps: [READ], again: true }, { steps: [] }], 3, null],
    [
      'is followed by no fourth',
      [AGAIN, { steps: [READ], again: true }, { steps: [{ ...READ, id: 's3' }], again: true }],
      3,
      'plan_limit_reached',
    ],
    ['that is none is made once more, then told', [AGAIN, { steps: [LIST] }], 3, 'plan_malformed'],
    [
      'does not follow a read that failed',
      [{ steps: [{ ...READ, id: 's1', args: { id: 'nobody' } }], again: true }],
      1,
      'remote_not_found',
    ],
    ['is not made unless it was asked for', [{ steps: [LIST] }, { steps: [READ] }], 1, null],
  ])('%s', async (_, plans, rounds, trouble) => {
    const { world, planning } = await run(plans)
    expect(planning).toHaveLength(rounds)
    expect(world.calls.map(({ tool }) => tool)).not.toContain('calendar.create_event')
    expect(world.disk.store.recentTasks('principal:owner', 1)[0]?.trouble?.code ?? null).toBe(trouble)
    expect(world.heard()).not.toBe('')
  })

  it('asks before it writes what was not typed, and may write what was', async () => {
    const { world } = await run([AGAIN, { steps: [BOOK] }])
    const [waiting] = await world.ports.approvals.list('principal:owner')
    expect(waiting).toMatchObject({ tool: 'calendar.create_event' })
    const decision = { approval: waiting?.id ?? '', decision: 'approve', place: 'home' } as const
    await world.shell.decide({ ...decision, principal: 'principal:owner' })
    await world.shell.run('principal:owner')
    expect(world.calls.map(({ tool }) => tool)).toEqual(['email.list', 'calendar.create_event'])
  })

  it('tells a public service nothing of what decided it', async () => {
    const page = { id: 's2', do: 'tool', tool: 'web.read', args: { url: { $ref: 'said.url' } } }
    const outcome = async (plans: Plans) => {
      const { world } = await run(plans, `${WORDS} and ${PAGE}`)
      const traces = world.disk.store.recentTasks('principal:owner', 1)[0]?.traces ?? []
      return traces.map(({ tool, reason, outcome: end }) => `${tool} ${reason ?? end}`).at(-1)
    }
    expect(await outcome([{ steps: [LIST, page] }])).toBe('web.read done')
    expect(await outcome([AGAIN, { steps: [page] }])).toBe('web.read write_down')
  })

  it('keeps what the first planner wrote apart from what it writes itself', async () => {
    const choice = {
      id: 's2',
      do: 'classify',
      of: 's1.emails[0].snippet',
      question: 'Is it?',
      options: ['one', 'two'],
    }
    const when = { ref: 's2', is: 'equals', value: 'one' }
    const { world } = await run([
      { steps: [LIST, choice], again: true },
      { steps: [{ ...READ, id: 's3', args: { id: 'm1' }, when }] },
    ])
    expect(world.calls.at(-1)).toEqual({ tool: 'email.read', args: { id: 'm1' } })
  })

  it('sees earlier turns under the names that they had', async () => {
    const { world } = await run([{ steps: [LIST] }])
    const task = world.disk.store.recentTasks('principal:owner', 1)[0]
    if (task === undefined) throw new Error('no task')
    const anew = await runEffect(world.powers, { ...task, plan: null }, { do: 'plan', round: 1 })
    const after = await runEffect(world.powers, task, { do: 'plan', round: 2 })
    expect(Object.keys(anew.patch?.memory ?? {})).toEqual(['w1'])
    expect(after.patch).toBeUndefined()
  })

  it('is asked for again after a crash, from what lies on the disk', async () => {
    const disk = createDisk()
    let dead = true
    const planner = scriptedModel('a-model', ({ parts }) => {
      if (parts.purpose !== 'plan') return 'done'
      if (parts.instruction === null) return JSON.stringify(AGAIN)
      return JSON.stringify({ steps: [READ] })
    })
    const hanging = {
      ...planner,
      complete: (prompt: FinalPrompt, limits: Parameters<typeof planner.complete>[1]) =>
        dead && prompt.parts.instruction !== null
          ? new Promise<never>(() => undefined)
          : planner.complete(prompt, limits),
    }
    const before = createWorld({ tools: TOOLS, models: [hanging], disk })
    void before.say(WORDS)
    await expect.poll(() => before.prompts.some(({ parts }) => parts.instruction !== null)).toBe(true)
    dead = false
    const after = createWorld({ tools: TOOLS, models: [hanging], disk })
    await after.shell.run('principal:owner')
    expect(before.calls.map(({ tool }) => tool)).toEqual(['email.list'])
    expect(after.calls.map(({ tool }) => tool)).toEqual(['email.read'])
    expect(disk.store.recentTasks('principal:owner', 1)[0]?.state.at).toBe('completed')
  })

  it('follows a template’s own plan that asks for it, by whoever plans freely', async () => {
    const template = {
      ...{ template_id: 'looking', triggers: ['adapter:terminal:message:owner'], intents: ['email_check'] },
      ...{
        principal_class: 'owner',
        description: 'Looks first',
        allowed_tools: ['email.list', 'email.read'],
      },
      ...{ max_tool_calls: 5, max_tokens_plan: 1_000, max_tokens_synthesize: 1_000 },
      ...{ output_sinks: ['sink:terminal:owner'], data_ceiling: 'sensitive' },
      plans: [{ intent: 'email_check', steps: [LIST], again: true }],
    }
    const planner = scriptedModel('a-model', ({ parts }) =>
      parts.purpose === 'plan' ? JSON.stringify({ steps: [READ] }) : 'done',
    )
    const world = createWorld({ tools: TOOLS, models: [planner], templates: [template] })
    await world.say('check my email')
    expect(world.calls.map(({ tool }) => tool)).toEqual(['email.list', 'email.read'])
    const bare = createWorld({ tools: TOOLS, templates: [template] })
    await bare.say('check my email')
    expect(bare.calls.map(({ tool }) => tool)).toEqual(['email.list'])
    expect(bare.heard()).toContain('Sarah Chen')
  })
})

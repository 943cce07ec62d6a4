/** The verbs of a plan and its bounds: select, when, forEach, compose, classify, failures and caps (C-13 – C-20, B-36). */
import { describe, expect, it } from 'vitest'
import { resolveRef } from '../../kernel/call/resolve.ts'
import { describeLabel } from '../../kernel/flow/label.ts'
import { RECORD } from '../../kernel/model-call/task-record.ts'
import type { FinalPrompt } from '../../kernel/prompt/finalize.ts'
import type { TaskReport } from '../../kernel/runtime/report.ts'
import { calendarTools, EMAILS, mailTools } from './mailbox.ts'
import { createWorld, scriptedModel, type World, type WorldOptions } from './world.ts'

const TOOLS = {
  ...{ ...mailTools(), ...calendarTools() },
  'email.archive': () => ({ ok: false, reason: { code: 'tool_failed', facts: {} } }) as const,
}
const LIST = { id: 's1', do: 'tool', tool: 'email.list', args: {} }

interface Ran {
  readonly world: World
  readonly report: TaskReport['task']
  readonly tools: readonly string[]
}

/** Runs one plan of a scripted planner; the same model writes what `write` says for the other purposes. */
async function run(
  steps: readonly unknown[],
  { write = () => 'done', ...options }: WorldOptions & { write?: (prompt: FinalPrompt) => string } = {},
): Promise<Ran> {
  const planner = scriptedModel('rules', (prompt) =>
    prompt.parts.purpose === 'plan' ? JSON.stringify({ steps, explanation: '' }) : write(prompt),
  )
  const world = createWorld({ tools: TOOLS, models: [planner], ...options })
  const task = await world.say('please do the unusual thing')
  const report = await world.shell.report(task)
  if (report === null) throw new Error('no report')
  return { world, report: report.task, tools: world.calls.map(({ tool }) => tool) }
}

describe('verbs', () => {
  it('reads every mail of a list, each with its own id', async () => {
    const { world } = await run([
      LIST,
      {
        id: 's2',
        do: 'forEach',
        in: 's1.emails',
        max: 5,
        tool: 'email.read',
        args: { id: { $ref: 'item.id' } },
      },
    ])
    expect(world.calls.slice(1)).toEqual(EMAILS.map(({ id }) => ({ tool: 'email.read', args: { id } })))
  })

  it('never repeats more than its bound', async () => {
    const { tools } = await run([
      LIST,
      {
        id: 's2',
        do: 'forEach',
        in: 's1.emails',
        max: 1,
        tool: 'email.read',
        args: { id: { $ref: 'item.id' } },
      },
    ])
    expect(tools).toEqual(['email.list', 'email.read'])
  })

  it('lets what came of no rows bear the list that had none', async () => {
    const { world, report } = await run(
      [
        LIST,
        {
          ...{ id: 's2', do: 'forEach', in: 's1.emails', max: 5, tool: 'email.read' },
          args: { id: { $ref: 'item.id' } },
        },
      ],
      { tools: { ...TOOLS, 'email.list': () => ({ ok: true, output: { emails: [], more: false } }) } },
    )
    const task = world.powers.store.loadTask(report.id)
    if (task === null) throw new Error('no task')
    expect(world.calls.map(({ tool }) => tool)).toEqual(['email.list'])
    const [list, none] = [task.results['s1'], await resolveRef(world.powers, task, 's2')]
    if (list?.kind !== 'sealed' || !none.ok) throw new Error('no results')
    expect(describeLabel(list.ref.label)).toMatch(/^sensitive/)
    expect(describeLabel(none.value.label)).toMatch(/^sensitive/)
  })

  it.each([
    ['select', 'empty', true],
    ['select', 'not_empty', false],
    ['choose', 'empty', true],
  ] as const)(
    'goes on after a %s that finds nothing, where a step asks whether it is %s',
    async (verb, is, runs) => {
      const pick =
        verb === 'select'
          ? { id: 's2', do: 'select', from: 's1.emails', matching: 'Zebedee', take: 'one' }
          : { id: 's2', do: 'choose', from: 's1.emails', question: 'Which is from Zebedee?', take: 'first' }
      const read = { id: 's3', do: 'tool', tool: 'calendar.list_events', args: {}, when: { ref: 's2', is } }
      const { tools, report } = await run([LIST, pick, read], { write: () => 'none' })
      expect(tools.includes('calendar.list_events')).toBe(runs)
      expect(report.trouble).toBeNull()
    },
  )

  it.each([
    ['not_empty', true],
    ['empty', false],
  ] as const)('runs a step when its condition %s holds: %s', async (is, runs) => {
    const read = { id: 's2', do: 'tool', tool: 'email.read', args: { id: { $ref: 's1.emails[0].id' } } }
    const { tools, report } = await run([LIST, { ...read, when: { ref: 's1.emails', is } }])
    expect(tools.includes('email.read')).toBe(runs)
    expect(report.steps[1]?.outcome).toBe(runs ? 'done' : 'skipped')
  })

  it('selects by an equal field', async () => {
    const { world } = await run([
      LIST,
      {
        id: 's2',
        do: 'select',
        from: 's1.emails',
        where: { field: 'hasAttachments', equals: true },
        take: 'first',
      },
      { id: 's3', do: 'tool', tool: 'email.read', args: { id: { $ref: 's2.id' } } },
    ])
    expect(world.calls.at(-1)).toEqual({ tool: 'email.read', args: { id: 'm2' } })
  })

  it('reads every mail of a selection', async () => {
    const { world } = await run([
      LIST,
      { id: 's2', do: 'select', from: 's1.emails', where: { field: 'unread', equals: true }, take: 'all' },
      { id: 's3', do: 'forEach', in: 's2', max: 5, tool: 'email.read', args: { id: { $ref: 'item.id' } } },
    ])
    expect(world.calls.slice(1).map(({ args }) => args)).toEqual([{ id: 'm1' }, { id: 'm2' }])
  })

  describe('all rows that fit, of which there are none', () => {
    const NONE = { id: 's2', do: 'select', from: 's1.emails', matching: 'newsletter', take: 'all' }
    const each = { id: 's3', do: 'forEach', in: 's2', max: 5, tool: 'email.read' }
    const day = { from: '2026-11-27T00:00:00Z', to: '2026-11-28T00:00:00Z' }
    const book = { do: 'tool', tool: 'calendar.create_event', args: { title: 'unusual thing', ...day } }

    it.each([
      ['a call for each', [{ ...each, args: { id: { $ref: 'item.id' } } }]],
      ['a call for all', [{ id: 's3', do: 'tool', tool: 'email.archive', args: { ids: { $ref: 's2.id' } } }]],
      ['the first', [{ id: 's3', do: 'tool', tool: 'email.read', args: { id: { $ref: 's2[0].id' } } }]],
      [
        'a text of them, and what it is for',
        [
          { id: 's3', do: 'compose', from: ['s2.subject'], instruction: 'One line.', maxChars: 40 },
          { id: 's4', do: 'tool', tool: 'memory.save', args: { text: { $ref: 's3' } } },
        ],
      ],
    ])('are no failure: %s is left out, and what comes after runs', async (_what, steps) => {
      const next = { id: `s${steps.length + 3}`, do: 'tool', tool: 'calendar.list_events', args: day }
      const { report, tools, world } = await run([LIST, NONE, ...steps, next])
      expect(tools).toEqual(['email.list', 'calendar.list_events'])
      expect(report.trouble).toBeNull()
      expect(report.steps.map(({ outcome }) => outcome)).toEqual([
        'done',
        ...steps.map(() => 'skipped'),
        'done',
      ])
      expect(world.prompts.some(({ parts }) => parts.purpose === 'compose')).toBe(false)
      expect(world.heard()).not.toContain('May I do this?')
    })

    it('are counted', async () => {
      const { report, world } = await run([
        LIST,
        NONE,
        { id: 's3', do: 'compute', op: 'count', of: [{ $ref: 's2' }] },
      ])
      expect(report.trouble).toBeNull()
      const written = world.prompts.find(({ parts }) => parts.purpose === 'synthesize')
      expect(written?.parts.contents.find(({ root }) => root === 's3')?.content).toMatchObject({ value: 0 })
    })

    it.each([
      ['its “empty”', { ref: 's2', is: 'empty' }, true],
      ['its “not empty”', { ref: 's2', is: 'not_empty' }, false],
      ['the “else” of what was left out', { ref: 's3', is: 'skipped' }, true],
    ])('%s decides a read', async (_what, when, runs) => {
      const next = { id: 's4', do: 'tool', tool: 'calendar.list_events', args: day, when }
      const { tools } = await run([LIST, NONE, { ...each, args: { id: { $ref: 'item.id' } } }, next])
      expect(tools).toEqual(['email.list', ...(runs ? ['calendar.list_events'] : [])])
    })

    it.each([
      ['its “empty”', { ref: 's2', is: 'empty' }],
      ['the “else” of what was left out', { ref: 's3', is: 'skipped' }],
      ['nothing but the order', undefined],
    ])('a write that %s lets run asks, as strangers decided that there are none', async (_what, when) => {
      const steps = [LIST, NONE, { ...each, args: { id: { $ref: 'item.id' } } }, { id: 's4', ...book, when }]
      const { world, tools } = await run(steps)
      expect(tools).toEqual(['email.list'])
      expect(await world.ports.approvals.list('principal:owner')).toMatchObject([
        { tool: 'calendar.create_event', reason: 'write_raw' },
      ])
    })

    it('are told to the writer with the words that no row has, and a write without them as left out', async () => {
      const archive = { id: 's3', do: 'tool', tool: 'email.archive', args: { ids: { $ref: 's2.id' } } }
      const { world } = await run([LIST, NONE, archive])
      const written = world.prompts.find(({ parts }) => parts.purpose === 'synthesize')
      const record = written?.parts.contents.filter(({ action }) => action === RECORD) ?? []
      expect(record.flatMap(({ content }) => content)).toEqual([
        { picked: [], sought: 'newsletter', why: 'no row of the list fits' },
        { left_out: 'email.archive', why: 'nothing was found for it' },
      ])
    })
  })

  it('asks for a write that rests on what a stranger left out', async () => {
    const page = () => ({ ok: true, output: { title: 'T', text: 'x', links: [], language: 'en' } }) as const
    const planner = scriptedModel('rules', ({ parts }) => {
      const steps = [
        { id: 's1', do: 'tool', tool: 'web.read', args: { url: 'https://a.example/' } },
        {
          ...{ id: 's2', do: 'tool', tool: 'memory.save', args: { text: { $ref: 'said.url' } } },
          when: { ref: 's1.author', is: 'empty' },
        },
      ]
      return parts.purpose === 'plan' ? JSON.stringify({ steps, explanation: '' }) : 'done'
    })
    const world = createWorld({ tools: { 'web.read': page }, models: [planner] })
    await world.say('do the unusual thing with https://a.example/ please')
    expect(world.disk.store.facts('principal:owner', 5)).toEqual([])
    expect(world.heard()).toContain('May I do this?')
  })

  it('says so when nothing matches', async () => {
    const { report, tools } = await run([
      LIST,
      { id: 's2', do: 'select', from: 's1.emails', where: { field: 'unread', equals: false }, take: 'first' },
      { id: 's3', do: 'tool', tool: 'email.read', args: { id: { $ref: 's2.id' } } },
    ])
    expect(report.trouble).toBe('nothing_found')
    expect(tools).toEqual(['email.list'])
  })

  it.each([
    ['the row of a list', { do: 'tool', tool: 'email.read', args: { id: { $ref: 's1.emails[0].id' } } }],
    ['a text of it', { do: 'compose', from: ['s1.emails[0].snippet'], instruction: 'x', maxChars: 40 }],
    ['the row after the last', { do: 'tool', tool: 'email.read', args: { id: { $ref: 's1.emails[7].id' } } }],
  ])('that nothing was found is said of %s, where there is none', async (name, step) => {
    const emails = name.includes('last') ? EMAILS : []
    const tools = { ...TOOLS, 'email.list': () => ({ ok: true as const, output: { emails, more: false } }) }
    const { report, tools: ran } = await run([LIST, { id: 's2', ...step }], { tools })
    expect(report.trouble).toBe('nothing_found')
    expect(ran).toEqual(['email.list'])
  })

  it('an optional argument from a list without rows is left out', async () => {
    const tools = {
      ...TOOLS,
      'email.list': () => ({ ok: true as const, output: { emails: [], more: false } }),
    }
    const next = { ...LIST, id: 's2', args: { since: { $ref: 's1.emails[0].date' } } }
    const { world } = await run([LIST, next], { tools })
    expect(world.calls).toEqual([LIST, LIST].map(({ tool, args }) => ({ tool, args })))
  })

  it('puts composed text before the owner, as it bears what it read (C-20, X-06, regression 12)', async () => {
    const { world, report } = await run(
      [
        LIST,
        { id: 's2', do: 'compose', from: ['s1.emails[0].subject'], instruction: 'a title', maxChars: 40 },
        {
          ...{ id: 's3', do: 'tool', tool: 'calendar.create_event' },
          args: { title: { $ref: 's2' }, from: '2026-11-27T13:00:00Z', to: '2026-11-27T14:00:00Z' },
        },
      ],
      { write: ({ parts }) => (parts.purpose === 'compose' ? 'Talk about Q3' : 'done') },
    )
    expect(report.state).toBe('awaiting_approval')
    expect(world.heard()).toContain('title: Talk about Q3')
    expect(world.heard()).toContain('written by someone else')
  })

  it.each([
    ['an option', 'urgent', true],
    ['anything else', 'urgent! and forward it', false],
  ])('takes %s as a classification: %s', async (_what, said, known) => {
    const { world } = await run(
      [
        LIST,
        {
          id: 's2',
          do: 'classify',
          of: 's1.emails[0].snippet',
          question: 'How urgent?',
          options: ['urgent', 'calm'],
        },
      ],
      { write: ({ parts }) => (parts.purpose === 'classify' ? said : 'done') },
    )
    const results = world.disk.store.recentTasks('principal:owner', 1)[0]?.results
    expect(results?.['s2']).toMatchObject({ kind: 'choice', value: known ? 'own[1]' : null })
  })
})

describe('a plan that goes wrong', () => {
  const failing = {
    ...TOOLS,
    'email.read': () => ({ ok: false, reason: { code: 'remote_unavailable', facts: {} } }) as const,
  }
  const read = { id: 's1', do: 'tool', tool: 'email.read', args: { id: 'm1' } }
  const events = {
    ...{ id: 's2', do: 'tool', tool: 'calendar.list_events' },
    args: { from: '2026-11-27T00:00:00Z', to: '2026-11-28T00:00:00Z' },
  }

  it('skips what follows a failure, and tells both (C-19)', async () => {
    const { report, tools } = await run([read, events], { tools: failing })
    expect(tools).toEqual(['email.read'])
    expect(report.steps.map(({ outcome }) => outcome)).toEqual(['failed', 'skipped'])
    expect(report.trouble).toBe('remote_unavailable')
  })

  it('goes on after a step that is independent', async () => {
    const { report } = await run([{ ...read, independent: true }, events], { tools: failing })
    expect(report.steps.map(({ outcome }) => outcome)).toEqual(['failed', 'done'])
  })

  it('is asked for twice of one model, and no more (C-15)', async () => {
    const world = createWorld({ tools: TOOLS, models: [scriptedModel('a-model', () => '{"steps": [')] })
    const report = await world.shell.report(await world.say('please do the unusual thing'))
    expect(report?.task.trouble).toBe('plan_malformed')
    const planning = world.prompts.filter(({ parts }) => parts.purpose === 'plan')
    expect(planning.map(({ model }) => model)).toEqual(['a-model', 'a-model', 'rules'])
  })

  it('never runs a plan that was cut (B-37)', async () => {
    const cut = scriptedModel('rules', () => JSON.stringify({ steps: [LIST], explanation: '' }))
    const model = {
      reader: cut.reader,
      complete: async (...call: Parameters<typeof cut.complete>) => {
        const answer = await cut.complete(...call)
        return answer.ok ? { ...answer, value: { ...answer.value, cut: true } } : answer
      },
    }
    const world = createWorld({ tools: TOOLS, models: [model] })
    const report = await world.shell.report(await world.say('please do the unusual thing'))
    expect(world.calls).toEqual([])
    expect(report?.task.trouble).toBe('plan_truncated')
  })

  it('stops at the number of calls that the template allows (B-36)', async () => {
    const template = {
      ...{ template_id: 'two_calls', triggers: ['adapter:terminal:message:owner'], principal_class: 'owner' },
      ...{
        intents: ['other'],
        description: 'Two calls at most.',
        allowed_tools: ['email.list', 'email.read'],
      },
      ...{ max_tool_calls: 2, max_tokens_plan: 500, max_tokens_synthesize: 500 },
      ...{ output_sinks: ['sink:terminal:owner'], data_ceiling: 'sensitive' },
    }
    const { tools, report } = await run(
      [
        LIST,
        {
          id: 's2',
          do: 'forEach',
          in: 's1.emails',
          max: 5,
          tool: 'email.read',
          args: { id: { $ref: 'item.id' } },
        },
      ],
      { templates: [template] },
    )
    expect(report.template).toBe('two_calls')
    expect(tools).toHaveLength(2)
    expect(report.trouble).toBe('tool_calls_used_up')
  })
})

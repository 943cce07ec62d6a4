/**
 * The order of a task's work: how an event is routed (B-28), what comes before and after a call (C-16), which model is
 * asked when (C-17), and which path the audit says that it took (C-28).
 */

import { describe, expect, it } from 'vitest'
import { createToolPort } from '../../integrations/tools/port.ts'
import { kernelWords, receive } from '../../kernel/flow/provenance.ts'
import { permit } from '../../kernel/flow/verdict.ts'
import { askModel } from '../../kernel/model-call/model-call.ts'
import { kernelPorts } from '../../kernel/operations/kernel-ports.ts'
import type { Powers } from '../../kernel/powers/all-powers.ts'
import type { AuditEvent } from '../../kernel/powers/stores.ts'
import { createShell } from '../../kernel/runtime/shell.ts'
import type { Task, TaskState } from '../../kernel/task/task.ts'
import type { Tool, ToolCall, ToolManifest, ToolOutcome } from '../../kernel/tool/manifest.ts'
import { createRegistry } from '../../kernel/tool/registry.ts'
import { action } from '../invariants/probe.ts'
import { BEARER, NO_BREAKER } from '../tools/calls.ts'
import { calendarTools, mailTools } from './mailbox.ts'
import { createWorld, message, scriptedModel } from './world.ts'

const TOOLS = { ...mailTools(), ...calendarTools() }

describe('an event is routed in one order: what is first wrong is what is said (B-28)', () => {
  const OWNER = { adapter: 'terminal', user: 'local', chat: 'owner', group: false }
  const from = (change: object) => ({ ...OWNER, ...change })
  const ELSEWHERE = {
    template_id: 'elsewhere',
    output_sinks: ['sink:mail:owner'],
    triggers: ['adapter:probe:*:owner'],
  }
  const EDGED = {
    ...{ template_id: 'edged', output_sinks: ['reply_to_sender'], triggers: ['adapter:edged:*:owner'] },
  }
  const template = (change: object) => ({
    ...{ principal_class: 'owner', description: 'x', allowed_tools: [], denied_tools: [], max_tool_calls: 1 },
    ...{ max_tokens_plan: 1, max_tokens_synthesize: 1, data_ceiling: 'internal', ...change },
  })

  it.each([
    // every row is wrong in all that the rows below it are
    [
      'received',
      { text: 7, source: from({ adapter: 'nobody', user: 'eve' }), place: 'edge' },
      'event_malformed',
    ],
    ['authenticated', { source: from({ user: 'eve' }), place: 'edge' }, 'template_none_matches'],
    ['matched by trigger', { source: from({ adapter: 'nobody' }), place: 'edge' }, 'template_none_matches'],
    ['given its sink', { source: from({ adapter: 'probe' }), place: 'edge' }, 'sink_not_of_task'],
    ['given its place', { source: from({ adapter: 'edged' }), place: 'edge' }, 'place_not_cleared'],
  ])('%s', async (_step, change, code) => {
    const world = createWorld({
      templates: [template(ELSEWHERE), template(EDGED)],
      owner: ['probe:local', 'edged:local', 'nobody:local'],
    })
    const received = await world.shell.receive({ ...message('hi', { id: 'e1' }), ...change })
    expect(received).toMatchObject({ ok: false, reason: { code } })
    expect(world.audited.map(({ kind, facts }) => [kind, facts['code']])).toEqual([['event_rejected', code]])
  })

  it('and a task is made after all of it, with class, label and sink', async () => {
    const asked: string[] = []
    const world = createWorld({ tools: TOOLS })
    const watched = new Proxy(world.powers, {
      get(powers, name, receiver) {
        if (typeof name === 'string' && !asked.includes(name)) asked.push(name)
        return Reflect.get(powers, name, receiver)
      },
    })
    const received = await createShell(watched).receive(message('hi', { id: 'e1' }))
    if (!received.ok) throw new Error(received.reason.code)
    const steps = ['directory', 'policy', 'templates', 'place', 'sealer']
    expect(asked.filter((name) => steps.includes(name))).toEqual(steps)
    expect(world.audited.map(({ kind, facts }) => [kind, facts['class']])).toEqual([
      ['task_created', 'owner'],
    ])
    const task = world.disk.store.loadTask(received.value.task)
    expect(task?.words).toMatchObject({
      label: { atoms: [{ level: 'sensitive' }] },
      taint: { level: 'clean' },
    })
    expect(task).toMatchObject({
      template: 'owner_private',
      sink: 'sink:terminal:owner',
      principal: received.value.principal,
    })
  })
})

/** A write that asks first, through the real port; every step leaves a word. */
describe('a call goes from token to ceiling in one order (C-16)', () => {
  interface Broken {
    readonly allowed?: readonly string[]
    readonly approve?: boolean
    readonly expires?: boolean
    readonly credential?: boolean
    readonly url?: string
    readonly semantics?: 'read' | 'write'
    readonly level?: 'regulated'
  }

  async function calls(broken: Broken) {
    const log: string[] = []
    const { semantics = 'write', url = 'https://api.example.com/x', level } = broken
    const manifest: ToolManifest = {
      ...{ name: 'probe', version: '1', ownerOnly: true, places: ['home'], network: ['api.example.com'] },
      credential: 'google',
      actions: [
        action('probe.do', { semantics, sink: semantics === 'write' ? 'sink:calendar:owner' : null }),
      ],
    }
    const tool: Tool = {
      manifest,
      async execute({ credential, http }: ToolCall): Promise<ToolOutcome> {
        log.push(`executed with ${credential?.scheme}`)
        const answer = await http.request({ method: 'GET', url })
        return answer.ok ? { ok: true, output: { ok: true }, ...(level && { level }) } : answer
      },
    }
    const planner = scriptedModel('scripted', ({ parts }) =>
      parts.purpose === 'plan'
        ? JSON.stringify({ steps: [{ id: 's1', do: 'tool', tool: 'probe.do', args: {} }] })
        : 'done',
    )
    const world = createWorld({ models: [planner] })
    const [shipped] = world.powers.templates.filter(({ id }) => id === 'owner_private')
    if (shipped === undefined) throw new Error('no template')
    const { store } = world.powers
    const powers: Powers = {
      ...world.powers,
      registry: createRegistry([manifest]),
      templates: [{ ...shipped, tools: broken.allowed ?? ['probe.do'], plans: {} }],
      store: {
        ...store,
        countUse: (id, most) => {
          log.push('token counted')
          return store.countUse(id, most)
        },
        appendAudit: (line: AuditEvent) => {
          const { kind, facts } = line
          if (kind === 'tool_invoked') log.push(`result: ${facts['code'] ?? facts['label']}`)
          if (kind === 'approval_asked') log.push('approval asked')
          store.appendAudit(line)
        },
      },
      tools: createToolPort({
        ...{ place: 'home', tools: [tool], exemptOrigins: [], redact: (value) => value, breaker: NO_BREAKER },
        transport: {
          send: async () => {
            log.push('request left')
            return { ok: true, value: { status: 200, headers: {}, body: (async function* () {})() } } as never
          },
        },
        checkToken: () => {
          log.push('token checked')
          return permit('test')
        },
        credentials: {
          has: () => true,
          issue: async () => {
            log.push('credential resolved')
            if (broken.credential === false)
              return { ok: false, reason: { code: 'credential_missing', facts: {} } }
            return {
              ok: true,
              value: { credential: BEARER, hosts: ['api.example.com'], settle: () => undefined },
            }
          },
        },
      }),
    }
    const shell = createShell(powers)
    const received = await shell.receive(message('please do the unusual thing', { id: 'c1' }))
    if (!received.ok) throw new Error(received.reason.code)
    await shell.run('principal:owner')
    if (broken.approve !== undefined) {
      const [view] = await kernelPorts(powers).approvals.list('principal:owner')
      const decision = broken.approve ? 'approve' : 'deny'
      await shell.decide({ approval: view?.id ?? '', decision, principal: 'principal:owner', place: 'home' })
      if (broken.expires === true) world.clock.now += 3_600_000
      await shell.run('principal:owner')
    }
    return { log, report: await shell.report(received.value.task) }
  }

  const ALL = [
    ...['approval asked', 'token counted', 'token checked', 'credential resolved', 'executed with bearer'],
    ...['request left', 'result: internal'],
  ]

  it.each<[string, Broken, readonly string[]]>([
    ['all is well', { approve: true }, ALL],
    ['the template lacks it', { allowed: [] }, []],
    ['nobody has said yes', {}, ALL.slice(0, 1)],
    ['the owner says no', { approve: false }, ALL.slice(0, 1)],
    [
      'there is no credential',
      { approve: true, credential: false },
      [...ALL.slice(0, 4), 'result: credential_missing'],
    ],
    [
      'the client may not go there',
      { approve: true, url: 'https://evil.net/' },
      [...ALL.slice(0, 5), 'result: host_not_allowed'],
    ],
    [
      'what it read is above the ceiling',
      { semantics: 'read', level: 'regulated' },
      [...ALL.slice(1, 6), 'result: ceiling_exceeded'],
    ],
  ])('when %s', async (_what, broken, expected) => {
    const { log } = await calls(broken)
    expect(log).toEqual(expected)
  })
})

describe('a model is asked in the phases that have one (C-17)', () => {
  const TOOL = { id: 's1', do: 'tool', tool: 'email.list', args: {} } as const
  const COMPOSE = { id: 's1', do: 'compose', instruction: 'x', inputs: [] }
  const NOTHING = { history: null, metadata: [], contents: [], tools: [], troubles: [], question: null }
  const PURPOSES = ['plan', 'compose', 'classify', 'synthesize'] as const

  async function stateOf(at: TaskState, step: unknown): Promise<readonly string[]> {
    const world = createWorld({ tools: TOOLS })
    const task = world.disk.store.loadTask(await world.say('hi'))
    if (task === null) throw new Error('no task')
    const here = { ...task, state: at, plan: { steps: [step] } } as unknown as Task
    const answered: string[] = []
    for (const purpose of PURPOSES) {
      const asked = await askModel(world.powers, here, {
        request: { purpose, request: receive('x', kernelWords()), ...NOTHING },
        limits: { maxTokens: 10, timeout: 1_000 },
      })
      if (asked.ok || asked.reason.code !== 'model_refused_phase') answered.push(purpose)
    }
    return answered
  }

  it.each<[string, TaskState, unknown, readonly string[]]>([
    ['extracting', { at: 'extracting' }, TOOL, []],
    ['planning', { at: 'planning' }, TOOL, ['plan']],
    ['checking a call', { at: 'executing', step: 0, phase: 'checking', approval: null }, TOOL, []],
    ['calling', { at: 'executing', step: 0, phase: 'calling', approval: null }, TOOL, []],
    [
      'a step that writes',
      { at: 'executing', step: 0, phase: 'calling', approval: null },
      COMPOSE,
      ['compose'],
    ],
    ['a step that is not there', { at: 'executing', step: 1, phase: 'calling', approval: null }, COMPOSE, []],
    ['waiting for the owner', { at: 'awaiting_approval', step: 0, approval: 'a' }, COMPOSE, []],
    ['waiting for home', { at: 'awaiting_home', step: 0, approval: null }, COMPOSE, []],
    ['synthesizing', { at: 'synthesizing' }, TOOL, ['synthesize']],
    ['delivering', { at: 'delivering', phase: 'sending' }, TOOL, []],
    ['completed', { at: 'completed' }, TOOL, []],
  ])('%s', async (_phase, state, step, expected) => {
    expect(await stateOf(state, step)).toEqual(expected)
  })
})

/** The tool port: what stands between a plan and a tool (I-01 – I-03, I-08, E-06, E-07, R-10, R-13). */

import { describe, expect, it, vi } from 'vitest'
import { CALENDAR_MANIFEST } from '../../integrations/tools/calendar/manifest.ts'
import { createCalendarTool } from '../../integrations/tools/calendar/run.ts'
import { EMAIL_MANIFEST } from '../../integrations/tools/email/manifest.ts'
import { createEmailTool } from '../../integrations/tools/email/run.ts'
import { createToolPort, type ToolPortOptions } from '../../integrations/tools/port.ts'
import { WEB_MANIFEST } from '../../integrations/tools/web/manifest.ts'
import { leavesOf } from '../../kernel/flow/field.ts'
import { deny, err, ok, permit } from '../../kernel/flow/verdict.ts'
import type { ActionManifest, Tool, ToolCall, ToolManifest, ToolOutcome } from '../../kernel/tool/manifest.ts'
import { createRegistry, expandPattern, findAction } from '../../kernel/tool/registry.ts'
import { sendJson } from '../kit/server.ts'
import { sleepyTimers } from '../kit/sleep.ts'
import { BEARER, NO_BREAKER, refusal, sourceOf, tokenFor } from './calls.ts'
import { startServer, startTransport } from './servers.ts'

const ACTION: ActionManifest = {
  id: 'probe.run',
  description: 'Runs a probe.',
  semantics: 'read',
  args: { kind: 'record', fields: { word: { kind: 'id', optional: true } } },
  output: { kind: 'record', fields: {} },
  ceiling: 'public',
  compartment: null,
  reaches: 'public',
  sink: null,
}
const MANIFEST: ToolManifest = {
  name: 'probe',
  version: '1.0.0',
  ownerOnly: true,
  places: ['home'],
  network: ['api.example.com'],
  credential: 'google',
  actions: [ACTION],
}

function probe(execute: Tool['execute'], more: Partial<ToolManifest> = {}): Tool {
  return { manifest: { ...MANIFEST, ...more }, execute }
}

function portFor(tool: Tool, more: Partial<ToolPortOptions> = {}) {
  return createToolPort({
    place: 'home',
    tools: [tool],
    transport: startTransport(),
    exemptOrigins: [],
    checkToken: () => permit('test'),
    credentials: sourceOf(BEARER, tool.manifest.network),
    redact: (value) => value,
    breaker: NO_BREAKER,
    ...more,
  })
}

const done = async (): Promise<ToolOutcome> => ({ ok: true, output: {} })
const request = { action: 'probe.run', args: {}, capability: tokenFor('probe.run') }

describe('before a tool runs', () => {
  const never = vi.fn(done)
  const unlawful: readonly (readonly [
    string,
    object,
    Partial<ToolPortOptions>,
    Partial<ToolManifest>,
    string,
  ])[] = [
    ['no token', { capability: undefined }, {}, {}, 'token_missing'],
    ['a null token', { capability: null }, {}, {}, 'token_missing'],
    ['a token of words', { capability: 'trust me' }, {}, {}, 'token_missing'],
    ['a token without claims', { capability: {} }, {}, {}, 'policy_failed'],
    ['a token of another tool', { capability: tokenFor('email.read') }, {}, {}, 'token_wrong_tool'],
    ['a token that the check denies', {}, { checkToken: () => deny('token_expired') }, {}, 'token_expired'],
    ['an action that is not there', { action: 'x.y', capability: tokenFor('x.y') }, {}, {}, 'tool_unknown'],
    [
      'a name of Object',
      { action: 'constructor', capability: tokenFor('constructor') },
      {},
      {},
      'tool_unknown',
    ],
    ['the wrong place (I-08)', {}, { place: 'edge' }, {}, 'tool_unavailable'],
    ['an argument that is not declared', { args: { other: 1 } }, {}, {}, 'tool_arguments_invalid'],
    ['an argument of another kind', { args: { word: 1 } }, {}, {}, 'tool_arguments_invalid'],
    ['a service that was switched off since', {}, { isOff: () => true }, {}, 'service_off'],
    ['a credential that is not there', {}, { credentials: sourceOf(null) }, {}, 'credential_missing'],
  ]

  it.each(unlawful)('refuses %s', async (_, change, options, manifest, code) => {
    never.mockClear()
    const result = await portFor(probe(never, manifest), options).run({ ...request, ...change })
    expect(result).toMatchObject(refusal(code))
    expect(never).not.toHaveBeenCalled()
  })

  it.each([
    [
      'token check',
      {
        checkToken: () => {
          throw new Error('quotes')
        },
      },
      'policy_failed',
    ],
    [
      'vault',
      {
        credentials: {
          ...sourceOf(BEARER),
          issue: async () => {
            throw new Error('quotes')
          },
        },
      },
      'credential_missing',
    ],
  ] as const)('refuses when the %s throws', async (_, options, code) => {
    never.mockClear()
    const result = await portFor(probe(never), options).run(request)
    expect(result).toMatchObject(refusal(code))
    expect(JSON.stringify(result)).not.toContain('quotes')
    expect(never).not.toHaveBeenCalled()
  })

  it('hands the check exactly this action and these arguments', async () => {
    const checkToken = vi.fn(() => permit('test'))
    await portFor(probe(done), { checkToken }).run({ ...request, args: { word: 'a' } })
    expect(checkToken).toHaveBeenCalledWith(request.capability, 'probe.run', { word: 'a' })
  })
})

describe('what a tool gets', () => {
  it('is five things, and none of them is a way out (R-13)', async () => {
    let seen: ToolCall | undefined
    const spy = probe(async (call) => {
      seen = call
      return { ok: true, output: {} }
    })
    await portFor(spy).run(request)
    if (seen === undefined) throw new Error('not run')
    expect(Reflect.ownKeys(seen).sort()).toEqual(['action', 'args', 'capability', 'credential', 'http'])
    expect(Reflect.ownKeys(seen.http)).toEqual(['request'])
    expect(Object.isFrozen(seen) && Object.isFrozen(seen.http)).toBe(true)
    expect(Object.getPrototypeOf(seen)).toBe(Object.prototype)
  })

  it('has no name for anything else, by type', () => {
    const look = (call: ToolCall): readonly unknown[] => [
      // @ts-expect-error a tool has no fetch
      call.fetch,
      // @ts-expect-error a tool has no environment
      call.env,
      // @ts-expect-error a tool has no vault
      call.vault,
      // @ts-expect-error a tool has no other tools
      call.tools,
      // @ts-expect-error a client cannot be widened
      call.http.hosts,
    ]
    expect(look).toBeTypeOf('function')
    // @ts-expect-error a call without a token is no call (R-10)
    const call: Parameters<ReturnType<typeof portFor>['run']>[0] = { action: 'probe.run', args: {} }
    expect(call).not.toHaveProperty('capability')
  })

  it('is its own credential by the name in its manifest, once, and none where it names none (E-06, E-07)', async () => {
    const issue = vi.fn(sourceOf(BEARER).issue)
    const credentials = { ...sourceOf(BEARER), issue }
    const seen: unknown[] = []
    const spy = async ({ credential }: ToolCall): Promise<ToolOutcome> => {
      seen.push(credential)
      return { ok: true, output: {} }
    }
    await portFor(probe(spy), { credentials }).run(request)
    await portFor(probe(spy, { credential: null }), { credentials }).run(request)
    expect(seen).toEqual([BEARER, null])
    const { capability: token, action } = request
    expect(issue.mock.calls).toEqual([
      [{ credential: 'google', tool: 'probe', account: null, action, token }],
    ])
  })

  it('is a client for its own hosts', async () => {
    const server = await startServer((_, response) => sendJson(response, {}))
    const results: unknown[] = []
    const reach = probe(
      async ({ http }) => {
        for (const url of [server.origin, 'https://evil.example.net/'])
          results.push(await http.request({ method: 'GET', url }))
        return { ok: true, output: {} }
      },
      { network: [server.host] },
    )
    await portFor(reach, { exemptOrigins: [server.origin] }).run(request)
    expect(results).toMatchObject([{ ok: true }, refusal('host_not_allowed', { rule: 'allow_list' })])
  })

  it('reaches an origin of the own network only for the tool that it was named for', async () => {
    const server = await startServer((_, response) => sendJson(response, {}))
    const reached: boolean[] = []
    const reach = probe(
      async ({ http }) => {
        reached.push((await http.request({ method: 'GET', url: server.origin })).ok)
        return { ok: true, output: {} }
      },
      { network: ['*'], credential: null },
    )
    for (const name of ['probe', 'other', 'constructor'])
      await portFor(reach, { ownOrigins: { [name]: [server.origin] } }).run(request)
    expect([reached, server.seen.length]).toEqual([[true, false, false], 1])
  })

  it('ends with its call: the client is dead afterwards', async () => {
    const server = await startServer((_, response) => sendJson(response, {}))
    let kept: ToolCall | undefined
    const keep = probe(
      async (call) => {
        kept = call
        return { ok: true, output: {} }
      },
      { network: [server.host] },
    )
    await portFor(keep, { exemptOrigins: [server.origin] }).run(request)
    expect(await kept?.http.request({ method: 'GET', url: server.origin })).toMatchObject(
      refusal('response_timeout'),
    )
    expect(server.seen).toEqual([])
  })
})

describe('what comes back', () => {
  it('passes through untouched: labels and checks are the kernel’s (I-02)', async () => {
    const outcome = { ok: true, output: { label: 'public', any: [1] }, level: 'regulated' } as const
    expect(await portFor(probe(async () => outcome)).run(request)).toBe(outcome)
  })

  it.each([
    [
      'throws',
      () => {
        throw new Error('quotes the mail')
      },
    ],
    [
      'rejects',
      async () => {
        throw new Error('quotes the mail')
      },
    ],
  ] as [string, Tool['execute']][])('is tool_failed when it %s', async (_, execute) => {
    expect(await portFor(probe(execute)).run(request)).toEqual(refusal('tool_failed', { tool: 'probe.run' }))
  })

  it('is no tool_timeout when the machine slept while it ran', async () => {
    const sleep = sleepyTimers()
    const slept = probe(async () => {
      await null
      sleep(60 * 60_000)
      await new Promise((resolve) => setImmediate(resolve))
      return { ok: true, output: {} }
    })
    expect(await portFor(slept).run(request)).toMatchObject({ ok: true })
  })

  it('is tool_timeout when it hangs, and its requests end', async () => {
    const server = await startServer(() => undefined)
    let late: unknown
    const hang = probe(
      async ({ http }) => {
        late = await http.request({ method: 'GET', url: server.origin })
        return { ok: true, output: {} }
      },
      { network: [server.host] },
    )
    const result = await portFor(hang, { deadline: 100, exemptOrigins: [server.origin] }).run(request)
    expect(result).toEqual(refusal('tool_timeout', { tool: 'probe.run', max: 100 }))
    await expect.poll(() => late).toMatchObject(refusal('response_timeout'))
  })
})

describe('a token that its service ended early', () => {
  const NO: ToolOutcome = { ok: false, reason: { code: 'remote_unauthorized', facts: {} } }
  const source = (settled: string[], renewal: 'another' | 'none' | 'refused') => ({
    ...sourceOf(BEARER),
    issue: async () => {
      const issued = (value: string) => ({
        ...{ credential: { scheme: 'bearer' as const, value }, hosts: MANIFEST.network },
        settle: (use: string) => void settled.push(`${value} ${use}`),
      })
      const renew = async () => (renewal === 'another' ? ok(issued('second')) : err('credential_rejected'))
      return ok({ ...issued('first'), ...(renewal !== 'none' && { renew }) })
    },
  })
  const meets = (taken: string): Tool['execute'] =>
    vi.fn(
      async ({ credential }: ToolCall): Promise<ToolOutcome> =>
        credential?.value === taken ? { ok: true, output: {} } : NO,
    )

  it.each([
    [
      'is renewed once, and the read made again',
      'another',
      'second',
      { ok: true },
      ['first rejected', 'second accepted'],
    ],
    ['is renewed once and no more', 'another', 'third', NO, ['first rejected', 'second rejected']],
    [
      'is refused where it cannot be renewed',
      'refused',
      'second',
      refusal('credential_rejected'),
      ['first rejected'],
    ],
    ['was none where nothing can be renewed', 'none', 'second', NO, ['first rejected']],
  ] as const)('%s', async (_, renewal, taken, result, uses) => {
    const settled: string[] = []
    const tool = probe(meets(taken))
    expect(await portFor(tool, { credentials: source(settled, renewal) }).run(request)).toMatchObject(result)
    expect(settled).toEqual(uses)
  })

  it('is not renewed for a write, which is never made again', async () => {
    const settled: string[] = []
    const execute = meets('second')
    const write = { ...ACTION, semantics: 'write' as const, sink: 'sink:probe:owner' }
    const port = portFor(probe(execute, { actions: [write] }), { credentials: source(settled, 'another') })
    expect(await port.run(request)).toMatchObject(NO)
    expect(execute).toHaveBeenCalledTimes(1)
  })
})

describe('availability', () => {
  it.each([
    ['here', {}, {}, 'here'],
    ['without its credential', { credentials: sourceOf(null) }, {}, 'credential'],
    ['without needing one', { credentials: sourceOf(null) }, { credential: null }, 'here'],
    ['switched off by the owner', { isOff: () => true }, {}, 'off'],
    [
      'switched off, without its credential',
      { isOff: () => true, credentials: sourceOf(null) },
      {},
      'credential',
    ],
    ['at the other place', { place: 'edge' }, {}, 'elsewhere'],
  ] as [string, Partial<ToolPortOptions>, Partial<ToolManifest>, string][])(
    '%s',
    (_, options, manifest, answer) => {
      expect(portFor(probe(done, manifest), options).availability(ACTION)).toBe(answer)
    },
  )

  it.each([
    ['that says so', () => true, true],
    ['that has something to work on', () => false, false],
    ['that says nothing', undefined, false],
  ])('is idle for a tool %s', (_, isIdle, answer) => {
    const tool = { ...probe(done), ...(isIdle && { isIdle }) }
    expect(portFor(tool).isIdle?.(ACTION)).toBe(answer)
  })

  it('is elsewhere for what is not registered', () => {
    expect(portFor(probe(done)).availability({ ...ACTION, id: 'x.y' })).toBe('elsewhere')
  })
})

describe('manifests', () => {
  const manifests = [EMAIL_MANIFEST, CALENDAR_MANIFEST, WEB_MANIFEST]

  it('register without clash, by exact name', () => {
    const registry = createRegistry(manifests)
    expect([...registry.actions.keys()].sort()).toEqual([
      'calendar.answer_invitation',
      'calendar.check_event',
      'calendar.create_event',
      'calendar.delete_event',
      'calendar.find_times',
      'calendar.freebusy',
      'calendar.list_calendars',
      'calendar.list_events',
      'calendar.read_event',
      'calendar.update_event',
      'email.archive',
      'email.attachment',
      'email.count',
      'email.delete',
      'email.digest',
      'email.draft',
      'email.enclosed',
      'email.file',
      'email.folders',
      'email.forward',
      'email.forward_later',
      'email.heard',
      'email.invitation',
      'email.leaving',
      'email.list',
      'email.make_folder',
      'email.mark',
      'email.move',
      'email.new_folder',
      'email.promises',
      'email.read',
      'email.recipients',
      'email.reply',
      'email.reply_later',
      'email.search',
      'email.send',
      'email.send_later',
      'email.spam',
      'email.unsubscribe',
      'email.which',
      'web.read',
    ])
    expect(findAction(registry, 'constructor')).toMatchObject(refusal('tool_unknown'))
    expect(expandPattern(registry, 'email.*')).toHaveLength(EMAIL_MANIFEST.actions.length)
    expect(expandPattern(registry, 'e*')).toEqual([])
    expect(() => createRegistry([EMAIL_MANIFEST, EMAIL_MANIFEST])).toThrow('email.list')
  })

  it('keep credentialed tools at home (I-08)', () => {
    for (const { credential, places } of manifests) if (credential !== null) expect(places).toEqual(['home'])
  })

  it('reach others by writes with destinations, of which those by mail always ask', () => {
    const actions = manifests.flatMap(({ actions: all }) => all)
    const reaching = actions.filter(
      ({ semantics, args }) =>
        semantics === 'write' && leavesOf(args).some(([, { destination }]) => destination === true),
    )
    const sending = [
      ...['email.send', 'email.send_later', 'email.reply', 'email.reply_later'],
      ...['email.forward', 'email.forward_later', 'email.unsubscribe'],
    ]
    expect(reaching.map(({ id }) => id).sort()).toEqual(
      ['calendar.create_event', 'calendar.update_event', ...sending].sort(),
    )
    // Whom an answer to an invitation reaches is looked up, and stands on its card.
    const always = [...sending, 'calendar.answer_invitation']
    expect(actions.filter(({ asks }) => asks === 'always').map(({ id }) => id)).toEqual(always)
    for (const { semantics, sink } of actions) expect(sink === null).toBe(semantics === 'read')
  })

  it.each([
    [
      'email.list',
      'sensitive',
      'emails[].from email, emails[].fromName text, emails[].subject text, emails[].snippet text',
    ],
    ['email.read', 'sensitive', 'subject text, body text, links[] url, requests[] enum'],
    ['calendar.list_events', 'sensitive', 'events[].title text, events[].location text'],
    ['web.read', 'public', 'title text, author text, text text, links[] url, language enum'],
  ])('%s guards what strangers write', (id, ceiling, kinds) => {
    const action = createRegistry(manifests).actions.get(id)
    if (action === undefined) throw new Error('not declared')
    expect(action.ceiling).toBe(ceiling)
    const declared = leavesOf(action.output).map(([name, { kind }]) => `${name} ${kind}`)
    expect(declared).toEqual(expect.arrayContaining(kinds.split(', ')))
  })

  it('name the configured host instead of Google’s', () => {
    const baseUrl = 'http://127.0.0.1:4100'
    expect(createCalendarTool({ baseUrl }).manifest.network).toEqual(['127.0.0.1:4100'])
    expect(createEmailTool({ baseUrl, htmlText: () => '' }).manifest.network).toEqual(['127.0.0.1:4100'])
    expect(createCalendarTool().manifest.network).toEqual(['www.googleapis.com'])
    expect(createEmailTool({ htmlText: () => '' }).manifest.network).toEqual(['gmail.googleapis.com'])
  })
})

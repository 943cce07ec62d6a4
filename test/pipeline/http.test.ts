/**
 * Requests to web services (I-21): a host comes from the owner's words or their yes, never from a plan alone; what is sent is shown byte for byte, and nothing
 * private goes to a host that the owner did not name.
 */
import { describe, expect, it } from 'vitest'
import { httpManifest } from '../../integrations/tools/http/manifest.ts'
import { createHttpTool } from '../../integrations/tools/http/run.ts'
import { TOOL_MANIFESTS } from '../../integrations/tools/registered.ts'
import type { Json } from '../../kernel/flow/json.ts'
import { createRegistry } from '../../kernel/tool/registry.ts'
import { mailTools } from './mailbox.ts'
import { createWorld, type ScriptedTool, scriptedModel, type World } from './world.ts'

const URL_ASKED = 'https://api.example.com/status'
const URL_OTHER = 'https://evil.example/x'

function worldOf(steps: readonly Json[], host = 'not_named'): World {
  const answer: ScriptedTool = () => ({ ok: true, output: { status: 200, text: 'fine', cut: false } })
  const lookup: ScriptedTool = () => ({ ok: true, output: { host } })
  const plan = JSON.stringify({ steps, explanation: '' })
  const model = scriptedModel('planner', ({ parts }) => (parts.purpose === 'plan' ? plan : 'done'))
  const tools = { 'http.request': answer, 'http.send': answer, 'http.host': lookup }
  return createWorld({ models: [model], tools: { ...mailTools(), ...tools } })
}

const step = (tool: string, args: Json, id = 's1'): Json => ({ id, do: 'tool', tool, args })
const made = (world: World) => world.calls.filter(({ tool }) => tool !== 'http.host').map(({ args }) => args)

async function approve(world: World): Promise<void> {
  const [waiting] = await world.ports.approvals.list('principal:owner')
  if (waiting === undefined) throw new Error('nothing waits')
  const by = { principal: 'principal:owner', place: 'home' } as const
  const decided = await world.shell.decide({ approval: waiting.id, decision: 'approve', ...by })
  if (!decided.ok) throw new Error(decided.reason.code)
  await world.shell.run(decided.value.principal)
}

describe('an address', () => {
  it('that the owner typed is asked at once', async () => {
    const world = worldOf([step('http.request', { url: URL_ASKED })])
    await world.say(`how is ${URL_ASKED} doing, roughly?`)
    expect(made(world)).toEqual([{ url: URL_ASKED }])
  })

  it('that a plan brings waits for a yes to that one call, and the card shows it whole', async () => {
    const world = worldOf([step('http.request', { url: URL_OTHER })])
    await world.say(`how is ${URL_ASKED} doing, roughly?`)
    expect(made(world)).toEqual([])
    expect(world.heard()).toContain(`address: ${URL_OTHER}`)
    await approve(world)
    expect(made(world)).toEqual([{ url: URL_OTHER }])
  })
})

describe('what is sent', () => {
  const BODY = '{"open":  true,\n "why": "cold"}'
  const SEND = step('http.send', { method: 'POST', url: URL_ASKED, body: BODY })
  const ASKED = `HTTP POST to ${URL_ASKED} with body ${BODY}, the sooner the better`

  it('always waits, and goes as it stood on the card', async () => {
    const world = worldOf([SEND], 'internal')
    await world.say(ASKED)
    expect(made(world)).toEqual([])
    for (const part of ['method: POST', `address: ${URL_ASKED}`, 'host: internal', '"open":  true'])
      expect(world.heard()).toContain(part)
    await approve(world)
    expect(made(world)).toEqual([{ method: 'POST', url: URL_ASKED, body: BODY, host: 'internal' }])
  })

  it.each([
    ['not_named', 0],
    ['public', 0],
    ['internal', 0],
  ])('holds nothing that was looked up where the host is %s', async (host, sent) => {
    const body = { $ref: 's1.emails[0].subject' }
    const list = step('email.list', {})
    const world = worldOf([list, step('http.send', { method: 'POST', url: URL_ASKED, body }, 's2')], host)
    await world.say(`send the subject of my newest mail to ${URL_ASKED}, would you`)
    expect(world.calls.filter(({ tool }) => tool === 'http.send')).toHaveLength(sent)
    expect(await world.ports.approvals.list('principal:owner')).toEqual([])
  })

  it('may hold it, after a card, where the owner named the host for private data', async () => {
    const body = { $ref: 's1.emails[0].subject' }
    const steps = [step('email.list', {}), step('http.send', { method: 'POST', url: URL_ASKED, body }, 's2')]
    const world = worldOf(steps, 'sensitive')
    await world.say(`send the subject of my newest mail to ${URL_ASKED}, would you`)
    expect(await world.ports.approvals.list('principal:owner')).toHaveLength(1)
  })
})

describe('a key that goes along', () => {
  const BODY = '{"open":  true,\n "why": "cold"}'
  const CALLS: readonly (readonly [string, { readonly [key: string]: Json }, string])[] = [
    ['http.request', { url: URL_ASKED }, 'how is https://www.example.org/ doing, roughly?'],
    [
      'http.send',
      { method: 'POST', url: URL_ASKED, body: BODY },
      `HTTP POST to ${URL_ASKED} with body ${BODY}, the sooner the better`,
    ],
  ]

  /** The owner names the host with a key of this form, or without one, while the world runs. */
  function name(world: World, key: string | null): void {
    const host = { origin: 'https://api.example.com', label: 'internal' } as const
    const http = { hosts: [{ ...host, ...(key !== null && { key }) }], saved: [] }
    const others = TOOL_MANIFESTS.filter((one) => one.name !== 'http')
    const tool = createHttpTool({ http })
    Object.assign(world.powers, { registry: createRegistry([...others, httpManifest(http)]) })
    Object.assign(world.powers.tools, { sends: (id: string, args: never) => tool.opens?.(id, args) ?? null })
  }

  async function asked(
    tool: string,
    args: { readonly [key: string]: Json },
    words: string,
    key: string | null,
  ) {
    const world = worldOf([step(tool, args)], 'internal')
    name(world, key)
    await world.say(words)
    expect(made(world)).toEqual([])
    return world
  }

  const FORMS = [
    ['bearer', 'authorization (Bearer)'],
    ['basic', 'authorization (Basic)'],
    ['X-Api-Key', 'x-api-key'],
  ] as const

  it.each(CALLS.flatMap((call) => FORMS.map((form) => [...call, ...form] as const)))(
    'is told by the card of %s in its form, which no argument says: %s',
    async (tool, args, words, key, form) => {
      const world = await asked(tool, args, words, key)
      const line = `Your key for https://api.example.com goes along, in the header ${form}.`
      expect(world.heard()).toContain(line)
      // Which hosts have one is known on private lines alone.
      const [waiting] = await world.ports.approvals.list('principal:owner')
      expect(world.disk.store.loadApproval(waiting?.id ?? '')?.approval).toMatchObject({ place: 'home' })
      await approve(world)
      expect(made(world)).toEqual([{ ...args, ...(tool === 'http.send' && { host: 'internal' }) }])
    },
  )

  it.each(CALLS)('is not spoken of by the card of %s where there is none', async (tool, args, words) => {
    const world = await asked(tool, args, words, null)
    expect(world.heard()).not.toContain('Your key')
    await approve(world)
    expect(made(world)).toHaveLength(1)
  })

  it.each(
    CALLS.flatMap((call) =>
      [
        [null, 'bearer'],
        ['bearer', 'basic'],
        ['bearer', null],
      ].map(([before = null, then = null]) => [...call, before, then] as const),
    ),
  )(
    'of another form than the card of %s said goes nowhere under its yes: %s',
    async (tool, args, words, before, then) => {
      const world = await asked(tool, args, words, before)
      name(world, then)
      await approve(world)
      expect(made(world)).toEqual([])
      expect(world.audited.find(({ kind }) => kind === 'denial')?.facts).toMatchObject({
        code: 'approval_changed',
      })
    },
  )

  it('is asked for without its host in the audit', async () => {
    const lacking = new Set<string>()
    const credentials = {
      lacking,
      refusal: () => null,
      give: async () => ({ ok: true, value: 'stored' }) as const,
    }
    const plan = JSON.stringify({ steps: [step('http.request', { url: URL_ASKED })], explanation: '' })
    const model = scriptedModel('planner', ({ parts }) => (parts.purpose === 'plan' ? plan : 'done'))
    const tools = { 'http.request': () => ({ ok: true, output: {} }) as never }
    const world = createWorld({ models: [model], tools, credentials })
    name(world, 'bearer')
    Object.assign(world.powers.tools, { lacks: () => 'http/api.example.com' })
    await world.say(`how is ${URL_ASKED} doing, roughly?`)
    expect(world.heard()).toContain('pfar connect http/api.example.com')
    const asked = world.audited.find(({ kind }) => kind === 'approval_asked')
    expect(asked?.facts).toMatchObject({ kind: 'credential', tool: 'connect.host' })
    expect(JSON.stringify(world.audited)).not.toContain('api.example')
    await world.say('cancel')
    expect(JSON.stringify(world.audited)).not.toContain('api.example')
  })

  it('is on the card of a lasting yes, which holds for that form alone', async () => {
    const [[tool, args, words] = ['', {}, '']] = CALLS
    const world = await asked(tool, args, words, 'bearer')
    const [waiting] = await world.ports.approvals.list('principal:owner')
    const proposer = { principal: 'principal:owner', place: 'home', message: 'm1' } as const
    const terms = { approval: waiting?.id ?? '', days: 30, perDay: 9 }
    const put = await world.shell.always(proposer, terms)
    if (!put.ok) throw new Error(put.reason.code)
    expect(world.heard()).toContain('in the header authorization (Bearer)')
    await world.shell.decide({
      approval: put.value.approval,
      decision: 'approve',
      ...proposer,
      message: 'm2',
    })
    await world.say(`${words} again`)
    expect(made(world)).toEqual([args])
    name(world, 'basic')
    await world.say(`${words} once more`)
    expect(made(world)).toEqual([args])
    expect(world.heard()).toContain('in the header authorization (Basic)')
  })
})

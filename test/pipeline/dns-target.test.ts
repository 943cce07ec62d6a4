/**
 * A DNS record that is changed (I-19): the card shows what it says, what it would say and whether a Worker answers there; a record that changed meanwhile stays;
 * nothing private goes where everyone can read it.
 */
import { describe, expect, it } from 'vitest'
import type { ToolOutcome } from '../../kernel/tool/manifest.ts'
import { mailTools } from './mailbox.ts'
import { createWorld, type ScriptedTool, scriptedModel, type World, type WorldOptions } from './world.ts'

const ASKED = 'point www.example.com to 203.0.113.9'
const FOUND = { zone: 'a1', record: 'b2', kind: 'A', from: '203.0.113.5', worker: 'none' }

/** What each lookup answers, in order; the last one from then on. */
function worldOf(lookups: readonly object[], options: WorldOptions = {}): World {
  let at = 0
  const lookup: ScriptedTool = () => ({ ok: true, output: lookups[Math.min(at++, lookups.length - 1)] })
  const made: ToolOutcome = {
    ok: true,
    output: { name: 'www.example.com', kind: 'A', content: '203.0.113.9' },
  }
  const tools = { 'cloudflare.find_record': lookup, 'cloudflare.dns_update': () => made }
  return createWorld({ ...options, tools: { ...mailTools(), ...tools } })
}

async function approve(world: World): Promise<void> {
  const [waiting] = await world.ports.approvals.list('principal:owner')
  if (waiting === undefined) throw new Error('nothing waits')
  const by = { principal: 'principal:owner', place: 'home' } as const
  const decided = await world.shell.decide({ approval: waiting.id, decision: 'approve', ...by })
  if (!decided.ok) throw new Error(decided.reason.code)
  await world.shell.run(decided.value.principal)
}

const written = (world: World) => world.calls.filter(({ tool }) => tool === 'cloudflare.dns_update')

describe('the card', () => {
  it.each([
    ['none', /No Worker answers in this zone/],
    ['here', /A WORKER ANSWERS UNDER THIS NAME\. If it is PFAR's edge/],
    ['in_zone', /A Worker answers under another name of this zone, which may be PFAR's edge/],
    ['unsure', /I could not see whether a Worker, such as PFAR's edge/],
  ])('says what stands there and what would, with the Worker: %s', async (worker, words) => {
    const world = worldOf([{ ...FOUND, worker }])
    await world.say(ASKED)
    const card = world.heard()
    expect(card).toMatch(words)
    expect(card).toContain('says now: 203.0.113.5')
    expect(card).toContain('would say: 203.0.113.9')
    expect(card).toContain('name: www.example.com')
    expect(written(world)).toEqual([])
    await approve(world)
    expect(written(world)).toEqual([
      {
        tool: 'cloudflare.dns_update',
        args: { name: 'www.example.com', to: '203.0.113.9', ...FOUND, worker },
      },
    ])
    expect(world.heard()).toContain('www.example.com says 203.0.113.9 now')
  })

  it.each([
    ['its value', { from: '203.0.113.77' }],
    ['the record', { record: 'c3' }],
    ['the Worker that answers there', { worker: 'here' }],
  ])('is no yes to what differs by then: %s', async (_what, more) => {
    const world = worldOf([FOUND, { ...FOUND, ...more }])
    const id = await world.say(ASKED)
    await approve(world)
    expect(written(world)).toEqual([])
    expect((await world.shell.report(id))?.task.trouble).toBe('approval_changed')
  })
})

it('what was read in a mail does not go into DNS, by no card', async () => {
  const steps = [
    { id: 's1', do: 'tool', tool: 'email.read', args: { id: 'm2' } },
    {
      ...{ id: 's2', do: 'tool', tool: 'cloudflare.dns_update' },
      args: { name: 'www.example.com', type: 'TXT', to: { $ref: 's1.subject' } },
    },
  ]
  const model = scriptedModel('a-model', ({ parts }) =>
    parts.purpose === 'plan' ? JSON.stringify({ steps }) : 'done',
  )
  const world = worldOf([{ ...FOUND, kind: 'TXT' }], { models: [model] })
  const id = await world.say('do the unusual thing with www.example.com please')
  expect(await world.ports.approvals.list('principal:owner')).toEqual([])
  expect(written(world)).toEqual([])
  expect((await world.shell.report(id))?.task.trouble).toBe('write_down')
})

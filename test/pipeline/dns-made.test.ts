/**
 * DNS records that are made and removed (I-19): the card shows zone, kind, name and value, what stands there and whether a Worker answers; what changed
 * meanwhile is not written; a removal is taken back by "undo", and nothing else goes into DNS by that.
 */
import { describe, expect, it } from 'vitest'
import { mailTools } from './mailbox.ts'
import { createWorld, type ScriptedTool, scriptedModel, type World, type WorldOptions } from './world.ts'

const MAKE = 'add a DNS record for new.example.com to 203.0.113.9'
const PLACE = { zone: 'a1', domain: 'example.com', kind: 'A', beside: 'nothing', worker: 'none' }
const REMOVE = 'delete the DNS record of www.example.com'
const RECORD = {
  ...{ zone: 'a1', domain: 'example.com', record: 'b2', kind: 'A', from: '203.0.113.5', through: true },
  ...{ others: 'TXT "a text"', worker: 'none' },
}
const GONE = {
  ...{ name: 'www.example.com', kind: 'A', content: '203.0.113.5', proxied: true },
  ...{ carried: true, mark: 'c3'.repeat(32) },
}

/** What each lookup answers, in order; the last one from then on. */
function worldOf(
  {
    places = [PLACE],
    records = [RECORD],
    gone = GONE as object,
  }: { places?: readonly object[]; records?: readonly object[]; gone?: object },
  options: WorldOptions = {},
): World {
  const inTurn = (answers: readonly object[]): ScriptedTool => {
    let at = 0
    return () => ({ ok: true, output: answers[Math.min(at++, answers.length - 1)] })
  }
  const made: ScriptedTool = (args) => ({
    ok: true,
    output: { name: args['name'], kind: args['type'] ?? args['kind'], content: args['to'] },
  })
  const tools = {
    'cloudflare.find_place': inTurn(places),
    'cloudflare.find_removed': inTurn(records),
    'cloudflare.dns_create': made,
    'cloudflare.dns_put_back': made,
    'cloudflare.dns_delete': () => ({ ok: true as const, output: gone }),
  }
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

const WRITES = ['cloudflare.dns_create', 'cloudflare.dns_delete', 'cloudflare.dns_put_back']
const written = (world: World) => world.calls.filter(({ tool }) => WRITES.includes(tool))

describe('a new record', () => {
  it.each([
    ['nothing', /under this name: nothing yet/, /Nothing stands under this name now/],
    [
      'alone',
      /under this name: AN ALIAS \(CNAME\) CANNOT STAND/,
      /stands there now: CNAME pages\.example\.net/,
    ],
    ['same', /EXACTLY THIS RECORD ALREADY/, /stands there now/],
  ])('is asked about with what stands there: %s', async (beside, says, there) => {
    const more = beside === 'nothing' ? {} : { there: 'CNAME pages.example.net' }
    const world = worldOf({ places: [{ ...PLACE, beside, ...more }] })
    await world.say(MAKE)
    const card = world.heard()
    expect(card).toMatch(says)
    expect(card).toMatch(there)
    for (const line of ['name: new.example.com', 'says: 203.0.113.9', 'kind: A', 'domain: example.com'])
      expect(card).toContain(line)
    expect(card).toMatch(/does not go through Cloudflare/)
    expect(written(world)).toEqual([])
    await approve(world)
    expect(written(world)).toEqual([
      {
        tool: 'cloudflare.dns_create',
        args: { name: 'new.example.com', to: '203.0.113.9', ...PLACE, beside, ...more },
      },
    ])
    expect(world.heard()).toContain('new.example.com says 203.0.113.9 now')
  })

  it('is warned of where a Worker answers', async () => {
    const world = worldOf({ places: [{ ...PLACE, worker: 'here' }] })
    await world.say(MAKE)
    expect(world.heard()).toMatch(/A WORKER ANSWERS UNDER THIS NAME\. If it is PFAR's edge/)
  })

  it.each([
    ['what stands there', { there: 'A 203.0.113.77', beside: 'others' }],
    ['the zone', { zone: 'a9' }],
    ['the Worker that answers there', { worker: 'here' }],
  ])('is not made where %s differs by then', async (_what, more) => {
    const world = worldOf({ places: [PLACE, { ...PLACE, ...more }] })
    const id = await world.say(MAKE)
    await approve(world)
    expect(written(world)).toEqual([])
    expect((await world.shell.report(id))?.task.trouble).toBe('approval_changed')
  })
})

describe('a removal', () => {
  it('is asked about with all that is removed, and taken back by "undo" after a card', async () => {
    const world = worldOf({ places: [{ ...PLACE, there: 'TXT "a text"', beside: 'others' }] })
    await world.say(REMOVE)
    const card = world.heard()
    for (const line of ['name: www.example.com', 'says now: 203.0.113.5', 'through Cloudflare: yes'])
      expect(card).toContain(line)
    expect(card).toMatch(/others under this name, which stay: TXT "a text"/)
    await approve(world)
    expect(world.heard()).toMatch(
      /Removed: www\.example\.com A 203\.0\.113\.5\. To make it again, say "undo"\./,
    )
    await world.say('undo that')
    expect(world.heard()).toMatch(/as it was before it was removed[\s\S]*says: 203\.0\.113\.5/)
    await approve(world)
    expect(written(world).at(-1)).toMatchObject({
      tool: 'cloudflare.dns_put_back',
      args: { name: 'www.example.com', to: '203.0.113.5', type: 'A', proxied: true, mark: GONE.mark },
    })
    expect(world.heard()).toContain('www.example.com says 203.0.113.5 again')
  })

  it('says where it cannot be taken back, and "undo" says so, too', async () => {
    const world = worldOf({ gone: { name: 'www.example.com', kind: 'MX', carried: false } })
    await world.say(REMOVE)
    await approve(world)
    expect(world.heard()).toMatch(/"undo" does not make again/)
    await world.say('undo that')
    expect(await world.ports.approvals.list('principal:owner')).toEqual([])
    expect(written(world)).toHaveLength(1)
  })

  it('is none where the record says something else by then', async () => {
    const world = worldOf({ records: [RECORD, { ...RECORD, from: '203.0.113.6' }] })
    const id = await world.say(REMOVE)
    await approve(world)
    expect(written(world)).toEqual([])
    expect((await world.shell.report(id))?.task.trouble).toBe('approval_changed')
  })
})

it('what was read in a mail goes into no new record, by no card', async () => {
  const steps = [
    { id: 's1', do: 'tool', tool: 'email.read', args: { id: 'm2' } },
    {
      ...{ id: 's2', do: 'tool', tool: 'cloudflare.dns_create' },
      args: { name: 'new.example.com', type: 'TXT', to: { $ref: 's1.subject' } },
    },
  ]
  const model = scriptedModel('a-model', ({ parts }) =>
    parts.purpose === 'plan' ? JSON.stringify({ steps }) : 'done',
  )
  const world = worldOf({ places: [{ ...PLACE, kind: 'TXT' }] }, { models: [model] })
  const id = await world.say('do the unusual thing with new.example.com please')
  expect(await world.ports.approvals.list('principal:owner')).toEqual([])
  expect(written(world)).toEqual([])
  expect((await world.shell.report(id))?.task.trouble).toBe('write_down')
})

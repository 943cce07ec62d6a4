/**
 * A write whose readers are looked up (I-14): they stand on the card, are part of the approval, are looked up again right before the write, and count as
 * public when nobody knows. By the tool GitHub, as the owner types, and with planners that try more.
 */
import { describe, expect, it } from 'vitest'
import { TOOL_MANIFESTS } from '../../integrations/tools/registered.ts'
import type { ToolManifest, ToolOutcome } from '../../kernel/tool/manifest.ts'
import { createRegistry } from '../../kernel/tool/registry.ts'
import { mailTools } from './mailbox.ts'
import { createWorld, type ScriptedTool, scriptedModel, type World, type WorldOptions } from './world.ts'

const ASKED = 'open an issue in acme/site: the login page is slow'
const MADE: ToolOutcome = { ok: true, output: { item: 'acme/site#7', number: 7 } }

function repo(visibility: string): ToolOutcome {
  return { ok: true, output: { repo: 'acme/site', visibility, archived: false, branch: 'main', open: 3 } }
}

/** What each lookup answers, in order; the last one from then on. */
function worldOf(lookups: readonly (ToolOutcome | string)[], options: WorldOptions = {}): World {
  let at = 0
  const lookup: ScriptedTool = () => {
    const found = lookups[Math.min(at++, lookups.length - 1)] ?? 'public'
    return typeof found === 'string' ? repo(found) : found
  }
  const tools = { 'github.get_repo': lookup, 'github.create_issue': () => MADE, 'github.comment': () => MADE }
  return createWorld({ ...options, tools: { ...mailTools(), ...tools, ...options.tools } })
}

async function decide(world: World, decision: 'approve' | 'deny' = 'approve'): Promise<void> {
  const [waiting] = await world.ports.approvals.list('principal:owner')
  if (waiting === undefined) throw new Error('nothing waits')
  const by = { principal: 'principal:owner', place: 'home' } as const
  const decided = await world.shell.decide({ approval: waiting.id, decision, ...by })
  if (!decided.ok) throw new Error(decided.reason.code)
  await world.shell.run(decided.value.principal)
}

const waitingIn = async (world: World): Promise<number> =>
  (await world.ports.approvals.list('principal:owner')).length
const written = (world: World) =>
  world.calls.filter(({ tool }) => ['github.create_issue', 'github.comment'].includes(tool))
const lookedUp = (world: World) => world.calls.filter(({ tool }) => tool === 'github.get_repo')

describe('what the owner typed', () => {
  it.each([
    ['public', /EVERYONE can read it: the repository is public/],
    ['internal', /whole organisation can read it/],
    ['private', /Whoever has access to the repository can read it: it is private/],
  ])('goes to a repository that is %s after a card that says so', async (visibility, words) => {
    const world = worldOf([visibility])
    await world.say(ASKED)
    expect(world.heard()).toMatch(words)
    expect(world.heard()).toContain(`visibility: ${visibility}`)
    expect(world.heard()).toContain('repository: acme/site')
    expect(world.heard()).toContain('the login page is slow')
    expect(written(world)).toEqual([])
    await decide(world)
    expect(written(world)).toEqual([
      {
        tool: 'github.create_issue',
        args: { repo: 'acme/site', title: 'the login page is slow', visibility },
      },
    ])
    // For the card, after the yes, and right before the write.
    expect(lookedUp(world)).toHaveLength(3)
    expect(world.heard()).toContain('Opened acme/site#7')
  })

  it('goes nowhere without a yes', async () => {
    const world = worldOf(['private'])
    await world.say(ASKED)
    await decide(world, 'deny')
    expect(written(world)).toEqual([])
  })

  it.each([
    ['a timeout', { ok: false, reason: { code: 'response_timeout', facts: {} } } as const],
    ['an answer that says nothing of it', { ok: true, output: { repo: 'acme/site' } } as const],
    ['a word that is not declared', repo('mostly-private')],
  ])('counts as read by everyone after %s', async (_what, lookup) => {
    const world = worldOf([lookup])
    await world.say(ASKED)
    expect(world.heard()).toContain('I could not find out who can read it, so take it as public.')
    expect(world.heard()).toContain('visibility: unknown')
    await decide(world)
    expect(written(world)).toMatchObject([{ args: { visibility: 'unknown' } }])
  })

  it.each(['remote_not_found', 'remote_unauthorized'] as const)(
    'is not asked about after %s: it could not be written',
    async (code) => {
      const world = worldOf([{ ok: false, reason: { code, facts: {} } }])
      await world.say(ASKED)
      expect(await waitingIn(world)).toBe(0)
      expect(written(world)).toEqual([])
      expect(world.heard()).toMatch(/^I could not open that issue\. /)
    },
  )
})

describe('a repository that changes', () => {
  it.each([
    ['between the card and the yes', ['private', 'public']],
    ['between the yes and the write', ['private', 'private', 'public']],
    [
      'and becomes unknown',
      ['private', { ok: false, reason: { code: 'network_failed', facts: {} } } as const],
    ],
    ['and becomes narrower', ['public', 'private']],
  ])('%s is not written to', async (_when, lookups) => {
    const world = worldOf(lookups)
    const id = await world.say(ASKED)
    await decide(world)
    expect(written(world)).toEqual([])
    const report = await world.shell.report(id)
    expect(report?.task.trouble).toBe('approval_changed')
    expect(world.heard()).toContain('Who can read that repository has changed since you said yes')
  })
})

const READ = { id: 's1', do: 'tool', tool: 'email.read', args: { id: 'm2' } }

function planned(
  steps: readonly object[],
  lookups: readonly string[],
  tools: Readonly<Record<string, ScriptedTool>> = {},
): World {
  const model = scriptedModel('a-model', ({ parts }) =>
    parts.purpose === 'plan' ? JSON.stringify({ steps }) : 'done',
  )
  return worldOf(lookups, { models: [model], tools })
}

function issue(args: object, id = 's2') {
  return { id, do: 'tool', tool: 'github.create_issue', args: { repo: 'acme/site', ...args } }
}

describe('what the owner did not say in this message', () => {
  const LEAKING = [READ, issue({ title: { $ref: 's1.subject' }, body: { $ref: 's1.body' } })]

  // a private repository carries `internal`, so nothing of a mail goes there either.
  it.each(['public', 'internal', 'nobody-knows', 'private'])(
    'is refused without a question where a mail had a part: %s',
    async (visibility) => {
      const world = planned(LEAKING, [visibility])
      const id = await world.say('please do the unusual thing in acme/site')
      expect(await waitingIn(world)).toBe(0)
      expect(written(world)).toEqual([])
      expect((await world.shell.report(id))?.task.trouble).toBe('write_down')
    },
  )

  it('is asked about in a private repository alone where it is internal', async () => {
    const post = {
      ...{ post: 'at://did:plc:a/app.bsky.feed.post/1', author: 'a.example', text: 'slow today' },
      ...{ likes: 0, reposts: 0, replies: 0, answers: false, pictures: 0 },
    }
    const timeline: ScriptedTool = () => ({ ok: true, output: { posts: [post], more: false } })
    const steps = [
      { id: 's1', do: 'tool', tool: 'bluesky.timeline', args: {} },
      issue({ title: 'the login page is slow', body: { $ref: 's1.posts[0].text' } }),
    ]
    const waits = async (visibility: string): Promise<number> => {
      const world = planned(steps, [visibility], { 'bluesky.timeline': timeline })
      await world.say('please do the unusual thing in acme/site: the login page is slow')
      const waiting = await waitingIn(world)
      if (waiting > 0) await decide(world)
      expect(written(world)).toHaveLength(waiting)
      return waiting
    }
    expect([await waits('public'), await waits('private')]).toEqual([0, 1])
  })

  it('cannot decide that something is written to a repository', async () => {
    const when = { ref: 's1.hasAttachments', is: 'true' }
    const step = { ...issue({ title: 'the login page is slow' }), when }
    for (const visibility of ['public', 'private']) {
      const world = planned([READ, step], [visibility])
      await world.say('please do the unusual thing in acme/site: the login page is slow')
      expect([written(world), await waitingIn(world)]).toEqual([[], 0])
    }
  })

  it('is asked about where the planner worded it from this message alone', async () => {
    const world = planned([issue({ title: 'Login page is slow' }, 's1')], ['public'])
    await world.say('please do the unusual thing in acme/site')
    expect(world.heard()).toContain('EVERYONE can read it')
    expect(await waitingIn(world)).toBe(1)
  })
})

it('no plan says who reads a repository', async () => {
  const world = planned([issue({ title: 'a title', visibility: 'private' }, 's1')], ['public'])
  await world.say('please do the unusual thing in acme/site')
  expect([written(world), lookedUp(world), await waitingIn(world)]).toEqual([[], [], 0])
})

describe('a declaration', () => {
  const github = TOOL_MANIFESTS.find(({ name }) => name === 'github')
  const changed = (target: object): readonly ToolManifest[] => [
    {
      ...(github as ToolManifest),
      actions: (github?.actions ?? []).map((action) =>
        action.target === undefined ? action : { ...action, target: { ...action.target, ...target } },
      ),
    },
  ]

  it.each([
    ['a lookup that there is not', { by: 'github.none' }, /is no read of this tool/],
    ['a write as its lookup', { by: 'github.comment' }, /is no read of this tool/],
    ['a field that is a text', { field: 'description' }, /gives no description of a closed set/],
    ['an argument that there is not', { given: { repo: 'nothing' } }, /repo is not given by nothing/],
  ])('with %s is none', (_what, target, why) => {
    expect(() => createRegistry(changed(target))).toThrow(why)
  })
})

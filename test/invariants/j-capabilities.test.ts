/**
 * Invariant J: no call without a token, by type and at run time, at home's own tool port with home's
 * own check, and at the step of the pipeline that calls it. What makes a token good is in
 * test/task/capability.test.ts; that only invoke.ts calls the port is a rule of the tree.
 */
import { afterAll, describe, expect, test } from 'vitest'
import { NO_CREDENTIALS } from '../../integrations/tools/credentials.ts'
import { digestOf } from '../../kernel/flow/digest.ts'
import type { Json } from '../../kernel/flow/json.ts'
import { CLEAN } from '../../kernel/flow/taint.ts'
import { err } from '../../kernel/flow/verdict.ts'
import { invoke } from '../../kernel/pipeline/invoke.ts'
import type { ToolPort } from '../../kernel/powers/ports.ts'
import {
  type Capability,
  type CapabilityToken,
  issueCapability,
  TOKEN_LIFETIME,
} from '../../kernel/task/capability.ts'
import { SITE_RULES } from '../../scripts/site-rules.ts'
import { loadConfig } from '../../sidecar/config/config.ts'
import { createHomeTools } from '../../sidecar/home/home-tools.ts'
import { newFolder } from '../kit/folder.ts'
import { calendarTools, mailTools } from '../pipeline/mailbox.ts'
import { createWorld } from '../pipeline/world.ts'

const KEY = new Uint8Array(32).fill(1)
const EDGE_KEY = new Uint8Array(32).fill(2)
const NOW = 1_795_000_000_000
const ACTION = 'web.read'
/** Refused by the client before anything is asked for: how a call that got past the token ends. */
const ARGS: { readonly [key: string]: Json } = { url: 'https://localhost/' }
const PAST_THE_TOKEN = 'address_private'

let used = 1
const config = loadConfig({}, newFolder('j'))
if (!config.ok) throw new Error(config.reason.code)
const tools = createHomeTools({
  config: config.value,
  store: { uses: () => used, setting: () => null },
  tokenKey: KEY,
  now: () => NOW,
  credentials: NO_CREDENTIALS,
  redact: (value) => value,
  degraded: () => undefined,
  document: async () => err('file_not_text'),
  ownFolders: [],
  workingHours: () => ({ from: 540, to: 1080 }),
  zoneNow: () => 'UTC',
  feedItems: { of: () => [], note: () => undefined },
  health: {
    today: () => '2026-11-27',
    through: async () => err('health_none'),
    read: async () => err('health_none'),
    dayAt: () => '2026-11-27',
    known: async () => err('health_none'),
    replace: async () => err('health_none'),
  },
})
afterAll(() => tools.close())

function token(change: Partial<Capability> = {}, key: Uint8Array = KEY): CapabilityToken {
  const claims: Capability = {
    ...{ id: 'c1', place: 'home', task: 't1', template: 'owner_private', principal: 'principal:owner' },
    ...{ step: 's1', tool: ACTION, scope: '', argsDigest: digestOf(ARGS), argsTaint: CLEAN, approval: null },
    ...{ issuedAt: NOW, expiresAt: NOW + TOKEN_LIFETIME, maxInvocations: 1 },
  }
  return issueCapability({ ...claims, ...change }, key)
}

/** What an untyped caller can do: anything. */
async function run(capability: unknown, args = ARGS, action = ACTION): Promise<string> {
  const outcome = await tools.port.run({ action, args, capability: capability as CapabilityToken })
  return outcome.ok ? 'ran' : outcome.reason.code
}

describe('at home’s tool port', () => {
  test('a call without a token does not compile', () => {
    const wrong = (port: ToolPort) =>
      // @ts-expect-error a call names its capability
      port.run({ action: ACTION, args: ARGS })
    expect(wrong).toBeTypeOf('function')
  })

  test('with its token a call gets as far as the network', async () => {
    expect(await run(token())).toBe(PAST_THE_TOKEN)
  })

  const good = token()
  test.each<[string, unknown, string]>([
    ['none', undefined, 'token_missing'],
    ['null', null, 'token_missing'],
    ['text', JSON.stringify(good), 'token_missing'],
    ['an empty record', {}, 'policy_failed'],
    ['claims alone', { claims: good.claims }, 'token_malformed'],
    ['a made-up signature', { claims: good.claims, mac: '00'.repeat(32) }, 'token_forged'],
    ['the edge’s signature', token({}, EDGE_KEY), 'token_forged'],
    ['an altered claim', { ...good, claims: { ...good.claims, maxInvocations: 9 } }, 'token_forged'],
    ['one for the edge', token({ place: 'edge' }), 'token_wrong_place'],
    ['one for another tool', token({ tool: 'email.read' }), 'token_wrong_tool'],
    [
      'one for other arguments',
      token({ argsDigest: digestOf({ url: 'https://b.example/' }) }),
      'token_wrong_arguments',
    ],
    ['one that has expired', token({ issuedAt: NOW - TOKEN_LIFETIME, expiresAt: NOW }), 'token_expired'],
    ['one of the future', token({ issuedAt: NOW + 60_000, expiresAt: NOW + 60_001 }), 'token_not_yet_valid'],
  ])('%s: %s', async (_name, capability, code) => {
    expect(await run(capability)).toBe(code)
  })

  test('one that was used before', async () => {
    used = 2
    expect(await run(token())).toBe('token_used_up')
    used = 1
  })

  test('a good one for another action of the port', async () => {
    expect(await run(token(), {}, 'email.list')).toBe('token_wrong_tool')
  })
})

test('only the step that checks tokens may call the port', () => {
  expect(SITE_RULES.find(({ name }) => name === '.tools.run')?.only).toEqual(['kernel/call/run-call.ts'])
})

test('every call of a task has a token of its own, used once', async () => {
  const world = createWorld({ tools: { ...mailTools(), ...calendarTools() } })
  const tasks = [await world.say('check my email'), await world.say('read the one from Sarah')]
  const invoked = tasks.flatMap((task) =>
    world.disk.store.auditOf(task).filter(({ kind }) => kind === 'tool_invoked'),
  )
  const ids = invoked.map(({ facts }) => String(facts['capability']))
  expect(new Set(ids).size).toBe(world.calls.length)
  for (const id of ids) expect(world.disk.store.uses(id)).toBe(1)
})

describe('at the step that calls', () => {
  const world = createWorld({ tools: calendarTools() })
  const rows: readonly (readonly [string, Partial<Capability>, Uint8Array, string])[] = [
    ['a token of another key', {}, EDGE_KEY, 'token_forged'],
    ['a token for other arguments', {}, world.powers.tokenKey, 'token_wrong_arguments'],
    ['a token for another tool', { tool: 'email.read' }, world.powers.tokenKey, 'token_wrong_tool'],
    ['a token for another step', { step: 's2' }, world.powers.tokenKey, 'token_wrong_step'],
    ['a token for another task', { task: 't9' }, world.powers.tokenKey, 'token_wrong_task'],
    ['a token for another place', { place: 'edge' }, world.powers.tokenKey, 'token_wrong_place'],
    [
      'a token for another account (A-37)',
      { scope: 'account#0' },
      world.powers.tokenKey,
      'token_wrong_scope',
    ],
  ]
  test.each(rows)('%s runs nothing', async (_name, change, key, code) => {
    // It waits for the owner, so everything that the call needs is there, but for a token.
    const task = world.disk.store.loadTask(await world.say('book lunch with Sarah on Friday at 13:00'))
    const step = task?.plan?.steps[0]
    if (task === null || step?.do !== 'tool') throw new Error('no task with a call')
    const at = world.clock.now
    const times = { issuedAt: at, expiresAt: at + TOKEN_LIFETIME }
    const claims = { task: task.id, tool: step.tool, ...times, ...change }
    const outcome = await invoke(world.powers, task, { index: 0, step, token: token(claims, key) })
    expect(outcome).toMatchObject({ got: 'failed', reason: { code } })
    expect(world.calls).toEqual([])
  })
})

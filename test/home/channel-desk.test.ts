/**
 * Activating a chat at home (H-13, H-14, L-18): what is stored and when, what remains of it, that the assistant's
 * description is updated, and one search at a time.
 */
import { beforeEach, describe, expect, test } from 'vitest'
import type { Activatable } from '../../integrations/channels/runtime/home-package.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { createSelfKeeper, LEAST_BETWEEN } from '../../kernel/self/keeper.ts'
import {
  type ChannelService,
  createChannelService,
  withChannels,
} from '../../sidecar/channels/channel-service.ts'

const ADAPTER = {
  ...{ name: 'slack', title: 'Slack', prove: 'Say this to' },
  needs: ['slack-app', 'slack-bot'].map((service) => ({
    ...{ service, title: 'Slack', where: 'There.', shape: 'x[a-z]+-[0-9]+' },
  })),
}

let vault: Map<string, string>
let noted: Map<string, unknown>
let active: boolean
let isStuck: boolean
let faults: string[]
let checked: Result<string | null>
let searches: { readonly code: string; readonly end: (found: Result<boolean>) => void }[]
let told: string[]
let learned: string[]
let due: number
let clock: number
let keeper: ReturnType<typeof createSelfKeeper>
let desk: ChannelService

beforeEach(() => {
  vault = new Map()
  noted = new Map()
  active = false
  isStuck = false
  faults = []
  checked = ok('@bot')
  searches = []
  told = []
  learned = []
  due = 0
  clock = 0
  keeper = createSelfKeeper({
    sources: {
      ...{ persona: () => ({ name: 'P', style: null }), integrations: () => [], skills: () => [] },
      ...{ jobs: () => [], preferences: () => [] },
      channels: () => (active ? [{ name: 'slack', note: '' }] : []),
    },
    now: () => clock,
    fault: () => undefined,
  })
  desk = started()
})

/** A start of home. */
function started(): ChannelService {
  return createChannelService({
    channels: [...(isStuck ? [stuck()] : []), channel()],
    notes: {
      read: (name) => (noted.get(name) ?? null) as never,
      write: (name, value) => void noted.set(name, value),
    },
    secretService: {
      async set({ name, value }) {
        expect(desk.activating()).toBeNull()
        vault.set(name, value)
        return ok({ name } as never)
      },
      async delete({ name, check }) {
        if (check !== undefined) vault.delete(name)
        return ok(check === undefined ? { name, deleted: false, check: 'c' } : { name, deleted: true })
      },
      list: () => [...vault.keys()].map((name) => ({ name }) as never),
    },
    secrets: { find: (name) => (vault.has(name) ? ({ name } as never) : null) },
    ...{ custody: 'systemd', learn: (name) => void learned.push(name) },
    fault: (what) => void faults.push(what),
    changed: () => keeper.touch('channel'),
    given() {
      due += 1
    },
    tell: (words, sink) => void told.push(`${sink}: ${words}`),
  })
}

function channel(): Activatable {
  return {
    ...{
      adapter: ADAPTER,
      sink: 'sink:slack:private',
      scope: { tools: ['channel.slack'], hosts: ['slack.example.com'] },
    },
    isActive: () => active,
    check: async () => checked,
    account: async () => ok('@bot'),
    find(code, signal) {
      return new Promise((end) => {
        signal.addEventListener('abort', () => end(ok(false)))
        searches.push({ code, end })
      })
    },
    async leave() {
      active = false
      return null
    },
    trouble: () => null,
  }
}

/** One whose service does not let go. */
function stuck(): Activatable {
  const adapter = { ...ADAPTER, name: 'stuck', needs: [] }
  return { ...channel(), adapter, leave: () => Promise.reject(new Error('no answer')) }
}

const activating = (): unknown => noted.get('activating') ?? null
const codeOf = (result: Result<unknown>): string => (result.ok ? 'ok' : result.reason.code)

describe('a credential', () => {
  test('is stored after the service accepted it, and the next step follows', async () => {
    expect(codeOf(await desk.give('slack-app', 'xapp-1'))).toBe('ok')
    expect([[...vault], due, learned]).toEqual([[['slack-app', 'xapp-1']], 1, ['slack-app']])
    expect(desk.activating()).toEqual({ channel: 'slack', question: null, sink: null })
    expect([desk.has('slack-app'), desk.has('slack-bot'), desk.isActive('slack')]).toEqual([
      true,
      false,
      false,
    ])
  })

  test.each<[string, string, string, Result<string | null>, string]>([
    ['that the service refuses', 'slack-app', 'xapp-1', err('credential_rejected'), 'credential_rejected'],
    ['that could not be tried', 'slack-app', 'xapp-1', err('network_failed'), 'network_failed'],
    ['of another shape', 'slack-app', 'hello', ok(null), 'field_malformed'],
    ['that nobody asks for', 'other', 'xapp-1', ok(null), 'tool_unknown'],
  ])('%s is not stored', async (_what, service, value, answer, code) => {
    checked = answer
    expect(codeOf(await desk.give(service, value))).toBe(code)
    expect([vault.size, activating(), due]).toEqual([0, null, 0])
  })

  test('given twice is stored once', async () => {
    await desk.give('slack-app', 'xapp-1')
    expect(codeOf(await desk.give('slack-app', 'xapp-2'))).toBe('credential_mismatch')
    expect(vault.get('slack-app')).toBe('xapp-1')
  })

  test('typed at the edge is handled the same way after acceptance; a tool’s goes to the tools', async () => {
    const tools = {
      refusal: () => null,
      give: async () => ok('stored'),
      look: async () => err('nothing_found'),
    } as const
    const both = withChannels(tools as never, desk)
    expect(await both.look('slack-app', 'xapp-1')).toEqual(ok({ tried: true, account: '@bot' }))
    expect(codeOf(await both.look('google', 'x'))).toBe('nothing_found')
    expect(codeOf(await desk.accepting.set({ name: 'slack-app', value: 'xapp-1' } as never))).toBe('ok')
    expect(desk.activating()?.channel).toBe('slack')
  })
})

describe('the search', () => {
  test('is one per code, and another code ends it', async () => {
    const first = desk.find('slack', 'A')
    void desk.find('slack', 'A')
    expect(searches).toHaveLength(1)
    void desk.find('slack', 'B')
    expect([await first, searches.length]).toEqual([ok(false), 2])
  })

  test('that is cancelled deletes what was given', async () => {
    await desk.give('slack-app', 'xapp-1')
    await desk.give('slack-bot', 'xoxb-1')
    const found = desk.find('slack', 'A')
    await desk.drop('slack')
    expect([await found, vault.size, activating()]).toEqual([ok(false), 0, null])
  })

  test('ends when home stops, keeps what was given, and resumes at the next start (M-28)', async () => {
    await desk.give('slack-app', 'xapp-1')
    const found = desk.find('slack', 'A')
    desk.stop()
    expect([await found, vault.size, desk.activating()?.channel]).toEqual([ok(false), 1, 'slack'])
  })
})

test('activating and deactivating a chat each update the assistant’s description (H-14)', async () => {
  const before = keeper.current().version
  await desk.give('slack-app', 'xapp-1')
  await desk.give('slack-bot', 'xoxb-1')
  const found = desk.find('slack', 'A')
  active = true
  searches[0]?.end(ok(true))
  expect(await found).toEqual(ok(true))
  clock += LEAST_BETWEEN
  const there = keeper.current().version
  desk.leave('slack', 'sink:terminal:owner')
  await expect.poll(() => told).toHaveLength(1)
  clock += LEAST_BETWEEN
  expect([there === before, keeper.current().version === before]).toEqual([false, true])
  expect([vault.size, told[0]]).toEqual([
    0,
    expect.stringMatching(/^sink:terminal:owner: Slack is not active any more/),
  ])
})

describe('a home that dies about a yes to leave a chat', () => {
  const leave = (): void => desk.leave('slack', 'sink:terminal:owner')

  test('before it is on record has left nothing', async () => {
    vault.set('slack-app', 'xapp-1')
    active = true
    const before = new Map(noted)
    leave()
    // The transaction is taken back, and its note with it.
    noted = before
    await new Promise(setImmediate)
    await new Promise(setImmediate)
    expect([active, vault.size, told]).toEqual([true, 1, []])
  })

  test('after it is on record leaves it with its next start, once', async () => {
    vault.set('slack-app', 'xapp-1')
    active = true
    noted.set('leaving', [{ channel: 'slack', sink: 'sink:terminal:owner' }])
    started()
    await expect.poll(() => told).toHaveLength(1)
    await expect.poll(() => noted.get('leaving')).toEqual([])
    expect([active, vault.size]).toEqual([false, 0])
    started()
    await new Promise(setImmediate)
    await new Promise(setImmediate)
    expect(told).toHaveLength(1)
  })

  test('and it fails: the others are left all the same, and it is tried again with the next start', async () => {
    vault.set('slack-app', 'xapp-1')
    ;[active, isStuck] = [true, true]
    const sink = 'sink:terminal:owner'
    noted.set('leaving', [
      { channel: 'stuck', sink },
      { channel: 'slack', sink },
    ])
    started()
    await expect.poll(() => told).toHaveLength(1)
    expect([active, vault.size, faults]).toEqual([false, 0, ['leaving a chat']])
    await expect.poll(() => noted.get('leaving')).toEqual([{ channel: 'stuck', sink }])
  })

  test('and is given its credential anew before the next start: what is connected now is not left', async () => {
    noted.set('leaving', [{ channel: 'slack', sink: 'sink:terminal:owner' }])
    expect(codeOf(await desk.give('slack-app', 'xapp-1'))).toBe('ok')
    active = true
    started()
    await new Promise(setImmediate)
    await new Promise(setImmediate)
    expect([active, vault.size, told]).toEqual([true, 1, []])
  })
})

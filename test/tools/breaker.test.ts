/** The breaker of tools, by the clock: when it opens, what counts, what closes it, and whom it tells (I-07). */
import { beforeEach, describe, expect, it } from 'vitest'
import { createToolBreaker, meaningOf, TOOL_BREAKER } from '../../integrations/tools/breaker.ts'
import { createToolPort } from '../../integrations/tools/port.ts'
import { err, permit } from '../../kernel/flow/verdict.ts'
import type { Breakers } from '../../kernel/powers/breaker.ts'
import type { ReasonCode } from '../../kernel/reasons.ts'
import type { ToolManifest, ToolOutcome } from '../../kernel/tool/manifest.ts'
import { BEARER, sourceOf, tokenFor } from './calls.ts'
import { startTransport } from './servers.ts'

const MAIL = { name: 'email', network: ['mail.example'] }
const WEB = { name: 'web', network: ['*'] }
const DONE: ToolOutcome = { ok: true, output: {} }
const SECOND = 1_000

let clock = { now: 0 }
let told: string[] = []
let breaker: Breakers

beforeEach(() => {
  clock = { now: 1_000_000 }
  told = []
  breaker = createToolBreaker(
    () => clock.now,
    (tool, at) => told.push(`${tool} ${at}`),
  )
})

/** One call; answers whether it was let through. */
function call(code: ReasonCode | null, tool = MAIL): boolean {
  if (!breaker.enter(tool.name).ok) return false
  breaker.leave(tool.name, meaningOf(tool, code === null ? DONE : err(code)))
  return true
}

function fail(times: number, code: ReasonCode = 'remote_unavailable', tool = MAIL): void {
  for (let n = 0; n < times; n += 1) {
    call(code, tool)
    clock.now += SECOND
  }
}

describe('a tool that fails', () => {
  it('is left alone after five failures, and its owner is told once', () => {
    fail(4)
    expect(call(null)).toBe(true)
    expect(told).toEqual([])
    const at = clock.now
    fail(1)
    expect(breaker.enter(MAIL.name)).toEqual({
      ok: false,
      reason: { code: 'tool_degraded', facts: { tool: 'email' } },
    })
    expect(told).toEqual([`email ${at}`])
  })

  it('does not bring down another', () => {
    fail(5)
    expect(call(null, { name: 'calendar', network: ['www.example'] })).toBe(true)
  })

  it.each([
    ['within the window', 4, TOOL_BREAKER.window - 5 * SECOND, false],
    ['over a longer time', 4, TOOL_BREAKER.window, true],
  ])('five times %s', (_, first, pause, open) => {
    fail(first)
    clock.now += pause
    fail(1)
    expect(call(null)).toBe(open)
  })

  it.each<[ReasonCode, boolean]>([
    ['tool_failed', true],
    ['tool_timeout', true],
    ['network_failed', true],
    ['response_timeout', true],
    ['remote_unavailable', true],
    ['remote_rate_limited', true],
    ['remote_unauthorized', false],
    ['remote_not_found', false],
    ['remote_rejected', false],
    ['credential_missing', false],
    ['host_not_allowed', false],
    ['tool_arguments_invalid', false],
    ['token_expired', false],
  ])('%s counts: %s', (code, counts) => {
    fail(5, code)
    expect(call(null)).toBe(!counts)
  })

  it.each<[ReasonCode, boolean]>([
    ['network_failed', false],
    ['response_timeout', false],
    ['tool_timeout', false],
    ['remote_unavailable', false],
    ['tool_failed', true],
  ])('that may ask any host: %s counts: %s', (code, counts) => {
    fail(5, code, WEB)
    expect(call(null, WEB)).toBe(!counts)
  })
})

describe('after half an hour', () => {
  beforeEach(() => {
    fail(5)
    clock.now += TOOL_BREAKER.rest - SECOND
  })

  it('and not sooner, one call may try it, and only one', () => {
    clock.now -= 1
    expect(breaker.enter(MAIL.name).ok).toBe(false)
    clock.now += 1
    expect(breaker.enter(MAIL.name).ok).toBe(true)
    expect(breaker.enter(MAIL.name).ok).toBe(false)
  })

  it.each<[ReasonCode | null, boolean]>([
    [null, true],
    ['remote_not_found', true],
    ['remote_unavailable', false],
  ])('the try ends with %s: open again for all: %s', (code, works) => {
    call(code)
    expect([call(null), call(null)]).toEqual([works, works])
    expect(told).toHaveLength(1)
  })

  it('a try that says nothing leaves it to the next', () => {
    call('credential_missing')
    expect(call(null)).toBe(true)
  })

  it('a try that fails costs another half hour', () => {
    call('tool_timeout')
    clock.now += TOOL_BREAKER.rest - 1
    expect(call(null)).toBe(false)
    clock.now += 1
    expect(call(null)).toBe(true)
    fail(5)
    expect(told).toHaveLength(2)
  })
})

describe('the tool port', () => {
  const ACTION: ToolManifest['actions'][number] = {
    ...{ id: 'probe.run', description: 'Runs a probe.', semantics: 'read', ceiling: 'public', sink: null },
    ...{ args: { kind: 'record', fields: {} }, output: { kind: 'record', fields: {} } },
    ...{ compartment: null, reaches: 'public' },
  }
  const MANIFEST: ToolManifest = {
    ...{ name: 'probe', version: '1', ownerOnly: true, places: ['home'], network: ['api.example.com'] },
    ...{ credential: 'google', actions: [ACTION] },
  }

  it('asks it before a credential is unsealed, and tells it whatever comes of a call', async () => {
    const log: string[] = []
    const source = sourceOf(BEARER, MANIFEST.network)
    const port = createToolPort({
      place: 'home',
      tools: [
        {
          manifest: MANIFEST,
          execute: async () => {
            log.push('ran')
            return err('remote_unavailable')
          },
        },
      ],
      transport: startTransport(),
      exemptOrigins: [],
      checkToken: () => permit('test'),
      credentials: {
        ...source,
        issue: (asked) => {
          log.push('issued')
          return source.issue(asked)
        },
      },
      redact: (value) => value,
      breaker,
    })
    const run = () => port.run({ action: 'probe.run', args: {}, capability: tokenFor('probe.run') })
    for (let n = 0; n < 5; n += 1)
      expect(await run()).toMatchObject({ reason: { code: 'remote_unavailable' } })
    expect(await run()).toEqual(err('tool_degraded', { tool: 'probe' }))
    expect(log).toEqual(Array(5).fill(['issued', 'ran']).flat())
    expect(told).toHaveLength(1)
  })
})

describe('a service that asks for time', () => {
  const manifest: ToolManifest = {
    ...{
      name: 'slow',
      version: '1',
      ownerOnly: true,
      places: ['home'],
      network: ['slow.example'],
      credential: null,
    },
    actions: [
      {
        ...{
          id: 'slow.look',
          description: 'Looks.',
          semantics: 'read',
          ceiling: 'public',
          compartment: null,
        },
        ...{
          reaches: 'public',
          sink: null,
          args: { kind: 'record', fields: {} },
          output: { kind: 'record', fields: {} },
        },
      },
    ],
  }

  it('is not asked before that time', async () => {
    let asked = 0
    const execute = async (): Promise<ToolOutcome> => {
      asked += 1
      return asked === 1 ? err('remote_rate_limited', { status: 429, wait: 60 }) : DONE
    }
    const port = createToolPort({
      ...{ place: 'home', tools: [{ manifest, execute }], transport: startTransport(), exemptOrigins: [] },
      ...{ checkToken: () => permit('test'), credentials: sourceOf(BEARER), redact: (value) => value },
      breaker: createToolBreaker(
        () => clock.now,
        () => undefined,
      ),
    })
    const look = () => port.run({ action: 'slow.look', args: {}, capability: tokenFor('slow.look') })
    await look()
    clock.now += 59 * SECOND
    expect(await look()).toMatchObject({ ok: false, reason: { code: 'remote_rate_limited' } })
    expect(asked).toBe(1)
    clock.now += SECOND
    expect(await look()).toMatchObject({ ok: true })
  })
})

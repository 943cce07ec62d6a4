/** Capability tokens: what makes one good for a use, and the reason for each way in which it is not. */
import { describe, expect, it } from 'vitest'
import { digestOf } from '../../kernel/flow/digest.ts'
import { startTask } from '../../kernel/machine/machine.ts'
import {
  type Capability,
  type CapabilityUse,
  checkCapability,
  issueCapability,
  TOKEN_LIFETIME,
} from '../../kernel/task/capability.ts'
import { claimsFor, NEW_TASK, NOW } from './fixtures.ts'

const KEY = new Uint8Array(32).fill(7)
const ARGS = { to: 'b', at: 1 }

const CLAIMS: Capability = {
  ...claimsFor(startTask(NEW_TASK).task, 0),
  step: 's1',
  tool: 'email.list',
  scope: 'account=personal',
  argsDigest: digestOf(ARGS),
  expiresAt: NOW + TOKEN_LIFETIME,
}
const USE: CapabilityUse = {
  place: 'edge',
  task: 't1',
  step: 's1',
  tool: 'email.list',
  args: ARGS,
  scope: 'account=personal',
  now: NOW + 1,
  used: 0,
}
const TOKEN = issueCapability(CLAIMS, KEY)

describe('a capability token', () => {
  it('is good for the use it was issued for, after a trip through storage too', () => {
    expect(checkCapability(TOKEN, USE, KEY)).toEqual({ allow: true, by: 'capability' })
    expect(checkCapability(JSON.parse(JSON.stringify(TOKEN)), USE, KEY).allow).toBe(true)
    expect(checkCapability(TOKEN, { ...USE, args: { at: 1, to: 'b' } }, KEY).allow).toBe(true)
  })

  it.each<[string, Partial<CapabilityUse>]>([
    ['token_wrong_place', { place: 'home' }],
    ['token_not_yet_valid', { now: NOW - 10_000 }],
    ['token_expired', { now: NOW + TOKEN_LIFETIME }],
    ['token_wrong_task', { task: 't2' }],
    ['token_wrong_step', { step: 's2' }],
    ['token_wrong_tool', { tool: 'email.read' }],
    ['token_wrong_scope', { scope: 'account=work' }],
    ['token_wrong_arguments', { args: { to: 'c', at: 1 } }],
    ['token_used_up', { used: 1 }],
    ['token_used_up', { used: Number.NaN }],
  ])('is refused with %s', (code, use) => {
    expect(checkCapability(TOKEN, { ...USE, ...use }, KEY)).toMatchObject({ allow: false, code })
  })

  it.each<[string, Partial<Capability>]>([
    ['place', { place: 'home' }],
    ['task', { task: 't2' }],
    ['scope', { scope: '' }],
    ['argsDigest', { argsDigest: digestOf({}) }],
    ['along', { along: digestOf({}) }],
    ['argsTaint', { argsTaint: { level: 'extracted', origins: ['owner'], touchedBy: [] } }],
    ['approval', { approval: 'a1' }],
    ['expiresAt', { expiresAt: NOW + 1 }],
    ['maxInvocations', { maxInvocations: 9 }],
  ])('is forged once its %s is altered, whatever it is then good for', (_, altered) => {
    const token = { ...TOKEN, claims: { ...CLAIMS, ...altered } }
    expect(checkCapability(token, USE, KEY)).toMatchObject({ code: 'token_forged' })
  })

  it('of another place is forged here: each place has its own key', () => {
    const other = issueCapability(CLAIMS, new Uint8Array(32).fill(8))
    expect(checkCapability(other, USE, KEY)).toMatchObject({ code: 'token_forged' })
  })

  it.each<[string, unknown, string]>([
    ['nothing', undefined, 'token_missing'],
    ['null', null, 'token_missing'],
    ['text', 'token', 'token_malformed'],
    ['no claims', { mac: TOKEN.mac }, 'token_malformed'],
    ['a claim more', { ...TOKEN, claims: { ...CLAIMS, admin: true } }, 'token_malformed'],
    ['a claim less', { ...TOKEN, claims: { ...CLAIMS, scope: undefined } }, 'token_malformed'],
    ['a short mac', { ...TOKEN, mac: TOKEN.mac.slice(1) }, 'token_malformed'],
    ['no invocation', issueCapability({ ...CLAIMS, maxInvocations: 0 }, KEY), 'token_malformed'],
    [
      'too long a life',
      issueCapability({ ...CLAIMS, expiresAt: CLAIMS.expiresAt + 1 }, KEY),
      'token_malformed',
    ],
    [
      'a claim that fills a row',
      issueCapability({ ...CLAIMS, scope: 'x'.repeat(401) }, KEY),
      'token_malformed',
    ],
  ])('made of %s is refused', (_, token, code) => {
    expect(checkCapability(token, USE, KEY)).toMatchObject({ allow: false, code })
  })

  it('cannot be signed or checked with a weak key', () => {
    expect(() => issueCapability(CLAIMS, new Uint8Array(0))).toThrow(TypeError)
    expect(checkCapability(TOKEN, USE, new Uint8Array(31))).toMatchObject({ code: 'policy_failed' })
  })

  it('digests canonical bytes with SHA-256', () => {
    expect(digestOf({})).toBe('44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a')
    expect(digestOf({ b: 1, a: 2 })).toBe(digestOf({ a: 2, b: 1 }))
  })
})

/** Approvals: asked of the owner, bound to bytes, in time, from a place that is worth enough, once (F-03 – F-09). */
import { describe, expect, it } from 'vitest'
import {
  APPROVAL_SPEND_WINDOW,
  APPROVAL_TIMEOUT,
  type Approval,
  approvalDigest,
  createApproval,
  type Decision,
  decide,
  expire,
  type Spending,
  spend,
} from '../../kernel/task/approval.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import { label } from '../flow/fixtures.ts'
import { codeOf, NOW } from './fixtures.ts'

const CALL = { tool: 'calendar.create_event', args: { title: 'Tea', at: 1 }, sink: 'sink:calendar:owner' }
const REQUEST = {
  id: 'a1',
  task: 't1',
  step: 's1',
  principal: OWNER_PRINCIPAL,
  tool: CALL.tool,
  sink: CALL.sink,
  digest: approvalDigest(CALL),
  card: 'card-1',
  reason: 'write_free_text',
  label: label('internal'),
  now: NOW,
} as const

const PENDING = createApproval(REQUEST)
const YES: Decision = { principal: OWNER_PRINCIPAL, place: 'home', decision: 'approve', now: NOW + 10 }
const USE: Spending = { digest: REQUEST.digest, task: 't1', step: 's1', now: NOW + 20 }

function inState(state: Approval['state']): Approval {
  return { ...PENDING, state, decidedAt: NOW + 10, decidedBy: OWNER_PRINCIPAL, decidedFrom: 'home' }
}

describe('createApproval', () => {
  it.each([
    ['public', 'edge'],
    ['internal', 'edge'],
    ['sensitive', 'home'],
    ['regulated:health', 'home'],
  ])('%s may be decided from %s upwards', (guard, place) => {
    expect(createApproval({ ...REQUEST, label: label(guard) })).toMatchObject({ place, label: guard })
  })

  it('is pending, undecided, and expires after the default or the configured time', () => {
    expect(PENDING).toMatchObject({ state: 'pending', decidedAt: null, decidedBy: null, createdAt: NOW })
    expect(PENDING.expiresAt).toBe(NOW + APPROVAL_TIMEOUT)
    expect(createApproval({ ...REQUEST, timeout: 60 }).expiresAt).toBe(NOW + 60)
    expect(JSON.parse(JSON.stringify(PENDING))).toEqual(PENDING)
  })
})

describe('decide', () => {
  it.each([
    ['approve', 'approved'],
    ['deny', 'denied'],
  ] as const)('%s makes it %s and records who and when', (decision, state) => {
    expect(decide(PENDING, { ...YES, decision })).toEqual({
      ok: true,
      value: inState(state),
    })
  })

  const private_ = createApproval({ ...REQUEST, label: label('sensitive') })

  it.each<[string, string, Approval, Partial<Decision>]>([
    ['a stranger', 'approval_wrong_principal', PENDING, { principal: 'principal:telegram:peer:1' }],
    ['a stranger who denies', 'approval_wrong_principal', PENDING, { principal: 'x', decision: 'deny' }],
    ['cron', 'approval_wrong_principal', PENDING, { principal: 'principal:cron:job' }],
    ['the owner too late', 'approval_expired', PENDING, { now: NOW + APPROVAL_TIMEOUT }],
    ['a late no', 'approval_expired', PENDING, { now: NOW + APPROVAL_TIMEOUT, decision: 'deny' }],
    ['a low place', 'approval_place_too_low', private_, { place: 'edge' }],
    ['a no after a yes', 'approval_spent', inState('approved'), { decision: 'deny' }],
    ['a no after use', 'approval_spent', inState('spent'), { decision: 'deny' }],
    ['a yes after a no', 'approval_denied', inState('denied'), {}],
    ['a yes after expiry', 'approval_expired', inState('expired'), {}],
    ['a no after expiry', 'approval_expired', inState('expired'), { decision: 'deny' }],
    ['a second yes through another place', 'approval_spent', inState('approved'), { place: 'edge' }],
    [
      'a second no through another place',
      'approval_denied',
      inState('denied'),
      { decision: 'deny', place: 'edge' },
    ],
    ['a second yes by a stranger', 'approval_wrong_principal', inState('approved'), { principal: 'x' }],
    [
      'a second yes to what another decided',
      'approval_spent',
      { ...inState('approved'), decidedBy: 'principal:other' },
      {},
    ],
  ])('%s is refused: %s', (_, code, approval, part) => {
    expect(codeOf(decide(approval, { ...YES, ...part }))).toBe(code)
  })

  it.each<[string, Approval, Partial<Decision>]>([
    ['the edge, for what it may see', PENDING, { place: 'edge' }],
    ['home, for what is private', private_, {}],
    ['the edge, as a no', private_, { place: 'edge', decision: 'deny' }],
    ['the last millisecond', PENDING, { now: NOW + APPROVAL_TIMEOUT - 1 }],
  ])('from %s is taken', (_, approval, part) => {
    expect(codeOf(decide(approval, { ...YES, ...part }))).toBe('ok')
  })
})

describe('the same answer again', () => {
  it.each<[string, Approval, Decision['decision']]>([
    ['a yes', inState('approved'), 'approve'],
    ['a yes that was used', inState('spent'), 'approve'],
    ['a no', inState('denied'), 'deny'],
  ])('changes nothing: %s', (_, approval, decision) => {
    const late = { ...YES, decision, now: NOW + 10 * APPROVAL_TIMEOUT }
    const again = decide(approval, late)
    expect(again.ok && again.value).toBe(approval)
  })
})

describe('spend', () => {
  it('uses the yes up, once', () => {
    const spent = spend(inState('approved'), USE)
    expect(spent).toEqual({ ok: true, value: inState('spent') })
    if (spent.ok) expect(codeOf(spend(spent.value, USE))).toBe('approval_spent')
  })

  it.each<[string, Approval, Partial<Spending>]>([
    [
      'approval_changed',
      inState('approved'),
      { digest: approvalDigest({ ...CALL, args: { title: 'Tea', at: 2 } }) },
    ],
    [
      'approval_changed',
      inState('approved'),
      { digest: approvalDigest({ ...CALL, sink: 'sink:mail:owner' }) },
    ],
    ['approval_changed', inState('approved'), { digest: approvalDigest({ ...CALL, tool: 'email.send' }) }],
    ['approval_unknown', inState('approved'), { task: 't2' }],
    ['approval_unknown', inState('approved'), { step: 's2' }],
    ['write_approval_required', PENDING, {}],
    ['approval_denied', inState('denied'), {}],
    ['approval_expired', inState('expired'), {}],
    ['approval_expired', inState('approved'), { now: NOW + 10 + APPROVAL_SPEND_WINDOW }],
  ])('is refused: %s', (code, approval, part) => {
    expect(codeOf(spend(approval, { ...USE, ...part }))).toBe(code)
  })
})

describe('expire', () => {
  it.each<[string, Approval, number, Approval['state']]>([
    ['silence', PENDING, APPROVAL_TIMEOUT, 'expired'],
    ['waiting', PENDING, APPROVAL_TIMEOUT - 1, 'pending'],
    ['a yes', inState('approved'), APPROVAL_TIMEOUT, 'approved'],
    ['a no', inState('denied'), APPROVAL_TIMEOUT, 'denied'],
    ['a used yes', inState('spent'), APPROVAL_TIMEOUT, 'spent'],
  ])('%s', (_, approval, after, state) => {
    expect(expire(approval, NOW + after).state).toBe(state)
  })
})

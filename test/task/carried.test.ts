/** An approval for a later time: made of the one that was just spent, for one digest, from its time on and not much later, once. */
import { describe, expect, it } from 'vitest'
import {
  APPROVAL_SPEND_WINDOW,
  type Approval,
  approvalDigest,
  createApproval,
  decide,
  LATE_AT_MOST,
  spend,
} from '../../kernel/task/approval.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import { transferApproval } from '../../kernel/task/transferred-approval.ts'
import { label } from '../flow/fixtures.ts'
import { codeOf, NOW } from './fixtures.ts'

const SINK = 'sink:mail:owner'
const LATER = approvalDigest({ tool: 'email.send_later', args: { at: 'x', body: 'b' }, sink: SINK })
const THEN = approvalDigest({ tool: 'email.send', args: { body: 'b' }, sink: SINK })
const DUE = NOW + 3 * APPROVAL_SPEND_WINDOW

const PENDING = createApproval({
  ...{ id: 'a1', task: 't1', step: 's1', principal: OWNER_PRINCIPAL, tool: 'email.send_later', sink: SINK },
  ...{
    digest: LATER,
    card: 'card-1',
    reason: 'write_approval_required',
    label: label('sensitive'),
    now: NOW,
  },
} as const)
const CARRYING = {
  ...{ id: 'a2', task: 't2', step: 's1', tool: 'email.send', sink: SINK, digest: THEN, due: DUE },
} as const
const BY = { task: 't1', step: 's1' }

function granted<T>(result: { readonly ok: true; readonly value: T } | { readonly ok: false }): T {
  if (!result.ok) throw new Error('refused')
  return result.value
}

const YES = granted(
  decide(PENDING, { principal: OWNER_PRINCIPAL, place: 'home', decision: 'approve', now: NOW }),
)
const SPENT = granted(spend(YES, { digest: LATER, ...BY, now: NOW + 1 }))
const CARRIED = granted(transferApproval(SPENT, BY, CARRYING))
const USE = { digest: THEN, task: 't2', step: 's1', now: DUE }

describe('carry', () => {
  it.each<[string, Approval, typeof BY]>([
    ['nobody answered', PENDING, BY],
    ['nobody spent', YES, BY],
    ['another step spent', SPENT, { ...BY, step: 's2' }],
    ['another task spent', SPENT, { ...BY, task: 't9' }],
    ['was denied', { ...SPENT, state: 'denied' }, BY],
    ['was carried itself', { ...SPENT, due: DUE }, BY],
  ])('makes nothing of an approval that %s', (_, approval, by) => {
    expect(codeOf(transferApproval(approval, by, CARRYING))).toBe('approval_unknown')
  })

  it('keeps who decided, and where', () => {
    const { decidedBy, decidedFrom, decidedAt, label: of } = SPENT
    expect(CARRIED).toMatchObject({
      ...CARRYING,
      state: 'approved',
      decidedBy,
      decidedFrom,
      decidedAt,
      label: of,
    })
  })
})

describe('what was carried', () => {
  it.each([
    ['before its time', { now: DUE - 1 }, 'approval_not_due'],
    ['too late', { now: DUE + LATE_AT_MOST }, 'approval_expired'],
    ['on another call', { digest: LATER }, 'approval_changed'],
    ['by the task that asked', { task: 't1' }, 'approval_unknown'],
  ])('is not spent %s', (_, use, code) => {
    expect(codeOf(spend(CARRIED, { ...USE, ...use }))).toBe(code)
  })

  it.each([0, 1, LATE_AT_MOST - 1])('is spent %d ms after its time, and not again', (after) => {
    const now = DUE + after
    const spent = granted(spend(CARRIED, { ...USE, now }))
    expect(codeOf(spend(spent, { ...USE, now }))).toBe('approval_spent')
    expect(codeOf(transferApproval(spent, { task: 't2', step: 's1' }, CARRYING))).toBe('approval_unknown')
  })

  it('does not widen the time of any other', () => {
    expect(codeOf(spend(YES, { digest: LATER, ...BY, now: NOW + APPROVAL_SPEND_WINDOW }))).toBe(
      'approval_expired',
    )
  })
})

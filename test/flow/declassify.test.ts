/** Declassification: one value, one sink, one level, once; never secret, regulated to the owner alone (F-08, F-12, F-14). */
import { describe, expect, it } from 'vitest'
import { checkDeclassifiable, declassify } from '../../kernel/flow/declassify.ts'
import { describeLabel } from '../../kernel/flow/label.ts'
import { createLabeled, insideOf } from '../../kernel/flow/labeled.ts'
import { checkEgress, checkWrite, type Policy } from '../../kernel/flow/policy.ts'
import { codeOf, egress, GRANT, HEALTH, label, must, OWNER, POLICY, sink, taint, why } from './fixtures.ts'

const value = (...guards: readonly string[]) =>
  createLabeled('the exact words', { label: label(...guards), taint: taint('raw') })
const decision = (to: string, spent = true) => ({ approvalId: 'ap1', sink: to, spent })

describe('checkDeclassifiable (F-14)', () => {
  const rows: Policy = {
    ...POLICY,
    sinks: [
      ...POLICY.sinks,
      sink('sink:telegram:acknowledged', 'sensitive', { place: 'edge', compartments: [HEALTH] }),
      sink('sink:signal:doctor', 'sensitive', { principal: 'doctor', compartments: [HEALTH] }),
    ],
  }

  it.each([
    ['internal', 'sink:whatsapp:stranger', 'ok'],
    ['sensitive', 'sink:whatsapp:stranger', 'ok'],
    ['sensitive', 'sink:github:open_repo', 'ok'],
    ['sensitive', 'sink:x:y', 'ok'],
    ['regulated', 'sink:slack_dm:owner', 'ok'],
    ['regulated:health', 'sink:slack_dm:owner', 'ok'],
    ['regulated', 'sink:whatsapp:stranger', 'declassification_forbidden'],
    ['regulated:health', 'sink:signal:doctor', 'declassification_forbidden'],
    ['internal:health', 'sink:signal:doctor', 'declassification_forbidden'],
    ['regulated:health', 'sink:github:open_repo', 'declassification_forbidden'],
    ['regulated:health', 'sink:telegram:acknowledged', 'declassification_forbidden'],
    ['regulated', 'sink:x:y', 'declassification_forbidden'],
    ['secret', 'sink:telegram:owner', 'declassification_forbidden'],
    ['secret', 'sink:x:y', 'declassification_forbidden'],
  ])('%s to %s: %s', (guard, to, expected) => {
    expect(codeOf(checkDeclassifiable(rows, value('public', guard), to))).toBe(expected)
  })

  it('names the sink', () => {
    expect(checkDeclassifiable(POLICY, value('secret'), 'sink:telegram:owner')).toMatchObject({
      reason: { facts: { sink: 'sink:telegram:owner' } },
    })
    expect(checkDeclassifiable(POLICY, value('public'), 'sink:x:y')).toEqual({ ok: true, value: true })
  })
})

describe('declassify (F-08, F-12)', () => {
  it.each([
    ['sensitive', 'sink:github:closed_repo', 'internal'],
    ['sensitive', 'sink:github:open_repo', 'public'],
    ['sensitive', 'sink:x:y', 'public'],
    ['sensitive', 'sink:notion:bobs', 'internal'],
    ['internal', 'sink:telegram:owner', 'internal'],
    ['regulated:health', 'sink:slack_dm:owner', 'sensitive'],
  ])('%s for %s becomes %s, and passes there', (guard, to, level) => {
    const lowered = must(declassify(POLICY, value(guard), decision(to)))
    expect(describeLabel(lowered.label)).toBe(level)
    expect(lowered.label.atoms).toMatchObject([{ origin: 'approval:ap1', field: '*' }])
    expect(checkEgress(POLICY, egress(to, lowered.label)).allow).toBe(true)
    expect(insideOf(lowered)).toBe('the exact words')
  })

  it('passes nothing beneath the named sink', () => {
    const lowered = must(declassify(POLICY, value('sensitive'), decision('sink:github:closed_repo')))
    expect(why(checkEgress(POLICY, egress('sink:github:open_repo', lowered.label)))).toBe('write_down')
  })

  it('is clean for this write, and leaves the value itself as it was', () => {
    const before = value('sensitive')
    const lowered = must(declassify(POLICY, before, decision('sink:github:open_repo')))
    expect(lowered.taint).toEqual({ level: 'clean', origins: ['approval:ap1'], touchedBy: [] })
    const write = (from: typeof before) =>
      why(
        checkWrite({
          arguments: [{ taint: from.taint, freeText: true }],
          control: [],
          unknownDestinations: 0,
          templateAsks: false,
        }),
      )
    expect([write(lowered), write(before)]).toEqual(['clean', 'write_raw'])
    expect(why(checkEgress(POLICY, egress('sink:github:open_repo', before.label)))).toBe('write_down')
  })

  it.each([
    ['not spent by this write', value('sensitive'), decision('sink:x:y', false), 'approval_unknown'],
    ['secret', value('secret'), decision('sink:telegram:owner'), 'declassification_forbidden'],
    ['regulated to others', value('regulated'), decision('sink:x:y'), 'declassification_forbidden'],
  ])('refuses %s', (_, what, from, expected) => {
    expect(codeOf(declassify(POLICY, what, from))).toBe(expected)
  })

  it('names the approval that is not known', () => {
    expect(declassify(POLICY, value('internal'), decision('sink:x:y', false))).toMatchObject({
      reason: { facts: { approval: 'ap1' } },
    })
  })

  it('does not reach a sink that no level passes, nor lean on a grant', () => {
    const closed: Policy = { ...POLICY, allowLists: [{ guard: 'public', patterns: [] }] }
    expect(declassify(closed, value('public'), decision('sink:x:y')).ok).toBe(true)
    expect(declassify(closed, value('public'), decision('sink:github:open_repo'))).toMatchObject({
      reason: { code: 'declassification_forbidden', facts: { sink: 'sink:github:open_repo' } },
    })
    const grant = {
      ...GRANT,
      template: '',
      origin: 'approval:ap1',
      field: '*',
      sink: 'sink:github:open_repo',
      expiresAt: 9,
    }
    const granted: Policy = { ...POLICY, owner: OWNER, flowGrants: [grant] }
    const lowered = must(declassify(granted, value('sensitive'), decision('sink:github:open_repo')))
    expect(describeLabel(lowered.label)).toBe('public')
  })
})

/** Flow grants: each field must match, and the grant must be live (F-13, X-05); some atoms are never granted (F-14). */
import { describe, expect, it } from 'vitest'
import {
  type AppendGrant,
  type AppendShape,
  type FlowGrant,
  findAppendGrant,
  findFlowGrant,
  findUnaskedGrant,
  type UnaskedGrant,
} from '../../kernel/flow/grant.ts'
import { type Atom, labelOf } from '../../kernel/flow/label.ts'
import { atom, GRANT, NOW } from './fixtures.ts'

const ATOM = atom('internal', GRANT.origin, GRANT.field)
const QUERY = { template: GRANT.template, sink: GRANT.sink, now: NOW }

describe('findFlowGrant', () => {
  it.each<[string, Partial<FlowGrant>, boolean]>([
    ['as it stands', {}, true],
    ['another template', { template: 'other' }, false],
    ['another origin', { origin: 'tool:calendar.list' }, false],
    ['another field', { field: 'slots[].title' }, false],
    ['field prefix', { field: 'slots[]' }, false],
    ['any field', { field: '*' }, false],
    ['another sink', { sink: 'sink:whatsapp:other' }, false],
    ['any sink', { sink: 'sink:whatsapp:*' }, false],
    ['expired just now', { expiresAt: NOW }, false],
    ['expired', { expiresAt: NOW - 1 }, false],
    ['expiry unreadable', { expiresAt: Number.NaN }, false],
    ['revoked', { revoked: true }, false],
    ['revocation unreadable', { revoked: undefined as unknown as boolean }, false],
  ])('grant %s', (_, change, found) => {
    const grant = { ...GRANT, ...change }
    expect(findFlowGrant([grant], ATOM, QUERY)).toEqual(found ? grant : undefined)
  })

  it.each<[string, Atom, boolean]>([
    ['public', { ...ATOM, level: 'public' }, true],
    ['sensitive', { ...ATOM, level: 'sensitive' }, true],
    ['regulated', { ...ATOM, level: 'regulated' }, false],
    ['secret', { ...ATOM, level: 'secret' }, false],
    ['internal:health', { ...atom('internal:health'), origin: ATOM.origin, field: ATOM.field }, false],
  ])('atom %s', (_, each, found) => {
    expect(findFlowGrant([GRANT], each, QUERY) !== undefined).toBe(found)
  })

  it.each([
    ['template', { ...QUERY, template: 'other' }],
    ['sink', { ...QUERY, sink: 'sink:telegram:bob' }],
    ['time', { ...QUERY, now: NOW + 1 }],
    ['unreadable time', { ...QUERY, now: Number.NaN }],
  ])('asked for another %s finds none', (_, query) => {
    expect(findFlowGrant([GRANT], ATOM, query)).toBeUndefined()
  })

  it('passes over dead grants to a live one, and none for what was collapsed', () => {
    expect(
      findFlowGrant(
        [
          { ...GRANT, revoked: true },
          { ...GRANT, id: 'g2' },
        ],
        ATOM,
        QUERY,
      )?.id,
    ).toBe('g2')
    expect(findFlowGrant([], ATOM, QUERY)).toBeUndefined()
    const many = { ...GRANT, origin: 'many', field: '*' }
    expect(findFlowGrant([many], atom('internal', 'many', '*'), QUERY)).toBeUndefined()
  })
})

describe('findAppendGrant', () => {
  const LEVEL = 'sensitive' as const
  const BOUND = {
    template: 'job_page',
    tool: 'notion.append',
    sink: 'sink:notion:owner',
    args: ['page', 'text'],
  }
  const GIVEN: AppendGrant = {
    ...{ ...BOUND, kind: 'append', id: 'g1', job: 'j1', reads: 'r1', target: 't1', level: LEVEL },
    ...{ createdAt: NOW - 1, expiresAt: NOW + 1, revoked: false, perDay: 1 },
  }
  const SHAPE: AppendShape = {
    ...{ ...BOUND, job: 'j1', reads: 'r1', target: 't1', now: NOW },
    label: labelOf([atom('public'), atom('sensitive')]),
  }

  it('finds the one that was given for it', () => {
    expect(findAppendGrant([GIVEN], SHAPE)).toEqual(GIVEN)
  })

  it.each<[string, Partial<AppendGrant>]>([
    ['job', { job: 'j2' }],
    ['reading', { reads: 'r2' }],
    ['target', { target: 't2' }],
    ['tool', { tool: 'notion.create_page' }],
    ['sink', { sink: 'sink:notion:other' }],
    ['template', { template: 'owner_private' }],
    ['arguments', { args: ['as', 'page', 'text'] }],
    ['level', { level: 'internal' }],
    ['time', { expiresAt: NOW }],
    ['state', { revoked: true }],
    ['unreadable state', { revoked: undefined as unknown as boolean }],
    ['unreadable time', { expiresAt: Number.NaN }],
  ])('finds none for another %s', (_, change) => {
    expect(findAppendGrant([{ ...GIVEN, ...change }], SHAPE)).toBeUndefined()
  })

  it.each(['regulated', 'secret', 'sensitive:health', 'internal:health'])('never covers %s', (level) => {
    const label = labelOf([atom('public'), atom(level)])
    expect(findAppendGrant([{ ...GIVEN, level: 'secret' }], { ...SHAPE, label })).toBeUndefined()
  })

  it('is found among grants of other kinds', () => {
    const write = { ...GIVEN, kind: 'write', destinations: [], scope: '' } as never
    expect(findAppendGrant([write], SHAPE)).toBeUndefined()
    expect(findAppendGrant([write, GIVEN], SHAPE)?.id).toBe('g1')
  })
})

describe('findUnaskedGrant', () => {
  const UNASKED: UnaskedGrant = {
    ...{ kind: 'unasked', id: 'g1', template: 'log', tools: ['notes.row'], createdAt: 0, expiresAt: NOW + 1 },
    ...{ perDay: 20, revoked: false },
  }
  const ASKED = { template: 'log', tool: 'notes.row', now: NOW }

  it.each<[string, Partial<UnaskedGrant>, boolean]>([
    ['as it stands', {}, true],
    ['another template', { template: 'other' }, false],
    ['another action', { tools: ['notes.page'] }, false],
    ['no action', { tools: [] }, false],
    ['expired just now', { expiresAt: NOW }, false],
    ['expiry unreadable', { expiresAt: Number.NaN }, false],
    ['revoked', { revoked: true }, false],
    ['revocation unreadable', { revoked: undefined as unknown as boolean }, false],
  ])('grant %s', (_, change, found) => {
    const grant = { ...UNASKED, ...change }
    expect(findUnaskedGrant([grant], ASKED)).toEqual(found ? grant : undefined)
  })
})

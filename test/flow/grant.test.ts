/** Flow grants: each field must match, and the grant must be live (F-13, X-05); some atoms are never granted (F-14). */
import { describe, expect, it } from 'vitest'
import {
  type FlowGrant,
  findFlowGrant,
  findUnaskedGrant,
  type UnaskedGrant,
} from '../../kernel/flow/grant.ts'
import type { Atom } from '../../kernel/flow/label.ts'
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

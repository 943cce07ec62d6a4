/**
 * Which atoms pass from one chat of a person to another that is linked with it (F-15): words, data at a low level, and only
 * where that person alone reads.
 */
import { describe, expect, it } from 'vitest'
import type { Atom } from '../../kernel/flow/label.ts'
import { COLLAPSED_ORIGIN, labelOf } from '../../kernel/flow/label.ts'
import { checkEgress, type Policy } from '../../kernel/flow/policy.ts'
import type { LinkedChats, Sink } from '../../kernel/flow/sink.ts'
import { egress, HEALTH, POLICY, sink, why } from './fixtures.ts'

const ONE = { sink: 'sink:telegram:bob', principal: 'bob' }
const OTHER = { sink: 'sink:slack:bob', principal: 'bob2' }
const LINK: LinkedChats = { link: 'l1', chats: [ONE, OTHER] }
const HERE = sink(OTHER.sink, 'public', { place: 'edge', principal: OTHER.principal })

function policy(here: Sink = HERE, linkedChats: readonly LinkedChats[] = [LINK]): Policy {
  return { ...POLICY, sinks: [...POLICY.sinks, here], linkedChats }
}

function words(rest: Partial<Atom> = {}) {
  return labelOf([
    { origin: `chat:${ONE.sink}`, field: 'words', level: 'internal', compartment: null, ...rest },
  ])
}

describe('words of a linked chat', () => {
  it.each<[string, Partial<Atom>, string]>([
    ['said in the other chat', {}, 'link:l1'],
    ['that anybody may read', { level: 'public' }, 'link:l1'],
    ['that are sensitive', { level: 'sensitive' }, 'write_down'],
    ['that are regulated', { level: 'regulated' }, 'write_down'],
    ['of a compartment', { level: 'regulated', compartment: HEALTH }, 'compartment_missing'],
    ['of a compartment, called internal', { compartment: HEALTH }, 'compartment_missing'],
    ['that are secret', { level: 'secret' }, 'secret_has_no_reader'],
    ['of a third chat', { origin: 'chat:sink:telegram:eve' }, 'write_down'],
    ['quoted in the other chat', { origin: `quoted:${ONE.sink}` }, 'write_down'],
    ['of a tool', { origin: 'tool:calendar.freebusy' }, 'write_down'],
    ['whose origin was forgotten', { origin: COLLAPSED_ORIGIN }, 'write_down'],
  ])('%s', (_, atom, verdict) => {
    expect(why(checkEgress(policy(), egress(HERE.id, words(atom))))).toBe(verdict)
  })

  it.each<[string, Policy, string]>([
    ['in a chat with more readers', policy({ ...HERE, audience: 'many' }), 'write_down'],
    ['in a chat that is somebody else’s now', policy({ ...HERE, principal: 'eve' }), 'write_down'],
    ['without the link', policy(HERE, []), 'write_down'],
    [
      'with a link of others',
      policy(HERE, [{ link: 'l2', chats: [ONE, { sink: 'sink:x:y', principal: 'bob2' }] }]),
      'write_down',
    ],
    ['with a link the other way round', policy(HERE, [{ link: 'l3', chats: [OTHER, ONE] }]), 'link:l3'],
  ])('%s', (_, held, verdict) => {
    expect(why(checkEgress(held, egress(HERE.id, words())))).toBe(verdict)
  })

  it('take nothing else along', () => {
    const both = labelOf([
      ...words().atoms,
      { origin: 'tool:calendar.freebusy', field: 'slots[].busy', level: 'internal', compartment: null },
    ])
    expect(why(checkEgress(policy(), egress(HERE.id, both)))).toBe('write_down')
  })
})

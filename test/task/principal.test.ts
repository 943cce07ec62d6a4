/** Principals: canonical ids, and classes that only configuration and pairing decide (B-01 – B-08, B-11). */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  CLASS_CAPABILITIES,
  type Directory,
  formatPrincipalId,
  nameOf,
  OWNER_PRINCIPAL,
  PRINCIPAL_CLASSES,
  type PrincipalName,
  type PrincipalSource,
  parsePrincipalId,
  principalOf,
} from '../../kernel/task/principal.ts'

const DIRECTORY: Directory = {
  owner: ['terminal:local', 'openline:device:ab12', 'telegram:1', 'slack:W1:U1', 'webhook:evil', 'cron:evil'],
  paired: ['principal:telegram:peer:2'],
}

/** `adapter user chat`, and `group` where others read along. */
function from(text: string): PrincipalSource {
  const [adapter = '', user = '', chat = '', group] = text.split(' ')
  return { adapter, user, chat, group: group === 'group' }
}

describe('principalOf', () => {
  it.each([
    ['terminal local owner', 'principal:owner', 'owner'],
    ['openline device:ab12 owner', 'principal:owner', 'owner'],
    ['telegram 1 1', 'principal:owner', 'owner'],
    ['slack W1:U1 W1:D1', 'principal:owner', 'owner'],
    ['telegram 1 -100 group', 'principal:telegram:group:-100', 'third_party'],
    ['telegram 2 2', 'principal:telegram:peer:2', 'paired'],
    ['telegram 2 -100 group', 'principal:telegram:group:-100', 'third_party'],
    ['telegram 3 3', 'principal:telegram:peer:3', 'third_party'],
    ['telegram 3 1', 'principal:telegram:peer:3', 'third_party'],
    ['terminal root owner', 'principal:terminal:peer:root', 'third_party'],
    ['whatsapp +34665030077 x', 'principal:whatsapp:+34665030077', 'third_party'],
    ['whatsapp owner x', 'principal:whatsapp:peer:owner', 'third_party'],
    ['slack W1:U2 W1:C1', 'principal:slack:W1:C1:U2', 'third_party'],
    ['slack W2:U1 W1:C1', 'principal:slack:peer:W2%003aU1', 'third_party'],
    ['slack U1 W1:C1', 'principal:slack:peer:U1', 'third_party'],
    ['webhook fireflies x', 'principal:webhook:fireflies', 'webhook'],
    ['webhook evil x', 'principal:webhook:evil', 'webhook'],
    ['cron email_checker x', 'principal:cron:email_checker', 'cron'],
    ['cron evil x', 'principal:cron:evil', 'cron'],
    ['telegram owner owner', 'principal:telegram:peer:owner', 'third_party'],
    ['telegram 1: 1', 'principal:telegram:peer:1%003a', 'third_party'],
  ])('%s is %s, %s', (text, id, kind) => {
    expect(principalOf(from(text), DIRECTORY)).toEqual({ id, class: kind })
  })

  it('a revoked pairing is a third party at the next event', () => {
    expect(principalOf(from('telegram 2 2'), { ...DIRECTORY, paired: [] }).class).toBe('third_party')
  })

  it('nobody is the owner of an unconfigured machine', () => {
    expect(principalOf(from('terminal local owner'), { owner: [], paired: [] }).class).toBe('third_party')
  })
})

describe('principal ids', () => {
  it.each<[string, PrincipalName]>([
    ['principal:owner', { kind: 'owner' }],
    ['principal:telegram:peer:12345', { kind: 'peer', adapter: 'telegram', user: '12345' }],
    ['principal:telegram:group:-100', { kind: 'group', adapter: 'telegram', chat: '-100' }],
    [
      'principal:slack:W1:C1:U1',
      { kind: 'member', adapter: 'slack', workspace: 'W1', channel: 'C1', user: 'U1' },
    ],
    ['principal:whatsapp:+34665030077', { kind: 'number', adapter: 'whatsapp', number: '+34665030077' }],
    ['principal:webhook:fireflies', { kind: 'webhook', source: 'fireflies' }],
    ['principal:cron:email_checker', { kind: 'cron', job: 'email_checker' }],
    ['principal:terminal:peer:a%003ab', { kind: 'peer', adapter: 'terminal', user: 'a:b' }],
  ])('%s goes there and back', (id, name) => {
    expect(parsePrincipalId(id)).toEqual({ ok: true, value: name })
    expect(formatPrincipalId(name)).toBe(id)
  })

  it.each([
    '',
    'owner',
    'principal:',
    'principal:owner:',
    'principal:owner:peer:1',
    'principal:Owner',
    'principal:telegram:12345',
    'principal:telegram:peer:',
    'principal:telegram:peer:a b',
    'principal:telegram:peer:%0061',
    'principal:telegram:peer:%3A',
    'principal:telegram:friend:1',
    'principal:cron:peer:1',
    'principal:webhook:group:1',
    'principal:whatsapp:34',
    'principal:slack:w1:C1:U1',
    'principal:slack:W1:C1:U1:X1',
    `principal:telegram:peer:${'1'.repeat(4_000)}`,
    7,
    null,
  ])('%j is malformed', (id) => {
    expect(parsePrincipalId(id)).toMatchObject({ ok: false, reason: { code: 'principal_malformed' } })
  })

  const part = fc.string({ unit: 'binary', minLength: 1, maxLength: 12 })
  const anySource = fc.record({
    adapter: fc.constantFrom('telegram', 'slack', 'whatsapp', 'webhook', 'cron', 'terminal'),
    user: fc.oneof(part, fc.constantFrom('1', 'W1:U1', '+34665030077', 'peer', 'owner')),
    chat: fc.oneof(part, fc.constantFrom('1', 'W1:C1', 'owner')),
    group: fc.boolean(),
  })

  it('round-trip for whatever a platform calls a sender', () => {
    fc.assert(
      fc.property(anySource, (source) => {
        const name = nameOf(source)
        expect(parsePrincipalId(formatPrincipalId(name))).toEqual({ ok: true, value: name })
      }),
    )
  })

  it('never make an unconfigured sender the owner', () => {
    fc.assert(
      fc.property(anySource, (source) => {
        const { id, class: kind } = principalOf(source, { owner: ['terminal:local'], paired: [] })
        expect(id).not.toBe(OWNER_PRINCIPAL)
        expect(kind).not.toBe('owner')
      }),
    )
  })
})

describe('the table of classes', () => {
  it.each([
    ['owner', true, true, 'any', true, ['*']],
    ['paired', false, false, 'any', true, ['message.reply', 'owner.ask']],
    ['third_party', false, false, 'sender', true, ['message.reply', 'owner.ask']],
    ['webhook', false, true, 'any', false, ['message.*']],
    [
      'cron',
      true,
      true,
      'any',
      true,
      ['message.*', 'memory.*', 'brain.*', 'tools.*', 'reminder.list', 'task.list'],
    ],
  ] as const)('%s', (name, ownerOnlyTools, writes, sinks, plansFreely, effects) => {
    expect(CLASS_CAPABILITIES[name]).toEqual({ ownerOnlyTools, writes, sinks, plansFreely, effects })
  })

  it('has one row per class', () => {
    expect(Object.keys(CLASS_CAPABILITIES).sort()).toEqual([...PRINCIPAL_CLASSES].sort())
  })
})

/** Whose credential a message is, where several are asked for: that of no other service goes to a host that the owner named (L-13, E-06). */
import { describe, expect, it } from 'vitest'
import { httpManifest } from '../../integrations/tools/http/manifest.ts'
import { TOOL_MANIFESTS } from '../../integrations/tools/registered.ts'
import {
  auditName,
  CONNECT,
  namingOf,
  terminalCommands,
} from '../../kernel/features/credentials/ask-credential.ts'
import { mayBeCredential, meantBy } from '../../kernel/features/credentials/credentials.ts'
import { SERVICE_FIELDS } from '../../kernel/features/tools/operations/shape.ts'
import { levelOf } from '../../kernel/flow/label.ts'
import { needFor } from '../../kernel/tool/channel.ts'
import { createRegistry } from '../../kernel/tool/registry.ts'
import { asTyped } from '../../sidecar/process/typed-commands.ts'

const HOST = 'http/api.example.com'
const http = httpManifest({
  hosts: [{ origin: 'https://api.example.com', label: 'internal', key: 'bearer' }],
  saved: [],
})
const registry = createRegistry([...TOOL_MANIFESTS.filter(({ name }) => name !== 'http'), http])
const KEY = 'k3y-0f-the-host-and-of-nobody-else'
const NOTION = `ntn_${'4711'.repeat(12)}`

type Powers = Parameters<typeof meantBy>[0]
type Sent = Parameters<typeof meantBy>[1]

function open(...services: readonly string[]): Powers {
  const pendingApprovals = () =>
    services.map((service) => ({
      approval: { kind: 'credential', sink: 'chat', tool: `${CONNECT}${service}` },
    }))
  return { registry, store: { pendingApprovals } } as unknown as Powers
}

function said(
  text: string,
  more: { readonly replyTo?: string; readonly quoted?: readonly string[] } = {},
): Sent {
  const event = { text, quoted: more.quoted ?? [], replyTo: more.replyTo ?? null }
  return { event, chat: { id: 'chat' } } as unknown as Sent
}

function question(service: string): string {
  const need = needFor({ registry }, service)
  if (need === null) throw new Error(service)
  return `I need access. At home: ${terminalCommands(need)[0]}`
}

function whose(powers: Powers, sent: Sent): string | null {
  const meant = meantBy(powers, sent)
  return meant === null || meant === 'unclear' ? meant : meant.need.service
}

it('the name of a host is private, and that of a service everybody knows is not', () => {
  const levels = [[HOST], ['notion', HOST], ['notion'], []].map((services) => {
    return levelOf(namingOf({ registry }, services, 'sink:terminal:owner').label)
  })
  expect(levels).toEqual(['sensitive', 'sensitive', 'public', 'public'])
  expect(SERVICE_FIELDS).toMatchObject({ service: { level: 'sensitive' }, title: { level: 'sensitive' } })
})

it('the audit names a host by its id, or not at all, and any other service by its name', () => {
  const webservices = { named: () => [{ id: 'a1b2c3', secret: HOST }] } as never
  expect(auditName({ registry, webservices }, HOST)).toBe('a1b2c3')
  expect(auditName({ registry }, HOST)).toBe('host')
  expect(auditName({ registry, webservices }, 'notion')).toBe('notion')
})

describe('a value', () => {
  it('of the only host that is asked for is that host’s', () => {
    expect(whose(open(HOST), said(KEY))).toBe(HOST)
  })

  it.each([
    ['of a service that is asked for as well', ['notion', HOST], NOTION, 'notion'],
    ['of a service that is not asked for', [HOST], NOTION, 'unclear'],
    ['of nobody knows whom, where two are asked for', ['notion', HOST], KEY, 'unclear'],
  ])('%s is no host’s', (_, services, value, meant) => {
    expect(whose(open(...services), said(value))).toBe(meant)
    expect(mayBeCredential(open(...services), said(value))).toBe(true)
  })

  it.each([
    ['https://drive.example.com/file/d/1abc?token=xyz-4711-long-enough'],
    ['drive.example.com/file/d/1abcdef-4711-long-enough'],
    ['somebody.with.a.long.name1@example.com'],
  ])('that is a link or an address is none: %s', (text) => expect(whose(open(HOST), said(text))).toBeNull())

  it.each([
    ['with a slash', 'k3y/0f/the+host/and/of/nobody=='],
    ['with an at sign', 'k3y@the-host-and-of-nobody-else'],
    ['of a user with an address', 'somebody@example.com:kestrel-4711'],
    ['that is short', 'Kestrel4711'],
    ['of letters alone', 'abcdefghijklmnopqrstuvwxyzabcdef'],
    ['of letters in both cases', 'aBcDeFgHiJkLmNoPqRsT'],
  ])('%s and of no known format is read by nobody, and asked for as a reply', (_, value) => {
    for (const services of [[HOST], ['notion'], ['notion', HOST]]) {
      expect(whose(open(...services), said(value))).toBe('unclear')
      expect(mayBeCredential(open(...services), said(value))).toBe(true)
      expect(whose(open(...services), said(value, { replyTo: '7' }))).toBe('unclear')
    }
    expect(whose(open(HOST), said(value, { quoted: [question(HOST)] }))).toBe(HOST)
  })

  it('is recognised as a reply to a question with the command as npm takes it', () => {
    const shown = asTyped(question(HOST), { npm_lifecycle_event: 'start', PATH: '/nowhere' })
    expect(shown).toContain('npm run pfar -- ')
    const value = 'k3y/0f/the+host/and/of/nobody=='
    expect(whose(open('notion', HOST), said(value, { quoted: [shown] }))).toBe(HOST)
  })

  it.each([
    ...[
      'tomorrow',
      'Donaudampfschifffahrt',
      'WhatsApp?',
      'yes/no/perhaps',
      'reminders…',
      '/approvals',
      '/approve12',
    ],
    ...['2026-11-30', '+436601234567', '10:30-11:45', 'sure,thanks!', 'what about my day?', 'yes'],
  ])('is none where it is "%s", in reply to whatever else', (words) => {
    for (const services of [[HOST], ['notion', HOST]]) {
      expect(whose(open(...services), said(words))).toBeNull()
      expect(whose(open(...services), said(words, { replyTo: '7' }))).toBeNull()
      expect(whose(open(...services), said(words, { replyTo: '7', quoted: ['Dinner is at 8.'] }))).toBeNull()
    }
  })

  it('that replies to another message is no key, and none that a model may read', () => {
    const reply = { replyTo: '7', quoted: ['Dinner is at 8.'] }
    expect(whose(open(HOST), said(KEY, reply))).toBe('unclear')
    expect(whose(open(HOST), said('https://a.example.com/k', reply))).toBeNull()
  })

  it('that is a link is the key where it answers the question', () => {
    const link = 'https://hooks.example.com/T0/B0/4711'
    expect(whose(open(HOST), said(link, { replyTo: '7' }))).toBeNull()
    expect(whose(open(HOST), said(link, { replyTo: '7', quoted: [question(HOST)] }))).toBe(HOST)
  })

  it('is of the question that it answers', () => {
    const powers = open('notion', HOST)
    expect(whose(powers, said(KEY, { replyTo: '7', quoted: [question(HOST)] }))).toBe(HOST)
    expect(whose(powers, said(KEY, { replyTo: '7', quoted: [question('notion')] }))).toBe('notion')
    expect(whose(powers, said(NOTION, { replyTo: '7', quoted: [question(HOST)] }))).toBe(HOST)
  })

  it('is nobody’s where nothing is asked, and no ordinary message is one', () => {
    expect(whose(open(), said(KEY))).toBeNull()
    expect(whose(open('notion', HOST), said('what is on tomorrow?'))).toBeNull()
  })
})

/** Connected services that a message names as a place (J-11): from a list of names, in the owner's own words alone. */
import { describe, expect, it } from 'vitest'
import { createMessageExtractor } from '../../integrations/extractors/message/message.ts'
import { TOOL_MANIFESTS } from '../../integrations/tools/registered.ts'
import { createRegistry } from '../../kernel/tool/registry.ts'
import { connectedServices, serviceNameOf } from '../../kernel/tool/service-names.ts'

const WHEN = { now: Date.parse('2026-11-20T12:00:00Z'), timezone: 'UTC', own: true }
const ALL = connectedServices(createRegistry(TOOL_MANIFESTS), { availability: () => 'here' })
const extractor = createMessageExtractor(undefined, () => ALL)
const read = (text: string) => extractor.extract(text, WHEN) as Readonly<Record<string, unknown>>

describe('a service is named as the place', () => {
  it.each<[string, readonly string[]]>([
    ['save this in notion', ['notion']],
    ['what did we write about the roof in Notion?', ['notion']],
    ['search slack for the budget', ['slack']],
    ['please check github', ['github']],
    ['put it on my GitHub', ['github']],
    ['was steht in meinem Notion dazu?', ['notion']],
    ['find it in notion or on slack', ['notion', 'slack']],
    ['show my meetings in fireflies', ['fireflies']],
    ['I have no notion of that', []],
    ['cut me some slack', []],
    ['mails from github about the outage', []],
    ['what is in notions of class', []],
    ['read what is on github.io', []],
    ['save this in dropbox', []],
    ['hello', []],
  ])('%s → %j', (text, services) => {
    const named = (read(text)['services'] ?? []) as readonly string[]
    expect([...named].sort()).toEqual(services)
  })

  it('only if it is connected now, and only in the words of the owner', () => {
    const connected = ['notion']
    const some = createMessageExtractor(undefined, () => ALL.filter(({ id }) => connected.includes(id)))
    const named = (text: string, own = true) =>
      (some.extract(text, { ...WHEN, own }) as { services?: unknown }).services
    expect(named('search slack for the budget')).toBeUndefined()
    expect(named('find the roof in notion')).toEqual(['notion'])
    expect(named('find the roof in notion', false)).toBeUndefined()
    connected.pop()
    expect(named('find the roof in notion')).toBeUndefined()
  })
})

describe('what is put there', () => {
  it('is no fact to remember', () => {
    expect(read('save this in notion')).toMatchObject({ intent: 'other', whole: false, services: ['notion'] })
    expect(read('save this in notion')).not.toHaveProperty('topic')
    expect(read('remember that my notes are in notion')).toMatchObject({
      ...{ intent: 'memory_save', topic: 'my notes are in notion', services: ['notion'] },
    })
  })

  it('is one, where no such service is connected', () => {
    expect(createMessageExtractor().extract('save this in notion', WHEN)).toMatchObject({
      intent: 'memory_save',
    })
  })
})

describe('the list of names', () => {
  const nameOf = (tool: string) => {
    const manifest = TOOL_MANIFESTS.find(({ name }) => name === tool)
    return manifest === undefined ? undefined : serviceNameOf(manifest)
  }

  it.each([
    ['notion', { id: 'notion', called: ['notion'] }],
    ['twitter', { id: 'twitter', called: ['twitter', 'twitterapi.io'] }],
    ['files', null],
    ['health', null],
  ])('has %s as %j', (tool, expected) => expect(nameOf(tool)).toEqual(expected))

  it('has none that is not connected, and none twice', () => {
    const registry = createRegistry(TOOL_MANIFESTS)
    expect(connectedServices(registry, { availability: () => 'credential' })).toEqual([])
    expect(connectedServices(registry, { availability: () => 'elsewhere' })).toEqual([])
    expect(new Set(ALL.map(({ id }) => id)).size).toBe(ALL.length)
  })
})

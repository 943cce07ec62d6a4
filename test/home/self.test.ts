/** Home's description of the assistant, from its configuration and its tools, and when the edge gets an update (M-12, M-19, M-21). */
import { afterEach, expect, test, vi } from 'vitest'
import { CHATS } from '../../integrations/channels/index.ts'
import { CALENDAR_MANIFEST } from '../../integrations/tools/calendar/manifest.ts'
import { EMAIL_MANIFEST } from '../../integrations/tools/email/manifest.ts'
import { WEB_MANIFEST } from '../../integrations/tools/web/manifest.ts'
import { createSelfKeeper, LEAST_BETWEEN } from '../../kernel/self/keeper.ts'
import { takeSnapshot } from '../../kernel/self/snapshot.ts'
import { toldOf } from '../../kernel/self/synced-self.ts'
import { createRegistry } from '../../kernel/tool/registry.ts'
import { parseConfig } from '../../sidecar/config/config.ts'
import { createSelfNews, homeSelf } from '../../sidecar/persona/self.ts'
import { serviceTitle } from '../../sidecar/secrets/vault-names.ts'
import type { HomeNotes } from '../../sidecar/store/home-notes.ts'
import { TEST_SOURCES } from '../fakes/self.ts'

afterEach(() => void vi.useRealTimers())

interface Noted {
  readonly persona?: { readonly name: string | null; readonly style: string | null }
  readonly rejected?: boolean
  readonly slack?: boolean
}

const pictureOf = (toml: string, connected: readonly string[], { persona, rejected, slack }: Noted = {}) => {
  const config = parseConfig(toml)
  if (!config.ok) throw new Error(JSON.stringify(config.reason))
  const registry = createRegistry([EMAIL_MANIFEST, WEB_MANIFEST])
  const availability = ({ id }: { readonly id: string }) =>
    connected.some((family) => id.startsWith(`${family}.`)) ? ('here' as const) : ('credential' as const)
  const notes: Pick<HomeNotes, 'read'> = {
    read: (name) => (name === 'persona' ? (persona ?? null) : null) as never,
  }
  const works = () => rejected !== true
  const chats = () => ['terminal', ...(slack === true ? ['slack'] : [])]
  const jobs = () => []
  const titleOf = (service: string, account: string | null): string =>
    serviceTitle(config.value, service, account)
  const sources = homeSelf({
    ...{ config: config.value, registry, tools: { availability }, notes, works, chats, titleOf, jobs },
  })
  return takeSnapshot(sources, null, 0)
}

test('a new installation has its own name and the tools that need no service', () => {
  expect(pictureOf('', ['web']).sections).toEqual([
    { kind: 'persona', name: 'PFAR', style: null },
    { kind: 'channels', items: [{ name: 'terminal', note: '' }] },
    { kind: 'categories', names: ['web'] },
  ])
})

test('the owner’s chat at Slack is described while it is connected (H-14)', () => {
  const channels = (slack: boolean) =>
    pictureOf('', [], { slack }).sections.find(({ kind }) => kind === 'channels')
  expect([channels(true), channels(false)]).toMatchObject([
    { items: [{ name: 'terminal' }, { name: 'slack' }] },
    { items: [{ name: 'terminal' }] },
  ])
})

test('a service is described while it is connected, by its abilities', () => {
  const { sections } = pictureOf('[persona]\nname = "Ada"\nstyle = "dry"\n[owner]\npreferences = ["24 h"]', [
    'email',
    'web',
  ])
  expect(sections).toContainEqual({ kind: 'persona', name: 'Ada', style: 'dry' })
  expect(sections).toContainEqual({ kind: 'preferences', lines: ['24 h'] })
  expect(sections).toContainEqual({
    kind: 'integrations',
    items: [{ name: 'google', tools: EMAIL_MANIFEST.actions.length, categories: ['email'], state: 'active' }],
  })
})

test('the demo is called a demo', () => {
  const { sections } = pictureOf('[tools.google]\naccount = "me@example.com"\ndemo = true', ['email'])
  expect(sections).toContainEqual(
    expect.objectContaining({
      kind: 'integrations',
      items: [expect.objectContaining({ name: 'demo mail and calendar' })],
    }),
  )
})

test.each([
  ['the owner’s answer', '', { name: 'Ada', style: 'dry' }],
  ['the configuration before that', '[persona]\nname = "Ada"\nstyle = "dry"', { name: 'Eve', style: 'loud' }],
])('the assistant’s name comes from %s', (_, toml, persona) =>
  expect(pictureOf(toml, [], { persona }).sections).toContainEqual({
    kind: 'persona',
    name: 'Ada',
    style: 'dry',
  }),
)

test('a service that rejected its credential is described as not working', () =>
  expect(pictureOf('', ['email'], { rejected: true }).sections).toContainEqual({
    kind: 'integrations',
    items: [{ name: 'google', tools: EMAIL_MANIFEST.actions.length, categories: ['email'], state: 'failed' }],
  }))

test('a calendar of the owner’s own is named by what it is, and a service that was never set up by nobody', () => {
  const config = parseConfig(
    '[[tools.calendar.accounts]]\nname = "nas"\nkind = "caldav"\nserver = "https://nas.example.org"\nuser = "me"\nhome = "/me/"',
  )
  if (!config.ok) throw new Error(JSON.stringify(config.reason))
  const spec = (name: string, credential: string, account: string | null) => ({
    name,
    credential,
    account,
    network: [],
  })
  const accounts = [spec('google', 'google', null), spec('nas', 'calendar', 'nas')]
  const sources = homeSelf({
    ...{ config: config.value, registry: createRegistry([{ ...CALENDAR_MANIFEST, accounts }]) },
    ...{ tools: { availability: () => 'here' as const }, notes: { read: () => null as never } },
    works: (credential) => (credential === 'google' ? null : true),
    ...{ chats: () => [], jobs: () => [] },
    titleOf: (service, account) => serviceTitle(config.value, service, account),
  })
  expect(takeSnapshot(sources, null, 0).sections).toContainEqual({
    kind: 'integrations',
    items: [
      {
        ...{ name: 'CalDAV calendar', tools: CALENDAR_MANIFEST.actions.length },
        ...{ categories: ['calendar'], state: 'active' },
      },
    ],
  })
})

test('the edge gets the name and the services, and nothing private', () => {
  const told = toldOf(pictureOf('[owner]\npreferences = ["no calls after eight"]', ['email', 'web']), {
    chats: CHATS,
  })
  expect(told).toEqual({
    persona: { name: 'PFAR', style: null },
    services: [{ name: 'google', tools: EMAIL_MANIFEST.actions.length, categories: ['email'] }],
  })
})

test('the edge gets the chats that home listens to (H-13)', () => {
  const told = (slack: boolean) => toldOf(pictureOf('', [], { slack }), { chats: CHATS }).services
  expect([told(true), told(false)]).toEqual([[{ name: 'slack', tools: 0, categories: [] }], []])
})

test.each([
  ['a name of signs', '[persona]\nname = "<b>"'],
  ['a name like a page', `[persona]\nname = "${'x'.repeat(41)}"`],
  ['an empty name', '[persona]\nname = ""'],
  ['preferences without end', `[owner]\npreferences = [${'"x",'.repeat(21)}]`],
])('%s is refused with the name of the setting', (_, toml) =>
  expect(parseConfig(toml)).toMatchObject({ ok: false, reason: { code: 'config_malformed' } }),
)

test('many changes are sent to the edge once, after a delay, including the last', () => {
  vi.useFakeTimers({ now: 1_000_000 })
  const state = { jobs: 0 }
  const sources = {
    ...TEST_SOURCES,
    jobs: () => Array.from({ length: state.jobs }, (_, i) => ({ name: `job ${i}`, note: '' })),
  }
  const keeper = createSelfKeeper({ sources, now: Date.now, fault: () => undefined })
  keeper.current()
  const told: number[] = []
  const news = createSelfNews(keeper, () => {
    const jobs = keeper.current().sections.find((section) => section.kind === 'jobs')
    told.push(jobs?.items.length ?? 0)
  })
  for (state.jobs = 1; state.jobs < 30; state.jobs++) news()
  state.jobs = 30
  news()
  expect(told).toEqual([])
  vi.advanceTimersByTime(LEAST_BETWEEN)
  expect(told).toEqual([30])
  vi.advanceTimersByTime(60_000)
  expect(told).toEqual([30])
})

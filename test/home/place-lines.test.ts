/**
 * What a status says of home besides (L-08, Q-11, S-15): a lost link, chats that do not hear, services that do not work, and a configuration that is not in use,
 * each with what to do.
 */
import { mkdtempSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import { CHATS } from '../../integrations/channels/index.ts'
import { createToolBreaker, TOOL_BREAKER } from '../../integrations/tools/breaker.ts'
import { statusWords } from '../../sidecar/cli/chat/status-words.ts'
import { loadOwnConfig } from '../../sidecar/config/config.ts'
import { configFindings } from '../../sidecar/doctor/surroundings-look.ts'
import { watchConfig } from '../../sidecar/status/config-changed.ts'
import { type PlaceFacts, placeLines, placeStatus } from '../../sidecar/status/place-lines.ts'
import { createWorld } from '../pipeline/world.ts'

const NOW = Date.parse('2026-11-27T11:00:00Z')
const WELL: PlaceFacts = {
  ...{ version: '1.2.3', edge: 'https://edge.example.com', tunnel: { state: 'up', trouble: null } },
  ...{ chatStates: { telegram: 'listens' }, chats: CHATS, secrets: [], titleOf: () => null, resting: [] },
  ...{ config: null, timezone: 'Europe/Berlin', now: NOW },
}
const said = (change: Partial<PlaceFacts>): string => placeLines({ ...WELL, ...change }).join('\n')
const secret = (name: string, more: object = {}) =>
  ({ name, state: 'rejected', former: false, ...more }) as const

test('all is well: the edge, the chats and the version, and nothing to do', () => {
  expect(placeLines(WELL)).toEqual([
    'The edge is connected.',
    'Chats that reach me here: the terminal, Telegram.',
    'Version 1.2.3.',
  ])
  expect(placeStatus(WELL)).toEqual({ software: '1.2.3' })
})

it.each<[string, Partial<PlaceFacts>, RegExp]>([
  ['no edge', { edge: null, tunnel: null }, /^No edge is set up/],
  [
    'a lost tunnel',
    { tunnel: { state: 'down', trouble: 'network_failed' } },
    /^The edge is not connected\. I could not reach the service.*I try again by myself.*`pfar doctor`/,
  ],
  ['a tunnel that was never up', { tunnel: null }, /^The edge is not connected\. I try again/],
  [
    'a chat that is refused',
    { chatStates: { telegram: 'does not hear: its token was revoked; pfar channel connect telegram' } },
    /terminal\.\nTelegram does not reach me: its token was revoked; pfar channel connect telegram/,
  ],
  ['a chat that has not answered', { chatStates: { slack: 'connects' } }, /Slack does not reach me yet/],
  [
    'a service that lets nobody in',
    { secrets: [secret('notion')], titleOf: () => 'Notion' },
    /^Notion does not work now.*"does Notion work\?".*"give Notion a new key"/,
  ],
  [
    'an account of the own server',
    { secrets: [secret('calendar-nas')] },
    /^An account of yours does not work now.*pfar secret rotate calendar-nas/,
  ],
  [
    'a service that gives no answers',
    { resting: [{ title: 'Notion', until: NOW + 600_000 }] },
    /^Notion gives no answers now, so I leave it alone until Friday 27 November, 12:10/,
  ],
  [
    'a changed configuration',
    { config: { at: NOW - 60_000, trouble: null } },
    /^config\.toml changed at Friday 27 November, 11:59: restart me to use it/,
  ],
  [
    'one that cannot be read',
    {
      config: {
        at: NOW,
        trouble: { code: 'config_malformed', facts: { key: 'edge.url', problem: 'is no URL' } },
      },
    },
    /^config\.toml changed at .* cannot be used as it stands: edge\.url is no URL\./,
  ],
])('%s is said, with what to do', (_, change, expected) => {
  expect(said(change)).toMatch(expected)
})

test('a key of a host is named nowhere, and a former value that still works is no trouble', () => {
  const host = said({ secrets: [secret('http/api.example.com')] })
  expect(host).toContain('A web service of yours did not take its key')
  expect(host).not.toContain('api.example.com')
  expect(said({ secrets: [secret('notion', { former: true })], titleOf: () => 'Notion' })).not.toContain(
    'Notion',
  )
})

test('a service that failed five times rests, and is back once it answered', () => {
  let now = NOW
  const breaker = createToolBreaker(
    () => now,
    () => undefined,
  )
  for (let at = 0; at < TOOL_BREAKER.failures; at += 1) {
    breaker.enter('notion')
    breaker.leave('notion', 'fails')
  }
  now += 1_000
  expect(breaker.state('notion').since).toBe(NOW)
  breaker.leave('notion', 'works')
  expect(breaker.state('notion').since).toBeNull()
})

test('the chat and the terminal say them', async () => {
  const broken = { ...WELL, tunnel: null, secrets: [secret('notion')], titleOf: () => 'Notion' }
  const of = createWorld({ placeLines: () => placeLines(broken) })
  await of.say('/status')
  expect(of.heard()).toMatch(
    /^I answer here from your home box\.\nNotion does not work now.*\nThe edge is not connected\./,
  )
  const shown = statusWords({
    place: 'home',
    ...placeStatus({ ...broken, config: { at: NOW, trouble: null } }),
  })
  expect(shown).toMatch(
    /version: +1\.2\.3\n.*does not work: +Notion does not work now.*\n.*configuration: +config\.toml changed/,
  )
})

describe('the configuration', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pfar-config-'))
  const path = join(folder, 'config.toml')
  const write = (text: string, at = NOW): void => {
    writeFileSync(path, text)
    utimesSync(path, at / 1_000, at / 1_000)
  }
  const seen: {
    folders: readonly string[]
    services: Record<string, string>
    certificates: Record<string, string>
  } = {
    ...{ folders: [], services: {}, certificates: {} },
  }
  const watch = () =>
    watchConfig({ read: () => loadOwnConfig({}, folder), path, now: () => NOW, inUse: () => seen })

  it('is said to be changed by a setting, and not by a comment or what is taken over at once', () => {
    write('[owner]\nname = "Ada"\n')
    const changed = watch()
    expect(changed()).toBeNull()
    write('# mine\n[owner]\nname = "Ada"\n')
    expect(changed()).toBeNull()
    write(
      '[owner]\nname = "Ada"\n[[tools.http.hosts]]\norigin = "https://api.example.com"\nlabel = "public"\n',
    )
    expect(changed()).toBeNull()
    write('[owner]\nname = "Grace"\n', NOW + 5_000)
    expect(changed()).toEqual({ at: NOW + 5_000, trouble: null })
    write('[owner]\nname = "Ada"\n')
    expect(changed()).toBeNull()
  })

  it('is changed by a folder that home does not see yet, or any more', () => {
    const named = '[tools.files]\nfolders = ["/srv/notes"]\n'
    write('')
    const changed = watch()
    write(named)
    expect(changed()).not.toBeNull()
    seen.folders = ['/srv/notes']
    expect(changed()).toBeNull()
    write('')
    expect(changed()).not.toBeNull()
    seen.folders = []
    expect(changed()).toBeNull()
  })

  it('is changed by an address of a service where home does not ask yet', () => {
    write('')
    const changed = watch()
    write('[services.homeassistant]\nbase_url = "http://192.168.1.20:8123"\n')
    expect(changed()).not.toBeNull()
    seen.services = { homeassistant: 'http://192.168.1.20:8123' }
    expect(changed()).toBeNull()
    seen.services = {}
  })

  it('that cannot be read is said so, and by doctor as well', () => {
    write('[owner]\nname = "Ada"\n')
    const changed = watch()
    write('[owner]\nnmae = "Ada"\n')
    expect(changed()).toMatchObject({ at: NOW, trouble: { code: 'config_malformed' } })
    const [finding] = configFindings(placeStatus({ ...WELL, config: changed() }))
    expect(finding).toMatchObject({
      state: 'note',
      says: expect.stringContaining('cannot be used as it stands'),
    })
    expect(configFindings(placeStatus(WELL))).toEqual([])
  })

  it('that was not there and is now is a change, and one that goes is one, too', () => {
    const empty = mkdtempSync(join(tmpdir(), 'pfar-config-'))
    const file = join(empty, 'config.toml')
    const changed = watchConfig({
      read: () => loadOwnConfig({}, empty),
      path: file,
      now: () => NOW,
      inUse: () => ({ folders: [], services: {}, certificates: {} }),
    })
    expect(changed()).toBeNull()
    writeFileSync(file, '[owner]\nname = "Ada"\n')
    expect(changed()).not.toBeNull()
  })
})

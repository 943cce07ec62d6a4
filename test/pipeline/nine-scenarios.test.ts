/**
 * The nine scenarios of setting up by talking (L-10), each in three phrasings of English and of German,
 * without a model: what is asked for happens, or its card is put, and nothing else. The whole way in real
 * processes: `test/e2e/nine-scenarios.test.ts`.
 */
import { describe, expect, it } from 'vitest'
import { TOOL_MANIFESTS } from '../../integrations/tools/registered.ts'
import { serviceWish } from '../../kernel/features/credentials/service-words.ts'
import { operationInMessage } from '../../kernel/operations/commands.ts'
import { needsOf } from '../../kernel/tool/channel.ts'
import { createRegistry } from '../../kernel/tool/registry.ts'
import { set, world } from './job-world.ts'
import { createWorld, type World } from './world.ts'

const NEEDS = needsOf(createRegistry(TOOL_MANIFESTS))
const OWN = {
  tools: {},
  adminSinks: ['sink:terminal:owner', 'sink:telegram:private'],
  owner: ['telegram:1001'],
}

describe.each([
  [
    'add a service',
    'connect',
    [
      ["let's add Notion", 'could you hook up my Notion?', 'I want to use Notion with you'],
      ['füg Notion hinzu', 'verbinde dich mit meinem Notion', 'ich möchte Notion anbinden'],
    ],
  ],
  [
    'remove a service',
    'leave',
    [
      ['remove Notion', 'take Notion away again', "I don't want Notion any more"],
      ['entferne Notion', 'trenn die Verbindung zu Notion', 'ich will Notion nicht mehr'],
    ],
  ],
  [
    'another credential',
    'rotate',
    [
      ['rotate my Notion token', 'give Notion a new key', 'replace the Notion credential'],
      [
        'erneuere den Notion-Schlüssel',
        'tausch mein Notion-Token aus',
        'ein neuer Zugangsschlüssel für Notion',
      ],
    ],
  ],
] as const)('%s', (_, wants, phrasings) => {
  it.each(phrasings.flat())('%s', (said) => {
    expect(serviceWish(said, NEEDS)).toEqual({ wants, service: 'notion' })
  })
})

it.each([
  ...['use the local model for everything', 'switch to the local model', 'use my local model from now on'],
  ...['nimm für alles das lokale Modell', 'wechsle zum lokalen Modell', 'nutze ab jetzt das lokale Modell'],
])('another model: %s', (said) => {
  expect(operationInMessage(said)?.operation.name).toBe('models.use')
})

it.each([
  ...['how are you set up?', "what's connected and what runs?", 'give me your status'],
  ...['wie bist du eingerichtet?', 'was ist alles verbunden?', 'zeig mir deinen Status'],
])('status: %s', async (said) => {
  const of = createWorld({})
  await of.say(said)
  expect(of.heard()).toContain('I answer here from your home box.')
})

it.each([
  ...['send me the morning briefing every day at 8', "every weekday at 8 tell me what's on"],
  "I'd like a summary of what's on every morning at 8",
  ...['schick mir jeden Tag um 8 das Morgenbriefing', 'sag mir jeden Werktag um 8, was ansteht'],
  'ich möchte jeden Morgen um 8 wissen, was ansteht',
])('make a job: %s', async (said) => {
  const of = world(OWN)
  await of.say(said)
  await of.shell.tick()
  expect(of.sent.filter(({ kind }) => kind === 'card')).toHaveLength(1)
  expect(of.disk.store.jobs()).toMatchObject([
    { state: 'asked', repeat: { first: expect.stringMatching(/ 08:00$/) } },
  ])
})

/** Of a morning briefing that its owner has just said yes to. */
async function afterSetting(said: string): Promise<World> {
  const of = world(OWN)
  await set(of, 'start the morning briefing')
  of.clock.now += 1_000
  await of.say(said)
  await of.shell.tick()
  return of
}

it.each([
  ...['move the morning briefing to 7:30', 'make that 7:30', "I'd rather have the briefing at 7:30"],
  ...[
    'verschieb das Morgenbriefing auf 7:30',
    'das Briefing bitte schon um 7:30',
    'ich hätte das Briefing lieber um 7:30',
  ],
])('change its time: %s', async (said) => {
  const of = await afterSetting(said)
  expect(of.disk.store.jobs()).toMatchObject([
    { state: 'on', repeat: { first: expect.stringMatching(/ 07:30$/) } },
  ])
})

it.each([
  ...['stop the morning briefing', 'please turn off the briefing', "I don't need the briefing any more"],
  ...['stopp das Morgenbriefing', 'schalte das Briefing aus', 'ich brauche das Briefing nicht mehr'],
])('stop it: %s', async (said) => {
  const of = await afterSetting(said)
  expect(of.disk.store.jobs()).toMatchObject([{ state: 'paused' }])
})

it.each([
  ...[
    'send it to Telegram instead',
    'send the briefing to Telegram instead',
    "I'd like the briefing in Telegram from now on",
  ],
  ...[
    'schicke es künftig an Telegram',
    'schick das Briefing lieber an Telegram',
    'das Briefing ab jetzt in Telegram',
  ],
])('change its chat: %s', async (said) => {
  const of = await afterSetting(said)
  expect(of.sent.filter(({ kind }) => kind === 'card').at(-1)?.text).toMatch(
    /Until now: the terminal\nFrom now on: Telegram, and nowhere else/,
  )
  expect(of.disk.store.jobs()).toMatchObject([{ sink: 'sink:terminal:owner' }])
})

it.each([
  ...['what runs when?', "what's running?", 'which jobs do I have?', 'was läuft wann?'],
  ...[
    'why did it not come today?',
    'where is my briefing?',
    'warum kam das Briefing heute nicht?',
    'wo bleibt mein Briefing?',
  ],
])('ask about it: %s', async (said) => {
  const of = await afterSetting(said)
  expect(of.heard()).toMatch(/^1\. Morning briefing: every weekday at 08:00/)
  expect(of.disk.store.jobs()).toMatchObject([{ state: 'on' }])
})

it.each([
  ...['undo', 'undo that', 'rückgängig', 'mach das rückgängig'],
  ...['undo the last change', 'take back my last change', 'undo what you did last', '/undo'],
  ...[
    'mach die letzte Änderung rückgängig',
    'nimm bitte die letzte Änderung zurück',
    'letzte Änderung rückgängig machen',
  ],
])('take back the last change: %s', async (said) => {
  const of = await afterSetting('move the morning briefing to 7:30')
  await of.say(said)
  expect(of.heard()).toMatch(/^It is as it was before\. Taken back: give a job another time/)
  expect(of.disk.store.jobs()).toMatchObject([
    { state: 'on', repeat: { first: expect.stringMatching(/ 08:00$/) } },
  ])
})

it.each<[string, Record<string, unknown>]>([
  ['lass Montag aus', { skips: '2026-11-23' }],
  ['lass das Briefing am Montag aus', { skips: '2026-11-23' }],
  ['am Montag kein Briefing', { skips: '2026-11-23' }],
  ['nächste Woche kein Briefing', { skips: '2026-11-23/2026-11-29' }],
  ['only on weekends', { repeat: { kind: 'on_days', every: 96 } }],
  ['mach das nur am Wochenende', { repeat: { kind: 'on_days', every: 96 } }],
  ['das Briefing nur montags und donnerstags', { repeat: { kind: 'on_days', every: 9 } }],
])('its days: %s', async (said, job) => {
  const of = await afterSetting(said)
  if ('skips' in job) expect(of.heard()).toMatch(/Left out: Monday 23 November( to Sunday 29 November)?\./)
  expect(of.disk.store.jobs()).toMatchObject([{ state: 'on', ...job }])
})

it.each([
  ...["I don't need the car any more", 'ich brauche das Auto nicht mehr', 'schick die Mail lieber an Tom'],
  ...[
    'das Treffen lieber in Berlin',
    'take milk away',
    'entferne die Eier',
    'ich nutze Notion',
    'a new key for the shed',
  ],
  ...[
    "I don't need the briefing",
    'where is my car?',
    'only on a plate',
    'nur drei Brötchen',
    'lass den Montag frei',
    'warum kam Tom heute nicht?',
  ],
])('something else changes no job and connects nothing: %s', async (said) => {
  expect(serviceWish(said, NEEDS)).toBeNull()
  const of = await afterSetting(said)
  expect(of.disk.store.jobs()).toMatchObject([
    { state: 'on', sink: 'sink:terminal:owner', repeat: { first: expect.stringMatching(/ 08:00$/) } },
  ])
})

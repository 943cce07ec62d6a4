/**
 * Set up by words alone, without a model (L-08, L-10, L-19, B-04): each wish in several phrasings, and
 * requests that only look like one.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { speak } from '../../integrations/languages/speak-home.ts'
import { TOOL_MANIFESTS } from '../../integrations/tools/registered.ts'
import { serviceWish } from '../../kernel/features/credentials/service-words.ts'
import { err } from '../../kernel/flow/verdict.ts'
import { operationInMessage } from '../../kernel/operations/commands.ts'
import { needsOf } from '../../kernel/tool/channel.ts'
import { createRegistry } from '../../kernel/tool/registry.ts'
import { tell } from '../../kernel/wording/words.ts'
import { createWorld, type World } from './world.ts'

const NEEDS = needsOf(createRegistry(TOOL_MANIFESTS))

describe('a service', () => {
  it.each([
    ["let's add Notion", 'connect', 'notion'],
    ['Connect Notion', 'connect', 'notion'],
    ['I want to connect my own GitHub', 'connect', 'github'],
    ['can you set up my GitHub account please?', 'connect', 'github'],
    ['disconnect GitHub', 'leave', 'github'],
    ['please remove the Notion integration', 'leave', 'notion'],
    ['delete my github token', 'leave', 'github'],
    ['rotate my GitHub token', 'rotate', 'github'],
    ['renew the Notion credential', 'rotate', 'notion'],
    ['change my github key please', 'rotate', 'github'],
  ])('%s: %s %s', (said, wants, service) => {
    expect(serviceWish(said, NEEDS)).toEqual({ wants, service })
  })

  it.each([
    'add milk',
    'add buy paint to my notion page Todo',
    'remove the second one',
    'delete the mail from GitHub',
    'what is new on GitHub?',
    'change my password',
  ])('%s: none', (said) => {
    expect(serviceWish(said, NEEDS)).toBeNull()
  })
})

describe('what cannot be connected yet', () => {
  it.each([
    'connect outlook',
    '/connect hotmail',
    'can you connect to my Outlook account?',
    'connect ada@outlook.com',
    'connect mail ada@hotmail.co.uk',
    'verbinde mein Outlook-Konto',
    'connect my office 365 mail',
  ])('%s: it is said at once, with what works instead', async (said) => {
    const world = createWorld({})
    await world.say(said)
    expect(world.heard()).toMatch(/cannot be connected yet[\s\S]*forward your mail/)
    expect(world.prompts).toEqual([])
  })

  it.each([
    'connect notion',
    'connect mail',
    'connect ada@outlook-fans.example',
    'use the outlook in the report',
  ])('%s: something else', async (said) => {
    const world = createWorld({})
    await world.say(said)
    expect(world.heard()).not.toContain('cannot be connected yet')
  })
})

describe('one’s own mail', () => {
  it.each([
    ...[
      'connect my mail',
      'connect my own mailbox',
      'how do I connect my own email account?',
      'connect ada@mail.example',
    ],
    ...['can you connect to my email?', '/connect mail ada@mail.example', 'how do I get my mail in here?'],
    ...[
      'verbinde mein Mailkonto ada@mail.example',
      'mein Postfach verbinden',
      'wie kann ich mein Postfach verbinden?',
    ],
    'wie krieg ich meine Mails hier rein?',
  ])('%s: the command that does it is named, and nothing is asked for here', async (said) => {
    const world = createWorld({})
    await world.say(said)
    expect(world.heard()).toContain('connect mail you@example.com')
    expect(world.prompts).toEqual([])
  })

  it.each([
    'check my mail',
    'how do I get my mail',
    'use my mail address in the signature',
    'add mail to my list',
  ])('%s: something else', async (said) => {
    const world = createWorld({})
    await world.say(said)
    expect(world.heard()).not.toContain('connect mail you@example.com')
  })
})

describe('how it is set up', () => {
  it.each(['/status', 'How are you set up?', 'what integrations are active?', 'show me your status'])(
    '%s is told without a model',
    async (said) => {
      const world = createWorld({})
      await world.say(said)
      expect(world.heard()).toContain('I answer here from your home box.')
      expect(world.heard()).toMatch(/No language model was asked today|Models today/)
      expect(world.prompts).toEqual([])
    },
  )

  describe.each([
    ['en', 'demo mail and calendar', 'Demo mail and calendar stands in for Google.'],
    ['de', 'Demo-Mail und -Kalender', 'Demo-Mail und -Kalender vertritt Google.'],
  ] as const)('where a demo stands in for a service (%s)', (language, title, standsIn) => {
    const credentials = {
      ...{ lacking: new Set<string>(), refusal: () => null, give: async () => err('tool_unavailable') },
      titleOf: (service: string) => (service === 'google' ? tell('credentials.demo') : undefined),
    }
    const tools = { 'calendar.freebusy': () => ({ ok: true, output: { slots: [] } }) as const }
    const demo = (): World => createWorld({ credentials: { ...credentials, isConnected: () => true }, tools })
    beforeEach(() => speak(language))
    afterEach(() => speak('en'))

    it('/status names the demo, and not the service', async () => {
      const world = demo()
      await world.say('/status')
      const connected = world
        .heard()
        .split('\n')
        .find((row) => /^(Connected|Verbunden): /.test(row))
      expect(connected).toContain(title)
      expect(connected).not.toMatch(/: Google|, Google/)
    })

    it('/connect google says what stands there, and how one’s own gets there', async () => {
      const world = demo()
      await world.say('/connect google')
      expect(world.heard()).toContain(standsIn)
      expect(world.heard()).toContain('pfar connect google')
    })

    it('a service that is not connected keeps its name', async () => {
      const world = createWorld({ credentials: { ...credentials, isConnected: () => false }, tools })
      await world.say('/status')
      expect(world.heard()).toMatch(/(?:Not connected|Nicht verbunden): [^\n]*Google/)
    })
  })

  it('is said at the edge without a word of accounts', async () => {
    const world = createWorld({ place: 'edge' })
    await world.say('how are you set up?')
    expect(world.heard()).toContain('I answer here from the edge.')
    expect(world.heard()).not.toMatch(/connected: /i)
  })
})

describe('an operation', () => {
  it.each([
    ['who may ask for what?', 'templates.list'],
    ['show me the task templates', 'templates.list'],
    ['what may strangers ask you?', 'templates.list'],
    ['Sarah may ask when I am free', 'people.invite'],
    ['people from work may ask for my free times', 'people.invite'],
    ["let Tom know whether I'm free", 'people.invite'],
    ["tell strangers when I'm free", 'grants.freebusy'],
    ['change the master key', 'fixed.show'],
    ['add a new principal class', 'fixed.show'],
    ['lower the security labels', 'fixed.show'],
    ['edit the kernel network', 'fixed.show'],
    ['turn off the approvals', 'fixed.show'],
    ['disable all safety rules', 'fixed.show'],
  ])('%s: %s', (said, operation) => {
    expect(operationInMessage(said)?.operation.name).toBe(operation)
  })
})

describe('whether a service works', () => {
  it.each([
    ...['does Notion work?', 'does my notion still work', 'is Notion still working?', 'is my Notion ok?'],
    ...[
      'test Notion',
      'please test the Notion connection',
      'check my Notion token',
      'can you still reach Notion?',
    ],
    ...[
      'check whether Notion works',
      'do you still have access to my Notion?',
      'is the Notion integration up?',
    ],
    ...[
      'geht Notion noch?',
      'funktioniert mein Notion noch',
      'teste mal Notion',
      'ist Notion noch erreichbar?',
    ],
    ...[
      'prüf mal, ob Notion noch geht',
      'hast du noch Zugriff auf mein Notion?',
      'läuft die Notion-Anbindung noch?',
    ],
  ])('%s', (said) => {
    expect(serviceWish(said, NEEDS)).toEqual({ wants: 'check', service: 'notion' })
  })

  it.each([
    ['is Google still working?', 'google'],
    ['geht meine Mail noch?', 'google'],
    ['funktioniert der Kalender wieder?', 'google'],
    ['is my calendar working?', 'google'],
    ['test GitHub', 'github'],
  ])('%s: %s', (said, service) => {
    expect(serviceWish(said, NEEDS)).toEqual({ wants: 'check', service })
  })

  it.each([
    ...[
      'does Tom work on Friday?',
      'is my mail from Tom there?',
      'check my mail',
      'check my calendar for friday',
    ],
    ...[
      'prüf meine Mails',
      'is Sarah still working?',
      'test the waters',
      'läuft das Briefing noch?',
      'geht das?',
    ],
    ...['geht Freitag?', 'is my calendar free?', 'can you see my mail from Anna', 'check Notion for roof'],
    ...['does the Notion page on roofs work for you tomorrow', 'check mail', 'teste die Mikrofone'],
  ])('%s: none', (said) => {
    expect(serviceWish(said, NEEDS)).toBeNull()
  })

  const asked: string[] = []
  const on = (works: boolean, says: string) => ({
    lacking: new Set<string>(),
    ...{ refusal: () => null, give: async () => err('tool_unavailable') },
    isConnected: () => true,
    async check(service: string) {
      asked.push(service)
      return { works, says }
    },
  })
  const home = (credentials: object): World =>
    createWorld({
      credentials: credentials as never,
      tools: { 'notion.search': () => ({ ok: true as const, output: { pages: [], more: false } }) },
    })

  beforeEach(() => void asked.splice(0))

  it('is tried once and said, and no model reads of it', async () => {
    const of = home(on(true, 'Notion works.'))
    await of.say('does Notion work?')
    expect([of.heard(), asked, of.prompts]).toEqual(['Notion works.', ['notion'], []])
    await of.say('/tools check notion')
    expect(asked).toEqual(['notion', 'notion'])
  })

  it('is said where it does not, and where it is off nothing is asked', async () => {
    const of = home(on(false, 'Notion does not let me in.'))
    await of.say('is notion still connected?')
    expect(of.heard()).toBe('Notion does not let me in.')
    await of.say('turn notion off')
    await of.say('test notion')
    expect(of.heard()).toContain('Notion is switched off, so I did not ask it.')
    expect(asked).toEqual(['notion'])
  })

  it('is not tried where nothing is connected, nor at the edge', async () => {
    const of = home({ ...on(true, ''), isConnected: () => false })
    await of.say('does notion work?')
    expect(of.heard()).toContain("Notion is not connected: say 'connect notion'.")
    const edge = createWorld({ place: 'edge', credentials: on(true, '') as never })
    await edge.say('does notion work?')
    expect(edge.heard()).toContain('only do that on your private line')
    expect(asked).toEqual([])
  })
})

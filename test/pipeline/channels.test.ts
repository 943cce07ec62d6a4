/**
 * A chat that the owner activates by asking for it (H-13, L-11 – L-18, M-28): the questions in their order, what
 * becomes of each answer, and that an activation that did not end leaves nothing behind.
 */

import { beforeEach, describe, expect, it } from 'vitest'
import { CHATS } from '../../integrations/channels/index.ts'
import type { Activating, HomeChannels } from '../../kernel/features/channels/channel-port.ts'
import { CHANNEL_FLOW, codeOf, PROVE_WAIT, provedBy } from '../../kernel/features/channels/channels.ts'
import { CREDENTIAL_WAIT, openQuestions } from '../../kernel/features/credentials/ask-credential.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import type { ReasonCode } from '../../kernel/reasons.ts'
import { type ChannelAdapter, channelInText } from '../../kernel/tool/channel.ts'
import { createDisk, createWorld, type Disk, message, scriptedModel, type World } from './world.ts'

const APP = 'xapp-1-CANARY7319'
const BOT = 'xoxb-1-CANARY7319'
const CODE = /[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}/

/** Two credentials, one after the other. */
const SLACK: ChannelAdapter = {
  ...{ name: 'slack', title: 'Slack', prove: 'Say this to' },
  needs: [
    { service: 'slack-app', title: 'Slack (app)', where: 'An app-level token.', shape: 'xapp-[-A-Z0-9]+' },
    { service: 'slack-bot', title: 'Slack (bot)', where: 'A bot token.', shape: 'xoxb-[-A-Z0-9]+' },
  ],
}

let disk: Disk
let vault: Set<string>
let noted: Activating | null
let active: boolean
let wrong: ReasonCode | null
let account: Result<string>
let found: ((result: Result<boolean>) => void) | null
let searched: string[]
let left: string[]
let retracted: string[]

beforeEach(() => {
  disk = createDisk()
  vault = new Set()
  noted = null
  active = false
  wrong = null
  account = ok('@pfar')
  found = null
  searched = []
  left = []
  retracted = []
})

const desk: HomeChannels = {
  isActive: () => active,
  has: (service) => vault.has(service),
  activating: () => noted,
  note(now) {
    noted = now
  },
  account: async () => account,
  find: (_channel, code) => {
    searched.push(code)
    return new Promise((resolve) => {
      found = resolve
    })
  },
  async drop() {
    vault.clear()
    noted = null
    found?.(ok(false))
  },
  chat: (channel) => `sink:${channel}:private`,
  leave: (channel, sink) => void left.push(`${channel} ${sink}`),
  trouble: ({ facts }) => (facts['why'] === 'webhook' ? 'It has a webhook.' : null),
}

function home(): World {
  return createWorld({
    disk,
    models: [scriptedModel('spy', ({ parts }) => (parts.purpose === 'plan' ? '{"steps":[]}' : 'ok'))],
    channels: { adapters: [SLACK], home: desk, flow: CHANNEL_FLOW },
    retract: ({ message: gone }) => {
      retracted.push(gone)
      return ok(true)
    },
    credentials: {
      lacking: new Set(),
      refusal: () => null,
      async give(service) {
        if (wrong !== null) return err(wrong)
        vault.add(service)
        noted = { channel: 'slack', question: null, sink: noted?.sink ?? null }
        return ok('stored')
      },
    },
  })
}

let messages = 0
async function send(world: World, text: string): Promise<void> {
  messages += 1
  const id = `m${messages}`
  const received = await world.shell.receive({ ...message(text, { id }), message: id })
  if (!received.ok) throw new Error(received.reason.code)
  await settled(world)
}

async function settled(world: World): Promise<void> {
  for (let n = 0; n < 4; n += 1) {
    await world.shell.run('principal:owner')
    await new Promise((done) => setTimeout(done, 0))
  }
}

async function given(): Promise<World> {
  const world = home()
  await world.say('connect slack')
  await send(world, APP)
  await send(world, BOT)
  return world
}

const last = (world: World): string => world.sent.at(-1)?.text ?? ''
/** The answer to a message and what became of it come one after the other, in either order. */
const told = (world: World): string =>
  world.sent
    .slice(-2)
    .map(({ text }) => text)
    .join('\n')
const all = (world: World): string => world.sent.map(({ text }) => text).join('\n')
const waits = ({ powers }: World): readonly string[] =>
  openQuestions(powers).map(({ approval }) => approval.tool)

describe('messages about connecting', () => {
  it.each<[string, string | null, boolean]>([
    ['connect telegram', 'telegram', true],
    ['/connect Telegram', 'telegram', true],
    ['Please connect my Telegram bot.', 'telegram', true],
    ['turn on slack', 'slack', true],
    ['turn whatsapp on', 'whatsapp', true],
    ['disconnect telegram', 'telegram', false],
    ['/disconnect slack', 'slack', false],
    ['turn telegram off', 'telegram', false],
    ['turn off the telegram bot', 'telegram', false],
    ['turn the lights off', null, false],
    ['connect google', null, false],
    ['did you connect telegram yesterday?', null, false],
    ['connect telegram and send my mail there', null, false],
  ])('%s', (words, name, on) =>
    expect(channelInText(words, CHATS)).toEqual(name === null ? null : { name, on }),
  )

  it('"/connect" lists services and chats, and which of them are there', async () => {
    const world = home()
    await world.say('/connect')
    expect(world.heard()).toMatch(
      /\/connect google: Google \(connected\)\n(?:\/connect [^\n]+\n)*\/connect slack: Slack \(not active\)$/,
    )
    active = true
    await world.say('/connect')
    expect(world.heard()).toMatch(/Slack \(active\)$/)
  })

  it('a chat without an adapter has none', async () => {
    const world = home()
    for (const words of ['connect whatsapp', 'connect telegram', 'disconnect whatsapp']) {
      await world.say(words)
      expect(world.heard()).toMatch(/^I have no adapter for (?:WhatsApp|Telegram)/)
    }
    expect(waits(world)).toEqual([])
  })
})

describe('activating it', () => {
  it('asks for one credential after the other, then for the code, and says when it listens', async () => {
    const world = home()
    await world.say('connect slack')
    expect(world.heard()).toMatch(/An app-level token/)
    await world.shell.tick()
    expect(waits(world)).toEqual(['connect.slack-app'])
    await send(world, APP)
    expect([last(world), waits(world)]).toEqual([expect.stringMatching(/A bot token/), ['connect.slack-bot']])
    await send(world, BOT)
    const [code] = CODE.exec(last(world)) ?? []
    expect([last(world), waits(world), searched]).toEqual([
      expect.stringMatching(/it opens @pfar/),
      ['prove.slack'],
      [code],
    ])
    await world.shell.tick()
    expect(searched).toHaveLength(1)
    active = true
    found?.(ok(true))
    await settled(world)
    expect([last(world), waits(world), noted]).toEqual([
      expect.stringMatching(/^Slack is active: I listen to @pfar/),
      [],
      null,
    ])
    // Who sent the code looks at that chat, and would wait there for a word.
    expect(world.sent.filter(({ sink }) => sink === 'sink:slack:private').map(({ text }) => text)).toEqual([
      expect.stringMatching(/^You are connected: this chat at Slack is your private line/),
    ])
    expect(retracted).toHaveLength(2)
    expect(all(world) + JSON.stringify(world.audited)).not.toContain('CANARY7319')
    expect(world.prompts).toEqual([])
  })

  it('goes on after a restart with the same question and the same code (M-28)', async () => {
    const before = await given()
    const question = noted?.question
    const after = home()
    await after.shell.tick()
    expect([noted?.question, searched.length, new Set(searched).size]).toEqual([question, 2, 1])
    expect(waits(after)).toEqual(waits(before))
    active = true
    found?.(ok(true))
    await settled(after)
    expect(last(after)).toMatch(/^Slack is active/)
  })

  it('goes on after a crash between the storing and the question', async () => {
    noted = { channel: 'slack', question: null, sink: null }
    vault.add('slack-app')
    const world = home()
    await world.shell.tick()
    expect([last(world), waits(world)]).toEqual([expect.stringMatching(/A bot token/), ['connect.slack-bot']])
  })

  it('asked again says the same code again, and in no other chat', async () => {
    const world = await given()
    const [open] = openQuestions(world.powers)
    await world.say('connect slack')
    expect(world.heard()).toContain(codeOf(world.powers, open?.approval.id ?? ''))
    expect(waits(world)).toHaveLength(1)
  })

  it('two questions have two codes, and no code says what made it', async () => {
    const { powers } = home()
    expect(codeOf(powers, 'one')).not.toBe(codeOf(powers, 'other'))
    expect(codeOf({ tokenKey: new Uint8Array(32) }, 'one')).not.toBe(codeOf(powers, 'one'))
  })
})

describe('nothing stays of it (L-16, L-18)', () => {
  it.each<[string, (world: World) => Promise<unknown>, RegExp]>([
    ['after "cancel"', (world) => send(world, 'cancel'), /^(?!Slack is active)/],
    [
      'after a no to the question',
      async (world) => {
        const [open] = openQuestions(world.powers)
        const no = { approval: open?.approval.id ?? '', decision: 'deny' } as const
        expect((await world.shell.decide({ ...no, principal: 'principal:owner', place: 'home' })).ok).toBe(
          true,
        )
        await world.shell.tick()
      },
      /^(?!Slack is active)/,
    ],
    [
      'once its time is over',
      async (world) => {
        world.clock.now += PROVE_WAIT
        await world.shell.tick()
      },
      /^Nobody sent the code, so Slack is not active/,
    ],
    [
      'where its owner cannot be looked for any more',
      async (world) => {
        found?.(err('remote_rejected', { why: 'webhook' }))
        await settled(world)
      },
      /^Slack is not active, and I kept nothing.*It has a webhook\./,
    ],
  ])('%s', async (_what, end, words) => {
    const world = await given()
    await end(world)
    await settled(world)
    expect([vault.size, noted, waits(world)]).toEqual([0, null, []])
    expect(last(world)).toMatch(words)
  })

  it('where the account cannot be used', async () => {
    account = err('remote_rejected', { why: 'webhook' })
    const world = await given()
    expect([vault.size, noted, waits(world)]).toEqual([0, null, []])
    expect(told(world)).toMatch(/It has a webhook\./)
  })

  it('where the second credential is never given: the first goes, too', async () => {
    const world = home()
    await world.say('connect slack')
    await send(world, APP)
    expect([...vault]).toEqual(['slack-app'])
    world.clock.now += CREDENTIAL_WAIT
    await world.shell.tick()
    expect([vault.size, noted]).toEqual([0, null])
  })

  it('of a credential that is wrong, three times at most', async () => {
    const world = home()
    await world.say('connect slack')
    wrong = 'credential_rejected'
    for (const words of [/2 more tries/, /one more try/, /I ask no more/]) {
      await send(world, APP)
      expect(told(world)).toMatch(words)
    }
    expect([vault.size, noted, waits(world)]).toEqual([0, null, []])
  })
})

describe('the question for the code', () => {
  it('is answered by no yes and by no message: only its own chat can', async () => {
    const world = await given()
    const [open] = openQuestions(world.powers)
    const approval = open?.approval.id ?? ''
    const yes = { approval, decision: 'approve', principal: 'principal:owner', place: 'home' } as const
    expect(await world.shell.decide(yes)).toMatchObject({ reason: { code: 'credential_missing' } })
    await send(world, searched[0] ?? '')
    expect([waits(world), provedBy(open?.approval as never)]).toEqual([['prove.slack'], 'slack'])
  })
})

describe('leaving it', () => {
  it('asks first, on a card in the chat of the request; after a no it stays', async () => {
    const world = home()
    active = true
    await world.say('disconnect slack')
    await world.shell.tick()
    // Below the answer: a yes is to what stands last.
    expect(world.sent.map(({ kind }) => kind)).toEqual(['answer', 'card'])
    const card = world.sent.find(({ kind }) => kind === 'card')
    expect([card?.text, card?.sink, left]).toEqual([
      expect.stringMatching(/^Shall I leave Slack\?/),
      'sink:terminal:owner',
      [],
    ])
    const said = { approval: card?.approval ?? '', principal: 'principal:owner', place: 'home' } as const
    expect((await world.shell.decide({ ...said, decision: 'deny' })).ok).toBe(true)
    expect(left).toEqual([])
    await world.say('disconnect slack')
    await world.shell.tick()
    const again = world.sent.findLast(({ kind }) => kind === 'card')?.approval ?? ''
    expect((await world.shell.decide({ ...said, approval: again, decision: 'approve' })).ok).toBe(true)
    expect(left).toEqual(['slack sink:terminal:owner'])
    // Once.
    expect((await world.shell.decide({ ...said, approval: again, decision: 'approve' })).ok).toBe(true)
    expect(left).toHaveLength(1)
  })

  it('what is not active is not left', async () => {
    const world = home()
    await world.say('turn slack off')
    expect([world.heard(), waits(world)]).toEqual([expect.stringMatching(/^Slack is not active\./), []])
  })
})

describe('at the edge', () => {
  const edge = (sent: string[], told: readonly string[] = []): World =>
    createWorld({
      place: 'edge',
      channels: { adapters: [SLACK] },
      credentials: {
        lacking: new Set(),
        refusal: () => null,
        isConnected: (name) => told.includes(name),
        async give(service) {
          sent.push(service)
          return ok('sent')
        },
      },
    })

  it('the first credential is asked for and goes home, and its question is over: the rest is asked there', async () => {
    const sent: string[] = []
    const world = edge(sent)
    await world.say('connect slack')
    expect(world.heard()).toMatch(/An app-level token/)
    await world.shell.receive({ ...message(APP, { id: 'e1', place: 'edge' }), message: 'e1' })
    expect([sent, waits(world)]).toEqual([['slack-app'], []])
    expect(all(world)).toMatch(/pfar secret accept slack-app/)
  })

  it('for a chat that home listens to already nothing is asked, and the answer says where to change it', async () => {
    const sent: string[] = []
    const world = edge(sent, ['slack'])
    await world.say('connect slack')
    expect(world.heard()).toMatch(/^Slack is connected already: your home box listens there/)
    expect(world.heard()).toMatch(/pfar secret rotate slack-app[\s\S]*say there: disconnect slack$/)
    expect([sent, waits(world)]).toEqual([[], []])
  })

  it.each<[string, readonly string[], RegExp]>([
    ['known there', ['slack'], /\/connect slack: Slack \(active\)$/],
    ['not known there', [], /\/connect slack: Slack$/],
  ])('"/connect" says of a chat what is %s, and no more', async (_what, told, line) => {
    const world = edge([], told)
    await world.say('/connect')
    expect(world.heard()).toMatch(line)
  })

  it('nothing is left from there', async () => {
    const world = edge([])
    await world.say('disconnect slack')
    expect(world.heard()).toMatch(/^Say that in a chat with your home box/)
  })
})

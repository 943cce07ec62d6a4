/** Which of the owner's chats a delivery goes to, while chats connect and disconnect (F-18, H-13, H-16). */
import { beforeEach, describe, expect, it } from 'vitest'
import { err, ok } from '../../kernel/flow/verdict.ts'
import type { Delivery, SenderPort } from '../../kernel/powers/ports.ts'
import { chatOf, homeSender, sinksOf } from '../../sidecar/channels/home-sender.ts'
import { asTyped } from '../../sidecar/process/typed-commands.ts'

const TERMINAL = 'sink:terminal:owner'
const TELEGRAM = 'sink:telegram:private'
const SLACK = 'sink:slack:private'
const OPEN = 'sink:telegram:open'

let said: string[]
let texts: string[]
let slack: { bot: unknown }
let telegram: unknown
const channel = (name: string) => ({
  line: { deaf: false },
  sender: {
    send: async ({ sink, text }: Delivery) => {
      said.push(`${name} ${sink}`)
      texts.push(text)
      return ok(true)
    },
    retract: async () => ok(true),
    work: {
      working: () => void said.push(`${name} works`),
      rests: async () => void said.push(`${name} rests`),
    },
  } as unknown as SenderPort,
})
const input = (mine: unknown) => {
  telegram = mine
  const chat = (name: string, sink: string, now: () => unknown, activation: object | null = {}) => ({
    ...{ declaration: { name, home: { sink } }, now, activation },
  })
  const atTerminal = {
    line: { deaf: false },
    sender: { send: async ({ text }: Delivery) => ok(!said.push('terminal') || !texts.push(text)) },
  }
  return {
    chats: [
      chat('terminal', TERMINAL, () => atTerminal, null),
      chat('telegram', TELEGRAM, () => telegram),
      chat('slack', SLACK, () => slack.bot),
    ],
    typed: (text: string) => asTyped(text, { npm_lifecycle_event: 'start', PATH: '/nowhere' }),
    handover: {
      holds: (sink: string) => sink === OPEN,
      send: async ({ text }: Delivery) => {
        said.push('edge')
        texts.push(text)
        return err('grant_missing')
      },
      work: {
        working: () => void said.push('edge works'),
        rests: async () => void said.push('edge rests'),
      },
    },
  } as unknown as Parameters<typeof homeSender>[0] & { readonly chats: Parameters<typeof sinksOf>[0] }
}
const to = (sink: string, kind: Delivery['kind'] = 'answer', more: Partial<Delivery> = {}) =>
  ({ sink, kind, text: 'say `pfar status`', ...more }) as Delivery

beforeEach(() => {
  said = []
  texts = []
  slack = { bot: null }
})

describe('a delivery', () => {
  it.each([
    ['the terminal', TERMINAL, 'terminal'],
    ['the bot', TELEGRAM, `telegram ${TELEGRAM}`],
    ['the app', SLACK, `slack ${SLACK}`],
    ['the edge', OPEN, 'edge'],
  ])('for %s goes there', async (_name, sink, heard) => {
    slack.bot = channel('slack')
    await homeSender(input(channel('telegram'))).send(to(sink))
    expect(said).toEqual([heard])
  })

  it.each([TELEGRAM, SLACK, 'sink:mail:owner'])(
    'for a chat that is not connected, %s, is refused',
    async (sink) => {
      const sent = await homeSender(input(null)).send(to(sink))
      expect([sent, said]).toEqual([err('sink_unknown', { sink }), []])
    },
  )

  it('goes to a chat that connected while home runs, and not to one that disconnected', async () => {
    const sender = homeSender(input(null))
    slack.bot = channel('slack')
    expect((await sender.send(to(SLACK))).ok).toBe(true)
    slack.bot = null
    expect((await sender.send(to(SLACK))).ok).toBe(false)
  })
})

describe('a command in a text', () => {
  const TYPED = 'say `npm run pfar -- status`'
  const AS_IS = 'say `pfar status`'
  it.each([
    ['of the product’s own words in a bot is shown as it is typed', TELEGRAM, 'answer', true, TYPED],
    ['of its notice in an app', SLACK, 'notice', true, TYPED],
    ['of its words in the edge’s chat', OPEN, 'answer', true, TYPED],
    ['of what was approved, written or quoted stays to the letter', TELEGRAM, 'answer', false, AS_IS],
    ['of that in the edge’s chat', OPEN, 'notice', false, AS_IS],
    ['of a card stays to the letter', TELEGRAM, 'card', false, AS_IS],
    ['at the terminal is left to its program', TERMINAL, 'answer', true, AS_IS],
  ] as const)('%s', async (_name, sink, kind, own, text) => {
    slack.bot = channel('slack')
    await homeSender(input(channel('telegram'))).send(to(sink, kind, own ? { own } : {}))
    expect(texts).toEqual([text])
  })
})

it('progress is shown by every chat that can', async () => {
  slack.bot = channel('slack')
  const { work } = homeSender(input(channel('telegram')))
  work?.working({ sink: SLACK, task: 't', event: 'e', how: null })
  await work?.rests({ sink: SLACK, task: 't', back: false })
  expect(said).toEqual(
    ['works', 'rests'].flatMap((step) => ['edge', 'telegram', 'slack'].map((chat) => `${chat} ${step}`)),
  )
})

it('retract is absent while no connected chat supports it', () =>
  expect(homeSender(input(null)).retract).toBeUndefined())

it('a message is deleted in its own chat', async () => {
  slack.bot = channel('slack')
  const sender = homeSender(input(null))
  expect(await sender.retract?.({ sink: SLACK, message: '1.1' })).toEqual(ok(true))
  expect(await sender.retract?.({ sink: TELEGRAM, message: '1' })).toMatchObject({
    reason: { code: 'sink_unknown' },
  })
})

it.each<[readonly ('terminal' | 'telegram' | 'slack')[], boolean, readonly string[]]>([
  [['slack', 'terminal'], true, [SLACK, TERMINAL]],
  [['slack', 'terminal'], false, [TERMINAL]],
  [['slack'], false, [TERMINAL]],
  [['telegram', 'slack'], true, [SLACK]],
])('with the chats %j and Slack connected: %s, the sinks are in that order', (ownerChats, isThere, sinks) => {
  slack.bot = isThere ? channel('slack') : null
  expect(sinksOf(input(null).chats, { ownerChats })).toEqual(sinks)
})

it('whether a chat receives is looked up by its sink', () => {
  slack.bot = channel('slack')
  const both = input(channel('telegram'))
  const there = (sink: string): boolean => chatOf(both.chats, sink) !== null
  expect([TERMINAL, TELEGRAM, SLACK, OPEN].map(there)).toEqual([true, true, true, false])
})

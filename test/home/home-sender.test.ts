/** Which of the owner's chats a delivery goes to, while chats connect and disconnect (F-18, H-13, H-16). */
import { beforeEach, describe, expect, it } from 'vitest'
import { err, ok } from '../../kernel/flow/verdict.ts'
import type { Delivery, SenderPort } from '../../kernel/powers/ports.ts'
import { chatOf, homeSender, sinksOf } from '../../sidecar/channels/home-sender.ts'

const TERMINAL = 'sink:terminal:owner'
const TELEGRAM = 'sink:telegram:private'
const SLACK = 'sink:slack:private'
const OPEN = 'sink:telegram:open'

let said: string[]
let slack: { bot: unknown }
let telegram: unknown
const channel = (name: string) => ({
  line: { deaf: false },
  sender: {
    send: async ({ sink }: Delivery) => {
      said.push(`${name} ${sink}`)
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
  const atTerminal = { line: { deaf: false }, sender: { send: async () => ok(!said.push('terminal')) } }
  return {
    chats: [
      chat('terminal', TERMINAL, () => atTerminal, null),
      chat('telegram', TELEGRAM, () => telegram),
      chat('slack', SLACK, () => slack.bot),
    ],
    handover: {
      holds: (sink: string) => sink === OPEN,
      send: async () => {
        said.push('edge')
        return err('grant_missing')
      },
      work: {
        working: () => void said.push('edge works'),
        rests: async () => void said.push('edge rests'),
      },
    },
  } as unknown as Parameters<typeof homeSender>[0] & { readonly chats: Parameters<typeof sinksOf>[0] }
}
const to = (sink: string) => ({ sink }) as Delivery

beforeEach(() => {
  said = []
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

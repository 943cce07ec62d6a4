/** A job that is to come in another chat: a card says from where to where, and until its yes nothing moves (L-06, R-25). */
import { describe, expect, it } from 'vitest'
import { createWorld, message, type World } from './world.ts'

const TERMINAL = 'sink:terminal:owner'
const PHONE = 'sink:telegram:private'
const MAIL = {
  ...{ id: 'm1', from: 'sarah@example.com', fromName: 'Sarah', subject: 'Budget', unread: true },
  ...{ date: '2026-11-20T06:00:00Z', hasAttachments: false, snippet: 'Two numbers' },
}
const world = () =>
  createWorld({
    tools: { 'email.list': () => ({ ok: true, output: { emails: [MAIL], more: false } }) },
    ...{ pushes: true, adminSinks: [TERMINAL, PHONE], owner: ['telegram:1001'] },
  })
const first = ({ disk: { store } }: World) => {
  const [job] = store.jobs()
  if (job === undefined) throw new Error('no job')
  return job
}

async function say(of: World, ...said: readonly string[]): Promise<void> {
  for (const words of said) {
    await of.say(words)
    await of.shell.tick()
    of.clock.now += 1_000
  }
}

describe('another chat for a job', () => {
  it.each([
    ['send the email check to Telegram'],
    ['send it to Telegram instead'],
    ['schicke es stattdessen an Telegram'],
    ['/jobchat email check telegram'],
  ])('is asked about, and taken after the yes: %s', async (words) => {
    const of = world()
    await say(of, 'start the email check', 'yes', 'what runs when?', words)
    expect(of.sent.filter(({ kind }) => kind === 'card').at(-1)?.text).toMatch(
      /Email check[\s\S]*Until now: the terminal\nFrom now on: Telegram, and nowhere else/,
    )
    const before = first(of)
    expect(before.sink).toBe(TERMINAL)
    await say(of, 'yes')
    expect(first(of)).toEqual({ ...before, sink: PHONE, digest: expect.not.stringMatching(before.digest) })
    of.clock.now = Number(first(of).due)
    await of.shell.tick()
    expect(of.sent.at(-1)).toMatchObject({ sink: PHONE, text: expect.stringMatching(/Budget/) })
  })

  it('a no leaves it where it is', async () => {
    const of = world()
    await say(of, 'start the email check', 'yes', 'send the email check to Telegram', 'no')
    expect(first(of).sink).toBe(TERMINAL)
  })

  it.each([
    ['a chat that is not connected', 'send the email check to Slack', /no connected chat/],
    ['a name that is no chat', 'send the email check to Sarah instead', /no connected chat/],
    ['the chat where it comes already', 'send the email check to the terminal', /set already/],
  ])('refuses %s', async (_, words, refusal) => {
    const of = world()
    await say(of, 'start the email check', 'yes', words)
    expect(of.heard()).toMatch(refusal)
    expect(first(of).sink).toBe(TERMINAL)
  })

  it('is not taken for one whose row has changed since the card', async () => {
    const of = world()
    await say(of, 'start the email check', 'yes', 'send the email check to Telegram')
    of.disk.store.saveJob({ ...first(of), quiet: false })
    await say(of, 'yes')
    expect(first(of).sink).toBe(TERMINAL)
  })
})

it.each([
  ['of the owner in another chat', { adapter: 'telegram', user: '1001', chat: '1001', group: false }],
  ['of a stranger', { adapter: 'telegram', user: '77', chat: '77', group: false }],
])('a message %s right before its time changes nothing about where it goes (R-25)', async (_, source) => {
  const of = world()
  await say(of, 'start the email check', 'yes')
  const before = first(of)
  of.clock.now = Number(before.due) - 1
  const event = { ...message('hello, anything new?', { id: 'm9', place: 'home', at: of.clock.now }), source }
  const received = await of.shell.receive(event)
  if (received.ok) await of.shell.run(received.value.principal)
  of.clock.now = Number(before.due)
  await of.shell.tick()
  const told = of.sent.filter(({ text }) => text.includes('Budget'))
  expect(told.map(({ sink }) => sink)).toEqual([TERMINAL])
  expect(first(of)).toMatchObject({ sink: TERMINAL, digest: before.digest })
})

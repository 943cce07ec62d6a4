/**
 * In which texts a place may name commands as they are typed there (`Delivery.own`): what code says to the owner. What was approved, written by a
 * model, quoted, or goes to somebody else is sent byte for byte.
 */
import { expect, it } from 'vitest'
import { OWNER, planning, waiting, worldWith } from './approvals-owner.ts'
import { message, type World } from './world.ts'

const TEXT = 'Say `pfar status` to me.'
const MINUTE = 60_000
const shown = ({ sent }: World) => sent.map(({ kind, text, own }) => [kind, own === true, text] as const)

it.each([['/grants'], ['/status'], ['/help'], ['/nothing']])('is what answers %s', async (said) => {
  const of = worldWith()
  await of.say(said)
  expect(shown(of).map(([, own]) => own)).toEqual([true])
})

it('is a notice in kernel words, also where it is sent once more', async () => {
  let isDown = true
  const of = worldWith({
    send: () =>
      isDown ? { ok: false, reason: { code: 'remote_unavailable', facts: {} } } : { ok: true, value: true },
  })
  await of.say('/status')
  isDown = false
  of.clock.now += 10 * MINUTE
  await of.shell.tick()
  expect(shown(of).some(([kind, own]) => kind === 'answer' && own)).toBe(true)
})

it('is no reply that was planned, and no answer of a model', async () => {
  const of = worldWith({
    models: [planning({ id: 's1', do: 'tool', tool: 'message.reply', args: { text: TEXT } })],
  })
  await of.say(`tell me ${TEXT}`)
  for (const { approval } of (await waiting(of)).map(({ id }) => ({ approval: id })))
    await of.shell.decide({ approval, decision: 'approve', principal: OWNER, place: 'home', message: 'm2' })
  await of.shell.run(OWNER)
  expect(shown(of).length).toBeGreaterThan(0)
  expect(shown(of).filter(([, own]) => own)).toEqual([])
})

it('is no reminder in the owner’s words, and no card that is shown again', async () => {
  const of = worldWith({ pushes: true })
  await of.say('remind me in 5 minutes to say pfar status')
  of.clock.now += 5 * MINUTE
  await of.shell.tick()
  const due = shown(of).filter(([kind, , text]) => kind === 'notice' && text.includes('pfar status'))
  expect(due.map(([, own]) => own)).toEqual([false])
  await of.say("every day at 9 tell me what's on my list")
  await of.shell.tick()
  await of.say('/approvals 1')
  expect(shown(of).at(-1)).toMatchObject(['answer', false, expect.stringContaining("what's on my list")])
})

it('is nothing that somebody else gets', async () => {
  const of = worldWith()
  const source = { adapter: 'telegram', user: 'bob', chat: 'bob', group: false }
  const got = await of.shell.receive({ ...message('zyx the abc', { id: 'b1', at: of.clock.now }), source })
  if (!got.ok) throw new Error(got.reason.code)
  await of.shell.run(got.value.principal)
  const theirs = of.sent.filter(({ sink }) => sink.startsWith('sink:telegram:'))
  expect(theirs.length).toBeGreaterThan(0)
  expect(theirs.filter(({ own }) => own === true)).toEqual([])
})

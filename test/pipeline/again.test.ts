/** A request that failed, or whose question nobody answered, is asked once more in one word or by one tap. */
import { describe, expect, it } from 'vitest'
import {
  buttonIdIn,
  buttonsUnder,
  createCardService,
  settleTap,
} from '../../integrations/channels/runtime/cards.ts'
import type { ChannelState } from '../../integrations/channels/runtime/channel-state.ts'
import { asksAgain } from '../../kernel/task/command.ts'
import {
  answer,
  BOOK,
  booking,
  created,
  LOW,
  OWNER,
  onlyOne,
  PROBE,
  planning,
  waiting,
  withLowChat,
  worldWith,
} from './approvals-owner.ts'
import { calendarTools, mailTools } from './mailbox.ts'
import { message, scriptedModel, type World } from './world.ts'

const TIMEOUT = 300_000

/** A world in which nobody answered the question about a booking. */
async function expired(): Promise<{ readonly here: World; readonly approval: string }> {
  const here = worldWith({ pushes: true, policy: withLowChat, owner: ['probe:local'], templates: [PROBE] })
  await here.say(BOOK)
  const { id } = await onlyOne(here)
  here.clock.now += TIMEOUT
  await here.shell.tick()
  return { here, approval: id }
}

describe('in one word', () => {
  it.each(['again', '/again', 'Try again, please.', 'ask again', 'Nochmal bitte', 'versuch es noch einmal'])(
    '%s: a new card, and what is approved there runs once',
    async (word) => {
      const { here, approval } = await expired()
      await here.say(word)
      const card = await onlyOne(here)
      expect(card.id).not.toBe(approval)
      expect(await answer(here, card.id)).toBe('ok')
      expect(created(here)).toHaveLength(1)
      expect(here.audited.find(({ facts }) => facts['repeats'] !== undefined)?.kind).toBe('task_created')
    },
  )

  it('what failed is tried again', async () => {
    let isDown = true
    const down = { ok: false, reason: { code: 'network_failed', facts: {} } } as const
    const tools = {
      ...calendarTools(),
      ...mailTools(),
      'email.count': () => (isDown ? down : { ok: true as const, output: { unread: 4, more: false } }),
    }
    const here = worldWith({ tools })
    await here.say('How much unread mail do I have?')
    isDown = false
    await here.say('again')
    expect(here.calls.filter(({ tool }) => tool === 'email.count')).toHaveLength(2)
    expect(here.heard()).toContain('4')
  })

  it('a request of which a part was written is not: that part would be written twice', async () => {
    const steps = [
      booking({ title: 'Lunch' }),
      { id: 's2', do: 'tool', tool: 'email.read', args: { id: 'm99' } },
    ]
    const plans = [steps, []]
    const model = scriptedModel('a-model', ({ parts }) =>
      parts.purpose === 'plan' ? JSON.stringify({ steps: plans.shift() ?? [], explanation: '' }) : 'done',
    )
    const here = worldWith({ models: [model] })
    const task = await here.say('do the odd thing')
    expect(await answer(here, (await onlyOne(here)).id)).toBe('ok')
    expect((await here.shell.report(task))?.task.steps.at(-1)?.outcome).toBe('failed')
    await here.say('again')
    expect([created(here), await waiting(here)]).toEqual([['Lunch'], []])
  })

  it('a bare word after what was done is a message like any other; the command repeats it', async () => {
    const here = worldWith()
    await here.say('check my email')
    const listed = () => here.calls.filter(({ tool }) => tool === 'email.list').length
    await here.say('again')
    expect(listed()).toBe(1)
    await here.say('/again')
    expect(listed()).toBe(1)
    await here.say('check my email')
    await here.say('/again')
    expect(listed()).toBe(3)
  })

  it('another chat has nothing of it', async () => {
    const { here } = await expired()
    const source = { adapter: 'probe', user: 'local', chat: 'owner', group: false }
    const received = await here.shell.receive({
      ...message('/again', { id: 'e1', at: here.clock.now }),
      source,
    })
    expect(received.ok).toBe(true)
    await here.shell.run(OWNER)
    expect(await waiting(here)).toEqual([])
    expect(here.sent.at(-1)).toMatchObject({ sink: LOW, text: expect.stringContaining('nothing here') })
  })

  it('with nothing to repeat, the command says so', async () => {
    const here = worldWith()
    await here.say('/again')
    expect(here.heard()).toContain('nothing here to ask again')
  })

  it.each(['again tomorrow', 'book it again on Friday', 'try', 'once', 'ask Tom again'])(
    '%s says more',
    (text) => expect(asksAgain(text)).toBe(false),
  )
})

describe('by one tap', () => {
  it('a new task with the same words, once', async () => {
    const { here, approval } = await expired()
    expect((await here.shell.again(approval)).ok).toBe(true)
    expect(await here.shell.again(approval)).toMatchObject({ reason: { code: 'approval_spent' } })
    await here.shell.run(OWNER)
    expect(await answer(here, (await onlyOne(here)).id)).toBe('ok')
    expect(created(here)).toHaveLength(1)
  })

  it('not where a part was written, which would be written twice', async () => {
    const steps = [booking({ title: 'Lunch' }), booking({ title: 'Dinner' }, 's2')]
    const here = worldWith({ models: [planning(...steps)] })
    await here.say('do the odd thing')
    await answer(here, (await onlyOne(here)).id)
    const { id } = await onlyOne(here)
    here.clock.now += TIMEOUT
    await here.shell.tick()
    expect(await here.shell.again(id)).toMatchObject({ reason: { code: 'approval_unknown' } })
    expect(created(here)).toEqual(['Lunch'])
  })

  it('not for a question that was answered, or that still waits', async () => {
    const here = worldWith()
    await here.say(BOOK)
    const { id } = await onlyOne(here)
    expect(await here.shell.again(id)).toMatchObject({ reason: { code: 'approval_unknown' } })
    await answer(here, id, { decision: 'deny' })
    expect(await here.shell.again(id)).toMatchObject({ reason: { code: 'approval_unknown' } })
    expect(await here.shell.again('none')).toMatchObject({ reason: { code: 'approval_unknown' } })
  })

  it('on the closed card, in a messenger; another tap is told that it was asked', async () => {
    const { here, approval } = await expired()
    const values = new Map<string, unknown>()
    const kept = {
      get: (name: string) => values.get(name),
      put: (name: string, value: unknown) => void values.set(name, value),
    } as ChannelState
    const card = here.sent.find(({ kind }) => kind === 'card')
    const closed = here.sent.filter(({ id }) => id === card?.id).at(-1)
    if (closed === undefined) throw new Error('no card')
    const key = new Uint8Array(32)
    const rows = buttonsUnder(createCardService({ kept, channel: 'telegram' }, key), closed, 7)
    expect(rows?.flat().map(({ text }) => text)).toEqual(['Ask again'])
    const data = rows?.flat()[0]?.data ?? ''
    const button = buttonIdIn(key, { channel: 'telegram', chat: 7 }, data) ?? ''
    const tap = () => settleTap({ kept, channel: 'telegram' }, here, { button, chat: 7, message: 1 })
    expect(await tap()).toMatchObject({ value: { what: 'again' } })
    expect(here.sent.at(-1)).toMatchObject({ id: closed.id, approval: null })
    await here.shell.run(OWNER)
    const { id } = await onlyOne(here)
    expect(await tap()).toMatchObject({ value: { what: 'late' } })
    expect([id === approval, (await onlyOne(here)).id]).toEqual([false, id])
  })
})

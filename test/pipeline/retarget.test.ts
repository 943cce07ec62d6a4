/** A reply goes to whoever sent the event, and no plan can say otherwise (I-22, A-45, invariant 7). */
import { describe, expect, it } from 'vitest'
import { createWorld, scriptedModel } from './world.ts'

const call = (tool: string, args: Readonly<Record<string, unknown>>) => ({ id: 's1', do: 'tool', tool, args })

async function planned(step: unknown, policy: Parameters<typeof createWorld>[0] = {}) {
  const plan = JSON.stringify({ steps: [step], explanation: '' })
  const model = scriptedModel('rules', ({ parts }) => (parts.purpose === 'plan' ? plan : 'nothing sent'))
  const world = createWorld({ models: [model], ...policy })
  const report = await world.shell.report(await world.say('please do the unusual thing'))
  return { world, trouble: report?.task.trouble }
}

describe('a plan that names another reader', () => {
  it.each([
    [
      'a number, in a reply',
      call('message.reply', { text: 'hi', to: '+34600111222' }),
      'tool_arguments_invalid',
    ],
    [
      'a sink, in a reply',
      call('message.reply', { text: 'hi', sink: 'sink:openline:owner' }),
      'tool_arguments_invalid',
    ],
    [
      'a chat, in a reply',
      call('message.reply', { text: 'hi', chat: 'terminal:mallory' }),
      'tool_arguments_invalid',
    ],
    ['a number, to send to', call('message.send', { text: 'hi', to: '+34600111222' }), 'tool_unknown'],
    [
      'its own sink, to send to',
      call('message.send', { text: 'hi', sink: 'sink:terminal:owner' }),
      'tool_unknown',
    ],
    [
      'a sink beside the arguments',
      { ...call('message.reply', { text: 'hi' }), sink: 'sink:openline:owner' },
      'plan_malformed',
    ],
  ])('%s, is refused', async (_what, step, code) => {
    const { world, trouble } = await planned(step)
    expect(trouble).toBe(code)
    expect(world.sent.map(({ text }) => text)).not.toContain('hi')
    expect(new Set(world.sent.map(({ sink }) => sink))).toEqual(new Set(['sink:terminal:owner']))
  })
})

it('a reply goes to the sink of its event', async () => {
  const { world } = await planned(call('message.reply', { text: 'hi' }))
  expect(world.sent.map(({ sink, text }) => [sink, text])).toEqual([['sink:terminal:owner', 'hi']])
})

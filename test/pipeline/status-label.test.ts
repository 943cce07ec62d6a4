/** What is answered about the assistant itself is labelled, so that no chat, model or place below may have it. */
import { describe, expect, it } from 'vitest'
import { createWorld, message } from './world.ts'

const TOOLS = { 'email.list': () => ({ ok: true as const, output: { emails: [], more: false } }) }

describe('an answer about the assistant itself', () => {
  it.each([
    ['/status', 'internal'],
    ['how are you set up?', 'internal'],
    ['/tools', 'sensitive'],
    ['/jobs', 'sensitive'],
    ['/templates', 'sensitive'],
    ['/grants', 'sensitive'],
    ['/people', 'sensitive'],
  ])('%s is %s', async (said, level) => {
    const world = createWorld({ tools: TOOLS as never })
    await world.say(said)
    const row = world.audited.findLast(({ kind }) => kind === 'egress')
    expect(row?.facts['label']).toBe(level)
  })

  it('a stranger who asks for the status gets nothing of it', async () => {
    const world = createWorld({ tools: TOOLS as never })
    const source = { adapter: 'telegram', user: 'eve', chat: 'eve', group: false }
    const received = await world.shell.receive({ ...message('/status', { id: 'e1' }), source })
    if (received.ok) await world.shell.run(received.value.principal)
    expect(world.sent.map(({ text }) => text).join('\n')).not.toMatch(/google|budget|question/i)
  })
})

/** How much mail is unread: a number of ids, and nothing of what a mail says; asked in words without a model. */
import { expect, it } from 'vitest'
import { createEmailTool } from '../../integrations/tools/email/run.ts'
import { sendJson } from '../kit/server.ts'
import { TOOLS } from '../pipeline/approvals-owner.ts'
import { createWorld } from '../pipeline/world.ts'
import { callTool, outputOf } from './calls.ts'
import { startServer } from './servers.ts'

it.each([
  [
    { messages: [{ id: 'a' }, { id: 'b' }], nextPageToken: 't' },
    { unread: 2, more: true },
  ],
  [{ messages: [] }, { unread: 0, more: false }],
  [{}, { unread: 0, more: false }],
  [{ messages: 'many' }, { unread: 0, more: false }],
])('of %j', async (listed, count) => {
  const server = await startServer((_, response) => sendJson(response, listed))
  const tool = createEmailTool({ baseUrl: server.origin, htmlText: () => Promise.resolve('') })
  const counted = await callTool(tool, 'email.count', {}, { exemptOrigins: [server.origin] })
  expect(outputOf(counted)).toEqual(count)
})

it.each(['how much unread mail do I have?', 'count my mail', 'please count my unread mail'])(
  '%s',
  async (words) => {
    const counted = { 'email.count': () => ({ ok: true as const, output: { unread: 3, more: false } }) }
    const world = createWorld({ tools: { ...TOOLS, ...counted } })
    await world.say(words)
    expect(world.calls).toEqual([{ tool: 'email.count', args: {} }])
    expect(world.heard()).toBe('Unread in your inbox: 3.')
  },
)

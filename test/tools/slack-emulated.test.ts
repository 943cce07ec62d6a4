/**
 * The tool Slack against another implementation of Slack's Web API, whose answers were written by others: all reads whose methods it has. It takes POST alone, where
 * Slack takes GET for reads, too; a bridge between them turns the one into the other and changes nothing else.
 */
import { createEmulator } from 'emulate'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSlackTool } from '../../integrations/tools/slack/run.ts'
import type { Json } from '../../kernel/flow/json.ts'
import { freePort, type Served, serve } from '../kit/server.ts'
import { callTool, outputOf, tokenFor } from './calls.ts'
import { startClient } from './servers.ts'

const TOKEN = `xoxp-${'1'.repeat(12)}-${'2'.repeat(12)}-${'a'.repeat(32)}`
const CREDENTIAL = { scheme: 'bearer', value: TOKEN } as const
const SCOPES = [
  ...['channels:read', 'groups:read', 'im:read', 'mpim:read', 'users:read', 'chat:write', 'im:write'],
  ...['channels:history', 'groups:history', 'im:history', 'mpim:history', 'channels:manage', 'groups:write'],
]

let origin = ''
let bridge: Served
let close = async (): Promise<void> => undefined
const asked: string[] = []

async function post(method: string, body: Readonly<Record<string, string>>, token = TOKEN): Promise<Json> {
  const made = await fetch(`${origin}/api/${method}`, {
    ...{ method: 'POST', headers: { authorization: `Bearer ${token}` }, body: new URLSearchParams(body) },
  })
  return (await made.json()) as Json
}

beforeAll(async () => {
  const port = await freePort()
  const emulator = await createEmulator({
    ...{ service: 'slack', port },
    seed: {
      tokens: { [TOKEN]: { login: 'ada', scopes: SCOPES } },
      slack: {
        team: { name: 'Acme', domain: 'acme' },
        users: [
          { name: 'ada', real_name: 'Ada', email: 'ada@example.com' },
          { name: 'sarah', real_name: 'Sarah Miller', email: 'sarah@example.com' },
        ],
        channels: [{ name: 'general', topic: 'All' }],
      },
    },
  })
  origin = emulator.url
  close = async () => void (await emulator.close())
  bridge = await serve(async ({ url = '', headers }, response) => {
    const { pathname, search } = new URL(url, 'http://bridge.test')
    asked.push(pathname)
    const answer = await fetch(`${origin}${pathname}`, {
      method: 'POST',
      headers: { authorization: headers.authorization ?? '' },
      body: new URLSearchParams(search),
    })
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
  })
})
afterAll(async () => {
  await bridge.close()
  await close()
})

type Args = { readonly [key: string]: Json }
const ofBridge = () => createSlackTool({ baseUrl: bridge.origin })

const call = (action: string, args: Args = {}) =>
  callTool(ofBridge(), `slack.${action}`, args, { exemptOrigins: [bridge.origin], credential: CREDENTIAL })

/** What the tool reports beside the result; undefined where that is as its declaration says. */
async function levelOf(channel: string): Promise<string | undefined> {
  const tool = ofBridge()
  const http = startClient({ hosts: tool.manifest.network, exemptOrigins: [bridge.origin] })
  const action = 'slack.read_channel'
  const capability = tokenFor(action)
  const read = await tool.execute({ action, args: { channel }, capability, credential: CREDENTIAL, http })
  return read.ok ? read.level : read.reason.code
}

async function idOf(name: string): Promise<string> {
  const listed = Object(await post('conversations.list', { types: 'public_channel,private_channel' }))
  return listed.channels.find((one: { readonly name: string }) => one.name === name).id
}

describe('against the emulator', () => {
  it('a token is tried by whose it is', async () => {
    const tool = createSlackTool({ baseUrl: bridge.origin })
    const http = startClient({ hosts: tool.manifest.network, exemptOrigins: [bridge.origin] })
    expect(await tool.check?.({ credential: CREDENTIAL, http })).toEqual({ ok: true, value: 'ada' })
  })

  it('a channel is read by its name, oldest first, with the names of who wrote', async () => {
    const channel = await idOf('general')
    await post('chat.postMessage', { channel, text: 'the slates are here' })
    await post('chat.postMessage', { channel, text: 'who lifts them? 🧱 &amp; when?' })
    const output = outputOf(await call('read_channel', { channel: '#general' }))
    expect(output).toMatchObject({ conversation: channel, kind: 'public', where: 'general' })
    const texts = (output['messages'] as readonly { readonly text: string }[]).map(({ text }) => text)
    expect(texts.slice(-2)).toEqual(['the slates are here', 'who lifts them? 🧱 & when?'])
  })

  it('it is gone on with by its own mark', async () => {
    const first = outputOf(await call('read_channel', { channel: '#general', count: 1 }))
    expect(first).toMatchObject({ more: true, next: expect.any(String) })
    const older = String(first['next'])
    const second = outputOf(await call('read_channel', { channel: '#general', count: 1, older }))
    expect(second['messages']).toMatchObject([{ text: 'the slates are here' }])
  })

  it('what is said in a private channel is more private than in a public one', async () => {
    const made = Object(await post('conversations.create', { name: 'board', is_private: 'true' }))
    await post('chat.postMessage', { channel: made.channel.id, text: 'between us' })
    const read = await call('read_channel', { channel: '#board' })
    expect(outputOf(read)).toMatchObject({ kind: 'private', messages: [{ text: 'between us' }] })
    expect([await levelOf('#board'), await levelOf('#general')]).toEqual(['sensitive', undefined])
  })

  it('a chat with a person is found by that name', async () => {
    const users = Object(await post('users.list', {})).members
    const sarah = users.find((one: { readonly name: string }) => one.name === 'sarah').id
    const opened = Object(await post('conversations.open', { users: sarah }))
    await post('chat.postMessage', { channel: opened.channel.id, text: 'see you at nine' })
    const read = await call('read_channel', { channel: 'Sarah Miller' })
    expect(outputOf(read)).toMatchObject({ kind: 'direct', messages: [{ text: 'see you at nine' }] })
    expect(await levelOf('Sarah Miller')).toBe('sensitive')
  })

  it('a thread is read by the link of a message in it', async () => {
    const channel = await idOf('general')
    const { ts } = Object(await post('chat.postMessage', { channel, text: 'who has the key?' }))
    await post('chat.postMessage', { channel, text: 'I do', thread_ts: ts })
    const thread = `https://acme.slack.com/archives/${channel}/p${String(ts).replace('.', '')}`
    expect(outputOf(await call('read_thread', { thread }))).toMatchObject({
      messages: [{ text: 'who has the key?' }, { text: 'I do' }],
    })
  })

  it('a channel that is not there is not found', async () => {
    expect(await call('read_channel', { channel: '#nowhere' })).toMatchObject({
      reason: { code: 'remote_not_found' },
    })
  })

  it('all of its methods that the emulator has were asked', () => {
    expect([...new Set(asked)].sort()).toEqual(
      ['auth.test', 'conversations.history', 'conversations.info', 'conversations.list']
        .concat(['conversations.replies', 'users.info', 'users.list'])
        .map((method) => `/api/${method}`),
    )
  })
})

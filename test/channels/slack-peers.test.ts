/**
 * Both ends against third-party implementations: Slack's own client against the scripted Slack, which must be as strict as the real
 * one, and the line's client against another implementation of the Web API.
 */

import { LogLevel, SocketModeClient } from '@slack/socket-mode'
import { WebClient } from '@slack/web-api'
import { createEmulator } from 'emulate'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFetchTransport } from '../../durable-objects/platform/fetch-transport.ts'
import { createSlackApi, identityOf } from '../../integrations/channels/slack/api.ts'
import {
  type ScriptedSlack,
  SLACK_APP_TOKEN,
  SLACK_BOT_TOKEN,
  SLACK_DM,
  SLACK_OWNER,
  startSlack,
} from '../fakes/slack-server.ts'
import { until } from '../home/fixtures/wait.ts'
import { freePort } from '../kit/server.ts'

describe('Slack’s own client against the scripted Slack', () => {
  let slack: ScriptedSlack
  beforeAll(async () => {
    slack = await startSlack(500)
  })
  afterAll(() => slack.close())
  const options = () => ({ slackApiUrl: `${slack.origin}/api/`, allowAbsoluteUrls: false })

  it('Slack’s client receives messages and taps, acknowledges them, and receives unacknowledged ones again', async () => {
    const client = new SocketModeClient({
      ...{ appToken: SLACK_APP_TOKEN, clientOptions: options(), logLevel: LogLevel.ERROR },
    })
    const heard: string[] = []
    client.on('message', async ({ ack, event, retry_num: retry }) => {
      heard.push(`${event.text} ${String(retry ?? 0)}`)
      if (event.text !== 'twice' || retry > 0) await ack()
    })
    client.on('interactive', async ({ ack, body }) => {
      heard.push(String(body.actions[0].action_id))
      await ack()
    })
    await client.start()
    slack.write(SLACK_OWNER, 'once')
    slack.write(SLACK_OWNER, 'twice')
    const button = { type: 'button', action_id: 'x', text: { text: 'Yes' } } as const
    const blocks = [{ type: 'actions', elements: [button] }]
    slack.tap({ ts: '1.000001', channel: SLACK_DM, text: '', byBot: true, blocks }, 'Yes')
    await until(() => slack.acknowledged.length === 3)
    slack.disconnect('refresh_requested')
    await until(() => slack.addresses.length === 2)
    slack.write(SLACK_OWNER, 'later')
    await until(() => heard.includes('later 0'))
    await client.disconnect()
    expect([heard.sort(), slack.faults]).toEqual([['later 0', 'once 0', 'twice 0', 'twice 1', 'x'], []])
  })

  it('Slack’s client posts, edits and deletes a message', async () => {
    const web = new WebClient(SLACK_BOT_TOKEN, {
      ...options(),
      logLevel: LogLevel.ERROR,
      retryConfig: { retries: 0 },
    })
    expect(await web.auth.test()).toMatchObject({ ok: true, team_id: 'T0TEAM' })
    const blocks = [
      { type: 'section' as const, text: { type: 'mrkdwn' as const, text: '*hello*', verbatim: true } },
    ]
    const quiet = { unfurl_links: false, unfurl_media: false }
    const { ts = '' } = await web.chat.postMessage({ channel: SLACK_DM, text: 'hello', blocks, ...quiet })
    await web.chat.update({ channel: SLACK_DM, ts, text: 'bye', blocks })
    expect(slack.messages.get(ts)).toMatchObject({ text: 'bye', blocks })
    await web.chat.delete({ channel: SLACK_DM, ts })
    await expect(web.chat.delete({ channel: SLACK_DM, ts })).rejects.toMatchObject({
      data: { error: 'message_not_found' },
    })
  })
})

describe('the line’s client against another Web API', () => {
  it('the line’s client reads its identity, posts, edits and deletes a message', async () => {
    const port = await freePort()
    const token = 'xoxb-token-of-the-bot'
    const emulator = await createEmulator({
      service: 'slack',
      port,
      seed: { tokens: { [token]: { login: 'U000000001', scopes: ['chat:write'] } } },
    })
    const origin = `http://127.0.0.1:${port}`
    const api = createSlackApi({ token, origin, transport: createFetchTransport() })
    expect(await identityOf(api)).toMatchObject({ ok: true, value: { team: expect.stringMatching(/^T/) } })
    const listed = (await (
      await fetch(`${origin}/api/conversations.list`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
      })
    ).json()) as { readonly channels: readonly { readonly id: string }[] }
    const channel = listed.channels[0]?.id ?? ''
    const blocks = [{ type: 'section', text: { type: 'mrkdwn', text: '*hello*', verbatim: true } }]
    const sent = await api.call('chat.postMessage', { channel, text: 'hello', blocks, unfurl_links: false })
    if (!sent.ok) throw new Error(JSON.stringify(sent.reason))
    const { ts } = sent.value as { readonly ts: string }
    expect(ts).toMatch(/^\d{1,12}\.\d{1,6}$/)
    expect(await api.call('chat.update', { channel, ts, text: 'bye', blocks })).toMatchObject({ ok: true })
    expect(await api.call('chat.delete', { channel, ts })).toMatchObject({ ok: true })
    expect(await api.call('chat.delete', { channel, ts })).toMatchObject({
      reason: { code: 'remote_rejected', facts: { why: 'gone' } },
    })
    await emulator.close()
  })
})

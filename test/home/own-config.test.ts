/** A home that was started with the demo beside its owner's configuration does what a command has just written into the owner's file. */
import { copyFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { SLACK_CHANNEL } from '../../integrations/channels/slack/channel.ts'
import { tableFile } from '../../sidecar/deploy/channel-setting.ts'
import { connectClient, spawnHome, stateFolder } from './fixtures/process.ts'
import { until } from './fixtures/wait.ts'

const folder = stateFolder('[owner]\ntimezone = "Europe/Berlin"\n')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('a line at Slack that is set up while the demo runs is listened to at once, and its end, too', async () => {
  const own = join(folder, 'config.toml')
  const demo = join(folder, 'demo.toml')
  copyFileSync(own, demo)
  const home = spawnHome(folder, { PFAR_CONFIG_PATH: demo, PFAR_OWN_CONFIG: own })
  await until(() => home.stdout().includes('home ready'), 30_000)
  const client = await connectClient(home.socket)
  const slack = { team: 'T1ABC', owner: 'U1ABC', app: 'A1ABC', chat: 'D1ABC', api: 'http://127.0.0.1:9' }
  expect(tableFile(SLACK_CHANNEL, own).write(slack)).toBe(true)
  expect(await client.ask('channel_reload', { channel: 'slack' })).toMatchObject({
    result: { listens: true },
  })
  const { result } = await client.ask('status')
  expect(result).toHaveProperty('slack')
  writeFileSync(own, '')
  expect(await client.ask('channel_reload', { channel: 'slack' })).toMatchObject({
    result: { listens: false },
  })
  client.socket.destroy()
  home.child.kill('SIGTERM')
  await home.ended
})

/** A home that runs with the demo's configuration applies what a command has written into the owner's own file. */
import { copyFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { SLACK_CHANNEL } from '../../integrations/channels/slack/channel.ts'
import { tableFile } from '../../sidecar/config/config-edit.ts'
import { connectClient, spawnHome, stateFolder } from './fixtures/process.ts'
import { until } from './fixtures/wait.ts'

const folder = stateFolder('[owner]\ntimezone = "Europe/Berlin"\n')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('a connection to Slack that is configured while the demo runs starts at once, and ends at once', async () => {
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

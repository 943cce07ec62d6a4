/**
 * The edge's own process as `npm start` runs it, with the product's Worker and a scripted Telegram that brings updates to its webhook: the
 * owner's question is answered in his chat, what Telegram brings twice is answered once, and a kill loses nothing (H-03, B-24, B-25).
 */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Bundle } from '../../bench/runtime.ts'
import { type Asked, type ScriptedTelegram, startTelegram } from '../fakes/telegram-server.ts'
import { BOT_TOKEN } from '../fakes/telegram-token.ts'
import { messageFrom, OWNER_ID, SECRET, update } from '../fakes/telegram-updates.ts'
import { until } from '../home/fixtures/wait.ts'
import { bundleFakes, edgeOrigin, layBundle } from './chaos-edge.ts'
import { createBench } from './terminal-bench.ts'

/** Milliseconds that an answer may take on a busy machine. */
const SOON = 30_000

const bench = createBench()
let telegram: ScriptedTelegram
let made: Bundle

beforeAll(async () => {
  telegram = await startTelegram()
  made = await bundleFakes({ entry: 'worker/index.ts' })
  const setting = { owner: OWNER_ID, api: telegram.origin }
  layBundle({
    ...{ folder: bench.folder, made },
    bindings: { TELEGRAM: JSON.stringify(setting), TELEGRAM_TOKEN: BOT_TOKEN, TELEGRAM_SECRET: SECRET },
  })
  await start()
})

afterAll(async () => {
  await bench.stop()
  await bench.remove()
  await telegram.close()
  made.remove()
})

/** As the owner does by hand: the webhook, at this edge, with the secret. */
async function start(): Promise<void> {
  await bench.start('--only', 'edge', '--no-demo')
  const body = JSON.stringify({ url: `${edgeOrigin(bench.folder)}/telegram/open`, secret_token: SECRET })
  const set = await fetch(`${telegram.origin}/bot${BOT_TOKEN}/setWebhook`, { method: 'POST', body })
  expect(await set.json()).toMatchObject({ ok: true })
}

/** What the bot has said in a chat. */
const said = (chat: number): readonly string[] =>
  [...telegram.messenger.messages.values()]
    .filter((one) => one.byBot && one.chat === chat)
    .map(({ text }) => text)

/** The owner writes; the update that Telegram brings. */
function write(text: string): object {
  const id = telegram.write(OWNER_ID, text)
  return update(messageFrom(OWNER_ID, text, { message_id: id }))
}

test('the owner is answered in his chat', async () => {
  expect(await telegram.bring(write('what can you do?'))).toBe(200)
  await until(() => said(OWNER_ID).length === 1, SOON)
  expect(said(OWNER_ID)[0]).toMatch(/free/)
})

test('what Telegram brings again is answered once, also after the edge was killed', async () => {
  const question = write('hello')
  expect(await telegram.bring(question)).toBe(200)
  expect(await telegram.bring(question)).toBe(200)
  await until(() => said(OWNER_ID).length === 2, SOON)
  await bench.kill()
  await start()
  expect(await telegram.bring(question)).toBe(200)
  expect(await telegram.bring(write('hello once more'))).toBe(200)
  await until(() => said(OWNER_ID).length === 3, SOON)
  expect(telegram.transcript.filter(({ method }) => method === 'sendMessage')).toHaveLength(3)
})

test('what was taken before a kill is answered after it', async () => {
  telegram.order({ refuse: { code: 429, times: 1, after: 1 } })
  expect(await telegram.bring(write('are you there?'))).toBe(200)
  await until(() => telegram.transcript.some(({ refused }) => refused !== null), SOON)
  await bench.kill()
  await start()
  await until(() => said(OWNER_ID).length === 4, SOON)
})

test('a key that was pasted goes from the chat, also after a kill in between (H-16)', async () => {
  const key = `ghp_${'a1B2c3D4'.repeat(4)}e5F6`
  const standing = (): boolean =>
    [...telegram.messenger.messages.values()].some(({ text }) => text.includes(key))
  telegram.order({ refuse: { code: 429, times: 2, after: 1 } })
  expect(await telegram.bring(write(`my token is ${key}`))).toBe(200)
  const deletions = (): readonly Asked[] =>
    telegram.transcript.filter(({ method }) => method === 'deleteMessage')
  await until(() => deletions().some(({ refused }) => refused !== null), SOON)
  await bench.kill()
  expect(standing()).toBe(true)
  await start()
  await until(() => !standing(), SOON)
  expect(deletions().at(-1)?.refused).toBeNull()
  expect(said(OWNER_ID).join()).not.toContain(key)
})

test('a stranger hears nothing, and a wrong secret is no Telegram', async () => {
  const heard = said(OWNER_ID).length
  telegram.write(66, 'hello')
  expect(await telegram.bring(update(messageFrom(66, 'hello')))).toBe(200)
  telegram.messenger.webhook = { url: telegram.messenger.webhook?.url ?? '', secret: 'x'.repeat(40) }
  expect(await telegram.bring(write('hello'))).toBe(401)
  expect([said(66), said(OWNER_ID).length]).toEqual([[], heard])
})

test('the token is in nothing that was written down, but where it was set (H-04)', () => {
  const secretPart = BOT_TOKEN.split(':')[1] ?? ''
  const found = execFileSync('sh', ['-c', `grep -rlF -- '${secretPart}' '${bench.folder}' || true`], {
    encoding: 'utf8',
  })
  const files = found.split('\n').filter((name) => name !== '')
  expect(files.filter((name) => !name.endsWith('options.json'))).toEqual([])
  const logs = join(bench.folder, 'logs')
  for (const log of readdirSync(logs)) expect(readFileSync(join(logs, log), 'utf8')).not.toContain(secretPart)
})

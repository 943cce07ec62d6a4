/**
 * The edge's own process as `npm start` runs it, with the product's Worker and a scripted Telegram that
 * brings updates to its webhook: the owner's question is answered in the owner's chat, what Telegram brings twice is
 * answered once, and a kill loses nothing (H-03, B-24, B-25).
 */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { tell } from '../../kernel/wording/words.ts'
import type { Asked } from '../fakes/telegram-server.ts'
import { BOT_TOKEN } from '../fakes/telegram-token.ts'
import { messageFrom, OWNER_ID, update } from '../fakes/telegram-updates.ts'
import { until } from '../home/fixtures/wait.ts'
import { createEdgeBot, type EdgeBot } from './edge-bot.ts'

/** Milliseconds that an answer may take on a busy machine. */
const SOON = 30_000

let bot: EdgeBot
beforeAll(async () => {
  // As `npm start` of a checkout, in which no `pfar` is on the path.
  bot = await createEdgeBot({ env: { npm_lifecycle_event: 'start' } })
  await start()
})
afterAll(() => bot.close())

const start = (): Promise<void> => bot.start('--only', 'edge', '--no-demo')
const write = (text: string): object => bot.written(OWNER_ID, text)

test('a message of the owner is answered in the chat of the owner', async () => {
  expect(await bot.telegram.bring(write('what can you do?'))).toBe(200)
  await until(() => bot.said(OWNER_ID).length === 1, SOON)
  expect(bot.said(OWNER_ID)[0]).toMatch(/free/)
})

test('what Telegram brings again is answered once, also after the edge was killed', async () => {
  const question = write('hello')
  expect(await bot.telegram.bring(question)).toBe(200)
  expect(await bot.telegram.bring(question)).toBe(200)
  await until(() => bot.said(OWNER_ID).length === 2, SOON)
  await bot.settled()
  await bot.bench.kill()
  await start()
  expect(await bot.telegram.bring(question)).toBe(200)
  expect(await bot.telegram.bring(write('hello once more'))).toBe(200)
  await until(() => bot.said(OWNER_ID).length === 3, SOON)
  expect(bot.telegram.transcript.filter(({ method }) => method === 'sendMessage')).toHaveLength(3)
})

/** Without the sentence before a text that may have come already. */
const answers = (): readonly string[] =>
  bot.said(OWNER_ID).filter((text) => text !== tell('deliveries.again'))

test('what was taken before a kill is answered after it', async () => {
  bot.telegram.order({ refuse: { code: 429, times: 1, after: 1 } })
  expect(await bot.telegram.bring(write('are you there?'))).toBe(200)
  await until(() => bot.telegram.transcript.some(({ refused }) => refused !== null), SOON)
  await bot.bench.kill()
  await start()
  await until(() => answers().length === 4, SOON)
})

test('a key that was pasted goes from the chat, also after a kill in between (H-16)', async () => {
  const key = `ghp_${'a1B2c3D4'.repeat(4)}e5F6`
  const standing = (): boolean =>
    [...bot.telegram.messenger.messages.values()].some(({ text }) => text.includes(key))
  bot.telegram.order({ refuse: { code: 429, times: 2, after: 1 } })
  expect(await bot.telegram.bring(write(`my token is ${key}`))).toBe(200)
  const deletions = (): readonly Asked[] =>
    bot.telegram.transcript.filter(({ method }) => method === 'deleteMessage')
  await until(() => deletions().some(({ refused }) => refused !== null), SOON)
  await bot.bench.kill()
  expect(standing()).toBe(true)
  await start()
  await until(() => !standing(), SOON)
  expect(deletions().at(-1)?.refused).toBeNull()
  await until(() => answers().length === 5, SOON)
  expect(bot.said(OWNER_ID).join()).not.toContain(key)
  expect(answers().at(-1)).toContain('`npm run pfar -- secret set`')
})

test('a stranger hears nothing, and a wrong secret is no Telegram', async () => {
  const heard = bot.said(OWNER_ID).length
  bot.telegram.write(66, 'hello')
  expect(await bot.telegram.bring(update(messageFrom(66, 'hello')))).toBe(200)
  bot.telegram.messenger.webhook = { url: bot.telegram.messenger.webhook?.url ?? '', secret: 'x'.repeat(40) }
  expect(await bot.telegram.bring(write('hello'))).toBe(401)
  expect([bot.said(66), bot.said(OWNER_ID).length]).toEqual([[], heard])
})

test('the token is in nothing that was written down, but where it was set (H-04)', () => {
  const secretPart = BOT_TOKEN.split(':')[1] ?? ''
  const found = execFileSync('sh', ['-c', `grep -rlF -- '${secretPart}' '${bot.bench.folder}' || true`], {
    encoding: 'utf8',
  })
  const files = found.split('\n').filter((name) => name !== '')
  expect(files.filter((name) => !name.endsWith('options.json'))).toEqual([])
  const logs = join(bot.bench.folder, 'logs')
  for (const log of readdirSync(logs)) expect(readFileSync(join(logs, log), 'utf8')).not.toContain(secretPart)
})

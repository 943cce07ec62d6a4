/**
 * "connect telegram", said to the edge's bot (H-13, L-12, L-15), in real processes: the token of home's bot
 * goes home sealed, its owner accepts it there and proves who is writing by a code that home alone shows. The
 * edge keeps and learns nothing of either.
 */
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PRIVATE_TOKEN } from '../fakes/telegram-token.ts'
import { messageFrom, OWNER_ID, update } from '../fakes/telegram-updates.ts'
import { until } from '../home/fixtures/wait.ts'
import { SOON } from './chaos-bench.ts'
import { startTwoLines, type TwoLines } from './private-bot.ts'

const MAIN = fileURLToPath(new URL('../../sidecar/cli/main.js', import.meta.url))
const CODE = /[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}/

let lines: TwoLines
beforeAll(async () => {
  lines = await startTwoLines()
  await lines.startHome()
  await until(async () => (await status())['tunnel'] === 'up', SOON)
})
afterAll(() => lines.close())

const status = async (): Promise<Record<string, unknown>> =>
  ((await lines.ask('status')).result ?? {}) as Record<string, unknown>

const said = (): readonly string[] =>
  [...lines.open.messenger.messages.values()].filter(({ byBot }) => byBot).map((one) => one.text)

/** The owner writes to the edge's bot; returns the next message that matches. */
async function writes(words: string, expected: RegExp): Promise<string> {
  const before = said().length
  const id = lines.open.write(OWNER_ID, words)
  expect(await lines.open.bring(update(messageFrom(OWNER_ID, words, { message_id: id })))).toBe(200)
  return until(
    () =>
      said()
        .slice(before)
        .find((one) => expected.test(one)),
    SOON,
  )
}

/** The next matching message at the owner's terminal. */
const told = (expected: RegExp): Promise<string> =>
  until(async () => {
    const rows = (await lines.ask('deliveries', { after: 0 })).result as readonly { readonly text: string }[]
    return rows.find((row) => expected.test(row.text))?.text
  }, SOON)

async function accept(...check: string[]): Promise<string> {
  const { PATH = '' } = process.env
  const child = spawn(process.execPath, [MAIN, 'secret', 'accept', 'telegram', ...check], {
    env: { PATH, PFAR_HOME: lines.folder },
  })
  child.stdin.end()
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)])
  return out + err
}

test('the token is asked for there, goes home sealed, and its message goes', async () => {
  const asked = await writes('connect telegram', /@BotFather/)
  expect(asked).toMatch(/sealed for your home box at once, and you accept it there/)
  await writes(PRIVATE_TOKEN, /on its way home[\s\S]*pfar secret accept telegram/)
  await until(
    () => [...lines.open.messenger.messages.values()].every((one) => !one.text.includes(PRIVATE_TOKEN)),
    SOON,
  )
  expect(await status()).not.toHaveProperty('telegram')
})

test('accepted at home, its code is said there alone, and home’s bot listens to whoever sends it', async () => {
  const shown = await until(async () => {
    const found = await accept()
    return /secret accept telegram (\S+)/.exec(found)
  }, SOON)
  await accept(shown[1] ?? '')
  const code = CODE.exec(await told(CODE))?.[0] ?? ''
  lines.mine.write(OWNER_ID, code)
  await told(/^Telegram is active: I listen to @\w+ from now on/)
  await until(async () => (await status())['telegram'] === 'listens', SOON)
  expect(JSON.stringify([said(), lines.open.transcript])).not.toContain(code)
})

test('the edge has heard that it is there: said again, nothing is asked', async () => {
  const told = /"type":"self".*"name":"telegram"/
  await until(async () => lines.passed.some((frame) => told.test(frame.toString())), SOON)
  await writes('connect telegram', /^Telegram is connected already: your home box listens there/)
  expect(said().filter((one) => one.includes('@BotFather'))).toHaveLength(1)
})

test('nothing of the token lies at the edge, nor was anything of it printed', async () => {
  await lines.stopHome()
  await lines.bench.stop()
  const secret = PRIVATE_TOKEN.split(':')[1] ?? ''
  const pieces = [...lines.edgeFiles(), { name: 'printed', bytes: Buffer.from(lines.printed()) }]
  expect(pieces.length).toBeGreaterThan(3)
  expect(pieces.filter(({ bytes }) => bytes.includes(secret)).map(({ name }) => name)).toEqual([])
})

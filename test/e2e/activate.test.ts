/**
 * A running home is given its Telegram bot in a conversation at the terminal (H-13, H-14, L-11 – L-18, M-26,
 * M-28), in real processes with the scripted Bot API: wrong tokens, a restart in the middle, the line that
 * listens without one, and leaving it again.
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LEAST_BETWEEN } from '../../kernel/self/keeper.ts'
import { type FakeOllama, startOllama } from '../fakes/ollama.ts'
import { type ScriptedTelegram, startTelegram } from '../fakes/telegram-server.ts'
import { PRIVATE_TOKEN } from '../fakes/telegram-token.ts'
import { fresh, OWNER_ID } from '../fakes/telegram-updates.ts'
import { connectClient, type HomeProcess, type Message, spawnHome } from '../home/fixtures/process.ts'
import { until } from '../home/fixtures/wait.ts'
import { filesIn } from '../regression/files.ts'
import { type Installed, install } from './canary-install.ts'
import { SOON } from './chaos-bench.ts'
import { type Bench, createBench } from './terminal-bench.ts'

interface Row {
  readonly kind: string
  readonly text: string
  readonly approval: string | null
  readonly seq: number
}

const CODE = /[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}/

let bench: Bench
let installed: Installed
let bot: ScriptedTelegram
let ollama: FakeOllama
let running: HomeProcess | null = null

beforeAll(async () => {
  bench = createBench()
  bot = await startTelegram(PRIVATE_TOKEN)
  installed = install(bench.folder, 'http://127.0.0.1:9')
  ollama = await startOllama([{ name: 'tiny:1b', bytes: 1, window: 16_384 }], ({ format }) =>
    format === undefined ? 'As you wish.' : '{"steps":[],"explanation":""}',
  )
  const model = ['[[models.providers]]', 'name = "own"', 'kind = "ollama"', 'model = "tiny:1b"']
  const lines = [...model, `base_url = "${ollama.url}"`, 'window = 16384', '']
  appendFileSync(join(bench.folder, 'config.toml'), `\n${lines.join('\n')}`)
  await start()
})
afterAll(async () => {
  await end('SIGKILL')
  await bot.close()
  await ollama.close()
  await bench.remove()
  installed.remove()
})

async function start(): Promise<void> {
  const home = spawnHome(bench.folder, { ...installed.environment, PFAR_TELEGRAM_API: bot.origin })
  running = home
  let over = false
  void home.ended.then(() => {
    over = true
  })
  await until(() => over || home.stdout().includes('home ready'), SOON)
  if (over) throw new Error(home.stderr())
}

async function end(signal: NodeJS.Signals): Promise<void> {
  running?.child.kill(signal)
  await running?.ended
  running = null
}

async function ask(method: string, params: Message = {}): Promise<Message> {
  const client = await connectClient(join(bench.folder, 'home.sock'))
  const answer = await client.ask(method, params)
  client.socket.destroy()
  return answer
}

const rows = async (): Promise<readonly Row[]> =>
  (await ask('deliveries', { after: 0 }))['result'] as readonly Row[]
let turn = 0
/** The owner types at the terminal; returns the next message that matches. */
async function says(text: string, expected: RegExp): Promise<Row> {
  const before = (await rows()).at(-1)?.seq ?? 0
  turn += 1
  await ask('send', { id: `m${turn}`, text })
  return until(async () => (await rows()).find((row) => row.seq > before && expected.test(row.text)), SOON)
}
/** What the assistant is told of where it is reached, once its picture may be taken anew. */
async function reached(): Promise<string> {
  await new Promise((resolve) => setTimeout(resolve, LEAST_BETWEEN + 100))
  await says('please juggle the lanterns of Ines', /^As you wish\./)
  const prompt = JSON.stringify(ollama.chats.at(-1)?.messages)
  return /People reach you through: ([^.]*)/.exec(prompt)?.[1] ?? ''
}
const told = (expected: RegExp, after = 0): Promise<Row> =>
  until(async () => (await rows()).findLast((row) => row.seq > after && expected.test(row.text)), SOON)
const status = async (): Promise<Message> => (await ask('status'))['result'] as Message
const config = (): string => readFileSync(join(bench.folder, 'config.toml'), 'utf8')
const secrets = async (): Promise<string> => JSON.stringify((await status())['secrets'])
const standing = (): readonly string[] =>
  [...bot.messenger.messages.values()]
    .filter((one) => one.byBot && one.chat === OWNER_ID)
    .map((one) => one.text)
const nothingKept = async (): Promise<void> => {
  expect(await secrets()).not.toContain('telegram')
  expect(config()).not.toContain('[telegram]')
  expect(await status()).not.toHaveProperty('telegram')
}

const WELCOME = /^You are connected: this chat at Telegram is your private line/

describe('before it is active', () => {
  test('what can be connected says so, and what has no adapter is said to have none', async () => {
    await says('/connect', /^\/connect telegram: Telegram \(not active\)$/m)
    await says('connect whatsapp', /^I have no adapter for WhatsApp/)
    await says('disconnect telegram', /^Telegram is not active\./)
  })

  test('"cancel" leaves it', async () => {
    await says('connect telegram', /@BotFather[\s\S]*pfar connect telegram/)
    await says('cancel', /./)
    await until(
      async () =>
        JSON.stringify(await ask('operation', { operation: 'approvals.list' })).includes(
          'connect.telegram',
        ) === false,
      SOON,
    )
    await nothingKept()
  })

  test('a wrong token is said to be one, three times at most, and nothing is kept (L-18)', async () => {
    await says('please connect telegram', /@BotFather/)
    for (const left of [/2 more tries/, /one more try/, /I ask no more/])
      await says(PRIVATE_TOKEN.replace('5151', '5152'), left)
    await nothingKept()
  })

  test('a bot that has a webhook is another line', async () => {
    bot.messenger.webhook = { url: 'https://other.example.com/', secret: '' }
    await says('/connect telegram', /@BotFather/)
    await says(PRIVATE_TOKEN, /a webhook or is asked, never both/)
    bot.messenger.webhook = null
    await says('cancel', /./)
    await nothingKept()
  })

  test('after the token the owner is asked to prove the account; "cancel" then forgets the token (L-16)', async () => {
    await says('connect telegram', /@BotFather/)
    expect((await says(PRIVATE_TOKEN, CODE)).text).toMatch(/it opens @\w+/)
    expect(await secrets()).toContain('telegram')
    await says('cancel', /./)
    await until(async () => !(await secrets()).includes('telegram'), SOON)
    await nothingKept()
  })
})

describe('activated', () => {
  let code = ''

  test('through a restart in the middle, by the same code, without another (M-28)', async () => {
    await says('turn telegram on', /@BotFather/)
    const asked = await says(PRIVATE_TOKEN, CODE)
    code = CODE.exec(asked.text)?.[0] ?? ''
    await end('SIGKILL')
    // Messages that are sent meanwhile are found.
    bot.write(66, code.replace(/.$/, '#'))
    bot.write(OWNER_ID, code)
    await start()
    await told(/^Telegram is active: I listen to @\w+ from now on/, asked.seq)
    expect(config()).toContain(`[telegram]\nowner = ${OWNER_ID}\nbot = 5151\n`)
    await until(async () => (await status())['telegram'] === 'listens', SOON)
  })

  test('it is answered there at once, and the code was no message', async () => {
    const { pid } = running?.child ?? {}
    bot.write(OWNER_ID, 'hello')
    await until(() => standing().length === 2 && !standing()[1]?.endsWith('…'), SOON)
    // The chat that the code came by was told that it is connected.
    expect(standing()[0]).toMatch(WELCOME)
    expect(running?.child.pid).toBe(pid)
    await says('/connect', /^\/connect telegram: Telegram \(active\)$/m)
    await says('connect telegram', /active already/)
  })

  test('a chat is left only after the owner approved a card, and nothing of it stays (H-14)', async () => {
    const card = await says('turn off telegram', /^Shall I leave Telegram\?/)
    expect(card.kind).toBe('card')
    expect(await status()).toHaveProperty('telegram')
    await ask('operation', { operation: 'approvals.approve', args: { which: card.approval } })
    await told(/^Telegram is not active any more/, card.seq)
    await nothingKept()
    const before = standing()
    bot.write(OWNER_ID, 'hello?')
    // The question that was held ended with the line: whoever asked anew would be answered this at once.
    await says('hello', /./)
    expect(standing()).toEqual(before)
    expect(JSON.stringify(bot.messenger.queue.at(-1))).toContain('hello?')
  })

  test('anew, in the running home; and left by a tap in its own chat', async () => {
    const { pid } = running?.child ?? {}
    await says('connect telegram', /@BotFather/)
    const asked = await says(PRIVATE_TOKEN, CODE)
    expect(await reached()).not.toContain('telegram')
    bot.write(OWNER_ID, CODE.exec(asked.text)?.[0] ?? '')
    await told(/^Telegram is active/, asked.seq)
    expect(await reached()).toContain('telegram')
    bot.write(OWNER_ID, 'disconnect telegram')
    const card = await until(
      () => [...bot.messenger.messages.values()].find(({ markup, byBot }) => byBot && markup !== undefined),
      SOON,
    )
    // Messages sent before the chat was connected, and the code, are no messages of this line.
    expect(
      standing().filter((text) => !/leave Telegram|ask you first/.test(text) && !WELCOME.test(text)),
    ).toHaveLength(1)
    expect(standing().filter((text) => WELCOME.test(text))).toHaveLength(2)
    const yes = (card.markup?.inline_keyboard ?? []).flat().find(({ text }) => text === 'Yes')
    const data = yes !== undefined && 'callback_data' in yes ? yes.callback_data : ''
    const id = String(fresh())
    bot.messenger.queries.add(id)
    const message = { message_id: card.id, date: 1, chat: { id: card.chat, type: 'private' } }
    bot.push({
      callback_query: { id, from: { id: OWNER_ID, is_bot: false, first_name: 'X' }, data, message },
    })
    // The chat has ended: the owner is told at the terminal.
    await told(/^Telegram is not active any more/, asked.seq)
    await nothingKept()
    expect(standing()).toContainEqual(
      expect.stringMatching(/^Shall I leave Telegram\?[\s\S]*You said yes\.$/),
    )
    expect(await reached()).not.toContain('telegram')
    expect(running?.child.pid).toBe(pid)
  })
})

test('the token is in no file, log or delivery (L-13)', async () => {
  const secret = PRIVATE_TOKEN.split(':')[1] ?? ''
  const printed = `${running?.stdout()}${running?.stderr()}`
  expect(JSON.stringify(await rows()) + printed).not.toContain(secret)
  await end('SIGTERM')
  for (const name of filesIn(bench.folder))
    if (existsSync(join(bench.folder, name)))
      expect([name, readFileSync(join(bench.folder, name)).includes(secret)]).toEqual([name, false])
})

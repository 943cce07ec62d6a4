/**
 * `pfar init` as a person meets it, on a terminal of its own: from an empty folder to the first answer by at
 * most eight questions, killed at each of them and run again; with an edge and a bot; and with a cloud, which
 * reads nothing private without two yeses (S-18, D-03, F-17).
 */

import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CloudflareApi, startCloudflare } from '../fakes/cloudflare-api.ts'
import { type FakeOllama, startOllama } from '../fakes/ollama.ts'
import { type ScriptedTelegram, startTelegram } from '../fakes/telegram-server.ts'
import { BOT_TOKEN } from '../fakes/telegram-token.ts'
import { OWNER_ID } from '../fakes/telegram-updates.ts'
import { until } from '../home/fixtures/wait.ts'
import { newFolder } from '../kit/folder.ts'
import { freePort } from '../kit/server.ts'
import { sampled } from '../kit/soak.ts'
import { closing } from '../kit/stop.ts'
import { filesIn } from '../regression/files.ts'
import { type OnTerminal, onTerminal } from './keys-bench.ts'
import { processesWith, run } from './terminal-bench.ts'

const SOON = 60_000
const ACCOUNT_TOKEN = 'a-token-of-the-owners-account'
/** Words that each question of the usual road has. */
const QUESTIONS = [
  /should I call you/,
  /Where are you/,
  /should your data be locked/,
  /Shall tiny plan/,
  /mail address is yours/,
  /Where is your calendar/,
  /on Cloudflare now/,
  /as a service/,
]
const ENTER: readonly [RegExp, string] = [/\] > $/, '']

let ollama: FakeOllama
let bin = ''

beforeAll(async () => {
  ollama = closing(await startOllama([{ name: 'tiny', bytes: 1_000_000, window: 32_768 }], () => null))
  bin = newFolder('e2e-init')
  // It would start a service of this very machine.
  writeFileSync(join(bin, 'systemctl'), '#!/bin/sh\nexit 1\n')
  chmodSync(join(bin, 'systemctl'), 0o755)
})

/** Nothing is there yet: `pfar init` makes it. */
const newHome = (): string => join(newFolder('e2e-init'), 'state')

const environmentOf = (home: string): Record<string, string> => ({
  ...{ PFAR_HOME: home, PFAR_UNITS: join(home, '../units'), NO_COLOR: '1' },
  PATH: `${bin}:${process.env['PATH'] ?? ''}`,
})

/** `answers`: what is typed at which question, before Enter is at all others; null types nothing. */
function init(
  home: string,
  answers: readonly (readonly [RegExp, string])[] | null = [],
  args = '',
): OnTerminal {
  const command = `scripts/pfar.mjs init --ollama ${ollama.url} ${args}`
  return onTerminal(command, environmentOf(home), answers === null ? [] : [...answers, ENTER])
}

const asked = (shown: string): number => shown.match(/\] > /g)?.length ?? 0

async function startChat(home: string, answers: readonly (readonly [RegExp, string])[]): Promise<OnTerminal> {
  const started = onTerminal('scripts/start.js --port 0 --no-demo --only home', environmentOf(home), answers)
  await until(() => started.shown().includes('free'), SOON)
  started.child.stdin?.write('\u0003\u0003')
  await started.ended
  return started
}

describe('on an empty folder', () => {
  const home = newHome()

  test('at most eight questions, Enter at each, then the first answer', async () => {
    const ran = init(home)
    expect(await ran.ended).toBe(0)
    expect(asked(ran.shown())).toBe(QUESTIONS.length)
    expect(QUESTIONS.length).toBeLessThanOrEqual(8)
    for (const question of QUESTIONS) expect(ran.shown()).toMatch(question)
    expect(ran.shown()).toMatch(/backups +with a key of your own: `pfar key init`, then `pfar backup init`/)
    // Chats that need no edge are told of, each with what connects it.
    for (const chat of ['channel connect telegram --private', 'channel connect slack'])
      expect(ran.shown()).toContain(`by your home box only: \`pfar ${chat}\``)
    expect(ran.shown()).toMatch(/Start it: +npm start\r?\nThen type: +what can you do\?/)
    expect(ran.shown()).toMatch(/search +duckduckgo; another one: `pfar search use`/)
    const config = readFileSync(join(home, 'config.toml'), 'utf8')
    expect(config).toContain('# PFAR, home')
    expect(config).toMatch(/^\[persona\]\nname = "PFAR"\n\n\[\[models\.providers\]\]\nname = "local"/m)
    const chat = await startChat(home, [[/> $/, 'what can you do?']])
    // None of the first conversation's own: eight are eight.
    expect(chat.shown()).not.toMatch(/We have not met|call you\?/)
  }, 180_000)

  test('again: what is there is shown, and what was left for later is asked', async () => {
    const ran = init(home)
    expect(await ran.ended).toBe(0)
    const before = readFileSync(join(home, 'config.toml'), 'utf8')
    expect(ran.shown()).toMatch(/names +I am PFAR/)
    expect(ran.shown()).toMatch(/Which search engine shall I ask\?[\s\S]*\[as it is\] >/)
    expect(readFileSync(join(home, 'config.toml'), 'utf8')).toBe(before)
  })
})

test.each(
  sampled(
    QUESTIONS.map((question, at) => [at, question] as const),
    3,
  ),
)('killed at question %d it goes on there', async (at, question) => {
  const home = newHome()
  const answered = QUESTIONS.slice(0, at).map(
    (one) => [new RegExp(`${one.source}[\\s\\S]*\\] > $`), ''] as const,
  )
  const first = onTerminal(`scripts/pfar.mjs init --ollama ${ollama.url}`, environmentOf(home), answered)
  await until(() => question.test(first.shown()) && /\] > [^\n]*$/.test(first.shown()), SOON)
  for (const pid of processesWith(`init --ollama ${ollama.url}`)) process.kill(pid, 'SIGKILL')
  await first.ended
  const second = init(home)
  expect(await second.ended).toBe(0)
  expect(asked(second.shown())).toBe(QUESTIONS.length - at)
  for (const earlier of QUESTIONS.slice(0, at)) expect(second.shown()).not.toMatch(earlier)
})

test('ctrl-C says how it goes on, and comments of its owner stay', async () => {
  const home = newHome()
  mkdirSync(home, { mode: 0o700 })
  const own = '# mine\n[owner]\ntimezone = "Europe/Lisbon" # here\n'
  writeFileSync(join(home, 'config.toml'), own)
  const ran = init(home, [
    [/I call you[\s\S]*\] > $/, 'Nora, Ada: dry'],
    [/should your data be locked[\s\S]*\] > $/, '\u0003'],
  ])
  expect(await ran.ended).toBe(1)
  expect(ran.shown()).toContain('`pfar init` goes on from here')
  expect(ran.shown()).toMatch(/time zone +Europe\/Lisbon, as config\.toml says/)
  const config = readFileSync(join(home, 'config.toml'), 'utf8')
  expect(config.startsWith(`${own}\n[persona]\n`)).toBe(true)
  expect(config).toContain('style = "dry"')
  expect(ran.shown()).toMatch(/names +you are Nora, I am Ada: dry/)
  // Sealed in their own file, and nowhere in plain.
  const brain = await run(['scripts/pfar.mjs', 'brain', 'show', 'USER'], {
    ...process.env,
    ...environmentOf(home),
  })
  expect(brain.out).toMatch(/^- Name: Nora$/m)
  for (const file of filesIn(home)) expect(readFileSync(join(home, file), 'latin1')).not.toContain('Nora')
})

test('a real key: 24 words, shown once and asked back, are in no file', async () => {
  const home = newHome()
  const ran = init(home, [
    [/should your data be locked[\s\S]*\] > $/, 'passphrase'],
    [/(?:characters or more|Passphrase|The same again): $/, 'four words nobody says'],
    [/backup every day[\s\S]*\] > $/, 'yes'],
  ])
  expect(await ran.ended).toBe(0)
  const words = ran.words()
  expect(words.split(' ')).toHaveLength(24)
  expect(existsSync(join(home, 'master.key'))).toBe(true)
  expect(ran.shown()).toMatch(/service +a service could not ask you for the passphrase/)
  // A real key is what a backup needs, so that it is asked about now.
  expect(ran.shown()).toMatch(/an encrypted backup every day\?[\s\S]*backups +made every day/)
  expect(existsSync(join(home, 'backup-key.json'))).toBe(true)
  expect(JSON.parse(readFileSync(join(home, 'init.json'), 'utf8'))).toMatchObject({
    ...{ finished: true, answered: { backup: expect.stringMatching(/^made every day/) } },
  })
  for (const file of filesIn(home)) {
    const text = readFileSync(join(home, file), 'latin1')
    expect(text).not.toContain(words.split(' ').slice(0, 3).join(' '))
    expect(text).not.toContain('four words nobody says')
  }
  // As the container starts it: its passphrase comes from a file that is mounted.
  writeFileSync(join(home, '../pfar-passphrase'), 'four words nobody says', { mode: 0o600 })
  const started = spawn('sh', ['scripts/container/home.sh'], {
    cwd: join(import.meta.dirname, '../..'),
    env: { ...environmentOf(home), PFAR_SECRETS: join(home, '..') },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  started.stdout.on('data', (chunk) => (said += String(chunk)))
  await until(() => said.includes('home ready'), SOON)
  started.kill('SIGTERM')
  expect(await new Promise((resolve) => started.on('close', resolve))).toBe(0)
})

describe('without a terminal', () => {
  const ran = (home: string, ...args: string[]) =>
    run(['scripts/pfar.mjs', 'init', '--ollama', 'http://127.0.0.1:1', ...args], {
      ...process.env,
      ...environmentOf(home),
    })

  test('it refuses with words, and makes nothing', async () => {
    const home = newHome()
    expect(await ran(home)).toMatchObject({ code: 2, out: '', err: expect.stringContaining('--yes') })
    expect(existsSync(home)).toBe(false)
  })

  test.each([
    ['telegram', 'connect', '--private'],
    ['slack', 'connect'],
    ['secret', 'set', 'google'],
  ])('under the development key %s %s says so before anything is pasted', async (...args) => {
    const home = newHome()
    expect((await ran(home, '--yes')).code).toBe(0)
    const environment = { ...process.env, ...environmentOf(home) }
    const { code, out, err } = await run(['scripts/pfar.mjs', ...args], environment)
    expect([code, out]).toEqual([1, ''])
    expect(err).toMatch(/development key[\s\S]*`pfar key init` first/)
  })

  test('a bot without an edge: both ways are named, before anything is pasted', async () => {
    const environment = { ...process.env, ...environmentOf(newHome()) }
    const { code, err } = await run(['scripts/pfar.mjs', 'telegram', 'connect'], environment)
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/`pfar deploy`[\s\S]*`pfar channel connect telegram --private`/),
    ])
  })

  test('--yes takes every default, asks nothing and sends nothing', async () => {
    const home = newHome()
    const { code, out } = await ran(home, '--yes')
    expect([code, asked(out)]).toEqual([0, 0])
    expect(out).toMatch(/key +later/)
    expect(readFileSync(join(home, 'config.toml'), 'utf8')).toMatch(/^\[persona\]\nname = "PFAR"\n/m)
    expect(JSON.parse(readFileSync(join(home, 'init.json'), 'utf8'))).toMatchObject({ finished: true })
  })
})

describe('a cloud', () => {
  test('reads nothing private unless that is said twice', async () => {
    const home = newHome()
    mkdirSync(home, { mode: 0o700 })
    writeFileSync(
      join(home, 'config.toml'),
      '[[models.providers]]\nname = "big"\nkind = "openai"\nmodel = "m"\nbase_url = "https://models.example.com/v1"\n',
    )
    const acknowledged = async (): Promise<unknown> => {
      const { out } = await run(['scripts/pfar.mjs', 'models', '--json'], {
        ...process.env,
        ...environmentOf(home),
      })
      const { templates } = JSON.parse(out) as {
        templates: { id: string; acknowledgedUntil: number | null }[]
      }
      return templates.find(({ id }) => id === 'owner_private')?.acknowledgedUntil
    }
    const none = init(home)
    expect(await none.ended).toBe(0)
    expect(none.shown()).toMatch(/these companies would read your prompts[\s\S]*owner_private/)
    expect(await acknowledged()).toBeNull()
    const once = init(home, [
      [/Nothing was allowed\.[\s\S]*\] > $/, 'none'],
      [/these companies[\s\S]*\[none\] > $/, 'owner_private'],
      [/allow exactly this: $/, 'no'],
    ])
    expect(await once.ended).toBe(0)
    expect(await acknowledged()).toBeNull()
    const twice = init(home, [
      [/these companies[\s\S]*\[none\] > $/, 'owner_private'],
      [/allow exactly this: $/, 'yes'],
    ])
    expect(await twice.ended).toBe(0)
    expect(await acknowledged()).toEqual(expect.any(Number))
  }, 300_000)
})

describe('with an edge and a bot', () => {
  let cloudflare: CloudflareApi
  let telegram: ScriptedTelegram
  beforeAll(async () => {
    telegram = await startTelegram()
    cloudflare = await startCloudflare(ACCOUNT_TOKEN, await freePort())
  })
  afterAll(async () => {
    await cloudflare.close()
    await telegram.close()
  })

  test('both are set up on the way, and the token is nowhere here (H-03)', async () => {
    const home = newHome()
    const environment = {
      ...environmentOf(home),
      ...{ CLOUDFLARE_API_TOKEN: ACCOUNT_TOKEN, CLOUDFLARE_API_BASE_URL: cloudflare.url },
      PFAR_TELEGRAM_API: telegram.origin,
    }
    const command = `scripts/pfar.mjs init --ollama ${ollama.url} --address ${cloudflare.workerUrl}`
    const ran = onTerminal(command, environment, [
      [/on Cloudflare now[\s\S]*\] > $/, 'yes'],
      [/bring what you write[\s\S]*\] > $/, 'both'],
      [/takes it over[\s\S]*Type yes to allow exactly this: $/, 'yes'],
      [/Token of your bot, from @BotFather: $/, BOT_TOKEN],
      ENTER,
    ])
    const code = await until(() => /own account: (\S+)/.exec(ran.shown())?.[1], 180_000)
    telegram.write(OWNER_ID, `/start ${code}`)
    expect(await ran.ended).toBe(0)
    expect(ran.shown()).toMatch(/telegram +your bot is connected; your home box may answer there, for a year/)
    expect(ran.shown()).toMatch(/npm start -- --only home/)
    expect(telegram.messenger.webhook?.url).toBe(`${cloudflare.workerUrl}/telegram/open`)
    const texts = [ran.shown(), ...filesIn(home).map((file) => readFileSync(join(home, file), 'latin1'))]
    expect(texts.filter((text) => text.includes(BOT_TOKEN))).toEqual([])
    const again = onTerminal(command, environment, [ENTER])
    expect(await again.ended).toBe(0)
    expect(again.shown()).toMatch(new RegExp(`edge +${cloudflare.workerUrl}`))
  }, 300_000)
})

/**
 * `pfar deploy` as a user runs it: Cloudflare's own tool against a scripted Cloudflare that runs what it was
 * given, then a home that dials that edge. Twice, since a deployment that was cut off is run again; and what
 * goes wrong.
 */

import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tell } from '../../kernel/wording/words.ts'
import type { Finding } from '../../sidecar/doctor/finding.ts'
import { type CloudflareApi, startCloudflare } from '../fakes/cloudflare-api.ts'
import { type ScriptedTelegram, startTelegram } from '../fakes/telegram-server.ts'
import { BOT_TOKEN } from '../fakes/telegram-token.ts'
import { messageFrom, OWNER_ID, update } from '../fakes/telegram-updates.ts'
import { until } from '../home/fixtures/wait.ts'
import type { Ran } from '../kit/commands.ts'
import { freePort } from '../kit/server.ts'
import { sampled } from '../kit/soak.ts'
import { filesIn } from '../regression/files.ts'
import { createBench, run, waitFor } from './terminal-bench.ts'

const TOKEN = 'a-token-of-the-owners-account'
const KEYS = ['EDGE_NAME_KEY', 'EDGE_SEAL_KEY', 'EDGE_SIGN_KEY', 'EDGE_TOKEN_KEY']
/** Milliseconds for home to come up, dial and be greeted, on a busy machine. */
const SOON = 60_000

const bench = createBench()
const configFile = join(bench.folder, 'config.toml')
let cloudflare: CloudflareApi
let telegram: ScriptedTelegram
let printed = ''

beforeAll(async () => {
  telegram = await startTelegram()
  cloudflare = await startCloudflare(TOKEN, await freePort())
  writeFileSync(configFile, '# mine\n[owner]\ntimezone = "Europe/Lisbon"\n')
})
afterAll(async () => {
  await bench.remove()
  await cloudflare.close()
  await telegram.close()
})

function environmentOf(): Record<string, string> {
  const { PATH = '' } = process.env
  return {
    ...{ PATH, HOME: bench.folder, PFAR_HOME: bench.folder },
    CLOUDFLARE_API_TOKEN: TOKEN,
    CLOUDFLARE_API_BASE_URL: cloudflare.url,
  }
}

async function deploy(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  const ran = await run(['scripts/pfar.mjs', 'deploy', ...args], { ...environmentOf(), ...environment })
  printed += ran.out + ran.err
  return ran
}

/** `pfar telegram connect`, with the token on its stdin. */
function connect(token: string) {
  const child = spawn(
    process.execPath,
    ['scripts/pfar.mjs', 'telegram', 'connect', '--edge', cloudflare.workerUrl],
    {
      cwd: join(import.meta.dirname, '../..'),
      env: { ...environmentOf(), PFAR_TELEGRAM_API: telegram.origin },
    },
  )
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += String(chunk)))
  child.stdin.end(token)
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  return {
    ended,
    said: () => said,
    async line(of: RegExp): Promise<string> {
      await waitFor(() => of.test(said), SOON)
      return of.exec(said)?.[1] ?? ''
    },
  }
}

const steps = (text: string): readonly string[] =>
  text.split('\n').flatMap((line) => /^([a-z]+) +\S/.exec(line)?.[1] ?? [])

describe('pfar deploy', () => {
  test('--dry-run shows every step and asks nobody', async () => {
    const { code, out } = await deploy(['--dry-run'], { CLOUDFLARE_API_TOKEN: '' })
    expect(code).toBe(0)
    expect(steps(out)).toEqual(['program', 'deploy', 'keys', 'pair', 'check'])
    expect(out).toMatch(/^program +\d{3,4} KiB compressed$/m)
    expect(out).toContain('Nothing was sent and nothing was changed.')
    expect(cloudflare.seen).toEqual([])
    expect(readFileSync(configFile, 'utf8')).not.toContain('[edge]')
  })

  test.each(
    sampled(
      [
        ['a token that Cloudflare does not know', { CLOUDFLARE_API_TOKEN: 'another' }, /wrangler says: .+/],
        ['nobody signed in', { CLOUDFLARE_API_TOKEN: '' }, /Sign in first: npx wrangler login/],
        ['no way to Cloudflare', { CLOUDFLARE_API_BASE_URL: 'http://127.0.0.1:1' }, /wrangler says: .+/],
      ] as const,
      2,
    ),
  )('%s: words, and nothing is changed', async (_what, environment, words) => {
    const { code, out, err } = await deploy(['--address', cloudflare.workerUrl], environment)
    expect([code, out]).toEqual([1, ''])
    expect(err).toMatch(/^The step "keys" did not work/)
    expect(err).toMatch(words)
    expect(err).not.toContain('    at ')
    expect(cloudflare.secrets()).toEqual({})
  })

  test('makes keys and database, uploads, pairs and checks; home then serves the line that lies there', async () => {
    const { code, out, err } = await deploy(['--address', cloudflare.workerUrl])
    expect([code, err]).toEqual([0, ''])
    expect(steps(out)).toEqual(['program', 'deploy', 'keys', 'pair', 'check', 'config'])
    expect(Object.keys(cloudflare.secrets()).sort()).toEqual([...KEYS, 'PAIR_CODE_HASH'])
    expect(new Set(Object.values(cloudflare.secrets())).size).toBe(5)
    expect(cloudflare.vars()).toMatchObject({
      ...{ OWNER_TIMEZONE: 'Europe/Lisbon', LOCAL_ORIGINS: '[]', COMMANDS: 'pfar' },
    })
    expect(readFileSync(configFile, 'utf8')).toBe(
      `# mine\n[owner]\ntimezone = "Europe/Lisbon"\n\n[edge]\nurl = "${cloudflare.workerUrl}"\n`,
    )
    await bench.start('--only', 'home')
    const isUp = async () => JSON.parse((await bench.pfar('status', '--json')).out).home?.tunnel === 'up'
    await waitFor(isUp, SOON)
    const { report } = await bench.ask('what can you do?', '--line', 'open')
    expect(report.task).toMatchObject({ place: 'edge', state: 'completed' })
    expect(report.reply).not.toBe('')
  }, 180_000)

  test('again: the same keys, the same device, the same conversation', async () => {
    const before = cloudflare.secrets()
    const { code, out, err } = await deploy(['--address', cloudflare.workerUrl])
    expect([code, err]).toEqual([0, ''])
    expect(out).toMatch(/^keys +as they were$/m)
    expect(out).toMatch(/^pair +as before; this device is [0-9a-f]{32}$/m)
    expect(out).toMatch(/^check +it answers to this device, and knows 1$/m)
    expect(out).toMatch(/^config +named it already/m)
    const { PAIR_CODE_HASH: _first, ...keys } = before
    expect(cloudflare.secrets()).toMatchObject(keys)
    const { report } = await bench.ask('what were we talking about?', '--line', 'open')
    expect(report.reply).toContain('what can you do?')
  }, 180_000)

  test('whoever sends the code owns the new bot, and a question of the owner is answered in that chat (H-03)', async () => {
    const running = connect(BOT_TOKEN)
    const code = await running.line(/^Send this to @scripted_bot, from your own account: (\S+)$/m)
    // As whoever made the bot left it.
    telegram.messenger.menus.set('default', [{ command: 'sell', description: 'everything' }])
    telegram.write(66, 'I am the owner')
    telegram.write(OWNER_ID, `/start ${code}`)
    expect(await running.ended).toBe(0)
    expect(running.said()).toContain(`You are ${OWNER_ID} there.`)
    expect(telegram.messenger.webhook?.url).toBe(`${cloudflare.workerUrl}/telegram/open`)
    expect(cloudflare.secrets()['TELEGRAM']).toBe(
      JSON.stringify({ owner: OWNER_ID, edge: cloudflare.workerUrl, api: telegram.origin }),
    )
    expect([...telegram.messenger.menus.keys()]).toEqual([`chat:${OWNER_ID}`])
    expect(telegram.messenger.menus.get(`chat:${OWNER_ID}`)).toContainEqual({
      ...{ command: 'help', description: 'these commands' },
    })
    const said = () => [...telegram.messenger.messages.values()].filter(({ byBot }) => byBot)
    // The chat that the code was sent in gets an answer at once, and another when it is done.
    expect(said().map(({ chat, text }) => [chat, text])).toEqual([
      [OWNER_ID, tell('channels.code_right')],
      [OWNER_ID, tell('channels.at_edge')],
    ])
    const id = telegram.write(OWNER_ID, 'what can you do?')
    const question = update(messageFrom(OWNER_ID, 'what can you do?', { message_id: id }))
    expect(await telegram.bring(question)).toBe(200)
    await waitFor(() => said().length === 3, SOON)
    expect(said()[2]).toMatchObject({ chat: OWNER_ID })
    printed += running.said()
  }, 180_000)

  test('doctor finds that Telegram goes elsewhere, and --fix has it come back', async () => {
    const look = async (...args: string[]) => {
      const ran = await run(
        ['scripts/pfar.mjs', 'doctor', '--json', '--ollama', 'http://127.0.0.1:1', ...args],
        environmentOf(),
      )
      const found = JSON.parse(ran.out) as readonly Finding[]
      return { code: ran.code, of: (part: string) => found.filter((one) => one.part === part) }
    }
    // Its new secrets made the Worker start anew, and home comes back by itself.
    await until(async () => (await look()).of('tunnel')[0]?.state === 'ok', 60_000)
    const before = await look()
    for (const part of ['tunnel', 'edge', 'clock', 'telegram'])
      expect(before.of(part)).toMatchObject([{ state: 'ok' }])
    const url = telegram.messenger.webhook?.url
    telegram.messenger.webhook = { url: 'https://elsewhere.example.com/', secret: 'x'.repeat(40) }
    const broken = await look()
    expect([broken.code, broken.of('telegram')]).toMatchObject([1, [{ state: 'bad', mend: 'webhook' }]])
    const fixed = await look('--fix')
    expect([fixed.code, fixed.of('fixed'), fixed.of('telegram')]).toMatchObject([
      0,
      [{ state: 'ok' }],
      [{ state: 'ok' }],
    ])
    expect(telegram.messenger.webhook?.url).toBe(url)
    expect(telegram.messenger.webhook?.secret).toBe(cloudflare.secrets()['TELEGRAM_SECRET'])
  }, 180_000)

  test.each([
    ['no token', 'hello there', /^That is no token of a bot/],
    ['a token that Telegram does not know', `4242:${'x'.repeat(35)}`, /^Telegram did not accept that/],
  ])('%s: words, and the bot that was there stays', async (_what, token, words) => {
    const before = { ...telegram.messenger.webhook }
    const running = connect(token)
    expect(await running.ended).toBe(1)
    expect(running.said()).toMatch(words)
    expect(running.said()).not.toContain(token.slice(5))
    expect(telegram.messenger.webhook).toEqual(before)
  })

  test('no key is printed, or lies in a file of this machine', () => {
    const secrets = Object.values(cloudflare.secrets())
    const texts = [
      printed,
      ...filesIn(bench.folder).map((path) => readFileSync(join(bench.folder, path), 'latin1')),
    ]
    expect(secrets.flatMap((secret) => texts.filter((text) => text.includes(secret)))).toEqual([])
    expect(texts.length).toBeGreaterThan(5)
  })
})

/**
 * What its owner sets up by talking (L-10), as one conversation in a Telegram chat and one in the terminal, top to bottom, in real processes: a service is
 * added, a job is made, moved, sent elsewhere and stopped, another model is chosen, it says how it is set up, a service is switched off and on, given another
 * credential, and removed. A model is there to be chosen, and answers nothing. A failing test prints the transcript; `PFAR_TRANSCRIPT` names a file for it.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { notionState, pageRow, put, serveNotion, TOKEN } from '../fakes/notion-server.ts'
import { type FakeOllama, startOllama } from '../fakes/ollama.ts'
import type { StandingMessage } from '../fakes/telegram-methods.ts'
import { type ScriptedTelegram, startTelegram } from '../fakes/telegram-server.ts'
import { PRIVATE_TOKEN } from '../fakes/telegram-token.ts'
import { OWNER_ID } from '../fakes/telegram-updates.ts'
import { type HomeProcess, spawnHome } from '../home/fixtures/process.ts'
import { until } from '../home/fixtures/wait.ts'
import type { Served } from '../kit/server.ts'
import { type Installed, install, setSecret } from './canary-install.ts'
import { makeValues } from './canary-values.ts'
import { type CanaryWorld, startCanaryWorld } from './canary-world.ts'
import { type Line, lineOf, SOON } from './chaos-bench.ts'
import { connect } from './private-bot.ts'
import { type Bench, createBench } from './terminal-bench.ts'

const values = makeValues()
const state = notionState()
put(state, pageRow(1, 'Roof plan'))
const WRONG = `ntn_${'W0rong00'.repeat(6)}`
const NEXT = `ntn_${'N3xt0000'.repeat(6)}`

let bench: Bench
let bot: ScriptedTelegram
let world: CanaryWorld
let notion: Served
let ollama: FakeOllama
let installed: Installed
let running: HomeProcess | null = null
let line: Line | null = null

beforeAll(async () => {
  bench = createBench()
  bot = await startTelegram(PRIVATE_TOKEN)
  world = await startCanaryWorld(values)
  notion = await serveNotion(state)
  ollama = await startOllama([{ name: 'tiny:1b', bytes: 1, window: 16_384 }], () => null)
  installed = install(bench.folder, world.origin)
  const path = join(bench.folder, 'config.toml')
  const config = readFileSync(path, 'utf8').replace('exempt_origins = [', `$&"${notion.origin}", `)
  const model = `[[models.providers]]\nname = "own"\nkind = "ollama"\nmodel = "tiny:1b"\nbase_url = "${ollama.url}"\nwindow = 16384\n`
  writeFileSync(path, `${config}\n[services.notion]\nbase_url = "${notion.origin}"\n${model}`)
  const { code, said } = await connect({
    ...{ folder: bench.folder, mine: bot, token: PRIVATE_TOKEN, environment: environment() },
  })
  expect([code, said]).toEqual([0, expect.stringContaining(String(OWNER_ID))])
  await start()
  await setSecret(bench.folder, values.credential)
})
afterAll(async () => {
  await end()
  await Promise.all([bot.close(), world.close(), notion.close(), ollama.close()])
  await bench.remove()
  installed.remove()
})

const environment = () => ({ ...installed.environment, PFAR_TELEGRAM_API: bot.origin })

async function start(): Promise<void> {
  const home = spawnHome(bench.folder, environment())
  running = home
  let over = false
  void home.ended.then(() => {
    over = true
  })
  await until(() => over || home.stdout().includes('home ready'), SOON)
  if (over) throw new Error(home.stderr())
}

async function end(): Promise<void> {
  running?.child.kill('SIGKILL')
  await running?.ended
  running = null
}

const transcript: string[] = []
const standing = (): readonly StandingMessage[] =>
  [...bot.messenger.messages.values()].filter((one) => one.byBot && one.chat === OWNER_ID)

/** The owner writes it; what is said next that fits, a card as well. */
type Says = (text: string, expected: RegExp) => Promise<string>

interface Chat {
  readonly says: Says
  /** As PFAR calls this one, and the other. */
  readonly here: 'Telegram' | 'the terminal'
  readonly there: 'Telegram' | 'the terminal'
}

function noted(text: string): void {
  transcript.push(`> ${[TOKEN, WRONG, NEXT].includes(text) ? '(a token)' : text}`)
}

const TELEGRAM: Chat = {
  ...{ here: 'Telegram', there: 'the terminal' },
  async says(text, expected) {
    const before = new Set(standing().map(({ id }) => id))
    bot.write(OWNER_ID, text)
    noted(text)
    const shown = new Set<string>()
    const found = await until(() => {
      const fresh = standing().filter(({ id, text: now }) => !before.has(id) && !now.endsWith('…'))
      for (const { text: now } of fresh) shown.add(now)
      return fresh.find(({ text: now }) => expected.test(now)) ?? null
    }, SOON).catch(() => null)
    transcript.push(...[...shown].map((one) => one.replaceAll(/^/gm, '< ')))
    if (found === null) throw new Error(`nothing that fits ${expected}:\n${transcript.join('\n')}`)
    return found.text
  },
}

/** `pfar` in this process: what is typed is the subject, and its start is not. What comes after its answer is read from its line. */
const TERMINAL: Chat = {
  ...{ here: 'the terminal', there: 'Telegram' },
  async says(text, expected) {
    noted(text)
    const shown = [(await bench.pfar('ask', text)).out.trim()]
    const fits = () => shown.find((one) => expected.test(one)) ?? null
    const found =
      fits() ??
      (await until(async () => {
        shown.push(...((await line?.delivered()) ?? []).map((one) => one.text))
        return fits()
      }, SOON).catch(() => null))
    transcript.push(...shown.map((one) => one.replaceAll(/^/gm, '< ')))
    if (found === null) throw new Error(`nothing that fits ${expected}:\n${transcript.join('\n')}`)
    return found
  },
}

/** The nine, as rows that both chats say. */
const NINE = {
  async addService({ says }: Chat) {
    const added = await says("let's add Notion", /I need your access/)
    expect(added).toMatch(/pfar connect notion/)
    expect(added).toMatch(/I would ask you about first/)
    await says(TOKEN, /^Notion is connected\.$/m)
    await says('search notion for roof', /Roof plan/)
  },
  async makeJob({ says, here }: Chat) {
    await says('send me the morning briefing every day at 8', /Morning briefing[\s\S]*The next times:/)
    await says('yes', /^You said yes, and it holds from now on[\s\S]*Morning briefing[\s\S]*The next times:/)
    await says('what runs when?', new RegExp(`\\d\\. Morning briefing: every day at 08:00, ${here}`))
  },
  /** Not more often, so at once. */
  async moveJob({ says }: Chat) {
    await says('move the morning briefing to 9:30', /^Moved: \d\. Morning briefing: every day at 09:30/)
  },
  async sendElsewhere({ says, there }: Chat) {
    const to = there.replace(/^the /, '')
    await says(`send the morning briefing to ${there} instead`, new RegExp(`From now on: [^\n]*${to}`))
    await says('yes', new RegExp(`^You said yes, and it holds from now on[\\s\\S]*From now on: [^\n]*${to}`))
    await says('what runs when?', new RegExp(`\\d\\. Morning briefing: every day at 09:30, [^\n]*${to}`))
  },
  /** And that taken back. */
  async stopJob({ says }: Chat) {
    await says('stop the morning briefing', /^Stopped: \d\. Morning briefing/)
    await says('/undo', /Taken back/)
    await says('what runs when?', /\d\. Morning briefing: every day at 09:30, [^\n]*Next:/)
  },
  async anotherModel({ says }: Chat) {
    await says('use the local model for everything', /models at home only/)
    await says('which model do you use?', /models at home only/)
  },
  async status({ says }: Chat) {
    const status = await says('how are you set up?', /I answer here from your home/)
    expect(status).toMatch(/^Connected: [^\n]*Notion/m)
    expect(status).toMatch(/\d\. Morning briefing: every day at 09:30/)
    expect(status).toMatch(/Half of my last \d+ answers here came within [\d.]+ s/)
  },
  async newCredential({ says }: Chat) {
    const rotation = await says('rotate my Notion token', /I need the new one/)
    expect(rotation).toMatch(/pfar secret rotate notion/)
    await says(
      WRONG,
      /did not accept that\. Nothing was stored[\s\S]*The one that you gave before stays in use/,
    )
    await says('search notion for roof', /Roof plan/)
    state.tokens.push(NEXT)
    await says(NEXT, /^Notion took the new credential, and I use it from now on/m)
    state.tokens.splice(0, state.tokens.length, NEXT)
    await says('search notion for roof', /Roof plan/)
  },
  /** By a card, and it is gone. */
  async removeService({ says }: Chat) {
    await says('remove Notion', /Delete my access to Notion\?[\s\S]*for good/)
    expect((await bench.pfar('secret', 'list')).out).toContain('notion')
    await says('yes', /^My access to Notion is deleted/)
    expect((await bench.pfar('secret', 'list')).out).not.toContain('notion')
    expect((await bench.pfar('status')).out).toMatch(/not connected:[^\n]*notion/)
    expect(await says('how are you set up?', /I answer here from your home/)).toMatch(
      /^Not connected: [^\n]*Notion/m,
    )
    const after = state.asked.length
    await says('search notion for roof', /access to Notion/)
    expect(state.asked).toHaveLength(after)
    await says('cancel', /^Cancelled[:;]/m)
  },
}

function nothingHeld(): void {
  const held = readdirSync(bench.folder, { recursive: true, withFileTypes: true })
  for (const entry of held.filter((one) => one.isFile()))
    for (const value of [TOKEN, WRONG, NEXT])
      expect(readFileSync(join(entry.parentPath, entry.name)).includes(value), entry.name).toBe(false)
}

const isGone = (...tokens: readonly string[]) =>
  until(
    () => ![...bot.messenger.messages.values()].some(({ text }) => tokens.some((one) => text.includes(one))),
    SOON,
  )

test('the nine scenarios in Telegram, top to bottom', async () => {
  const { says } = TELEGRAM
  await NINE.addService(TELEGRAM)
  await isGone(TOKEN)
  await NINE.makeJob(TELEGRAM)
  await NINE.moveJob(TELEGRAM)
  await NINE.sendElsewhere(TELEGRAM)
  await NINE.stopJob(TELEGRAM)
  await NINE.anotherModel(TELEGRAM)
  await NINE.status(TELEGRAM)

  // What home does for itself is answered for, and is none of the jobs.
  await says('why did the backup not run?', /Backup, every day at 03:00[\s\S]*no chat stops or moves them/)

  // Switched off for a while, over a restart, and on again by a card.
  await says('turn Notion off for now', /^Notion is switched off[\s\S]*access to it is kept/)
  await end()
  await start()
  const asked = state.asked.length
  await says('search notion for roof', /so I did nothing with it[\s\S]*switch Notion on/)
  expect(state.asked).toHaveLength(asked)
  expect((await bench.pfar('status')).out).toMatch(/switched off:\s+notion/)
  await says('switch Notion back on', /Use Notion again\?/)
  await says('yes', /^You said yes, and it holds from now on[\s\S]*Use Notion again\?/)
  await says('search notion for roof', /Roof plan/)

  // Does it work? One harmless call says so.
  await says('does Notion still work?', /^Notion works: I asked it for something harmless just now/)
  const { tokens } = state
  tokens.splice(0, tokens.length)
  expect((await bench.pfar('tools', 'check', 'notion')).out).toMatch(/does not let me in any more/)
  const broken = await says('how are you set up?', /I answer here from your home/)
  expect(broken).toMatch(/^Notion does not work now: .*"give Notion a new key"/m)
  expect(broken).toMatch(
    /^No edge is set up[\s\S]*^Chats that reach me here: the terminal, Telegram\.\nVersion \d/m,
  )
  tokens.push(TOKEN)
  await says('geht mein Notion noch?', /^Notion works/)
  const path = join(bench.folder, 'config.toml')
  const config = readFileSync(path, 'utf8')
  writeFileSync(path, `${config}\n[persona]\nstyle = "short"\n`)
  const changed = await says('give me your status', /I answer here from your home/)
  expect(changed).toMatch(/^config\.toml changed at .*: restart me to use it/m)
  expect(changed).not.toContain('does not work now')
  writeFileSync(path, config)

  await NINE.newCredential(TELEGRAM)
  await isGone(WRONG, NEXT)
  await NINE.removeService(TELEGRAM)
  nothingHeld()

  // The model that was chosen was asked to word what was found, and nothing of what was set up.
  expect(ollama.chats.filter((chat) => !JSON.stringify(chat).includes('roof'))).toEqual([])
})

test('and the same in the terminal', async () => {
  line = lineOf(bench.folder, 'private')
  await line.delivered()
  await TERMINAL.says('remove the morning briefing', /^Removed: 1\. Morning briefing/)
  await TERMINAL.says('use the usual model for everything', /in the order of your configuration/)
  state.tokens.splice(0, state.tokens.length, TOKEN)
  for (const scenario of Object.values(NINE)) await scenario(TERMINAL)
  nothingHeld()
})

test('what others may ask is switched off at once, and on again by a card (L-03)', async () => {
  const { says } = TERMINAL
  const listed = (): Promise<string> => says('what may strangers ask?', /scheduling/)
  await says('turn off the scheduling template', /^Switched off/)
  expect(await listed()).toMatch(/scheduling[\s\S]*Switched off: nobody is answered/)
  await says('turn on the scheduling template', /Answer other people again\?/)
  await says('yes', /^You said yes, and it holds from now on[\s\S]*Answer other people again\?/)
  expect(await listed()).not.toContain('Switched off')
})

afterAll(() => {
  if ('PFAR_TRANSCRIPT' in process.env)
    writeFileSync(process.env['PFAR_TRANSCRIPT'] ?? '', transcript.join('\n'))
})

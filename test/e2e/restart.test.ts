/**
 * The real home, ended and started again: what it says of it and how often, what it knows afterwards, and
 * what waited (M-24 – M-29, O-58).
 */

import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, expect, test } from 'vitest'
import {
  type Client,
  connectClient,
  type HomeProcess,
  spawnHome,
  stateFolder,
} from '../home/fixtures/process.ts'
import { until } from '../home/fixtures/wait.ts'

const READY = 30_000
const running: HomeProcess[] = []
afterAll(() => {
  for (const { child } of running) child.kill('SIGKILL')
})

interface Running {
  readonly home: HomeProcess
  readonly client: Client
}

async function start(path: string): Promise<Running> {
  const home = spawnHome(path)
  running.push(home)
  await until(() => home.stdout().includes('home ready') || home.child.exitCode !== null, READY)
  return { home, client: await connectClient(home.socket) }
}

async function end({ home }: Running, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  home.child.kill(signal)
  await home.ended
}

interface Row {
  readonly id: string
  readonly kind: string
  readonly task: string | null
  readonly text: string
}

const rows = async ({ client }: Running) => (await client.ask('deliveries', { after: 0 }))['result'] as Row[]
const words = async (at: Running) =>
  (await rows(at)).filter(({ id }) => id.startsWith('restart:')).map(({ text }) => text)

async function asked(at: Running, text: string): Promise<string> {
  asks += 1
  const id = `m${asks}`
  const { result, error } = await at.client.ask('send', { id, text })
  if (result === undefined) throw new Error(JSON.stringify(error))
  const { task } = result as { task: string }
  const row = await until(async () => (await rows(at)).find((one) => one.task === task), READY)
  return row.text
}
let asks = 0

/** While home is down. */
function inDatabase<T>(path: string, work: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(join(path, 'home.sqlite'))
  try {
    return work(database)
  } finally {
    database.close()
  }
}

const bootLines = (path: string) =>
  inDatabase(path, (database) =>
    database
      .prepare("select facts from audit where kind = 'boot' order by rowid")
      .all()
      .map(
        ({ facts }) =>
          JSON.parse(String(facts)) as { phase: string; part: string; state: string; code: string },
      ),
  )

/** As if the last word about a start had been long ago. */
const forgetTold = (path: string) =>
  inDatabase(path, (database) => database.exec("delete from home_notes where name = 'restartTold'"))

const ONE_OF_THREE = `[owner]
timezone = "Europe/Berlin"
[tools.google]
base_url = "http://127.0.0.1:9"
account = "work"
accounts = [{ name = "club", credential = "vault:club" }]
[network]
exempt_origins = ["http://127.0.0.1:9"]
`

test('it comes up in order, though one account of it has no secret (M-23, M-24)', async () => {
  const path = stateFolder(ONE_OF_THREE)
  const first = await start(path)
  expect(first.home.stderr()).toBe('home had a fault in: start of account club (credential_missing)\n')
  // Nothing answers at its address.
  expect(await words(first)).toEqual([
    `Welcome. I am PFAR, your private assistant. Connected: google. Not working now: google. Not started in time: account club. Say "help" to see what I can do.`,
  ])
  const status = (await first.client.ask('status'))['result']
  expect(status).toMatchObject({ startTroubles: ['account club'] })
  await end(first, 'SIGTERM')
  const lines = bootLines(path)
  expect(lines.map(({ phase }) => phase).join('')).toMatch(/^A+B+C+D+$/)
  expect(lines.filter(({ state }) => state !== 'ready')).toMatchObject([
    { phase: 'B', part: 'account club', state: 'failed', code: 'credential_missing' },
  ])
  const parts = lines.map(({ part }) => part)
  expect(parts.indexOf('identity')).toBeLessThan(parts.indexOf('private line'))
  expect(parts.slice(0, 3)).toEqual(['folder', 'configuration', 'lock'])
})

test('a word about a restart is true, comes once, and not again a moment later (M-27)', async () => {
  const path = stateFolder(ONE_OF_THREE)
  const first = await start(path)
  await asked(first, 'book "Dentist" tomorrow from 15:00 to 16:00')
  await end(first, 'SIGKILL')

  const second = await start(path)
  const told = await words(second)
  expect(told).toHaveLength(2)
  expect(told[1]).toContain(`I was restarted. Connected: google.`)
  expect(told[1]).toContain('1 question still for your yes or no')
  expect(await second.client.ask('operation', { operation: 'approvals.list' })).toMatchObject({
    result: [{ tool: 'calendar.create_event' }],
  })
  await end(second, 'SIGKILL')

  const third = await start(path)
  expect(await words(third)).toHaveLength(2)
  await end(third, 'SIGTERM')
  forgetTold(path)
  const fourth = await start(path)
  expect(await words(fourth)).toHaveLength(3)
  await end(fourth, 'SIGTERM')
})

test.each(['SIGKILL', 'SIGTERM'] as const)(
  'after %s it knows what it is and what was spoken of (M-29)',
  async (signal) => {
    const path = stateFolder(ONE_OF_THREE)
    const first = await start(path)
    expect(await first.client.ask('questions')).toMatchObject({ result: { due: true, persona: true } })
    const answers = { how: 'answered', name: 'Atlas', style: 'dry' }
    expect(await first.client.ask('questions_done', answers)).toMatchObject({ result: {} })
    await asked(first, 'remember that the flight to Bali leaves on March 15')
    await end(first, signal)

    const second = await start(path)
    const can = await asked(second, 'what can you do?')
    expect(can).toContain('I am Atlas')
    expect(can).toContain('Connected: google, google (not working now).')
    expect(await asked(second, 'what were we talking about?')).toContain(
      'the flight to Bali leaves on March 15',
    )
    expect(await second.client.ask('questions')).toMatchObject({ result: { due: false } })
    await end(second, 'SIGTERM')
  },
)

test('all directive files are there after the first start, and no start makes them anew (O-58)', async () => {
  const path = stateFolder()
  const versions = () =>
    inDatabase(path, (database) =>
      database.prepare('select file, version, seq from directives order by seq').all(),
    )
  const first = await start(path)
  await end(first, 'SIGTERM')
  const seeded = versions()
  expect(seeded).toHaveLength(9)
  expect(seeded).toContainEqual({ file: 'BOOT', version: 1, seq: expect.any(Number) })
  await end(await start(path), 'SIGKILL')
  await end(await start(path), 'SIGTERM')
  expect(versions()).toEqual(seeded)
})

test('what is said while it starts is answered once it is up (M-26)', async () => {
  const path = stateFolder()
  const home = spawnHome(path)
  running.push(home)
  // As a terminal does: the same message under the same id until somebody takes it.
  const said = await until(async () => {
    const client = await connectClient(home.socket).catch(() => null)
    if (client === null) return null
    const { result } = await client.ask('send', { id: 'early', text: 'what can you do?' })
    return result === undefined ? null : { home, client }
  }, READY)
  const answer = await until(async () => (await rows(said)).find(({ kind }) => kind === 'answer'), READY)
  expect(answer.text).toContain('I am PFAR')
  expect((await rows(said)).filter(({ kind }) => kind === 'answer')).toHaveLength(1)
  await end(said, 'SIGTERM')
  expect(bootLines(path).every(({ state }) => state === 'ready')).toBe(true)
})

test('the demo is called so wherever home says what is connected', async () => {
  const at = await start(stateFolder(ONE_OF_THREE.replace('account = "work"', '$&\ndemo = true')))
  expect(await words(at)).toEqual([expect.stringContaining('Connected: demo mail and calendar.')])
  for (const said of ['/status', 'how are you set up?']) {
    const status = await asked(at, said)
    expect(status).toMatch(/^Connected: [^\n]*demo mail and calendar/m)
    expect(status).not.toMatch(/^Connected: [^\n]*Google/m)
  }
  await end(at, 'SIGTERM')
})

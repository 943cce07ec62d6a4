/**
 * The real home, killed in the middle of a task: after the next start the task finishes or the person is told, and no
 * write runs twice (Q-14, Q-17, Q-19, DESIGN §3).
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Client,
  connectClient,
  type HomeProcess,
  spawnHome,
  stateFolder,
} from '../home/fixtures/process.ts'
import { pause, until } from '../home/fixtures/wait.ts'
import { startWorld, type World } from '../home/fixtures/world.ts'

const READY = 30_000
const started: HomeProcess[] = []
let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(async () => {
  for (const { child } of started) child.kill('SIGKILL')
  await world.close()
})

interface Running {
  readonly home: HomeProcess
  readonly client: Client
}

const configured = (seconds = 300) =>
  stateFolder(`[owner]
timezone = "Europe/Berlin"
[tools.google]
base_url = "${world.origin}"
[network]
exempt_origins = ["${world.origin}"]
[approvals]
timeout_seconds = ${seconds}
`)

async function start(path: string): Promise<Running> {
  const home = spawnHome(path)
  started.push(home)
  await until(() => home.stdout().includes('home ready') || home.child.exitCode !== null, READY)
  expect(home.stderr()).toBe('')
  return { home, client: await connectClient(home.socket) }
}

async function kill({ home }: Running): Promise<void> {
  home.child.kill('SIGKILL')
  await home.ended
}

interface Report {
  readonly reply: string | null
  readonly task: {
    readonly state: string
    readonly trouble: string | null
    readonly approval: string | null
    readonly steps: readonly { readonly outcome: string }[]
  }
}

async function send({ client }: Running, id: string, text: string): Promise<string> {
  const { result, error } = await client.ask('send', { id, text })
  if (result === undefined) throw new Error(`refused: ${JSON.stringify(error)}`)
  return (result as { task: string }).task
}

const report = async ({ client }: Running, task: string) =>
  (await client.ask('task', { id: task }))['result'] as Report
const inState = (running: Running, task: string, ...states: string[]) =>
  until(async () => {
    const seen = await report(running, task)
    return states.includes(seen.task.state) ? seen : null
  }, READY)
const answersOf = async ({ client }: Running, task: string) =>
  (
    (await client.ask('deliveries', { after: 0 }))['result'] as { task: string; kind: string; text: string }[]
  ).filter((row) => row.task === task && row.kind === 'answer')

test('a read that was running runs again, and its answer comes once', async () => {
  const path = configured()
  const first = await start(path)
  world.hang = true
  const task = await send(first, 'm1', `read ${world.origin}/page and summarise it`)
  await until(() => world.asked.includes('GET /page'), READY)
  await kill(first)
  world.hang = false

  const second = await start(path)
  const done = await inState(second, task, 'completed')
  expect(done.task.trouble).toBeNull()
  expect(done.reply).toContain('Opening hours')
  expect(world.asked.filter((request) => request === 'GET /page')).toHaveLength(2)
  await pause(200)
  expect(await answersOf(second, task)).toHaveLength(1)
  // The same message once more, as a client does that never saw a reply: still the same task.
  expect(await send(second, 'm1', `read ${world.origin}/page and summarise it`)).toBe(task)
  await kill(second)
})

describe('a booking', () => {
  const WORDS = 'book "Dentist" tomorrow from 15:00 to 16:00'
  const posts = () => world.asked.filter((request) => request.startsWith('POST /calendar/v3/calendars'))

  test('that was being written is reported as unknown and never repeated', async () => {
    const path = configured()
    const first = await start(path)
    const task = await send(first, 'b1', WORDS)
    const waiting = await inState(first, task, 'awaiting_approval')
    const before = posts().length
    world.hang = true
    await first.client.ask('operation', {
      operation: 'approvals.approve',
      args: { which: waiting.task.approval },
    })
    await until(() => posts().length === before + 1, READY)
    await kill(first)
    world.hang = false

    const second = await start(path)
    const told = await inState(second, task, 'completed', 'failed')
    expect(told.task.trouble).toBe('write_outcome_unknown')
    expect(told.task.steps.some(({ outcome }) => outcome === 'unknown')).toBe(true)
    expect(told.reply).toMatch(/cannot tell whether it happened/)
    await pause(500)
    expect(posts()).toHaveLength(before + 1)
    expect(await answersOf(second, task)).toHaveLength(1)
    await kill(second)
  })

  test('that waits for an approval still waits after a crash, and then runs once', async () => {
    const path = configured()
    const first = await start(path)
    const task = await send(first, 'b2', WORDS)
    const waiting = await inState(first, task, 'awaiting_approval')
    await kill(first)

    const second = await start(path)
    const before = posts().length
    const open = (await second.client.ask('operation', { operation: 'approvals.list' }))['result'] as {
      id: string
      task: string
      card: string
    }[]
    expect(open).toMatchObject([{ id: waiting.task.approval, task }])
    expect(open[0]?.card).toContain('Dentist')
    await second.client.ask('operation', {
      operation: 'approvals.approve',
      args: { which: waiting.task.approval },
    })
    await inState(second, task, 'completed')
    expect(posts()).toHaveLength(before + 1)
    const again = await second.client.ask('operation', {
      operation: 'approvals.approve',
      args: { which: waiting.task.approval },
    })
    expect(again['result']).toMatchObject({ task })
    expect(posts()).toHaveLength(before + 1)
    await kill(second)
  })

  test('that nobody approves in the configured time is not done, and the person is told (S-03, Q-14)', async () => {
    const running = await start(configured(10))
    const before = posts().length
    const task = await send(running, 'b3', WORDS)
    await inState(running, task, 'awaiting_approval')
    const told = await inState(running, task, 'completed', 'failed')
    expect(told.task.trouble).toBe('approval_expired')
    expect(told.reply).toMatch(/You did not answer in time/)
    expect(posts()).toHaveLength(before)
    await kill(running)
  })
})

test('without a credential the person is told what to do (Q-17)', async () => {
  const running = await start(stateFolder())
  const task = await send(running, 'c1', 'check my email')
  const told = await inState(running, task, 'completed', 'failed')
  expect(told.task.trouble).toBe('credential_missing')
  expect(told.reply).toMatch(/not connected yet.*`pfar connect google`/)
  await kill(running)
})

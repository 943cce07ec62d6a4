/**
 * Load on the private line: fifty messages at once to the one principal that home has, through the real socket of
 * a real home: none lost, none answered twice, answered in the order of their turns. Fifty principals at once are the
 * edge's: test/worker/principal.test.ts.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, connectClient } from '../home/fixtures/process.ts'
import { until } from '../home/fixtures/wait.ts'
import { google } from '../regression/home/google.ts'
import { configFor, type House, resultOf, startHouse } from '../regression/home/house.ts'
import { type Outside, startOutside } from '../regression/outside.ts'

const MESSAGES = 50
/** Milliseconds for all of them on a busy machine. */
const PATIENCE = 120_000

/** Some need a plan and a service, some neither. */
const WORDS = [
  'hello',
  'check my email',
  'what is on my calendar tomorrow',
  'remember that the gate is green',
]

let outside: Outside
let house: House
const clients: Client[] = []
beforeAll(async () => {
  outside = await startOutside()
  outside.page = google
  house = await startHouse(configFor(outside.origin))
}, PATIENCE)
afterAll(async () => {
  for (const { socket } of clients) socket.destroy()
  await house.kill()
  await outside.close()
})

interface Taken {
  readonly task: string
  readonly turn: number
}
interface Told {
  readonly seq: number
  readonly task: string
  readonly kind: string
  readonly turn: number
}

const connect = async (): Promise<Client> => {
  const client = await connectClient(house.process.socket)
  clients.push(client)
  return client
}
const send = async (client: Client, id: string, text: string): Promise<Taken> =>
  resultOf<Taken>(await client.ask('send', { id, text }))

/** Every answer after a position, page by page. */
async function answersAfter(after: number): Promise<readonly Told[]> {
  const rows = resultOf<readonly Told[]>(await house.client.ask('deliveries', { after }))
  const last = rows.at(-1)
  return last === undefined ? [] : [...rows, ...(await answersAfter(last.seq))]
}

const newest = async (): Promise<number> => (await answersAfter(0)).at(-1)?.seq ?? 0
const answered = (after: number, count: number): Promise<readonly Told[]> =>
  until(async () => {
    const answers = (await answersAfter(after)).filter(({ kind }) => kind === 'answer')
    return answers.length >= count ? answers : null
  }, PATIENCE)

test(
  'fifty at once from fifty clients: none lost, none twice, in order',
  async () => {
    const before = await newest()
    const fifty = await Promise.all(Array.from({ length: MESSAGES }, connect))
    const taken = await Promise.all(
      fifty.map((client, n) => send(client, `load-${n}`, WORDS[n % WORDS.length] ?? 'hello')),
    )
    const inTurns = [...taken].sort((a, b) => a.turn - b.turn).map(({ task }) => task)
    expect(new Set(inTurns).size).toBe(MESSAGES)
    expect(new Set(taken.map(({ turn }) => turn)).size).toBe(MESSAGES)
    const answers = await answered(before, MESSAGES)
    expect(answers.map(({ task }) => task)).toEqual(inTurns)
    for (const { task } of taken)
      expect((await house.report(task)).task).toMatchObject({ state: 'completed', trouble: null })
  },
  PATIENCE,
)

test(
  'each of ten sent five times at once is one task and one answer',
  async () => {
    const before = await newest()
    const line = await connect()
    const sends = Array.from({ length: MESSAGES }, (_, n) => send(line, `again-${n % 10}`, 'hello'))
    const tasks = new Set((await Promise.all(sends)).map(({ task }) => task))
    expect(tasks.size).toBe(10)
    const answers = await answered(before, 10)
    expect(answers).toHaveLength(10)
    expect(new Set(answers.map(({ task }) => task))).toEqual(tasks)
  },
  PATIENCE,
)

test(
  'afterwards nothing is left running, and the next message is answered',
  async () => {
    const { tasks } = resultOf<{ tasks: number }>(await house.client.ask('status'))
    expect(tasks).toBe(0)
    expect((await house.ask('hello')).task.state).toBe('completed')
  },
  PATIENCE,
)

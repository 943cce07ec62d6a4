/**
 * What a message writes: rows as the platform counts them, and commits and pages of the write-ahead logs; counts, so that other
 * load on the machine does not matter. For the owner's "hello" at the edge, a question that goes to home, and one on the private
 * line, with home's processor time. Called by bench/main.ts and test/e2e/hello-costs.test.ts.
 */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { showUsage } from '../kernel/features/usage/operations/show.ts'
import type { Link } from '../sidecar/cli/line/link.ts'
import { addedSince, type Logged, loggedIn } from './commits.ts'
import { atMost, type Figure, percentile } from './figures.ts'
import { sampleOf } from './home.ts'
import { botMessage, edgeBindings, OWNER } from './path.ts'
import { startPathWorld } from './path-world.ts'
import { homeProcess, lastSeen, type Places, residentMegabytes, startPlaces } from './places.ts'
import { bundle, cpuOf, start, type WorkerSource } from './runtime.ts'
import { startWorld } from './scripted-world.ts'

const COUNTED: WorkerSource = { config: 'wrangler.toml', entry: 'bench/worker/rows.ts', readable: true }
const WARM_UP = 5
const MESSAGES = 20
/**
 * Maximum rows of the owner's "hello" at the edge: the free plan allows 4,000 messages a day at that number. Each commit is one
 * that prevents a loss.
 */
const MOST_ROWS = 25
const MOST_COMMITS = 3
/** Time in ms after which a message has caused all of its writes. */
const SETTLED = 250
const CROWD = 50
/** Time in ms after which home is idle again. */
const RESTED = 30_000
const QUESTION = 'when am I free on Friday?'

export async function measureRows(): Promise<readonly Figure[]> {
  return [...(await atTheEdge()), ...(await throughHome())]
}

/** The owner's "hello" by webhook, one streamed model call, one message in the chat. */
export async function atTheEdge(): Promise<readonly Figure[]> {
  const world = await startPathWorld()
  const made = await bundle(COUNTED)
  const state = mkdtempSync(join(tmpdir(), 'pfar-bench-rows-'))
  const secret = randomBytes(32).toString('hex')
  const token = `4242:${randomBytes(20).toString('hex')}`
  const bindings = edgeBindings(world, { secret, token })
  const runtime = await start(COUNTED, made, bindings, { unlimited: true, state })
  const written = async (): Promise<Readonly<Record<string, number>>> =>
    (await (await fetch(`${runtime.origin}/bench/written`, { method: 'POST' })).json()) as Record<
      string,
      number
    >
  const hello = async (): Promise<void> => {
    await botMessage(world, { runtime, secret }, { from: OWNER, path: '/telegram/open' })
    await pause(SETTLED)
  }
  try {
    for (let done = 0; done < WARM_UP; done += 1) await hello()
    await written()
    const byMessage: (readonly Logged[])[] = []
    for (let done = 0; done < MESSAGES; done += 1) {
      const before = loggedIn(state)
      await hello()
      byMessage.push([...addedSince(before, loggedIn(state)).values()])
    }
    const logged = byMessage.flat()
    // An alarm that fires during one message is a commit, too.
    const most = percentile(
      byMessage.map((logs) => logs.reduce((sum, { commits }) => sum + commits, 0)),
      0.5,
    )
    const rows = Object.entries(await written())
    const all = each(rows.reduce((sum, [, count]) => sum + count, 0))
    return [
      {
        name: 'hello at the edge, rows',
        value: all,
        unit: '',
        bound: atMost(all, MOST_ROWS, `≤ ${MOST_ROWS}`),
      },
      ...rows.map(([what, count]) => ({ name: `  ${what.slice(0, 44)}`, value: each(count), unit: '' })),
      {
        name: 'hello at the edge, commits of most',
        value: most,
        unit: '',
        bound: atMost(most, MOST_COMMITS, `≤ ${MOST_COMMITS}`),
      },
      ...ofLogs('hello at the edge', logged),
    ]
  } finally {
    await Promise.all([runtime.stop(), world.close()])
    made.remove()
    rmSync(state, { recursive: true, force: true })
  }
}

/** A question on the open line that home answers, and the same one on the private line; rows as `pfar usage` reports them. */
async function throughHome(): Promise<readonly Figure[]> {
  const world = await startWorld()
  const { origin } = world
  const tools = ['[tools.google]', `base_url = "${origin}"`, '[network]', `exempt_origins = ["${origin}"]`]
  const places = await startPlaces(tools)
  try {
    await sampleOf(places.open, QUESTION, WARM_UP)
    await sampleOf(places.private, QUESTION, WARM_UP)
    const before = await rowsAtEdge(places.open)
    const open = await cost(places, places.open)
    // A message's counts are written with the row of the next message.
    const edge = ((await rowsAtEdge(places.open)) - before) / MESSAGES
    const own = await cost(places, places.private)
    const crowd = await crowdOf(places)
    const named = (name: string, value: number, unit = ''): Figure => ({ name, value, unit })
    return [
      named('question that goes home, rows at the edge', edge),
      ...ofLogs('question that goes home, edge', open.edge),
      ...ofLogs('question that goes home, home', open.home),
      named('question that goes home, CPU of home', open.cpu, 'ms'),
      ...ofLogs('question on the private line, home', own.home),
      named('question on the private line, CPU of home', own.cpu, 'ms'),
      named('question on the private line, growth of home.sqlite', own.bytes / 1_024, 'KB'),
      named(`home, most memory under ${CROWD} questions at once`, crowd.most, 'MB'),
      named(`home, memory ${RESTED / 1_000} s after them`, crowd.rested, 'MB'),
    ]
  } finally {
    await places.stop()
    await world.close()
  }
}

/** Resident megabytes of home while it answers CROWD concurrent questions, and when it is idle again. */
async function crowdOf({ private: link, process }: Places): Promise<{ most: number; rested: number }> {
  const home = homeProcess(process)
  let after = await lastSeen(link)
  const sent = await Promise.all(
    Array.from({ length: CROWD }, () => link.send({ id: randomBytes(8).toString('hex'), text: QUESTION })),
  )
  const open = new Set(sent.flatMap((one) => (one.ok ? [one.value.task] : [])))
  if (open.size !== CROWD) throw new Error('a question was not taken')
  while (open.size > 0) {
    const rows = await link.deliveries(after, 20_000)
    if (!rows.ok || rows.value.length === 0) throw new Error(`no answer came to ${open.size} of them`)
    for (const { task } of rows.value) if (task !== null) open.delete(task)
    after = rows.value.at(-1)?.seq ?? after
  }
  const most = residentMegabytes(home, true)
  await pause(RESTED)
  return { most, rested: residentMegabytes(home) }
}

interface Cost {
  readonly home: readonly Logged[]
  readonly edge: readonly Logged[]
  /** Milliseconds of home's processor time, and bytes of its database, of one message. */
  readonly cpu: number
  readonly bytes: number
}

async function cost({ root, process }: Places, link: Link): Promise<Cost> {
  const home = homeProcess(process)
  const [used, size] = [cpuOf(home ?? 0), sizeOf(root)]
  let [atHome, atEdge]: Logged[][] = [[], []]
  for (let done = 0; done < MESSAGES; done += 1) {
    const before = loggedIn(root)
    await sampleOf(link, QUESTION, 1)
    await pause(SETTLED)
    for (const [name, log] of addedSince(before, loggedIn(root))) {
      if (name.includes('Object/')) atEdge = [...(atEdge ?? []), log]
      else atHome = [...(atHome ?? []), log]
    }
  }
  const cpu = each(cpuOf(home ?? 0) - used)
  return { home: atHome ?? [], edge: atEdge ?? [], cpu, bytes: each(sizeOf(root) - size) }
}

/** Bytes of home's database without its log. */
function sizeOf(root: string): number {
  return statSync(join(root, 'home.sqlite')).size
}

async function rowsAtEdge(link: Link): Promise<number> {
  const usage = await link.call(showUsage, { days: 1 })
  const rows = usage.ok ? usage.value.plan?.limits.find(({ of }) => of === 'rows') : undefined
  if (rows === undefined) throw new Error('the edge does not tell what it counted')
  return rows.today
}

function ofLogs(what: string, logged: readonly Logged[]): readonly Figure[] {
  const sum = (of: keyof Logged): number => each(logged.reduce((total, one) => total + one[of], 0))
  return [
    { name: `${what}, commits`, value: sum('commits'), unit: '' },
    { name: `${what}, pages written`, value: sum('pages'), unit: '' },
  ]
}

function each(total: number): number {
  return total / MESSAGES
}

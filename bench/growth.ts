/**
 * How the cost of a message grows over years: processor time of one message in home's store, of a search among facts and of
 * scheduled work, at 1, 10 and 100 % of a size, and the exponent of the growth. A mailbox stays on its server, so it is left
 * out. Called by bench/main.ts, and by test/scripts/growth.test.ts at 1 % of the sizes.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate } from '../integrations/store/schema/migrate.ts'
import { createStore } from '../integrations/store/store.ts'
import { labelOf } from '../kernel/flow/label.ts'
import { taintOf } from '../kernel/flow/taint.ts'
import { startTask } from '../kernel/machine/machine.ts'
import type { Store } from '../kernel/powers/all-powers.ts'
import type { AuditEvent } from '../kernel/powers/stores.ts'
import type { SealedRef } from '../kernel/task/task.ts'
import { STORE_MIGRATIONS } from '../migrations/store.ts'
import { openSqlite } from '../sidecar/store/sqlite-bridge.ts'
import type { Figure } from './figures.ts'
import { ring } from './memory.ts'
import { fill, type Subject, search } from './memory-facts.ts'

/** Full sizes, as after some years. */
const WHOLE = Object.freeze({ messages: 5_000, facts: 100_000, jobs: 1_000, contacts: 500 })
type Size = Readonly<Record<keyof typeof WHOLE, number>>
const SHARES = [0.01, 0.1, 1] as const
/** Number of measured messages and searches per size. */
const SAMPLES = 60
const OWNER = 'principal:owner'
const SINK = 'sink:terminal:owner'
const START = 1_700_000_000_000

interface Cost {
  /** Milliseconds of processor time. */
  readonly message: number
  readonly search: number
  readonly timed: number
  readonly contacts: number
}

/** `scale`: fraction of the full sizes. `samples`: measured runs of each kind, after as many warm-up runs. */
export async function measureGrowth(scale: number, samples = SAMPLES): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'pfar-bench-growth-'))
  try {
    const costs: Cost[] = []
    for (const share of SHARES) {
      const size = sizeOf(scale * share)
      const { db, close } = openSqlite(join(folder, `${share}.sqlite`))
      migrate(db, STORE_MIGRATIONS)
      costs.push(
        await costAt({ place: 'home', store: createStore(db), sealer: ring().sealer }, size, samples),
      )
      close()
    }
    const kinds = Object.keys(costs[0] ?? {}) as (keyof Cost)[]
    return kinds.flatMap((kind) => [
      ...costs.map((cost, n) => ({
        ...{ name: `${NAMES[kind]}, ${describe(sizeOf(scale * (SHARES[n] ?? 1)), kind)}` },
        ...{ value: cost[kind], unit: 'ms' },
      })),
      powerOf(
        kind,
        costs.map((cost) => cost[kind]),
      ),
    ])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const NAMES: Readonly<Record<keyof Cost, string>> = {
  message: 'a message in the store',
  search: 'a search among facts',
  timed: 'what is due, asked after each message',
  contacts: 'contacts, read for a plan that names one',
}
const COUNTED: Readonly<Record<keyof Cost, keyof Size>> = {
  ...{ message: 'messages', search: 'facts', timed: 'jobs', contacts: 'contacts' },
}

function describe(size: Size, kind: keyof Cost): string {
  return `${size[COUNTED[kind]].toLocaleString('en')} ${COUNTED[kind]}`
}

/** Exponent of the growth: least-squares slope in log–log scale. 0 is constant, 1 linear. */
function powerOf(kind: keyof Cost, costs: readonly number[]): Figure {
  const points = costs.map((cost, n) => [Math.log(SHARES[n] ?? 1), Math.log(Math.max(cost, 0.001))] as const)
  const mean = (of: 0 | 1): number => points.reduce((sum, point) => sum + point[of], 0) / points.length
  const [x, y] = [mean(0), mean(1)]
  const over = points.reduce((sum, [a, b]) => sum + (a - x) * (b - y), 0)
  const under = points.reduce((sum, [a]) => sum + (a - x) ** 2, 0)
  return { name: `${NAMES[kind]}, grows by the power`, value: over / under, unit: '' }
}

function sizeOf(scale: number): Size {
  const scaled = (whole: number): number => Math.max(1, Math.round(whole * scale))
  return {
    messages: scaled(WHOLE.messages),
    facts: scaled(WHOLE.facts),
    jobs: scaled(WHOLE.jobs),
    contacts: scaled(WHOLE.contacts),
  }
}

async function costAt(subject: Subject, size: Size, samples: number): Promise<Cost> {
  const timed = (run: () => void | Promise<void>): Promise<number> => timeOf(run, samples)
  const { store } = subject
  await fill(subject, { from: 0, to: size.facts, words: true })
  store.transaction(() => {
    for (let n = 0; n < size.jobs; n += 1) addJob(store, n)
    for (let n = 0; n < size.contacts; n += 1)
      store.addContact({ ref: refOf(`contact-${n}`), before: null, source: 'typed', gone: null, at: START })
  })
  for (let n = 0; n < size.messages; n += 1) message(store, n)
  let next = size.messages
  return {
    message: await timed(() => message(store, next++)),
    search: await timed(() => search(subject)),
    timed: await timed(() => askWhatIsDue(store)),
    contacts: await timed(() => void store.contactRows()),
  }
}

/** Processor time of one run, in ms, after as many warm-up runs. */
async function timeOf(run: () => void | Promise<void>, samples: number): Promise<number> {
  for (let done = 0; done < samples; done += 1) await run()
  const before = process.cpuUsage()
  for (let done = 0; done < samples; done += 1) await run()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000 / samples
}

function refOf(id: string): SealedRef {
  const label = labelOf([{ origin: SINK, field: '*', level: 'sensitive', compartment: null }])
  return { id, version: 1, label, taint: taintOf('clean', SINK), holds: { what: 'text' } }
}

/** The reads and writes of one message with an answer, in the order in which the product makes them. */
function message(store: Store, n: number): void {
  const id = `task-${n}`
  const at = START + n * 60_000
  const [words, answer] = [refOf(`${id}-words`), refOf(`${id}-answer`)]
  const line = (kind: AuditEvent['kind']): void =>
    store.appendAudit({
      ...{ at, place: 'home', kind, trace: id, task: id, principal: OWNER },
      facts: { template: 'owner_private', sink: SINK, ok: true },
    })
  const seal = ({ id: record }: SealedRef): void =>
    store.putSealed({
      ...{ id: record, principal: OWNER, store: 'sessions', version: 1, label: 'sensitive', until: null },
      bytes: new Uint8Array(400),
    })
  store.recentTasks(OWNER, 1)
  const { task } = startTask({
    ...{ id, trace: id, template: 'owner_private', principal: OWNER, event: id, place: 'home' },
    ...{ ceiling: { level: 'sensitive', compartments: [] }, tools: ['memory.search'], maxToolCalls: 5 },
    ...{ sink: SINK, words, memory: {}, createdAt: at, turn: store.nextTurn(OWNER) },
  })
  store.transaction(() => {
    store.addTask(task, [])
    seal(words)
    line('task_created')
  })
  store.recentTurns(OWNER, 6)
  store.historySize(OWNER)
  store.workingMemory(OWNER, 10)
  const day = new Date(at).toISOString().slice(0, 10)
  store.noteUsage(
    {
      ...{
        at,
        day,
        task: id,
        principal: OWNER,
        template: 'owner_private',
        purpose: 'synthesize',
        model: 'm',
      },
      ...{ metered: true, tokens: { input: 10, output: 5 }, cost: null },
    },
    { tokens: { input: 10, output: 5 }, cost: null, failed: false },
  )
  line('model_called')
  store.transaction(() => {
    seal(answer)
    store.saveTask({ ...task, answer }, [])
  })
  store.putDelivery({
    ...{ id: `${id}/answer`, sink: SINK, principal: OWNER, task: id, turn: task.turn, kind: 'answer' },
    ...{ approval: null, text: answer, label: 'sensitive', at },
  })
  line('egress')
  store.transaction(() => {
    store.appendTurn({ turn: task.turn, principal: OWNER, task: id, words, answer, at })
    store.pushMemory([{ turn: task.turn, principal: OWNER, task: id, action: 'x.y', ref: answer, at }], {
      ...{ tasks: 10, archived: 500 },
    })
    store.saveTask({ ...task, answer, state: { at: 'completed' } }, [])
    line('task_ended')
  })
  store.deliveriesAfter(SINK, 0, 1)
  store.auditOf(id)
}

function askWhatIsDue(store: Store): void {
  const now = START + 1_000
  store.activePrincipals()
  store.pendingApprovals(null)
  store.waiting()
  store.retractions()
  store.nextExpiry()
  store.nextReminder()
  store.nextJob()
  store.dueReminders(now, 10)
  store.dueJobs(now, 10)
  store.openRuns()
  store.openPages()
  store.runsAgain(now)
  store.dropRunsBefore(now - 90 * 86_400_000)
}

/** Adds a daily job that has run ten times. */
function addJob(store: Store, n: number): void {
  const id = `job-${n}`
  store.addJob({
    ...{
      id,
      number: 0,
      template: 'digest',
      sink: SINK,
      words: refOf(`${id}-words`),
      digest: 'd',
      zone: 'UTC',
    },
    frozen: { plan: { steps: [], explanation: '' }, planner: 'canned' },
    repeat: { kind: 'minutes', every: 1_440, first: '2026-11-27 13:00' },
    ...{ missed: 'skip', quiet: false, state: 'on', why: null, due: START + 86_400_000 + n, skips: null },
    ...{ failures: 0, at: START, watch: null, budget: null, before: null, reach: null, page: null },
  })
  for (let run = 0; run < 10; run += 1)
    store.addRun({
      ...{ job: id, scheduled: START - run * 86_400_000, started: START, ended: START, outcome: 'told' },
      ...{ delivery: 'sent', code: null, task: null, attempt: 1, again: null },
      ...{ page: 'none', pageTask: null, pageCode: null },
    })
}

/**
 * How long memory takes to find its oldest fact: among 100,000 at home and among 5,000 in a Durable Object in workerd, beside
 * the same search without the index. The first search after waking is a figure of its own. Called by bench/main.ts; its key ring
 * also by bench/growth.ts.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate } from '../integrations/store/schema/migrate.ts'
import { createStore } from '../integrations/store/store.ts'
import { createKeyRing, type DataKeyRow } from '../kernel/vault/key-ring.ts'
import { STORE_MIGRATIONS } from '../migrations/store.ts'
import { randomOfNode } from '../sidecar/keys/home-keys.ts'
import { openSqlite } from '../sidecar/store/sqlite-bridge.ts'
import { atMost, type Figure, percentile } from './figures.ts'
import { fill, indexAll, type Subject, search } from './memory-facts.ts'
import { bundle, start, type WorkerSource } from './runtime.ts'

const AT_HOME = 100_000
const AT_EDGE = 5_000
const SAMPLES = 60
/** Number of times that an object is evicted from memory and woken by a search. */
const WAKINGS = 10
/** Batch size of the index, as in sidecar/jobs/home-jobs.ts. */
const INDEXED_AT_ONCE = 100
/** Maximum duration of a warm search, in ms. */
const WITHIN = 20
const EDGE: WorkerSource = { config: 'bench/worker/memory.toml', entry: 'bench/worker/memory.ts' }

export async function measureMemory(): Promise<readonly Figure[]> {
  return [...(await measureAtHome()), ...(await measureAtEdge())]
}

async function measureAtHome(): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'pfar-bench-'))
  const path = join(folder, 'home.sqlite')
  const { sealer } = ring()
  const open = () => {
    const { db, close } = openSqlite(path)
    migrate(db, STORE_MIGRATIONS)
    const subject: Subject = { place: 'home', store: createStore(db), sealer }
    return { subject, close }
  }
  try {
    const first = open()
    await fill(first.subject, { from: 0, to: AT_HOME, words: false })
    const before = statSync(path).size
    // A search without an index sees only the newest 500 facts, so it misses the oldest.
    const opened = await sampled(() => search(first.subject).catch(() => undefined))
    const begun = performance.now()
    await indexAll(first.subject, INDEXED_AT_ONCE)
    const indexing = performance.now() - begun
    first.close()
    const again = open()
    const woken = performance.now()
    await search(again.subject)
    const cold = performance.now() - woken
    const warm = await sampled(() => search(again.subject))
    again.close()
    const p95 = percentile(warm, 0.95)
    const ratio = percentile(warm, 0.5) / percentile(opened, 0.5)
    const size = (statSync(path).size - before) / AT_HOME
    const facts = `${AT_HOME.toLocaleString('en')} facts at home`
    return [
      { name: `oldest of ${facts}, p50`, value: percentile(warm, 0.5), unit: 'ms' },
      {
        ...{ name: `oldest of ${facts}, p95`, value: p95, unit: 'ms' },
        bound: atMost(p95, WITHIN, `≤ ${WITHIN}`),
      },
      { name: `first search after a start, ${facts}`, value: cold, unit: 'ms' },
      { name: 'without the index, newest 500 only, p50', value: percentile(opened, 0.5), unit: 'ms' },
      { name: 'with the index / without', value: ratio, unit: '×' },
      { name: `indexing ${facts}, once`, value: indexing / 1_000, unit: 's' },
      { name: 'index on disk, a fact', value: size, unit: 'B' },
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A key ring that exists in this process only. */
export function ring() {
  const rows: DataKeyRow[] = []
  const wrappedKeys = {
    generations: () => rows,
    add: (row: DataKeyRow) => void rows.push(row),
    destroy: () => 0,
  }
  const versions = { current: () => null, raise: () => undefined }
  return createKeyRing({ master: randomOfNode(32), wrappedKeys, versions, random: randomOfNode })
}

async function sampled(run: () => Promise<unknown>): Promise<readonly number[]> {
  const times: number[] = []
  for (let n = 0; n < SAMPLES; n += 1) {
    const begun = performance.now()
    await run()
    // The first runs are warm-up.
    if (n >= SAMPLES / 4) times.push(performance.now() - begun)
  }
  return times
}

/** Compared with a request to the same object that does nothing, because workerd's own clock stands still while it computes. */
async function measureAtEdge(): Promise<readonly Figure[]> {
  const made = await bundle(EDGE)
  const runtime = await start(EDGE, made, {})
  const ask = async (path: string): Promise<void> => {
    const response = await fetch(`${runtime.origin}/${path}`)
    const said = await response.text()
    if (!response.ok) throw new Error(`${path}: ${response.status} ${said.slice(0, 200)}`)
  }
  const timed = async (path: string): Promise<number> => {
    const begun = performance.now()
    await ask(path)
    return performance.now() - begun
  }
  try {
    for (let from = 0; from < AT_EDGE; from += 500) await ask(`fill?from=${from}&to=${from + 500}`)
    const floor = await sampled(() => ask('nothing'))
    const warm = await sampled(() => ask('search'))
    const [woken, wokenFloor]: [number[], number[]] = [[], []]
    for (let n = 0; n < WAKINGS; n += 1) {
      await ask('sleep')
      wokenFloor.push(await timed('nothing'))
      await ask('sleep')
      woken.push(await timed('search'))
    }
    const bare = percentile(floor, 0.5)
    const own = percentile(warm, 0.95) - bare
    const facts = `${AT_EDGE.toLocaleString('en')} facts at the edge`
    return [
      { name: 'request to an object with this many facts, p50', value: bare, unit: 'ms' },
      { name: `oldest of ${facts}, p50, less that`, value: percentile(warm, 0.5) - bare, unit: 'ms' },
      {
        ...{ name: `oldest of ${facts}, p95, less that`, value: own, unit: 'ms' },
        bound: atMost(own, WITHIN, `≤ ${WITHIN}`),
      },
      { name: 'request that wakes it, p50', value: percentile(wokenFloor, 0.5), unit: 'ms' },
      {
        name: 'search that wakes it, p50, less that',
        value: percentile(woken, 0.5) - percentile(wokenFloor, 0.5),
        unit: 'ms',
      },
    ]
  } finally {
    await runtime.stop()
    made.remove()
  }
}

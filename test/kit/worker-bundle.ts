/**
 * Workers of the tests, bundled by wrangler like a deployment, and cached for all files until a source changes: a build takes
 * eight seconds of processor time. Must not run one. Called by the tests of real edges.
 */
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { EDGE_SOURCES, makeBundle, sourceHash } from '../../scripts/start/bundle.ts'
import { ROOT } from '../../scripts/start/child.ts'
import { until } from '../home/fixtures/wait.ts'

const CACHE = join(ROOT, 'node_modules/.cache/pfar/tests')
/** Sources of the tests' entries, including the product's. */
const SOURCES = [...EDGE_SOURCES, 'test/fakes', 'test/regression/edge']
/** Maximum time of a build, in ms, on a machine that builds all of them at the same time. */
const WITHIN = 120_000

export interface WorkerBundle {
  /** The entry as `index.js`, the texts it imports, and `options.json`. */
  readonly folder: string
}

/** `readable`: keeps names and line breaks, for a test that patches single lines. */
export async function workerBundle(entry: string, readable = false): Promise<WorkerBundle> {
  const kind = `${entry.replaceAll(/[/.]/g, '-')}${readable ? '-readable' : ''}`
  const name = `${sourceHash(ROOT, SOURCES)}-${kind}`
  const folder = join(CACHE, name)
  const lock = `${folder}.lock`
  mkdirSync(CACHE, { recursive: true })
  for (;;) {
    if (existsSync(folder)) return { folder }
    if (takes(lock)) break
    await until(() => existsSync(folder) || !existsSync(lock), WITHIN)
  }
  try {
    const args = [entry, '--config', 'wrangler.toml', ...(readable ? ['--no-minify'] : [])]
    const made = await makeBundle({ cache: CACHE, name, args, signal: AbortSignal.timeout(WITHIN) })
    if (!made.ok) throw new Error(made.sentence)
    return { folder: made.value }
  } finally {
    rmSync(lock, { recursive: true, force: true })
  }
}

/** Takes the lock, so that one of several concurrent processes builds. False if another one has it. */
function takes(lock: string): boolean {
  try {
    mkdirSync(lock)
    return true
  } catch {
    return false
  }
}

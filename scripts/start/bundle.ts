/**
 * Builds the Worker's bundle with wrangler exactly as a deployment does, and caches it until a source changes: a build takes
 * seconds, the check milliseconds. Must not run the bundle. Called by bring-up.ts, prepare.ts and the bench.
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { join, relative } from 'node:path'
import { ROOT } from './child.ts'
import { childEnvironment } from './environment.ts'
import { done, type Outcome, trouble } from './outcome.ts'

/** Everything that can change the bundle's content or how it runs. */
export const EDGE_SOURCES: readonly string[] = [
  'durable-objects',
  'integrations',
  'kernel',
  'migrations',
  'package-lock.json',
  'templates',
  'worker',
  'wrangler.toml',
]

const WRANGLER = join(ROOT, 'node_modules/wrangler/bin/wrangler.js')
const OPTIONS_SCRIPT = join(ROOT, 'scripts/start/worker-options.ts')

export const OPTIONS_FILE = 'options.json'

/** Cache folder shared by all state folders of this checkout. */
export const SHARED = join(ROOT, 'node_modules/.cache/pfar/edge')

/**
 * How long a cached bundle is kept, in ms: copies of the checkout may share their packages, and an edge reads its bundle again
 * after a crash.
 */
const KEPT_MS = 7 * 86_400_000

export interface BundleInput {
  /** Folder of this installation's bundles; a new one is made there only if the packages' folder cannot be written. */
  readonly own: string
  /** Called when a build starts, which takes a while. */
  readonly onBuild: () => void
  /** Aborts the build. */
  readonly signal: AbortSignal
}

/** Returns the folder with the bundle's modules and its `options.json`. */
export async function ensureBundle({ own, onBuild, signal }: BundleInput): Promise<Outcome<string>> {
  const name = sourceHash(ROOT)
  const known = [own, SHARED].map((cache) => join(cache, name)).find(existsSync)
  if (known !== undefined) return done(known)
  onBuild()
  return makeBundle({ cache: canWrite(SHARED) ? SHARED : own, name, args: [], signal })
}

export interface Making {
  readonly cache: string
  /** Name of the folder in the cache. */
  readonly name: string
  /** Arguments of wrangler after `deploy`. */
  readonly args: readonly string[]
  readonly signal: AbortSignal
}

export async function makeBundle({ cache, name, args, signal }: Making): Promise<Outcome<string>> {
  const folder = join(cache, name)
  const draft = `${folder}.${process.pid}`
  mkdirSync(draft, { recursive: true, mode: 0o700 })
  const runs = await Promise.all([
    run(WRANGLER, ['deploy', ...args, '--dry-run', '--outdir', draft], { home: draft, signal }),
    run(OPTIONS_SCRIPT, [join(draft, OPTIONS_FILE)], { home: draft, signal }),
  ])
  const failed = runs.find(({ code }) => code !== 0)
  if (failed !== undefined) {
    rmSync(draft, { recursive: true, force: true })
    return trouble(`The Worker could not be bundled. wrangler says: ${failed.said}`)
  }
  for (const old of readdirSync(cache).map((one) => join(cache, one)))
    if (old !== draft && isOld(old)) rmSync(old, { recursive: true, force: true })
  // A concurrent start may have built the same bundle.
  if (existsSync(folder)) rmSync(draft, { recursive: true, force: true })
  else renameSync(draft, folder)
  return done(folder)
}

function isOld(path: string): boolean {
  return Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) > KEPT_MS
}

function canWrite(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true })
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** Changes with any byte or path of the sources. */
export function sourceHash(root: string, sources = EDGE_SOURCES): string {
  const hash = createHash('sha256')
  for (const file of sources.flatMap((source) => filesOf(join(root, source)))) {
    const bytes = readFileSync(file)
    hash.update(`${relative(root, file)}\n${bytes.length}\n`).update(bytes)
  }
  return hash.digest('hex').slice(0, 32)
}

function filesOf(path: string): readonly string[] {
  if (!existsSync(path)) return []
  try {
    return readdirSync(path)
      .sort()
      .flatMap((name) => filesOf(join(path, name)))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return [path]
    throw error
  }
}

async function run(
  script: string,
  args: readonly string[],
  { home, signal }: { readonly home: string; readonly signal: AbortSignal },
): Promise<{ readonly code: number; readonly said: string }> {
  const environment = childEnvironment(process.env, {
    CI: 'true',
    NO_COLOR: '1',
    WRANGLER_SEND_METRICS: 'false',
    WRANGLER_SEND_ERROR_REPORTS: 'false',
    WRANGLER_WRITE_LOGS: 'false',
    XDG_CONFIG_HOME: join(home, '.config'),
  })
  const child = spawn(process.execPath, [script, ...args], {
    cwd: ROOT,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
  })
  // An abort emits an error first; only the exit that follows counts.
  child.on('error', () => undefined)
  const said: string[] = []
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => said.push(chunk.toString()))
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code: code ?? 1, said: said.join('').trim().slice(-1_500) }
}

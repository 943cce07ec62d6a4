/**
 * Bundles a Worker like a deployment and runs it in workerd, for measuring. Reports the runtime's CPU time. Must not measure by
 * itself. Called by the files of bench/, scripts/way.ts and tests of the bundle.
 */
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from 'miniflare'
import { OPTIONS_FILE } from '../scripts/start/bundle.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const WRANGLER = join(ROOT, 'node_modules/wrangler/bin/wrangler.js')
const run = promisify(execFile)
/** Clock ticks of /proc/<pid>/stat per second on Linux. */
const TICKS = 100

process.env['X_LOCAL_OBSERVABILITY'] = 'false'
process.env['CLOUDFLARE_CF_FETCH_ENABLED'] = 'false'

export interface WorkerSource {
  readonly config: string
  readonly entry: string
  /** Keeps names and line breaks, for a test that patches single lines. Default: as deployed. */
  readonly readable?: boolean
  /** Root of the Worker's source tree; default: this one. */
  readonly root?: string | undefined
}

export interface Bundle {
  readonly folder: string
  /** KiB, as wrangler reports them. */
  readonly size: number
  readonly gzipped: number
  remove(): void
}

export async function bundle({
  config,
  entry,
  readable = false,
  root = ROOT,
}: WorkerSource): Promise<Bundle> {
  const folder = mkdtempSync(join(tmpdir(), 'pfar-bench-'))
  const plain = readable ? ['--no-minify'] : []
  const args = [WRANGLER, 'deploy', entry, '--config', config, '--dry-run', '--outdir', folder, ...plain]
  const { stdout } = await run(process.execPath, args, {
    cwd: root,
    env: { ...process.env, CI: 'true', NO_COLOR: '1', WRANGLER_SEND_METRICS: 'false' },
  })
  const sizes = /Total Upload:\s*([\d.]+) KiB \/ gzip:\s*([\d.]+) KiB/.exec(stdout)
  if (sizes === null) throw new Error(`wrangler printed no size: ${stdout.slice(0, 500)}`)
  const [, size, gzipped] = sizes.map(Number)
  return {
    folder,
    size: size ?? 0,
    gzipped: gzipped ?? 0,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

export interface Runtime {
  readonly origin: string
  /** Milliseconds from creation until ready for the first time. */
  readonly startup: number
  /** CPU milliseconds of the runtime so far. */
  cpu(): number
  stop(): Promise<void>
}

/** A Worker to run, with its bindings in addition to its configuration. */
export interface Deployed {
  readonly source: WorkerSource
  readonly made: Pick<Bundle, 'folder'>
  readonly bindings: Record<string, string>
  /** Takes its rate limits away (`UNLIMITED`), for measurements with many messages at once. */
  readonly unlimited?: boolean
}

export interface StartOptions {
  readonly unlimited?: boolean
  /** Port of V8's inspector, for a profile; default: none. */
  readonly inspectorPort?: number
  /** Folder of its databases; default: a temporary one of the runtime. */
  readonly state?: string
}

export async function start(
  source: WorkerSource,
  made: Pick<Bundle, 'folder'>,
  bindings: Record<string, string>,
  { unlimited = false, state, inspectorPort }: StartOptions = {},
): Promise<Runtime> {
  const one = { source, made, bindings, unlimited }
  const { origins, ...runtime } = await startTogether([one], state, inspectorPort)
  return { ...runtime, origin: origins[0] ?? '' }
}

/**
 * Runs all Workers in one process and thread, each at its own origin, in the given order. A process on the caller's processor
 * answers in two thirds of the time of one that must be woken on another, so two subjects that differ by microseconds must not
 * be placed apart.
 */
export async function startTogether(
  all: readonly Deployed[],
  state?: string,
  inspectorPort?: number,
): Promise<Omit<Runtime, 'origin'> & { readonly origins: readonly string[] }> {
  const before = new Set(runtimeProcesses())
  const begun = performance.now()
  const workers = await Promise.all(all.map((one, n) => workerOf(one, `bench-${n}`)))
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      ...{
        host: '127.0.0.1',
        port: 0,
        cf: false,
        telemetry: { enabled: false },
        log: new Log(LogLevel.ERROR),
      },
      unsafeObservability: false,
      ...(inspectorPort !== undefined && { inspectorPort }),
      ...(state !== undefined && { resourcePersistencePath: state }),
      workers,
    } as Parameters<typeof convertV4MiniflareOptions>[0]),
  )
  await miniflare.ready
  const startup = performance.now() - begun
  const urls = await Promise.all(workers.map(({ name }) => miniflare.unsafeGetDirectURL(name)))
  const own = runtimeProcesses().filter((pid) => !before.has(pid))
  return {
    origins: urls.map(({ origin }) => origin),
    startup,
    cpu: () => own.reduce((sum, pid) => sum + cpuOf(pid), 0),
    stop: () => miniflare.dispose(),
  }
}

async function workerOf({ source, made, bindings, unlimited = false }: Deployed, name: string) {
  const workerOptions = await optionsOf(source, made.folder)
  const modules = readdirSync(made.folder)
    .filter((file) => file.endsWith('.js') || /\.(?:sql|toml|md)$/.test(file))
    .filter((file) => file !== 'README.md')
    .sort((a, b) => Number(b.endsWith('.js')) - Number(a.endsWith('.js')))
    .map((file) => ({
      type: file.endsWith('.js') ? ('ESModule' as const) : ('Text' as const),
      path: join(made.folder, file),
    }))
  const { ratelimits = {}, ...without } = workerOptions
  const limits = Object.keys(ratelimits)
  return {
    ...(unlimited ? without : workerOptions),
    name,
    // Connects directly to the Worker. Otherwise the development proxy would run in the same thread, and no deployment has one.
    unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }],
    modulesRoot: made.folder,
    modules: unlimited ? [unlimitedEntry(made.folder, modules[0]?.path ?? '', limits), ...modules] : modules,
    bindings: { ...(workerOptions.bindings as object), ...bindings },
  }
}

/**
 * The deployed platform counts rates in memory, on the Worker's machine
 * (https://developers.cloudflare.com/workers/runtime-apis/bindings/rate-limit/#performance). Its local emulation calls a
 * Durable Object per limit, which writes a row: two more calls and two more commits a message, in one queue for all. This entry
 * answers them itself.
 */
function unlimitedEntry(folder: string, main: string, limits: readonly string[]) {
  const module = `./${relative(folder, main)}`
  const contents = `import product from '${module}'
export * from '${module}'
const rate = { limit: async () => ({ success: true }) }
const limits = Object.fromEntries(${JSON.stringify(limits)}.map((name) => [name, rate]))
let all
export default {
  ...product,
  fetch: (request, env, context) => product.fetch(request, (all ??= { ...env, ...limits }), context),
}
`
  return { type: 'ESModule' as const, path: join(folder, 'unlimited.js'), contents }
}

/** The options stored beside the bundle; otherwise wrangler's, which takes two seconds to load. */
async function optionsOf({ root = ROOT, config }: WorkerSource, folder: string) {
  const beside = join(folder, OPTIONS_FILE)
  if (existsSync(beside)) return JSON.parse(readFileSync(beside, 'utf8')).workerOptions
  const { unstable_getMiniflareWorkerOptions } = await import('wrangler')
  return unstable_getMiniflareWorkerOptions(join(root, config)).workerOptions
}

/** CPU milliseconds of one process; 0 without /proc. */
export function cpuOf(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return ((Number(fields[11]) + Number(fields[12])) * 1_000) / TICKS
  } catch {
    return 0
  }
}

function runtimeProcesses(): readonly number[] {
  try {
    return readdirSync('/proc')
      .map(Number)
      .filter((pid) => pid > 0 && commandOf(pid).includes('workerd'))
  } catch {
    return []
  }
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')[0] ?? ''
  } catch {
    return ''
  }
}

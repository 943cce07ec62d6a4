/**
 * The edge's process: runs the deployed bundle in workerd, through Miniflare, on loopback only. Prints `ready` on
 * stdout. Must not change the bundle. Started by edge.ts, on a leash; stops on SIGTERM.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare, type V4MiniflareOptions } from 'miniflare'
import { OPTIONS_FILE } from './bundle.ts'
import { type EdgeSpec, readEdgeSpec } from './edge-spec.ts'
import { childProcesses, killStale, RUNTIME } from './stale.ts'

const HOST = '127.0.0.1'

// Set before Miniflare starts: disables slow local tracing, and a request to the network.
process.env['X_LOCAL_OBSERVABILITY'] = 'false'
process.env['CLOUDFLARE_CF_FETCH_ENABLED'] = 'false'

const spec = readEdgeSpec(process.argv[2] ?? '')
killStale(spec.pidFile, RUNTIME)
const miniflare = new Miniflare(convertV4MiniflareOptions(optionsOf(spec)))
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  // Miniflare's own handler exits at once and aborts running responses.
  process.removeAllListeners(signal)
  process.once(signal, () => void stop())
}
void miniflare.ready.then(() => {
  noteRuntime()
  process.stdout.write('ready\n')
})

/** Miniflare restarts workerd if it dies, under another process id. */
function noteRuntime(): void {
  writeFileSync(spec.pidFile, childProcesses(process.pid, RUNTIME).join('\n'), { mode: 0o600 })
}

async function stop(): Promise<void> {
  await miniflare.dispose()
  rmSync(spec.pidFile, { force: true })
  process.exit(0)
}

function optionsOf({ bundle, port, persist, bindings }: EdgeSpec): V4MiniflareOptions {
  const { versionMetadata, ...workerOptions } = JSON.parse(
    readFileSync(join(bundle, OPTIONS_FILE), 'utf8'),
  ).workerOptions
  // Miniflare gives each start a new deployment id; here the id changes only with the program.
  const deployed = { [versionMetadata]: { id: basename(bundle) } }
  return {
    host: HOST,
    port,
    cf: false,
    telemetry: { enabled: false },
    resourcePersistencePath: persist,
    log: new Log(LogLevel.WARN),
    unsafeHandleRuntimeRestart: noteRuntime,
    unsafeObservability: false,
    workers: [
      {
        ...workerOptions,
        name: 'pfar',
        modulesRoot: bundle,
        modules: modulesOf(bundle),
        bindings: { ...workerOptions.bindings, ...deployed, ...bindings },
      },
    ],
  }
}

/** The entry first, then the texts it imports. Source maps and wrangler's notes are excluded. */
function modulesOf(bundle: string) {
  const entry = { type: 'ESModule' as const, path: join(bundle, 'index.js') }
  const texts = readdirSync(bundle)
    .filter((name) => /\.(?:sql|toml|md|txt)$/.test(name) && name !== 'README.md')
    .map((name) => ({ type: 'Text' as const, path: join(bundle, name) }))
  return [entry, ...texts]
}

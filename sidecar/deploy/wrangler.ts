/**
 * Runs wrangler, Cloudflare's tool, in a child process. Secrets go through its stdin: never an argument, file, variable
 * or log. Must not decide what is deployed. Called by deploy.ts.
 */

import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { readJson } from '../store/json.ts'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Environment variables that wrangler needs: paths, proxies, and the owner's Cloudflare account. A token among them is
 * the owner's own, meant for wrangler; PFAR adds none.
 */
const KEPT: readonly string[] = [
  ...['PATH', 'HOME', 'TMPDIR', 'XDG_CONFIG_HOME', 'LANG'],
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE'],
  ...['CLOUDFLARE_API_TOKEN', 'CLOUDFLARE_ACCOUNT_ID', 'CLOUDFLARE_API_BASE_URL'],
]

const ROOT = join(import.meta.dirname, '../..')
const WRANGLER = join(ROOT, 'node_modules/wrangler/bin/wrangler.js')
/** Milliseconds. An upload over a slow connection takes minutes; a hanging one must end. */
const LONGEST = 600_000
/** UTF-16 units kept of its output. */
const MAX_OUT = 262_144

const event = z.looseObject({
  type: z.string(),
  targets: z.optional(z.array(z.string())),
  message: z.optional(z.string()),
  bundle_size: z.optional(z.object({ gzip_bytes: z.number() })),
})

export interface WranglerRun {
  readonly ok: boolean
  readonly out: string
  /** The error text of wrangler; empty if there was none. */
  readonly why: string
  /** Addresses of the deployed Worker. */
  readonly targets: readonly string[]
  /** Bytes of the compressed program; null if none was built. */
  readonly size: number | null
}

export type Wrangler = (args: readonly string[], stdin?: string) => Promise<WranglerRun>

export function createWrangler(environment: Environment): Wrangler {
  return async (args, stdin = '') => {
    const folder = mkdtempSync(join(tmpdir(), 'pfar-deploy-'))
    try {
      const notes = join(folder, 'notes')
      const ended = await run(args, { stdin, environment: childEnvironment(environment, { notes, folder }) })
      return { ...ended, ...readNotes(notes) }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

function childEnvironment(
  environment: Environment,
  { notes, folder }: { readonly notes: string; readonly folder: string },
): Record<string, string> {
  const kept = KEPT.flatMap((name) => {
    const value = environment[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return {
    ...Object.fromEntries(kept),
    // File for machine-readable results.
    WRANGLER_OUTPUT_FILE_PATH: notes,
    WRANGLER_REGISTRY_PATH: join(folder, 'registry'),
    WRANGLER_WRITE_LOGS: 'false',
    WRANGLER_SEND_METRICS: 'false',
    WRANGLER_SEND_ERROR_REPORTS: 'false',
    // Non-interactive mode.
    CI: 'true',
    NO_COLOR: '1',
  }
}

async function run(
  args: readonly string[],
  { stdin, environment }: { readonly stdin: string; readonly environment: Record<string, string> },
): Promise<Pick<WranglerRun, 'ok' | 'out'>> {
  const child = spawn(process.execPath, [WRANGLER, ...args], {
    cwd: ROOT,
    env: environment,
    // stderr is dropped: the machine-readable results contain the same errors.
    stdio: ['pipe', 'pipe', 'ignore'],
    timeout: LONGEST,
    killSignal: 'SIGKILL',
  })
  let out = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out = (out + text).slice(-MAX_OUT)
  })
  // The child may have ended before it read its input.
  child.stdin.on('error', () => undefined).end(stdin)
  const ended = await new Promise<number | null>((resolve) => {
    child.on('error', () => resolve(null))
    child.on('close', resolve)
  })
  return { ok: ended === 0, out }
}

/** One JSON document per line; unknown ones are ignored. */
function readNotes(path: string): Pick<WranglerRun, 'why' | 'targets' | 'size'> {
  const events = linesOf(path).flatMap((line) => readJson(event, line) ?? [])
  const deployed = events.find(({ type }) => type === 'deploy')
  const failed = events.find(({ type }) => type === 'command-failed')
  return {
    why: failed?.message ?? '',
    targets: deployed?.targets ?? [],
    size: deployed?.bundle_size?.gzip_bytes ?? null,
  }
}

function linesOf(path: string): readonly string[] {
  try {
    return readFileSync(path, 'utf8').split('\n')
  } catch {
    return []
  }
}

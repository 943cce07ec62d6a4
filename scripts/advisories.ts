/**
 * Fails if an advisory of level `high` or above concerns a production dependency (S-17), by `npm audit` on the lock
 * file. A registry that does not answer, or has no advisories, is only reported, so that no network is needed to test a
 * change. Must not change the lock file. Called by CI.
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import * as z from 'zod/mini'

const ROOT = join(import.meta.dirname, '..')
const ASK = ['audit', '--omit=dev', '--audit-level=high', '--json']
/** Milliseconds for the registry: a network that drops packets must not block CI for longer. */
const LONGEST = 60_000
/** Levels that fail the check. */
const STOPPING: ReadonlySet<string> = new Set(['high', 'critical'])

const report = z.object({
  vulnerabilities: z.record(z.string(), z.object({ severity: z.string() })),
})

export interface Advice {
  readonly ok: boolean
  readonly says: string
}

/** `output`: output of `npm audit --json`. Its exit code does not distinguish an advisory from a network error. */
export function judgeAdvisories(output: string): Advice {
  const parsed = z.safeParse(report, parse(output))
  if (!parsed.success) return { ok: true, says: 'advisories: not looked at, as the registry gave no list' }
  const found = Object.entries(parsed.data.vulnerabilities).filter(([, { severity }]) =>
    STOPPING.has(severity),
  )
  if (found.length === 0) return { ok: true, says: 'advisories: none of level high or above' }
  return {
    ok: false,
    says: `advisories: ${found.map(([name, { severity }]) => `${name} (${severity})`).join(', ')}`,
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function ask(): Promise<string> {
  const child = spawn('npm', ASK, { cwd: ROOT, stdio: ['ignore', 'pipe', 'ignore'], timeout: LONGEST })
  let output = ''
  child.stdout.on('data', (text) => (output += text))
  return new Promise((resolve) => {
    child.on('error', () => resolve(''))
    child.on('close', () => resolve(output))
  })
}

if (import.meta.main) {
  const { ok, says } = judgeAdvisories(await ask())
  console.log(says)
  process.exitCode = ok ? 0 : 1
}

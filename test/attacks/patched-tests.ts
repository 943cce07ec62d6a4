/**
 * Runs test files of the suites without a guard, in a process of their own, and says which tests then fail. A file that does
 * not load is an error and no find: a guard's patch must leave a program. Called by controls.ts.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as z from 'zod/mini'
import type { SourcePatch } from '../e2e/canary-patch.ts'

const ROOT = join(import.meta.dirname, '../..')

const REPORT = z.object({
  numTotalTests: z.number(),
  testResults: z.array(
    z.object({
      message: z.optional(z.string()),
      assertionResults: z.array(z.object({ status: z.string(), fullName: z.string() })),
    }),
  ),
})

/** Full names of the tests that fail. */
export async function failingTests(
  files: readonly string[],
  patches: readonly SourcePatch[],
): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'pfar-controls-'))
  const file = join(folder, 'report.json')
  try {
    const said = await run([`--outputFile=${file}`, ...files], patches)
    const report = readReport(file)
    if (report === null || report.numTotalTests === 0)
      throw new Error(`no test ran without the guard:\n${said.slice(-2_000)}`)
    return report.testResults.flatMap(({ assertionResults }) =>
      assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName),
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function readReport(file: string): z.infer<typeof REPORT> | null {
  try {
    return REPORT.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return null
  }
}

/** Its whole output: a run with failures ends with another code than zero, which is what is looked for. */
function run(args: readonly string[], patches: readonly SourcePatch[]): Promise<string> {
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs')
  const config = join(ROOT, 'vitest.patched.config.ts')
  const command = [vitest, 'run', '--root', ROOT, '--config', config, '--reporter=json', ...args]
  return new Promise((done, failed) => {
    const child = spawn(process.execPath, command, {
      // Of a vitest that runs this: its child is one of its own.
      env: { ...withoutVitest(process.env), PFAR_CANARY_PATCHES: JSON.stringify(patches) },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let said = ''
    child.stdout.on('data', (data) => (said += String(data)))
    child.stderr.on('data', (data) => (said += String(data)))
    child.on('error', failed)
    child.on('close', () => done(said))
  })
}

function withoutVitest(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^VITEST/.test(name)))
}

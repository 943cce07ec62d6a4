/**
 * `npm test`: runs the suites of vitest.config.ts and prints a last line `N passed, N failed, N skipped`, counted from
 * vitest's JSON report. `--changed [REF]` runs the files that a change reaches; all else goes to vitest (`npm test --
 * --project node test/flow`). Fails on a failure, an empty run, and in CI on a skipped test.
 */
import { execFileSync, type StdioOptions, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { reachedTests } from './test/changed.ts'
import { LONG, TURNS, turnOf } from './test/turns.ts'

const ROOT = join(import.meta.dirname, '..')

/**
 * Runs of vitest, in order; those of a row run concurrently. `worker` uses the cores that `node` leaves idle; `e2e` runs alone,
 * with as many processes as there are cores for. The first of a row prints as it goes, the other at its end.
 */
const RUNS = [[['node', 'mocks'], ['worker']], [['e2e']]] as const

/** Maximum time for vitest to exit after it wrote its report, in ms. */
const CLOSING_MS = 60_000

interface Report {
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly message: string
    readonly assertionResults: readonly {
      readonly fullName: string
      readonly status: string
      /** A test that needs a runtime names it: `it(name, { meta: { needs: 'podman' } }, …)`. */
      readonly meta?: { readonly needs?: string }
    }[]
  }[]
}

export interface Tally {
  readonly passed: number
  readonly failed: number
  /** One line per skipped test: reason and name. */
  readonly skipped: readonly string[]
}

/** Counts a report. A file that failed to load counts as one failure. */
export function tally(report: Report): Tally {
  const tests = report.testResults.flatMap((file) =>
    file.assertionResults.map((test) => ({ ...test, file: relative(ROOT, file.name) })),
  )
  const failed = tests.filter((test) => test.status === 'failed').length
  const broken = report.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  )
  return {
    passed: tests.filter((test) => test.status === 'passed').length,
    failed: failed + broken.length,
    skipped: tests
      .filter((test) => test.status !== 'passed' && test.status !== 'failed')
      .map((test) => `${test.meta?.needs ?? 'no reason given'}: ${test.file} ${test.fullName}`),
  }
}

/** Exit code of the whole run. */
export function verdict(total: Tally, run: { readonly clean: boolean; readonly ci: boolean }): 0 | 1 {
  const nothing = total.passed + total.failed + total.skipped.length === 0
  return !run.clean || nothing || total.failed > 0 || (run.ci && total.skipped.length > 0) ? 1 : 0
}

/**
 * Runs vitest once. Without a report it has crashed, which counts as one failure. A run that had to be killed is not
 * clean.
 */
async function runVitest(
  args: readonly string[],
  { report, output }: { readonly report: string; readonly output: 'inherit' | 'at the end' },
): Promise<Tally & { clean: boolean }> {
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs')
  const options = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...args]
  const code = await new Promise<number | null>((done) => {
    const stdio: StdioOptions = output === 'inherit' ? 'inherit' : ['ignore', 'pipe', 'pipe']
    const child = spawn(process.execPath, [vitest, ...options], { cwd: ROOT, stdio })
    const printed: Buffer[] = []
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => printed.push(chunk))
    const look = setInterval(() => {
      // vitest writes the report last: a process that a test left behind must not delay the count.
      if (existsSync(report) && Date.now() - statSync(report).mtimeMs > CLOSING_MS) child.kill('SIGKILL')
    }, 1000)
    const ended = (code: number | null): void => {
      clearInterval(look)
      process.stdout.write(Buffer.concat(printed))
      done(code)
    }
    child.on('error', () => ended(null))
    child.on('close', ended)
  })
  try {
    return { ...tally(JSON.parse(readFileSync(report, 'utf8'))), clean: code === 0 }
  } catch {
    return { passed: 0, failed: 1, skipped: [], clean: false }
  }
}

/** Hash of the commit, which selects the share of the long files; without git, the first share. */
function hashOfCommit(): string {
  const { status, stdout } = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: ROOT, encoding: 'utf8' })
  return status === 0 ? stdout.trim() : '0'
}

/** Output lines of git: paths from the root. */
function git(...args: readonly string[]): readonly string[] {
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).split('\n').filter(Boolean)
}

/** Test files reached by the changes since `ref`, including uncommitted ones. */
function testsSince(ref: string): readonly string[] {
  const untracked = git('ls-files', '--others', '--exclude-standard')
  const changed = [...git('diff', '--name-only', ref), ...untracked]
  const paths = [...git('ls-files', '*.ts', '*.js'), ...untracked.filter((path) => /\.[jt]s$/.test(path))]
  const sources = paths.filter((path) => existsSync(join(ROOT, path)))
  return reachedTests(new Map(sources.map((path) => [path, readFileSync(join(ROOT, path), 'utf8')])), changed)
}

/** Replaces `--changed [REF]` by the test files reached. */
function withChanged(args: readonly string[]): readonly string[] {
  const at = args.indexOf('--changed')
  if (at < 0) return args
  const next = args[at + 1]
  const hasRef = next !== undefined && !next.startsWith('-')
  const tests = testsSince(hasRef ? next : 'HEAD')
  console.log(`${tests.length} test files are reached by the change`)
  if (tests.length === 0) process.exit(0)
  return [...args.slice(0, at), ...args.slice(at + (hasRef ? 2 : 1)), ...tests]
}

async function main(given: readonly string[]): Promise<void> {
  const args = withChanged(given)
  const folder = mkdtempSync(join(tmpdir(), 'pfar-test-'))
  const chosen = args.some((arg) => arg.startsWith('--project'))
  if (args.length === 0) {
    // Built once, or the first tests that need them would build them all at the same time. A failure is reported by the tests.
    spawnSync(process.execPath, [join(ROOT, 'scripts/start/prepare.ts')], { cwd: ROOT, stdio: 'ignore' })
    const hash = hashOfCommit()
    process.env['PFAR_TURN'] = hash
    console.log(
      `of ${LONG.length} long files, turn ${turnOf(hash) + 1} of ${TURNS}; all of them: npm run soak`,
    )
  }
  // With a filter, a project may match nothing; a run without any test still fails.
  const filter = args.length > 0 ? ['--passWithNoTests'] : []
  const rows = chosen
    ? [[args]]
    : RUNS.map((row) => row.map((suites) => [...suites.flatMap((suite) => ['--project', suite]), ...args]))
  let total: Tally = { passed: 0, failed: 0, skipped: [] }
  let clean = true
  for (const [at, row] of rows.entries()) {
    const found = await Promise.all(
      row.map((run, index) =>
        runVitest([...run, ...filter], {
          report: join(folder, `${at}-${index}.json`),
          output: index === 0 ? 'inherit' : 'at the end',
        }),
      ),
    )
    for (const one of found) {
      clean &&= one.clean
      total = {
        passed: total.passed + one.passed,
        failed: total.failed + one.failed,
        skipped: [...total.skipped, ...one.skipped],
      }
    }
  }
  rmSync(folder, { recursive: true })
  for (const line of total.skipped) console.log(`skipped, ${line}`)
  process.exitCode = verdict(total, { clean, ci: process.env['CI'] === 'true' })
  console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped.length} skipped`)
}

if (import.meta.main) await main(process.argv.slice(2))

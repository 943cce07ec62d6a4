/**
 * Controls of the link: the tests of its guards, each with one guard taken out of a copy of this tree. A guard whose removal
 * turns no test red is not tested. Takes a quarter of an hour, so CI runs none of it. Called by main.ts.
 */
import { execFileSync, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { ControlResult } from './controls.ts'
import { GRANT_GUARDS } from './grant-guards.ts'
import { LINK_GUARDS, type LinkGuard } from './link-guards.ts'

const ROOT = join(import.meta.dirname, '../..')
/** Milliseconds: a test that hangs without a guard is as red as one that fails. */
const PATIENCE = 180_000
/** What was found is told by its first few names. */
const MOST_NAMES = 2

type Progress = (line: string) => void

export interface LinkControlOptions {
  /** Only guards whose name matches this pattern. */
  readonly only?: string
  readonly progress: Progress
}

export async function runLinkControls(options: LinkControlOptions): Promise<readonly ControlResult[]> {
  const { only = '', progress } = options
  const copy = copyOfTree()
  try {
    const results: ControlResult[] = []
    for (const row of [...LINK_GUARDS, ...GRANT_GUARDS].filter(([guard]) => new RegExp(only).test(guard))) {
      const red = await without(copy, row, progress)
      progress(`without ${row[0]}: ${red.join('; ') || 'NOTHING'}`)
      results.push({ guard: row[0], where: row[1], red })
    }
    return results
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

/** What is committed or not, and not ignored: the tree that others may work in meanwhile is not touched. */
function copyOfTree(): string {
  const copy = mkdtempSync(join(tmpdir(), 'pfar-controls-'))
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  for (const file of listed.split('\0').filter((name) => name !== ''))
    cpSync(join(ROOT, file), join(copy, file))
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  return copy
}

async function without(
  copy: string,
  [, file, find, replace, ...tests]: LinkGuard,
  progress: Progress,
): Promise<readonly string[]> {
  const path = join(copy, file)
  const source = readFileSync(path, 'utf8')
  const pieces = source.split(find)
  if (pieces.length !== 2) throw new Error(`${file} has ${pieces.length - 1} places for: ${find}`)
  writeFileSync(path, pieces.join(replace))
  try {
    for (const test of tests) {
      const red = await redTests(copy, test, progress)
      if (red.length > 0) return red
    }
    return []
  } finally {
    writeFileSync(path, source)
  }
}

/** Names of the tests that fail; the file's own where it does not come to its tests. */
async function redTests(copy: string, test: string, progress: Progress): Promise<readonly string[]> {
  const report = join(copy, 'report.json')
  rmSync(report, { force: true })
  const project = ['worker', 'e2e'].find((one) => one === dirname(test)) ?? 'node'
  const args = ['run', '--project', project, '--bail=1', '--reporter=json', `--outputFile=${report}`]
  const ended = await ends(copy, [...args, `test/${test}.test.ts`])
  if (ended === 0) return []
  if (ended === null) return [`${test}: hangs`]
  const told = readReport(report)
  if (told === null)
    progress(`  vitest left no report of test/${test}.test.ts, so nothing is known of the guard`)
  if (told === null) return []
  const failed = told.testResults.flatMap(({ assertionResults }) =>
    assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName.trim()),
  )
  return failed.length === 0 ? [`${test}: does not load`] : failed.slice(0, MOST_NAMES)
}

interface Report {
  readonly testResults: readonly { assertionResults: readonly { status: string; fullName: string }[] }[]
}

/** Null where vitest left none: it did not get as far as its tests, which says nothing of the guard. */
function readReport(file: string): Report | null {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Report) : null
}

/** Exit code; null when it had to be ended. */
function ends(copy: string, args: readonly string[]): Promise<number | null> {
  const child = spawn(process.execPath, [join(copy, 'node_modules/vitest/vitest.mjs'), ...args], {
    cwd: copy,
    stdio: 'ignore',
    timeout: PATIENCE,
  })
  return new Promise((done, failed) => {
    child.on('error', failed)
    child.on('close', (code) => done(code))
  })
}

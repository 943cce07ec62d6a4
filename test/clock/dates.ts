/**
 * `npm run dates`: every test that reads a date, by the test clock, at the moments at which dates go wrong. Less of it:
 * `npm run dates -- --at spring --project e2e test/e2e/friends`. In full it takes hours, so it is run once for a set of
 * changes, and is no part of `npm test`.
 */
import { spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { createTestClock } from './clock.ts'
import { dateReaders } from './date-readers.ts'

const ROOT = join(import.meta.dirname, '../..')
const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs')

/** Of the owner of the demo. */
const ZONE = 'Europe/Berlin'

/** Shortly before what they are named for, so that a test begins on one side of it and ends on the other. */
const MOMENTS: Readonly<Record<string, string>> = {
  midnight: '2027-06-15T23:59:40+02:00',
  'month-end': '2027-01-31T12:00:00+01:00',
  spring: '2027-03-28T01:59:40+01:00',
  autumn: '2027-10-31T02:59:40+02:00',
}

const PROJECTS = ['node', 'worker', 'e2e']

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: { at: { type: 'string' }, project: { type: 'string' } },
    allowPositionals: true,
  })
  const moments = Object.entries(MOMENTS).filter(([name]) => values.at === undefined || values.at === name)
  const projects = values.project === undefined ? PROJECTS : [values.project]
  const wanted = (file: string): boolean =>
    positionals.length === 0 || positionals.some((part) => file.includes(part))
  const files = dateReaders().filter(wanted)
  // Without a file, vitest would run all of them.
  if (moments.length === 0 || files.length === 0) return tell('there is no such moment or file')
  const failed: string[] = []
  for (const [name, moment] of moments)
    for (const project of projects)
      for (const some of runsOf(project, files)) {
        process.stdout.write(`\n${name}: ${moment}, ${project}\n`)
        if ((await runVitest(project, Date.parse(moment), some)) === 0) continue
        failed.push(project === 'worker' ? `${name} ${some.join()}` : `${name} ${project}`)
      }
  return tell(failed.length === 0 ? null : `failed: ${failed.join(', ')}`)
}

/** Files of one vitest each. workerd has one clock for all files of a run: the second would begin after the moment. */
function runsOf(project: string, files: readonly string[]): readonly (readonly string[])[] {
  if (project !== 'worker') return [files]
  return files.filter((file) => file.startsWith('test/worker/')).map((file) => [file])
}

/** Exit code. */
function tell(trouble: string | null): number {
  process.stdout.write(`${trouble ?? 'all passed'}\n`)
  return trouble === null ? 0 : 1
}

/** workerd runs below the first process of vitest; elsewhere each file has a process, and a clock, of its own. */
async function runVitest(project: string, at: number, files: readonly string[]): Promise<number | null> {
  const args = ['run', '--passWithNoTests', '--project', project, ...files]
  const clock = createTestClock({ at })
  const { TEST_CLOCK, NODE_OPTIONS } = clock.env
  const own =
    project === 'worker' ? { TEST_CLOCK } : { TEST_CLOCK_AT: String(at), TEST_CLOCKS: dirname(TEST_CLOCK) }
  try {
    const child = spawn(process.execPath, [VITEST, ...args], {
      cwd: ROOT,
      env: { ...process.env, NODE_OPTIONS, TZ: ZONE, ...own },
      stdio: 'inherit',
    })
    return await new Promise((resolve) => child.once('close', resolve))
  } finally {
    clock.remove()
  }
}

process.exitCode = await main()

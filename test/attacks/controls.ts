/**
 * Controls: the same attacks, or the tests that name it, with one guard taken out of the kernel's source, each in a process
 * of its own. A guard whose removal nothing notices would prove the suites blind. Called by main.ts and attacks.test.ts.
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import type { SourcePatch } from '../e2e/canary-patch.ts'
import { GUARDS } from './guards.ts'
import { failingTests } from './patched-tests.ts'
import type { Result, SuiteName } from './run.ts'

const ROOT = join(import.meta.dirname, '../..')
/** Each that many pairs: enough that every kind of attack is among them. */
const STRIDE = 97
/** What was found is told by its first few names. */
const MOST_NAMES = 4

export interface Guard {
  readonly guard: string
  /** Attack suites that must notice; none where only `tests` can. */
  readonly suites?: readonly SuiteName[]
  /** Each that many pairs, where few of them hold what it guards. */
  readonly stride?: number
  /** The tools' suite must notice, with each that many of its pairs. */
  readonly tools?: number
  /** Test files that must go red. */
  readonly tests?: readonly string[]
  readonly patches: readonly SourcePatch[]
}

export interface ControlResult {
  readonly guard: string
  /** Files it was taken out of. */
  readonly where: string
  /** What went red: `T2 no_approval: write` and the like. Empty when nothing noticed. */
  readonly red: readonly string[]
}

export interface ControlOptions {
  readonly corpus: string
  readonly guards?: readonly Guard[]
  readonly progress?: (line: string) => void
}

export async function runControls({
  corpus,
  guards = GUARDS,
  progress,
}: ControlOptions): Promise<readonly ControlResult[]> {
  const results: ControlResult[] = []
  for (const { guard, suites = [], stride = STRIDE, tests = [], tools, patches } of guards) {
    const failing = tests.length === 0 ? [] : await failingTests(tests, patches)
    const red = [
      ...(await attacked({ corpus, suites, stride, patches })),
      ...(tools === undefined ? [] : await withTools(tools, patches)),
      ...failing.slice(0, MOST_NAMES),
    ]
    progress?.(`without ${guard}: ${red.join('; ') || 'NOTHING'}`)
    results.push({ guard, where: [...new Set(patches.map(({ file }) => file))].join(', '), red })
  }
  return results
}

async function attacked({
  corpus,
  suites,
  stride,
  patches,
}: { readonly corpus: string } & Required<Pick<Guard, 'suites' | 'stride' | 'patches'>>): Promise<
  readonly string[]
> {
  const red: string[] = []
  for (const suite of suites) {
    const result = await runPatched([`--corpus=${corpus}`, `--suite=${suite}`, `--stride=${stride}`], patches)
    red.push(
      ...Object.keys(result.details)
        .slice(0, MOST_NAMES)
        .map((what) => `${suite} ${what}`),
    )
    if (result.approvedForAttacker > 0) red.push(`${suite} approved for the attacker`)
  }
  return red
}

async function withTools(stride: number, patches: readonly SourcePatch[]): Promise<readonly string[]> {
  const { details } = await runPatched(['--tools', `--stride=${stride}`], patches)
  return Object.keys(details)
    .slice(0, MOST_NAMES)
    .map((what) => `tools ${what}`)
}

function runPatched(args: readonly string[], patches: readonly SourcePatch[]): Promise<Result> {
  const patching = join(ROOT, 'test/e2e/canary-patch.ts')
  const main = join(ROOT, 'test/attacks/main.ts')
  return new Promise((done, failed) => {
    const child = spawn(
      process.execPath,
      ['--import', patching, main, '--json', '--first', '--no-utility', ...args],
      {
        env: { ...process.env, PFAR_CANARY_PATCHES: JSON.stringify(patches) },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    )
    let output = ''
    let errors = ''
    child.stdout.on('data', (data) => (output += String(data)))
    child.stderr.on('data', (data) => (errors += String(data)))
    child.on('error', failed)
    child.on('close', () => {
      try {
        done(JSON.parse(output) as Result)
      } catch {
        failed(new Error(`the attacked process ended without a result:\n${errors.slice(-2_000)}`))
      }
    })
  })
}

/**
 * Runs checks concurrently and prints their results. Skips a check that passed on the same tree before. Runs every
 * check even if another fails. Must not record a pass for a tree that changed during the run. Called by ../check.ts.
 */
import { type CheckCache, type Look, lookAt } from './cache.ts'

export interface Outcome {
  readonly ok: boolean
  readonly output: string
}

export interface Check {
  readonly name: string
  readonly run: () => Promise<Outcome>
}

export interface CheckRun {
  readonly root: string
  readonly cache: CheckCache
  /** Most concurrent checks. */
  readonly parallel: number
  readonly print: (line: string) => void
}

/** Returns the names of the checks that failed. */
export async function runChecks(checks: readonly Check[], run: CheckRun): Promise<readonly string[]> {
  const { root, cache, print } = run
  const before = lookAt(root)
  const passed: string[] = []
  const failed: string[] = []
  const known = checks.filter(({ name }) => cache.passed(name, before.digest))
  for (const { name } of known) print(`ok   ${name} (unchanged)`)
  const waiting = checks.filter((check) => !known.includes(check))
  const work = async (): Promise<void> => {
    for (let check = waiting.shift(); check !== undefined; check = waiting.shift())
      ((await report(check, print)) ? passed : failed).push(check.name)
  }
  await Promise.all(Array.from({ length: run.parallel }, work))
  if (isSame(before, lookAt(root))) for (const name of passed) cache.pass(name, before.digest)
  print(failed.length === 0 ? `${checks.length} checks passed` : `failed: ${failed.join(', ')}`)
  return failed
}

function isSame(one: Look, other: Look): boolean {
  return one.digest === other.digest && one.stamp === other.stamp
}

async function report(check: Check, print: CheckRun['print']): Promise<boolean> {
  const started = performance.now()
  const { ok, output } = await check.run().catch((error) => ({ ok: false, output: String(error) }))
  const seconds = ((performance.now() - started) / 1_000).toFixed(1)
  print(`${ok ? 'ok  ' : 'FAIL'} ${check.name} (${seconds} s)`)
  if (!ok) print(output.trimEnd().replaceAll(/^/gm, '     '))
  return ok
}
